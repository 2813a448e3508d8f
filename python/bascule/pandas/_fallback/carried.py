"""Metadata of frames and series: attrs, flags, and attributes that derived classes add."""

from __future__ import annotations

import functools
import inspect
import sys
import types
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import numpy as np
import pandas
from pandas.core.dtypes.common import is_1d_only_ea_dtype

from .chained import IN_PLACE, check_method

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


class Carried:
    """Attributes and flags of frames and series, and their propagation to results.

    `_plain` says that there is no metadata, the usual case, which must not cost time.
    """

    _plain = True
    _metadata: list[str] = []
    ndim: int

    @property
    def attrs(self) -> dict[Any, Any]:
        """Metadata set by the user, which results take over."""
        found = self.__dict__.get("_attrs")
        if found is None:
            self.__dict__["_plain"] = False
            found = self.__dict__["_attrs"] = {}
        return found

    @attrs.setter
    def attrs(self, value: Any) -> None:
        self.__dict__.update(_attrs=dict(value), _plain=False)

    @property
    def _flags(self) -> pandas.Flags:
        found = self.__dict__.get("_own_flags")
        if found is None or found._obj() is not self:
            keep = True if found is None else found._allows_duplicate_labels
            self.__dict__["_plain"] = False
            found = self.__dict__["_own_flags"] = pandas.Flags(self, allows_duplicate_labels=keep)
        return found

    @property
    def flags(self) -> pandas.Flags:
        """Flags that results take over; pandas has one: `allows_duplicate_labels`."""
        return self._flags

    def set_flags(self, *, copy: Any = pandas.api.extensions.no_default, allows_duplicate_labels: Any = None) -> Any:
        """A copy with other flags.

        Parameters
        ----------
        copy : bool
            Without effect, as in pandas.
        allows_duplicate_labels : bool, optional

        Raises
        ------
        pandas.errors.DuplicateLabelError
            When labels repeat although the flag forbids it.
        """
        out = self.copy()  # type: ignore[attr-defined]
        if allows_duplicate_labels is not None:
            out.flags["allows_duplicate_labels"] = allows_duplicate_labels
        return out

    def _must_be_unique(self, labels: Any) -> None:
        """Raise DuplicateLabelError where labels repeat although the flag forbids it."""
        if not self._may_repeat():
            labels._maybe_check_unique()

    def _may_repeat(self) -> bool:
        """Whether labels may repeat."""
        flags = self.__dict__.get("_own_flags")
        return flags is None or flags._allows_duplicate_labels

    def __finalize__(self, other: Any, method: str | None = None, **kwargs: Any) -> Any:
        """Take over the metadata of another object; derived classes may add to it."""
        if isinstance(other, Carried):
            if other.__dict__.get("_attrs"):
                self.attrs = deepcopy(other.attrs)
            if not other._may_repeat():
                self.flags.allows_duplicate_labels = False
            for name in set(self._metadata) & set(other._metadata):
                object.__setattr__(self, name, getattr(other, name, None))
        return self

    def _besides(self) -> dict[str, Any]:
        """The metadata that a pickle holds in addition to values and labels."""
        held = {"_columns", "_column_labels", "_column", "_index", "_name", "_shown", "_shown_names", "_held_values"}
        found = {k: v for k, v in self.__dict__.items() if k not in held}
        if "_own_flags" in found:
            found["_own_flags"] = found["_own_flags"]._allows_duplicate_labels
        return found

    def __setstate__(self: Any, state: dict[str, Any]) -> None:
        if "_mgr" in state:  # a derived class that derived from pandas' class where it was pickled
            there = object.__new__(self._stands_for)
            there.__setstate__({**state, "_metadata": []})
            self._become(type(self)._from_pandas(there))
            self.__dict__.update({n: state[n] for n in self._metadata if n in state})
            return
        flags = state.pop("_own_flags", True)
        self.__dict__.update(state)
        if not flags:
            self.flags.allows_duplicate_labels = False

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if not cls.__module__.startswith("bascule.pandas"):
            cls._plain = False

    def _described_like(self, there: Any) -> Any:
        """pandas' object of the same rows, with the metadata of this one."""
        if not self._plain:
            if self.__dict__.get("_attrs"):
                there.attrs = self.attrs
            if not self._may_repeat():
                there.flags.allows_duplicate_labels = False
        return there

    def _take_over(self, there: Any) -> Any:
        """Take over the metadata of pandas' object."""
        if there.attrs:
            self.attrs = there.attrs
        elif self.__dict__.get("_attrs"):
            self.attrs = {}
        if there.flags.allows_duplicate_labels != self._may_repeat():
            self.flags.allows_duplicate_labels = there.flags.allows_duplicate_labels
        return self


def unnoted(made: Any) -> Any:
    """Mark a function whose results, as in pandas, do not take over attrs."""
    if isinstance(made, Carried):
        made.__dict__.pop("_attrs", None)
    return made


def bare(made: Any) -> Any:
    """Mark a method of a group or window whose results do not take over attrs, unlike those of its other methods."""
    if isinstance(made, Carried):
        made.__dict__["_bare"] = True
    return made


