"""Joining frames by the values of columns or by labels, in pandas' order."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _core
from .. import _classes, _fallback, _indexes
from .._columns.by_numbers import category_type
from .._columns.column import AnyColumn, Column, Core, HostColumn, categories, ndarray, plain
from .._columns.concatenation import concat
from .._columns.infer import from_values
from .._columns.lazy_take import Picked, pick
from .._columns.time_limits import fit_together
from .._columns.unique import duplicated_rows
from .._fallback.carried import carrying_both
from .._fallback.native import NotNative
from .._indexes.times import joined_freq
from .._labels import is_label, refuse_ambiguous
from .._parts.walk import are_beyond_memory
from .._pending import objects as pending
from .._pending.plan import is_each, join_rows
from .._theirs import UNSET, pandas, unset
from .merge_in_parts import merge_in_parts, refuse

_HOWS = ("inner", "left", "right", "outer")


def _as_frame(x: Any) -> Any:

    if isinstance(x, (pandas.DataFrame, pandas.Series)):
        x = _fallback.from_pandas(x)
    if isinstance(x, _classes.Series):
        if x.name is None:
            raise ValueError("Cannot merge a Series without a name")
        return x.to_frame()
    if not isinstance(x, _classes.DataFrame):
        raise TypeError(f"Can only merge Series or DataFrame objects, a {type(x)} was passed")
    return x


def _labels(on: Any, frame: Any) -> list | None:
    """Key labels as a list; None where a key is not the label of one column."""
    on = list(on) if isinstance(on, (list, tuple, pandas.Index)) else [on]
    found = []
    for k in on:
        if not is_label(k, frame._names):
            return None
        refuse_ambiguous(k, frame)
        if k not in frame._names:
            return None if k in frame._index._names else _missing_key(k)
        at = frame._names.get_loc(k)
        if not isinstance(at, (int, np.integer)):
            return None
        found.append(frame._names[at])
    return found


def _missing_key(k: Any) -> list:
    raise KeyError(k)


def _comparable(left: AnyColumn, right: AnyColumn) -> tuple[Column, Column] | None:
    """Key columns in their common type for the core's join; None where pandas has rules of its own."""
    if not left.has_core or not right.has_core:
        return _numbers_of(left, right)
    if left.dtype == right.dtype or left.family == right.family != "number":
        return left, right
    kind = left.inferred_type
    if kind != right.inferred_type or kind not in ("integer", "floating", "datetime64"):
        return None
    common = np.promote_types(left.dtype, right.dtype)
    if kind == "datetime64" and not fit_together(left.values, right.values, False):
        return None
    if kind == "integer" and common == np.float64:
        return None
    return plain(left.values.astype(common)), plain(right.values.astype(common))


def _missing_last(left: AnyColumn, right: AnyColumn, l: Column, r: Column) -> tuple[list, list]:
    """Key columns, and the integers that they are joined by, with missing keys after all others."""
    lacks = left.has_missing() or right.has_missing()
    if not lacks or not l.is_plain("biumM"):
        return [l.core], [r.core]
    if left.has_categories and all(bool((n.values[1:] >= n.values[:-1]).all()) for n in (l, r)):
        return [l.core], [r.core]  # in their own order, with missing ones before all others
    there = [(n.as_numbers(), ~c.missing()) for c, n in ((left, l), (right, r))]
    return [Core.plain(*there[0])], [Core.plain(*there[1])]


def _numbers_of(left: AnyColumn, right: AnyColumn) -> tuple[Column, Column] | None:
    """Integers for keys that are categories of one set, or timestamps of one zone; missing ones are least, as in pandas."""
    if left.dtype != right.dtype:
        return None
    if left.has_categories:
        same = left.categories.equals(right.categories)
        return (plain(left.codes), plain(right.codes)) if same else None
    if left.is_arrows and left.has_keys:
        return left.key(), right.key()  # type: ignore[return-value]
    if left.zone is None:
        return None
    return plain(left.utc().as_numbers()), plain(right.utc().as_numbers())


