"""Combination and reshaping of frames."""
