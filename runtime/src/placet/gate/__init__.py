"""The gate: seven steps in a fixed order, through which every call passes."""

from placet.gate.gate import Gate

__all__ = ["Gate"]
