"""The ufuncs of the op table that have SciPy's names but not NumPy's."""

from ._array.ufuncs import special_by_name

globals().update(special_by_name)
__all__ = list(special_by_name)
