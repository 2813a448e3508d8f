"""Chained assignment to a temporary part of a frame: without effect as in pandas, and with its warning."""

from __future__ import annotations

import warnings

import bascule as bc
import bascule.pandas as pd
import pandas
import pytest
from frames import ours

FRAME = pandas.DataFrame({"a": [1.0, None, 3.0], "b": [4, 5, 6]})


def item(d):
    d["a"][0] = 9


def attribute(d):
    d.a[0] = 9


def mask(d):
    d[d["b"] > 4]["b"] = 9


def loc(d):
    d["a"].loc[0] = 9


def iloc(d):
    d["a"].iloc[0] = 9


def at(d):
    d["a"].at[0] = 9


def iat(d):
    d["a"].iat[0] = 9


def frame_loc(d):
    d[["a"]].loc[0, "a"] = 9


def fillna(d):
    d["a"].fillna(0, inplace=True)


def replace(d):
    d["a"].replace(1.0, 0.0, inplace=True)


def clip(d):
    d["a"].clip(0, 1, inplace=True)


def where(d):
    d["a"].where(d["a"] > 2, 0.0, inplace=True)


def update(d):
    d["a"].update([7.0])


def held_item(d):
    s = d["a"]
    s[0] = 9


def held_loc(d):
    s = d["a"]
    s.loc[0] = 9
    s.iloc[0] = 9
    s.at[0] = 9


def held_method(d):
    s = d["a"]
    s.fillna(0, inplace=True)
    s.update([7.0])


def in_a_list(d):
    parts = [d["a"]]
    parts[0][0] = 9
    parts[0].fillna(0, inplace=True)
    parts[0].loc[0] = 1


def in_an_object(d):
    class Holder:
        pass

    holder = Holder()
    holder.part = d["a"]
    holder.part[0] = 9
    holder.part.loc[0] = 9


def whole(d):
    d["a"] = 9
    d.loc[0, "a"] = 1
    d.iloc[0, 0] = 2
    d.at[0, "b"] = 3
    d.fillna(0, inplace=True)
    d.update(d)


def by_name(d):
    d["a"].__setitem__(0, 9)


def by_name_of_loc(d):
    d["a"].loc.__setitem__(0, 9)


def augmented(d):
    d["a"][0] += 1


STATEMENTS = [
    augmented,
    by_name_of_loc,
    item,
    attribute,
    mask,
    loc,
    iloc,
    at,
    iat,
    frame_loc,
    fillna,
    replace,
    clip,
    where,
    update,
]
HELD = [held_item, held_loc, held_method, in_a_list, in_an_object, whole, by_name]


@pytest.mark.parametrize("statement", STATEMENTS + HELD, ids=lambda f: f.__name__)
def test_chained_writes(statement):
    said = []
    for x in (FRAME.copy(), ours(FRAME.copy())):
        with warnings.catch_warnings(record=True) as found, bc.config.set(fallback="silent"):
            warnings.simplefilter("always")
            statement(x)
        said.append([(w.category, w.filename) for w in found])
        if statement in STATEMENTS:
            pandas.testing.assert_frame_equal(x if x is FRAME else pd.from_pandas(x).to_pandas(), FRAME)
    assert said[0] == said[1]
    assert bool(said[0]) == (statement in STATEMENTS)
