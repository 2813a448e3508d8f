"""Chosen rows are gathered when they are read: what is made, when, and what is kept alive."""

import gc
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from bascule.pandas._columns.column import plain
from bascule.pandas._columns.lazy_take import FEWEST, Waiting
from frames import assert_same, both

N = 4 * FEWEST


@pytest.fixture
def frame():
    rng = np.random.default_rng(5)
    return pandas.DataFrame({
        "i": rng.integers(0, 9, N), "f": np.where(rng.random(N) < 0.1, np.nan, rng.random(N)), "s": pandas.Series(rng.choice(["a", "bb", None], N), dtype="str"),
        "d": pandas.date_range("2013", periods=N, freq="min"), "n": pandas.array(rng.integers(0, 5, N), "Int64"), "b": rng.random(N) < 0.5,
    })  # fmt: skip


def waits(frame):
    return [isinstance(c, Waiting) and c._from is not None for c in frame._columns]


def test_only_what_is_read_is_gathered(frame):
    found = pd.from_pandas(frame)
    chosen = found[found["i"] > 2]
    assert all(waits(chosen))
    assert chosen["f"].sum() == frame["f"][frame["i"] > 2].sum()
    assert waits(chosen) == [True, False, True, True, True, True]
    bc.evaluate(chosen)
    assert not any(waits(chosen))


def test_choices_of_choices_are_gathered_once(frame):
    def twice(x):
        x = x[x["i"] > 1]
        x = x[x["b"]].assign(g=lambda y: y["f"] * 2)
        return x[x["g"] > 0.5].head(FEWEST)

    both(twice, frame)
    once = pd.from_pandas(frame)
    once = once[once["i"] > 0]
    again = once[once["b"] | (once["i"] > 3)]
    kept = {id(c._from[0]) for c, w in zip(again._columns, waits(again)) if w}
    assert len(kept) > 3 and len({id(c._from[1]) for c, w in zip(again._columns, waits(again)) if w}) <= 2


@pytest.mark.parametrize("column", ["i", "f", "s", "d", "n", "b"])
def test_whatever_is_asked_of_a_waiting_column(frame, column):
    for ask in (
        lambda x: x[x["i"] > 2][column],
        lambda x: x[x["i"] > 2][column].isna(),
        lambda x: x[x["i"] > 2][column].head(3),
        lambda x: x[x["i"] > 2][column].iloc[-5:],
        lambda x: x[x["i"] > 2][column].iloc[FEWEST : 2 * FEWEST],
        lambda x: x[x["i"] > 2][column].iloc[7],
        lambda x: x[x["i"] > 2].sort_values("f")[column],
        lambda x: x[x["i"] > 2].groupby("i")[column].count(),
        lambda x: x[x["i"] > 2].drop_duplicates(["i", "s"])[column],
        lambda x: x.merge(x.drop_duplicates("i")[["i", column]].rename(columns={"i": "k", column: "v"}), left_on="i", right_on="k")["v"],
    ):  # fmt: skip
        both(ask, frame)


