"""Element-wise functions that are made of ufuncs."""

from __future__ import annotations

import builtins
import operator
from typing import Any

import numpy as np

from .. import _core
from .._array import ufunc_methods
from .._array.caller_warnings import warn
from .._array.conversion import as_array, as_arrays, as_host, as_value, ndarray
from .._array.ufuncs import by_name, rows
from ..fallback import in_numpy
from .bits import loop_type, written
from .creation import asarray

_select = rows["where"]["ufunc"]
_NUMBERS = (bool, int, float, complex, np.generic)  # what has parts of its own


def _power_of_ten(n: int) -> float:
    """As NumPy multiplies it up where it is not exact."""
    scale = 10.0 ** min(n, 22)
    for _ in range(22, min(n, 400)):
        scale *= 10.0
    return scale


@_core.method_first
def round(a: Any, decimals: int = 0, out: Any = None) -> ndarray:
    """Elements rounded to a number of decimals, halves to even."""
    a, decimals = as_array(a), operator.index(decimals)
    if a.dtype.kind in "mM":
        np.round(np.zeros(1, a.dtype), decimals)  # NumPy says what is wrong
    if a.dtype.kind == "c":
        r = a.copy("K")
        r.real[...], r.imag[...] = round(a.real, decimals), round(a.imag, decimals)
    elif a.dtype.kind == "b" and decimals:
        np.round(np.zeros(1, bool), decimals)  # NumPy says what is wrong
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


def fix(x: Any, out: Any = None) -> ndarray:
    """Elements without their fractions."""
    return by_name["trunc"](x, out=out)


def real(val: Any) -> ndarray:
    """Real parts."""
    return val.real if isinstance(val, _NUMBERS) else as_array(val).real


def imag(val: Any) -> ndarray:
    """Imaginary parts."""
    return val.imag if isinstance(val, _NUMBERS) else as_array(val).imag


def angle(z: Any, deg: bool = False) -> ndarray:
    """Angles of complex numbers."""
    z = as_array(z)
    a = by_name["arctan2"](z.imag, z.real) if z.dtype.kind == "c" else by_name["arctan2"](0, z)
    return a * (180 / np.pi) if deg else a


def _in_the_loop(x: Any, y: Any, outputs: Any, casting: str, dtype: Any, signature: Any) -> tuple[ndarray, ndarray]:
    """The operands of divmod in the types of its loop, which NumPy finds or says why there is none."""
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
    """Each output has the shape that all operands have together; else NumPy says what is wrong."""
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
    x1: Any, x2: Any, /, out: Any = (None, None), *, where: Any = True, casting: str = "same_kind", order: str = "K",
    dtype: Any = None, subok: bool = True, signature: Any = None,
) -> tuple[ndarray, ndarray]:  # fmt: skip
    """Quotient and remainder."""
    if ufunc_methods.asks(x1, x2, *(out if isinstance(out, tuple) else ())):
        told = {"out": out, "where": where, "casting": casting, "order": order, "dtype": dtype, "subok": subok}
        return ufunc_methods.by_protocol("divmod", "__call__", x1, x2, **told, signature=signature)
    first, second = outputs = ufunc_methods.two_outputs(out)
    x, y = (v if type(v) in (bool, int, float, complex) else as_array(v) for v in (x1, x2))
    if (
        first is second is None
        and where is True
        and (casting, order, dtype, signature) == ("same_kind", "K", None, None)
    ):
        x = x if type(y) is ndarray else as_array(x)
        if any(v.ndim for v in (x, y) if type(v) is ndarray):
            return builtins.divmod(x, y)
        # Operators on scalars go by another name.
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
    if where is not True and x.dtype.kind in "iuf":  # what is left out raises no conditions
        x, y = _select(where, x, x.dtype.type(1)), _select(where, y, y.dtype.type(1))
    quotient, rest = builtins.divmod(x, y)
    return written(quotient, first, where, casting, order), written(rest, second, where, casting, order)


_NO_OUTPUTS = (None, None)


@_core.function
def modf(
    x: Any, /, out: Any = _NO_OUTPUTS, *, where: Any = True, casting: str = "same_kind", order: str = "K",
    dtype: Any = None, subok: bool = True, signature: Any = None,
) -> tuple[ndarray, ndarray]:  # fmt: skip
    """Fractional and whole parts."""
    if ufunc_methods.asks(x, *(out if isinstance(out, tuple) else ())):
        told = {"out": out, "where": where, "casting": casting, "order": order, "dtype": dtype, "subok": subok}
        return ufunc_methods.by_protocol("modf", "__call__", x, **told, signature=signature)
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


def _ordered(x: Any) -> Any:
    """x, which is not complex."""
    kind = getattr(x, "dtype", None) or np.asarray(x).dtype
    if kind.kind == "c":
        raise TypeError(f"This operation is not supported for {kind} values because it would be ambiguous.")
    return x


def isposinf(x: Any, out: Any = None) -> ndarray:
    """Whether elements are positive infinity."""
    return by_name["equal"](_ordered(x), np.inf, out=out)


