"""The multivariate normal distribution."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from .. import _core
from .._array import caller_warnings as warned
from ._parameters import host, shape_of
from ._sampling import Sampler

if TYPE_CHECKING:
    from .._array.types import _ArrayLike, _ShapeLike
    from .._core import ndarray


class Multivariate(Sampler):
    """The mixin of the generator for correlated normal vectors."""

    def multivariate_normal(
        self,
        mean: _ArrayLike,
        cov: _ArrayLike,
        size: _ShapeLike | None = None,
        check_valid: Literal["warn", "raise", "ignore"] = "warn",
        tol: float = 1e-08,
        *,
        method: Literal["svd", "eigh", "cholesky"] = "svd",
    ) -> ndarray:
        """Draw vectors from a multivariate normal distribution.

        Parameters
        ----------
        mean : array_like, shape (n,), real
            Mean.
        cov : array_like, shape (n, n), real
            Covariance, symmetric and positive-semidefinite.
        size : int or tuple of ints, optional
            Shape of the draws; by default a single one.
        check_valid : {'warn', 'raise', 'ignore'}
            How to report a `cov` that is not positive-semidefinite.
        tol : float
            Tolerance of that check.
        method : {'svd', 'eigh', 'cholesky'}
            Factorization of `cov`, by NumPy on the host.

        Returns
        -------
        ndarray, shape ``(*size, n)``

        Raises
        ------
        ValueError
            The shapes do not match, an option is unknown, or `cov` is refused.
        TypeError
            An argument is complex.
        LinAlgError
            The factorization fails.

        Examples
        --------
        >>> import bascule as bc
        >>> bc.random.default_rng(0).multivariate_normal([0, 0], [[1, 0], [0, 100]], 5).shape
        (5, 2)
        """
        if method not in {"eigh", "svd", "cholesky"}:
            raise ValueError("method must be one of {'eigh', 'svd', 'cholesky'}")
        mean, cov = host(mean), host(cov)
        shape = shape_of(size)
        if np.iscomplexobj(mean) or np.iscomplexobj(cov):
            raise TypeError("mean and cov must not be complex")
        if mean.ndim != 1:
            raise ValueError("mean must be 1 dimensional")
        if cov.ndim != 2 or cov.shape[0] != cov.shape[1]:
            raise ValueError("cov must be 2 dimensional and square")
        if mean.shape[0] != cov.shape[0]:
            raise ValueError("mean and cov must have same length")
        factor = _factor(cov.astype(np.float64), check_valid, tol, method)
        device = self._bits.device
        normal = self._bits.sample("random_normal", (*shape, len(mean)), np.float64, device)
        return normal @ _core.from_numpy(np.ascontiguousarray(factor.T), device) + _core.from_numpy(
            mean.astype(np.float64), device
        )


def _factor(cov: np.ndarray, check_valid: Any, tol: float, method: str) -> np.ndarray:
    """A matrix whose product with its transpose is `cov`."""
    psd = True
    if method == "svd":
        u, s, vh = np.linalg.svd(cov)
        psd = np.allclose(np.dot(vh.T * s, vh), cov, rtol=tol, atol=tol)
    elif method == "eigh":
        s, u = np.linalg.eigh(cov)
        psd = not (s < -tol).any()
    if method != "cholesky" or check_valid not in ("warn", "raise", "ignore"):
        _report(psd, check_valid)
    if method == "cholesky":
        return np.linalg.cholesky(cov)
    return u * np.sqrt(np.abs(s))


def _report(psd: bool, check_valid: Any) -> None:
    if check_valid not in ("warn", "raise", "ignore"):
        raise ValueError("check_valid must equal 'warn', 'raise', or 'ignore'")
    if psd or check_valid == "ignore":
        return
    text = "covariance is not symmetric positive-semidefinite."
    if check_valid == "raise":
        raise ValueError(text)
    warned.warn(text)
