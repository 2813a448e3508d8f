"""Assignments to rows and columns by label, position and mask, against pandas."""

from __future__ import annotations

from collections import UserDict

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from frame_samples import native_or_same
from frames import both, ours

COLUMNS = {
    "int64": pandas.Series([1, 2, 3, 4]),
    "uint8": pandas.Series([1, 2, 3, 4], dtype="uint8"),
    "float64": pandas.Series([0.5, np.nan, 2.5, 3.5]),
    "float32": pandas.Series([0.5, 1.5, 2.5, 3.5], dtype="float32"),
    "bool": pandas.Series([True, False, True, True]),
    "str": pandas.Series(["p", None, "q", "p"]),
    "string": pandas.Series(["p", None, "q", "p"], dtype="string"),
    "times": pandas.Series(pandas.to_datetime(["2020", None, "2021", "2022"])),
    "spans": pandas.Series(pandas.to_timedelta([1, 2, 3, 4], unit="D")),
    "Int64": pandas.Series([1, None, 3, 4], dtype="Int64"),
    "boolean": pandas.Series([True, None, False, True], dtype="boolean"),
    "object": pandas.Series([1, "x", None, 2.5], dtype=object),
    "category": pandas.Series(["p", None, "q", "p"], dtype="category"),
    "zone": pandas.Series(pandas.to_datetime(["2020", None, "2021", "2022"]).tz_localize("UTC")),
}
SCALARS = [
    7, 7.0, 1.25, -1, 300, 2**70, True, np.float32(0.1), np.int8(5), np.bool_(True), "q", "new", "2020-05-05", "3 days", None, np.nan, pandas.NA, pandas.NaT,
    pandas.Timestamp("2020-05-05"), pandas.Timestamp("2020-05-05 00:00:00.000000001"), pandas.Timestamp("2020-05-05", tz="UTC"), pandas.Timedelta(5, unit="D"),
    np.datetime64("2020-05-05"), 1 + 2j, (1, 2),
]  # fmt: skip
LISTS = [
    [8, 9], [8.5, 9.5], [8.0, 9.0], [8.0, None], [True, False], ["x", "y"], ["q", None], np.array([8, 9]), np.array([8, 9], dtype="uint8"), np.array([300, -1]),
    pandas.array([8, None], dtype="Int64"), pandas.to_datetime(["2020-05-05", "2021-05-05"]), pandas.Series([8, 9]), pandas.Series([8, 9], index=[2, 1]),
    pandas.Series([8.5, 9.5, 1.5, 2.5]), pandas.Series(["x", "y"], index=[1, 2]), [8], [8, 9, 10], [], np.array([[8, 9]]), (8, 9), pandas.Index(["x", "y"]), {1: 2},
]  # fmt: skip
WHERE = {
    "loc label": lambda s: (s.loc, 1), "loc labels": lambda s: (s.loc, [2, 1]), "loc mask": lambda s: (s.loc, [False, True, True, False]),
    "loc slice": lambda s: (s.loc, slice(1, 2)), "iloc": lambda s: (s.iloc, -1), "iloc slice": lambda s: (s.iloc, slice(1, 3)),
    "iloc list": lambda s: (s.iloc, [0, -2]), "iloc none": lambda s: (s.iloc, slice(0, 0)), "at": lambda s: (s.at, 2), "iat": lambda s: (s.iat, 0),
    "item": lambda s: (s, 3), "items": lambda s: (s, [3, 0]), "item slice": lambda s: (s, slice(0, 2)),
}  # fmt: skip


def put(where, value):
    """A call that writes a value into a copy and gives that."""

    def call(x, v=value):
        x = x.copy()
        target, key = where(x)
        target[key] = v
        return x

    return call


