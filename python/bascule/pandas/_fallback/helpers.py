"""Objects of pandas that stand between rows and a result: windows, resamplers, accessors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas
from pandas.core.arrays.categorical import CategoricalAccessor
from pandas.core.groupby.groupby import BaseGroupBy
from pandas.core.strings.accessor import StringMethods
from pandas.core.window.rolling import BaseWindow

from .. import _fallback
from .counted import UNSAID

KINDS = (BaseWindow, BaseGroupBy, CategoricalAccessor, StringMethods)


class Helper:
    """An object of pandas over a copy of the rows, whose results are bascule's; every use is counted as a fallback.

    Functions handed to it (``apply``, ``agg``, ...) are given pandas' objects.
    """

    __module__ = "bascule.pandas"

    def __init__(self, there: Any):
        self._there = there

    def __bascule_to_pandas__(self) -> Any:
        return self._there

    def _run(self, name: str, function: Any, /, *args: Any, **kwargs: Any) -> Any:
        return _fallback.run(f"{type(self._there).__name__}.{name}", UNSAID, "cpu", function, *args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "_there":
            raise AttributeError(f"'{type(self._there).__name__}' object has no attribute '{name}'")
        found = getattr(self._there, name)
        if name.startswith("_"):
            return found
        if not callable(found) or isinstance(found, (pandas.Series, pandas.DataFrame)):
            return self._run(name, lambda: found)

        def method(*args: Any, **kwargs: Any) -> Any:
            return self._run(name, found, *args, **kwargs)

        method.__name__, method.__doc__ = name, found.__doc__
        return method

    def __getitem__(self, key: Any) -> Any:
        return self._run("__getitem__", self._there.__getitem__, key)

    def __iter__(self) -> Iterator[Any]:
        return self._run("__iter__", lambda: map(_fallback.from_pandas, self._there))

    def __len__(self) -> int:
        return len(self._there)

    def __dir__(self) -> list[str]:
        return dir(self._there)

    def __repr__(self) -> str:
        return repr(self._there)
