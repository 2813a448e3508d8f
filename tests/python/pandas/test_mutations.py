"""Every change of a frame, series or index of pandas changes one of bascule in the same way, whoever makes it."""

from __future__ import annotations

import datetime
import warnings

import bascule as bc
import bascule.pandas as pd
import mutations
import numpy as np
import pandas
import pandas.testing
import pytest
from frames import ours


def compared(x, expected):
    """Whether an object of bascule is in the state of pandas' one: values, labels, names, attrs and flags."""
    there = x.to_pandas()
    if isinstance(expected, pandas.Index):
        pandas.testing.assert_index_equal(there, expected, exact=True)
        return
    same = pandas.testing.assert_frame_equal if expected.ndim == 2 else pandas.testing.assert_series_equal
    same(there, expected, check_exact=True, check_freq=False)
    assert [list(a.names) for a in x.axes] == [list(a.names) for a in expected.axes]
    assert there.attrs == expected.attrs and x.attrs == expected.attrs
    assert there.flags.allows_duplicate_labels == expected.flags.allows_duplicate_labels
    if expected.ndim == 1:
        assert x.name == expected.name


def run_on_both(call, sample):
    """A call on a copy of a sample of pandas and on bascule's: both are changed alike, or raise the same class."""
    theirs, mine = sample.copy(), ours(sample.copy())
    with warnings.catch_warnings(), bc.config.set(fallback="silent"):
        warnings.simplefilter("ignore")
        try:
            expected = call(theirs, pandas)
        except Exception as e:
            with pytest.raises(type(e)):
                call(mine, pd)
        else:
            found = call(mine, pd)
            assert (found is None) == (expected is None)
            assert found is mine or expected is not theirs or isinstance(sample, pandas.Index)
    compared(mine, theirs)
    return not unchanged(theirs, sample)


def unchanged(x, sample):
    if isinstance(x, pandas.Index):
        return x.identical(sample)
    return (
        x.equals(sample)
        and [list(a.names) for a in x.axes] == [list(a.names) for a in sample.axes]
        and x.attrs == sample.attrs
    )


def named(pairs):
    return [pytest.param(call, id=f"{name}{i}") for i, (name, call) in enumerate(pairs)]


FRAMES = mutations.calls(pandas.DataFrame, [mutations.BOTH, mutations.OF_FRAMES])
ALL_SERIES = mutations.calls(
    pandas.Series, [mutations.OF_SERIES, {k: v for k, v in mutations.BOTH.items() if k not in mutations.OF_SERIES}]
)
INDEXES = {
    "text": pandas.Index(["a", "b", "c"], name="n"),
    "range": pandas.RangeIndex(3, name="n"),
    "dates": pandas.DatetimeIndex(["2020-01-01", "2020-01-02", "2020-01-03"], name="n"),
    "spans": pandas.TimedeltaIndex([1, 2, 3], name="n"),
    "levels": pandas.MultiIndex.from_tuples([("a", 1), ("b", 2), ("c", 3)], names=["n", "m"]),
}


@pytest.mark.parametrize("call", named(FRAMES))
def test_every_method_of_frames(call):
    run_on_both(call, mutations.FRAME)


@pytest.mark.parametrize("call", named(ALL_SERIES))
def test_every_method_of_series(call):
    run_on_both(call, mutations.SERIES)


@pytest.mark.parametrize("kind", INDEXES)
def test_every_method_of_indexes(kind):
    index = INDEXES[kind]
    for name, call in mutations.calls(type(index), [mutations.OF_INDEXES]):
        try:
            run_on_both(call, index)
        except BaseException as e:
            raise AssertionError(f"{kind}.{name}: {e}") from e


def test_the_table_reaches_what_changes():
    """That the calls above change what pandas' methods change: otherwise they would not be worth much."""
    changing = {name for name, call in FRAMES if run_on_both(call, mutations.FRAME)}
    assert changing >= set(
        "bfill clip drop dropna drop_duplicates eval ffill fillna insert interpolate isetitem mask pop query rename rename_axis replace reset_index "
        "set_index sort_index sort_values update where".split()
    ) - {"bfill", "ffill", "drop_duplicates"}
    changing = {name for name, call in ALL_SERIES if run_on_both(call, mutations.SERIES)}
    assert changing >= set(
        "clip drop dropna fillna interpolate mask pop rename rename_axis replace reset_index sort_index sort_values update where".split()
    )


def delete(x, key):
    del x[key]


