"""Grouped operations that return a row for each row, or select rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import bascule as bc

from ... import _core
from .. import _classes
from .._columns.column import AnyColumn, Column, Core, ndarray, plain
from .._columns.concatenation import concat as concat_columns
from .._columns.dtypes import kept
from .._columns.grouping import NO_GROUP, Grouping, int64
from .._columns.results import of_results
from .._columns.time_limits import fit_together
from .._fallback import deprecations
from .._fallback.calls import from_pandas
from .._fallback.carried import finish
from .._fallback.native import NotNative, integer, native
from .._questions import is_integer
from .._theirs import UNSET, is_loaded, pandas, unset
from .agg import REDUCTIONS, Request, narrowed, options_of
from .in_parts import compute

FLOAT64 = np.dtype(np.float64)
_SCALARS = {float, int, bool, str, np.float64, np.int64, np.bool_}  # of which a column is made as of a list
_CUMULATIVE = ("cumsum", "cumprod", "cummin", "cummax")
TRANSFORMS = {*_CUMULATIVE, "shift", "diff", "ffill", "bfill", "cumcount", "ngroup", "rank"}


def _check(c: AnyColumn, op: str, of_frame: bool = False) -> Column:
    c.own()
    if op in _CUMULATIVE:
        if c.is_text:
            if op in ("cummin", "cummax"):
                if of_frame:
                    raise NotImplementedError(f"function is not implemented for this dtype: [how->{op},dtype->object]")
                raise TypeError(f"{op} is not supported for {c.dtype} dtype")
            raise TypeError(f"dtype '{c.dtype}' does not support operation '{op}'")
        if c.letter == "M" and op in ("cumsum", "cumprod"):
            raise TypeError(f"datetime64 type does not support operation '{op}'")
        if c.plain_values("iufM", op).dtype == np.float16:
            raise NotNative(f"{op} of {c.dtype}")
    return c


def running(groups: Grouping, columns: list[AnyColumn], op: str, of_frame: bool) -> list[AnyColumn]:
    """The aggregate of each row's group up to that row; missing where the value is missing or the row has no group."""
    checked = [_check(c, op, of_frame) for c in columns]
    if groups.drops and any(c.times() is not None and c.has_missing() for c in checked):
        raise NotNative(f"{op} of NaT with missing keys")
    if groups.drops:  # pandas computes with floats as soon as some rows are in no group
        checked = [c if c.can_lack else plain(_core.astype(c.values, FLOAT64, False, "K")) for c in checked]
    made = (
        _core.aggregate_columns(groups.codes, groups.count, [(c.core, op, 1, -1) for c in checked]) if checked else []
    )
    out: list[AnyColumn] = []
    for c, core in zip(checked, made):
        out.append(plain(narrowed(c, core.values) if op in ("cumsum", "cumprod") else core.values))
    return out


class RowsOfGroups(dict[Any, Any]):
    """A dict that is written as pandas writes those of groups."""

    def __repr__(self) -> str:
        return repr(pandas.io.formats.printing.PrettyDict(self))


class Positions:
    """The position of each row within its group.

    Attributes
    ----------
    order : int64 array
        Rows by group, in row order within each.
    before, after : int64 arrays
        Number of rows of the same group before and after, in that order; for rows of no group, all such rows.
    """

    def __init__(self, groups: Grouping):
        n = len(groups)
        self.order = groups.order
        codes = _core.take(groups.codes, self.order, 0)
        here = bc.arange(n)
        starts, sizes = groups.starts, groups.sizes
        if groups.drops:
            grouped = int(sizes.sum()) if len(sizes) else 0
            self.in_group = codes != np.uint32(NO_GROUP)
            starts, sizes = bc.append(starts, grouped), bc.append(sizes, n - grouped)
            codes = bc.minimum(int64(codes), np.int64(groups.count))
        else:
            self.in_group = None
        self.before = here - _core.take(starts, int64(codes), 0)
        self.after = _core.take(sizes, int64(codes), 0) - self.before - 1

    def by_row(self, ordered: ndarray) -> ndarray:
        """Values in the order of the groups, put back into the order of the rows."""
        out = bc.empty(len(ordered), dtype=ordered.dtype, device=ordered.device)
        out[self.order] = ordered
        return out

    def chosen(self, mask: ndarray, rows: Any) -> Any:
        """The rows selected by a mask in the order of the groups, in their own order."""
        if self.in_group is not None:
            mask = mask & self.in_group
        return rows._filter_rows(self.by_row(mask), asked_for=rows.ndim == 1)


