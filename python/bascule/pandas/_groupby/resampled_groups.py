"""Groups whose rows are binned by time: `groupby(key).resample(rule)`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...interop import mode
from .. import _fallback, _indexes
from .._fallback.native import NotNative
from .._reshape.concat import concat
from .._travel import Travel

_METHODS = "sum mean min max count first last median std var sem prod nunique size ohlc agg ffill bfill asfreq"


class GroupsResampled(Travel):
    """The bins of each group's rows.

    Parameters
    ----------
    groups : GroupBy
    args, options
        The arguments of `resample`.
    column : label or list of labels, optional
        The columns that are selected.
    """

    __module__ = "bascule.pandas"

    def __init__(self, groups: Any, args: tuple, options: dict[str, Any], column: Any = None):
        self._groups, self._args, self._options, self._column = groups, args, options, column

    def __getitem__(self, column: Any) -> GroupsResampled:
        return GroupsResampled(self._groups, self._args, self._options, column)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        groups = self._groups
        if self._column is None and groups._obj.ndim == 2 and groups._selection is None and name in groups._obj._names:
            return self[name]
        return getattr(self._in_pandas("other methods of bins in groups"), name)

    def __iter__(self) -> Any:
        return iter(self._in_pandas("the bins of groups one by one"))

    def __len__(self) -> int:
        return len(self._in_pandas("the bins of groups one by one"))

    def _in_pandas(self, reason: str) -> Any:
        """The same as an object of pandas."""
        made = _fallback.call(self._groups, "resample", self._args, self._options, reason)
        return made if self._column is None else made[self._column]

    def __reduce_ex__(self, protocol: Any) -> Any:
        if mode.pickles_are_theirs():  # as the rows are
            return self._in_pandas("it is pickled as pandas' own").__reduce_ex__(protocol)
        return self.__reduce__()

    def _has_timestamps(self) -> bool:
        """Whether the rows are binned by timestamps: in groups, pandas bins periods by their ends."""
        rows, on = self._groups._obj, self._options.get("on")
        if self._options.get("level") is not None:
            return False
        labels = rows._index if on is None else _indexes.from_column(rows[on]._column, None)
        return isinstance(labels, _indexes.DatetimeIndex)

    def _each(self, name: str, args: tuple, kwargs: dict[str, Any]) -> Any:
        """The results of a method for the bins of each group, one below the other."""
        groups, given = self._groups, self._groups._options
        plain = groups._foreign is None and given["as_index"] and given["dropna"] and given["group_keys"]
        plain = plain and self._has_timestamps()
        own = (
            [groups._obj._names[i] for i in groups._own] if groups._obj.ndim == 2 and groups._selection is None else []
        )
        keys: list[Any] = []
        parts: list[Any] = []
        for key, rows in groups if plain and len(groups._groups.names) == 1 else ():
            rows = rows.drop(columns=own) if own else rows
            bins = rows.resample(*self._args, **self._options)
            bins = bins if self._column is None else bins[self._column]
            keys.append(key[0] if isinstance(key, tuple) else key)
            parts.append(getattr(bins, name)(*args, **kwargs))
        if not parts or any(p.ndim != parts[0].ndim or p._index.nlevels > 1 for p in parts):
            raise NotNative("unsupported keys, values or options")
        return concat(parts, keys=keys, names=[*groups._groups.names, *parts[0]._index._names])


def _method(name: str) -> Callable[..., Any]:
    def method(self: GroupsResampled, *args: Any, **kwargs: Any) -> Any:
        try:
            return self._each(name, args, kwargs)
        except NotNative as why:
            return getattr(self._in_pandas(why.reason), name)(*args, **kwargs)

    method.__name__, method.__qualname__ = name, f"GroupsResampled.{name}"
    method.__doc__ = f"`{name}` of the bins of each group."
    return method


for _name in _METHODS.split():
    setattr(GroupsResampled, _name, _method(_name))
GroupsResampled.aggregate = GroupsResampled.agg  # type: ignore[attr-defined]