def some_rows():
    """A third of the rows of a frame, that frame, and a reference to the memory of its column v."""
    columns = [(pd.Series(np.arange(N)) * k)._column for k in (1, 2)]
    whole = pd.DataFrame._new(columns, pandas.Index(["i", "v"]), pd.RangeIndex(N))
    bc.evaluate(whole)
    return whole[whole["i"] < N // 3], whole, weakref.ref(columns[1].core)


def test_few_rows_wait_while_the_others_are_there():
    few, whole, memory = some_rows()
    fewer = few[few["i"] < N // 3 - 2]
    assert waits(few) == [False, True] and waits(fewer)[1] and memory() is not None
    del few
    gc.collect()
    assert waits(fewer)[1]
    del whole
    gc.collect()
    assert not waits(fewer)[1] and memory() is None
    assert np.array_equal(fewer["v"].to_numpy(), np.arange(0, 2 * (N // 3) - 4, 2))


def test_few_rows_of_rows_that_wait():
    """The frame in between is what is given up here; the first one's memory is that frame's alone."""
    _, whole, memory = some_rows()
    most = whole[whole["i"] > 4]
    del whole, _
    few = most[most["i"] < N // 3]
    assert waits(most)[1] and waits(few)[1] and memory() is not None
    del most
    gc.collect()
    assert not any(waits(few)) and memory() is None
    assert few["v"].sum() == 2 * sum(range(5, N // 3))


def test_few_rows_of_rows_that_wait_while_the_first_are_there():
    _, whole, memory = some_rows()
    del _
    most = whole[whole["i"] > 4]
    few = most[most["i"] < N // 3]
    del most
    gc.collect()
    assert waits(few)[1] and memory() is not None
    fewer = few[few["i"] > 9]
    del few
    gc.collect()
    assert waits(fewer)[1]
    most = whole[whole["i"] > 7]
    again = most[most["i"] < N // 3]
    del whole
    gc.collect()
    assert not waits(fewer)[1] and waits(again)[1]  # the first rows are those of most, now
    del most
    gc.collect()
    assert not waits(again)[1] and memory() is None
    assert again["v"].sum() == 2 * sum(range(8, N // 3))


def test_rows_of_a_frame_that_another_name_takes(frame):
    found = pd.from_pandas(frame)
    for _ in range(3):
        found = found[found["f"] > found["f"].median()]
    expected = frame
    for _ in range(3):
        expected = expected[expected["f"] > expected["f"].median()]
    pandas.testing.assert_frame_equal(found.to_pandas(), expected)


def test_few_rows_are_those_of_before_a_write(frame):
    def write(x):
        x = x.copy()
        few = x[x["b"]]
        x.loc[x["b"], "f"] = -1.0
        x["b"] = False
        return few

    both(write, frame)


def test_what_has_been_gathered_keeps_nothing_alive(frame):
    found = pd.from_pandas(frame)
    values = found["f"] * 1.0
    bc.evaluate(values)
    chosen = values[found["i"] > 2]
    source = weakref.ref(values._column.core)
    del values
    chosen.sum()
    gc.collect()
    assert source() is None


def test_columns_that_are_not_made_yet_are_the_same_in_every_thread():
    for _ in range(20):
        together = threading.Barrier(4)

        def make():
            together.wait(5)  # all threads find them missing
            return [plain(bc.arange(3))]

        frame = pd.DataFrame._pending(make, pandas.Index(["a"]), pd.RangeIndex(3))
        with ThreadPoolExecutor(4) as pool:
            found = list(
                pool.map(pd.DataFrame._columns.func, [frame] * 4)
            )  # without the lock that Python 3.11 has there
        assert all(columns is frame._columns for columns in found)


@pytest.mark.parametrize("share", [0.01, 0.3, 0.6, 1.0])
def test_rows_are_those_of_the_mask_as_it_was(frame, share):
    mask = np.random.default_rng(8).random(N) < share
    ours, theirs = bc.array(mask), pandas.Series(mask)
    found = pd.from_pandas(frame)
    chosen = [found[ours], found[pd.Series(ours)], found.loc[ours]]
    again = [c[c["b"]] for c in chosen]
    ours[::2] = False
    wanted = frame[theirs]
    for some, few in zip(chosen, again, strict=True):
        pandas.testing.assert_frame_equal(few.to_pandas(), wanted[wanted["b"]])
        pandas.testing.assert_frame_equal(some.to_pandas(), wanted)


# ---- what steps store

STEPS = {
    "merge": lambda f: f.merge(f[["i"]].drop_duplicates(), on="i"),
    "merge, all of the left": lambda f: f.merge(f[["i"]].drop_duplicates().assign(z=1.0).iloc[:7], on="i", how="left"),
    "merge, all of the right": lambda f: f.iloc[: len(f) - 9].merge(f[["i", "k"]].iloc[9:], on=["i", "k"], how="right"),
    "mask": lambda f: f[f["i"] > 1],
    "take": lambda f: f.take(np.arange(len(f) - 1, 0, -1)),
    "sort": lambda f: f.sort_values("i", kind="stable"),
    "head": lambda f: f.head(len(f) - 5),
    "slice": lambda f: f.iloc[5:-5],
    "unique": lambda f: f.drop_duplicates(["i", "k"]),
    "assign": lambda f: f.assign(q=f["i"] * 2),
    "select": lambda f: f[["i", "k", "f", "s", "d", "n"]],
}  # fmt: skip
NEVER_READ = ["f", "s", "d", "n"]


@pytest.mark.parametrize("second", STEPS)
@pytest.mark.parametrize("first", STEPS)
def test_neither_of_two_steps_stores_a_column_that_nobody_read(frame, first, second):
    frame = frame.assign(k=np.arange(N) // 2)
    there = pd.from_pandas(frame)
    made = STEPS[second](STEPS[first](there))
    expected = STEPS[second](STEPS[first](frame))
    assert len(made) == len(expected) >= FEWEST
    explained = bc.explain(made)
    for name in NEVER_READ:
        held, first_one = (f._columns[list(f.columns).index(name)] for f in (made, there))
        waiting = f"pending: column '{name}'" in explained
        assert waiting or bc.may_share_memory(held.values, first_one.values), explained
    assert_same(made, expected)


@pytest.mark.parametrize("how", ["left", "right", "outer"])
def test_rows_that_a_merge_finds_none_for_wait_in_their_type(frame, how):
    other = pandas.DataFrame({"key": np.arange(N // 2, N + 40), "w": 1})
    frame = frame.assign(key=np.arange(N), u=np.arange(N, dtype="uint8"), c=frame["s"].astype("category"))
    sides = (frame, other) if how != "left" else (other, frame)
    found, expected = (
        pd.from_pandas(sides[0]).merge(pd.from_pandas(sides[1]), on="key", how=how),
        sides[0].merge(sides[1], on="key", how=how),
    )
    pandas.testing.assert_series_equal(found.dtypes, expected.dtypes)
    assert {"i", "f", "s", "d", "n", "u"} <= {n for n, w in zip(found.columns, waits(found)) if w}
    for step in (
        lambda f: f[f["key"] < N // 2 + 3_000], lambda f: f[f["key"] >= N // 2], lambda f: f.iloc[3:-7:2], lambda f: f.head(0), lambda f: f.tail(60),
        lambda f: f.sort_values("key", ascending=False), lambda f: f.merge(f[["key"]].iloc[::2] + 1, on="key", how="right"), lambda f: f.dropna(),
    ):  # fmt: skip
        assert_same(step(found), step(expected))
    assert_same(found, expected)


def test_the_plan_of_a_frame_has_rows_and_bytes(frame):
    found = pd.from_pandas(frame)
    text = bc.explain(found[found["i"] > 2][["f", "d"]])
    n = int((frame["i"] > 2).sum())
    assert (
        f"frame of {n:,} rows: 2 of 2 columns wait, {16 * n:,} bytes when read; the numbers of their rows take" in text
    )
    assert f"pending: column 'f', float64: {n:,} of {N:,} rows of another column, {8 * n:,} bytes when read" in text
