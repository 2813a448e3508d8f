"""The one wrapper of each public method: arguments that pandas deprecates, metadata, and pandas where native code ends."""

from __future__ import annotations

import functools
import inspect
import sys
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from .._theirs import is_loaded, load, pandas
from .as_pandas import PandasObject
from .calls import call as call_pandas
from .carried import finish
from .chained import IN_PLACE, check_method
from .deprecations import DEPRECATED, of_keywords
from .native import NotNative, arguments_of
from .positional import ALLOWED, by_keyword

# Members whose results have no metadata of the object, or set their own.
_AS_THEY_ARE = frozenset(
    "pipe to_pandas merge join items iterrows itertuples keys set_flags get_group memory_usage value_counts".split()
    + "__array__ __contains__ __delitem__ __setitem__ __iter__ __len__ __bool__ __repr__ __init__ __new__ __reduce__".split()
)
_OPERATORS = frozenset(
    [
        f"__{side}{op}__"
        for side in ("", "r")
        for op in "add sub mul truediv floordiv mod pow divmod and or xor matmul".split()
    ]
    + [f"__{op}__" for op in "eq ne lt le gt ge".split()]
)
_SPECIAL = _OPERATORS | frozenset(
    "__getitem__ __neg__ __pos__ __abs__ __invert__ __round__ __array_ufunc__ __copy__ __deepcopy__ __call__".split()
)
# Methods, by dimensions of the object, whose results in pandas get the class but no metadata.
_CLASS_ONLY = frozenset((("dot", 1), ("dot", 2), ("combine", 1), ("quantile", 1)))
_RELABELLING = frozenset(("rename", "reset_index", "set_index"))
# Methods of groups that pandas computes group by group, and of no groups makes a new object.
_BY_APPLY = frozenset(
    "apply corr corrwith cov is_monotonic_decreasing is_monotonic_increasing nlargest nsmallest unique".split()
)
_PROPERTIES = ("T", "is_monotonic_increasing", "is_monotonic_decreasing")  # whose results are rows


def _is_extension(dtype: Any) -> bool:
    return pandas.core.dtypes.common.is_1d_only_ea_dtype(dtype)


def _check_bools(given: dict[str, Any], method: tuple[str, int]) -> None:
    """ValueError unless the options that decide about in-place changes or new labels are booleans."""
    for name in ("inplace", "ignore_index") if method in (("dropna", 1), ("drop_duplicates", 2)) else ("inplace",):
        value = given.get(name)
        if value is not None and not isinstance(value, (bool, np.bool_)):
            raise ValueError(f'For argument "{name}" expected type bool, received type {type(value).__name__}.')


def _takes_notes(name: str, ndim: int, args: tuple, kwargs: dict[str, Any], dtype: Any = None) -> bool:
    """Whether pandas' result of a method takes over the attrs of its object."""
    if ndim == 2 and name in ("agg", "aggregate"):
        func = args[0] if args else kwargs.get("func")
        return func is not None and not isinstance(func, dict)
    if name == "pivot":
        return isinstance(kwargs.get("values", []), list)
    if (name, ndim) == ("explode", 1):  # values that may be lists, and extension types, make another object
        return isinstance(dtype, np.dtype) and dtype != np.dtype(object)
    if (name, ndim) == ("unstack", 1):
        return _is_extension(dtype)
    return (name, ndim) not in _CLASS_ONLY


def _finished(self: Any, name: str, out: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
    """The result of a method of an object with metadata."""
    if isinstance(out, PandasObject) and out.__dict__.pop("_bare", False):
        return finish(self, out, False)
    dtype = self._column.dtype if self.ndim == 1 else None
    return finish(self, out, _takes_notes(name, self.ndim, args, kwargs, dtype))


def _has_notes(name: str, unnoted: frozenset[str], args: tuple, kwargs: dict[str, Any]) -> bool:
    """Whether a result of a group or window has attrs; an aggregation by name follows the method of that name."""
    func = args[0] if args else kwargs.get("func")
    if name in ("agg", "aggregate"):
        named = list(func.values()) if isinstance(func, dict) else []
        return bool(named) and all(isinstance(how, str) and how not in unnoted for how in named)
    return name not in unnoted and not (name == "transform" and isinstance(func, str) and func in unnoted)


def _parameters(f: Callable[..., Any]) -> tuple[str, ...]:
    """Names of the parameters of a function, or of the one that it wraps; inspect.signature takes many times as long."""
    code = inspect.unwrap(f).__code__
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]


def _own_code(f: Callable[..., Any]) -> tuple[Callable[..., Any], bool]:
    """The function inside `native`, and whether there is one: the wrapper here does the same."""
    inner = f.__dict__.get("__bascule_native__")
    return (f, False) if inner is None else (inner, True)


def _is_of_the_call(error: TypeError) -> bool:
    """Whether arguments do not fit a method, and its name is not yet that of pandas' method, which the error is to show."""
    here = error.__traceback__
    if is_loaded() or here is None or here.tb_next is not None:
        return False
    load()
    return True


