"""Bins of columns by equal widths or quantiles, found for all columns at once; codes as counts of the edges below."""

from __future__ import annotations

import copy
import warnings
from typing import Any

import numpy as np
from sklearn import preprocessing as theirs
from sklearn.base import _fit_context
from sklearn.utils import resample
from sklearn.utils.stats import _weighted_percentile
from sklearn.utils.validation import check_is_fitted

from ... import percentile, searchsorted
from ...fallback import refuse_on_gpu
from .._checks import check_sample_weight, validate_data
from .._classes import range_there
from .._estimator import NativeEstimator
from .._kinds import Kind, is_on_device, near, shared, to_host
from ._one_hot import OneHotEncoder
from ._scaler import LARGE

_FEW_EDGES = 32  # up to which comparisons with all of them are faster than searches


class KBinsDiscretizer(NativeEstimator, theirs.KBinsDiscretizer):
    __doc__ = theirs.KBinsDiscretizer.__doc__

    _takes_dask, _keeps_types = False, True

    def _not_native(self, X: Any) -> str | None:
        if not Kind.of(X).on_host and self.encode == "onehot":
            return "sparse columns of rows on a device"
        if self.strategy == "kmeans":
            return "strategy='kmeans'"
        if self.quantile_method == "warn":  # of scikit-learn 1.8
            return "quantile_method is not given"
        return super()._not_native(X)

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> KBinsDiscretizer:
        """Find the edges of the bins.

        Parameters
        ----------
        X : array, shape (n, d)
        y : None
            Not used.
        sample_weight : array, shape (n,), optional

        Returns
        -------
        KBinsDiscretizer
            The transformer itself; its edges equal scikit-learn's.
        """
        return self._call("fit", X, y, sample_weight)

    def _fit_native(self, kind: Kind, X: Any, y: Any, sample_weight: Any = None) -> None:
        X = validate_data(self, X, dtype="numeric")
        dtype = self.dtype if self.dtype in (np.float64, np.float32) else X.dtype
        w = None if sample_weight is None else check_sample_weight(sample_weight, X, dtype=X.dtype)
        if self.subsample is not None and len(X) > self.subsample:
            if is_on_device(X):
                refuse_on_gpu("learn.KBinsDiscretizer.fit", "rows are drawn on the host, but for subsample=None", X.device, "scikit-learn")  # fmt: skip
            options = {"n_samples": self.subsample, "random_state": self.random_state, "sample_weight": w}
            X, w = resample(X, replace=True, **options), None
        n_bins = self._validate_n_bins(X.shape[1])
        by_quantiles = self.strategy == "quantile"
        if by_quantiles and w is not None and self.quantile_method not in ("inverted_cdf", "averaged_inverted_cdf"):
            raise ValueError(
                "When fitting with strategy='quantile' and sample weights, quantile_method should either be set to "
                f"'averaged_inverted_cdf' or 'inverted_cdf', got quantile_method='{self.quantile_method}' instead."
            )
        counted = X if w is None or by_quantiles else X[w != 0]
        rows = shared(counted)
        low, high = to_host(rows.min(axis=0)), to_host(rows.max(axis=0))
        edges = np.zeros(X.shape[1], dtype=object)
        found = self._quantiles(X, rows, w, n_bins) if by_quantiles else None
        for k in range(X.shape[1]):
            if low[k] == high[k]:
                warnings.warn(f"Feature {k} is constant and will be replaced with 0.", stacklevel=4)
                n_bins[k], edges[k] = 1, np.array([-np.inf, np.inf])
            elif found is None:
                edges[k] = np.linspace(low[k], high[k], n_bins[k] + 1)
            else:
                edges[k] = _apart(found[k], k)
                n_bins[k] = len(edges[k]) - 1
        self.bin_edges_, self.n_bins_ = edges, n_bins
        if self.encode != "ordinal":
            categories = [np.arange(n) for n in n_bins]
            self._encoder = OneHotEncoder(categories=categories, sparse_output=self.encode == "onehot", dtype=dtype)
            self._encoder.fit(np.zeros((1, len(n_bins))))

    def _quantiles(self, X: np.ndarray, rows: Any, w: Any, n_bins: np.ndarray) -> list[np.ndarray]:
        """The edges of each column; those of columns with as many bins from one partial sort."""
        average = self.quantile_method == "averaged_inverted_cdf"
        if w is not None:
            if is_on_device(X):
                refuse_on_gpu("learn.KBinsDiscretizer.fit", "quantiles with weights", X.device, "scikit-learn")
            levels = [np.linspace(0, 100, n + 1) for n in n_bins]
            return [_weighted_percentile(X[:, k], w, q, average=average) for k, q in enumerate(levels)]
        edges = np.empty(len(n_bins), object)
        for n in np.unique(n_bins):
            chosen = np.flatnonzero(n_bins == n)
            part = rows if len(chosen) == len(n_bins) else shared(X[:, chosen])
            found = to_host(percentile(part, np.linspace(0, 100, n + 1), axis=0, method=self.quantile_method))
            edges[chosen] = [*found.T.astype(np.float64)]
        return list(edges)

    def transform(self, X: Any) -> Any:
        """The number of the bin of each value, or columns of nought and one.

        Parameters
        ----------
        X : array, shape (n, d)

        Returns
        -------
        array or sparse matrix, shape (n, d) or (n, bins)
            Equal to scikit-learn's; an array follows the kind of X.
        """
        check_is_fitted(self)
        reason = self._not_native(X)
        if reason is not None:
            return self._by_parent("transform", X, reason)
        kind = Kind.of(X)
        dtype = (np.float64, np.float32) if self.dtype is None else self.dtype
        codes = self._codes(validate_data(self, kind.take(X, "X"), dtype=dtype, reset=False))
        if self.encode == "ordinal":
            return codes if kind.ours else to_host(codes)
        if not kind.on_host:
            parts = [codes[:, k : k + 1] == range_there(codes, int(n)) for k, n in enumerate(to_host(self.n_bins_))]
            return np.concatenate(parts, axis=1).astype(codes.dtype)
        encoder = copy.copy(self._encoder)
        encoder.dtype = codes.dtype
        return kind.give(encoder.transform(to_host(codes)))

    def _codes(self, X: np.ndarray) -> Any:
        inner = [edges[1:-1] for edges in self.bin_edges_]
        most = max(map(len, inner))
        if is_on_device(X):
            columns = [np.searchsorted(near(X, e)[0], X[:, k], side="right") for k, e in enumerate(inner)]
            return np.stack(columns, axis=1).astype(X.dtype)
        rows = shared(np.ascontiguousarray(X))
        if most > _FEW_EDGES:
            columns = (searchsorted(shared(e), rows[:, k], side="right") for k, e in enumerate(inner))
            made = np.empty(X.shape, X.dtype)
            for k, codes in enumerate(columns):
                made[:, k] = to_host(codes)
            return shared(made)
        table = np.full((most, X.shape[1]), np.inf)
        for k, e in enumerate(inner):
            table[: len(e), k] = e
        if X.size < LARGE:
            return shared((X[:, None] >= table).sum(axis=1, dtype=X.dtype))
        total = rows * 0
        for row in shared(table):
            total = total + (rows >= row).astype(X.dtype)
        return total

    def inverse_transform(self, X: Any) -> Any:
        """The centres of bins.

        Parameters
        ----------
        X : array or sparse matrix, shape (n, d) or (n, bins)

        Returns
        -------
        array, shape (n, d)
            Equal to scikit-learn's, in the kind of X.
        """
        kind = Kind.of(X)
        refuse_on_gpu("learn.KBinsDiscretizer.inverse_transform", "codes on a device", kind.device, "scikit-learn")
        return self._by_parent("inverse_transform", X, None)


def _apart(edges: np.ndarray, column: int) -> np.ndarray:
    """The edges without those that are as good as equal to the one before."""
    kept = edges[np.ediff1d(edges, to_begin=np.inf) > 1e-8]
    if len(kept) != len(edges):
        warnings.warn(
            f"Bins whose width are too small (i.e., <= 1e-8) in feature {column} are removed. Consider decreasing the "
            "number of bins.",
            stacklevel=5,
        )
    return kept
