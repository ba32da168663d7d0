"""Emission: the resolved surface in, the text of every file out. Reads nothing but its own templates.

`wire_tools` gives the definitions a model gets without emitting anything, for budgets and diffs.
"""

from placet_generator.emit.files import emit_surface
from placet_generator.emit.openapi import openapi_document
from placet_generator.emit.wire import WireTool, wire_tools

__all__ = ["WireTool", "emit_surface", "openapi_document", "wire_tools"]
