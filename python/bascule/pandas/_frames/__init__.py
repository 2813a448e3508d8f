"""Frames and series, and the base classes that hold their methods."""