def _counted(groups: Grouping, values: ndarray) -> Column:
    """Counts for each row, missing where a row is in no group."""
    if not groups.drops:
        return plain(values)
    none = groups.codes == np.uint32(NO_GROUP)
    return plain(bc.where(none, np.nan, _core.astype(values, np.dtype(np.float64), False, "K")))


def _spread(groups: Grouping, c: AnyColumn) -> AnyColumn:
    """Broadcast one row for each group to all rows of the groups."""
    rows = groups.groups_of_rows()
    return c.take(rows, True) if groups.drops else c.take(rows)


def _part_of_result(found: Any, index: Any) -> AnyColumn:
    """The values that a function returned for a group, in the order of its rows, or one value for each of them."""
    if isinstance(found, _classes.Series) and (found._index is index or found._index.equals(index)):
        return found._column
    return _classes.Series(found, index=index)._column


class GroupedRows:
    """Methods of grouped frames and grouped series that return rows."""

    _groups: Grouping
    _obj: Any

    def _columns(self) -> tuple[list[AnyColumn], pandas.Index]:
        raise NotImplementedError

    def _like_rows(self, columns: list[AnyColumn], names: pandas.Index) -> Any:
        """Columns with a row for each row, in the form of the grouped object."""
        raise NotImplementedError

    def _all_rows(self) -> Any:
        """The grouped frame or series, with keys unless columns are selected."""
        raise NotImplementedError

    def _cumulative(self, op: str, numeric_only: bool, skipna: bool, kwargs: dict) -> Any:
        if kwargs:
            raise NotNative(f"arguments of {op}")
        if not skipna:
            raise NotNative("skipna=False")
        columns, names = self._columns()
        of_frame = hasattr(self, "_positions")
        if numeric_only and of_frame:
            keep = kept(columns)
            columns, names = [columns[i] for i in keep], names[keep]
        return self._like_rows(running(self._groups, columns, op, of_frame), names)

    @native
    def cumsum(self, numeric_only: bool = False, *, skipna: bool = True, **kwargs: Any) -> Any:
        """Sum of each group up to each row."""
        return self._cumulative("cumsum", numeric_only, skipna, kwargs)

    @native
    def cumprod(self, numeric_only: bool = False, *, skipna: bool = True, **kwargs: Any) -> Any:
        """Product of each group up to each row."""
        return self._cumulative("cumprod", numeric_only, skipna, kwargs)

    @native
    def cummin(self, numeric_only: bool = False, *, skipna: bool = True, **kwargs: Any) -> Any:
        """Least value of each group up to each row."""
        return self._cumulative("cummin", numeric_only, skipna, kwargs)

    @native
    def cummax(self, numeric_only: bool = False, *, skipna: bool = True, **kwargs: Any) -> Any:
        """Greatest value of each group up to each row."""
        return self._cumulative("cummax", numeric_only, skipna, kwargs)

    @native
    def cumcount(self, ascending: bool = True) -> Any:
        """Number of each row within its group, from 0; counted from the end unless `ascending`."""

        positions = Positions(self._groups)
        values = positions.by_row(positions.before if ascending else positions.after)
        return _classes.Series._new(_counted(self._groups, values), self._obj._index, None)

    @native
    def ngroup(self, ascending: bool = True) -> Any:
        """Number of each row's group; counted from the last group unless `ascending`."""

        values = int64(self._groups.codes)
        if not ascending:
            values = np.int64(self._groups.count - 1) - values
        return _classes.Series._new(_counted(self._groups, values), self._obj._index, None)

    @native(periods=is_integer, freq=None, fill_value=lambda value: unset(value) or value is None, suffix=None)
    def shift(self, periods: Any = 1, freq: Any = None, fill_value: Any = UNSET, suffix: Any = None) -> Any:
        """Shift each group's values down by `periods` rows."""
        columns, names = self._columns()
        if periods == 0 or len(self._groups) == 0:
            return self._like_rows(columns, names)
        source = self._rows_before(int(periods))
        return self._like_rows([c.take(source, True) for c in columns], names)

    @native(periods=is_integer)
    def diff(self, periods: int = 1) -> Any:
        """The difference of each value from the one `periods` rows before it in its group."""
        columns, names = self._columns()
        if periods == 0 or len(self._groups) == 0:
            raise NotNative("differences of no rows")
        for c in columns:
            values = c.plain_values("iufM", "differences of values that are not plain numbers or dates")
            if c.times() is not None and not fit_together(values, values, True):
                raise NotNative("datetimes at the limits of their unit")
        source = self._rows_before(int(periods))
        out: list[AnyColumn] = []
        for c in columns:
            values = c.values - c.take(source, True).values  # type: ignore[union-attr]
            small = c.dtype in (np.int8, np.int16)
            out.append(plain(_core.astype(values, np.dtype(np.float32), False, "K") if small else values))
        return self._like_rows(out, names)

    def _rows_before(self, periods: int) -> ndarray:
        """int64: the row `periods` rows before each in its group, -1 where there is none."""
        positions = Positions(self._groups)
        n = len(positions.order)
        ok = (positions.before >= periods) if periods >= 0 else (positions.after >= -periods)
        if positions.in_group is not None:
            ok = ok & positions.in_group
        source = _core.take(positions.order, bc.clip(bc.arange(n) - periods, 0, n - 1), 0)
        return positions.by_row(bc.where(ok, source, np.int64(-1)))

    def _filled(self, forward: bool) -> Any:
        columns, names = self._columns()
        for c in columns:
            c.own()
        return self._like_rows(_carried(self._groups, columns, forward), names)

    @native(limit=None)
    def ffill(self, limit: int | None = None) -> Any:
        """Fill each missing value with the last value before it in its group that is not missing."""
        return self._filled(True)

    @native(limit=None)
    def bfill(self, limit: int | None = None) -> Any:
        """Fill each missing value with the next value after it in its group that is not missing."""
        return self._filled(False)

    @native
    def head(self, n: int = 5) -> Any:
        """The first n rows of each group, in row order; with negative n all but the last -n."""
        integer(n, "a number of rows")
        positions = Positions(self._groups)
        return positions.chosen(positions.before < n if n >= 0 else positions.after >= -n, self._all_rows())

    @native
    def tail(self, n: int = 5) -> Any:
        """The last n rows of each group, in row order; with negative n all but the first -n."""
        integer(n, "a number of rows")
        positions = Positions(self._groups)
        return positions.chosen(positions.after < n if n >= 0 else positions.before >= -n, self._all_rows())

    def _nth(self, n: Any, dropna: Any = None) -> Any:
        numbers = [n] if is_integer(n) else n
        if dropna is not None or not isinstance(numbers, list) or not all(map(is_integer, numbers)):
            raise NotNative("nth of slices or of values that are not missing")
        positions = Positions(self._groups)
        mask = bc.zeros(len(positions.order), dtype=bool)
        for k in numbers:
            mask = mask | ((positions.before == k) if k >= 0 else (positions.after == -k - 1))
        return positions.chosen(mask, self._all_rows())

    @native(engine=None, engine_kwargs=None)
    def transform(
        self, func: Any = None, *args: Any, engine: Any = None, engine_kwargs: Any = None, **kwargs: Any
    ) -> Any:
        """The result of an aggregation by name, or of a function for the values of each group, at every row of its group."""
        if not isinstance(func, str):
            return self._transformed(func, args, kwargs)
        if func in TRANSFORMS:
            return getattr(self, func)(*args, **kwargs)
        if func not in REDUCTIONS or func in ("idxmin", "idxmax", "quantile"):
            raise NotNative(f"transform by {func}")
        options = options_of(func, args, kwargs)
        columns, names = self._columns()
        if options.get("numeric_only"):
            raise NotNative("transform with numeric_only=")
        if func == "size" and hasattr(self, "_positions"):
            size = plain(self._groups.sizes)
            return _classes.Series._new(_spread(self._groups, size), self._obj._index, None)
        requests = [Request(c, func, options, self._obj._index) for c in columns]
        made = compute(self._groups, requests, together=True)
        return self._like_rows([_spread(self._groups, c) for c in made], names)

    def _transformed(self, func: Any, args: tuple, kwargs: dict) -> Any:
        """The results of a Python function for the values of each group: as many values, or one for all of them."""
        groups = self._groups
        if hasattr(self, "_positions") or not callable(func) or not groups.count or groups.may_be_empty:
            raise NotNative("transform of frames by Python functions, or groups that may have no rows")
        found = self._called_with_parts(func, args, kwargs)
        kinds = set(map(type, (v for v, _ in found)))
        if len(kinds) == 1 and kinds <= _SCALARS:
            made = _spread(groups, of_results([v for v, _ in found]))
        else:
            together = concat_columns([_part_of_result(v, index) for v, index in found])
            at = np.full(len(self._obj), -1, np.int64)
            at[_core.to_numpy(groups.order)[: len(together)]] = np.arange(len(together))
            made = together.take(_core.from_numpy(at, together.device), groups.drops)
        return self._like_rows([made], self._columns()[1])

    def _called_with_parts(self, func: Any, args: tuple, kwargs: dict) -> list[tuple[Any, Any]]:
        """The results of a function for each group of a series, with the labels of its rows."""
        order, bounds = self._spans()
        rows = self._series  # type: ignore[attr-defined]
        rows = rows._map_columns(lambda c: c.take(order), rows._index._take(order))
        found = []
        for i, label in enumerate(self._group_labels()):
            part = rows._slice_rows(slice(int(bounds[i]), int(bounds[i + 1])))
            index = part._index
            object.__setattr__(part, "name", label)
            found.append((from_pandas(func(part, *args, **kwargs)), index))
        return found

    # ---- the groups one by one
    def _spans(self) -> tuple[ndarray, np.ndarray]:
        """Rows by group, and, on the host, the start of each group, with the end at last."""
        groups = self._groups
        return groups.order, np.concatenate([[0], np.cumsum(_core.to_numpy(groups.sizes))])

    @property
    def indices(self) -> dict[Any, np.ndarray]:
        """Positions of the rows of each group, by its label."""
        if self._foreign is not None:  # type: ignore[attr-defined]
            from .. import _fallback

            with _fallback.in_pandas(f"{type(self).__name__}.indices", self._foreign, self._obj._device()):  # type: ignore[attr-defined]
                return self.__bascule_to_pandas__().indices  # type: ignore[attr-defined]
        order, bounds = self._spans()
        keys = self._groups.keys  # type: ignore[attr-defined]
        # pandas leaves out missing rows of categories
        of_all = len(keys) != 1 or not getattr(keys[0], "like", keys[0]).has_categories
        order = _core.to_numpy(order)  # NumPy's arrays, as pandas has them
        index = self._groups.index()
        plain = len(index._columns) == 1 and index._columns[0].is_plain("iufb")
        labels = enumerate(index.to_numpy() if plain else index)  # NumPy's scalars
        return {k: order[bounds[i] : bounds[i + 1]].copy() for i, k in labels if of_all or k == k}

    def _rows_by_label(self) -> dict[Any, ndarray]:
        """Positions of the rows of each group, by its label, on the device of the rows."""
        order, bounds = self._spans()
        return {k: order[int(bounds[i]) : int(bounds[i + 1])] for i, k in enumerate(self._group_labels())}

    @property
    def groups(self) -> dict[Any, Any]:
        """Labels of the rows of each group, by its label."""
        deprecations.of_groups(self._options["by"])
        if self._foreign is not None:  # type: ignore[attr-defined]
            from .. import _fallback

            with _fallback.in_pandas(f"{type(self).__name__}.groups", self._foreign, self._obj._device()):  # type: ignore[attr-defined]
                found = self.__bascule_to_pandas__().groups  # type: ignore[attr-defined]
                return pandas.io.formats.printing.PrettyDict({k: _fallback.from_pandas(v) for k, v in found.items()})
        index = self._obj._index
        found = {k: index._take(rows) for k, rows in self._rows_by_label().items()}
        if self._groups.index().nlevels > 1:
            return found
        return pandas.io.formats.printing.PrettyDict(found) if is_loaded() else RowsOfGroups(found)

    def _group_labels(self) -> list[Any]:
        return list(self._groups.index())

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        if self._foreign is not None:  # type: ignore[attr-defined]
            from .. import _fallback

            with _fallback.in_pandas(f"{type(self).__name__}.__iter__", self._foreign, self._obj._device()):  # type: ignore[attr-defined]
                parts = list(self.__bascule_to_pandas__())  # type: ignore[attr-defined]
            yield from ((k, _fallback.from_pandas(part)) for k, part in parts)
            return
        order, bounds = self._spans()
        rows = self._all_rows()._take_rows(order)
        by = self._options["by"]  # type: ignore[attr-defined]
        level = self._options["level"]  # type: ignore[attr-defined]
        one = isinstance(by, list) and len(by) == 1 or isinstance(level, list) and len(level) == 1
        for i, label in enumerate(self._group_labels()):
            part = rows._slice_rows(slice(int(bounds[i]), int(bounds[i + 1])))
            yield ((label,) if one else label), part if self._obj._plain else finish(self._obj, part)

    @native
    def get_group(self, name: Any) -> Any:
        """The rows of one group."""
        labels = self._groups.index()
        by = self._options["by"]  # type: ignore[attr-defined]
        if isinstance(by, list) and len(by) == 1:
            if not isinstance(name, tuple) or len(name) != 1:
                raise KeyError(name)
            label = name[0]
        else:
            label = name
        try:
            found = labels._find(_as_dates(self._groups, label))
        except KeyError:
            raise KeyError(label) from None
        if len(found) != 1:
            raise KeyError(label)
        i = int(found[0])
        order, bounds = self._spans()
        return self._all_rows()._take_rows(order[int(bounds[i]) : int(bounds[i + 1])])


