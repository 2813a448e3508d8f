"""Arguments of what copies, renames and spreads labels, and of join and concat, are pandas', with its errors."""

from __future__ import annotations

import bascule as bc
import bascule.pandas as pd
import pandas
import pytest
from frames import assert_same


def mi(m):
    return m.MultiIndex.from_tuples([(1, "a"), (2, "b")], names=["x", None])


CASES = {
    "copy": lambda m: mi(m).copy(names=["p", "q"]),
    "copy2": lambda m: mi(m).copy(name=["p", "q"]),
    "ren": lambda m: mi(m).rename("z", level=0),
    "ren2": lambda m: mi(m).rename(["z", "y"]),
    "ren3": lambda m: mi(m).rename(names=["z", "y"]),
    "tf": lambda m: mi(m).to_frame(),
    "tf2": lambda m: mi(m).to_frame(index=False, name=["u", "v"]),
    "tf3": lambda m: mi(m).to_frame(name=["u", "u"]),
    "tf4": lambda m: mi(m).to_frame(name=["u", "u"], allow_duplicates=True),
    "tf5": lambda m: mi(m).to_frame(name="u"),
    "tf6": lambda m: mi(m).to_frame(name=["u"]),
    "tf7": lambda m: mi(m).to_frame(name=[None, "a"]),
    "itf": lambda m: m.Index([1, 2], name="k").to_frame(),
    "itf2": lambda m: m.Index([1, 2], name="k").to_frame(name="z"),
    "itf3": lambda m: m.Index([1, 2], name="k").to_frame(name=None),
    "itf4": lambda m: m.Index([1, 2]).to_frame(index=False),
    "itf5": lambda m: m.Index([1, 2]).to_frame(name=("a", "b")),
    "ts": lambda m: m.Index([1, 2], name="k").to_series(),
    "ts2": lambda m: m.Index([1, 2], name="k").to_series(index=["a", "b"], name="q"),
    "ts3": lambda m: (lambda i: i.to_series(index=i).index is i)(m.Index([1, 2])),
    "ts4": lambda m: (lambda i: i.to_frame().index is i)(m.Index([1, 2])),
    "join": lambda m: m.DataFrame({"a": [1, 2]}).join(m.DataFrame({"a": [3, 4]}), suffixes=("_l", "_r")),
    "join2": lambda m: m.DataFrame({"a": [1, 2]}).join(m.DataFrame({"a": [3, 4]}), lsuffix="_l"),
    "join3": lambda m: m.DataFrame({"a": [1, 2]}).join(m.DataFrame({"a": [3, 4]})),
    "join4": lambda m: m.DataFrame({"a": [1, 2]}).join([m.DataFrame({"b": [3, 4]})]),
    "join5": lambda m: m.DataFrame({"a": [1, 2]}).join(m.DataFrame({"a": [3, 4]}), suffixes=("_l", "_r"), lsuffix="x"),
    "cc": lambda m: m.concat(
        [m.Series(list("ab"), dtype="category"), m.Series(list("bc"), dtype="category")], union_categories=True
    ),
    "ra": lambda m: m.DataFrame({"a": [1]}).rename_axis("z", copy=True),
}


def outcome(m, name):
    try:
        with bc.config.set(fallback="silent"):
            return CASES[name](m)
    except (ValueError, TypeError) as error:
        return type(error), str(error)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CASES)
def test_as_pandas(name):
    here, there = outcome(pd, name), outcome(pandas, name)
    if isinstance(there, (tuple, bool)):
        assert here == there
    else:
        assert_same(here, there)
