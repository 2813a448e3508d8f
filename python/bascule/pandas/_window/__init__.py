"""Windows over rows: rolling, expanding, exponentially weighted, by group, and by time."""
