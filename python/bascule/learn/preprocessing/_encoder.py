"""The common part of encoders: categories from the distinct values of columns, and codes from one look-up a value."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.base import _fit_context
from sklearn.utils.validation import check_is_fitted

from .._checks import validate_data
from .._chunks import is_chunked
from .._estimator import NativeEstimator
from .._kinds import Kind
from ._categories import column, distinct, is_table, placed


class Encoder(NativeEstimator):
    """Encoders of columns, between a class of scikit-learn's encoders and its base class.

    scikit-learn's `fit` calls ``_fit`` and its `transform` ``_transform``, each of which reads the rows once.
    """

    _takes_dask = False
    _seen: list[tuple[np.ndarray, Any]] | None = None  # the distinct values of columns and their numbers, in a fit

    def _not_native(self, X: Any) -> str | None:
        if not Kind.of(X).on_host:
            return "categories of rows on a device"
        return "X is an array of Dask" if is_chunked(X) else None  # of a transformation

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None) -> Encoder:
        """Find the categories of each column.

        Parameters
        ----------
        X : array or frame, shape (n, d)
        y : None
            Not used.

        Returns
        -------
        Encoder
            The encoder itself; its categories equal scikit-learn's.
        """
        return self._call("fit", X)

    def inverse_transform(self, X: Any) -> Any:
        """The values of codes.

        Parameters
        ----------
        X : array or sparse matrix, shape (n, columns of `transform`)

        Returns
        -------
        array, shape (n, d)
            Equal to scikit-learn's.
        """
        return self._read("inverse_transform", X)

    def _fit_native(self, kind: Kind, X: Any) -> None:
        self._theirs.fit.__wrapped__(self, X)  # whose parameters have been checked

    def _read(self, name: str, X: Any) -> Any:
        """The result of scikit-learn's method, which calls those below."""
        check_is_fitted(self)
        return self._by_parent(name, X, self._not_native(X))

    def _check_X(self, X: Any, ensure_all_finite: Any = True) -> Any:
        """The columns, in a fit their distinct values, and the shape."""
        if is_table(X):
            n, d = X.shape
            columns = [column(X.iloc[:, k], ensure_all_finite) for k in range(d)]
        else:
            columns, n, d = super()._check_X(X, ensure_all_finite)  # type: ignore[misc]
        if self._seen is not None:
            self._seen += [distinct(c, self._infrequent_enabled) for c in columns]  # type: ignore[attr-defined]
            columns = [once for once, _ in self._seen]
        return columns, n, d

    def _fit(self, X: Any, *args: Any, **options: Any) -> Any:
        self._seen = []
        try:
            return super()._fit(X, *args, **options)  # type: ignore[misc]
        finally:
            del self._seen

    def _fit_infrequent_category_mapping(self, n_samples: int, category_counts: Any, missing_indices: Any) -> None:
        assert self._seen is not None
        counts = [_in_order(cats, *seen) for cats, seen in zip(self.categories_, self._seen)]  # type: ignore[attr-defined]
        super()._fit_infrequent_category_mapping(n_samples, counts, missing_indices)  # type: ignore[misc]

    def _transform(
        self,
        X: Any,
        handle_unknown: str = "error",
        ensure_all_finite: Any = True,
        warn_on_unknown: bool = False,
        ignore_category_indices: Any = None,
    ) -> tuple[np.ndarray, np.ndarray]:
        """The code of each value, and whether its category is known."""
        columns, n, d = self._check_X(X, ensure_all_finite)
        validate_data(self, X, reset=False, skip_check_array=True)
        codes, mask = np.zeros((n, d), np.int64), np.ones((n, d), bool)
        with_unknown = []
        for k, (values, categories) in enumerate(zip(columns, self.categories_)):  # type: ignore[attr-defined]
            codes[:, k], known, unknown = placed(values, categories)
            if known is None:
                continue
            if handle_unknown == "error":
                raise ValueError(f"Found unknown categories {unknown} in column {k} during transform")
            with_unknown.append(k)
            mask[:, k] = known
            codes[~known, k] = 0
        if with_unknown and warn_on_unknown:
            rest = "the infrequent category." if handle_unknown == "infrequent_if_exist" else "all zeros"
            warnings.warn(
                f"Found unknown categories in columns {with_unknown} during transform. These unknown categories will be "
                f"encoded as {rest}",
                UserWarning,
                stacklevel=2,
            )
        self._map_infrequent_categories(codes, mask, ignore_category_indices)  # type: ignore[attr-defined]
        return codes, mask


def _in_order(categories: np.ndarray, once: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """The counts of distinct values in the order of the categories."""
    positions, known, _ = placed(once, categories)
    if known is not None:
        positions, counts = positions[known], counts[known]
    return np.bincount(positions, counts, len(categories)).astype(np.int64)
