"""Frames, series and indexes in the place of pandas' own: private attributes and class checks of pandas and its users.

A private attribute that pandas reads of a frame is read from a copy in pandas' memory; pandas itself is not changed.
Only pandas' own code sees a frame as an instance of pandas' class (`isinstance(frame, pandas.DataFrame)`), except in the
accelerated mode, where all code does.
"""

from __future__ import annotations

import abc
import copyreg
import functools
import inspect
import pkgutil
import sys
import types
from copy import deepcopy
from typing import Any

from ...interop import mode
from .._theirs import UNSET, is_loaded, load, pandas

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


# public names that this package looks for in any object
_LOOKED_FOR = frozenset("nlevels name names dtype freq tz unit categories levels closed array".split())


def brings(name: str, depth: int = 2) -> bool:
    """Whether to import pandas for an attribute that is not found: fallbacks are added then.

    Private names are for those who take pandas' objects apart, which this package does not.
    """
    if is_loaded() or name.startswith("__"):
        return False
    inside = sys._getframe(depth).f_globals.get("__name__", "").startswith("bascule")
    if inside and (name[0] == "_" or name in _LOOKED_FOR):
        return False
    load()
    return True


OWN_ACCESSORS = frozenset(("cat", "dt", "list", "plot", "sparse", "str", "struct"))


def registered_with_pandas(theirs: type) -> set[str]:
    """Accessors that other libraries have registered with a class of pandas."""
    return theirs._accessors - OWN_ACCESSORS  # type: ignore[attr-defined]


@functools.cache
def between_in_pandas(own: type) -> Any:
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

    def __getattr__(cls, name: str) -> Any:
        if name[0] != "_" and brings(name):
            return getattr(cls, name)
        raise AttributeError(f"type object '{cls.__name__}' has no attribute '{name}'")

    def __dir__(cls) -> list[str]:
        load()
        return type.__dir__(cls)

    def __instancecheck__(cls, x: Any) -> bool:
        return type.__instancecheck__(cls, x) or (issubclass(type(x), pandas.Index) and cls._is_theirs(type(x)))

    def __subclasscheck__(cls, kind: type) -> bool:
        return type.__subclasscheck__(cls, kind) or (issubclass(kind, pandas.Index) and cls._is_theirs(kind))

    def _is_theirs(cls, kind: type) -> bool:
        named = cls.__module__ == "bascule.pandas" and not issubclass(cls, pandas.Index)  # as a reported class is
        if not named or _asks_within(2, "bascule"):
            return False
        return issubclass(kind, getattr(pandas, cls.__name__))


class KindOfRows(abc.ABCMeta):
    """The metaclass of frames and series, which also permits abstract base classes, as programs derive from both."""

    __instancecheck__ = type.__instancecheck__
    __subclasscheck__ = type.__subclasscheck__
    __getattr__ = KindOfIndex.__getattr__
    __dir__ = KindOfIndex.__dir__


class _KindOfTheirs(KindOfRows):
    """The same for the accelerated mode, where pandas' objects are frames and series as well in user code."""

    def __instancecheck__(cls, x: Any) -> bool:
        return type.__instancecheck__(cls, x) or cls._are_theirs(type(x))

    def __subclasscheck__(cls, kind: type) -> bool:
        return type.__subclasscheck__(cls, kind) or cls._are_theirs(kind)

    def _are_theirs(cls, kind: type) -> bool:
        if not is_loaded() or cls.__module__ != "bascule.pandas" or not issubclass(kind, cls._stands_for):  # type: ignore[attr-defined]
            return False
        return not _asks_within(2, "bascule")


def _reduced_class(own: type, theirs: type | None = None) -> Any:
    """The pickle of a class by its name: in the accelerated mode pandas' class, as that of an object is pandas' object."""
    given = own
    if own.__module__.startswith("bascule.pandas") and mode.pickles_are_theirs():
        given = theirs or getattr(pandas, own.__name__)
    return pkgutil.resolve_name, (f"{given.__module__}:{given.__qualname__}",)


