"""Medians and ranges of quantiles of columns by partial sorting on all threads; scaling by them in one pass."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats
from sklearn import preprocessing as theirs
from sklearn.base import _fit_context
from sklearn.preprocessing._data import _handle_zeros_in_scale

from ... import nanpercentile
from .._kinds import Kind, shared, to_host
from ._scaler import Scaler, restored, standardized


class RobustScaler(Scaler, theirs.RobustScaler):
    __doc__ = theirs.RobustScaler.__doc__

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None) -> RobustScaler:
        """Find the median and the quantiles of each column.

        Parameters
        ----------
        X : array or sparse matrix, shape (n, d)
        y : None
            Not used.

        Returns
        -------
        RobustScaler
            The scaler itself; its attributes agree with scikit-learn's to rounding.
        """
        return self._call("fit", X)

    _takes_dask = False

    def _not_native(self, X: Any) -> str | None:
        if not self.with_centering and not self.with_scaling:
            return "neither median nor quantiles are asked for"
        return super()._not_native(X)

    def _fit_native(self, kind: Kind, X: Any) -> None:
        X = self._checked(X, True)
        low, high = self.quantile_range
        if not 0 <= low <= high <= 100:
            raise ValueError(f"Invalid quantile range: {self.quantile_range}")
        wanted = [50.0] * self.with_centering + [low, high] * self.with_scaling
        found = to_host(nanpercentile(shared(X), wanted, axis=0))
        self.center_ = found[0].astype(X.dtype, copy=False) if self.with_centering else None
        self.scale_ = None
        if self.with_scaling:
            self.scale_ = _handle_zeros_in_scale(found[-1] - found[-2], copy=False)
            if self.unit_variance:
                self.scale_ = self.scale_ / np.subtract(*stats.norm.ppf([high / 100.0, low / 100.0]))

    def transform(self, X: Any) -> Any:
        """Subtract the medians and divide by the ranges.

        Parameters
        ----------
        X : array or sparse matrix, shape (n, d)

        Returns
        -------
        array, shape (n, d)
            Equal to scikit-learn's for the same medians and ranges; pending where X is an array of bascule.
        """
        return self._applied("transform", standardized, X, self._rows(), self.copy)

    def inverse_transform(self, X: Any) -> Any:
        """Multiply by the ranges and add the medians.

        Parameters
        ----------
        X : array or sparse matrix, shape (n, d)

        Returns
        -------
        array, shape (n, d)
        """
        return self._applied("inverse_transform", restored, X, self._rows(), self.copy)

    def _rows(self) -> tuple[Any, Any]:
        centre = getattr(self, "center_", None) if self.with_centering else None
        return centre, getattr(self, "scale_", None) if self.with_scaling else None