class _Sides:
    """Which columns of two frames are keys, and which of them the result has."""

    def __init__(
        self, left: Any, right: Any, on: Any, left_on: Any, right_on: Any, left_index: bool, right_index: bool
    ):
        self.left_names: list | None = None
        self.right_names: list | None = None
        if on is not None:
            self.left_names, self.right_names = _labels(on, left), _labels(on, right)
        else:
            if left_on is not None:
                self.left_names = _labels(left_on, left)
            if right_on is not None:
                self.right_names = _labels(right_on, right)
        self.by_index = left_index, right_index
        self.ok = (self.left_names is not None or left_index) and (self.right_names is not None or right_index)

    def shared(self) -> dict[int, tuple[Any, Any]]:
        """The keys that have the same name on both sides, by their number: the result has one column of them."""
        if self.left_names is None or self.right_names is None:
            return {}
        pairs = enumerate(zip(self.left_names, self.right_names))
        return {k: (a, b) for k, (a, b) in pairs if a == b or (a != a and b != b)}

    def of_right(self, right: Any, shared: dict[int, tuple[Any, Any]]) -> list[int]:
        """The columns of the right frame that the result has."""
        rest = list(range(len(right._columns)))
        for _, b in shared.values():
            rest.remove(right._position(b))
        return rest


def _key_columns(frame: Any, names: list | None) -> list[AnyColumn]:
    return list(frame._index._columns) if names is None else [frame._columns[frame._position(k)] for k in names]


def _has_nulls(rows: ndarray) -> bool:
    return len(rows) > 0 and int(rows.min()) < 0


SIDES = ("left", "right")


@carrying_both
def merge(
    left: Any, right: Any, how: str = "inner", on: Any = None, left_on: Any = None, right_on: Any = None, left_index: bool = False,
    right_index: bool = False, sort: bool = False, suffixes: Any = ("_x", "_y"), copy: Any = UNSET,
    indicator: Any = False, validate: str | None = None,
) -> Any:  # fmt: skip
    """Join two frames by equal keys; see `DataFrame.merge`."""
    left, right = _as_frame(left), _as_frame(right)
    asked = dict(how=how, on=on, left_on=left_on, right_on=right_on, left_index=left_index, right_index=right_index, sort=sort,
                 suffixes=suffixes, indicator=indicator, validate=validate)  # fmt: skip
    if not unset(copy):
        asked["copy"] = copy
    if on is not None and (left_on is not None or right_on is not None):
        raise pandas.errors.MergeError(
            'Can only pass argument "on" OR "left_on" and "right_on", not a combination of both.'
        )
    if on is not None and (left_index or right_index):
        raise pandas.errors.MergeError(
            'Can only pass argument "on" OR "left_index" and "right_index", not a combination of both.'
        )
    if not isinstance(indicator, (bool, str, type(None))):
        raise ValueError("indicator option can only accept boolean or string arguments")
    if (
        how == "cross"
        and on is left_on is right_on is validate is None
        and not (left_index or right_index or "copy" in asked)
    ):
        return _crossed(left, right, suffixes, indicator)
    try:
        if how not in _HOWS or "copy" in asked:
            why = "how= other than 'inner', 'left', 'right', 'outer' and 'cross'"
            raise NotNative(why if how not in _HOWS else "copy=")
        if on is None and left_on is None and right_on is None and not left_index and not right_index:
            on = [k for k in left._names if k in right._names]
            if not on:
                raise NotNative("nothing to join on")
        sides = _Sides(pending.names_only(left), right, on, left_on, right_on, left_index, right_index)
        if not sides.ok or (left_on is not None and left_index) or (right_on is not None and right_index):
            raise NotNative("keys that are not columns, or together with left_index= or right_index=")
        _check_names(left, right, sides, how)
        if how in ("inner", "left") and not (sort or validate is not None or indicator):
            later = _later(left, right, how, sides, suffixes)
            if later is not None:
                return later
        if are_beyond_memory(left._columns, right._columns):
            return _in_parts(left, right, sides, how, bool(sort), validate, suffixes, indicator)
        return _merged(left, right, sides, how, bool(sort), validate).frame(suffixes, indicator)
    except NotNative as why:
        return left._call_pandas("merge", (right,), asked, why.reason)


