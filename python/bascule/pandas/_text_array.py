"""A stand-in for pandas' array of strings: as long as a program only reads them, pandas is not imported."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ._stand_ins import STR
from ._theirs import is_loaded, own, pandas

# Attributes by which labelled data are recognised; pandas' arrays have none of them.
_OF_OTHERS = frozenset("name names index columns keys nlevels".split())


class TextArray:
    """Strings in the place of pandas' array of them.

    Parameters
    ----------
    column : Column
        The strings, until pandas' array is made of them, which may be written to.
    """

    __slots__ = ("_theirs", "column")
    __class__ = property(lambda self: pandas.api.extensions.ExtensionArray)  # type: ignore[assignment]
    dtype, ndim = STR, 1

    def __init__(self, column: Any):
        self.column, self._theirs = column, None

    def __bascule_to_pandas__(self) -> Any:
        if self._theirs is None:
            self._theirs = self.column.to_pandas_array()
        return self._theirs

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name in _OF_OTHERS or (name[0] == "_" and not is_loaded()):
            raise AttributeError(name)
        return getattr(own(self), name)

    def __len__(self) -> int:
        return len(self.column)

    def __iter__(self) -> Iterator[Any]:
        return self.column.iterated() if self._theirs is None else iter(own(self))

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, (int, np.integer)) and not isinstance(key, bool) and self._theirs is None:
            return self.column.item(range(len(self))[key])
        return own(self)[key]

    def __setitem__(self, key: Any, value: Any) -> None:
        own(self)[key] = value

    def __contains__(self, x: Any) -> bool:
        return x in self.tolist() if isinstance(x, str) and self._theirs is None else x in own(self)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        if copy is False or self._theirs is not None:
            return own(self).__array__(dtype, copy)
        return np.array(self.column.to_numpy(), dtype=dtype, copy=copy)

    def tolist(self) -> list[Any]:
        """The strings in a list."""
        return self.column.objects() if self._theirs is None else own(self).tolist()

    def __hash__(self) -> int:
        return hash(own(self))  # TypeError

    def __repr__(self) -> str:
        return repr(own(self))

    def __reduce__(self) -> Any:
        return (TextArray, (self.column,)) if self._theirs is None else own(self).__reduce__()


def _delegated(name: str) -> Callable[..., Any]:
    return lambda self, other: getattr(operator, name)(own(self), own(other))


for _operator in "eq ne lt le gt ge add".split():
    setattr(TextArray, f"__{_operator}__", _delegated(_operator))
TextArray.__radd__ = lambda self, other: own(other) + own(self)  # type: ignore[attr-defined]
