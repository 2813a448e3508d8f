"""Reading and writing of files and Arrow data."""
