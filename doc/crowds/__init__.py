"""Modules of measure_contacts.py."""