def isneginf(x: Any, out: Any = None) -> ndarray:
    """Whether elements are negative infinity."""
    return by_name["equal"](_ordered(x), -np.inf, out=out)


def isreal(x: Any) -> ndarray:
    """Whether elements have no imaginary part."""
    return imag(x) == 0


def iscomplex(x: Any) -> ndarray:
    """Whether elements have an imaginary part."""
    return imag(as_array(x)) != 0


def isrealobj(x: Any) -> bool:
    """Whether the type is not complex."""
    return not iscomplexobj(x)


def iscomplexobj(x: Any) -> bool:
    """Whether the type is complex."""
    try:
        kind = x.dtype.type  # of pandas' own, too
    except AttributeError:
        kind = as_host(x).dtype.type
    return issubclass(kind, np.complexfloating)


def real_if_close(a: Any, tol: float = 100) -> ndarray:
    """The real parts of complex numbers whose imaginary parts are all within tolerance of zero, else the array itself."""
    a = as_array(a)
    if a.dtype.kind != "c":
        return a
    limit = np.finfo(a.dtype).eps * tol if tol > 1 else tol
    return a.real if bool((by_name["absolute"](a.imag) < limit).all()) else a


def nan_to_num(x: Any, copy: bool = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> ndarray:
    """NaN and infinities replaced by numbers."""
    a = as_array(x) if copy else asarray(x, copy=False)
    if a.dtype.kind == "c":
        r = a.copy() if copy else a
        nan_to_num(r.real, False, nan, posinf, neginf)
        nan_to_num(r.imag, False, nan, posinf, neginf)
        return as_value(r)
    if a.dtype.kind != "f":
        return as_value(a.copy() if copy else a)
    limits = np.finfo(a.dtype)
    top, bottom = limits.max if posinf is None else posinf, limits.min if neginf is None else neginf
    r = _select(by_name["isnan"](a), a.dtype.type(nan), a)
    r = _select(isposinf(a), a.dtype.type(top), _select(isneginf(a), a.dtype.type(bottom), r))
    if copy:
        return r
    a[...] = r
    return as_value(a)


def isclose(a: Any, b: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: bool = False) -> ndarray:
    """Whether elements are equal within tolerances."""
    # Python's numbers stay what they are: they take the type of the arrays.
    x, y, atol, rtol = (v if isinstance(v, (int, float, complex)) else as_array(v) for v in (a, b, atol, rtol))
    if type(y) is ndarray and y.dtype.kind != "m":
        y = y.astype(np.result_type(y.dtype, np.float16 if y.dtype.kind in "fc" else np.float64), copy=False)
    elif isinstance(y, int):
        y = float(y)
    isfinite = by_name["isfinite"]
    if not all((isfinite if type(t) is ndarray else np.isfinite)(t).all() for t in (atol, rtol)):
        _report_tolerances(f"One of rtol or atol is not valid, atol: {atol}, rtol: {rtol}")
    with np.errstate(invalid="ignore"):
        near = by_name["less_equal"](abs(x - y), atol + rtol * abs(y))
        r = (near & isfinite(y)) | (x == y)
        return r | (by_name["isnan"](x) & by_name["isnan"](y)) if equal_nan else r


def _report_tolerances(text: str) -> None:
    how = np.geterr()["invalid"]
    if how == "warn":
        warn(text)
    elif how == "raise":
        raise FloatingPointError(text)
    elif how == "print":
        print(text)


def allclose(a: Any, b: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: bool = False) -> bool:
    """Whether all elements are equal within tolerances."""
    return bool(isclose(a, b, rtol, atol, equal_nan).all())


def array_equal(a1: Any, a2: Any, equal_nan: bool = False) -> bool:
    """Whether two arrays have one shape and equal elements."""
    try:
        x, y = as_arrays(a1, a2)
    except TypeError:
        return in_numpy(
            np.array_equal, (a1, a2), {"equal_nan": equal_nan}, "array_equal", "types that arrays do not hold"
        )
    except ValueError:
        return False
    if x.shape != y.shape:
        return False
    same = x == y
    if equal_nan and x.dtype.kind in "fcmM" and y.dtype.kind in "fcmM":
        same = same | ((x != x) & (y != y))
    return bool(same.all())


def array_equiv(a1: Any, a2: Any) -> bool:
    """Whether two arrays are equal after broadcasting."""
    try:
        x, y = as_arrays(a1, a2)
    except TypeError:
        return in_numpy(np.array_equiv, (a1, a2), {}, "array_equiv", "types that arrays do not hold")
    except ValueError:
        return False
    try:
        np.broadcast_shapes(x.shape, y.shape)
    except ValueError:
        return False
    return bool((x == y).all())


def sinc(x: Any) -> ndarray:
    """sin(pi x) / (pi x), one at zero."""
    x = as_array(x) * np.pi
    small = np.finfo(x.dtype).eps if x.dtype.kind == "f" else 1e-20
    y = _select(x == 0, x.dtype.type(small), x)
    return by_name["sin"](y) / y