def check(where, values, x):
    """Every value is written as pandas does it, or refused as there."""
    wrong = []
    for value in values:
        try:
            both(put(where, value), x, fallback="silent")
        except AssertionError as e:
            wrong.append(f"{value!r}: {' '.join(str(e).split())[:150]}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("where", WHERE)
@pytest.mark.parametrize("kind", COLUMNS)
def test_values_in_a_series(kind, where):
    values = SCALARS + (LISTS if where not in ("at", "iat") else [])
    half = (list(WHERE).index(where) + list(COLUMNS).index(kind)) % 2  # the other half is written by the next way
    check(WHERE[where], values[half::2], COLUMNS[kind])


FRAME_KEYS = {
    "cell": lambda f: (f.loc, (1, "a")), "cells": lambda f: (f.loc, ([1, 2], ["a", "b"])), "row": lambda f: (f.loc, 1), "rows": lambda f: (f.iloc, slice(0, 2)),
    "column": lambda f: (f.loc, (slice(None), "b")), "mask": lambda f: (f.loc, (f.a > 2, "b")), "mask columns": lambda f: (f.loc, (f.a > 2, ["a", "b"])),
    "iloc cell": lambda f: (f.iloc, (0, 1)), "iloc cells": lambda f: (f.iloc, ([0, 1], [0, 1])), "iloc column": lambda f: (f.iloc, ([2, 0], 1)),
    "one column": lambda f: (f.iloc, ([2, 0], [1])), "all": lambda f: (f.iloc, (slice(None), [0, 1])),
}  # fmt: skip
FRAME_VALUES = [
    7, 1.5, None, "x", [8, 9], [8.0, 9.5], np.array([[8, 9], [10, 11]]), np.array([[8.5, 9.5], [1.0, 2.0]]), pandas.Series([8, 9], index=[1, 2]),
    pandas.Series([8, 9], index=["a", "b"]), [8], [1, 2, 3, 4], pandas.DataFrame({"a": [8, 9], "b": [1.5, 2.5]}), [[8, 9], [10, 11]],
]  # fmt: skip


@pytest.mark.parametrize("where", FRAME_KEYS)
def test_values_in_a_frame(where):
    numbers = pandas.DataFrame({"a": [1, 2, 3, 4], "b": [0.5, np.nan, 2.5, 3.5]})
    for frame in (numbers, numbers.assign(c=list("pqrs"))):
        check(FRAME_KEYS[where], FRAME_VALUES, frame)


NATIVE = [
    ("str", "loc mask", "new"), ("str", "iloc", None), ("times", "loc label", "2020-05-05"), ("times", "iloc slice", pandas.NaT), ("int64", "iloc list", [8, 9]),
    ("int64", "item", 5), ("int64", "item", None), ("float64", "items", [8, 9]), ("Int64", "at", pandas.NA), ("string", "item slice", ["x", None]),
    ("object", "loc label", "any"), ("float64", "loc labels", pandas.Series([8, 9], index=[2, 1])), ("bool", "iat", True),
]  # fmt: skip


@pytest.mark.parametrize("kind, where, value", NATIVE, ids=str)
def test_values_that_the_type_holds_need_no_pandas(kind, where, value):
    both(put(WHERE[where], value), COLUMNS[kind])


def test_values_are_written_into_the_array_of_pandas_that_somebody_keeps():
    """pandas' own and other libraries read `_values` of a series, and see later assignments in it."""
    for x in (COLUMNS["times"], COLUMNS["zone"], COLUMNS["float64"], COLUMNS["object"]):
        for s in (x.copy(), pd.from_pandas(x.copy())):
            held = s._values
            with bc.config.set(fallback="silent"):
                s.iloc[1] = x[0]
                s[3] = x[0]
            assert s._values is held
            assert held[1] == held[3] == x[0]
    s = pd.Series([1, 2])
    held = s._values
    other = pandas.Series(s)
    other.iloc[0] = 5  # shares no memory with what is held
    assert held.tolist() == s.tolist() == [1, 2]


MASKS = [True, False, True, False]


@pytest.mark.parametrize(
    "kind",
    [list, np.array, pandas.Index, pandas.array, lambda m: pandas.Index(m, dtype=object)],
    ids=["list", "array", "index", "extension array", "index of objects"],
)
def test_masks_of_every_class(kind):
    frame = pandas.DataFrame({"a": [1, 2, 3, 4]}, index=list("wxyz"))
    for x in (frame, frame.a):
        for get in (lambda x: x[kind(MASKS)], lambda x: x.loc[kind(MASKS)], lambda x: x.iloc[kind(MASKS)]):
            both(get, x)
    both(lambda x: x[pandas.array([True, None, False, True])], frame)
    both(lambda x: x[pandas.array([True])], frame)


WRONG = {
    "three dimensions": lambda x: x[np.zeros((2, 2, 2), int)], "loc of three": lambda x: x.loc[np.zeros((2, 2, 2), int)],
    "iloc of two": lambda x: x.iloc[np.zeros((2, 2), int)], "iloc beyond": lambda x: x.iloc[np.full((2, 2), 9)], "frame": lambda x: x.iloc[x > 1],
    "at lists": lambda x: x.at.__setitem__([0, 1], 1), "at mask": lambda x: x.at.__setitem__(x > 1, 1), "iat beyond": lambda x: x.iat[10],
}  # fmt: skip


@pytest.mark.parametrize("call", WRONG)
def test_errors_of_keys_are_pandas_own(call):
    for x in (pandas.Series([1, 2, 3]), pandas.DataFrame({"a": [1, 2, 3]})):
        if x.ndim != {"frame": 2, "iat beyond": 1}.get(call, x.ndim):
            continue
        with pytest.raises(Exception) as expected:
            WRONG[call](x)
        with pytest.raises(type(expected.value)) as found:
            WRONG[call](pd.from_pandas(x))
        assert str(found.value)[:40] == str(expected.value)[:40]


def test_keys_of_one_axis():
    frame = pandas.DataFrame({"a": [1, 2], "b": [3, 4]})
    both(lambda f: f.loc(axis=1)["b"], frame)
    both(lambda f: f.loc(axis="columns")[["b"]], frame)
    both(lambda f: f.iloc(axis=0)[[1]], frame)
    both(lambda f: f.iloc(axis=5)[[1]], frame)
    both(lambda f: f.at[0, "a"] + f.iat[1, 1], frame)


def kept(call):
    """The result of a call on a copy of a frame."""

    def made(frame, value):
        frame = frame.copy()
        call(frame, value)
        return frame

    return made


COLUMN = {
    "insert": kept(lambda f, v: f.insert(0, "y", v)), "item": kept(lambda f, v: f.__setitem__("y", v)),
    "item there": kept(lambda f, v: f.__setitem__("x", v)), "attribute": kept(lambda f, v: setattr(f, "x", v)),
    "isetitem": kept(lambda f, v: f.isetitem(0, v)), "loc": kept(lambda f, v: f.loc.__setitem__((slice(None), "y"), v)),
    "assign": lambda f, v: f.assign(y=v),
}  # fmt: skip
BY_LABEL = {
    "one": {0: 5}, "some": {2: 7, 0: 5}, "all": {0: 1, 1: 2, 2: 3}, "none of them": {7: 1}, "empty": {}, "texts": {2: "z", 0: "q"},
    "no dict": UserDict({0: 5}), "series": pandas.Series([1.5, 2.5, 3.5], index=[2, 1, 7]),
}  # fmt: skip


@pytest.mark.parametrize("values", BY_LABEL)
@pytest.mark.parametrize("how", COLUMN)
def test_a_column_of_values_by_label(how, values):
    both(lambda f: COLUMN[how](f, ours(BY_LABEL[values]) if isinstance(f, pd.DataFrame) else BY_LABEL[values]), pandas.DataFrame({"x": [1, 2, 3]}))  # fmt: skip


@pytest.mark.parametrize("values", BY_LABEL)
@pytest.mark.parametrize("how", ["insert", "item", "isetitem"])
def test_rows_given_by_a_column(how, values):
    for frame in (pandas.DataFrame(), pandas.DataFrame({"x": []}), pandas.DataFrame(index=pandas.Index([], name="n"))):
        if how != "isetitem" or frame.shape[1]:
            native_or_same(lambda f: COLUMN[how](f, BY_LABEL[values]), frame)


OTHERS = (
    pandas.DataFrame({"q": [1, 2, 3]}, index=[2, 1, 0]),
    pandas.DataFrame({"q": [1, 2, 3], "r": 1}),
    pandas.DataFrame(),
)


@pytest.mark.parametrize("how", ["insert", "item", "item there", "attribute", "assign"])
def test_a_frame_as_a_column(how):
    for other in OTHERS:
        native_or_same(COLUMN[how], pandas.DataFrame({"x": [1, 2, 3]}), other)
    levels = pandas.DataFrame([[1, 2], [3, 4]], columns=pandas.MultiIndex.from_tuples([("x", "p"), ("x", "q")]))
    native_or_same(COLUMN["item there"], levels, pandas.DataFrame({"p": [7, 8], "q": 9}))
