"""Support vector machines: `sklearn.svm`, the linear one with the squared hinge loss by Newton's method over blocks of rows."""

from .._names import handing_on

__getattr__, __dir__, __all__ = handing_on(__name__, {"LinearSVC": "_linear_svc"})
