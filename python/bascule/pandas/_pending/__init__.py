"""Frames and series that wait for joins."""
