"""Stand-ins for pandas' arrays of strings and categories: as long as a program only reads them, pandas is not imported."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ._stand_ins import STR, InsteadOf
from ._theirs import Waiting, is_loaded, own, pandas


class ColumnArray(InsteadOf):
    """A column in the place of pandas' array of its values.

    Parameters
    ----------
    column : Column or HostColumn
        The values, until pandas' array is made of them, which may be written to.
    """

    __slots__ = ("column",)
    ndim = 1
    _withheld = frozenset("name names index columns keys nlevels".split())  # by which labelled data are recognised

    def __init__(self, column: Any):
        self.column, self._theirs = column, None

    def _made(self) -> Any:
        return self.column.to_pandas_array()

    def __getattr__(self, name: str) -> Any:
        if name[0] == "_" and not is_loaded():
            raise AttributeError(name)
        return super().__getattr__(name)

    def __len__(self) -> int:
        return len(self.column)

    def __iter__(self) -> Iterator[Any]:
        return self.column.iterated() if self._theirs is None else iter(self.theirs)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, (int, np.integer)) and not isinstance(key, bool) and self._theirs is None:
            return self.column.item(range(len(self))[key])
        return self.theirs[key]

    def __setitem__(self, key: Any, value: Any) -> None:
        self.theirs[key] = value

    def __contains__(self, x: Any) -> bool:
        return x in self.tolist() if isinstance(x, str) and self._theirs is None else x in self.theirs

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        if copy is False or self._theirs is not None:
            return self.theirs.__array__(dtype, copy)
        return np.array(self.column.to_numpy(), dtype=dtype, copy=copy)

    def tolist(self) -> list[Any]:
        """The strings in a list."""
        return self.column.objects() if self._theirs is None else self.theirs.tolist()

    def __hash__(self) -> int:
        return hash(self.theirs)  # TypeError

    def __repr__(self) -> str:
        return repr(self.theirs)

    def __reduce__(self) -> Any:
        return (type(self), (self.column,)) if self._theirs is None else self.theirs.__reduce__()


def _delegated(name: str) -> Callable[..., Any]:
    return lambda self, other: getattr(operator, name)(self.theirs, own(other))


for _operator in "eq ne lt le gt ge".split():
    setattr(ColumnArray, f"__{_operator}__", _delegated(_operator))


class TextArray(ColumnArray):
    """Strings in the place of pandas' array of them."""

    __slots__ = ()
    __class__ = property(lambda self: pandas.api.extensions.ExtensionArray)  # type: ignore[assignment]
    __hash__ = ColumnArray.__hash__
    dtype = STR
    __add__ = _delegated("add")
    _written = staticmethod(lambda strings: None)  # the text of the items, which `_plain_text` sets

    def __repr__(self) -> str:
        written = None if self._theirs is not None else self._written(self.tolist())
        if is_loaded() or written is None:
            return repr(self.theirs)
        return f"<ArrowStringArray>\n{written}\nLength: {len(self)}, dtype: {self.dtype}"

    def __radd__(self, other: Any) -> Any:
        return own(other) + self.theirs


class ReadOnlyText(TextArray):
    """Strings in the place of an array that pandas refuses to change."""

    __slots__ = ()
    __hash__ = ColumnArray.__hash__

    def _made(self) -> Any:
        made = super()._made()
        made._readonly = True
        return made


@functools.cache
def _waiting_categorical() -> type:
    """The class of arrays of categories before pandas is imported, which is one of arrays, too."""
    return Waiting("Categorical", (pandas.Categorical, pandas.api.extensions.ExtensionArray), {"__module__": "pandas"})


class CategoryArray(ColumnArray):
    """Categories in the place of pandas' array of them."""

    __slots__ = ()
    __class__ = property(lambda self: pandas.Categorical if is_loaded() else _waiting_categorical())  # type: ignore[assignment]
    __hash__ = ColumnArray.__hash__
    dtype = property(lambda self: self.column.dtype if self._theirs is None else self.theirs.dtype)
    ordered = property(lambda self: self.dtype.ordered)

    @property
    def codes(self) -> np.ndarray:
        """The number of each value's category, -1 where missing, which are not written to."""
        if self._theirs is not None:
            return self.theirs.codes
        found = self.column.stored_codes().to_numpy().view()
        found.flags.writeable = False
        return found
