"""Naive Bayes: `sklearn.naive_bayes`, from sums over the rows of each class in one pass."""

from .._names import handing_on

__getattr__, __dir__, __all__ = handing_on(__name__, {"GaussianNB": "_gaussian", "MultinomialNB": "_multinomial"})