def _as_dates(groups: Grouping, label: Any) -> Any:
    """The label of a group, in which timestamps may be given as strings."""
    dates = [getattr(c.dtype, "kind", "") == "M" for c in groups.key_columns()]
    if dates == [True]:
        return pandas.Timestamp(label)
    if isinstance(label, tuple) and len(label) == len(dates):
        return tuple(pandas.Timestamp(x) if date else x for date, x in zip(dates, label))
    return label


def _carried(groups: Grouping, columns: list[Column], forward: bool) -> list[AnyColumn]:
    """The last valid value in each row's group up to it, or the next one from it on; missing in rows of no group."""
    step = 1 if forward else -1
    holed = [c for c in columns if c.has_missing()]
    requests = []
    for c in holed:
        core = Core.plain(bc.arange(len(c)), ~c.missing()) if _by_row(c) else c.core
        requests.append(
            (Core.plain(core.values[::step], None if core.valid is None else core.valid[::step]), "cumlast", 1, -1)
        )
    made = iter(_core.aggregate_columns(groups.codes[::step], groups.count, requests) if holed else [])
    out: list[AnyColumn] = []
    for c in columns:
        if not c.has_missing():
            out.append(c.take(bc.where(_outside(groups), np.int64(-1), bc.arange(len(c))), True) if groups.drops else c)
        elif _by_row(c):
            core = next(made)
            out.append(c.take(bc.where(core.valid, core.values, np.int64(-1))[::step], True))
        else:
            out.append(plain(next(made).values[::step]))
    return out


def _by_row(c: Column) -> bool:
    """Whether values are carried by the numbers of their rows."""
    return not c.is_plain("fmM") or c.dtype == np.float16


def _outside(groups: Grouping) -> ndarray:
    """Whether a row is in no group."""
    return groups.codes == np.uint32(NO_GROUP)


class Nth:
    """Rows by their number within the group: grouped.nth(1), grouped.nth([0, -1]), grouped.nth[1]."""

    _foreign: str | None = None

    def __init__(self, grouped: Any):
        self._grouped = grouped
        self._foreign = grouped._foreign

    def _device(self) -> str:
        return self._grouped._device()

    def __bascule_to_pandas__(self) -> Any:
        return self._grouped.__bascule_to_pandas__().nth

    @native
    def __call__(self, n: Any, dropna: Any = None) -> Any:
        return self._grouped._nth(n, dropna)

    __call__.__wrapped__.__qualname__ = "GroupByNthSelector.__call__"  # as errors show it

    @native
    def __getitem__(self, n: Any) -> Any:
        deprecations.of_nth()
        return self._grouped._nth(list(n) if isinstance(n, tuple) else n)
