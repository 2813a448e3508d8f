"""loc, iloc, at, iat and [] against pandas."""

from __future__ import annotations

import datetime

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from frames import assert_same, both, ours

FRAME = pandas.DataFrame(
    {
        "a": [1, 2, 3, 4],
        "x": [0.5, np.nan, 2.5, 3.5],
        "s": ["p", None, "q", "p"],
        "t": pandas.to_datetime(["2020", None, "2021", "2022"]),
    }
)
LABELS = {
    "range": pandas.RangeIndex(4),
    "stepped": pandas.RangeIndex(10, 2, -2),
    "integers": pandas.Index([7, 3, 5, 1]),
    "repeated": pandas.Index([7, 3, 7, 1]),
    "sorted": pandas.Index([1, 3, 3, 9]),
    "text": pandas.Index(["d", "a", "c", "b"]),
    "floats": pandas.Index([0.5, 1.5, 2.5, 4.0]),
    "dates": pandas.date_range("2020-01-01", periods=4),
}
ROWS = [
    0, 3, 7, 1, "a", "zz", 2.5, [7, 3], [0, 1], ["a", "b"], ["a", "zz"], [77, 78], [], slice(None), slice(1, 3), slice(3, 7), slice("a", "c"), slice(None, 3),
    [True, False, True, False], [True], np.array([False] * 4), slice(None, None, 2), slice(0.5, 2.0),
]  # fmt: skip


@pytest.mark.parametrize("labels", LABELS)
@pytest.mark.parametrize("rows", ROWS, ids=str)
def test_loc(labels, rows):
    frame = FRAME.set_axis(LABELS[labels])
    both(lambda f: f.loc[rows], frame, fallback="silent")
    both(lambda f: f.loc[rows, "x"], frame, fallback="silent")
    both(lambda f: f.loc[rows, ["s", "a"]], frame, fallback="silent")
    both(lambda f: f.x.loc[rows], frame, fallback="silent")


@pytest.mark.parametrize(
    "rows",
    [
        0,
        -1,
        9,
        [0, 2],
        [-1, 1],
        [9],
        [],
        slice(1, 3),
        slice(None, None, -1),
        [True, False, True, True],
        np.array([2, 0]),
        "a",
        1.5,
    ],
    ids=str,
)
@pytest.mark.parametrize("columns", [0, -2, [0, 2], slice(1, None), 9, [True, False, True, False]], ids=str)
def test_iloc(rows, columns):
    both(lambda f: f.iloc[rows], FRAME)
    both(lambda f: f.iloc[rows, columns], FRAME)
    both(lambda f: f.s.iloc[rows], FRAME)


@pytest.mark.parametrize(
    "key", ["a", "zz", ["x", "a"], ["x", "zz"], ["zz"], slice(1, 3), [True, False, True, False], [True], []], ids=str
)
def test_brackets(key):
    both(lambda f: f[key], FRAME)
    both(lambda f: f[key], FRAME.set_axis(list("xyzw")), fallback="silent")


@pytest.mark.parametrize(
    "key", ["a", "zz", slice(1, 3), ["d", "a"], [True, False, True, False], slice("a", "b")], ids=str
)
def test_brackets_of_series(key):
    both(lambda s: s[key], FRAME.x.set_axis(LABELS["text"]), fallback="silent")


def test_an_index_is_selected_by_objects_that_are_booleans():
    mask = np.array([True, False, True], object)
    for given in (pandas.Index(mask), pandas.Series(mask)):
        both(lambda labels, chosen: labels[chosen], pandas.Index([5, 6, 8]), given)


def test_masks_are_aligned():
    mask = pandas.Series([True, False, True, False], index=[3, 2, 1, 0])
    both(lambda f, m: f[m], FRAME, mask)
    both(lambda f, m: f.loc[m], FRAME, mask)
    both(lambda f, m: f[m], FRAME, mask.iloc[:3])


def test_one_value():
    both(lambda f: f.at[1, "x"], FRAME)
    both(lambda f: f.at[2, "t"], FRAME)
    both(lambda f: f.iat[2, 2], FRAME)
    both(lambda f: f.x.at[3], FRAME)
    both(lambda f: f.at[9, "x"], FRAME)
    both(lambda f: f.iat[9, 0], FRAME)


def written(write):
    def f(x):
        x = x.copy()
        write(x)
        return x

    return f


def _set_loc(rows, columns, value):
    def write(x):
        x.loc[rows, columns] = value

    return written(write)


@pytest.mark.parametrize("rows", [0, [0, 2], slice(1, 2), [True, False, False, True], 9], ids=str)
@pytest.mark.parametrize(
    ("column", "value"),
    [("a", 7), ("x", 1.5), ("x", np.nan), ("a", 1.5), ("s", "new"), ("x", [1.0, 2.0]), ("new", 3), (["a", "x"], 0)],
    ids=str,
)
def test_loc_is_written(rows, column, value):
    both(_set_loc(rows, column, value), FRAME, fallback="silent")