copyreg.pickle(_KindOfTheirs, _reduced_class)  # type: ignore[arg-type]
copyreg.pickle(KindOfIndex, _reduced_class)  # type: ignore[arg-type]


def follow_mode(*kinds: type) -> None:
    """Give the classes of frames and series the metaclass of the current mode."""

    def switch(on: bool) -> None:
        for kind in kinds:
            kind.__class__ = _KindOfTheirs if on else KindOfRows

    mode.follow(switch)


@functools.cache
def _stated(own: type, theirs: type) -> type:
    """The class that an object reports as its own: a subclass of pandas' class that constructs objects of this library.

    It also derives from this library's class, so that functions registered for that one (`functools.singledispatch`) are found,
    and equals it, but not for abstract classes, which ask their subclasses, this one too, and keep the answers.
    """

    def by_an_abstract_class() -> bool:
        return sys._getframe(2).f_globals.get("__name__") == "abc"

    def make(cls: type, *args: Any, **kwargs: Any) -> Any:
        return own(*args, **kwargs)

    kind = KindOfIndex if isinstance(own, KindOfIndex) else KindOfRows
    others = () if issubclass(kind, type(theirs)) else (type(theirs),)
    like_own = {
        "__eq__": lambda cls, x: x is cls or (x is own and not by_an_abstract_class()),
        "__hash__": lambda cls: hash(own),
        "__instancecheck__": lambda cls, x: isinstance(x, own),
        "__subclasscheck__": lambda cls, kind: (
            type.__subclasscheck__(cls, kind) if by_an_abstract_class() else issubclass(kind, own)
        ),
    }
    kind = types.new_class("Stated", (kind, *others), exec_body=lambda names: names.update(like_own))
    copyreg.pickle(kind, lambda cls: _reduced_class(own, theirs))  # type: ignore[arg-type]
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


class PandasObject:
    """A frame or series for pandas and its users: class checks, private attributes, metadata and its propagation to results.

    `_plain` says that there is no metadata, the usual case, which must not cost time.
    """

    _stands_for: type

    @property
    def __class__(self) -> type:  # type: ignore[override]
        """The class of pandas for pandas' own code, and in the accelerated mode for all code but bascule's."""
        own = type(self)
        if not is_loaded():
            return own
        reported = not _asks_within(1, "bascule") if mode.on else _asks_within(1, "pandas")
        return _stated(own, self._stands_for) if reported else own

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
        if brings(name, 3):
            return getattr(self, name)
        if not is_loaded():
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        if any(name in vars(c) for c in type(self).__mro__):  # looking among the labels has imported pandas
            return object.__getattribute__(self, name)
        if name.startswith(_CHANGING) or not name.startswith("_") or name.startswith("__"):
            return accessor_of_pandas(self, self._stands_for, name)
        if not hasattr(self._stands_for, name):
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        return getattr(self.to_pandas(), name)  # type: ignore[attr-defined]

    def _interchange(self, nan_as_null: bool = False, allow_copy: bool = True) -> Any:
        """The interchange protocol of data frames, for a copy."""
        from ..._array.caller_warnings import at_users_line

        return at_users_line(self.to_pandas().__dataframe__, nan_as_null, allow_copy)  # type: ignore[attr-defined]

    # ---- metadata
    _plain = True
    _metadata: list[str] = []
    ndim: int

    @property
    def attrs(self) -> dict[Any, Any]:
        """A dict for your own metadata. Results of most methods get a copy of it."""
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

    def set_flags(self, *, copy: Any = UNSET, allows_duplicate_labels: Any = None) -> Any:
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
        if isinstance(other, PandasObject):
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


class BetweenAsPandas:
    """Class checks for the objects between rows and results: groups, bins, windows."""

    @property
    def __class__(self) -> type:  # type: ignore[override]
        """The class of pandas in the accelerated mode, except for pandas' own code."""
        own = type(self)
        if not mode.on or not is_loaded() or _asks_within(1, "bascule", "pandas"):
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
        if not is_loaded():
            return own
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
        if brings(name):
            return getattr(self, name)
        if not is_loaded():
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
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
