"""Solving, inverses and determinants of stacks of matrices, by LAPACK."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, overload

import numpy as np

from .. import _core, progress
from .._array import caller_warnings as warned
from .._array.ufuncs import by_name
from .._core import ndarray
from .products import operands

if TYPE_CHECKING:
    from .._array.types import _ArrayLike, _ArrayOrScalar

__all__ = ["LinAlgError", "QRResult", "SlogdetResult", "cholesky", "det", "inv", "qr", "slogdet", "solve"]


LinAlgError = np.linalg.LinAlgError
(_SOLVE, _INVERT, _DETERMINANT, _CHOLESKY, _ORTHOGONAL, _REFLECTORS, _HERMITIAN, _EIGEN, _SINGULAR, LEAST_SQUARES) = (
    range(10)
)
_NAMES = ("solve", "inv", "det", "cholesky", "qr", "qr", "eigh", "eig", "svd", "lstsq")  # task names for progress bars
_STEPS_A_BYTE = 8  # multiplications of a factorization that take about as long as reading a byte
_SINGLE, _DOUBLE = ("f4", "c8"), ("f8", "c16")


class QRResult(NamedTuple):
    """Orthonormal columns Q and the upper triangle R."""

    Q: ndarray
    R: ndarray


class SlogdetResult(NamedTuple):
    """Sign of a determinant and the logarithm of its magnitude."""

    sign: ndarray
    logabsdet: ndarray


def inexact(name: str, *given: Any) -> list[ndarray]:
    """The arguments as arrays of one type that LAPACK supports; integers and bool become float64."""
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
    """Raise unless the arrays are matrices, or stacks of them."""
    for a in arrays:
        if a.ndim < 2:
            raise LinAlgError(f"{a.ndim}-dimensional array given. Array must be at least two-dimensional")


def need_square(*arrays: ndarray) -> None:
    """Raise unless the arrays are square matrices, or stacks of them."""
    need_stack(*arrays)
    for a in arrays:
        if a.shape[-1] != a.shape[-2]:
            raise LinAlgError("Last 2 dimensions of the array must be square")


def factor(
    task: int, a: ndarray, b: ndarray | None = None, message: str | None = "Singular matrix", **options: Any
) -> list:
    """LAPACK's factors. If it fails for a matrix, raises LinAlgError with the message, or returns NaN without one."""
    with progress.of_tasks(_NAMES[task], a.size * min(a.shape[-2:]) // _STEPS_A_BYTE):
        found, failed = _core.factor(task, a, b, wide=not _core.get_fastmath(), **options)
    if failed and message is not None:
        raise LinAlgError(message)
    return found


def _without_axes(a: ndarray, n: int) -> ndarray:
    r = a.reshape(a.shape[: a.ndim - n])
    return _core.as_scalar(r) if r.ndim == 0 else r


def solve(a: _ArrayLike, b: _ArrayLike) -> ndarray:
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


def inv(a: _ArrayLike) -> ndarray:
    """Compute the inverses of square matrices.

    Parameters
    ----------
    a : array_like, shape (..., n, n)

    Returns
    -------
    ndarray, shape (..., n, n), floating

    Raises
    ------
    numpy.linalg.LinAlgError
        The last two axes differ in length, or a matrix is singular.

    Notes
    -----
    Computed by LAPACK's gesv, with the identity on the right. float32 is computed in float64 unless `fastmath` is on.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.linalg.inv([[2.0, 0.0], [0.0, 4.0]]).tolist()
    [[0.5, 0.0], [0.0, 0.25]]
    """
    (a,) = inexact("inv", a)
    need_square(a)
    return factor(_INVERT, a)[0]


def inverse_or_nan(a: ndarray) -> ndarray:
    """Inverses, NaN for singular matrices."""
    return factor(_INVERT, a, message=None)[0]


def det(a: _ArrayLike) -> _ArrayOrScalar:
    """Compute the determinants of square matrices.

    Parameters
    ----------
    a : array_like, shape (..., n, n)

    Returns
    -------
    ndarray, shape (...), or a scalar

    Raises
    ------
    numpy.linalg.LinAlgError
        The last two axes differ in length.

    Notes
    -----
    Computed by LAPACK's getrf, and the product of the diagonal. float32 is computed in float64 unless `fastmath` is on.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.linalg.det([[1.0, 2.0], [3.0, 4.0]]).round(9).item()
    -2.0
    """
    (a,) = _square_operand("det", a)
    return _without_axes(factor(_DETERMINANT, a, vectors=False)[0], 2)


def slogdet(a: _ArrayLike) -> SlogdetResult:
    """Compute the sign and the logarithm of the magnitude of determinants; 0 and -inf for singular matrices.

    Parameters
    ----------
    a : array_like, shape (..., n, n)

    Returns
    -------
    SlogdetResult (sign, logabsdet)
        Arrays of shape (...), or scalars.

    Raises
    ------
    numpy.linalg.LinAlgError
        The last two axes differ in length.

    Notes
    -----
    Computed by LAPACK's getrf, and the sum of the diagonal's logarithms. float32 is computed in float64 unless
    `fastmath` is on.

    Examples
    --------
    >>> import bascule as bc
    >>> sign, log = bc.linalg.slogdet([[0.0, 1.0], [1.0, 0.0]])
    >>> sign.item(), log.item()
    (-1.0, 0.0)
    """
    (a,) = _square_operand("slogdet", a)
    sign, log = factor(_DETERMINANT, a)
    return SlogdetResult(_without_axes(sign, 2), _without_axes(log, 2))


def _square_operand(name: str, a: Any) -> list[ndarray]:
    (x,) = operands(a)
    need_square(x)
    return inexact(name, x)


def cholesky(a: _ArrayLike, /, *, upper: bool = False) -> ndarray:
    """Compute the Cholesky factors of Hermitian, positive definite matrices.

    Parameters
    ----------
    a : array, shape (..., n, n)
        Only the triangle that `upper` names is read.
    upper : bool
        Return U with a = U^H U instead of L with a = L L^H.

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


@overload
def qr(a: _ArrayLike, mode: Literal["reduced", "complete"] = "reduced") -> QRResult: ...
@overload
def qr(a: _ArrayLike, mode: Literal["raw"]) -> tuple[ndarray, ndarray]: ...
@overload
def qr(a: _ArrayLike, mode: Literal["r"]) -> ndarray: ...
def qr(a: Any, mode: str = "reduced") -> Any:
    """Compute QR decompositions.

    Parameters
    ----------
    a : array, shape (..., m, n)
    mode : {"reduced", "complete", "r", "raw"}
        Q with min(m, n) columns, with m columns, R alone, or LAPACK's reflectors (transposed) and their factors.

    Returns
    -------
    QRResult, array or tuple of arrays

    Raises
    ------
    LinAlgError
        The array has fewer than two axes.

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
