"""Categories of columns by the mean of a target."""

from __future__ import annotations

from typing import Any

from sklearn import preprocessing as theirs
from sklearn.base import _fit_context

from .._kinds import Kind
from ._encoder import Encoder


class TargetEncoder(Encoder, theirs.TargetEncoder):
    __doc__ = theirs.TargetEncoder.__doc__

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any) -> TargetEncoder:
        """Find the categories of each column and their encodings.

        Parameters
        ----------
        X : array or frame, shape (n, d)
        y : array, shape (n,)
            Numbers or labels.

        Returns
        -------
        TargetEncoder
            The encoder itself; its encodings equal scikit-learn's.
        """
        return self._call("fit", X, y)

    @_fit_context(prefer_skip_nested_validation=True)
    def fit_transform(self, X: Any, y: Any, **params: Any) -> Any:
        """Encode each row by the targets of other rows.

        Parameters
        ----------
        X : array or frame, shape (n, d)
        y : array, shape (n,)
            Numbers or labels.
        **params : dict
            For the splitter of rows.

        Returns
        -------
        array, shape (n, d) or (n, d * classes)
            Equal to scikit-learn's for the same random numbers, in the kind of X.
        """
        self._params = params
        try:
            return self._result("fit_transform", X, y)
        finally:
            del self._params

    def transform(self, X: Any) -> Any:
        """Encode each value by that of its category.

        Parameters
        ----------
        X : array or frame, shape (n, d)

        Returns
        -------
        array, shape (n, d) or (n, d * classes)
            Equal to scikit-learn's, in the kind of X.
        """
        return self._read("transform", X)

    def _fit_native(self, kind: Kind, X: Any, y: Any) -> None:
        self._theirs.fit.__wrapped__(self, X, y)

    def _fit_transform_native(self, kind: Kind, X: Any, y: Any) -> Any:
        method = self._theirs.fit_transform
        while hasattr(method, "__wrapped__"):
            method = method.__wrapped__
        return method(self, X, y, **self._params)
