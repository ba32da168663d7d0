"""The steps, one reason to refuse each. Their order stands in `placet.gate.chain` and nowhere else."""
