"""Protocols by which other libraries use an array: NumPy's dispatch, the Array API, copy, iteration."""

from __future__ import annotations

import builtins
import functools
import importlib
import sys
import types
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex, overload

import numpy as np

from .. import _core, fallback
from .._array import conversion
from .._array import printing as text
from .._array import subclasses as derived
from .._array import ufuncs as known
from .._array.ufuncs import by_name, special_by_name, ufunc
from ..lib import creation
from . import mode, numpys_calls

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import DTypeLike

    from .._array.types import _ArrayLike, _ArrayOrScalar, _ArrayT, _ShapeLike


ndarray = _core.ndarray
_REAL = np.dtype(np.float64)
_SCIPYS = {*special_by_name.values(), by_name["erf"], by_name["erfc"]}
_PLAIN = frozenset({ndarray, np.ndarray, int, float, np.float64, np.float32, np.int64, np.int32, np.uint8, np.bool})
_KNOWN = (ndarray, np.ndarray, np.generic, int, float, complex, bool, list, tuple)


def _array(self: Any, /, dtype: DTypeLike | None = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
    if self.device.startswith("cuda"):
        raise TypeError(conversion.on_device(self))
    view = conversion.host_view(self)
    if dtype is not None and np.dtype(dtype) != view.dtype:
        if copy is False:
            raise ValueError("Unable to avoid copy while creating an array as requested.")
        return view.astype(dtype)
    return view.copy() if copy else view


def _understood(x: Any) -> bool:
    return isinstance(x, _KNOWN) or getattr(type(x), "__array_ufunc__", None) is None


def _array_ufunc(self: Any, /, function: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
    try:
        return _ufunc_of_ours(function, method, *inputs, **kwargs)
    except _core.RefusedDtype as error:
        name = function.__name__ if method == "__call__" else f"{function.__name__}.{method}"
        return numpys_calls.asked(error, sys._getframe(1), getattr(function, method), name, inputs, kwargs)


def _ufunc_of_ours(function: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
    if not kwargs and method == "__call__" and _PLAIN.issuperset(map(type, inputs)):
        ours = known.ours(function)
        if ours is not None and ours not in _SCIPYS:
            return ours(*inputs)
    out = kwargs.get("out", ())
    if builtins.any(map(conversion.is_derived, (*inputs, *out))):
        return derived.computed(function, method, inputs, kwargs)
    strange = [x for x in (*inputs, *out) if not _understood(x)]
    if strange:
        return _asked(strange, function, method, inputs, kwargs)
    if builtins.any(isinstance(o, np.ndarray) for o in out):
        host = map(conversion.seen_by_numpy, inputs)
        if "where" in kwargs:
            kwargs["where"] = conversion.seen_by_numpy(kwargs["where"])
        kwargs["out"] = tuple(map(conversion.seen_by_numpy, out))
        given = getattr(function, method)(*host, **kwargs)
        return given if len(out) == 1 else tuple(g if o is None else o for g, o in zip(given, out))
    if len(out) == 1:
        kwargs["out"] = out[0]
    call, name = getattr(function, method), function.__name__
    ours = known.ours(function)
    if ours is None or not hasattr(type(ours), method) or _complex_only_there(ours, inputs):
        library = known.library_of(function)
        label = name if method == "__call__" else f"{name}.{method}"
        if library is None:  # a ufunc of a program or of numba, which bascule does not lack
            return fallback.on_shared_memory(call, inputs, kwargs, label, "it is another library's")
        return fallback.in_numpy(call, inputs, kwargs, label, library=library)
    if method == "__call__":
        return ours(*inputs, **kwargs)
    return getattr(ours, method)(*inputs, **kwargs)


def _asked(strange: list[Any], function: Any, method: str, inputs: tuple, kwargs: dict) -> Any:
    """The result of another library's class for a ufunc on arrays of ours, or else on NumPy's over the same memory.
    Classes that know only NumPy's arrays, as pandas' do, leave it to any other class.
    """

    def answer(operands: Any) -> Any:
        for x in strange:
            r = type(x).__array_ufunc__(x, function, method, *operands, **kwargs)
            if r is not NotImplemented:
                return r
        return NotImplemented

    r = answer(inputs)
    if r is not NotImplemented or builtins.any(type(x) is ndarray and x.device.startswith("cuda") for x in inputs):
        return r
    return answer([conversion.seen_by_numpy(x) for x in inputs])


def _complex_only_there(ours: Any, inputs: tuple) -> bool:
    """Whether an input is complex and our function, one of SciPy's, has no complex loop, though SciPy's may."""
    if not (ours in _SCIPYS and builtins.any(getattr(x, "dtype", _REAL).kind == "c" for x in inputs)):
        return False
    return not builtins.any(t.endswith("D") for t in ours.types)


_implementations: dict[Any, Any] = {}


def _public() -> Iterator[tuple[Any, Any, Any]]:
    """NumPy's modules, ours, and the public names; each module is loaded only when it is reached."""
    import bascule

    yield np, bascule, bascule.__all__
    for theirs, name in ((np.linalg, "linalg"), (np.fft, "fft")):
        ours = getattr(bascule, name)
        yield theirs, ours, ours.__all__
    tricks = bascule.lib.stride_tricks
    yield np.lib.stride_tricks, tricks, tricks.__all__
    yield np.emath, bascule.emath, bascule.emath.__all__


def _find_implementations() -> dict[Any, Any]:
    for module, own, names in _public():
        for name in names:
            theirs, ours = getattr(module, name, None), getattr(own, name)
            if callable(theirs) and callable(ours) and theirs is not ours and not isinstance(theirs, (type, np.ufunc)):
                _implementations[theirs] = ours
    return _implementations


@functools.cache
def _implementation(function: Any) -> Any:
    """Our function for one of NumPy's: by its name, or else by searching all modules, which loads them."""
    name = getattr(function, "__name__", "")
    for module, own, names in _public():
        if getattr(module, name, None) is function and name in names:
            ours = getattr(own, name)
            return None if ours is function else ours
    return (_implementations or _find_implementations()).get(function)


@functools.cache
def _asks_operands(function: Callable[..., Any]) -> Any:
    """NumPy's function for one of ours, given by its implementation, if it dispatches on its operands; else None."""
    name = function.__name__
    for module, own, names in _public():
        found = vars(own).get(name)
        if name in names and getattr(found, "__wrapped__", found) is function:
            theirs = getattr(module, name, None)
            return theirs if hasattr(theirs, "_implementation") else None
    return None


@functools.cache
def counterpart(function: Callable[..., Any]) -> Any:
    """NumPy's counterpart of one of our functions, given by itself or by its implementation; None if it has none."""
    for module, own, names in _public():
        for name in names:
            found = vars(own).get(name)
            if found is not None and (found is function or getattr(found, "__wrapped__", None) is function):
                return getattr(module, name, None)
    return None


def by_numpys_function(function: Callable[..., Any], args: tuple, kwargs: dict[str, Any]) -> Any:
    """The result of NumPy's function of the same name for operands of other libraries; NotImplemented without such."""
    if _is_recorded((args, kwargs.values())):
        return NotImplemented
    if kwargs.get("like") is not None:  # it makes the array, or NumPy's error says that it cannot (NEP 35)
        return counterpart(function)(*args, **kwargs)
    theirs = _asks_operands(function)
    if theirs is None:
        return NotImplemented
    try:
        return theirs(*args, **kwargs)
    except TypeError as error:
        if not str(error).startswith("no implementation found"):
            raise
        answer = _asked_of_ours(theirs, args, kwargs)
        if answer is NotImplemented:
            raise
        return answer


def _asked_of_ours(theirs: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
    """The operands' result for our function, where they do not know NumPy's.

    In a program whose `np` is bascule, an operand's table of functions holds ours.
    """
    ours = _implementation(theirs)
    asked: list[Any] = []
    for x in (*args, *kwargs.values()):
        for each in x if isinstance(x, (list, tuple)) else (x,):
            known = type(each) in map(type, asked) or type(each) is ndarray or isinstance(each, np.ndarray)
            if not known and hasattr(type(each), "__array_function__"):
                before = next((k for k, v in enumerate(asked) if isinstance(each, type(v))), len(asked))
                asked.insert(before, each)
    for x in asked if ours is not None else ():
        answer = type(x).__array_function__(x, ours, tuple(map(type, asked)), args, kwargs)
        if answer is not NotImplemented:
            return answer
    return NotImplemented


def _is_recorded(x: Any) -> bool:
    """Whether an operand is a stand-in of ours, which records the operations on it."""
    if isinstance(x, (list, tuple, type({}.values()))):
        return builtins.any(map(_is_recorded, x))
    ours = type(x).__module__.partition(".")[0] == "bascule"
    return ours and type(x) is not ndarray and hasattr(type(x), "__array_function__")


def overridable(module: Any, name: str, theirs: Any) -> Any:
    """Make a function of a module dispatch on operands of other libraries first, as NumPy's of that name does."""
    found = getattr(module, name)
    if type(found) is not types.FunctionType or not callable(theirs) or found is theirs:  # some are NumPy's own
        return found
    made = _core.overridable(found)
    home = sys.modules.get(found.__module__)
    for place in (module, home):
        if getattr(place, found.__name__, None) is found:
            setattr(place, found.__name__, made)
    return made


def _array_function(
    self: Any, func: Callable[..., Any], types: Iterable[type], args: Iterable[Any], kwargs: dict[str, Any]
) -> Any:
    for name, given, kind in (("args", args, tuple), ("kwargs", kwargs, dict)):
        if not isinstance(given, kind):
            raise TypeError(f"{name} must be a {kind.__name__}.")
    return _answer_function(self, func, types, args, kwargs, sys._getframe(1))


def _answer_function(
    self: Any,
    function: Callable[..., Any],
    types: Iterable[type],
    args: Iterable[Any],
    kwargs: dict[str, Any],
    caller: types.FrameType,
) -> Any:
    if not builtins.all(issubclass(t, (ndarray, np.ndarray)) for t in types):
        return NotImplemented
    if function in _FOR_COMPILED and _for_compiled_code(caller) and not numpys_calls.on_device(args):
        return function(*map(conversion.seen_by_numpy, args), **kwargs)
    if builtins.any(map(conversion.is_derived_class, types)):
        return fallback.on_shared_memory(function, args, kwargs, function.__name__, "is asked about a derived class")
    try:
        return _function_of_ours(self, function, args, kwargs)
    except _core.RefusedDtype as error:
        return numpys_calls.asked(error, caller, function, function.__name__, args, kwargs)


# By these SciPy's minimisers make sure of what a user's functions return, before compiled code is given it that takes NumPy's
# class alone: over the same memory it is NumPy's.
_FOR_COMPILED = (np.atleast_1d, np.atleast_2d)


def _for_compiled_code(frame: types.FrameType) -> bool:
    name = frame.f_globals.get("__name__", "")
    return name.startswith("scipy.optimize.") and "._lsq." not in name  # least squares are Python, and keep our arrays


def _function_of_ours(self: Any, function: Callable[..., Any], args: Iterable[Any], kwargs: dict[str, Any]) -> Any:
    ours = _implementation(function)
    if ours is not None:
        if "like" in (getattr(ours, "__kwdefaults__", None) or ()):
            kwargs = {**kwargs, "like": self}  # NumPy removed the argument when it called this array
        return ours(*args, **kwargs)
    return fallback.in_numpy(function, args, kwargs, getattr(function, "__name__", str(function)))


def _array_namespace(self: Any, /, *, api_version: str | None = None) -> Any:
    if api_version not in (None, "2021.12", "2022.12", "2023.12", "2024.12", "2025.12"):
        raise ValueError(f"[__array_namespace__] version {api_version!r} of the Array API is not supported")
    return importlib.import_module("bascule.array_api")


_XARRAYS_FUNCTIONS = ("xarray.compat.array_api_compat", "xarray.core.duck_array_ops")


def _takes_less(frame: types.FrameType, x: Any) -> bool:
    """Whether it is code of xarray that treats arrays with `__array_namespace__` as if they could only do what the standard
    has: without indexing by points, and with only those labels that they hold themselves. In the accelerated mode all are
    treated as NumPy's."""
    name = frame.f_globals.get("__name__")
    if name != _XARRAYS_FUNCTIONS[0]:
        return name == "xarray.core.indexing"
    if x.device.startswith("cuda"):
        return False
    asker: types.FrameType | None = frame
    while not mode.on and asker is not None and asker.f_globals["__name__"] in _XARRAYS_FUNCTIONS:
        if asker.f_code.co_name in ("to_like_array", "where", "as_shared_dtype"):  # which put labels next to arrays
            return True
        asker = asker.f_back
    return mode.on


class _Namespace:
    """`__array_namespace__`, which is hidden from some modules of xarray."""

    __wrapped__ = staticmethod(_array_namespace)

    def __get__(self, x: Any, owner: type | None = None) -> Any:
        if x is None:
            return _array_namespace
        if _takes_less(sys._getframe(1), x):
            raise AttributeError("__array_namespace__")
        return types.MethodType(_array_namespace, x)


def _contains(self: Any, value: Any) -> bool:
    return bool((self == value).any())


def _complex(self: Any, /) -> complex:
    if self.ndim:
        raise TypeError("only 0-dimensional arrays can be converted to Python scalars")
    return complex(_core.item(self, 0))


@overload
def _round(self) -> int: ...
@overload
def _round(self, digits: SupportsIndex) -> _ArrayOrScalar: ...
def _round(self: Any, digits: Any = None) -> Any:
    if not _core.is_scalar(self):
        raise TypeError("type bascule.ndarray doesn't define __round__ method")
    if self.dtype.kind in "bc":
        raise TypeError(f"type numpy.{self.dtype.name} doesn't define __round__ method")
    if digits is None and self.dtype.kind not in "mM":
        return round(_core.item(self, 0))
    return self.round(digits or 0)


def _copy(self: _ArrayT, /) -> _ArrayT:
    r = _core.astype(self, self.dtype, True, "K")
    return _core.keep_scalar(r) if _core.is_scalar(self) else r


def _repr(self: Any, /) -> str:
    return text.shown(self)  # whose module is executed with the first array that is shown


def _str(self: Any, /) -> str:
    return text.as_text(self)


def _format(self: Any, spec: str) -> str:
    return text.array_format(self, spec)


def _repr_html(self: Any) -> str | None:
    from .._array import html_repr as notebooks

    return notebooks.array_html(self)


def _repr_inline(self: Any, max_width: int) -> str:
    """The elements in one line, for xarray's lists of variables."""
    from xarray.core import formatting

    return formatting.format_array_flat(_core.to_numpy(self), max_width)


def _deepcopy(self: _ArrayT, /, memo: dict[int, Any]) -> _ArrayT:
    return _copy(self)


def _dask_tokenize(self: Any) -> tuple:
    from ..dask._chunks import tokenize

    return tokenize(self)


def _new(
    cls: type[_ArrayT],
    shape: _ShapeLike,
    dtype: DTypeLike = float,
    buffer: Any = None,
    offset: int = 0,
    strides: Sequence[int] | None = None,
    order: Literal["C", "F"] | None = None,
) -> _ArrayT:
    if cls is not ndarray:
        return derived.make(cls, shape, dtype, buffer, offset, strides, order)
    try:
        return _new_of_ours(shape, dtype, buffer, offset, strides, order)
    except _core.RefusedDtype as error:
        given = (shape, dtype, buffer, offset, strides, order)
        return numpys_calls.asked(error, sys._getframe(1), np.ndarray, "ndarray", given, {})


def _new_of_ours(shape: Any, dtype: Any, buffer: Any, offset: Any, strides: Any, order: Any) -> Any:
    if buffer is None and strides is None and offset == 0:
        return creation.empty(shape, dtype, order or "C")
    if (made := getattr(buffer, "__bascule_array__", None)) is not None:  # device memory with an address
        if isinstance(offset, (tuple, list)):  # CuPy's fourth argument
            offset, strides = 0, offset
        if offset or order not in (None, "C"):
            raise ValueError("[ndarray] an array over an address begins there, in C order or by strides")
        return made(shape, dtype, strides)
    if type(buffer) is ndarray:
        buffer = conversion.host_view(buffer)
    return _core.from_numpy(np.ndarray(shape, dtype, buffer, offset, strides, order), "cpu", True)


def _class_getitem(cls: type, item: Any, /) -> types.GenericAlias:
    count = len(item) if isinstance(item, tuple) else 1
    if not 0 < count < 3:
        raise TypeError(f"Too {'many' if count else 'few'} arguments for bascule.ndarray")
    return types.GenericAlias(cls, item)


def _array_finalize(self: Any, obj: Any, /) -> None:
    """Do nothing, as the class has no subclasses."""


def _array_wrap(self: Any, array: _ArrayLike, context: Any = None, return_scalar: bool = True, /) -> ndarray:
    r = conversion.as_array(array, self)
    return conversion.as_value(r) if return_scalar else r


def install() -> None:
    """Put the protocols on the type."""
    numpys_calls.set_counterpart(counterpart)
    ndarray.__new__ = _new
    ndarray.__class_getitem__ = classmethod(_class_getitem)
    ndarray.__array_finalize__ = _array_finalize
    ndarray.__array_wrap__ = _array_wrap
    ndarray.__dask_tokenize__ = _dask_tokenize
    ndarray.__array__ = _array
    _core.set_general_form("__array_ufunc__", _array_ufunc)
    ndarray.__array_function__ = _array_function
    ndarray.__array_namespace__ = _Namespace()
    ndarray.__contains__ = _contains
    ndarray.__complex__ = _complex
    ndarray.__round__ = _round
    ndarray.__copy__ = _copy
    ndarray.__deepcopy__ = _deepcopy
    ndarray.__repr__ = _repr
    ndarray.__str__ = _str
    ndarray._repr_html_ = _repr_html
    ndarray._repr_inline_ = _repr_inline
    ndarray.__format__ = _format
    ndarray.__module__ = ufunc.__module__ = "bascule"
