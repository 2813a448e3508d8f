"""Conversion between bascule arrays, NumPy arrays and other objects."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from .. import _core
from .._core import ndarray
from . import caller_warnings as warned


def is_array(x: Any) -> bool:
    """Whether x is a bascule array."""
    return type(x) is ndarray


def device_of(*xs: Any) -> str | None:
    """Device of the first bascule array among the arguments, or None."""
    for x in xs:
        if type(x) is ndarray:
            return x.device
    return None


_FLOAT64, _INT64 = np.dtype(np.float64), np.dtype(np.int64)
_NUMBERS = {None: None, float: _FLOAT64, np.float64: _FLOAT64, int: _INT64, np.int64: _INT64}


def numbers_from(x: Any, dtype: Any) -> ndarray | None:
    """A short list or tuple of numbers, or of such lists, as an array; None where NumPy has to convert it."""
    if (dtype is not None and type(dtype) is not type) or dtype not in _NUMBERS:
        return None
    r, wanted = _core.numbers_in_list(x), _NUMBERS[dtype]
    if r is None or wanted is None or r.dtype == wanted:
        return r
    # NumPy also rounds integers of more than 53 bits once, straight to float64.
    return r.astype(wanted) if wanted is _FLOAT64 and r.dtype == _INT64 else None


def as_array(x: Any, like: Any = None) -> ndarray:
    """x as a bascule array: itself, or a copy on the device of `like` (the default device without one)."""
    if type(x) is ndarray:
        return x
    if (r := _core.numbers_for(x, like)) is not None:
        return r
    where = like.device if type(like) is ndarray else None
    if is_derived(x):
        refuse_derived(x, where)
    n = as_host(x)
    return n if type(n) is ndarray else _core.from_numpy(native(n, where), where)


def refuse_derived(x: Any, where: str | None) -> None:
    """Refuse an array of a derived class on the CPU device, where NumPy computes with it by the rules of the class."""
    if (where or _core.get_default_device()) == "cpu":
        raise _core.RefusedDtype(f"bascule arrays are of no derived class, as {type(x).__name__} is")


def native(n: np.ndarray, where: str | None) -> np.ndarray:
    """n itself; refused on the CPU device if its byte order is not the machine's, because NumPy computes with such
    arrays."""
    if not n.dtype.isnative and n.dtype.kind in "iufcmM" and (where or _core.get_default_device()) == "cpu":
        _core.empty((0,), n.dtype)  # raises for this byte order
    return n


def as_host(x: Any, dtype: Any = None, order: Any = None, copy: bool | None = None) -> Any:
    """numpy.asarray(x), or the bascule array that the __array__ of another class returns; `copy` is passed on to it."""
    try:
        if dtype is not None and np.dtype(dtype).char in "efF":  # numbers too large for the type give a warning
            return warned.at_users_line(np.asarray, x, dtype, order)
        return np.asarray(x, dtype, order)
    except ValueError as error:
        # NumPy reads attributes of single dates and durations in a sequence that only its own scalars have.
        single = isinstance(x, (list, tuple)) and "Could not convert object to NumPy" in str(error)
        if "__array__" not in str(error) and not single:
            raise
        if isinstance(x, (list, tuple)):
            return np.asarray(_made_inside(x), dtype, order)
        made = _from_protocol(x, copy)
        if type(made) is not ndarray:
            raise
        return made if dtype is None else made.astype(dtype, copy=False)


_NO_COPY_ARGUMENT = (
    "__array__ implementation doesn't accept a copy keyword, so passing copy={} failed. __array__ must implement 'dtype' and "
    "'copy' keyword arguments. To learn more, see the migration guide "
    "https://numpy.org/devdocs/numpy_2_0_migration_guide.html#adapting-to-changes-in-the-copy-keyword"
)


def _made_inside(x: Any) -> Any:
    """Nested sequences with each item that has __array__ replaced by the array that it returns."""
    if isinstance(x, (list, tuple)):
        return [_made_inside(v) for v in x]
    return x.__array__() if hasattr(type(x), "__array__") else x


def _from_protocol(x: Any, copy: bool | None) -> Any:
    """x.__array__(copy=copy), also of classes written before that argument existed."""
    if copy is None:
        return x.__array__()
    try:
        return x.__array__(copy=copy)
    except TypeError as error:
        if "unexpected keyword argument 'copy'" not in str(error):
            raise
    warned.warn(_NO_COPY_ARGUMENT.format(copy), DeprecationWarning)
    if not copy:
        raise ValueError(
            "Unable to avoid copy while creating an array as requested.\n" + _NO_COPY_ARGUMENT.format(copy)
        )
    return x.__array__().copy()


def as_arrays(*xs: Any) -> list[ndarray]:
    """The arguments as bascule arrays on one device."""
    like = next((x for x in xs if type(x) is ndarray), None)
    return [as_array(x, like) for x in xs]


def extents(shape: Any) -> list[int]:
    """A shape argument as a list of integers; anything else is refused with NumPy's message."""
    if isinstance(shape, (bool, float, np.bool, np.floating)):
        raise TypeError(f"expected a sequence of integers or a single integer, got '{shape!r}'")
    several = isinstance(shape, (tuple, list))
    if not several:
        several = getattr(shape, "ndim", 0) if hasattr(shape, "__index__") else np.ndim(shape)
    if several:
        if any(isinstance(n, (bool, np.bool)) for n in shape):
            raise TypeError("an integer is required")
        return [operator.index(n) for n in shape]
    return [operator.index(shape)]


