"""Diagnostics are data: a stable code, a place, what is wrong, and the next move."""

from placet_generator.diagnostics.codes import CODES, Code, CodeInfo
from placet_generator.diagnostics.model import Diagnostic, Severity, Span, any_errors, sort_diagnostics

__all__ = ["CODES", "Code", "CodeInfo", "Diagnostic", "Severity", "Span", "any_errors", "sort_diagnostics"]
