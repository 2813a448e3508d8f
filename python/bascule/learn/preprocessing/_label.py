"""Labels by the numbers of their classes."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn import preprocessing as theirs
from sklearn.utils._encode import _encode, _unique
from sklearn.utils.validation import _num_samples, check_is_fitted, column_or_1d

from .._estimator import Derived, leave
from .._kinds import Kind
from ._categories import distinct, is_strings, placed


class LabelEncoder(Derived, theirs.LabelEncoder):
    __doc__ = theirs.LabelEncoder.__doc__

    def fit(self, y: Any) -> LabelEncoder:
        """Find the classes.

        Parameters
        ----------
        y : array or series, shape (n,)

        Returns
        -------
        LabelEncoder
            The encoder itself; its classes equal scikit-learn's.
        """
        _, labels = self._read("fit", y)
        self.classes_ = _unique(distinct(labels)[0])
        return self

    def fit_transform(self, y: Any) -> Any:
        """Find the classes and encode the labels.

        Parameters
        ----------
        y : array or series, shape (n,)

        Returns
        -------
        array, shape (n,)
            Equal to scikit-learn's, in the kind of y.
        """
        kind, labels = self._read("fit_transform", y)
        self.classes_ = _unique(distinct(labels)[0])
        return kind.give(placed(labels, self.classes_)[0])

    def transform(self, y: Any) -> Any:
        """Encode labels.

        Parameters
        ----------
        y : array or series, shape (n,)

        Returns
        -------
        array, shape (n,)
            Equal to scikit-learn's, in the kind of y.
        """
        check_is_fitted(self)
        kind, labels = self._read("transform", y, self.classes_.dtype)
        if _num_samples(labels) == 0:
            return kind.give(np.asarray([]))
        codes, known, _ = placed(labels, self.classes_)
        if known is not None:
            _encode(np.asarray(labels)[~known], uniques=self.classes_)  # raises, with scikit-learn's words
        return kind.give(codes)

    def inverse_transform(self, y: Any) -> Any:
        """The labels of numbers.

        Parameters
        ----------
        y : array, shape (n,)

        Returns
        -------
        array, shape (n,)
        """
        kind = Kind.of(y)
        return kind.give(theirs.LabelEncoder.inverse_transform(self, kind.take(y, "y")))

    def _read(self, name: str, y: Any, dtype: Any = None) -> tuple[Kind, Any]:
        """The kind of y, and its labels as `distinct` and `placed` read them, after scikit-learn's checks."""
        kind = Kind.of(y)
        if not kind.on_host:
            leave(f"learn.LabelEncoder.{name}", "labels on a device", kind)
        if is_strings(y) and y.ndim == 1 and len(y) and dtype in (None, np.dtype(object)):
            return kind, y
        return kind, column_or_1d(kind.take(y, "y"), dtype=dtype, warn=True)
