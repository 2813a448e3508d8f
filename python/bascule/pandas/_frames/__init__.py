"""Frames and series, and the methods that they are put together of."""
