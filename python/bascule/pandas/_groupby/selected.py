"""Aggregations of rows that a mask has chosen, read where they are: nothing of them is gathered before the pass over the groups."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

import bascule as bc

from .._columns.column import AnyColumn, Column, Core
from .._columns.grouping import Grouping
from .._columns.lazy_take import Picked
from .._columns.selected import common_sources
from . import agg
from .agg import Request

# Aggregations that one pass computes, by values that need no other look at the rows.
_IN_ONE_PASS = {"sum", "mean", "min", "max", "count", "size", "prod", "var", "std"}


def compute(groups: Grouping, requests: list[Request], together: bool = False) -> list[AnyColumn]:
    """As `agg.compute`; over all rows, of which some are in no group, where keys and values wait for the same of them."""
    whole = _whole(groups, requests)
    if whole is None:
        return agg.compute(groups, requests, together)
    made = agg.compute(whole[0], whole[1], together)
    groups.found = whole[0]
    return made


def _whole(groups: Grouping, requests: list[Request]) -> tuple[Grouping, list[Request]] | None:
    """Groups of all rows, and what is to be computed of them."""
    if type(groups) is not Grouping or groups.may_be_empty or not groups.dropna or "groups" in vars(groups):
        return None
    values = [r.column for r in requests if r.column is not None and r.op != "size"]
    if not values or not all(r.op in _IN_ONE_PASS and r.options.get("skipna", True) for r in requests):
        return None
    shared = common_sources([*groups.keys, *values])
    if shared is None or shared[1].mask is None:
        return None
    sources, rows = shared
    keys, of = sources[: len(groups.keys)], iter(sources[len(groups.keys) :])
    codes = [c.core.encoded() for c in keys]
    if any(c is None for c in codes):
        return None
    columns = [None if r.column is None or r.op == "size" else next(of) for r in requests]
    if not all(c is None or ("add" in c.of_any_rows and _has_one_type(r, c)) for r, c in zip(requests, columns)):
        return None
    made = Grouping(_chosen(keys, codes, rows), groups.names, groups.sort, groups.dropna)
    return made, [replace(r, column=c) for r, c in zip(requests, columns)]


def _has_one_type(r: Request, c: Column) -> bool:
    """Whether the type of a result does not depend on how the rows follow each other, as that of means of float32 does."""
    return r.op != "mean" or c.values.itemsize == 8


def _chosen(keys: list[Column], codes: list[Any], rows: Picked) -> list[AnyColumn]:
    """The keys of all rows; of those that are not chosen, the first is missing, which puts them into no group."""
    numbers = bc.where(rows.mask, codes[0].values, np.int32(-1))
    first = Column(Core.coded(numbers, codes[0].dictionary), keys[0].dtype)
    return [first, *keys[1:]]
