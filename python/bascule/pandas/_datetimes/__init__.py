"""Timestamps and durations: their fields, time zones and ranges."""
