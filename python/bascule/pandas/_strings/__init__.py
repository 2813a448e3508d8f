"""String methods."""
