"""Modules of measure_trust.py."""
