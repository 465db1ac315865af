"""Modules of measure_validation.py."""
