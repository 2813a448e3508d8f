"""Classification by ridge regression on labels of -1 and 1."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn import linear_model as theirs
from sklearn.base import _fit_context
from sklearn.preprocessing import LabelBinarizer

from .._checks import check_sample_weight, check_weights, validate_data
from .._chunks import computed, is_chunked
from .._classes import check_labels, chunks_by_class, encoded, range_there
from .._kinds import Kind
from ._gram import rows_of
from ._logistic import checked_weights
from ._model import LinearClassifier
from ._ridge import RidgeSolver


class RidgeClassifier(LinearClassifier, RidgeSolver, theirs.RidgeClassifier):
    __doc__ = theirs.RidgeClassifier.__doc__

    _keeps_types, _takes_dask = True, True

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> RidgeClassifier:
        """Fit the classifier.

        Parameters
        ----------
        X : array, shape (n, d)
        y : array, shape (n,)
            Labels.
        sample_weight : float or array, shape (n,), optional

        Returns
        -------
        RidgeClassifier
            The estimator itself, with the accuracy of `Ridge`.
        """
        return self._call("fit", X, y, sample_weight)

    def _fit_native(self, kind: Kind, X: Any, y: Any, sample_weight: Any = None) -> None:
        if is_chunked(X):
            self._fit_chunks(X, y, sample_weight)
            return
        if not kind.on_host:
            self._fit_there(kind, X, y, sample_weight)
            return
        plain = sample_weight is None and self.class_weight is None
        X, _, w, Y = self._prepare_data(X, y, sample_weight, self.solver)
        check_weights(None if plain else w)
        if X.dtype not in (np.float64, np.float32):
            X = X.astype(np.float64)
        self._solve(X, Y, None if plain else w.astype(X.dtype, copy=False))

    def _result(self, name: str, X: Any, y: Any, *args: Any, **options: Any) -> Any:
        if is_chunked(X) and (self.class_weight is not None or getattr(y, "ndim", 1) > 1):
            X, y, *args = computed(X, y, *args)  # type: ignore[assignment]
        return super()._result(name, X, y, *args, **options)

    def _path_rows(self, X: Any, y: Any, sample_weight: Any) -> tuple[list[Any], Any] | None:
        """Labels as columns of -1 and 1; class weights are those of each fold."""
        if self.class_weight is not None or np.ndim(y) != 1:
            return None
        X, y = validate_data(self, X, y, dtype=[np.float64, np.float32])
        w = None if sample_weight is None else check_sample_weight(sample_weight, X, dtype=X.dtype, ensure_non_negative=True)  # fmt: skip
        classes, numbers = encoded(Kind.of(X), y)
        if len(classes) < 2:
            return None
        return rows_of(X, _columns(numbers, len(classes)), w), numbers[:, None]

    def _fit_chunks(self, X: Any, y: Any, sample_weight: Any) -> None:
        X, classes, numbers, w = chunks_by_class(self, X, y, sample_weight, dtype=[np.float64, np.float32])
        self._label_binarizer = LabelBinarizer(pos_label=1, neg_label=-1).fit(classes)
        self.classes_ = classes
        columns = 1 if len(classes) == 2 else len(classes)
        Y = numbers.map_blocks(_columns, len(classes), dtype=np.float64, new_axis=1, chunks=(X.chunks[0], (columns,)))
        self._solve(X, Y, w)

    def _fit_there(self, kind: Kind, X: Any, y: Any, sample_weight: Any) -> None:
        """Of rows on a device, where labels of several columns are not taken."""
        X, y = validate_data(self, X, y, dtype=[np.float64, np.float32])
        check_labels(y)
        classes, numbers = encoded(kind, y)
        self._label_binarizer = LabelBinarizer(pos_label=1, neg_label=-1).fit(classes)
        self.classes_ = classes
        w = None
        if sample_weight is not None or self.class_weight is not None:
            w = checked_weights(X, sample_weight, self.class_weight, classes, numbers)
        self._solve(X, _columns(numbers, len(classes)), w)

    def predict(self, X: Any) -> Any:
        """Predict labels.

        Parameters
        ----------
        X : array or sparse matrix, shape (n, d)

        Returns
        -------
        array, shape (n,)
            Of the labels in y.
        """
        kind = Kind.of(X)
        if not kind.on_host or is_chunked(X):
            return LinearClassifier.predict(self, X)
        return kind.give(theirs.RidgeClassifier.predict(self, kind.take(X, "X")))


def _columns(numbers: Any, count: int) -> Any:
    """-1 and 1 for each class, or for the second of two."""
    return np.where(numbers[:, None] == (range_there(numbers, count) if count > 2 else 1), 1.0, -1.0)
