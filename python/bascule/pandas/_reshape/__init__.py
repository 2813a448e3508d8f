"""Frames put together, and turned."""
