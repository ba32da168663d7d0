"""The semantic diff: what a change of the curation means for the model and for the host.

It compares golden tool files, which hold exactly what a model gets and exactly what the gate runs, and says
each difference in words, marked breaking, widening or text.
"""

from placet_generator.diff.change import Change, Effect
from placet_generator.diff.golden import DiffFailed, read_folder, read_revision
from placet_generator.diff.show import change_sentence, changes_json, changes_text
from placet_generator.diff.tools import compare

__all__ = [
    "Change",
    "DiffFailed",
    "Effect",
    "change_sentence",
    "changes_json",
    "changes_text",
    "compare",
    "read_folder",
    "read_revision",
]
