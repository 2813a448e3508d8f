"""Operators of frames and series, against pandas."""

from __future__ import annotations

import datetime
import operator

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from bascule import _core
from frame_samples import SERIES, native_or_same
from frames import both
from pandas import DataFrame, Series

ARITHMETIC = [
    operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.pow, divmod,
]  # fmt: skip
COMPARISONS = [operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge]
LOGICAL = [operator.and_, operator.or_, operator.xor]
EVERY = [*ARITHMETIC, *COMPARISONS, *LOGICAL]
NUMBERS = ("float64", "float32", "int64", "int8", "uint32")
SCALARS = [
    2, -1, 0, 1.5, 0.0, np.nan, True, np.int8(3), np.float64(2.5), 300, pandas.Timestamp("2020-06-01"),
    pandas.Timedelta("2s"), np.datetime64("2020-01-01"), np.timedelta64(3, "s"), datetime.datetime(2020, 1, 1),
    datetime.timedelta(1), "2020-06-01", "a", None, pandas.NA,
]  # fmt: skip
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.mark.parametrize("op", EVERY, ids=lambda f: f.__name__)
@pytest.mark.parametrize("left", SERIES)
def test_series_of_every_pair_of_types(op, left):
    for right in SERIES:
        native = native_or_same(op, SERIES[left], SERIES[right])
        if left in NUMBERS and right in NUMBERS and op not in LOGICAL:
            assert native, (left, right)


@pytest.mark.parametrize("op", EVERY, ids=lambda f: f.__name__)
@pytest.mark.parametrize("kind", SERIES)
def test_scalars_on_either_side(op, kind):
    for x in SCALARS:
        if op is operator.mod and isinstance(x, str):
            continue  # text % series is Python's formatting
        native_or_same(lambda s: op(s, x), SERIES[kind])
        if not (op is operator.pow and kind == "float32"):  # powers differ in the last place
            native_or_same(lambda s: op(x, s), SERIES[kind])


LABELLED = [
    Series([1.0, 2, 3], index=["a", "b", "c"]),
    Series([1.0, 2, 3], index=["c", "b", "d"], name="x"),
    Series([1, 2], index=["a", "a"]),
    Series([1, 2, 4], index=["a", "a", "b"], name="x"),
    Series([5, 6, 7]),
    Series([5, 6], name="x"),
    Series([True, False], index=[1, 2]),
    Series(["q", "r"], index=[1, 0]),
    Series([1, 2], index=pandas.to_datetime(["2020-01-01", "2020-01-02"])),
    Series([1, 2], index=pandas.MultiIndex.from_tuples([(1, "a"), (2, "b")], names=["k", "l"])),
    Series([], dtype="f8"),
    Series([1, 2], index=pandas.Index([0, 1], name="nm")),
]


@pytest.mark.parametrize("left", range(len(LABELLED)))
def test_labels_are_brought_together(left):
    for right in LABELLED:
        for op in (operator.add, operator.floordiv, operator.eq, operator.lt, operator.or_, divmod, np.maximum):
            native_or_same(op, LABELLED[left], right)
        native_or_same(lambda x, y: x.add(y, fill_value=0), LABELLED[left], right)
        native_or_same(lambda x, y: x.eq(y), LABELLED[left], right)


def test_unequal_labels_of_numbers_need_no_pandas():
    both(operator.add, LABELLED[0], LABELLED[1])
    both(operator.add, LABELLED[2], LABELLED[3])
    both(operator.add, Series([1, 2], [1, 0]), Series([1, 2], [0, 1]))
    both(lambda x, y: x.sub(y, fill_value=1.5), LABELLED[0], LABELLED[1])


@pytest.mark.parametrize("x", [np.array([1, 2, 3]), [1, 2, 3], np.array(2.0), pandas.Index([3, 1, 2])], ids=repr)
def test_arrays_as_operands(x):
    s = Series([1.5, 2, np.nan], index=["a", "b", "a"], name="s")
    both(lambda s: s + x, s)
    both(lambda s: x - s, s)
    both(lambda s: s < x, s)


def test_arrays_of_bascule_as_operands():
    s = pd.from_pandas(Series([1.5, 2, 3], name="s"))
    pandas.testing.assert_series_equal((s * bc.arange(3)).to_pandas(), Series([0, 2, 6.0], name="s"))
    pandas.testing.assert_series_equal((bc.arange(3) * s).to_pandas(), Series([0, 2, 6.0], name="s"))


