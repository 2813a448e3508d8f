"""Graphs of tasks."""
