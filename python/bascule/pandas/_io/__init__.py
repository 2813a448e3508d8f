"""Frames from files and from Arrow, and back."""
