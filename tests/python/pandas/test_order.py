"""Sorting by one column, whose values come with the order: bits, ties, labels and missing values are pandas'."""

import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from bascule.pandas._columns.lazy_take import FEWEST
from frames import both

SIZES = (0, 1, 5, 1000, 3 * FEWEST)


def doubles(rng, n):
    """Zeros of both signs, infinities, subnormal numbers, NaN with payloads, and many equal values."""
    special = np.array([0.0, -0.0, np.inf, -np.inf, 5e-324, -5e-324, 1.5, np.nan, -np.nan])
    x = np.where(rng.random(n) < 0.6, special[rng.integers(0, len(special), n)], rng.normal(size=n))
    payload = (np.int64(0x7FF8 << 48) + rng.integers(0, 1 << 20, n)).view(np.float64)
    return np.where(rng.random(n) < 0.1, payload, x)


COLUMNS = {
    "doubles": doubles,
    "random": lambda rng, n: rng.random(n),
    "ascending": lambda rng, n: np.arange(n) * 0.5,
    "descending": lambda rng, n: np.arange(n)[::-1].astype(float),
    "floats": lambda rng, n: doubles(rng, n).astype(np.float32),
    "one value": lambda rng, n: np.full(n, -0.0),
    "all missing": lambda rng, n: np.full(n, np.nan),
    "wide integers": lambda rng, n: rng.integers(-(2**63), 2**63 - 1, n),
    "few integers": lambda rng, n: rng.integers(0, 5, n).astype(np.int8),
    "unsigned": lambda rng, n: rng.integers(0, 2**64 - 1, n, dtype=np.uint64),
    "bool": lambda rng, n: rng.random(n) < 0.5,
    "times": lambda rng, n: np.where(rng.random(n) < 0.1, np.datetime64("NaT", "s"), rng.integers(0, n + 1, n).astype("M8[s]")),
    "durations": lambda rng, n: rng.integers(-3, 3, n).astype("m8[ns]"),
    "nullable": lambda rng, n: pandas.array(np.where(rng.random(n) < 0.2, None, rng.integers(0, 9, n)), "Int64"),
    "text": lambda rng, n: pandas.array(rng.choice(["b", "", "a", "ab"], n), dtype="str"),
    "text with holes": lambda rng, n: pandas.array(rng.choice(np.array(["b", "a", None], object), n), dtype="str"),
    "many texts": lambda rng, n: pandas.array(rng.integers(0, 10**6, n).astype(str).astype(object), dtype="str"),
}  # fmt: skip


@pytest.mark.parametrize("kind", COLUMNS)
def test_the_key_and_all_else_follow(kind):
    rng = np.random.default_rng(7)
    for n in SIZES:
        key = pandas.Series(COLUMNS[kind](rng, n), name="key")
        frame = pandas.DataFrame({"n": np.arange(n), "key": key, "s": pandas.Series(rng.choice(["x", "yy"], n), dtype="str")})  # fmt: skip
        for ascending in (True, False):
            for where in ("last", "first"):
                order = dict(ascending=ascending, na_position=where, kind="stable")
                both(lambda a: a.sort_values("key", **order), frame)
                if isinstance(key.dtype, np.dtype):  # equal numbers may be different NaNs or zeros
                    found = pd.from_pandas(frame).sort_values("key", **order)["key"].to_pandas()
                    assert found.to_numpy().tobytes() == frame.sort_values("key", **order)["key"].to_numpy().tobytes()
        both(lambda a: a.sort_values("key", ignore_index=True, kind="stable"), frame)
        both(lambda a: a["key"].sort_values(kind="stable"), frame)
        both(lambda a: a["key"].sort_values(ascending=False, kind="stable"), frame)


@pytest.mark.parametrize("kind", [k for k in COLUMNS if k != "many texts"])
def test_labels_come_in_order(kind):
    rng = np.random.default_rng(8)
    for n in SIZES:
        frame = pandas.DataFrame({"n": np.arange(n)}, index=pandas.Index(COLUMNS[kind](rng, n), name="label"))
        for ascending in (True, False):
            both(lambda a: a.sort_index(ascending=ascending, kind="stable"), frame)
            both(lambda a: a["n"].sort_index(ascending=ascending, kind="stable", na_position="first"), frame)


def test_a_column_that_is_there_twice_and_one_that_waits():
    rng = np.random.default_rng(9)
    n = 2 * FEWEST
    frame = pandas.DataFrame({"x": doubles(rng, n), "i": rng.integers(0, 9, n)})
    both(lambda a: a.assign(again=a["x"]).sort_values("x", kind="stable"), frame)
    both(
        lambda a: a[a["i"] > 1].sort_values("x", kind="stable").head(FEWEST + 5).sort_values("i", kind="stable"), frame
    )
    both(lambda a: a.merge(a.drop_duplicates("i").rename(columns={"x": "z"}), on="i").sort_values("z", kind="stable"), frame)  # fmt: skip


@pytest.mark.parametrize("kind", COLUMNS)
def test_a_column_that_is_moved_along(kind):
    rng = np.random.default_rng(10)
    n = 2 * FEWEST
    frame = pandas.DataFrame({"x": doubles(rng, n), "i": rng.integers(0, 9, n), "along": COLUMNS[kind](rng, n)})
    both(lambda a: a.sort_values("x", kind="stable"), frame)
    both(lambda a: a.sort_values(["i", "x"], ascending=[False, True]), frame)
    both(lambda a: a.sort_values(["i", "x"])["along"].head(50), frame)
    both(lambda a: a.set_index(["i", "x"]).sort_index(), frame)
    both(lambda a: a.set_index("x")["along"].sort_index(kind="stable"), frame)
    both(lambda a: a.sort_values("x", kind="stable").sort_values("i", kind="stable"), frame)
