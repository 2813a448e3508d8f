"""Labels from columns and back, where there are few rows, several levels or other types: against pandas."""

from __future__ import annotations

import itertools

import pandas
import pytest
from frames import both

EMPTY = pandas.DataFrame(
    {
        "a": pandas.Series([], dtype="int64"),
        "b": pandas.Series([], dtype="str"),
        "c": pandas.Series([], dtype="M8[us]"),
        "d": pandas.Series([], dtype=float),
    }
)
ROWS = pandas.DataFrame(
    {"a": [1, 2], "b": ["x", None], "c": pandas.to_datetime(["2020", None]), "d": [1.5, float("nan")]}
)
SERIES = {
    "plain": pandas.Series([1, 2], index=[5, 6], name="s"),
    "unnamed": pandas.Series([1, 2], index=pandas.Index([5, 6], name="i")),
    "levels": pandas.Series(
        [1, 2], index=pandas.MultiIndex.from_tuples([("x", 1), ("y", 2)], names=["i", "j"]), name="s"
    ),
    "empty": pandas.Series([], dtype=float, index=pandas.Index([], name="i", dtype="str")),
}


@pytest.mark.parametrize(
    "frame",
    [
        EMPTY,
        ROWS,
        ROWS[:1],
        pandas.DataFrame(columns=list("abcd")),
        pandas.DataFrame({k: [] for k in "abcd"}),
        EMPTY.astype({"a": "category", "b": object}),
    ],
    ids=["empty", "rows", "one", "no rows", "empty lists", "categories"],
)
def test_set_index(frame):
    for n in (1, 2, 3, 4):
        for keys in itertools.permutations("abcd", n):
            keys = list(keys)
            for options in ({}, {"drop": False}, {"append": True}, {"verify_integrity": True}):
                both(lambda t, k=keys, o=options: t.set_index(k, **o), frame, fallback="silent")
            both(lambda t, k=keys: t.set_index(k).reset_index(), frame, fallback="silent")
            both(lambda t, k=keys: t.set_index(k).reset_index(level=0), frame, fallback="silent")
            both(lambda t, k=keys: t.set_index(k).index, frame, fallback="silent")
            both(lambda t, k=keys: t.set_index(k).sort_index(), frame, fallback="silent")


@pytest.mark.parametrize("kind", SERIES)
@pytest.mark.parametrize("level", [None, 0, -1, [0], "i", ["i"], [0, 1], "zz", 5, []])
@pytest.mark.parametrize("drop", [False, True])
@pytest.mark.parametrize("inplace", [False, True])
def test_reset_index_of_series(kind, level, drop, inplace):
    def call(s):
        s = s.copy()
        out = s.reset_index(level, drop=drop, inplace=inplace)
        return [s, out is None if inplace else out]

    both(call, SERIES[kind], fallback="silent")
    both(lambda s: s.reset_index(level, drop=drop, name="n"), SERIES[kind], fallback="silent")
    both(lambda s: s.to_frame().reset_index(level, drop=drop), SERIES[kind], fallback="silent")
