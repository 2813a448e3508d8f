"""Pickling of frames, series and indexes as buffers, and tokens of their content."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._array.ufuncs import rows as _ufuncs
from ..interop import mode
from ._columns.column import AnyColumn, Column, Core, from_pandas_array, ndarray

_where = _ufuncs["where"]["ufunc"]


def text_parts(core: Any) -> tuple[ndarray, ndarray, ndarray | None]:
    """Bytes, offsets from 0 and validity of strings; for a slice, only its own part."""
    there = core.decoded()
    bytes_, offsets = there.values, there.offsets
    first, last = int(offsets[0]), int(offsets[-1])
    if first or last < len(bytes_):
        bytes_, offsets = bytes_[first:last], offsets - first
    return bytes_, offsets, there.valid


def state_of(c: AnyColumn) -> tuple:
    if not c.has_core:
        return "host", c.stored()
    core = c.core
    if core.form == "plain":
        return "plain", c.dtype, core.values, core.valid
    if core.form == "coded" and len(core.dictionary) <= len(core):
        return "coded", c.dtype, core.values, text_parts(core.dictionary)
    return "text", c.dtype, *text_parts(core)


def column_of(state: tuple) -> AnyColumn:
    form = state[0]
    if form == "host":
        return from_pandas_array(state[1])
    if form == "plain":
        return Column(Core.plain(state[2], state[3]), state[1])
    if form == "coded":
        return Column(Core.coded(state[2], Core.text(*state[3])), state[1])
    return Column(Core.text(*state[2:]), state[1])


def _reduced(c: Column) -> tuple:
    return column_of, (state_of(c),)


Column.__reduce__ = _reduced  # type: ignore[method-assign]  # here, above all that it needs


def index_state(x: Any) -> tuple:
    even = None if x._own is None or x.nlevels > 1 else x._own.as_range
    if even is not None and hasattr(x, "start"):
        return type(x), x._names, even
    freq, orders = getattr(x, "_freq", None), None
    if getattr(x, "_orders", None) is not None:
        orders = [
            None if c is None else (state_of(c), getattr(c, "freq", None), type(c)._classes.storage)
            for c in map(x._order_of, range(x.nlevels))
        ]
    return type(x), x._names, [state_of(c) for c in x._columns], freq, orders


def _index(kind: type, names: list, state: Any, freq: Any = None, orders: list | None = None) -> Any:
    if isinstance(state, tuple):
        return kind._of(*state, names[0])  # type: ignore[attr-defined]
    made = kind._make([column_of(s) for s in state], names)  # type: ignore[attr-defined]
    if orders is not None:
        made._ordered([None if s is None else _order(*s) for s in orders])
    return made if freq is None else made._at(freq)


def _order(state: Any, freq: Any, kind: Any) -> Column:
    made = column_of(state)
    return made if freq is None else kind(made.core, made.dtype, freq)


def rows_of_state(kind: type, labels: Any, index: tuple, columns: list) -> Any:
    rows, made = _index(*index), [column_of(s) for s in columns]
    if hasattr(kind, "_select"):
        return kind._new(made, labels, rows)  # type: ignore[attr-defined]
    return kind._new(made[0], rows, labels)  # type: ignore[attr-defined]


def column_token(c: AnyColumn) -> tuple:
    from dask.base import normalize_token

    if not c.has_core:
        return "host", normalize_token(c.stored())
    if c.is_text:
        bytes_, offsets, valid = text_parts(c.core)
        values: tuple = (bytes_, offsets)
    else:
        valid = c.core.valid
        values = (c.core.values,)
    if valid is not None and not c.core.has_missing():
        valid = None
    if valid is not None and not c.is_text:  # values under missing rows are no part of the content
        values = (_where(valid, values[0], np.zeros(1, values[0].dtype)[0]),)
    return str(c.dtype), tuple(normalize_token(v) for v in (*values, valid))


class IndexTravel:
    """Copying, pickling and naming of an index, which is immutable."""

    def __copy__(self: Any) -> Any:
        return self._view()

    def __deepcopy__(self: Any, memo: Any = None) -> Any:
        return self._view()

    def __reduce__(self: Any) -> Any:
        if mode.pickles_are_theirs() and not self._device().startswith("cuda"):
            return self.to_pandas().__reduce__()
        return _index, index_state(self)

    def __dask_tokenize__(self: Any) -> tuple:
        from dask.base import normalize_token

        kind, names, content = index_state(self)[:3]
        if not isinstance(content, tuple):
            content = tuple(column_token(c) for c in self._columns)
        return kind.__name__, normalize_token(list(names)), content
