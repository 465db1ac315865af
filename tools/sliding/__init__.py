"""Bodies that slide over others: cells, their cases, and verdicts on their runs."""
