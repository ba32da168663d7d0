"""Translations between what a model writes or reads and what is on the wire of Feishu; a few modules per domain.

Every codec is a pure pair of functions. A codec of one direction refuses the other.
"""

from placet.platforms.feishu.codecs.registry import CODECS

__all__ = ["CODECS"]
