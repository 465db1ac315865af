"""Certificates of runs: balances and laws recomputed from the files that a run has written."""
