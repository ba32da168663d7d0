"""Step 1: what may enter. Pure functions from raw arguments to checked ones, every fault in one answer."""

from placet.inbound.arguments import Checked, check_arguments
from placet.inbound.faults import Fault

__all__ = ["Checked", "Fault", "check_arguments"]
