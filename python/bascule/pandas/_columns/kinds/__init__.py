"""The classes of columns, one a kind: NumPy's types and those with NA; types that only pandas has."""
