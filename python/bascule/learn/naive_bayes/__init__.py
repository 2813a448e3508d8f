"""Naive Bayes: `sklearn.naive_bayes`, with means and variances of classes from one pass over the rows."""

from .._names import handing_on

__getattr__, __dir__, __all__ = handing_on(__name__, {"GaussianNB": "_gaussian"})
