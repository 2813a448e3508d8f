"""Reductions of rows, columns and groups where some columns are masked, and where nothing missing is left out."""

from __future__ import annotations

from typing import Any

import bascule
import bascule.pandas as pd
import numpy as np
import pandas
import pytest

pytestmark = pytest.mark.filterwarnings("ignore")
ROWS = 7
FRAMES = [
    ["Int64", "Float64", "Int8"], ["boolean", "bool"], ["int64", "Int64"], ["Float32"] * 4, ["float64"] * 5,
    ["int64", "float32"], ["int8"] * 4, ["UInt8", "UInt64"],
]  # fmt: skip
NAMES = "sum prod mean min max median std var sem skew kurt any all idxmin idxmax count".split()


def column(dtype: str, rng: Any) -> pandas.Series:
    if dtype == "bool":
        return pandas.Series(rng.integers(0, 2, ROWS).astype(bool))
    values = pandas.Series(rng.integers(0, 5, ROWS).astype(float))
    if dtype == "boolean":
        return (values > 2).astype(dtype).mask(values == 2)
    if dtype[0] in "IUF":
        return values.astype(dtype).mask([i in (1, 4) for i in range(ROWS)])
    return (values.mask([i in (2, 4) for i in range(ROWS)]) if dtype[0] == "f" else values).astype(dtype)


def outcome(function: Any) -> Any:
    try:
        made = function()
    except (TypeError, ValueError) as e:
        return type(e).__name__
    return made.to_pandas() if type(made).__module__.startswith("bascule") else made


def same(found: Any, expected: Any, narrow: bool = False) -> str:
    if isinstance(expected, str) or isinstance(found, str):
        return "" if isinstance(found, str) and found == expected else f"{found}, expected {expected}"
    try:
        pandas.testing.assert_series_equal(found, expected, rtol=1e-5 if narrow else 1e-9)
    except AssertionError as e:
        return str(e)
    return ""


def options(name: str) -> list[dict]:
    if name in ("count", "nunique"):
        return [{}]
    return [{}, {"skipna": False}] + [{"min_count": 2}] * (name in ("sum", "prod"))


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("types", FRAMES, ids=lambda t: "-".join(t))
def test_frames(types, axis):
    rng, wrong = np.random.default_rng(3), {}
    whole = pandas.DataFrame({i: column(t, rng) for i, t in enumerate(types)})
    for theirs in (whole, whole[:0]):
        ours = pd.from_pandas(theirs)
        for name in NAMES:
            for given in options(name):
                found = outcome(lambda: getattr(ours, name)(axis=axis, **given))
                expected = outcome(lambda: getattr(theirs, name)(axis=axis, **given))
                wrong[name, len(theirs), str(given)] = same(found, expected, "32" in "".join(types))
    assert not {k: v for k, v in wrong.items() if v}


GROUPED = {
    **{t: [1, 2, None, 4, 5, None, 7, 8] for t in ("Int64", "Float64", "float64", "float32", "UInt8", "Float32")},
    "int8": [1, 2, 3, 4, 5, 6, 7, 8],
    "boolean": [True, False, None, True, True, None, False, False],
    "str": ["a", "b", None, "c", "d", None, "z", "q"],
    "datetime64[ns]": ["2020", "2021", None, "1999", "2003", None, "2020", "2024"],
}  # fmt: skip


@pytest.mark.parametrize("keys", [[0, 1, 2, 0, 1, 2, 0, 0], [0] * 8], ids=str)
@pytest.mark.parametrize("dtype", GROUPED)
def test_groups(dtype, keys):
    theirs, wrong = pandas.Series(GROUPED[dtype]).astype(dtype), {}
    ours, keys = pd.from_pandas(theirs), np.array(keys)
    for name in [n for n in NAMES if not n.startswith("idx")] + ["first", "last", "nunique"]:
        for given in options(name):
            found = outcome(lambda: getattr(ours.groupby(keys), name)(**given))
            expected = outcome(lambda: getattr(theirs.groupby(keys), name)(**given))
            wrong[name, str(given)] = same(found, expected, dtype.endswith("32"))
    assert not {k: v for k, v in wrong.items() if v}


@pytest.mark.parametrize("dtype", ["float32", "Float32", "Int8", "int64"])
@pytest.mark.parametrize("values", [[1.1e6, 2.3e6, 4.7e6, 7.9e6], [1e38, 3e38, 2e38, -3e38], [1, 2, 3, 4], [0, 0, 0, 0]], ids=str)  # fmt: skip
def test_types_that_hold_timestamps(dtype, values):
    if dtype[0] in "iI" and max(values) > 100:
        return
    theirs, wrong = pandas.Series(values).astype(dtype), {}
    for name in ("std", "sem", "median", "skew", "kurt", "var"):
        keys = np.array([0, 0, 0, 0] if name in ("skew", "kurt") else [0, 0, 1, 1])
        found = outcome(lambda: getattr(pd.from_pandas(theirs).groupby(keys), name)())
        wrong[name] = same(found, outcome(lambda: getattr(theirs.groupby(keys), name)()), True)
    assert not {k: v for k, v in wrong.items() if v}


def test_masked_reductions_are_native():
    frame = pd.DataFrame({"a": [1, 2, None], "b": [2.5, None, None]}).convert_dtypes()
    with bascule.config.set(fallback="error"):
        for name in ("sum", "mean", "min", "std", "median", "skew", "kurt"):
            getattr(frame, name)()
            getattr(frame, name)(axis=1, skipna=False)
            getattr(frame.groupby(np.array([0, 1, 0])), name)(skipna=False)


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("labels", [[1, 2], ["a", "b"], pandas.date_range("2020", periods=2)], ids=str)
def test_positions_in_nothing(labels, axis):
    theirs = pandas.DataFrame(index=labels) if axis == 0 else pandas.DataFrame(columns=labels)
    with bascule.config.set(fallback="error"):
        found = pd.from_pandas(theirs).idxmin(axis=axis)
    pandas.testing.assert_series_equal(found.to_pandas(), theirs.idxmin(axis=axis))
