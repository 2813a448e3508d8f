"""Labels of rows and columns: renaming, reindexing, levels, and rows chosen by their labels."""
