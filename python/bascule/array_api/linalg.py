"""`bascule.linalg` with arrays as results and eigenvalues that are always complex, as in the standard."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import linalg as _linalg
from .._core import ndarray
from ..linalg import *  # noqa: F403
from ._arrays import giving_arrays

__all__ = list(_linalg.__all__)


def _complex(x: ndarray) -> ndarray:
    return x.astype(np.result_type(x.dtype, np.complex64), copy=False)


def eig(x: Any, /) -> _linalg.EigResult:
    """Eigenvalues and right eigenvectors of square matrices.

    Parameters
    ----------
    x : array_like, shape (..., n, n)

    Returns
    -------
    EigResult
        `eigenvalues`, shape (..., n), and `eigenvectors` in columns, shape (..., n, n), both complex.

    Raises
    ------
    LinAlgError
        There are infinities or NaN, or no convergence.

    Examples
    --------
    >>> import bascule as bc
    >>> xp = bc.ones(1).__array_namespace__()
    >>> xp.linalg.eig(xp.eye(1)).eigenvalues.tolist()
    [(1+0j)]
    """
    return _linalg.EigResult(*map(_complex, _linalg.eig(x)))


def eigvals(x: Any, /) -> ndarray:
    """Eigenvalues of square matrices.

    Parameters
    ----------
    x : array_like, shape (..., n, n)

    Returns
    -------
    ndarray, shape (..., n)
        Complex.

    Raises
    ------
    LinAlgError
        There are infinities or NaN, or no convergence.

    Examples
    --------
    >>> import bascule as bc
    >>> xp = bc.ones(1).__array_namespace__()
    >>> xp.linalg.eigvals(xp.eye(1)).tolist()
    [(1+0j)]
    """
    return _complex(_linalg.eigvals(x))


globals().update({name: giving_arrays(getattr(_linalg, name)) for name in __all__ if name not in ("eig", "eigvals")})
