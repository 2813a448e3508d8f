"""Searches by successive halving, each round of which shares its work."""

from __future__ import annotations

from typing import Any

from sklearn.experimental import enable_halving_search_cv  # noqa: F401  (they are experimental in scikit-learn)
from sklearn.model_selection import _search_successive_halving as theirs

from .._chunks import computed, is_chunked
from ._search import SharedSearch


class _Counted:
    """Dask's rows are computed before scikit-learn's `fit` counts them."""

    def fit(self, X: Any, y: Any = None, **params: Any) -> Any:
        """Fit and score candidates in rounds, and the best one on all rows; see `GridSearchCV.fit`.

        Parameters
        ----------
        X : array, shape (n, d)
        y : array, shape (n,) or (n, targets), optional
        **params
            As in `GridSearchCV.fit`.

        Returns
        -------
        estimator
            The search itself.
        """
        if is_chunked(X):
            X, y, params = computed(X, y, params)
        return super().fit(X, y, **params)  # type: ignore[misc]


class HalvingGridSearchCV(_Counted, theirs.HalvingGridSearchCV, SharedSearch):
    __doc__ = theirs.HalvingGridSearchCV.__doc__


class HalvingRandomSearchCV(_Counted, theirs.HalvingRandomSearchCV, SharedSearch):
    __doc__ = theirs.HalvingRandomSearchCV.__doc__
