"""Polynomials given by their coefficients, the highest power first. `poly1d` is NumPy's class: it has few coefficients,
and evaluating it on an array of ours calls `polyval`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np
from numpy import poly1d

from .. import linalg
from .._array.caller_warnings import warn
from .._array.conversion import as_array, is_array, ndarray, to_numpy
from .._array.ufuncs import by_name
from .convolve_windows import convolve
from .creation import arange, diag, empty, ones, zeros, zeros_like
from .manipulation import atleast_1d, concatenate
from .reductions import sum
from .selection import nonzero

if TYPE_CHECKING:
    from .._array.types import _ArrayLike

__all__ = [
    "poly",
    "poly1d",
    "polyadd",
    "polyder",
    "polydiv",
    "polyfit",
    "polyint",
    "polymul",
    "polysub",
    "polyval",
    "roots",
    "vander",
]


_NOTHING_LEFT = 1e-8  # leading coefficients of a remainder below this are dropped


def _coefficients(p: Any, like: Any = None) -> ndarray:
    return as_array(p.coeffs if isinstance(p, poly1d) else p, like)


def _line(p: Any, like: Any = None) -> ndarray:
    return atleast_1d(_coefficients(p, like))


def _as_given(r: ndarray, *operands: Any) -> Any:
    """A poly1d if one of the operands is one, else the coefficients."""
    return poly1d(to_numpy(r)) if any(isinstance(p, poly1d) for p in operands) else r


def _few(p: Any) -> np.ndarray:
    """Coefficients on the host, for loops over them."""
    return np.atleast_1d(to_numpy(p) if is_array(p) else p.coeffs if isinstance(p, poly1d) else np.asarray(p))


def poly(seq_of_zeros: _ArrayLike) -> ndarray:
    """Return the coefficients of the polynomial with given roots.

    Parameters
    ----------
    seq_of_zeros : array_like, shape (n,) or (n, n)
        Roots, or a matrix with them as eigenvalues.

    Returns
    -------
    ndarray, shape (n + 1,)
        The first coefficient is one; the number 1.0 without roots.

    Raises
    ------
    ValueError
        `seq_of_zeros` has another shape.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.poly([1.0, 2.0]).tolist()
    [1.0, -3.0, 2.0]
    """
    given = as_array(seq_of_zeros)
    if given.ndim == 0:
        raise TypeError("[poly] expected roots along an axis, got a scalar")
    if given.ndim == 2 and given.shape[0] == given.shape[1] != 0:
        given = linalg.eigvals(given)
    elif given.ndim == 1:
        given = given.astype(np.mintypecode(given.dtype.char), copy=False)
    else:
        raise ValueError("input must be 1d or non-empty square 2d array.")
    if given.size == 0:
        return 1.0
    zeros_ = to_numpy(given)
    a = np.ones(1, zeros_.dtype)
    for zero in zeros_:
        a = np.convolve(a, np.array([1, -zero], zeros_.dtype))
    if a.dtype.kind == "c" and np.all(np.sort(zeros_) == np.sort(zeros_.conj())):
        a = a.real.copy()
    return as_array(a, given)


def roots(p: _ArrayLike) -> ndarray:
    """Return the roots of a polynomial, as eigenvalues of its companion matrix.

    Parameters
    ----------
    p : array_like, shape (n,)

    Returns
    -------
    ndarray of float64 or complex128, of one axis

    Raises
    ------
    ValueError
        The coefficients have more than one axis.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.roots([1.0, -3.0, 2.0]).tolist()
    [2.0, 1.0]
    """
    p = _line(p)
    if p.ndim != 1:
        raise ValueError("Input must be a rank-1 array.")
    at = nonzero(p)[0]
    if at.size == 0:
        return zeros(0, device=p.device)
    first, last = int(at[0]), int(at[-1])
    trailing = p.size - last - 1
    p = p[first : last + 1]
    if p.dtype.kind not in "fc":
        p = p.astype(float)
    if p.size > 1:
        companion = diag(ones(p.size - 2, p.dtype, device=p.device), -1)
        companion[0, :] = -p[1:] / p[0]
        found = linalg.eigvals(companion)
        if found.dtype.kind == "c" != p.dtype.kind and not bool((found.imag != 0).any()):
            found = found.real.copy()
    else:
        found = zeros(0, device=p.device)
    return concatenate((found, zeros(trailing, found.dtype, device=p.device)))


def polyint(p: _ArrayLike, m: int = 1, k: _ArrayLike | None = None) -> Any:
    """Return an antiderivative of a polynomial.

    Parameters
    ----------
    p : array_like or poly1d
    m : int, optional
        Number of integrations.
    k : array_like, optional
        Constants of the integrations, one for all or one for each; zero by default.

    Returns
    -------
    ndarray or poly1d

    Raises
    ------
    ValueError
        `m` is negative, or there are fewer constants than integrations.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.polyint([2, 1]).tolist()
    [1.0, 1.0, 0.0]
    """
    m = int(m)
    if m < 0:
        raise ValueError("Order of integral must be positive (see polyder)")
    constants = np.zeros(m) if k is None else _few(k)
    if len(constants) == 1 and m > 1:
        constants = constants[0] * np.ones(m)
    if len(constants) < m:
        raise ValueError("k must be a scalar or a rank-1 array of length 1 or >m.")
    y = _coefficients(p)
    for constant in constants[:m]:
        y = concatenate((y / arange(len(y), 0, -1, device=y.device), as_array(constant[None], y)))
    return _as_given(y, p)


def polyder(p: _ArrayLike, m: int = 1) -> Any:
    """Return a derivative of a polynomial.

    Parameters
    ----------
    p : array_like or poly1d
    m : int, optional
        Number of derivatives.

    Returns
    -------
    ndarray or poly1d

    Raises
    ------
    ValueError
        `m` is negative.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.polyder([1, 2, 3]).tolist()
    [2, 2]
    """
    m = int(m)
    if m < 0:
        raise ValueError("Order of derivative must be positive (see polyint)")
    y = _coefficients(p)
    len(y)  # raises without axes
    for _ in range(min(m, len(y) + 1)):  # one more derivative of nothing determines the type
        y = y[:-1] * arange(len(y) - 1, 0, -1, device=y.device)
    return _as_given(y, p)


def vander(x: _ArrayLike, N: int | None = None, increasing: bool = False) -> ndarray:
    """Return the Vandermonde matrix.

    Parameters
    ----------
    x : array_like, shape (n,)
    N : int, optional
        Number of columns; n by default.
    increasing : bool, optional
        Whether the powers increase from left to right.

    Returns
    -------
    ndarray, shape (n, N)

    Raises
    ------
    ValueError
        `x` does not have one axis.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.vander([2, 3], 3).tolist()
    [[4, 2, 1], [9, 3, 1]]
    """
    x = as_array(x)
    if x.ndim != 1:
        raise ValueError("x must be a one-dimensional array or sequence.")
    N = len(x) if N is None else N
    v = empty((len(x), N), np.promote_types(x.dtype, int), device=x.device)
    columns = v if increasing else v[:, ::-1]
    if N > 0:
        columns[:, 0] = 1
    power = x = x.astype(v.dtype, copy=False)
    for j in range(1, N):
        columns[:, j] = power
        power = power * x
    return v


def _weighted(w: Any, y: ndarray) -> ndarray:
    w = as_array(w, y) + 0.0
    if w.ndim != 1:
        raise TypeError("expected a 1-d array for weights")
    if w.shape[0] != y.shape[0]:
        raise TypeError("expected w and y to have the same length")
    return w


@overload
def polyfit(
    x: _ArrayLike,
    y: _ArrayLike,
    deg: int,
    rcond: float | None = None,
    full: Literal[False] = False,
    w: _ArrayLike | None = None,
    cov: Literal[False] = False,
) -> ndarray: ...
@overload
def polyfit(
    x: _ArrayLike,
    y: _ArrayLike,
    deg: int,
    rcond: float | None = None,
    full: Literal[False] = False,
    w: _ArrayLike | None = None,
    *,
    cov: Literal[True, "unscaled"],
) -> tuple[ndarray, ndarray]: ...
@overload
def polyfit(
    x: _ArrayLike,
    y: _ArrayLike,
    deg: int,
    rcond: float | None = None,
    *,
    full: Literal[True],
    w: _ArrayLike | None = None,
    cov: bool | Literal["unscaled"] = False,
) -> tuple[ndarray, Any, Any, Any, Any]: ...
def polyfit(
    x: Any, y: Any, deg: int, rcond: float | None = None, full: bool = False, w: Any = None, cov: Any = False
) -> Any:
    """Fit a polynomial by least squares.

    Parameters
    ----------
    x : array_like, shape (n,)
    y : array_like, shape (n,) or (n, k)
    deg : int
    rcond : float, optional
        Singular values below this fraction of the largest are ignored.
    full : bool, optional
        Return also the residuals, rank, singular values and rcond.
    w : array_like, shape (n,), optional
        Weights of the residuals before they are squared.
    cov : bool or 'unscaled', optional
        Return also the covariance of the coefficients.

    Returns
    -------
    ndarray, shape (deg + 1,) or (deg + 1, k), or a tuple that begins with it with `full` or `cov`

    Raises
    ------
    TypeError
        The shapes do not match.
    ValueError
        `deg` is negative, or there are too few points for a covariance.
    LinAlgError
        The decomposition does not converge.

    Warns
    -----
    RankWarning
        The matrix of powers is rank-deficient.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.polyfit([0.0, 1.0, 2.0], [1.0, 3.0, 5.0], 1).round(8).tolist()
    [2.0, 1.0]
    """
    order = int(deg) + 1
    x = as_array(x, y) + 0.0
    y = as_array(y, x) + 0.0
    if deg < 0:
        raise ValueError("expected deg >= 0")
    if x.ndim != 1:
        raise TypeError("expected 1D vector for x")
    if x.size == 0:
        raise TypeError("expected non-empty vector for x")
    if y.ndim < 1 or y.ndim > 2:
        raise TypeError("expected 1D or 2D array for y")
    if x.shape[0] != y.shape[0]:
        raise TypeError("expected x and y to have same length")
    rcond = len(x) * np.finfo(x.dtype).eps if rcond is None else rcond
    left, right = vander(x, order), y
    if w is not None:
        w = _weighted(w, y)
        right = right.copy() if right is y else right
        by_name["multiply"](left, w[:, None], out=left)
        by_name["multiply"](right, w[:, None] if right.ndim == 2 else w, out=right)
    scale = by_name["sqrt"](sum(left * left, axis=0))
    c, residuals, rank, singular = linalg.lstsq(left / scale, right, rcond)
    c = (c.T / scale).T
    if int(rank) != order and not full:
        warn("Polyfit may be poorly conditioned", np.exceptions.RankWarning)
    if full:
        return c, residuals, rank, singular, rcond
    return (c, _covariance(left / scale, scale, residuals, len(x), order, y.ndim, cov)) if cov else c


def _covariance(left: ndarray, scale: ndarray, residuals: ndarray, n: int, order: int, ndim: int, cov: Any) -> ndarray:
    base = linalg.inv(linalg.dot(left.T, left)) / (scale[:, None] * scale)
    if cov == "unscaled":
        factor: Any = 1
    elif n <= order:
        raise ValueError("the number of data points must exceed order to scale the covariance matrix")
    else:
        factor = residuals / (n - order)
    return base * factor if ndim == 1 else base[:, :, None] * factor


def polyval(p: _ArrayLike, x: _ArrayLike) -> Any:
    """Evaluate a polynomial with Horner's scheme, in one pass.

    Parameters
    ----------
    p : array_like or poly1d
    x : array_like, any shape, or poly1d

    Returns
    -------
    ndarray
        Of the shape of `x`; a poly1d if `x` is one.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.polyval([1, 0, 2], bc.arange(3)).tolist()
    [2, 3, 6]
    """
    if isinstance(x, poly1d):
        y: Any = 0
        for c in _few(p):
            y = y * x + c
        return y
    x = as_array(x, p)
    p = _coefficients(p, x)
    if p.ndim == 1:
        p = to_numpy(p)  # scalars are constants of the pass
    y = zeros_like(x)
    for c in p:
        y = y * x + c
    return y


def _aligned(a1: Any, a2: Any) -> tuple[ndarray, ndarray]:
    """Coefficients of two polynomials, padded to equal length."""
    a = _line(a1, a2)
    b = _line(a2, a)
    n = max(len(a), len(b))
    a, b = (
        v if len(v) == n else concatenate((zeros(n - len(v), v.dtype, device=v.device), v)) for v in (a, b)
    )  # fmt: skip
    return a, b


def polyadd(a1: _ArrayLike, a2: _ArrayLike) -> Any:
    """Add two polynomials.

    Parameters
    ----------
    a1, a2 : array_like or poly1d

    Returns
    -------
    ndarray or poly1d

    Examples
    --------
    >>> import bascule as bc
    >>> bc.polyadd([1, 2], [9, 5, 4]).tolist()
    [9, 6, 6]
    """
    a, b = _aligned(a1, a2)
    return _as_given(a + b, a1, a2)


def polysub(a1: _ArrayLike, a2: _ArrayLike) -> Any:
    """Subtract two polynomials.

    Parameters
    ----------
    a1, a2 : array_like or poly1d

    Returns
    -------
    ndarray or poly1d

    Examples
    --------
    >>> import bascule as bc
    >>> bc.polysub([2, 10], [1, 2]).tolist()
    [1, 8]
    """
    a, b = _aligned(a1, a2)
    return _as_given(a - b, a1, a2)


def _trimmed(p: Any, like: Any = None) -> ndarray:
    """Coefficients without leading zeros; the zero polynomial keeps one."""
    p = _line(p, like)
    if p.ndim > 1:
        raise ValueError("Polynomial must be 1d only.")
    at = nonzero(p)[0]
    return p[int(at[0]) :] if at.size else zeros(1, p.dtype, device=p.device)


def polymul(a1: _ArrayLike, a2: _ArrayLike) -> Any:
    """Multiply two polynomials.

    Parameters
    ----------
    a1, a2 : array_like or poly1d

    Returns
    -------
    ndarray or poly1d

    Raises
    ------
    ValueError
        Coefficients have more than one axis.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.polymul([1, 2], [1, -2]).tolist()
    [1, 0, -4]
    """
    a = _trimmed(a1, a2)
    return _as_given(convolve(a, _trimmed(a2, a)), a1, a2)


def polydiv(u: _ArrayLike, v: _ArrayLike) -> tuple[Any, Any]:
    """Divide two polynomials: return the quotient and the remainder.

    Parameters
    ----------
    u, v : array_like or poly1d

    Returns
    -------
    tuple of two ndarray or poly1d

    Examples
    --------
    >>> import bascule as bc
    >>> [r.tolist() for r in bc.polydiv([3.0, 5.0, 2.0], [2.0, 1.0])]
    [[1.5, 1.75], [0.25]]
    """
    like = next((x for x in (u, v) if is_array(x)), None)
    rest, divisor = _line(u, like) + 0.0, _line(v, like) + 0.0
    kind = np.result_type(rest.dtype, divisor.dtype)
    rest = rest.astype(kind)
    degree, factor = len(divisor), kind.type(1.0 / divisor[0])
    rest[0]  # raises without coefficients
    quotient = zeros(max(len(rest) - degree + 1, 1), kind, device=rest.device)
    for k in range(len(rest) - degree + 1):
        quotient[k] = ratio = factor * rest[k]
        rest[k : k + degree] -= ratio * divisor
    felt = by_name["absolute"](rest) > _NOTHING_LEFT
    nulls = by_name["isnan"](rest)
    at = nonzero(felt | nulls)[0]
    rest = rest[int(at[0]) if at.size else len(rest) - 1 :]
    return _as_given(quotient, u, v), _as_given(rest, u, v)