def _later(left: Any, right: Any, how: str, sides: _Sides, suffixes: Any) -> Any:
    """The join, of which the rows wait; None where they are joined at the call."""
    if sides.left_names is None or sides.right_names is None or len(sides.left_names) != len(sides.right_names):
        return None
    if not pending.are_long(left, right):
        return None
    keys = [(left._position(a), right._position(b)) for a, b in zip(sides.left_names, sides.right_names)]
    shared = sides.shared()
    rest = sides.of_right(right, shared)
    names = _suffixed(left._names, right._names[rest] if shared else right._names, suffixes)
    return pending.joined(left, right, how, keys, rest, names)


def _in_parts(
    left: Any, right: Any, sides: _Sides, how: str, sort: bool, validate: Any, suffixes: Any, indicator: Any
) -> Any:
    """As `merge`, of frames that take more than `config.memory_limit`."""
    keys = list(zip(_key_columns(left, sides.left_names), _key_columns(right, sides.right_names)))
    refuse(sides, keys, how, sort, validate)
    named = dict(left_on=sides.left_names, right_on=sides.right_names, suffixes=suffixes, indicator=indicator)
    return merge_in_parts(left, right, sides, keys, how, lambda a, b: merge(a, b, how, **named))


def _crossed(left: Any, right: Any, suffixes: Any, indicator: Any) -> Any:
    """Every row of one frame with every row of the other: they are joined by a key that all rows share."""
    key = "_cross"
    while key in left._names or key in right._names:
        key += "_"
    sides = (x.assign(**{key: 0}) for x in (left, right))
    return merge(*sides, on=key, suffixes=suffixes, indicator=indicator).drop(columns=key)


def _check_names(left: Any, right: Any, sides: _Sides, how: str) -> None:
    """Raise NotNative where pandas has rules for names of keys, or for labels as the keys of one side, that are not kept here."""
    named = (sides.left_names is None, sides.right_names is None)
    if named != sides.by_index or (
        named[0] != named[1] and (how not in ("left", "inner") or (how == "left" and named[0]))
    ):
        raise NotNative("this how= with the labels of one side as keys")
    if not any(named) and any(
        a != b and not (isinstance(a, str) and isinstance(b, str)) for a, b in zip(sides.left_names, sides.right_names)
    ):
        raise NotNative("keys of two names that are not both strings")
    if named[0] != named[1] and any(
        k in left._names and k in right._names for k in sides.left_names or sides.right_names or ()
    ):
        raise NotNative("labels beside a key that is a column of both")
    if isinstance(left._names, pandas.MultiIndex) or isinstance(right._names, pandas.MultiIndex):
        raise NotNative("several levels of columns")


def _check_labels(left: Any, right: Any, how: str) -> None:
    """As `_check_names`, for labels that are the keys of both sides."""
    a, b = left._index, right._index
    one_level = a.nlevels == b.nlevels == 1
    if (how != "left" or not one_level) and list(a._names) != list(b._names):
        raise NotNative("labels of other names")
    if any(i.nlevels == 1 and isinstance(i, _indexes.MultiIndex) for i in (a, b)):
        raise NotNative("labels of one level that are a MultiIndex")
    if a.dtype != b.dtype and (not (len(left) and len(right)) or a._columns[0].times() is not None):
        raise NotNative("no labels of one side, or times of two units")


def _merged(left: Any, right: Any, sides: _Sides, how: str, sort: bool, validate: str | None) -> _Result:
    """The rows of the result, as pairs of rows of the two frames."""
    keys = list(zip(_key_columns(left, sides.left_names), _key_columns(right, sides.right_names)))
    pairs = [_comparable(a, b) for a, b in keys]
    if len(_key_columns(left, sides.left_names)) != len(_key_columns(right, sides.right_names)) or any(
        p is None for p in pairs
    ):
        raise NotNative("keys of these types")
    # Times of two units are compared in the finer one; numbers keep the type of their own side in the result.
    keys = [p if k[0].is_plain("M") else k for k, p in zip(keys, pairs)]
    if validate is not None:
        _validate(pairs, validate, (left, right), sides)
    by_labels = sides.left_names is None and sides.right_names is None
    if by_labels:
        _check_labels(left, right, how)
        if left._index.dtype != right._index.dtype:
            sort = sort and how == "outer"  # labels of two types are joined in one, which pandas leaves unsorted
    rows = _joined_by_labels(left, right, keys, pairs, how, sort) if by_labels else None
    if rows is None and not sort and (sides.left_names is None or sides.right_names is None):
        rows = _looked_up(left._index, right._index, pairs, how)
    lrows, rrows = rows or _joined(*map(_least_if_missing, zip(*pairs)), left, right, how, sort)
    if by_labels and how in ("inner", "outer"):
        keys = [p if k[0].has_core else k for k, p in zip(keys, pairs)]
    return _Result(left, right, sides, keys, lrows, rrows, how, sort)


