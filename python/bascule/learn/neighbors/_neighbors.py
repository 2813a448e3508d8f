"""The nearest rows by Euclidean distance, of all rows; where scikit-learn builds a tree its tree is searched."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from sklearn import neighbors as theirs
from sklearn.base import _fit_context
from sklearn.utils.validation import _to_object_array, check_is_fitted

from ... import _core
from .._checks import validate_data
from .._estimator import Derived
from .._kinds import Kind, is_sparse, shared
from . import _there as there
from ._sparse import nearest


def _in_core(*arrays: np.ndarray) -> Any:
    """The core's arrays of rows."""
    return (shared(np.ascontiguousarray(x, np.float64)) for x in arrays)


def within(rows: np.ndarray, queries: np.ndarray, radius: float, distances: bool = False) -> tuple[np.ndarray, ...]:
    """Where the rows within a radius of each query begin, all of them in ascending order, and their distances."""
    return tuple(map(np.asarray, _core.within_radius(*_in_core(rows, queries), float(radius), distances)))


class Neighbors(Derived):
    """A mix-in of the estimators with neighbours: the search, and the kinds of X and of results."""

    _known: Any = (
        None  # in a search over candidates the test rows, and the distances and numbers of the rows nearest to them
    )

    def _fitted(self, X: Any, y: Any = None) -> Any:
        kind = Kind.of(X)
        if not kind.on_host:
            return there.fit(self, kind, X, y)
        return self._theirs.fit.__wrapped__(self, kind.take(X, "X"), kind.take(y, "y"))

    def _not_native(self, X: Any) -> str | None:
        """The reason for which scikit-learn searches, or None."""
        if self._fit_method != "brute":  # type: ignore[attr-defined]
            return None if self._tree is not None else f"algorithm={self.algorithm!r}"  # type: ignore[attr-defined]
        if self.effective_metric_ != "euclidean":  # type: ignore[attr-defined]
            names = ("metric", "p", "metric_params")
            return ", ".join(f"{name}={getattr(self, name)!r}" for name in names if getattr(self, name) is not None)
        return None

    def _is_exhaustive(self, X: Any) -> bool:
        return self._fit_method == "brute" and self._not_native(X) is None  # type: ignore[attr-defined]

    def _knows(self, X: Any) -> bool:
        return self._known is not None and X is self._known[0]

    def kneighbors(self, X: Any = None, n_neighbors: Any = None, return_distance: bool = True) -> Any:
        """Find the nearest rows.

        Parameters
        ----------
        X : array, shape (n, d), optional
            Queries; without them each fitted row is one, and not its own neighbour.
        n_neighbors : int, optional
            By default the parameter of the estimator.
        return_distance : bool, optional

        Returns
        -------
        distances : array, shape (n, n_neighbors)
            Ascending; exact to rounding of sums of squared differences. Only if `return_distance` is true.
        indices : array of int, shape (n, n_neighbors)
            Of equal distances the lower row comes first.
        """
        check_is_fitted(self)
        count = self.n_neighbors if n_neighbors is None else n_neighbors  # type: ignore[attr-defined]
        if self._knows(X) and count <= self._known[1].shape[1]:
            found = tuple(np.ascontiguousarray(x[:, :count]) for x in self._known[1:])
            return found if return_distance else found[1]
        if there.of_one_place(self, X):
            found = there.nearest(self, X, count)
            return found if return_distance else found[1]
        kind, reason = Kind.of(X), self._not_native(X)
        if reason is not None:
            found = self._left("kneighbors", reason, kind.take(X, "X"), n_neighbors, return_distance)
        elif self._is_exhaustive(X):
            found = self._searched(kind.take(X, "X"), n_neighbors, return_distance)
        else:
            found = self._theirs.kneighbors(self, kind.take(X, "X"), n_neighbors, return_distance)
        return tuple(map(kind.give, found)) if return_distance else kind.give(found)

    def _searched(self, X: Any, n_neighbors: Any, return_distance: bool) -> Any:
        if n_neighbors is None:
            n_neighbors = self.n_neighbors  # type: ignore[attr-defined]
        elif n_neighbors <= 0:
            raise ValueError(f"Expected n_neighbors > 0. Got {n_neighbors}")
        elif not isinstance(n_neighbors, numbers.Integral):
            raise TypeError(f"n_neighbors does not take {type(n_neighbors)} value, enter integer value")
        rows = self._fit_X  # type: ignore[attr-defined]
        if X is None:
            queries, wanted = rows, n_neighbors + 1
        else:
            queries, wanted = validate_data(self, X, accept_sparse="csr", reset=False, order="C"), n_neighbors
        n = rows.shape[0]
        if wanted > n:
            sign = "<" if X is None else "<="
            raise ValueError(f"Expected n_neighbors {sign} n_samples_fit, but n_neighbors = {n_neighbors}, n_samples_fit = {n}, n_samples = {queries.shape[0]}")  # fmt: skip
        if is_sparse(rows) or is_sparse(queries):
            indices, distances = nearest(csr_array(rows), csr_array(queries), int(wanted))
        else:
            indices, distances = map(np.asarray, _core.nearest(*_in_core(rows, queries), int(wanted)))
        if X is None:
            others = indices != np.arange(n)[:, None]
            others[others.all(axis=1), 0] = False  # as many duplicates as neighbours: the first stands for the row
            shape = (n, n_neighbors)
            indices, distances = indices[others].reshape(shape), distances[others].reshape(shape)
        return (distances, indices) if return_distance else indices


