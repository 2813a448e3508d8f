"""Discriminant analysis: `sklearn.discriminant_analysis`, with products of centred classes from one pass over the rows."""

from .._names import handing_on

__getattr__, __dir__, __all__ = handing_on(__name__, {"LinearDiscriminantAnalysis": "_linear"})
