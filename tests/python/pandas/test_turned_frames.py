"""Transposed frames answer as pandas', before and after their columns are made, changed or named."""

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from pandas.testing import assert_frame_equal, assert_series_equal

ROWS = 60
VALUES = {
    "floats": np.where(np.arange(ROWS * 4) % 7 == 0, np.nan, np.arange(ROWS * 4) * 0.37).reshape(ROWS, 4),
    "integers": np.arange(ROWS * 3).reshape(ROWS, 3) - 50,
    "booleans": (np.arange(ROWS * 3) % 4 == 0).reshape(ROWS, 3),
    "narrow": np.arange(ROWS * 3, dtype=np.float32).reshape(ROWS, 3),
    "one column": np.arange(ROWS * 1.0).reshape(ROWS, 1),
    "tall": np.arange(12.0).reshape(3, 4),
}


def inserted(t):
    t.insert(0, "new", 1)
    return t.sum()


def labelled(t):
    t.columns = [f"c{i}" for i in range(t.shape[1])]
    return t.sum()


def named(t):
    t.index = [f"r{i}" for i in range(len(t))]
    return (t + 1).max(axis=1)


def assigned(t):
    t[t.columns[2]] = 5
    return t.mean()


def element(t):
    t.iloc[0, 1] = 7
    return t.sum()


CALLS = {
    **{f"{name}, {axis}": (lambda t, name=name, axis=axis: getattr(t, name)(axis=axis)) for axis in (0, 1)
       for name in ("sum", "mean", "min", "max", "prod", "std", "var", "any", "all", "count", "median")},
    "sum with missing": lambda t: t.sum(skipna=False),
    "sum of enough": lambda t: t.sum(min_count=3),
    "var by ddof": lambda t: t.var(ddof=0),
    "numbers only": lambda t: t.sum(numeric_only=True),
    "plus one": lambda t: t + 1,
    "one minus": lambda t: 1 - t,
    "greater": lambda t: t > 3,
    "plus itself": lambda t: t + t,
    "times another": lambda t: t * (t + 1),
    "quotient": lambda t: t / 0,
    "power": lambda t: t.astype(float) ** 2,
    "absolute": lambda t: t.abs(),
    "rounded": lambda t: t.round(1),
    "missing": lambda t: t.isna().sum(),
    "there": lambda t: t.notna().any(axis=1),
    "turned back": lambda t: t.T,
    "turned back and forth": lambda t: t.T.T.sum(),
    "filled": lambda t: t.fillna(0),
    "filled in place": lambda t: [t.fillna(1.5, inplace=True), t.sum()][1],
    "centred": lambda t: (t - t.mean()).sum(),
    "a column": lambda t: t[t.columns[3]],
    "first rows": lambda t: t.head(2),
    "last row": lambda t: t.iloc[-1],
    "rows by steps": lambda t: t.iloc[::-2].sum(),
    "no rows": lambda t: t.iloc[5:5],
    "first columns": lambda t: t.iloc[:, :3],
    "inserted": inserted, "labelled": labelled, "named": named, "assigned": assigned, "element": element,
    "copied": lambda t: t.copy().sum(),
    "renamed": lambda t: t.rename(columns={0: "zero"}).add_prefix("p").sum(),
}  # fmt: skip


def outcome(call, x):
    """The result, or the class of the error."""
    try:
        with np.errstate(all="ignore"):
            return call(x)
    except (IndexError, TypeError, ValueError) as error:
        return type(error)


@pytest.mark.filterwarnings("ignore::bascule.FallbackWarning")  # of some reductions of rows
@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("kind", VALUES)
def test_calls(kind, call):
    theirs = pandas.DataFrame(VALUES[kind], columns=list("abcd")[: VALUES[kind].shape[1]])
    wanted, found = outcome(CALLS[call], theirs.T), outcome(CALLS[call], pd.from_pandas(theirs).T)
    if isinstance(wanted, type):
        assert found is wanted
    else:
        (assert_frame_equal if wanted.ndim == 2 else assert_series_equal)(found.to_pandas(), wanted)


@pytest.mark.parametrize("kind", VALUES)
def test_values(kind):
    theirs = pandas.DataFrame(VALUES[kind], index=pandas.date_range("2020", periods=len(VALUES[kind])))
    own = pd.from_pandas(theirs)
    np.testing.assert_array_equal(np.asarray(own.T.values), theirs.T.values)
    np.testing.assert_array_equal(own.T.to_numpy(), theirs.T.to_numpy())
    assert_frame_equal(own.T.to_pandas(), theirs.T)
    assert repr(own.T) == repr(theirs.T)


def test_the_frame_that_was_transposed_may_change():
    own = pd.DataFrame(np.arange(30.0).reshape(10, 3))
    turned = own.T
    own[0] = 7.0
    own.iloc[2, 1] = -1
    assert turned.sum().tolist() == [9.0 * i + 3 for i in range(10)]


def test_sums_of_many_columns_are_made_without_the_columns():
    turned = pd.DataFrame(np.arange(3000.0).reshape(1000, 3)).T
    (turned + 1).abs().fillna(0).head(2).sum()
    assert "_make" in vars(turned)


@pytest.mark.parametrize("names", ["it", "ft", "bi", "bf", "id", "td", "dm", "ifbtdm", "tt", "if", "bb", "dd"])
def test_columns_of_several_types(names):
    some = {
        "i": [1, 2, 3], "f": [0.5, np.nan, 2.0], "b": [True, False, True], "t": ["a", None, "c"],
        "d": pandas.to_datetime(["2020-01-01", None, "2020-01-03"]), "m": pandas.to_timedelta([1, None, 3], "h"),
    }  # fmt: skip
    theirs = pandas.DataFrame({f"{n}{i}": some[n] for i, n in enumerate(names)}, index=["x", "y", "z"])
    wanted, own = theirs.T, pd.from_pandas(theirs)
    assert_frame_equal(own.T.to_pandas(), wanted)
    assert [type(x) for c in wanted for x in wanted[c]] == [type(x) for c in own.T.columns for x in own.T[c]]
    assert_series_equal(own.T["y"].to_pandas(), wanted["y"])


@pytest.mark.parametrize("kind", ["floats", "integers", "booleans", "narrow"])
def test_as_many_columns_as_a_long_frame_has_rows(kind):
    """Without pandas, and without making the columns where the values alone are asked for."""
    rows = np.resize(VALUES[kind], (20_001, VALUES[kind].shape[1]))
    theirs = pandas.DataFrame(rows).T
    with bc.config.set(fallback="error"):
        own = pd.DataFrame(rows).T
        made = own.to_numpy()
        np.testing.assert_array_equal(np.asarray(own), theirs.to_numpy())
        assert kind == "narrow" or "_make" in vars(own)
        sums = own.sum(axis=1)
        assert own.shape == theirs.shape and own[20_000].tolist() == theirs[20_000].tolist()
    np.testing.assert_array_equal(made, theirs.to_numpy())
    assert made.dtype == theirs.to_numpy().dtype and made.flags.writeable == theirs.to_numpy().flags.writeable
    assert sums.dtype == theirs.sum(axis=1).dtype
