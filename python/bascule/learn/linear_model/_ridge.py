"""Ridge regression in one pass over the rows; all penalties of a search from one decomposition."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn import linear_model as theirs
from sklearn.base import _fit_context
from sklearn.utils._param_validation import StrOptions

from .._blas import one_thread
from .._checks import check_sample_weight, check_weights, validate_data
from .._estimator import OddValues
from .._kinds import Kind, is_sparse
from .._rows import State
from .._scatter import check_range
from ._conjugate import CentredRows
from ._gram import Spectrum, centred_rows, dual_ridge, is_wide, positive_solve
from ._least_squares import LeastSquares, as_columns

_SOLVERS = {"auto", "cholesky", "svd", "eig"}
_SPARSE_SOLVERS = {"auto", "sparse_cg"}
_WORST_FOR_PATH = 1e6


class RidgeSolver(LeastSquares):
    """The computation that `Ridge` and `RidgeClassifier` share."""

    def _not_native(self, X: Any) -> str | None:
        if self.positive:  # type: ignore[attr-defined]
            return "positive=True"
        if self.solver not in _SOLVERS:  # type: ignore[attr-defined]
            return f"solver={self.solver!r}"  # type: ignore[attr-defined]
        return super()._not_native(X)

    _varies = frozenset({"alpha", "copy_X", "max_iter", "tol", "random_state"})

    @classmethod
    def _fit_many(cls, state: State, candidates: list[Any]) -> tuple[np.ndarray, np.ndarray]:
        """All penalties from one eigendecomposition; where its condition is bad, by a factor for each penalty."""
        targets = state["cross"].shape[1]
        alphas = np.empty((len(candidates), targets))
        for row, candidate in zip(alphas, candidates):
            row[:] = candidate._penalties(np.float64, targets)
        spectrum = Spectrum.of_gram(state)
        coef, fitted = spectrum.ridge(alphas), np.ones(len(candidates), bool)
        high, low = spectrum.values[0] ** 2, spectrum.values[-1] ** 2
        smallest = alphas.min(axis=1)
        for k in np.flatnonzero(~(high + smallest < _WORST_FOR_PATH * (low + smallest))):
            found = _by_cholesky(state, alphas[k])
            fitted[k] = found is not None
            if found is not None:
                coef[k] = found
        return coef, fitted

    def _penalties(self, dtype: Any, targets: int) -> np.ndarray:
        alpha = np.asarray(self.alpha, dtype=dtype).ravel()  # type: ignore[attr-defined]
        if len(alpha) not in (1, targets):
            raise ValueError(f"Number of targets and number of penalties do not correspond: {len(alpha)} != {targets}")
        return alpha.astype(np.float64)

    def _solve(self, X: Any, y: Any, w: Any) -> None:
        Y = as_columns(y)
        alpha = self._penalties(X.dtype, Y.shape[1])
        self.n_iter_ = None
        self.solver_ = self.solver if self.solver in ("svd", "eig") else "cholesky"  # type: ignore[attr-defined]
        if is_wide(X):
            A, B, state = centred_rows(X, Y, w, self.fit_intercept)  # type: ignore[attr-defined]
            coef = dual_ridge(A, B, alpha) if self.solver_ == "cholesky" else None
        else:
            state = self._state(X, Y, w)
            check_range(state["gram"])
            solve = {"cholesky": _by_cholesky, "eig": _by_eigenvalues}.get(self.solver_)
            coef = None if solve is None else solve(state, alpha)
        if coef is None:
            self.solver_ = "svd"
            spectrum = Spectrum.of_matrix(A, B) if is_wide(X) else Spectrum.of_rows(X, Y, w, state)
            coef = spectrum.ridge(alpha[None])[0]
        self._set_solution(coef, state, X.dtype, Y.shape[1] == 1, y.ndim == 1)


def _by_cholesky(state: State, alpha: np.ndarray) -> np.ndarray | None:
    """Coefficients, shape (d, k); None where the condition is too bad."""
    gram, cross = state["gram"], state["cross"]
    if len(set(alpha)) == 1:
        gram = gram.copy()
        gram.flat[:: len(gram) + 1] += alpha[0]
        return positive_solve(gram, cross)
    columns = [_by_cholesky({"gram": gram, "cross": cross[:, k : k + 1]}, alpha[k : k + 1]) for k in range(len(alpha))]
    return None if any(c is None for c in columns) else np.concatenate(columns, axis=1)


def _by_eigenvalues(state: State, alpha: np.ndarray) -> np.ndarray | None:
    """The same by the eigenvalues of the Gram matrix, which are accurate to rounding of the largest."""
    spectrum = Spectrum.of_gram(state)
    high, low = spectrum.values[0] ** 2, spectrum.values[-1] ** 2
    if not high + alpha.min() < _WORST_FOR_PATH * (low + alpha.min()):
        return None
    return spectrum.ridge(alpha[None])[0]


class Ridge(RidgeSolver, theirs.Ridge):
    __doc__ = theirs.Ridge.__doc__

    # "eig" is cuML's name
    _parameter_constraints = {
        **theirs.Ridge._parameter_constraints,
        "solver": [StrOptions(theirs.Ridge._parameter_constraints["solver"][0].options | {"eig"})],
    }

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Ridge:
        """Fit the ridge regression.

        Parameters
        ----------
        X : array or sparse matrix, shape (n, d)
        y : array, shape (n,) or (n, targets)
        sample_weight : float or array, shape (n,), optional

        Returns
        -------
        Ridge
            The estimator itself. Coefficients agree with scikit-learn's to 1e-10 of the largest where the condition of
            the penalized Gram matrix is below 1e5, and to about its rounding beyond. For sparse rows the steps of
            conjugate gradients are scikit-learn's. `solver="eig"`, which scikit-learn does not have, takes the eigenvalues
            of the Gram matrix, and where their condition is above 1e6, or columns are more than rows, singular values.
        """
        return self._call("fit", X, y, sample_weight)

    def _not_native(self, X: Any) -> str | None:
        if is_sparse(X) and not self.positive:
            return None if self.solver in _SPARSE_SOLVERS else f"X is sparse, and solver={self.solver!r}"
        return super()._not_native(X)

    def _result(self, name: str, X: Any, *args: Any, **options: Any) -> Any:
        if self.solver == "eig":
            self._check_solver(self._not_native(X))
        return super()._result(name, X, *args, **options)

    def _check_solver(self, reason: str | None) -> None:
        """An error where scikit-learn would compute with a solver that it does not have."""
        if reason is not None and self.solver == "eig":
            raise ValueError(
                f"[Ridge.fit] solver='eig' is not scikit-learn's, which computes where {reason}; give another"
            )

    def _fit_native(self, kind: Kind, X: Any, y: Any, sample_weight: Any = None) -> None:
        if is_sparse(X):
            self._solve_sparse(X, y, sample_weight)
            return
        try:
            self._solve(*self._checked_rows(X, y, sample_weight))
        except OddValues as found:
            self._check_solver(str(found))
            raise

    def _solve_sparse(self, X: Any, y: Any, sample_weight: Any) -> None:
        """By scikit-learn's steps, which end by `tol`."""
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=[np.float64, np.float32], multi_output=True, y_numeric=True)  # fmt: skip
        w = None if sample_weight is None else check_sample_weight(sample_weight, X, dtype=X.dtype)
        check_weights(w)
        Y = as_columns(y)
        alpha = np.broadcast_to(self._penalties(X.dtype, Y.shape[1]).astype(X.dtype), Y.shape[1])
        self.n_iter_, self.solver_ = None, "sparse_cg"
        with one_thread:
            rows = CentredRows(X, Y, w, self.fit_intercept)
            coef = rows.ridge(alpha, self.tol, self.max_iter)
        self._set_solution(coef, rows.state, X.dtype, Y.shape[1] == 1, y.ndim == 1)

    def _on_host(self) -> dict[str, Any]:
        found = super()._on_host()
        return found | {"solver": "svd"} if self.solver == "eig" else found

    def _path_rows(self, X: Any, y: Any, sample_weight: Any) -> Any:
        return None if is_sparse(X) else super()._path_rows(X, y, sample_weight)