class NearestNeighbors(Neighbors, theirs.NearestNeighbors):
    __doc__ = theirs.NearestNeighbors.__doc__

    def radius_neighbors(
        self, X: Any = None, radius: float | None = None, return_distance: bool = True, sort_results: bool = False
    ) -> Any:
        """Find the rows within a radius.

        Parameters
        ----------
        X : array, shape (n, d), optional
            Queries; without them each fitted row is one, and not its own neighbour.
        radius : float, optional
            By default the parameter of the estimator.
        return_distance : bool, optional
        sort_results : bool, optional
            In the order of distances.

        Returns
        -------
        distances : array of object, shape (n,)
            Each is an array; only if `return_distance` is true.
        indices : array of object, shape (n,)
        """
        check_is_fitted(self)
        kind, reason = Kind.of(X), self._not_native(X)
        if reason is None and (is_sparse(X) or is_sparse(self._fit_X)):
            reason = "X is sparse"
        if there.of_one_place(self, X):
            there.refuse(self, "radius_neighbors", "lists of different lengths", self._fit_X.device)
        given = (kind.take(X, "X"), radius, return_distance, sort_results)
        if reason is not None:
            return self._left("radius_neighbors", reason, *given)
        return self._within(*given) if self._is_exhaustive(X) else self._theirs.radius_neighbors(self, *given)

    def _within(self, X: Any, radius: float | None, return_distance: bool, sort_results: bool) -> Any:
        if sort_results and not return_distance:
            raise ValueError("return_distance must be True if sort_results is True.")
        rows = self._fit_X
        queries = rows if X is None else validate_data(self, X, accept_sparse="csr", reset=False, order="C")
        ends, found, *distances = within(rows, queries, self.radius if radius is None else radius, return_distance)
        parts = [found, *distances]
        of = np.repeat(np.arange(len(queries)), np.diff(ends))
        if sort_results:
            order = np.lexsort((distances[0], of))
            parts = [x[order] for x in parts]
        if X is None:
            others = parts[0] != of
            ends = np.concatenate([[0], np.cumsum(np.bincount(of[others], minlength=len(queries)))])
            parts = [x[others] for x in parts]
        ends = ends.tolist()
        lists = [_to_object_array([x[i:j] for i, j in zip(ends, ends[1:])]) for x in parts]
        return (lists[1], lists[0]) if return_distance else lists[0]

    @_fit_context(prefer_skip_nested_validation=False)
    def fit(self, X: Any, y: Any = None) -> NearestNeighbors:
        """Keep the rows, or build a tree of them.

        Parameters
        ----------
        X : array or sparse matrix, shape (n, d)
        y : None
            Not used.

        Returns
        -------
        NearestNeighbors
            The estimator itself.
        """
        return self._fitted(X)
