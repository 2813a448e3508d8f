"""Group-by and resampling."""
