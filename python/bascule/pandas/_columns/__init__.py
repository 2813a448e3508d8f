"""Columns and their operations; nothing here depends on labels, series or frames."""
