"""Aggregates of so many rows that threads share them: ranges of groups and lists of requests."""

import bascule as bc
import numpy as np
import pandas
import pytest
from frames import both

ROWS = 150_000
KEYS = {
    "even": lambda rng, n: rng.integers(0, 300, n),
    "one group": lambda rng, n: np.zeros(n, int),
    "one large": lambda rng, n: np.where(rng.random(n) < 0.95, 7, rng.integers(0, 50, n)),
    "in runs": lambda rng, n: np.arange(n) // 1000,
    "some in none": lambda rng, n: np.where(rng.random(n) < 0.1, np.nan, rng.integers(0, 40, n)),
    "all in none": lambda rng, n: np.full(n, np.nan),
    "first block only": lambda rng, n: np.where(np.arange(n) < 100, 1.0, np.nan),
    "many": lambda rng, n: rng.integers(0, 30_000, n),
}
ALL = ["sum", "mean", "std", "var", "min", "max", "first", "last", "count", "size"]


@pytest.fixture(params=[1, 2, 5])
def threads(request):
    before = bc.get_num_threads()
    bc.set_num_threads(request.param)
    yield request.param
    bc.set_num_threads(before)


def frame(keys: str, kind: str = "f8") -> pandas.DataFrame:
    rng = np.random.default_rng(len(keys))
    x = rng.normal(size=ROWS) * 10.0 ** rng.integers(-3, 9, ROWS)
    y = np.where(rng.random(ROWS) < 0.2, np.nan, rng.normal(size=ROWS))
    return pandas.DataFrame({"k": KEYS[keys](rng, ROWS), "x": x.astype(kind), "y": y})


@pytest.mark.parametrize("keys", KEYS)
@pytest.mark.parametrize("ops", [ALL[:1], ALL[:2], ALL[:3], ALL], ids=len)
def test_one_and_several_requests(keys, ops, threads):
    both(lambda d: d.groupby("k").x.agg(ops), frame(keys), exact=False)
    both(lambda d: d.groupby("k")[["x", "y"]].agg(ops), frame(keys), exact=False)


@pytest.mark.parametrize("keys", KEYS)
def test_running_aggregates(keys, threads):
    both(lambda d: d.groupby("k").y.cumsum(), frame(keys), exact=False)
    both(lambda d: d.groupby("k").x.cummax(), frame(keys, "i8"))


@pytest.mark.parametrize("groups", [2, 5, 40])
def test_sums_of_few_groups_are_pandas_bit_by_bit(groups, threads):
    made = frame("one large")
    made["k"] %= groups
    made["z"] = made.x.where(made.index % 997 != 0, np.inf)
    made["i"] = np.arange(ROWS)
    both(lambda d: d.groupby("k").agg(["sum", "mean", "count"]), made)
    both(lambda d: d.groupby(["k", d.index % 2]).agg(a=("x", "sum"), b=("x", "mean"), c=("y", "sum")), made)
