"""The four meta tools: they send nothing, and answer from a surface's own index, texts and guidance.

A surface curates their texts (`source: {local: ...}`); what they do is here, the same for every surface.
"""

from placet.meta.behaviours import BEHAVIOURS
from placet.meta.search import Hit, search

__all__ = ["BEHAVIOURS", "Hit", "search"]
