"""What pandas, and libraries that know pandas, ask of its objects: here of bascule's, which they may be given.

A frame says of itself that it is one of pandas' (`isinstance(frame, pandas.DataFrame)`), and what pandas reads of it
beside its public methods is read of a copy in pandas' memory. pandas itself is left as it is.
"""

from __future__ import annotations

import functools
import inspect
import sys
from typing import Any

import pandas

# Private methods of pandas that change an object, which a copy would keep to itself.
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
    """Whether it is code that takes pandas' objects apart that reads what called this: pandas' own, or Arrow's.

    It is given pandas' indexes, never ours to keep.
    """
    name = sys._getframe(depth).f_globals.get("__name__", "")
    return name.startswith(("pandas.", "pyarrow.")) and not name.startswith("pandas.tests")


OWN_ACCESSORS = frozenset(("cat", "dt", "list", "plot", "sparse", "str", "struct"))


def registered_with_pandas(theirs: type) -> set[str]:
    """Accessors that other libraries have registered with a class of pandas."""
    return theirs._accessors - OWN_ACCESSORS  # type: ignore[attr-defined]


def accessor_of_pandas(x: Any, theirs: type, name: str) -> Any:
    """An accessor that is registered with a class of pandas, of an object of ours; AttributeError for other names."""
    if name in x._accessors or (name in OWN_ACCESSORS and hasattr(type(x), name)):
        return object.__getattribute__(x, name)  # which has refused: it says why itself
    if name in registered_with_pandas(theirs):
        return inspect.getattr_static(theirs, name)._accessor(x)
    raise AttributeError(f"'{type(x).__name__}' object has no attribute '{name}'")


@functools.cache
def _claimed(own: type, theirs: type) -> type:
    """What an object of ours says that its class is: a class of pandas, which makes objects of ours when it is called."""

    def make(cls: type, *args: Any, **kwargs: Any) -> Any:
        return own(*args, **kwargs)

    about = {"__new__": make, "__module__": own.__module__, "__qualname__": own.__qualname__, "__doc__": own.__doc__}
    return type(own.__name__, (theirs,), about)


class AsPandas:
    """Of frames and series."""

    _stands_for: type

    @property
    def __class__(self) -> type:  # type: ignore[override]
        return _claimed(type(self), self._stands_for)

    @property
    def _mgr(self) -> Any:
        """The columns as pandas holds them; a copy."""
        return self.to_pandas()._mgr  # type: ignore[attr-defined]

    def _asked_by_pandas(self, name: str) -> Any:
        """A private member of pandas' class, of a copy.

        Raises
        ------
        AttributeError
            When there is none, or when it would change the copy.
        """
        if name.startswith(_CHANGING) or not name.startswith("_") or name.startswith("__"):
            return accessor_of_pandas(self, self._stands_for, name)
        if not hasattr(self._stands_for, name):
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        return getattr(self.to_pandas(), name)  # type: ignore[attr-defined]

    def __dataframe__(self, nan_as_null: bool = False, allow_copy: bool = True) -> Any:
        """The rows by the interchange protocol of data frames, of a copy."""
        from ..._array.caller_warnings import retold

        return retold(self.to_pandas().__dataframe__, nan_as_null, allow_copy)  # type: ignore[attr-defined]


class KindOfIndex(type):
    """The class of indexes: where a user asks, an index of pandas', as the labels of columns are, is one of ours too."""

    def __instancecheck__(cls, x: Any) -> bool:
        if type.__instancecheck__(cls, x):
            return True
        if not isinstance(x, pandas.Index) or cls.__module__ != "bascule.pandas":
            return False
        within = sys._getframe(1).f_globals.get("__name__", "").partition(".")[0] == "bascule"
        return not within and isinstance(x, getattr(pandas, cls.__name__))


class IndexAsPandas(metaclass=KindOfIndex):
    """Of indexes: pandas makes one of its own of their values and their name, as of a series."""

    _typ = "series"
    _references = None

    def __getattr__(self, name: str) -> Any:
        """An accessor that another library has registered, or a private member of pandas' index.

        Raises
        ------
        AttributeError
            When there is none, or when it would change a copy.
        """
        there = getattr(pandas, type(self).__name__, pandas.Index)
        if name.startswith(_CHANGING) or not name.startswith("_") or name.startswith("__") or not hasattr(there, name):
            return accessor_of_pandas(self, pandas.Index, name)
        return self._private(name)  # type: ignore[attr-defined]

    @property
    def _values(self) -> Any:
        return self._there()._values  # type: ignore[attr-defined]


class LevelsAsPandas:
    """Of indexes of several levels, which pandas would make tuples of."""

    @property
    def _references(self) -> Any:
        raise TypeError("[MultiIndex] pandas makes no index of several levels of another library's: use .to_pandas()")