def test_columns_are_set():
    def assigned(column, value):
        def write(x):
            x[column] = value(x) if callable(value) else value

        return written(write)

    both(assigned("new", 1), FRAME)
    both(assigned("new", "text"), FRAME)
    both(assigned("new", lambda f: f.x), FRAME)
    both(assigned("new", lambda f: f.x.iloc[::-1]), FRAME)
    both(assigned("new", lambda f: f.a.iloc[1:3]), FRAME)
    both(assigned("a", np.arange(4) * 1.5), FRAME)
    both(assigned("a", [1, 2]), FRAME)
    both(lambda f: f.assign(z=lambda g: g.x, w=1), FRAME)
    both(written(lambda f: f.insert(1, "z", 5)), FRAME)
    both(written(lambda f: f.insert(1, "a", 5)), FRAME)
    both(written(lambda f: f.__delitem__("a")), FRAME)
    both(lambda f: f.copy().pop("x"), FRAME)


def test_a_view_is_never_written_through():
    frame = ours(FRAME)
    column, rows, copied = frame.x, frame.iloc[1:], frame.copy()
    frame.loc[[0, 1], "x"] = 99.0
    for still in (column, rows.x, copied.x):
        assert 99.0 not in still.tolist()
    column.loc[2] = 55.0
    assert 55.0 not in frame.x.tolist()


def test_pandas_frames_are_protected_by_copy_on_write():
    theirs = pandas.DataFrame({"x": np.arange(5000.0)})
    frame = ours(theirs)
    theirs.loc[3, "x"] = -1.0
    assert frame.x.iloc[3] == 3.0


BOOLS = {
    "objects": lambda v, i: pandas.Series(v, index=i, dtype=object),
    "masked": lambda v, i: pandas.Series(v, index=i, dtype="boolean"),
    "masked with holes": lambda v, i: pandas.Series(v, index=i, dtype="boolean").where(pandas.Series(v, index=i)),
    "arrow's": lambda v, i: pandas.Series(v, index=i, dtype="bool[pyarrow]"),
}


@pytest.mark.filterwarnings("ignore:Boolean Series key")
@pytest.mark.parametrize("kind", BOOLS)
@pytest.mark.parametrize("labels", [[2, 1, 0], [0, 1, 2], [2, 1, 7], [0, 0, 1]], ids=str)
def test_masks_of_every_type_keep_their_labels(kind, labels):
    mask = BOOLS[kind]([True, False, False], labels)
    for x in (pandas.Series([1, 2, 3]), pandas.DataFrame({"a": [1, 2, 3]})):
        both(lambda x, m: x[m], x, mask)
        both(lambda x, m: x.loc[m], x, mask)


CLASSES = {
    "rows by a class": lambda f: f[list],
    "of a series": lambda f: f.a[list],
    "loc": lambda f: f.loc[list],
    "loc of columns": lambda f: f.loc[0, list],
    "at": lambda f: f.a.at[int],
    "at of a frame": lambda f: f.at[0, int],
    "iat": lambda f: f.a.iat[int],
    "a function as a label": lambda f: f.a.at[len],
    "assign": lambda f: f.assign(n=list),
    "assign a function": lambda f: f.assign(n=len),
    "where": lambda f: f.a.where(list, 5),
    "mask": lambda f: f.a.mask(lambda s: s > 2, len),
}


@pytest.mark.parametrize("how", CLASSES)
def test_classes_are_functions(how):
    both(CLASSES[how], FRAME[["a"]].set_axis([0, 1, 2, 3]), fallback="silent")


def frames_of_objects_in_levels():
    dates = np.array([datetime.date(2020, 1, d) for d in (1, 2)] * 2, dtype=object)
    mixed = np.array(["x", 1, "y", None], dtype=object)
    for second in (dates, mixed, np.array(["p", "q", "p", "q"], dtype=object), np.array(["p", "q", "p", "q"])):
        theirs = pandas.DataFrame({"s": ["a", "a", "b", "b"], "o": second, "x": [1.0, 2.0, 3.0, 4.0], "p": range(4)})
        yield theirs.set_index(["s", "o"])


@pytest.mark.filterwarnings("ignore::bascule.FallbackWarning", "ignore::pandas.errors.PerformanceWarning")
@pytest.mark.parametrize(
    "key",
    [
        ("a", "x"),
        ("b", "p"),
        ("a", "q"),
        (("a",), "x"),
        ("c", "x"),
        ("a", "nothing"),
        "a",
        ("a", 1),
        (("a", "x"), "x"),
        (["a"], "x"),
    ],
    ids=str,
)
def test_a_label_of_the_first_level_and_a_column(key):
    for theirs in frames_of_objects_in_levels():
        own = pd.from_pandas(theirs)
        try:
            wanted = theirs.loc[key]
        except Exception as error:
            with pytest.raises(type(error)):
                own.loc[key]
        else:
            assert_same(own.loc[key], wanted)


def test_a_label_next_to_objects_needs_no_pandas():
    theirs = next(frames_of_objects_in_levels())
    own = pd.from_pandas(theirs)
    with bc.config.set(fallback="error"):
        assert own.loc["a", "x"].tolist() == [1.0, 2.0] and own.loc["b"].p.tolist() == [2, 3]
