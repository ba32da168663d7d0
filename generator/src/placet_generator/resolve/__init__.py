"""From checked models to the resolved surface: every name, type and place decided or reported."""