STATEMENTS = {
    "del column": lambda x, p: delete(x, "a"),
    "del absent": lambda x, p: delete(x, "z"),
    "new column": lambda x, p: x.__setitem__("z", 1),
    "columns": lambda x, p: x.__setitem__(["a", "b"], [[1, 2], [3, 4], [5, 6]]),
    "new columns": lambda x, p: x.__setitem__(["y", "z"], 0),
    "by frame": lambda x, p: x.__setitem__(x > 2, 0),
    "by mask": lambda x, p: x.__setitem__(x.a > 1, 0),
    "by slice": lambda x, p: x.__setitem__(slice(0, 2), 0),
    "loc enlarges": lambda x, p: x.loc.__setitem__(99, 4),
    "loc list": lambda x, p: x.loc.__setitem__(([10, 20], ["a", "c"]), 4),
    "loc new column": lambda x, p: x.loc.__setitem__((10, "z"), 4),
    "iloc": lambda x, p: x.iloc.__setitem__((0, 0), 9),
    "iloc text": lambda x, p: x.iloc.__setitem__((0, 0), "t"),
    "at": lambda x, p: x.at.__setitem__((10, "a"), 9),
    "iat": lambda x, p: x.iat.__setitem__((0, 2), 9),
    "attribute": lambda x, p: setattr(x, "a", 5),
    "index": lambda x, p: setattr(x, "index", [7, 8, 9]),
    "columns set": lambda x, p: setattr(x, "columns", list("xyz")),
    "index name": lambda x, p: setattr(x.index, "name", "q"),
    "index names": lambda x, p: setattr(x.index, "names", ["q"]),
    "index renamed": lambda x, p: x.index.rename("q", inplace=True),
    "index set_names": lambda x, p: x.index.set_names("q", level=0, inplace=True),
    "columns name": lambda x, p: setattr(x.columns, "name", "q"),
    "columns names": lambda x, p: setattr(x.columns, "names", ["q"]),
    "columns renamed": lambda x, p: x.columns.rename("q", inplace=True),
    "axes name": lambda x, p: setattr(x.axes[0], "name", "q"),
    "keys name": lambda x, p: setattr(x.keys(), "name", "q"),
    "index set, then named": lambda x, p: (setattr(x, "index", p.Index([7, 8, 9])), setattr(x.index, "name", "q")),
    "attrs item": lambda x, p: x.attrs.__setitem__("k", [1]),
    "attrs nested": lambda x, p: (x.attrs.__setitem__("k", []), x.attrs["k"].append(2)),
    "attrs": lambda x, p: setattr(x, "attrs", {"k": 1}),
    "attrs then update": lambda x, p: (setattr(x, "attrs", {"k": 1}), x.update(p.DataFrame({"a": [9]}, index=[30]))),
    "flags": lambda x, p: setattr(x.flags, "allows_duplicate_labels", False),
    "flags item": lambda x, p: x.flags.__setitem__("allows_duplicate_labels", False),
    "in place": lambda x, p: x.__iadd__(1),
    "in place power": lambda x, p: x.__ipow__(2),
    "named index, then update": lambda x, p: (lambda i: (x.update(p.DataFrame({"a": [9]}, index=[30])), setattr(i, "name", "q")))(x.index),
    "named columns, then update": lambda x, p: (lambda i: (x.update(p.DataFrame({"a": [9]}, index=[30])), setattr(i, "name", "q")))(x.columns),
    "eval of the namespace": lambda x, p: p.eval("x.a + 1", target=x, local_dict={"x": x}) if p is pandas else p.eval("x.a + 1", target=x, local_dict={"x": x}),
    "eval that assigns": lambda x, p: p.eval("z = x.a + 1", target=x, inplace=True, local_dict={"x": x}),
}  # fmt: skip
OF_SERIES = {
    "del": lambda x, p: delete(x, 10),
    "set": lambda x, p: x.__setitem__(10, 9),
    "enlarge": lambda x, p: x.__setitem__(99, 9),
    "list": lambda x, p: x.__setitem__([10, 20], [1.0, 2.0]),
    "slice": lambda x, p: x.__setitem__(slice(0, 2), 0),
    "mask": lambda x, p: x.__setitem__(x > 2, 0),
    "loc": lambda x, p: x.loc.__setitem__(10, 9),
    "iloc": lambda x, p: x.iloc.__setitem__([0, 1], 9),
    "at": lambda x, p: x.at.__setitem__(10, 9),
    "iat": lambda x, p: x.iat.__setitem__(1, 9),
    "name": lambda x, p: setattr(x, "name", "q"),
    "unhashable name": lambda x, p: setattr(x, "name", []),
    "index": lambda x, p: setattr(x, "index", [7, 8, 9]),
    "index name": lambda x, p: setattr(x.index, "name", "q"),
    "unhashable index name": lambda x, p: setattr(x.index, "name", []),
    "axes name": lambda x, p: setattr(x.axes[0], "name", "q"),
    "attrs": lambda x, p: x.attrs.update(k=1),
    "flags": lambda x, p: setattr(x.flags, "allows_duplicate_labels", False),
    "in place": lambda x, p: x.__imul__(3),
    "ufunc out": lambda x, p: np.add(x, 1, out=x),
    "ufunc at": lambda x, p: np.add.at(x, 0, 1),
    "shuffle": lambda x, p: np.random.default_rng(0).shuffle(x.index.to_numpy(copy=True)),
    "values": lambda x, p: x.values.__setitem__(0, 5.0),
    "asarray": lambda x, p: np.asarray(x).__setitem__(0, 5.0),
    "to_numpy": lambda x, p: x.to_numpy().__setitem__(0, 5.0),
    "index values": lambda x, p: x.index.values.__setitem__(0, 5),
    "index array": lambda x, p: x.index.array.__setitem__(0, 5),
}  # fmt: skip