def _least_if_missing(keys: tuple[Column, ...]) -> list:
    """The keys of a side as they are joined: NaT, as one of several, is the least integer to pandas, before all times."""
    several = len(keys) > 1
    return [(plain(c.as_numbers()) if several and c.times() is not None else c).core for c in keys]


def _joined(lkeys: list, rkeys: list, left: Any, right: Any, how: str, sort: bool) -> tuple[ndarray, ndarray]:
    return join_rows(lkeys, rkeys, len(left) + len(right), how, sort)


_FEW = 4  # an index of at least so many times the keys is used for look-ups


def _looked_up(a: Any, b: Any, pairs: list, how: str) -> tuple[ndarray, ndarray] | None:
    """Rows of few keys and their matches in a long index that keeps a hash table; None where a join is as good."""
    long, i = (a, 0) if how == "right" else (b, 1)
    if how not in ("left", "right", "inner") or long._own is None or len(pairs) != long.nlevels:
        return None
    few = [p[1 - i] for p in pairs]
    mine = all(p[i] is c and p[1 - i].dtype == c.dtype for p, c in zip(pairs, long._columns))
    if not mine or len(few[0]) * _FEW > len(long) or not long.is_unique:
        return None
    there = long._own.positions_of(_core.Labels([c.core for c in few]))
    here = _core.arange(0, 1, len(few[0]), np.dtype(np.int64), few[0].device)
    if how == "inner":
        found = there >= 0
        here, there = here[found], there[found]
    return (there, here) if i == 0 else (here, there)


def _joined_by_labels(left: Any, right: Any, keys: list, pairs: list, how: str, sort: bool) -> tuple[ndarray, ndarray]:
    """Rows of equal labels in pandas' order, which depends on whether labels are equal, unique or ranges."""
    a, b = left._index, right._index
    if a.equals(b) and a.is_unique and not sort and (how != "outer" or a.is_monotonic_increasing):
        rows = _core.arange(0, 1, len(left), np.dtype(np.int64), left._device())
        return rows, rows
    lkeys, rkeys = [p[0].core for p in pairs], [p[1].core for p in pairs]
    one_level = a.nlevels == b.nlevels == 1  # of several levels, those of the same names are joined
    if one_level and how == "outer" and a.is_unique and b.is_unique:
        lkeys, rkeys = _missing_last(*keys[0], *pairs[0])  # the union of such labels is sorted
    looked_up = None if sort else _looked_up(a, b, pairs, how)
    lrows, rrows = looked_up or _joined(lkeys, rkeys, left, right, how, sort)
    ranges = isinstance(a, _indexes.RangeIndex) and isinstance(b, _indexes.RangeIndex)
    if how == "inner" and not sort and ranges and a.step < 0 < b.step:
        return lrows[::-1], rrows[::-1]  # the intersection of two ranges ascends, unless both descend
    return lrows, rrows


