"""One array and dataframe library for CPU and GPU, with NumPy's and pandas' interface."""

from ._core import __version__

__all__ = ["__version__"]
