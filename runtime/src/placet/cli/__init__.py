"""The executable `placet`: finds commands by entry point and loads only the one that was asked for.

Kept empty: the fast way through `placet.cli.main` pays for every import here.
"""
