"""Chosen rows are gathered when they are read: what is made, when, and what is kept alive."""

import gc
import weakref

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from bascule.pandas._columns.lazy_take import FEWEST, Waiting
from frames import both

N = 4 * FEWEST


@pytest.fixture
def frame():
    rng = np.random.default_rng(5)
    return pandas.DataFrame({
        "i": rng.integers(0, 9, N), "f": np.where(rng.random(N) < 0.1, np.nan, rng.random(N)), "s": pandas.Series(rng.choice(["a", "bb", None], N), dtype="str"),
        "d": pandas.date_range("2013", periods=N, freq="min"), "n": pandas.array(rng.integers(0, 5, N), "Int64"), "b": rng.random(N) < 0.5,
    })  # fmt: skip


def waits(frame):
    return [type(c) is Waiting and c._from is not None for c in frame._columns]


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


def test_few_rows_keep_nothing_alive(frame):
    found = pd.from_pandas(frame.assign(i=np.arange(N)))["i"]._column
    whole = pd.DataFrame._new([found], pandas.Index(["i"]), pd.RangeIndex(N))
    few = whole[whole["i"] < N // 3]
    assert not any(waits(few))


def test_what_has_been_gathered_keeps_nothing_alive(frame):
    found = pd.from_pandas(frame)
    values = found["f"] * 1.0
    bc.evaluate(values)
    chosen = values[found["i"] > 2]
    source = weakref.ref(values._column.values)
    del values
    chosen.sum()
    gc.collect()
    assert source() is None
