"""First drafts of curation, written for a person to edit: one tool, or a whole surface."""

from placet_generator.scaffold.new_surface import surface_files
from placet_generator.scaffold.new_tool import tool_entry
from placet_generator.scaffold.package import MAKEFILE, package_project

__all__ = ["MAKEFILE", "package_project", "surface_files", "tool_entry"]
