"""Eigenvalues, eigenvectors and singular values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, overload

import numpy as np

from .. import _core, fallback
from .._array.conversion import from_result, host_view
from .._array.numpy_versions import since
from .._array.ufuncs import by_name
from ..config import config
from . import tsqr as tall
from .factors import _EIGEN, _HERMITIAN, _SINGULAR, _finite_square, factor, inexact, need_square, need_stack

if TYPE_CHECKING:
    from .._array.types import _ArrayLike
    from .._core import ndarray

__all__ = ["EigResult", "EighResult", "SVDResult", "eig", "eigh", "eigvals", "eigvalsh", "svd", "svdvals"]


class EigResult(NamedTuple):
    """Eigenvalues and, in columns, eigenvectors."""

    eigenvalues: ndarray
    eigenvectors: ndarray


class EighResult(NamedTuple):
    """Ascending eigenvalues and, in columns, eigenvectors of a Hermitian matrix."""

    eigenvalues: ndarray
    eigenvectors: ndarray


class SVDResult(NamedTuple):
    """Singular vectors U, descending values S, and Vh."""

    U: ndarray
    S: ndarray
    Vh: ndarray


_NO_EIGENVALUES = "Eigenvalues did not converge"


def _real_where_all_are(a: ndarray, values: ndarray, *more: ndarray) -> list[ndarray]:
    found = [values, *more]
    if since("eigenvalues are complex") or a.dtype.kind == "c" or bool((values.imag != 0).any()):
        return found
    return [x.real.copy() for x in found]


def eig(a: _ArrayLike) -> EigResult:
    """Eigenvalues and right eigenvectors of square matrices. With a NumPy before 2.5 those of a real array are real if
    all imaginary parts are 0.

    Parameters
    ----------
    a : array_like, shape (..., n, n)

    Returns
    -------
    EigResult (eigenvalues, eigenvectors)
        Shapes (..., n) and (..., n, n); eigenvectors are columns of length one.

    Raises
    ------
    numpy.linalg.LinAlgError
        The last two axes differ in length, an element is NaN or infinite, or the iteration does not converge.

    Notes
    -----
    Computed by LAPACK's geev. float32 is computed in float64 unless `fastmath` is on.

    Examples
    --------
    >>> import bascule as bc
    >>> values, vectors = bc.linalg.eig([[2.0, 0.0], [0.0, 3.0]])
    >>> values.real.tolist()
    [2.0, 3.0]
    """
    a = _finite_square("eig", a)
    return EigResult(*_real_where_all_are(a, *factor(_EIGEN, a, message=_NO_EIGENVALUES)))


def eigvals(a: _ArrayLike) -> ndarray:
    """Eigenvalues of square matrices. With a NumPy before 2.5 those of a real array are real if all imaginary parts are
    0.

    Parameters
    ----------
    a : array_like, shape (..., n, n)

    Returns
    -------
    ndarray, shape (..., n)

    Raises
    ------
    numpy.linalg.LinAlgError
        The last two axes differ in length, an element is NaN or infinite, or the iteration does not converge.

    Notes
    -----
    Computed by LAPACK's geev. float32 is computed in float64 unless `fastmath` is on.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.linalg.eigvals([[0.0, -1.0], [1.0, 0.0]]).tolist()
    [1j, -1j]
    """
    a = _finite_square("eigvals", a)
    return _real_where_all_are(a, factor(_EIGEN, a, vectors=False, message=_NO_EIGENVALUES)[0])[0]


def _hermitian(name: str, a: Any, triangle: str, vectors: bool) -> list[ndarray]:
    triangle = triangle.upper()
    if triangle not in ("L", "U"):
        raise ValueError("UPLO argument must be 'L' or 'U'")
    (a,) = inexact(name, a)
    need_square(a)
    return factor(_HERMITIAN, a, upper=triangle == "U", vectors=vectors, message=_NO_EIGENVALUES)


def eigh(a: _ArrayLike, UPLO: Literal["L", "U", "l", "u"] = "L") -> EighResult:
    """Compute ascending eigenvalues, and eigenvectors in columns, of Hermitian matrices.

    Parameters
    ----------
    a : array_like, shape (..., n, n)
        Hermitian matrices, of which only one triangle is read.
    UPLO : {"L", "U"}, optional
        The triangle to read: the lower or the upper.

    Returns
    -------
    EighResult (eigenvalues, eigenvectors)
        Shapes (..., n) and (..., n, n); eigenvalues are real.

    Raises
    ------
    ValueError
        `UPLO` is neither.
    numpy.linalg.LinAlgError
        The last two axes differ in length, or the iteration does not converge.

    Notes
    -----
    Computed by LAPACK's syevd and heevd. float32 is computed in float64 unless `fastmath` is on.

    Examples
    --------
    >>> import bascule as bc
    >>> values, vectors = bc.linalg.eigh([[2.0, 1.0], [1.0, 2.0]])
    >>> values.round(9).tolist()
    [1.0, 3.0]
    """
    return EighResult(*_hermitian("eigh", a, UPLO, True))


def eigvalsh(a: _ArrayLike, UPLO: Literal["L", "U", "l", "u"] = "L") -> ndarray:
    """Compute ascending eigenvalues of Hermitian matrices.

    Parameters
    ----------
    a : array_like, shape (..., n, n)
        Hermitian matrices, of which only one triangle is read.
    UPLO : {"L", "U"}, optional
        The triangle to read: the lower or the upper.

    Returns
    -------
    ndarray, shape (..., n), real

    Raises
    ------
    ValueError
        `UPLO` is neither.
    numpy.linalg.LinAlgError
        The last two axes differ in length, or the iteration does not converge.

    Notes
    -----
    Computed by LAPACK's syevd and heevd. float32 is computed in float64 unless `fastmath` is on.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.linalg.eigvalsh([[2.0, 1.0], [1.0, 2.0]]).round(9).tolist()
    [1.0, 3.0]
    """
    return _hermitian("eigvalsh", a, UPLO, False)[0]


@overload
def svd(
    a: _ArrayLike, full_matrices: bool = True, compute_uv: Literal[True] = True, hermitian: bool = False
) -> SVDResult: ...
@overload
def svd(
    a: _ArrayLike, full_matrices: bool = True, *, compute_uv: Literal[False], hermitian: bool = False
) -> ndarray: ...
def svd(a: Any, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False) -> Any:
    """Compute singular value decompositions a = U S Vh.

    Parameters
    ----------
    a : array, shape (..., m, n)
    full_matrices : bool
        Return U of shape (..., m, m) and Vh of shape (..., n, n) instead of min(m, n) columns and rows.
    compute_uv : bool
        Compute U and Vh.
    hermitian : bool
        Whether the matrices are Hermitian, which allows a cheaper decomposition.

    Returns
    -------
    SVDResult, or array of shape (..., min(m, n))
        Values in descending order.

    Raises
    ------
    LinAlgError
        The iteration does not converge, as with NaN.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.linalg.svd(bc.eye(2)).S.tolist()
    [1.0, 1.0]
    """
    if hermitian:
        return _hermitian_svd(a, compute_uv)
    (a,) = inexact("svd", a)
    need_stack(a)
    found = None if full_matrices and compute_uv else _long_svd(a, compute_uv)
    if found is not None:
        return found
    found = factor(_SINGULAR, a, full=bool(full_matrices), vectors=bool(compute_uv), message="SVD did not converge")
    return SVDResult(*found) if compute_uv else found[1]


def _long_svd(a: ndarray, compute_uv: bool) -> Any:
    """The decomposition of a very long or wide matrix, block by block on all threads; None if LAPACK has to do it."""
    if a.ndim != 2 or max(a.shape) < tall.LONG or a.device.startswith("cuda") or config.fallback == "error":
        return None
    long: list[Any] = []

    def room(shape: tuple[int, int]) -> np.ndarray:
        made = _core.empty(shape, a.dtype, a.device)
        long[:] = made, host_view(made)
        return long[1]

    found = tall.svd(host_view(a), compute_uv, room)
    if found is not None:
        fallback.count("svd", "blocks of a very long matrix")
    if found is None or not compute_uv:
        return found if found is None else from_result(found, a.device)
    return SVDResult(*(long[0] if x is long[1] else from_result(x, a.device) for x in found))


def _hermitian_svd(a: Any, compute_uv: bool) -> Any:
    from ..lib.selection import take_along_axis, where
    from ..lib.sorting import argsort, sort

    if not compute_uv:
        return sort(abs(eigvalsh(a)))[..., ::-1]
    values, u = eigh(a)
    sizes, signs = abs(values), where(values < 0, -1.0, 1.0).astype(values.dtype)
    order = argsort(sizes)[..., ::-1]
    sizes, signs = take_along_axis(sizes, order, -1), take_along_axis(signs, order, -1)
    u = take_along_axis(u, order[..., None, :], -1)
    right = (u * signs[..., None, :]).swapaxes(-1, -2)
    return SVDResult(u, sizes, by_name["conjugate"](right))


def svdvals(x: _ArrayLike, /) -> ndarray:
    """Compute the descending singular values of matrices.

    Parameters
    ----------
    x : array_like, shape (..., m, n)

    Returns
    -------
    ndarray, shape (..., min(m, n)), real

    Raises
    ------
    numpy.linalg.LinAlgError
        The iteration does not converge.

    Notes
    -----
    As for `svd`.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.linalg.svdvals([[3.0, 0.0], [0.0, 4.0]]).round(9).tolist()
    [4.0, 3.0]
    """
    return svd(x, compute_uv=False, hermitian=False)
