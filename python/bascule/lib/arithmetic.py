"""Element-wise functions composed of ufuncs."""

from __future__ import annotations

import builtins
import operator
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from .. import _core
from .._array import ufunc_methods
from .._array.caller_warnings import warn
from .._array.conversion import as_array, as_arrays, as_value, ndarray
from .._array.numpy_versions import since
from .._array.ufuncs import by_name, rows
from .bits import loop_type, written

if TYPE_CHECKING:
    from .._array.types import _ArrayLike

__all__ = ["angle", "around", "fix", "imag", "real", "round", "sinc"]


_select = rows["where"]["ufunc"]
_NUMBERS = (bool, int, float, complex, np.generic)  # types with real and imaginary parts of their own


_FLOAT64 = np.dtype(np.float64)
_NO_OUTPUTS = (None, None)


def _power_of_ten(n: int) -> float:
    """The power as NumPy multiplies it up where it is not exact."""
    scale = 10.0 ** min(n, 22)
    for _ in range(22, min(n, 400)):
        scale *= 10.0
    return scale


@_core.method_first
def round(a: _ArrayLike, decimals: SupportsIndex = 0, out: ndarray | None = None) -> ndarray:
    """Round elements to a number of decimals; ties go to the even neighbour.

    Parameters
    ----------
    a : array_like, any shape
    decimals : int, optional
        Number of decimals; negative ones round to tens, hundreds and so on.
    out : ndarray, optional
        Output array; it must have the shape of the result.

    Returns
    -------
    ndarray, shape a.shape, of the type of `a`

    Notes
    -----
    An element is multiplied by the power of ten, rounded and divided, as in NumPy: three roundings.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.round([0.5, 1.5, 2.45]).tolist()
    [0.0, 2.0, 2.0]
    >>> bc.round([1234, 5678], -2).tolist()
    [1200, 5700]
    """
    a, decimals = as_array(a), operator.index(decimals)
    if decimals > 0 and out is None and a.dtype is _FLOAT64:
        scale = _power_of_ten(decimals)
        return as_value(by_name["rint"](a * scale) / scale)
    if a.dtype.kind in "mM":
        np.round(np.zeros(1, a.dtype), decimals)  # NumPy raises its error
    if a.dtype.kind == "c":
        r = a.copy("K")
        r.real[...], r.imag[...] = round(a.real, decimals), round(a.imag, decimals)
    elif a.dtype.kind == "b" and decimals:
        np.round(np.zeros(1, bool), decimals)  # NumPy raises its error
        r = a
    elif a.dtype.kind in "biu" and decimals >= 0:
        r = by_name["rint"](a) if a.dtype.kind == "b" else a.copy("K")
    elif a.dtype.kind in "iu":
        scale = 10.0**-decimals
        r = (by_name["rint"](a / scale) * scale).astype(a.dtype)
    elif decimals == 0:
        return by_name["rint"](a) if out is None else by_name["rint"](a, out=out)
    else:
        scale = _power_of_ten(abs(decimals))
        if a.dtype != np.float64:
            scale = a.dtype.type(scale)
        up, down = (
            (by_name["multiply"], by_name["divide"]) if decimals > 0 else (by_name["divide"], by_name["multiply"])
        )
        r = down(by_name["rint"](up(a, scale)), scale)
    if out is None:
        return as_value(r)
    out[...] = r
    return out


around = round


def fix(x: _ArrayLike, out: ndarray | None = None) -> ndarray:
    """Round elements towards zero.

    Parameters
    ----------
    x : array_like, any shape
    out : ndarray, optional
        Output array; it must have the shape of the result.

    Returns
    -------
    ndarray, shape x.shape

    Examples
    --------
    >>> import bascule as bc
    >>> bc.fix([1.7, -1.7]).tolist()
    [1.0, -1.0]
    """
    if since("fix is deprecated"):
        warn(
            "numpy.fix is deprecated. Use numpy.trunc instead, which is faster and follows the Array API standard.",
            DeprecationWarning,
        )
    return by_name["trunc"](x, out=out)


def real(val: _ArrayLike) -> ndarray:
    """Return the real part, element-wise.

    Parameters
    ----------
    val : array_like, any shape

    Returns
    -------
    ndarray
        A view of an array's memory; the array itself if it is real.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.real([1 + 2j, 3]).tolist()
    [1.0, 3.0]
    """
    return val.real if isinstance(val, _NUMBERS) else as_array(val).real