def _validate(pairs: list, validate: str, frames: tuple, sides: _Sides) -> None:
    """Raise pandas.errors.MergeError where keys repeat although `validate` forbids it."""
    kinds = {
        "1:1": (1, 1),
        "one_to_one": (1, 1),
        "1:m": (1, 0),
        "one_to_many": (1, 0),
        "m:1": (0, 1),
        "many_to_one": (0, 1),
        "m:m": (0, 0),
        "many_to_many": (0, 0),
    }
    if validate not in kinds:
        raise ValueError(
            f'"{validate}" is not a valid argument. Valid arguments are:\n- "1:1"\n- "1:m"\n- "m:1"\n- "m:m"\n- "one_to_one"\n'
            '- "one_to_many"\n- "many_to_one"\n- "many_to_many"'
        )
    unique = [_core.factorize_columns([p[i].core for p in pairs], False, True)[2] == len(pairs[0][i]) for i in (0, 1)]
    bad = [side for side, must, is_ in zip(SIDES, kinds[validate], unique) if must and not is_]
    if bad:
        many = {"1:1": "one-to-one", "1:m": "one-to-many", "m:1": "many-to-one"}
        word = many.get(validate, validate.replace("_", "-"))
        where = "either left or right" if len(bad) == 2 else bad[0]
        end = "." if len(bad) == 2 else "\n" if word == "many-to-one" else ""
        names = (sides.left_names, sides.right_names)
        shown = "".join(_repeated(i, [p[i] for p in pairs], frames[i], names[i]) for i in (0, 1) if SIDES[i] in bad)
        raise pandas.errors.MergeError(f"Merge keys are not unique in {where} dataset; not a {word} merge{end}{shown}")


def _repeated(i: int, keys: list, frame: Any, names: list | None) -> str:
    """The first keys of a side that repeat others, in pandas' format."""
    rows = _core.nonzero(duplicated_rows(keys, "first", len(frame)))[0][:5]
    with _fallback.presented():
        if names is None:
            some = frame._index._take(rows).to_pandas().to_frame()
        else:
            some = pandas.DataFrame({k: c.take(rows).to_pandas_array() for k, c in zip(names, keys)})
        return f"\nDuplicates in {SIDES[i]}:\n {some.to_string(index=False)} ..."


