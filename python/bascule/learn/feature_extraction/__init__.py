"""Features of raw data: `sklearn.feature_extraction`."""

from .._names import handing_on
from . import text as text

__getattr__, __dir__, __all__ = handing_on(__name__, {})
