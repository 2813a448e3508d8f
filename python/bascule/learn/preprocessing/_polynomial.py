"""Products of columns, computed for blocks of rows on all threads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn import preprocessing as theirs
from sklearn.base import _fit_context
from sklearn.utils.validation import check_is_fitted

from .._checks import validate_data
from .._device_checks import stand_in
from .._estimator import NativeEstimator
from .._kinds import Kind
from .._rows import in_parts

_BLOCK_BYTES = 1 << 20  # of products: they stay in the L2 cache until they are stored
_ROWS_OF_F_ORDER = 1 << 15  # whose columns lie in one piece each
_MANY_IN_A_STEP = 32


class PolynomialFeatures(NativeEstimator, theirs.PolynomialFeatures):
    __doc__ = theirs.PolynomialFeatures.__doc__

    _takes_dask, _keeps_types = False, True

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None) -> PolynomialFeatures:
        """Count the products.

        Parameters
        ----------
        X : array or sparse matrix, shape (n, d)
        y : None
            Not used.

        Returns
        -------
        PolynomialFeatures
            The transformer itself.
        """
        return self._call("fit", X)

    def _fit_native(self, kind: Kind, X: Any) -> None:
        self._theirs.fit.__wrapped__(self, X if kind.on_host else stand_in(validate_data(self, X)))

    def transform(self, X: Any) -> Any:
        """Multiply columns.

        Parameters
        ----------
        X : array or sparse matrix, shape (n, d)

        Returns
        -------
        array or sparse matrix, shape (n, products)
            Equal to scikit-learn's, in the kind of X.
        """
        check_is_fitted(self)
        reason = self._not_native(X)
        if reason is not None:
            return self._by_parent("transform", X, reason)
        kind = Kind.of(X)
        taken = validate_data(self, kind.take(X, "X"), dtype=[np.float64, np.float32], reset=False)
        if not kind.on_host:
            return self._multiplied_there(taken)
        found = np.empty((len(taken), self.n_output_features_), taken.dtype, order=self.order)
        steps = [*self._steps(taken.shape[1])]
        first = self._n_out_full - self.n_output_features_  # products of a low degree, which are not asked for
        # Many products in a step are multiplied where they are stored; few are first laid out as rows of one block.
        in_place = not first and (self.order == "F" or self._n_out_full >= _MANY_IN_A_STEP * len(steps))
        rows = (
            _ROWS_OF_F_ORDER
            if self.order == "F"
            else max(512 if in_place else 64, _BLOCK_BYTES // (self._n_out_full * taken.itemsize))
        )

        def blocks(begin: int, end: int) -> None:
            products = np.empty((0 if in_place else self._n_out_full, min(rows, len(taken))), taken.dtype)
            for start in range(begin * rows, min(end * rows, len(taken)), rows):
                block, target = taken[start : start + rows], found[start : start + rows].T
                made = self._multiplied(block, target if in_place else products[:, : len(block)], steps)
                if in_place:
                    continue
                if first and self.include_bias:
                    target[0], target[1:] = 1, made[first + 1 :]
                else:
                    target[...] = made[first:]

        in_parts(blocks, -(-len(taken) // rows))
        return kind.give(found)

    def _multiplied_there(self, X: Any) -> Any:
        """One expression for each degree, of the columns of the one below."""
        parts = [X[:, :1] * 0 + 1] if self.include_bias else []
        made = [*parts, X] if self._max_degree else parts
        below = np.concatenate(made, axis=1)
        more: list[Any] = []
        for start, end, column, _ in self._steps(X.shape[1]):
            if end > below.shape[1]:
                below, more = np.concatenate([below, *more], axis=1), []
            more.append(below[:, start:end] * X[:, column : column + 1])
        found = np.concatenate([below, *more], axis=1)
        first = self._n_out_full - self.n_output_features_
        return np.concatenate([*parts, found[:, first + len(parts) :]], axis=1) if first else found

    def _multiplied(
        self, block: np.ndarray, products: np.ndarray, steps: list[tuple[int, int, int, int]]
    ) -> np.ndarray:
        """The products of all degrees: a row each."""
        bias, d = int(self.include_bias), block.shape[1]
        products[:bias] = 1
        if self._max_degree:
            products[bias : bias + d] = block.T
        for start, end, column, at in steps:
            np.multiply(products[start:end], products[bias + column], out=products[at : at + end - start])
        return products

    def _steps(self, d: int) -> Iterator[tuple[int, int, int, int]]:
        """Products ``start:end`` of one degree times a column give those of the next degree, from `at` on."""
        at = int(self.include_bias)
        starts = [*range(at, at + d + 1)]  # of the products that begin with each column
        at += d
        for _ in range(2, self._max_degree + 1):
            following, end = [], starts[-1]
            for column in range(d):
                start = starts[column + 1] if self.interaction_only else starts[column]
                following.append(at)
                if start >= end:
                    break
                yield start, end, column, at
                at += end - start
            starts = [*following, at]
