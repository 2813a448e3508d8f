"""Neighbours: `sklearn.neighbors`, with exhaustive searches by one call of the core."""

from .._names import handing_on

__getattr__, __dir__, __all__ = handing_on(
    __name__,
    {"KNeighborsClassifier": "_predictors", "KNeighborsRegressor": "_predictors", "NearestNeighbors": "_neighbors"},
)
