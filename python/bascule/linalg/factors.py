"""Solving, inverses, determinants and decompositions of stacks of matrices, by LAPACK."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .. import _core, fallback
from .._array import caller_warnings as warned
from .._array.conversion import from_result, host_view
from .._array.ufuncs import by_name
from ..config import config
from ..documentation import attach, solving
from . import tsqr as tall
from .products import operands

ndarray = _core.ndarray
LinAlgError = np.linalg.LinAlgError
(_SOLVE, _INVERT, _DETERMINANT, _CHOLESKY, _ORTHOGONAL, _REFLECTORS, _HERMITIAN, _EIGEN, _SINGULAR, LEAST_SQUARES) = (
    range(10)
)
_SINGLE, _DOUBLE = ("f4", "c8"), ("f8", "c16")


class EigResult(NamedTuple):
    """Eigenvalues and, in columns, eigenvectors."""

    eigenvalues: Any
    eigenvectors: Any


class EighResult(NamedTuple):
    """Ascending eigenvalues and, in columns, eigenvectors of a Hermitian matrix."""

    eigenvalues: Any
    eigenvectors: Any


class QRResult(NamedTuple):
    """Orthonormal columns Q and the triangle R."""

    Q: Any
    R: Any


class SlogdetResult(NamedTuple):
    """Sign of a determinant and the logarithm of its magnitude."""

    sign: Any
    logabsdet: Any


class SVDResult(NamedTuple):
    """Singular vectors U, descending values S, and Vh."""

    U: Any
    S: Any
    Vh: Any


def inexact(name: str, *given: Any) -> list[ndarray]:
    """The arguments as arrays of one type that LAPACK knows: integers and bool are float64."""
    if all([type(a) is ndarray and a.dtype.char == "d" for a in given]):
        return list(given)
    arrays = operands(*given)
    wide = is_complex = False
    for a in arrays:
        if a.dtype.kind in "fc" and a.dtype.itemsize == 2:
            raise TypeError(f"array type {a.dtype.name} is unsupported in linalg")
        if a.dtype.kind in "mM":
            raise TypeError(
                f"Cannot cast ufunc '{name}' input from {a.dtype!r} to dtype('float64') with casting rule 'same_kind'"
            )
        wide |= a.dtype.kind in "biu" or a.dtype in (np.float64, np.complex128)
        is_complex |= a.dtype.kind == "c"
    t = np.dtype((_DOUBLE if wide else _SINGLE)[is_complex])
    return [a if a.dtype == t else a.astype(t) for a in arrays]


def need_stack(*arrays: ndarray) -> None:
    """Matrices, or stacks of them."""
    for a in arrays:
        if a.ndim < 2:
            raise LinAlgError(f"{a.ndim}-dimensional array given. Array must be at least two-dimensional")


def need_square(*arrays: ndarray) -> None:
    """Square matrices, or stacks of them."""
    need_stack(*arrays)
    for a in arrays:
        if a.shape[-1] != a.shape[-2]:
            raise LinAlgError("Last 2 dimensions of the array must be square")


def factor(
    task: int, a: ndarray, b: ndarray | None = None, message: str | None = "Singular matrix", **options: Any
) -> list:
    """What LAPACK finds; LinAlgError with the message where it finds nothing for some matrix, NaN without one."""
    found, failed = _core.factor(task, a, b, wide=not _core.get_fastmath(), **options)
    if failed and message is not None:
        raise LinAlgError(message)
    return found


def _without_axes(a: ndarray, n: int) -> ndarray:
    r = a.reshape(a.shape[: a.ndim - n])
    return _core.as_scalar(r) if r.ndim == 0 else r


def solve(a: Any, b: Any) -> ndarray:
    """Solve a x = b for every matrix of a stack.

    Parameters
    ----------
    a : array, shape (..., n, n)
    b : array, shape (n,) or (..., n, k)
        A vector only if it has one axis.

    Returns
    -------
    array, shape (..., n) or (..., n, k)

    Raises
    ------
    LinAlgError
        A matrix is singular or not square.
    ValueError
        The sizes of a and b differ.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.linalg.solve([[2.0, 0.0], [0.0, 4.0]], [2.0, 8.0]).tolist()
    [1.0, 2.0]
    """
    a, b = inexact("solve", a, b)
    need_square(a)
    vector = b.ndim == 1
    if b.ndim == 0:
        raise ValueError(
            "solve: Input operand 1 does not have enough dimensions (has 0, gufunc core with signature "
            "(m,m),(m,n)->(m,n) requires 2)"
        )
    right = b.reshape(-1, 1) if vector else b
    if right.shape[-2] != a.shape[-1]:
        name, signature = ("solve1", "(m,m),(m)->(m)") if vector else ("solve", "(m,m),(m,n)->(m,n)")
        raise ValueError(
            f"{name}: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature {signature} "
            f"(size {right.shape[-2]} is different from {a.shape[-1]})"
        )
    _need_broadcast(a, right)
    x = factor(_SOLVE, a, right)[0]
    return x.reshape(x.shape[:-1]) if vector else x


def _need_broadcast(a: ndarray, b: ndarray) -> None:
    try:
        np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    except ValueError:
        moved = [f"{_text(x.shape)}->{_text(x.shape[:-2])[:-1].rstrip(',')},newaxis,newaxis)" for x in (a, b)]
        raise ValueError(
            f"operands could not be broadcast together with remapped shapes [original->remapped]: {moved[0]} {moved[1]}  "
            f"and requested shape {_text(b.shape[-2:])}"
        ) from None


def _text(shape: Any) -> str:
    return str(tuple(shape)).replace(" ", "")


def inv(a: Any) -> ndarray:
    """Inverses of square matrices."""
    (a,) = inexact("inv", a)
    need_square(a)
    return factor(_INVERT, a)[0]


def inverse_or_nan(a: ndarray) -> ndarray:
    """Inverses, NaN where there is none."""
    return factor(_INVERT, a, message=None)[0]


def det(a: Any) -> ndarray:
    """Determinants of square matrices."""
    (a,) = _square_operand("det", a)
    return _without_axes(factor(_DETERMINANT, a, vectors=False)[0], 2)


def slogdet(a: Any) -> SlogdetResult:
    """Sign and logarithm of the magnitude of determinants; 0 and -inf for singular matrices."""
    (a,) = _square_operand("slogdet", a)
    sign, log = factor(_DETERMINANT, a)
    return SlogdetResult(_without_axes(sign, 2), _without_axes(log, 2))


def _square_operand(name: str, a: Any) -> list[ndarray]:
    (x,) = operands(a)
    need_square(x)
    return inexact(name, x)


def cholesky(a: Any, /, *, upper: bool = False) -> ndarray:
    """Cholesky factors of Hermitian, positive definite matrices.

    Parameters
    ----------
    a : array, shape (..., n, n)
        Only the triangle that `upper` names is read.
    upper : bool
        U with a = U^H U instead of L with a = L L^H.

    Returns
    -------
    array, shape (..., n, n)

    Raises
    ------
    LinAlgError
        A matrix is not positive definite.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.linalg.cholesky([[4.0]]).tolist()
    [[2.0]]
    """
    (a,) = inexact("cholesky", a)
    need_square(a)
    return factor(_CHOLESKY, a, upper=bool(upper), message="Matrix is not positive definite")[0]


_QR_MODES = {"full": "reduced", "f": "reduced", "economic": "economic", "e": "economic"}


def qr(a: Any, mode: str = "reduced") -> Any:
    """QR decompositions.

    Parameters
    ----------
    a : array, shape (..., m, n)
    mode : {"reduced", "complete", "r", "raw"}
        Q with min(m, n) columns, with m, R alone, or LAPACK's reflectors (transposed) and their scales.

    Returns
    -------
    QRResult, array or tuple of arrays

    Raises
    ------
    LinAlgError
        Fewer than two axes.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.linalg.qr(bc.eye(3, 2)).R.shape
    (2, 2)
    """
    if mode not in ("reduced", "complete", "r", "raw"):
        if mode not in _QR_MODES:
            raise ValueError(f"Unrecognized mode '{mode}'")
        known = _QR_MODES[mode]
        text = (
            "The 'full' option is deprecated in favor of 'reduced'.\nFor backward compatibility let mode default."
            if known == "reduced"
            else "The 'economic' option is deprecated."
        )
        warned.warn(text, DeprecationWarning)
        mode = known
    (a,) = inexact("qr", a)
    need_stack(a)
    message = "Incorrect argument found while performing QR factorization"
    if mode == "r":
        return factor(_ORTHOGONAL, a, vectors=False, message=message)[1]
    if mode in ("raw", "economic"):
        h, tau = factor(_REFLECTORS, a, message=message)
        return (h.swapaxes(-1, -2), tau) if mode == "raw" else h
    return QRResult(*factor(_ORTHOGONAL, a, full=mode == "complete", message=message))


def _finite_square(name: str, a: Any) -> ndarray:
    (a,) = inexact(name, a)
    need_square(a)
    if not bool(by_name["isfinite"](a).all()):
        raise LinAlgError("Array must not contain infs or NaNs")
    return a


_NO_EIGENVALUES = "Eigenvalues did not converge"


def _real_where_all_are(a: ndarray, values: ndarray, *more: ndarray) -> list[ndarray]:
    found = [values, *more]
    if a.dtype.kind == "c" or bool((values.imag != 0).any()):
        return found
    return [x.real.copy() for x in found]


def eig(a: Any) -> EigResult:
    """Eigenvalues and right eigenvectors of square matrices; real where all imaginary parts of a real array's are 0."""
    a = _finite_square("eig", a)
    return EigResult(*_real_where_all_are(a, *factor(_EIGEN, a, message=_NO_EIGENVALUES)))