def _operator(f: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(f)
    def operator(self: Any, other: Any) -> Any:
        out = f(self, other)
        if self._plain and getattr(other, "_plain", True):
            return out
        made = finish(self, out)
        return made.__finalize__(other) if isinstance(other, PandasObject) and isinstance(made, PandasObject) else made

    return operator


def _asked(f: Callable[..., Any], name: str, passes_on: bool) -> Callable[..., tuple[tuple, dict[str, Any]]] | None:
    """A function that prepares the arguments of a method of rows; None where there is nothing to prepare."""
    names = _parameters(f)
    reported, allowed = DEPRECATED.intersection(names), ALLOWED.get(name, sys.maxsize)
    in_place = passes_on and "inplace" in names
    if not reported and allowed == sys.maxsize:
        return None

    def prepared(self: Any, args: tuple, kwargs: dict[str, Any]) -> tuple[tuple, dict[str, Any]]:
        if kwargs and in_place and (name, self.ndim) != ("rename", 2):  # where pandas accepts any value as a boolean
            _check_bools(kwargs, (name, self.ndim))
        if kwargs and not reported.isdisjoint(kwargs):
            of_keywords(self, name, kwargs)
        return by_keyword(self, name, args, kwargs) if len(args) > allowed else (args, kwargs)

    return prepared


def _with_notes(f: Callable[..., Any], name: str) -> Callable[..., Any]:
    """A call of a method of rows that have metadata, which its result takes over."""

    def noted(self: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
        if name in _RELABELLING and self.ndim == 2 and kwargs.get("inplace") and not self._may_repeat():
            raise ValueError("Cannot specify 'inplace=True' when 'self.flags.allows_duplicate_labels' is False.")
        out = f(self, *args, **kwargs)
        return out if self._plain else _finished(self, name, out, args, kwargs)

    return noted


def _of_rows(f: Callable[..., Any], name: str) -> Callable[..., Any]:
    """A method of frames or series whose result takes over their metadata, if they have any.

    One that is `native` runs in pandas where its own code raises NotNative.
    """
    inner, is_native = _own_code(f)
    table = arguments_of(f)
    prepared, changes, noted = _asked(f, name, True), name in IN_PLACE, _with_notes(f, name)

    @functools.wraps(f)
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        if changes:
            check_method(name, sys.getrefcount(self), self, kwargs)
        if prepared is not None and (args or kwargs):
            args, kwargs = prepared(self, args, kwargs)
        if not self._plain:
            return noted(self, args, kwargs)
        try:
            if table is not None and (args or kwargs):
                table.check(args, kwargs)
            return inner(self, *args, **kwargs)
        except NotNative as why:
            if not is_native:
                raise
            reason = why.reason
        except TypeError as error:
            if not _is_of_the_call(error):
                raise
            return f(self, *args, **kwargs)
        return call_pandas(self, name, args, kwargs, reason)

    return method


def _warning(f: Callable[..., Any], name: str) -> Callable[..., Any]:
    """A method of frames or series that warns of deprecated arguments; bare where it has none."""
    prepared = _asked(f, name, False)
    if prepared is None:
        return f

    @functools.wraps(f)
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        args, kwargs = prepared(self, args, kwargs)
        return f(self, *args, **kwargs)

    return method


def _of_part(f: Callable[..., Any], owner_name: str, unnoted: frozenset[str]) -> Callable[..., Any]:
    """A method of groups, windows or indexers, whose result takes over the metadata of the rows."""

    @functools.wraps(f)
    def method_of_part(self: Any, *args: Any, **kwargs: Any) -> Any:
        out = f(self, *args, **kwargs)
        owner = getattr(self, owner_name)
        bare = isinstance(out, PandasObject) and out.__dict__.pop("_bare", False)
        if owner._plain:
            return out
        of_none = not self._groups.count if f.__name__ in _BY_APPLY or f.__name__ == "describe" else False
        bare = bare or (of_none and f.__name__ in _BY_APPLY)
        unstacked = f.__name__ == "describe" and (of_none or any(map(_is_extension, out.dtypes)))
        if (_has_notes(f.__name__, unnoted, args, kwargs) or unstacked) and not bare:
            return finish(owner, out)
        out = finish(owner, out, False)
        if isinstance(out, PandasObject) and (bare or f.__name__ in unnoted):
            out.__dict__.pop("_attrs", None)
        return out

    return method_of_part


def _wrapped(f: Callable[..., Any], name: str, owner_name: str | None, unnoted: frozenset[str]) -> Callable[..., Any]:
    if f.__name__ in _OPERATORS:
        return _operator(f)
    return _of_rows(f, f.__name__) if owner_name is None else _of_part(f, owner_name, unnoted)


def finish_results(
    own: type, owner_name: str | None = None, but: tuple[str, ...] = (), unnoted: str = "", also: tuple[str, ...] = ()
) -> None:
    """Let all methods of a class, `but` some, pass on the metadata of the object, or of the one that it belongs to.

    Results of `unnoted` methods have no attrs, as in pandas; `also` names methods whose results others return unchanged.
    Methods that have a wrapper already keep it: the class is gone through again when fallbacks have been added to it.
    """
    without_notes = frozenset(unnoted.split())
    members: dict[str, Any] = {}
    for c in reversed(own.__mro__[:-1]):
        members.update(vars(c))
    for name, found in members.items():
        if name[0] == "_" and name not in _SPECIAL and name not in also:
            continue
        passes_on = (name not in _AS_THEY_ARE or name in also) and name not in but
        if isinstance(found, types.FunctionType):
            if found.__dict__.get("__bascule_wrapped__") or not (passes_on or owner_name is None):
                continue
            made = _wrapped(found, name, owner_name, without_notes) if passes_on else _warning(found, name)
            if made is not found:
                made.__bascule_wrapped__ = True  # type: ignore[attr-defined]
                setattr(own, name, made)
        elif isinstance(found, property) and name in _PROPERTIES and not hasattr(found.fget, "__bascule_wrapped__"):
            if owner_name is None and name != "T":
                continue  # of a series it is a boolean
            get: Any = found.fget
            made = _of_rows(get, name) if owner_name is None else _of_part(get, owner_name, without_notes)
            made.__bascule_wrapped__ = True  # type: ignore[attr-defined]
            setattr(own, name, property(made, doc=found.__doc__))