@pytest.mark.parametrize("statement", STATEMENTS)
def test_statements_that_change_frames(statement):
    run_on_both(STATEMENTS[statement], mutations.FRAME)


@pytest.mark.parametrize("statement", OF_SERIES)
def test_statements_that_change_series(statement):
    run_on_both(OF_SERIES[statement], mutations.SERIES)


KINDS = {
    "int": [1, 2, 3], "float": [1.0, 2.0, 3.0], "text": ["a", "b", "c"], "dates": pandas.to_datetime(["2020", "2021", "2022"]),
    "spans": pandas.to_timedelta([1, 2, 3]), "Int64": pandas.array([1, None, 3], "Int64"), "category": pandas.Categorical(["a", "b", "b"]),
    "objects": [1, "b", None], "bool": [True, False, True], "zone": pandas.to_datetime(["2020", "2021", "2022"]).tz_localize("UTC"),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("part", ["array", "values", "asarray"])
def test_memory_that_is_handed_out_takes_no_writes_that_are_lost(kind, part):
    """pandas writes through some of these; here the memory is the columns' own, so that it refuses, or is a copy as in pandas."""
    theirs = pandas.Series(KINDS[kind])
    mine = ours(theirs)
    read = {"array": lambda x: x.array, "values": lambda x: x.values, "asarray": np.asarray}[part]
    before = mine.to_pandas()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pandas.errors.Pandas4Warning)
        there, here = read(theirs.copy()), read(mine)
    try:
        there[0] = there[2]
        raised = False
    except ValueError:
        raised = True
    if not raised and np.asarray(there, dtype=object)[0] == theirs[0] and kind != "bool":
        raise AssertionError("pandas did not write")
    copied = part == "asarray" and not raised and not np.shares_memory(np.asarray(there), theirs.to_numpy())
    if copied and kind in ("text", "Int64", "category", "zone"):  # an array made for the asking, in pandas too
        here[0] = here[2]
    else:
        with pytest.raises(ValueError, match="read-only"):
            here[0] = here[2]
    pandas.testing.assert_series_equal(mine.to_pandas(), before)


def test_a_method_that_raises_leaves_what_pandas_leaves():
    run_on_both(lambda x, p: x.update(p.DataFrame({"a": [9]}, index=[30]), errors="raise"), mutations.FRAME)
    run_on_both(lambda x, p: x.drop(columns=["a", "nope"], inplace=True), mutations.FRAME)


def test_an_unchanged_object_stays_as_it_is():
    with bc.config.set(fallback="silent"):
        frame = pd.DataFrame({"a": np.arange(5)})
        columns, index = frame._columns, frame.index
        frame.kurt()
        frame.to_string()
        assert frame._columns is columns and frame.index is index


def test_other_holders_of_the_columns_are_not_changed():
    with bc.config.set(fallback="silent"):
        frame = ours(mutations.FRAME)
        other, column = frame.copy(), frame["a"]
        frame.update(pd.DataFrame({"a": [9]}, index=[30]))
        frame.isetitem(1, [0.0, 0.0, 0.0])
        column.pop(10)
        pandas.testing.assert_frame_equal(other.to_pandas(), mutations.FRAME)


def test_timestamps_as_labels_are_replaced():
    stamps = pandas.Series([1, 2, 3], index=mutations.DATES)
    run_on_both(lambda x, p: x.__setitem__(datetime.datetime(2020, 1, 2), 9), stamps)
    run_on_both(lambda x, p: x.pop(pandas.Timestamp("2020-01-02")), stamps)
