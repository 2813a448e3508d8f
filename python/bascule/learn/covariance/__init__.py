"""Covariances: `sklearn.covariance`, with the empirical one and Ledoit and Wolf's from one pass over the rows."""

from .._names import handing_on

__getattr__, __dir__, __all__ = handing_on(
    __name__, {"EmpiricalCovariance": "_empirical", "LedoitWolf": "_ledoit_wolf"}
)
