"""A stand-in for pandas' array of strings: as long as a program only reads them, pandas is not imported."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ._stand_ins import STR, InsteadOf
from ._theirs import is_loaded, own, pandas


class TextArray(InsteadOf):
    """Strings in the place of pandas' array of them.

    Parameters
    ----------
    column : Column
        The strings, until pandas' array is made of them, which may be written to.
    """

    __slots__ = ("column",)
    __class__ = property(lambda self: pandas.api.extensions.ExtensionArray)  # type: ignore[assignment]
    dtype, ndim = STR, 1
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
        return (TextArray, (self.column,)) if self._theirs is None else self.theirs.__reduce__()


def _delegated(name: str) -> Callable[..., Any]:
    return lambda self, other: getattr(operator, name)(self.theirs, own(other))


for _operator in "eq ne lt le gt ge add".split():
    setattr(TextArray, f"__{_operator}__", _delegated(_operator))
TextArray.__radd__ = lambda self, other: own(other) + self.theirs  # type: ignore[attr-defined]
