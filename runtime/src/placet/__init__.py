"""Placet: a curated tool surface, and the gate through which every call passes.

Kept empty on purpose: generated tool modules import `placet.contract`, which runs this file first.
"""