def finish(owner: Any, out: Any, notes: bool = True) -> Any:
    """A result with an owner's metadata and these attrs, of the class that a derived owner asks for."""
    if out is owner or not isinstance(out, (Carried, tuple, list)):
        return out
    if isinstance(out, (tuple, list)):
        return type(out)(finish(owner, x) for x in out) if type(out) in (tuple, list) else out
    if type(out).__module__ == "bascule.pandas" and type(owner).__module__ != "bascule.pandas":
        wanted = owner._constructor if out.ndim == owner.ndim else (
            owner._constructor_sliced if out.ndim < owner.ndim else owner._constructor_expanddim
        )  # fmt: skip
        if wanted is not type(out):
            out = wanted(out)
    return out.__finalize__(owner) if notes and isinstance(out, Carried) else out


def finish_of_all(objects: list[Any], out: Any) -> Any:
    """A result of several objects: of the first one's class, with the attrs that are equal in all."""
    first = objects[0]
    made = finish(first, out) if type(first).__module__ != "bascule.pandas" else out
    notes = [x.__dict__.get("_attrs") for x in objects]
    if isinstance(made, Carried):
        if notes[0] and all(n == notes[0] for n in notes):
            made.attrs = deepcopy(notes[0])
        elif made.__dict__.get("_attrs"):
            made.attrs = {}
        if not all(x._may_repeat() for x in objects):
            made.flags.allows_duplicate_labels = False
    return made


def carrying_both(f: Callable[..., Any]) -> Callable[..., Any]:
    """A function of two objects whose result takes over the metadata of both."""

    @functools.wraps(f)
    def call(left: Any, right: Any, *args: Any, **kwargs: Any) -> Any:
        out = f(left, right, *args, **kwargs)
        objects = [x for x in (left, right) if isinstance(x, Carried)]
        return out if all(x._plain for x in objects) else finish_of_all(objects, out)

    return call


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
        return isinstance(dtype, np.dtype) and dtype.kind != "O"
    if (name, ndim) == ("unstack", 1):
        return is_1d_only_ea_dtype(dtype)
    return (name, ndim) not in _CLASS_ONLY


def _finished(self: Any, name: str, out: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
    """The result of a method of an object with metadata."""
    if isinstance(out, Carried) and out.__dict__.pop("_bare", False):
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


def _finishing(
    f: Callable[..., Any], owner_name: str | None, unnoted: frozenset[str] = frozenset()
) -> Callable[..., Any]:
    """A method whose result takes over the metadata of its object, except attrs where pandas' result has none."""
    if f.__name__ in _OPERATORS:

        @functools.wraps(f)
        def operator(self: Any, other: Any) -> Any:
            out = f(self, other)
            if self._plain and getattr(other, "_plain", True):
                return out
            made = finish(self, out)
            return made.__finalize__(other) if isinstance(other, Carried) and isinstance(made, Carried) else made

        return operator
    if owner_name is None:
        changes, in_place = f.__name__ in IN_PLACE, "inplace" in _parameters(f)
        any_truth = ("rename", 2)  # where pandas accepts any value as a boolean

        @functools.wraps(f)
        def method(self: Any, *args: Any, **kwargs: Any) -> Any:
            if kwargs and in_place and (f.__name__, self.ndim) != any_truth:
                _check_bools(kwargs, (f.__name__, self.ndim))
            if changes:
                check_method(f.__name__, sys.getrefcount(self), self, kwargs)
            if self._plain:
                return f(self, *args, **kwargs)
            if f.__name__ in _RELABELLING and self.ndim == 2 and kwargs.get("inplace") and not self._may_repeat():
                raise ValueError("Cannot specify 'inplace=True' when 'self.flags.allows_duplicate_labels' is False.")
            out = f(self, *args, **kwargs)
            return out if self._plain else _finished(self, f.__name__, out, args, kwargs)

        return method

    @functools.wraps(f)
    def method_of_part(self: Any, *args: Any, **kwargs: Any) -> Any:
        out = f(self, *args, **kwargs)
        owner = getattr(self, owner_name)
        bare = isinstance(out, Carried) and out.__dict__.pop("_bare", False)
        if owner._plain:
            return out
        bare = bare or (f.__name__ in ("apply", "corr", "cov") and not self._groups.count)
        if _has_notes(f.__name__, unnoted, args, kwargs) and not bare:
            return finish(owner, out)
        out = finish(owner, out, False)
        if isinstance(out, Carried) and (bare or f.__name__ in unnoted):
            out.__dict__.pop("_attrs", None)
        return out

    return method_of_part


def finish_results(
    own: type, owner_name: str | None = None, but: tuple[str, ...] = (), unnoted: str = "", also: tuple[str, ...] = ()
) -> None:
    """Let all methods of a class, `but` some, pass on the metadata of the object, or of the one that it belongs to.

    Results of `unnoted` methods have no attrs, as in pandas; `also` names methods whose results others return unchanged.
    """
    for name in dir(own):
        if (
            (name in _AS_THEY_ARE and name not in also)
            or name in but
            or (name.startswith("_") and name not in (*_SPECIAL, *also))
        ):
            continue
        found = next(c.__dict__[name] for c in own.__mro__ if name in c.__dict__)
        if isinstance(found, types.FunctionType):
            setattr(own, name, _finishing(found, owner_name, frozenset(unnoted.split())))
        elif isinstance(found, property) and name == "T":
            setattr(own, name, property(_finishing(found.fget, owner_name), doc=found.__doc__))
