"""Columns and what is computed of them; nothing here knows of labels, series or frames."""
