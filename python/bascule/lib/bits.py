"""Packed bits, and the parts of floating-point numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, SupportsIndex

import numpy as np

from .. import _core
from .._array import ufunc_methods
from .._array.conversion import as_array, as_axisless, as_output, as_value, ndarray
from .._array.ufuncs import rows
from .creation import zeros
from .manipulation import moveaxis, normalize_axis, ravel

if TYPE_CHECKING:
    from .._array.types import _ArrayLike, _Axes

__all__ = ["frexp", "ldexp", "packbits", "unpackbits"]


_select = rows["where"]["ufunc"]

# Eight bytes are handled as one word. Multiplying booleans by _gathering gives their bits in the highest byte. A word
# with eight copies of a byte, masked with _one_each, keeps one bit of it in each byte, in `bitorder`.
_gathering = {"big": np.uint64(0x8040201008040201), "little": np.uint64(0x0102040810204080)}
_one_each = {"big": np.uint64(0x0102040810204080), "little": np.uint64(0x8040201008040201)}
_BY_KERNEL = (np.dtype(np.float64), np.dtype(np.float32))
_ones, _below = np.uint64(0x0101010101010101), np.uint64(0x7F7F7F7F7F7F7F7F)


def _check_order(bitorder: Any) -> None:
    if not isinstance(bitorder, str):
        raise TypeError(f"argument 'bitorder' must be str, not {type(bitorder).__name__}")
    if bitorder not in ("big", "little"):
        raise ValueError("'order' must be either 'little' or 'big'")


def _lines(a: ndarray, axis: Any) -> tuple[ndarray, int]:
    if axis is None or a.ndim == 0:
        return ravel(a), 0 if axis is None else normalize_axis(axis, 1)
    return a, normalize_axis(axis, a.ndim)


@_core.function
def packbits(a: _ArrayLike, /, axis: _Axes | None = None, bitorder: Literal["big", "little"] = "big") -> ndarray:
    """Pack the elements of a boolean array into the bits of uint8.

    Parameters
    ----------
    a : array_like of int or bool
    axis : int, optional
        Axis to pack; the flattened array by default.
    bitorder : {'big', 'little'}, optional
        Whether the first of eight elements is the highest bit.

    Returns
    -------
    ndarray of uint8
        An eighth as long, rounded up; zeros pad the last byte.

    Raises
    ------
    TypeError
        The elements are neither integers nor booleans.
    ValueError
        `bitorder` is unknown.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.packbits([1, 0, 0, 0, 0, 0, 1, 1]).tolist()
    [131]
    """
    a = as_array(a)
    if a.dtype.kind not in "biu":
        raise TypeError("Expected an input array of integer or boolean data type")
    _check_order(bitorder)
    a, axis = _lines(a, axis)
    lines = moveaxis(a if a.dtype == bool else a != 0, axis, -1)
    n = lines.shape[-1]
    if n % 8:
        wide = zeros((*lines.shape[:-1], n + -n % 8), bool, device=a.device)
        wide[..., :n] = lines
        lines = wide
    bits = (_core.words_of_booleans(lines) * _gathering[bitorder]) >> np.uint64(56)
    return moveaxis(bits.astype(np.uint8), -1, axis)


@_core.function
def unpackbits(
    a: _ArrayLike,
    /,
    axis: _Axes | None = None,
    count: SupportsIndex | None = None,
    bitorder: Literal["big", "little"] = "big",
) -> ndarray:
    """Unpack the bits of uint8 into an array of zeros and ones.

    Parameters
    ----------
    a : array_like of uint8
    axis : int, optional
        Axis to unpack; the flattened array by default.
    count : int, optional
        Number of bits to unpack: zeros pad the result if there are fewer; a negative number leaves out bits at the end.
    bitorder : {'big', 'little'}, optional
        Whether the highest bit comes first.

    Returns
    -------
    ndarray of uint8

    Raises
    ------
    TypeError
        The elements are not uint8.
    ValueError
        `bitorder` is unknown, or `count` leaves out more than all bits.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.unpackbits(bc.array([2], dtype=bc.uint8)).tolist()
    [0, 0, 0, 0, 0, 0, 1, 0]
    """
    a = as_array(a)
    if a.dtype != np.uint8:
        raise TypeError("Expected an input array of unsigned byte data type")
    _check_order(bitorder)
    a, axis = _lines(a, axis)
    lines = moveaxis(a, axis, -1)
    each = (lines.astype(np.uint64) * _ones) & _one_each[bitorder]
    bits = (((each + _below) >> np.uint64(7)) & _ones).copy("C").view(np.uint8)
    n = bits.shape[-1]
    if count is not None:
        wanted = count if count >= 0 else n + count
        if wanted < 0:
            raise ValueError("-count larger than number of elements")
        if wanted <= n:
            bits = bits[..., :wanted]
        else:
            wide = zeros((*lines.shape[:-1], wanted), np.uint8, device=a.device)
            wide[..., :n] = bits
            bits = wide
    return moveaxis(bits, -1, axis)


# ---- parts of floating-point numbers


def _floating(x: Any, dtype: Any, casting: str) -> tuple[ndarray, np.dtype]:
    """The operand in the floating type of the result, and that type."""
    x = as_array(x)
    if x.dtype.kind not in "biuf" or x.dtype.itemsize > 8:
        raise TypeError(f"[frexp, ldexp] expected real numbers, got {x.dtype}")
    t = np.result_type(x.dtype, np.float16) if dtype is None else np.dtype(dtype)
    if t.kind != "f" or not np.can_cast(x.dtype, t, casting):
        raise TypeError(f"[frexp, ldexp] cannot compute {x.dtype} in {t} with casting rule {casting!r}")
    return x.astype(t, copy=False), t


def written(r: ndarray, out: Any, where: Any, casting: str, order: str) -> ndarray:
    """A result in the requested layout, or written to `out` where the condition is true."""
    if out is None or out is Ellipsis:
        r = r if where is True else _select(where, r, r.dtype.type(0))
        r = r if order == "K" else r.copy(order)
        return as_axisless(r) if r.ndim == 0 and out is Ellipsis else as_value(r)
    if not np.can_cast(r.dtype, as_output(out).dtype, casting):
        raise TypeError(f"Cannot cast ufunc output from {r.dtype!r} to {out.dtype!r} with casting rule {casting!r}")
    out[...] = r if where is True else _select(as_array(where, r), r.astype(out.dtype, copy=False), out)
    return out


def loop_type(name: str, signature: Any, dtype: Any = None) -> Any:
    """Type that a loop such as 'd->di' computes in; `dtype` without a loop."""
    if signature is None:
        return dtype
    loops = getattr(np, name).types
    if isinstance(signature, str):
        found = [t for t in loops if signature in (t, t.replace("->", ""))]
    else:
        wanted = [None if t is None else np.dtype(t).char for t in signature]
        found = [t for t in loops if all(w in (None, c) for w, c in zip(wanted, t.replace("->", ""), strict=True))]
    if not found or np.dtype(found[0][0]).kind != "f":
        raise TypeError(f"No loop matching the specified signature and casting was found for ufunc {name}")
    return np.dtype(found[0][0])


_NO_OUTPUTS = (None, None)


@_core.function
def frexp(
    x: Any, /, out: Any = _NO_OUTPUTS, *, where: Any = True, casting: str = "same_kind", order: str = "K",
    dtype: Any = None, subok: bool = True, signature: Any = None,
) -> tuple[ndarray, ndarray]:  # fmt: skip
    """Decompose into mantissas in [0.5, 1) and exponents: ``x = mantissa * 2**exponent``.

    Parameters
    ----------
    x : array_like of real numbers
    out : tuple of two ndarray, optional
        Output arrays.
    where : array_like of bool, optional
        Elements to compute.
    casting, order
        As in NumPy.
    dtype : None
        Only None, as no type fits both results.
    subok : bool, optional
        No effect: ndarray has no subclasses.
    signature : str or tuple of dtype, optional
        A loop of NumPy's, instead of `dtype`.

    Returns
    -------
    tuple of ndarray of the type of `x` and ndarray of int32

    Raises
    ------
    TypeError
        `x` is complex or not numeric.

    Examples
    --------
    >>> import bascule as bc
    >>> [float(r) for r in bc.frexp(6.0)]
    [0.75, 3.0]
    """
    if ufunc_methods.asks(x, *(out if isinstance(out, tuple) else ())):
        keywords = {"out": out, "where": where, "casting": casting, "order": order, "dtype": dtype, "subok": subok}
        return ufunc_methods.by_protocol("frexp", "__call__", x, **keywords, signature=signature)
    first, second = ufunc_methods.two_outputs(out)
    if dtype is not None:  # it would be the type of the exponents, too
        raise TypeError("No loop matching the specified signature and casting was found for ufunc frexp")
    v, _ = _floating(x, loop_type("frexp", signature), casting)
    return (
        written(rows["frexp_mantissa"]["ufunc"](v), first, where, casting, order),
        written(rows["frexp_exponent"]["ufunc"](v), second, where, casting, order),
    )


@_core.function
def ldexp(
    x1: Any, x2: Any, /, out: Any = None, *, where: Any = True, casting: str = "same_kind", order: str = "K",
    dtype: Any = None, subok: bool = True, signature: Any = None,
) -> ndarray:  # fmt: skip
    """Compute x1 * 2**x2, rounded once.

    Parameters
    ----------
    x1 : array_like of real numbers
    x2 : array_like of int
    out : ndarray, optional
        Output array.
    where : array_like of bool, optional
        Elements to compute.
    casting, order, dtype
        As in NumPy.
    subok : bool, optional
        No effect: ndarray has no subclasses.
    signature : str or tuple of dtype, optional
        A loop of NumPy's, instead of `dtype`.

    Returns
    -------
    ndarray
        Of the type of `x1`; for integers of a floating type that can hold them.

    Raises
    ------
    TypeError
        `x1` is complex, or `x2` is not integer.

    Examples
    --------
    >>> import bascule as bc
    >>> float(bc.ldexp(0.75, 3))
    6.0
    """
    if type(x2) is int and not -(2**31) <= x2 < 2**31:
        if not -(2**63) <= x2 < 2**63:
            raise OverflowError("Python int too large to convert to C long")
        if type(x1) not in (int, float, bool):  # next to these x2 is an int64, since they do not determine a type
            raise OverflowError(f"Python integer {x2} out of bounds for int32")
    v, t = _floating(as_array(x1, x2), loop_type("ldexp", signature, dtype), casting)
    n = as_array(x2, v)
    if not np.can_cast(n.dtype, np.int64, "safe"):
        raise TypeError(
            "ufunc 'ldexp' not supported for the input types, and the inputs could not be safely coerced to any "
            "supported types according to the casting rule ''safe''"
        )
    if t == np.float16:  # float16 cannot hold all exponents; larger ones give the same result
        n = n.astype(np.int64, copy=False).clip(-3000, 3000)
    r = rows["ldexp"]["ufunc"](v, n.astype(t))
    target = out[0] if isinstance(out, tuple) else out
    return written(r, target, where, casting, order)