def host_view(a: ndarray) -> np.ndarray:
    """A NumPy array over a CPU array's own memory."""
    if not a.device.startswith("cuda"):
        if a.dtype.kind in "mM":
            return np.asarray(_core.view(a, a.shape, a.strides, 0, np.dtype(np.int64))).view(a.dtype)
        return np.asarray(a)
    raise TypeError(on_device(a))


def seen_by_numpy(x: Any) -> Any:
    """An array of ours as a NumPy array over the same memory; any other object as it is."""
    return host_view(x) if type(x) is ndarray else x


def is_derived_class(t: type) -> bool:
    """Whether t is derived from NumPy's arrays and computes in its own way, so that its results are NumPy's."""
    return t is not np.ndarray and issubclass(t, np.ndarray) and not issubclass(t, np.memmap)


def is_derived(x: Any) -> bool:
    """Whether x is of such a class."""
    return is_derived_class(type(x))


def as_target(x: Any) -> Any:
    """An array to write to: for a NumPy array, which other libraries pass, an array of ours over its memory."""
    return _core.from_numpy(native(x, "cpu"), "cpu", share=True) if isinstance(x, np.ndarray) else x


def as_output(x: Any, what: str = "return arrays must be of ArrayType") -> Any:
    """The array that a result is to be written to; anything else is refused."""
    if not isinstance(x, (ndarray, np.ndarray)):
        raise TypeError(what)
    if isinstance(x, np.ndarray) and not is_held(x.dtype):
        _core.empty((0,), x.dtype)  # raises for this type
    return x


def on_device(a: ndarray) -> str:
    """The sentence of an error message that says how to copy an array off its device."""
    return f"the array is on {a.device}; implicit conversion to NumPy is not allowed: use .get() or .to_device('cpu')"


def to_numpy(a: ndarray) -> np.ndarray:
    """A NumPy copy, from any device; a scalar becomes an array without axes."""
    return _core.to_numpy(a)


def arrived(n: np.ndarray, device: str) -> ndarray:
    """An unpickled array on the device where it was pickled; an empty one is on the CPU if this process lacks that
    device."""
    try:
        return _core.from_numpy(n, device)
    except RuntimeError:
        if n.size:
            raise
        return _core.from_numpy(n, "cpu")


def is_held(t: np.dtype) -> bool:
    """Whether bascule arrays can hold elements of a type as they are."""
    return t.char in "?bBhHiIlLqQefdFDmM" and t.isnative


def from_result(r: Any, where: str | None = None, scalar: Any = _core.as_scalar) -> Any:
    """A result of NumPy with bascule arrays for its arrays and `scalar` applied to its scalars; containers are kept."""
    if isinstance(r, np.ndarray):
        if not is_held(r.dtype) or is_derived(r):
            return r
        return _core.from_numpy(r, where)
    if isinstance(r, np.generic):
        return scalar(_core.from_numpy(np.asarray(r), where)) if is_held(r.dtype) else r
    if isinstance(r, tuple) and hasattr(r, "_fields"):
        return type(r)(*(from_result(v, where, scalar) for v in r))
    if isinstance(r, (list, tuple)):
        return type(r)(from_result(v, where, scalar) for v in r)
    return r


def as_value(a: Any) -> Any:
    """A result; an array without axes becomes a scalar."""
    return _core.as_scalar(a) if a.ndim == 0 else a


def scalar_for(*operands: Any) -> Any:
    """The function that makes a scalar result of these operands: if one is an array without axes of the Array API, it
    makes such an array."""
    kept = any(type(x) is ndarray and _core.is_scalar(x) for x in operands)
    return (lambda a: _core.keep_scalar(as_array(a))) if kept else _core.as_scalar


def as_axisless(x: Any, like: Any = None) -> ndarray:
    """A scalar as the array without axes that NumPy returns in its place."""
    return as_array(x, like)[...]


def as_given(r: ndarray, x: Any) -> Any:
    """The result of a method for x, as a scalar if x is one of NumPy's scalars."""
    return as_value(r) if isinstance(x, np.generic) else r


def overflows(value: Any, t: np.dtype) -> bool:
    """Whether `value` is a finite Python number that overflows to infinity as a float or complex number of type `t`."""
    if type(value) not in (int, float, complex) or t.kind not in ("fc" if type(value) is not complex else "c"):
        return False
    return float(np.finfo(t).max) < max(abs(value.real), abs(value.imag)) < float("inf")
