"""Frames, series and indexes in the place of pandas' own: private attributes and class checks of pandas and its users.

A private attribute that pandas reads of a frame is read from a copy in pandas' memory; pandas itself is not changed.
Only pandas' own code sees a frame as an instance of pandas' class (`isinstance(frame, pandas.DataFrame)`), except in the
accelerated mode, where all code does.
"""

from __future__ import annotations

import abc
import functools
import inspect
import sys
import types
from typing import Any

import pandas

from ...interop import mode

# private methods of pandas that change an object: the change would only reach a copy
_CHANGING = (
    "_set",
    "_update",
    "_iset",
    "_replace",
    "_inplace",
    "_reset",
    "_clear",
    "_add",
    "_del",
    "_register",
    "_consolidate_inplace",
)


def reads(depth: int = 2) -> bool:
    """Whether the calling code is one that reads the internals of pandas' objects: pandas, pyarrow, xarray or statsmodels.

    Such code gets pandas' indexes, since it compares their exact types.
    """
    name = sys._getframe(depth).f_globals.get("__name__", "")
    return name.startswith(("pandas.", "pyarrow.", "xarray.", "statsmodels.")) and not name.startswith("pandas.tests")


OWN_ACCESSORS = frozenset(("cat", "dt", "list", "plot", "sparse", "str", "struct"))


def registered_with_pandas(theirs: type) -> set[str]:
    """Accessors that other libraries have registered with a class of pandas."""
    return theirs._accessors - OWN_ACCESSORS  # type: ignore[attr-defined]


@functools.cache
def between_in_pandas(own: type) -> type:
    """The class of pandas that a group-by or window object of this library stands for."""
    names = dir(pandas.api.typing)
    return next((getattr(pandas.api.typing, c.__name__) for c in own.__mro__ if c.__name__ in names), object)


def added_to_pandas(x: Any, theirs: type, name: str) -> Any:
    """A method or property that another library has set on a class of pandas (`tqdm.pandas`), bound to this object; None for
    other names."""
    found = inspect.getattr_static(theirs, name, None)
    function = found.fget if isinstance(found, property) else found
    if not isinstance(function, types.FunctionType) or function.__module__.partition(".")[0] == "pandas":
        return None
    return types.MethodType(function, x) if function is found else function(x)


def accessor_of_pandas(x: Any, theirs: type, name: str) -> Any:
    """An accessor or attribute that other code has added to a class of pandas, for this object; else AttributeError."""
    if name in x._accessors or (name in OWN_ACCESSORS and hasattr(type(x), name)):
        return object.__getattribute__(x, name)  # an accessor that refused this object: it raises its own error again
    if name in registered_with_pandas(theirs):
        return inspect.getattr_static(theirs, name)._accessor(x)
    added = None if name.startswith("_") else added_to_pandas(x, theirs, name)
    if added is not None:
        return added
    raise AttributeError(f"'{type(x).__name__}' object has no attribute '{name}'")


class KindOfIndex(type):
    """The metaclass of indexes: in user code, pandas' indexes, such as column labels, are instances as well."""

    def __instancecheck__(cls, x: Any) -> bool:
        return type.__instancecheck__(cls, x) or cls._is_theirs(type(x))

    def __subclasscheck__(cls, kind: type) -> bool:
        return type.__subclasscheck__(cls, kind) or cls._is_theirs(kind)

    def _is_theirs(cls, kind: type) -> bool:
        named = cls.__module__ == "bascule.pandas" and not issubclass(cls, pandas.Index)  # as a reported class is
        if not named or not issubclass(kind, pandas.Index) or _asks_within(2, "bascule"):
            return False
        return issubclass(kind, getattr(pandas, cls.__name__))


class KindOfRows(abc.ABCMeta):
    """The metaclass of frames and series, which also permits abstract base classes, as programs derive from both."""

    __instancecheck__ = type.__instancecheck__
    __subclasscheck__ = type.__subclasscheck__


class _KindOfTheirs(KindOfRows):
    """The same for the accelerated mode, where pandas' objects are frames and series as well in user code."""

    def __instancecheck__(cls, x: Any) -> bool:
        return type.__instancecheck__(cls, x) or cls._are_theirs(type(x))

    def __subclasscheck__(cls, kind: type) -> bool:
        return type.__subclasscheck__(cls, kind) or cls._are_theirs(kind)

    def _are_theirs(cls, kind: type) -> bool:
        if cls.__module__ != "bascule.pandas" or not issubclass(kind, cls._stands_for):  # type: ignore[attr-defined]
            return False
        return not _asks_within(2, "bascule")


def follow_mode(*kinds: type) -> None:
    """Give the classes of frames and series the metaclass of the current mode."""

    def switch(on: bool) -> None:
        for kind in kinds:
            kind.__class__ = _KindOfTheirs if on else KindOfRows

    mode.follow(switch)


@functools.cache
def _stated(own: type, theirs: type) -> type:
    """The class that an object reports as its own: a subclass of pandas' class that constructs objects of this library.

    It also derives from this library's class, so that functions registered for that one (`functools.singledispatch`) are found.
    """

    def make(cls: type, *args: Any, **kwargs: Any) -> Any:
        return own(*args, **kwargs)

    kind = KindOfIndex if isinstance(own, KindOfIndex) else KindOfRows
    if not issubclass(kind, type(theirs)):
        kind = types.new_class("Stated", (kind, type(theirs)))
    about = {"__module__": own.__module__, "__qualname__": own.__qualname__, "__doc__": own.__doc__}
    made = kind(own.__name__, (theirs,), {"__new__": make, **about})
    made.__bases__ = (theirs, own)  # set last, so that `__init_subclass__` of the bases does not run
    return made