class _Result:
    """The frame of the joined rows."""

    def __init__(
        self, left: Any, right: Any, sides: _Sides, keys: list, lrows: ndarray, rrows: ndarray, how: str, sort: bool
    ):
        self.left, self.right, self.sides, self.keys, self.how = left, right, sides, keys, how
        self.lrows, self.rrows = lrows, rrows
        self.filled: tuple[ndarray, ndarray] | None = None
        self.lholes = how in ("right", "outer") and _has_nulls(lrows)
        self.rholes = how in ("left", "outer") and _has_nulls(rrows)
        self.lpicked, self.rpicked = Picked(lrows, lacking=self.lholes), Picked(rrows, lacking=self.rholes)
        # A left join keeps the order of the left rows: without repeated matches, only columns are added.
        self.same_left = how == "left" and not sort and len(lrows) == len(left)
        self.each_left = self.same_left or is_each(lrows, len(left))
        self.each_right = is_each(rrows, len(right))

    def _from_left(self, c: AnyColumn) -> AnyColumn:
        return c if self.each_left else pick(c, self.lpicked)

    def _from_right(self, c: AnyColumn) -> AnyColumn:
        if self.filled is not None:
            return c.take(self.filled[1], True)
        return c if self.each_right else pick(c, self.rpicked)

    def fill(self, lrows: ndarray, rrows: ndarray) -> None:
        """Select other rows for the columns that are no keys."""
        self.filled = (lrows, rrows)

    def _either(self, a: AnyColumn, b: AnyColumn) -> AnyColumn:
        """A key of both sides: from the left row, else from the right one."""
        if not self.lholes:
            return self._from_left(a)
        if int(self.lrows.max()) < 0:
            return b.take(self.rrows)
        both = concat([a, b])
        from ... import where

        return both.take(where(self.lrows >= 0, self.lrows, self.rrows + len(self.left)))

    def frame(self, suffixes: Any, indicator: Any) -> Any:
        shared = self.sides.shared()
        columns: list[AnyColumn] = []
        of_key = {self.left._position(a): k for k, (a, _) in shared.items()}
        for i, c in enumerate(self.left._columns):
            if i in of_key:
                columns.append(self._either(*self.keys[of_key[i]]))
            else:
                columns.append(self._from_left(c) if self.filled is None else c.take(self.filled[0], True))
        rest = self.sides.of_right(self.right, shared)
        columns += [self._from_right(self.right._columns[i]) for i in rest]
        right_names = self.right._names[rest] if shared else self.right._names
        names = _suffixed(self.left._names, right_names, suffixes)
        if indicator:
            label = "_merge" if indicator is True else indicator
            for n in ("_left_indicator", "_right_indicator", label):
                if n in self.left._names or n in self.right._names:
                    raise ValueError("Cannot use name of an existing column for indicator column")
            names = names.insert(len(names), label)
            columns.append(self._origin())
        return _classes.DataFrame._new(columns, names, self._labels())

    def _origin(self) -> HostColumn:
        from ... import where

        l, r = self.lrows >= 0, self.rrows >= 0
        codes = where(l & r, np.int64(2), where(l, np.int64(0), np.int64(1)))
        return categories(codes, category_type(from_values(["left_only", "right_only", "both"])))

    def _labels(self) -> Any:
        by_left, by_right = self.sides.by_index
        if not by_left and not by_right:
            return _indexes.default(len(self.lrows))
        if by_left and by_right:
            names = [a if a == b else None for a, b in zip(self.left._index._names, self.right._index._names)]
            if self.how == "left" or (self.how == "inner"):
                names = list(self.left._index._names) if self.how == "left" else names
            if self.same_left and self.right._index.is_unique:
                return self.left._index.rename(names if len(names) > 1 else names[0])
            keys = self.keys[-len(names) :]  # merge_asof has the columns of its groups in front
            columns = [self._from_right(b) if self.how == "right" else self._either(a, b) for a, b in keys]
            return self._labelled(columns, names)
        if by_right:
            return self.left._index._take(self.lrows)
        there = self.right._index
        return (
            there._with([c.take(self.rrows, True) for c in there._columns]) if self.rholes else there._take(self.rrows)
        )

    def _labelled(self, columns: list[AnyColumn], names: list) -> Any:
        """The intersection of the labels of both sides: a range where the first side has one, with a frequency as for sets."""
        if len(columns) > 1:
            return _indexes.MultiIndex._make(columns, names)
        made = _indexes.from_column(columns[0], names[0])
        left, right = self.left._index, self.right._index
        ranges = [isinstance(i, _indexes.RangeIndex) for i in (left, right)]
        ascend = left.is_monotonic_increasing and right.is_monotonic_increasing
        # Where both ascend, pandas converts the labels on the right to the class of those on the left.
        alike = self.how == "right" and ranges[0] and ascend and left.dtype == right.dtype
        if ranges[self.how == "right"] or alike:
            return _indexes.evenly(made)
        return made._at(joined_freq(left, right, made, self.how)) if hasattr(made, "_freq") else made


def _suffixed(left: pandas.Index, right: pandas.Index, suffixes: Any) -> pandas.Index:
    """Names of the result's columns."""
    if not isinstance(suffixes, (tuple, list)):
        raise TypeError(
            f"Passing 'suffixes' as a {type(suffixes)}, is not supported. Provide 'suffixes' as a tuple instead."
        )
    overlap = left.intersection(right)
    if len(overlap):
        ls, rs = suffixes
        if not ls and not rs:
            raise ValueError(f"columns overlap but no suffix specified: {overlap}")
        before = (left, right)
        left, right = _renamed(left, overlap, ls), _renamed(right, overlap, rs)
        new = []
        for old, now in zip(before, (left, right)):
            repeated = now.duplicated() & ~old.duplicated()
            new += [n for n, r in zip(now, repeated) if r]
        both = set(overlap)  # sets, as differences of stand-ins for an Index would import pandas
        for renamed, other in ((left, before[1]), (right, before[0])):
            there = set(other) - both
            new += [n for n in renamed if n in there]
        if new:
            raise pandas.errors.MergeError(
                f"Passing 'suffixes' which cause duplicate columns {set(new)} is not allowed."
            )
    return left.append(right)


def _renamed(names: pandas.Index, overlap: pandas.Index, suffix: Any) -> pandas.Index:
    return names._transform_index(lambda n: f"{n}{suffix}" if n in overlap and suffix is not None else n)