FRAMES = {
    "numbers": DataFrame({"a": [1, 2, 3], "b": [1.5, np.nan, 2], "c": [3.0, 4, 5]}),
    "integers": DataFrame({"a": [1, 2, 3], "b": [4, 5, 0]}),
    "other rows": DataFrame({"a": [1, 2], "b": [4, 5]}, index=[2, 1]),
    "bools": DataFrame({"a": [True, False, True], "b": [True, True, False]}),
    "times": DataFrame({"a": pandas.to_datetime(["2020-01-01", None, "2021-01-01"])}),
    "text": DataFrame({"a": ["x", None, "y"]}),
    "empty": DataFrame({"a": [], "b": []}),
}


@pytest.mark.parametrize("left", FRAMES)
def test_frames(left):
    for right in FRAMES:
        for op in (operator.add, operator.truediv, operator.eq, operator.lt, operator.and_):
            native_or_same(op, FRAMES[left], FRAMES[right])
        native_or_same(lambda x, y: x.add(y, fill_value=1), FRAMES[left], FRAMES[right])
    for x in (2, 1.5, np.int8(3), "a", True):
        native_or_same(lambda f: f * x, FRAMES[left])
        native_or_same(lambda f: x - f, FRAMES[left])
        native_or_same(lambda f: f.eq(x), FRAMES[left])


def test_frames_with_rows_and_columns():
    f = FRAMES["numbers"]
    both(lambda f: f - f.mean(), f, exact=False)
    both(lambda f: f.mean() - f, f, exact=False)
    both(lambda f: f.sub(f["a"], axis=0), f)
    both(lambda f: f.rsub(f["b"], axis="index"), f)
    both(lambda f: f["a"] * f["b"] + f.c, f)
    both(lambda f: f[["a", "b"]] + f[["b", "c"]], f)


@pytest.mark.parametrize(
    "f", [operator.neg, abs, operator.invert, operator.pos, lambda s: s.round(1), lambda s: s.abs()]
)
@pytest.mark.parametrize("kind", SERIES)
def test_one_operand(f, kind):
    native_or_same(f, SERIES[kind])


@pytest.mark.parametrize(
    "f", [np.sqrt, np.exp, lambda s: np.add(s, 1), lambda s: np.add(1, s), lambda s: np.maximum(s, 2)]
)
def test_universal_functions(f):
    for kind in NUMBERS:
        s = SERIES[kind].rename("n")
        if f is np.exp and s.dtype == np.float32:  # each within its ULP of the exponential: ours 1, NumPy's 3
            found, expected = f(pd.from_pandas(s)).to_pandas(), f(s)
            np.testing.assert_array_max_ulp(found.to_numpy(), expected.to_numpy(), 4)
            assert found.dtype == expected.dtype and found.name == "n" and found.index.equals(expected.index)
        else:
            native_or_same(f, s)
    both(f, SERIES["float64"].rename("n"), exact=False)
    both(f, FRAMES["numbers"], exact=False)


def test_a_chain_is_one_pass():
    n = 200_000
    rng = np.random.default_rng(0)
    there = DataFrame({"x": rng.normal(size=n), "z": rng.normal(size=n)})
    df = pd.from_pandas(there)
    before = _core.statistics()
    found = (df.x * 2 + df.z - 1 > 0.5).sum()
    after = _core.statistics()
    assert found == (there.x * 2 + there.z - 1 > 0.5).sum() and type(found) is np.int64
    assert after["plans"] - before["plans"] == 1
    assert after["stored_intermediates"] == before["stored_intermediates"]


def test_ufuncs_of_bascule_ask_frames_first():
    def root(s):
        return (bc.sqrt if isinstance(s, (pd.Series, pd.DataFrame)) else np.sqrt)(s)

    def total(s):
        return (bc.add if isinstance(s, pd.Series) else np.add)(s, s)

    both(root, pandas.Series([1.0, 4.0, np.nan], index=list("abc"), name="n"))
    both(root, pandas.DataFrame({"a": [1.0, 4.0], "b": [9, 16]}))
    both(total, pandas.Series([1, 2], index=[5, 5]))
    both(root, pandas.Series(["a"]), fallback="silent")


@pytest.mark.parametrize("rows", [10, 2000])
@pytest.mark.parametrize("kinds", [3, 400])
def test_text_put_together(rows, kinds):
    rng = np.random.default_rng(1)
    words = np.array([None, "", "a", "ab", "b", "\u00e9"] + [f"w{k}" for k in range(kinds)], dtype=object)
    a, b = (pandas.Series(words[rng.integers(0, kinds, rows)], dtype="str", name="n") for _ in range(2))
    both(lambda a, b: a + b, a, b)
    both(lambda a, b: a + "-" + b, a, b)
    both(lambda a, b: ("b" + a).value_counts(), a, b)
    both(lambda a, b: (a + b).str.len().groupby(a + b).sum(), a, b)
    both(lambda a, b: a + a, a, b)