def _asker(depth: int) -> types.FrameType:
    """The stack frame of the caller that checks a class, perhaps through an abstract class."""
    frame = sys._getframe(depth + 1)
    while frame.f_globals.get("__name__") == "abc" and frame.f_back is not None:
        frame = frame.f_back
    return frame


def _asks_within(depth: int, *packages: str) -> bool:
    """Whether the checking code is a module of one of these packages; pandas' tests count as user code."""
    name = _asker(depth + 1).f_globals.get("__name__") or ""
    return name.partition(".")[0] in packages and not name.startswith("pandas.tests")


class AsPandas:
    """Class checks and private attributes of pandas, for frames and series."""

    _stands_for: type

    @property
    def __class__(self) -> type:  # type: ignore[override]
        """The class of pandas for pandas' own code, and in the accelerated mode for all code but bascule's."""
        own = type(self)
        told = not _asks_within(1, "bascule") if mode.on else _asks_within(1, "pandas")
        return _stated(own, self._stands_for) if told else own

    @property
    def _mgr(self) -> Any:
        """The columns as pandas' block manager; a copy."""
        return self.to_pandas()._mgr  # type: ignore[attr-defined]

    def _asked_by_pandas(self, name: str) -> Any:
        """A private attribute of pandas' class, read from a copy.

        Raises
        ------
        AttributeError
            When there is none, or when it would change the copy.
        """
        if name == "__dataframe__":  # no attribute, which narwhals would use before plug-ins
            return self._interchange
        if name.startswith(_CHANGING) or not name.startswith("_") or name.startswith("__"):
            return accessor_of_pandas(self, self._stands_for, name)
        if not hasattr(self._stands_for, name):
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        return getattr(self.to_pandas(), name)  # type: ignore[attr-defined]

    def _interchange(self, nan_as_null: bool = False, allow_copy: bool = True) -> Any:
        """The interchange protocol of data frames, for a copy."""
        from ..._array.caller_warnings import at_users_line

        return at_users_line(self.to_pandas().__dataframe__, nan_as_null, allow_copy)  # type: ignore[attr-defined]


class BetweenAsPandas:
    """Class checks for the objects between rows and results: groups, bins, windows."""

    @property
    def __class__(self) -> type:  # type: ignore[override]
        """The class of pandas in the accelerated mode, except for pandas' own code."""
        own = type(self)
        if not mode.on or _asks_within(1, "bascule", "pandas"):
            return own
        theirs = between_in_pandas(own)
        return own if theirs is object else _stated(own, theirs)


# modules of pandas that make indexes of times from other indexes
_OF_TIMES = frozenset(("pandas.core.indexes.datetimes", "pandas.core.indexes.timedeltas"))


@functools.cache
def _counterpart(own: type) -> type:
    """The class of pandas that a class of indexes, or its base class, stands for."""
    return next(getattr(pandas, c.__name__) for c in own.__mro__ if c.__module__ == "bascule.pandas")


class Typ(str):
    """The string by which pandas recognises its kinds of objects (`_typ`); it also equals that of a second kind."""

    also: str

    def __new__(cls, word: str, also: str) -> Typ:
        self = super().__new__(cls, word)
        self.also = also
        return self

    def __eq__(self, other: object) -> bool:
        return str.__eq__(self, other) is True or other == self.also

    __hash__ = str.__hash__


class IndexAsPandas(metaclass=KindOfIndex):
    """Class checks for indexes: pandas converts them by their values and name, as it does with series."""

    _typ = "series"
    _references = None

    @property
    def __class__(self) -> type:  # type: ignore[override]
        """The class of pandas in the accelerated mode, except for pandas' own code, which converts them to its own indexes."""
        own = type(self)
        if mode.on and not _asks_within(1, "bascule", "pandas", "pyarrow"):
            return _stated(own, _counterpart(own))
        asker = _asker(1)
        makes_labels = asker.f_code.co_name == "__new__" and asker.f_globals.get("__name__") in _OF_TIMES
        return _stated(own, _counterpart(own)) if makes_labels else own  # for a frequency, pandas checks the class

    def __getattr__(self, name: str) -> Any:
        """An accessor that another library has registered, or a private attribute of pandas' index.

        Raises
        ------
        AttributeError
            When there is none, or when it would change a copy.
        """
        there = _counterpart(type(self))
        if name.startswith(_CHANGING) or not name.startswith("_") or name.startswith("__") or not hasattr(there, name):
            return accessor_of_pandas(self, pandas.Index, name)
        return self._private(name)  # type: ignore[attr-defined]

    @property
    def _values(self) -> Any:
        return self._there()._values  # type: ignore[attr-defined]

    @property
    def _id(self) -> Any:
        """The identity by which pandas recognises views of the same labels. Its `equals`, which compares classes, checks it
        first, so it is that of pandas' index where the labels are equal.
        """
        asker = sys._getframe(1)
        caller = asker.f_back
        if asker.f_code.co_name != "is_" or caller is None or caller.f_code.co_name != "equals":
            return None
        theirs = asker.f_locals.get("self")
        asked = isinstance(theirs, pandas.Index) and caller.f_globals.get("__name__", "").startswith("pandas.core.")
        return theirs._id if asked and self.equals(theirs) else None  # type: ignore[attr-defined]


class LevelsAsPandas:
    """For indexes of several levels, which pandas would convert to tuples."""

    @property
    def _references(self) -> Any:
        raise TypeError("[MultiIndex] pandas makes no index of several levels of another library's: use .to_pandas()")
