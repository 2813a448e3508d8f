"""Grouped rows counted, ranked, described, sampled and chosen: against pandas."""

import numpy as np
import pandas
import pytest
from frames import both

FRAME = pandas.DataFrame(
    {"k": list("babacab"), "j": [1, 2, 1, 2, 1, 2, 1], "v": [3, 1, 3, 5, 2, 1, 9], "w": [1.5, np.nan, 3.0, -0.0, 5.0, 2.0, 1.5], "t": list("xyxxyyz")},
    index=[5, 5, 1, 2, 3, 4, 0],
)  # fmt: skip
NULLS = FRAME.assign(k=["b", None, "b", "a", "c", None, "b"])
each = pytest.mark.parametrize("frame", [FRAME, NULLS, FRAME.iloc[:1]], ids=["whole", "missing keys", "one row"])


@each
@pytest.mark.parametrize("options", [{}, {"normalize": True}, {"sort": False}, {"ascending": True}])
def test_value_counts(frame, options):
    both(lambda x: x.groupby("k").v.value_counts(**options), frame)
    both(lambda x: x.groupby(["k", "j"]).t.value_counts(**options), frame)
    both(lambda x: x.groupby("k")[["j", "t"]].value_counts(**options), frame)
    both(lambda x: x.groupby("k").value_counts(subset=["j"], **options), frame)
    both(lambda x: x.groupby("k").w.value_counts(**options), frame)
    both(lambda x: x.groupby("k").w.value_counts(dropna=False, **options), frame, fallback="silent")
    both(lambda x: x.groupby("k", sort=False).v.value_counts(**options), frame, fallback="silent")
    both(lambda x: x.groupby("k", as_index=False)[["v"]].value_counts(**options), frame, fallback="silent")


@each
@pytest.mark.parametrize("method", ["average", "min", "max", "first", "dense"])
def test_rank(frame, method):
    for options in ({}, {"ascending": False}, {"pct": True}):
        silent = "silent" if method == "dense" and "pct" in options else "error"
        both(lambda x: x.groupby("k")[["v", "w"]].rank(method, **options), frame, fallback=silent)
        both(lambda x: x.groupby(["k", "j"]).w.rank(method, **options), frame, fallback=silent)
    both(lambda x: x.groupby("k").w.rank(na_option="no"), frame)
    both(lambda x: x.groupby("k").w.rank(na_option="top"), frame, fallback="silent")
    both(lambda x: x.groupby("k").t.rank(), frame, fallback="silent")


def test_rank_of_many_rows():
    r = np.random.default_rng(0)
    frame = pandas.DataFrame(
        {
            "k": r.integers(0, 50, 3000),
            "v": r.integers(0, 20, 3000),
            "w": np.where(r.random(3000) < 0.1, np.nan, r.random(3000)),
        }
    )
    for method in ("average", "min", "max", "first", "dense"):
        both(lambda x: x.groupby("k").rank(method), frame)
        both(lambda x: x.groupby("k").rank(method, ascending=False), frame)


@each
def test_describe(frame):
    both(lambda x: x.groupby("k")[["v", "w"]].describe(), frame, exact=False)
    both(lambda x: x.groupby("k").describe(), frame, exact=False)
    both(lambda x: x.groupby("k").w.describe(), frame, exact=False)
    both(lambda x: x.groupby("k").v.describe(percentiles=[0.1]), frame, exact=False, fallback="silent")
    both(lambda x: x.groupby("k").t.describe(), frame, exact=False, fallback="silent")


@each
@pytest.mark.parametrize("name", ["nlargest", "nsmallest"])
def test_largest_and_smallest(frame, name):
    silent = "silent" if len(frame) == 1 else "error"
    for n in (1, 2, 9):
        both(lambda x: getattr(x.groupby("k").v, name)(n), frame, fallback=silent)
        both(lambda x: getattr(x.groupby("k").w, name)(n), frame, fallback=silent)
        both(lambda x: getattr(x.groupby(["k", "j"]).w, name)(n), frame, fallback=silent)
    both(lambda x: getattr(x.groupby("k").v, name)(2, keep="last"), frame, fallback="silent")
    both(lambda x: getattr(x.groupby("k").v, name)(0), frame, fallback="silent")


@each
def test_order_within_groups(frame):
    for column in ("v", "w", "t"):
        for name in ("is_monotonic_increasing", "is_monotonic_decreasing"):
            both(
                lambda x: getattr(x.groupby("k")[column], name), frame, fallback="silent" if column == "t" else "error"
            )


@each
@pytest.mark.parametrize(
    "options", [{}, {"n": 1}, {"frac": 0.5}, {"n": 4, "replace": True}, {"n": 9}, {"n": 1, "frac": 1}, {"n": -1}]
)
def test_sample(frame, options):
    both(lambda x: x.groupby("k").sample(**options, random_state=3), frame)
    both(lambda x: x.groupby("k").v.sample(**options, random_state=np.random.default_rng(1)), frame)
    both(
        lambda x: x.groupby("k")[["v"]].sample(**options, random_state=3, weights=[1] * len(x)),
        frame,
        fallback="silent",
    )


@each
def test_pct_change_and_pipe(frame):
    both(lambda x: x.groupby("k").v.pct_change(), frame)
    both(lambda x: x.groupby("k")[["v", "w"]].pct_change(2), frame)
    both(lambda x: x.groupby("k").v.pipe(lambda g: g.sum()), frame)
    both(lambda x: x.groupby("k").pipe((lambda k, y: y.size() + k, "y"), 1), frame)
    both(lambda x: x.groupby("k").pipe((lambda y: y, "y"), y=1), frame)


@each
def test_filter(frame):
    both(lambda x: x.groupby("k").filter(lambda g: len(g) > 1), frame)
    both(lambda x: x.groupby("k").filter(lambda g: g["v"].sum() > 4), frame)
    both(lambda x: x.groupby("k").v.filter(lambda s: s.max() > 4), frame)
    both(lambda x: x.groupby("k").filter(lambda g: g), frame)
    both(lambda x: x.groupby("k").filter(lambda g: 5), frame)
    both(lambda x: x.groupby("k").filter(lambda g: np.nan), frame)
    both(lambda x: x.groupby("k").filter(lambda g: len(g) > 1, dropna=False), frame, fallback="silent")
