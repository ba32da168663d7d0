"""Generated corpora: secrets, injections and harmless business text, in English and Chinese.

Each has a development part, which the rules were written against, and an evaluation part with other templates, other
phrases and other containers, which they were not.
"""
