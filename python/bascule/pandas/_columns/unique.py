"""Distinct values: unique, counts, codes, and duplicated rows."""

from __future__ import annotations

from typing import Any

import numpy as np

import bascule as bc

from ... import _core
from .._theirs import pandas
from .column import AnyColumn, Column, Core, categories, ndarray
from .grouping import Codes, Grouping, int64

INT64 = np.dtype(np.int64)


def all_own(columns: list[AnyColumn]) -> bool:
    """Whether all columns have keys that distinguish their values."""
    return all(c.has_keys for c in columns)


def keys_of(columns: list[AnyColumn]) -> list[Column]:
    """The columns' keys, which are equal where the values are."""
    return [k if (k := c.key()) is c else Codes(c, k) for c in columns]


def check_keep(keep: Any) -> None:
    if keep not in ("first", "last", False) or keep is None:
        raise ValueError('keep must be either "first", "last" or False')


def distinct(c: AnyColumn, dropna: bool = False) -> AnyColumn:
    """The distinct values in order of first appearance."""
    _, first, _ = _core.factorize_columns([keys_of([c])[0].core], False, not dropna)
    return c.take(first)


def duplicated_rows(columns: list[AnyColumn], keep: Any, n: int) -> ndarray:
    """Boolean array: rows that repeat another; of equal rows all except the first, the last, or none."""
    if not columns or n == 0:
        return bc.zeros(n, dtype=bool)
    codes, first, count = _core.factorize_columns([c.core for c in keys_of(columns)], True, True)
    if keep is False:
        sizes = _core.aggregate_columns(codes, count, [(None, "size", 1, -1)])[0].values
        return _core.take(sizes, int64(codes), 0) > 1
    if keep == "last":
        first = _core.aggregate_columns(codes, count, [(Core.plain(bc.arange(n)), "last", 1, -1)])[0].values
    out = bc.ones(n, dtype=bool, device=codes.device)
    out[first] = False
    return out


def factorized(c: AnyColumn, sort: bool, use_na_sentinel: bool) -> tuple[ndarray, AnyColumn]:
    """The code of each row's value, -1 where missing unless missing values are encoded too, and the distinct values."""
    groups = Grouping(keys_of([c]), [None], sort, use_na_sentinel)
    return groups.groups_of_rows(), c.take(groups.first)


def counted(
    columns: list[AnyColumn], normalize: bool, sort: bool, ascending: bool, dropna: bool, nullable: bool
) -> tuple[list[AnyColumn], Column]:
    """Distinct rows and their counts, most frequent first; ties in order of first appearance."""
    groups = Grouping(list(keys_of(columns)), [None] * len(columns), False, dropna)
    rows, counts = groups.first, groups.sizes
    keys, up = [Core.plain(counts)] if sort else [], [ascending] if sort else []
    if not dropna and len(columns) == 1 and columns[0].is_masked:  # NA comes after the values it ties with
        keys, up = [*keys, Core.plain(_core.take(columns[0].missing(), rows, 0))], [*up, True]
    if keys:
        order = _core.order_columns(keys, up, False)
        rows, counts = _core.take(rows, order, 0), _core.take(counts, order, 0)
    labels = [k.take(rows) for k in columns]
    if not normalize:
        return labels, Column(Core.plain(counts), pandas.Int64Dtype() if nullable else INT64)
    shares = counts / counts.sum() if len(counts) else _core.astype(counts, np.dtype(np.float64), False, "K")
    return labels, Column(Core.plain(shares), pandas.Float64Dtype() if nullable else np.dtype(np.float64))


def counts_of_categories(
    c: AnyColumn, normalize: bool, sort: bool, ascending: bool, dropna: bool
) -> tuple[AnyColumn, Column]:
    """The categories, unused ones included, and their counts."""
    codes, kinds = c.codes, len(c.dtype.categories)
    counts = _core.to_numpy(bc.bincount(bc.where(codes < 0, np.int64(kinds), codes), minlength=kinds + 1))
    numbers = np.append(np.arange(kinds), -1)
    if dropna or counts[-1] == 0:
        counts, numbers = counts[:-1], numbers[:-1]
    if sort:
        order = np.argsort(counts if ascending else -counts, kind="stable")
        counts, numbers = counts[order], numbers[order]
    there = _core.from_numpy(counts / counts.sum() if normalize else counts.astype(INT64), c.device)
    return categories(_core.from_numpy(numbers.astype(INT64), c.device), c.dtype), Column(
        Core.plain(there), there.dtype
    )
