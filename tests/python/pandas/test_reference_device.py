"""Frames on the reference device: random tables with nulls and strings give pandas' results there too."""

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest

STEPS = {
    "sum": lambda m, d: d.x.sum(),
    "fused": lambda m, d: (d.x * 2 + d.i - 1 > 0.5).sum(),
    "rows of a mask": lambda m, d: d[d.x > 0],
    "rows of a text": lambda m, d: d[d.s == "bb"],
    "sorted": lambda m, d: d.sort_values(["s", "x"]),
    "sorted backwards": lambda m, d: d.sort_values(["i", "s"], ascending=[False, True]),
    "grouped": lambda m, d: d.groupby(["k", "s"]).agg({"x": "sum", "i": "max"}),
    "grouped by text": lambda m, d: d.groupby("s").x.mean(),
    "merged": lambda m, d: d.merge(d.head(20), on="k"),
    "merged on text": lambda m, d: d.merge(d.head(9), on=["s", "k"], how="left"),
    "one below another": lambda m, d: m.concat([d, d]),
    "distinct": lambda m, d: d.s.nunique(),
}


def columns(seed, n):
    rng = np.random.default_rng(seed)
    return {
        "k": rng.integers(0, 7, n),
        "s": np.array(["a", "bb", None, "ccc", "", "é"], dtype=object)[rng.integers(0, 6, n)],
        "x": np.where(rng.random(n) < 0.2, np.nan, rng.normal(size=n)),
        "i": rng.integers(-5, 5, n).astype("i4"),
    }


def assert_same(got, want):
    if isinstance(want, pandas.DataFrame):
        pandas.testing.assert_frame_equal(got.to_pandas(), want)
    elif isinstance(want, pandas.Series):
        pandas.testing.assert_series_equal(got.to_pandas(), want)
    else:
        assert got == pytest.approx(want, rel=1e-12)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("step", STEPS)
def test_steps_on_random_tables(step, seed):
    data = columns(seed, [300, 31, 1][seed])
    with bc.device("reference"), bc.config.set(fallback="error"):
        got = STEPS[step](pd, pd.DataFrame(data))
        assert_same(got, STEPS[step](pandas, pandas.DataFrame(data)))


def test_columns_and_results_lie_on_the_device():
    with bc.device("reference"):
        d = pd.DataFrame(columns(0, 10))
        for frame in (d, d[d.x > 0], d.sort_values("s"), d.merge(d, on="s")):
            assert {c.device for c in frame._columns} == {"reference"}
    assert {c.device for c in pd.DataFrame(columns(0, 10))._columns} == {"cpu"}