def imag(val: _ArrayLike) -> ndarray:
    """Return the imaginary part, element-wise.

    Parameters
    ----------
    val : array_like, any shape

    Returns
    -------
    ndarray
        A view of an array's memory; read-only zeros if it is real.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.imag([1 + 2j, 3]).tolist()
    [2.0, 0.0]
    """
    return val.imag if isinstance(val, _NUMBERS) else as_array(val).imag


def angle(z: _ArrayLike, deg: int = False) -> ndarray:
    """Return the angle of complex numbers.

    Parameters
    ----------
    z : array_like, any shape
    deg : bool, optional
        Return degrees instead of radians.

    Returns
    -------
    ndarray, shape z.shape, in (-pi, pi]

    Notes
    -----
    Computed by `arctan2`, with its accuracy.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.angle([1, 1j, -1], deg=True).tolist()
    [0.0, 90.0, 180.0]
    """
    z = as_array(z)
    a = by_name["arctan2"](z.imag, z.real) if z.dtype.kind == "c" else by_name["arctan2"](0, z)
    return a * (180 / np.pi) if deg else a


def _in_the_loop(x: Any, y: Any, outputs: Any, casting: str, dtype: Any, signature: Any) -> tuple[ndarray, ndarray]:
    """The operands of divmod in the types of the loop that NumPy resolves; NumPy raises if there is none."""
    if dtype is not None and signature is not None:
        raise TypeError("cannot specify both 'signature' and 'dtype'")
    if dtype is not None:
        signature = (None, None, np.dtype(dtype), np.dtype(dtype))
    loop = {} if signature is None else {"signature": signature}
    kinds = [v.dtype if type(v) is ndarray else type(v) for v in (x, y)]
    kinds += [None if o is None else o.dtype for o in outputs]
    t, u, *_ = np.divmod.resolve_dtypes(tuple(kinds), casting=casting, **loop)
    x, y = as_arrays(*(v if type(v) is ndarray else np.asarray(v, k) for v, k in ((x, t), (y, u))))
    return x.astype(t, copy=False), y.astype(u, copy=False)


def _check_shapes(operands: tuple[ndarray, ndarray], outputs: Any, where: Any) -> None:
    """Check that each output has the broadcast shape of the operands; otherwise NumPy raises its error."""
    mask = () if where is True else (where.shape,)
    shapes = [x.shape for x in (*operands, *outputs) if x is not None]
    try:
        whole = np.broadcast_shapes(*shapes, *mask)
        fit = all(o is None or o.shape == whole for o in outputs)
    except ValueError:
        fit = False
    if not fit:
        given = tuple(None if o is None else np.empty(o.shape, np.int8) for o in outputs)
        nowhere = np.broadcast_to(False, mask[0]) if mask else True
        np.divmod(*(np.ones(x.shape, np.int8) for x in operands), out=given, where=nowhere)


