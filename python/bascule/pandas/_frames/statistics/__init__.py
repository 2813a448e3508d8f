"""Reductions, correlations, running values and ranks."""
