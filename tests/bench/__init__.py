"""Benchmarks: every number is a ratio between things measured side by side in one run.

`make bench` prints them. Nothing here is a test, and nothing fails for being slow.
"""