def eigvals(a: Any) -> ndarray:
    """Eigenvalues of square matrices; real where all imaginary parts of a real array's are 0."""
    a = _finite_square("eigvals", a)
    return _real_where_all_are(a, factor(_EIGEN, a, vectors=False, message=_NO_EIGENVALUES)[0])[0]


def _hermitian(name: str, a: Any, triangle: str, vectors: bool) -> list[ndarray]:
    triangle = triangle.upper()
    if triangle not in ("L", "U"):
        raise ValueError("UPLO argument must be 'L' or 'U'")
    (a,) = inexact(name, a)
    need_square(a)
    return factor(_HERMITIAN, a, upper=triangle == "U", vectors=vectors, message=_NO_EIGENVALUES)


def eigh(a: Any, UPLO: str = "L") -> EighResult:
    """Ascending eigenvalues and eigenvectors in columns of Hermitian matrices."""
    return EighResult(*_hermitian("eigh", a, UPLO, True))


def eigvalsh(a: Any, UPLO: str = "L") -> ndarray:
    """Ascending eigenvalues of Hermitian matrices."""
    return _hermitian("eigvalsh", a, UPLO, False)[0]


def svd(a: Any, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False) -> Any:
    """Singular value decompositions a = U S Vh.

    Parameters
    ----------
    a : array, shape (..., m, n)
    full_matrices : bool
        U of shape (..., m, m) and Vh of shape (..., n, n) instead of min(m, n) columns and rows.
    compute_uv : bool
        Whether to find U and Vh at all.
    hermitian : bool
        Matrices are Hermitian, and are decomposed as such.

    Returns
    -------
    SVDResult, or array of shape (..., min(m, n))
        Values descend.

    Raises
    ------
    LinAlgError
        No convergence, as with NaN.

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
    """The decomposition of one very long or wide matrix, block by block on all threads; None where LAPACK has to do it."""
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


def svdvals(x: Any, /) -> ndarray:
    """Descending singular values of matrices."""
    return svd(x, compute_uv=False, hermitian=False)


attach(__name__, solving.FACTORS)
