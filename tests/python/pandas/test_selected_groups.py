"""Groups of rows that a mask has chosen are aggregated where the rows are: pandas' results, and nothing is gathered."""

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from frames import assert_same

N = 30_000
AGGREGATIONS = ["sum", "mean", "min", "max", "count", "prod", "var", "std"]


def rows(n=N, seed=3):
    rng = np.random.default_rng(seed)
    keys = np.array(["p", "q", "r", "only where not chosen"])[rng.integers(0, 3, n)].astype(object)
    chosen = rng.random(n) < 0.8
    keys[np.flatnonzero(~chosen)[::7]] = "only where not chosen"
    return pandas.DataFrame({
        "k": pandas.array(np.where(rng.random(n) < 0.02, None, keys), "str"), "g": pandas.array(rng.choice(["x", "yy", ""], n), "str"),
        "x": np.where(rng.random(n) < 0.05, np.nan, rng.normal(1, 0.01, n)), "y": np.where(chosen, rng.random(n) + 0.5, 0.0),
        "i": rng.integers(-9, 9, n), "j": rng.integers(0, 2, n).astype("int8"), "w": np.where(chosen, 1.0, np.inf), "chosen": chosen,
    })  # fmt: skip


def waits(frame, name):
    return f"pending: column {name!r}" in bc.explain(frame)


CALLS = {
    "one key": lambda f: f.groupby("k")[["x", "y", "i", "j"]].agg(["sum", "mean", "count"]),
    "two keys": lambda f: f.groupby(["k", "g"])[["x", "y", "i"]].mean(),
    "in order of appearance": lambda f: f.groupby(["g", "k"], sort=False)[["x", "i"]].sum(),
    "keys as columns": lambda f: f.groupby(["k", "g"], as_index=False).agg(
        a=("x", "sum"), b=("y", "mean"), c=("i", "max"), d=("j", "count"), e=("x", "size"), h=("w", "min")
    ),
    "every aggregation": lambda f: f.groupby(["g", "k"])[["x", "y", "i", "j"]].agg(AGGREGATIONS),
    "sizes": lambda f: f.groupby("k").size(),
    "at least many": lambda f: f.groupby("k")[["x", "i"]].sum(min_count=2_000),
    "missing keys are groups": lambda f: f.groupby("k", dropna=False)[["x", "y"]].sum(),
    "with missing values": lambda f: f.groupby("k")[["x", "y"]].sum(skipna=False),
    "medians besides": lambda f: f.groupby("k").agg(a=("x", "median"), b=("y", "sum")),
    "the same groups again": lambda f: (lambda g: (g.x.sum(), g.y.transform("mean"), g.ngroups, g.y.sum()))(f.groupby(["k", "g"])),
    "expressions": lambda f: f.assign(a=f["x"] * (1 - f["y"]), b=f["x"] / f["y"] + f["w"], c=f["i"] * 2 + f["j"]).groupby(["k", "g"]).agg(
        a=("a", "sum"), b=("b", "mean"), c=("c", "sum"), d=("i", "std")
    ),
    "of a comparison": lambda f: f.assign(a=f["x"] > f["y"]).groupby("k")[["a", "x"]].sum(),
    "text among them": lambda f: f.groupby("k").agg(a=("g", "first"), b=("x", "sum")),
}  # fmt: skip


@pytest.mark.parametrize("share", ["most", "half"])
@pytest.mark.parametrize("name", CALLS)
def test_groups_of_chosen_rows_are_those_of_pandas(name, share):
    frame = rows()
    mask = frame["chosen"] if share == "most" else frame["chosen"] & (frame["i"] > 0)
    call, wanted = CALLS[name], CALLS[name](frame[mask])
    with bc.config.set(fallback="error"):
        there = pd.from_pandas(frame)
        found = call(there[pd.from_pandas(mask)])
        with bc.config.set(lazy_frames=False):
            at_once = call(pd.from_pandas(frame)[pd.from_pandas(mask)])
    pairs = zip(found, at_once, wanted) if isinstance(wanted, tuple) else [(found, at_once, wanted)]
    for ours, eager, theirs in pairs:
        assert_same(ours, theirs, exact=False)
        assert_same(eager, theirs, exact=False)
        if hasattr(ours, "to_pandas"):
            assert_same(ours, eager.to_pandas())  # to the last bit


def test_nothing_is_gathered_for_groups():
    frame = pd.from_pandas(rows())
    some = frame[frame["chosen"]]
    some = some.assign(a=some["x"] * (1 - some["y"]))
    assert len(some.groupby(["k", "g"]).agg(s=("a", "sum"), m=("x", "mean"), n=("i", "count"))) == 9
    assert all(waits(some, name) for name in ("k", "g", "x", "y", "i", "a"))


def test_operands_of_one_selection_are_not_gathered():
    frame, theirs = pd.from_pandas(rows()), rows()
    some, wanted = frame[frame["chosen"]], theirs[theirs["chosen"]]
    made = some["x"] * 2 + some["y"] / some["w"] - some["i"]
    above = made > 1.5
    assert all(waits(some, name) for name in ("x", "y", "w", "i")) and waits(made, None) and waits(above, None)
    expected = wanted["x"] * 2 + wanted["y"] / wanted["w"] - wanted["i"]
    assert_same(made, expected)
    assert_same(above, expected > 1.5)
    frame["x"] = 0.0
    assert_same(made, expected)


def test_operands_of_two_selections_and_integers_that_are_divided():
    frame, theirs = pd.from_pandas(rows()), rows()
    for f in (
        lambda f: f[f["chosen"]]["x"] + f[f["i"] > -5]["y"],
        lambda f: f[f["j"] != 0]["i"] // f[f["j"] != 0]["j"],
        lambda f: (lambda s: s["i"] % s["j"])(f[f["chosen"]]),
        lambda f: (lambda s: s["i"] / s["j"])(f[f["chosen"]]),
        lambda f: (lambda s: s["j"] + 100)(f[f["chosen"]]),
        lambda f: (lambda s: 1 - s["x"] * np.float32(2))(f[f["chosen"]]),
    ):
        assert_same(f(frame), f(theirs))
    with pytest.raises(OverflowError):
        frame[frame["chosen"]]["j"] + 1000
    with pytest.raises(OverflowError):
        theirs[theirs["chosen"]]["j"] + 1000