def divmod(
    x1: Any, x2: Any, /, out: Any = _NO_OUTPUTS, *, where: Any = True, casting: str = "same_kind", order: str = "K",
    dtype: Any = None, subok: bool = True, signature: Any = None,
) -> tuple[ndarray, ndarray]:  # fmt: skip
    """Return the quotient and the remainder, element-wise.

    Parameters
    ----------
    x1, x2 : array_like, shapes that broadcast against one another
        Dividend and divisor.
    out : pair of ndarray, optional
        Output arrays; None for one that should be allocated.
    signature : str or tuple of dtype, optional
        Signature of the loop, with the types of both results.
    **kwargs
        Keyword arguments of `floor_divide` and `remainder`.

    Returns
    -------
    tuple of two ndarrays
        ``floor_divide(x1, x2)`` and ``remainder(x1, x2)``.

    Raises
    ------
    TypeError
        The types have no loop, such as complex ones.
    ValueError
        The shapes do not broadcast.

    Examples
    --------
    >>> import bascule as bc
    >>> quotient, rest = bc.divmod([7, -7], 3)
    >>> quotient.tolist(), rest.tolist()
    ([2, -3], [1, 2])
    """
    plain = where is True and (casting, order, dtype, signature) == ("same_kind", "K", None, None)
    if plain and out is _NO_OUTPUTS and type(x1) is type(x2) is ndarray and x1.ndim and x2.ndim:
        return builtins.divmod(x1, x2)
    if ufunc_methods.asks(x1, x2, *(out if isinstance(out, tuple) else ())):
        keywords = {"out": out, "where": where, "casting": casting, "order": order, "dtype": dtype, "subok": subok}
        return ufunc_methods.by_protocol("divmod", "__call__", x1, x2, **keywords, signature=signature)
    first, second = outputs = ufunc_methods.two_outputs(out)
    x, y = (v if type(v) in (bool, int, float, complex) else as_array(v) for v in (x1, x2))
    if plain and first is second is None:
        x = x if type(y) is ndarray else as_array(x)
        if any(v.ndim for v in (x, y) if type(v) is ndarray):
            return builtins.divmod(x, y)
        # Operators on scalars have another name in warnings.
        quotient, rest = builtins.divmod(*(v[...] if type(v) is ndarray else v for v in (x, y)))
        return as_value(quotient), as_value(rest)
    x, y = _in_the_loop(x, y, outputs, casting, dtype, signature)
    if where is not True:
        where = where if type(where) is ndarray else as_array(np.asarray(where, bool), x)
        if first is second is None:
            warn(
                "'where' used without 'out', expect unitialized memory in output. If this is intentional, use out=None.",
                UserWarning,
            )
    _check_shapes((x, y), outputs, where)
    if where is not True and x.dtype.kind in "iuf":  # elements left out must not raise floating-point errors
        x, y = _select(where, x, x.dtype.type(1)), _select(where, y, y.dtype.type(1))
    quotient, rest = builtins.divmod(x, y)
    return written(quotient, first, where, casting, order), written(rest, second, where, casting, order)


@_core.function
def modf(
    x: Any, /, out: Any = _NO_OUTPUTS, *, where: Any = True, casting: str = "same_kind", order: str = "K",
    dtype: Any = None, subok: bool = True, signature: Any = None,
) -> tuple[ndarray, ndarray]:  # fmt: skip
    """Return the fractional and integral parts, element-wise.

    Parameters
    ----------
    x : array_like, any shape
    out : pair of ndarray, optional
        Output arrays; None for one that should be allocated.
    where : array_like of bool, optional
        Elements to compute.
    casting, order, dtype, subok, signature
        As in NumPy.

    Returns
    -------
    tuple of two ndarrays
        Fractional and integral parts, both with the sign of `x` and of its floating type.

    Raises
    ------
    TypeError
        The type has no loop, such as complex ones.

    Notes
    -----
    The results are exact.

    Examples
    --------
    >>> import bascule as bc
    >>> rest, whole = bc.modf([1.5, -2.25])
    >>> rest.tolist(), whole.tolist()
    ([0.5, -0.25], [1.0, -2.0])
    """
    if ufunc_methods.asks(x, *(out if isinstance(out, tuple) else ())):
        keywords = {"out": out, "where": where, "casting": casting, "order": order, "dtype": dtype, "subok": subok}
        return ufunc_methods.by_protocol("modf", "__call__", x, **keywords, signature=signature)
    first, second = ufunc_methods.two_outputs(out)
    x, t = as_array(x), loop_type("modf", signature, dtype)
    if t is None:
        t = np.result_type(x.dtype, np.float16) if x.dtype.kind in "biuf" else x.dtype
    if np.dtype(t).kind != "f" or not np.can_cast(x.dtype, t, casting):
        raise TypeError(f"[modf] cannot compute {x.dtype} in {t} with casting rule {casting!r}")
    x = x.astype(t, copy=False)
    whole = by_name["trunc"](x)
    finite = _select(by_name["isinf"](whole), whole.dtype.type(0), x)
    rest = by_name["copysign"](finite - by_name["trunc"](finite), x)
    return written(rest, first, where, casting, order), written(whole, second, where, casting, order)


def sinc(x: _ArrayLike) -> ndarray:
    """Return sin(pi x) / (pi x), and one at zero.

    Parameters
    ----------
    x : array_like, any shape

    Returns
    -------
    ndarray, shape x.shape, floating

    Notes
    -----
    Has the accuracy of `sin`.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.sinc([0.0, 0.5]).round(4).tolist()
    [1.0, 0.6366]
    """
    x = as_array(x) * np.pi
    small = np.finfo(x.dtype).eps if x.dtype.kind == "f" else 1e-20
    y = _select(x == 0, x.dtype.type(small), x)
    return by_name["sin"](y) / y
