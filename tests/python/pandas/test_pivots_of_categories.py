"""Pivot tables whose keys are categories, of which some do not occur."""

from __future__ import annotations

import numpy as np
import pytest
from frame_samples import native_or_same
from pandas import Categorical, DataFrame

pytestmark = pytest.mark.filterwarnings("ignore")
SOME = DataFrame(
    {
        "c": Categorical(["x", "x", "z"], categories=["x", "y", "z"]),
        "d": ["p", "q", "p"],
        "e": Categorical(["u", "u", "u"], categories=["u", "v"]),
        "v": [1, 2, 3],
        "w": [1.5, np.nan, 2],
    }
)
ALL = SOME.assign(c=Categorical(["x", "y", "x"]), e=Categorical(["u", "v", "u"]))
KEYS = [("c", None), ("c", "d"), ("d", "c"), (["c", "e"], None), ("c", "e")]


@pytest.mark.parametrize("observed", [True, False])
@pytest.mark.parametrize("keys", KEYS, ids=str)
@pytest.mark.parametrize("how", ["sum", "mean", "count", "nunique", "min", "first"])
def test_aggregations(how, keys, observed):
    index, columns = keys
    for f in (SOME, ALL):
        native_or_same(
            lambda f: f.pivot_table(index=index, columns=columns, values="v", aggfunc=how, observed=observed), f
        )


@pytest.mark.parametrize("observed", [True, False])
@pytest.mark.parametrize("options", [{"fill_value": 0}, {"margins": True}, {"values": ["v", "w"]}], ids=str)
def test_options(options, observed):
    options = {"values": "v", **options}
    for index, columns in KEYS[:3]:
        native_or_same(
            lambda f: f.pivot_table(index=index, columns=columns, aggfunc="sum", observed=observed, **options), SOME
        )
