"""Mixtures: `sklearn.mixture`, with an iteration of a Gaussian mixture as one pass over the rows."""

from .._names import handing_on

__getattr__, __dir__, __all__ = handing_on(__name__, {"GaussianMixture": "_gaussian"})
