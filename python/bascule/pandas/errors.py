"""pandas' errors and warnings, which our frames raise."""

from pandas.errors import *  # noqa: F403
from pandas.errors import __all__ as __all__
