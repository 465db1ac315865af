"""Families of runs of Percussion: sweeps over parameters, and convergence."""
