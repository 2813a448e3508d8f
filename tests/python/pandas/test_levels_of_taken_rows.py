"""Rows that are taken from others keep the labels of their levels, also those that no row has any more, as in pandas.

`unstack` drops these, and then orders what is left of the level by first appearance.
"""

from __future__ import annotations

import gc
import pickle
import weakref
from typing import Any

import bascule
import bascule.pandas as bpd
import pandas
import pytest

pytestmark = pytest.mark.filterwarnings("ignore")
LETTERS, DAYS = (
    ["b", "c", "a", "c", "z", "b"],
    ["2024-03-01", "2024-01-02", "2024-01-01", "2024-01-02", "2024-09-09", "2024-03-01"],
)
KINDS: dict[str, Any] = {
    "strings": lambda lib: LETTERS,
    "integers": lambda lib: [30, 1, 2, 3, 2, 10],
    "floats": lambda lib: [2.5, 1.0, 0.5, 1.0, 9.0, 2.5],
    "booleans": lambda lib: [True, False, True, False, True, True],
    "dates": lambda lib: lib.to_datetime(DAYS),
    "time zones": lambda lib: lib.to_datetime(DAYS).tz_localize("Europe/Paris"),
    "objects": lambda lib: ["b", 1, "a", 1, 2, "b"],
}
POSITIVE = lambda f: f[f.v > 0]
WAYS: dict[str, Any] = {
    "mask": lambda lib, f: POSITIVE(f),
    "mask twice": lambda lib, f: POSITIVE(f).iloc[1:],
    "iloc": lambda lib, f: f.iloc[[5, 0, 3]],
    "slice": lambda lib, f: f.iloc[1:4],
    "reversed": lambda lib, f: f.iloc[3::-1],
    "loc": lambda lib, f: f.loc[f.index[[5, 1, 3]]],
    "head": lambda lib, f: f.head(3),
    "tail": lambda lib, f: f.tail(3),
    "take": lambda lib, f: f.take([4, 1, 5]),
    "dropna": lambda lib, f: f.where(f.v > 0).dropna(),
    "drop": lambda lib, f: f.drop(f.index[:2]),
    "query": lambda lib, f: f.query("v > 0"),
    "xs": lambda lib, f: f.xs(3, level="j", drop_level=False),
    "isin": lambda lib, f: f[f.index.get_level_values("j").isin([1, 5])],
    "nlargest": lambda lib, f: f.nlargest(3, "v"),
    "filter of groups": lambda lib, f: f.groupby(level="j").filter(lambda g: len(g) > 1),
    "head of groups": lambda lib, f: f.groupby(level="j").head(1),
    "sums of groups": lambda lib, f: POSITIVE(f).groupby(level=[0, 1]).sum(),
    "concat": lambda lib, f: lib.concat([f[f.v > 4], f[f.v < 0]]),
    "concat under keys": lambda lib, f: lib.concat([f[f.v > 4], f[f.v < 0]], keys=["q", "p"]),
    "sorted by values": lambda lib, f: POSITIVE(f).sort_values("v"),
    "sorted": lambda lib, f: POSITIVE(f).sort_index(),
    "sorted down": lambda lib, f: POSITIVE(f).sort_index(ascending=False),
    "levels exchanged": lambda lib, f: POSITIVE(f).swaplevel(0, 1),
    "labels made anew": lambda lib, f: POSITIVE(f).reset_index().set_index(["k", "j"]),
    "repeated": lambda lib, f: f[f.v > 4].set_index(f[f.v > 4].index.repeat(1)),
    "appended": lambda lib, f: POSITIVE(f).set_index(f[f.v > 4].index.append(f[(f.v < 4) & (f.v > 0)].index)),
    "computed": lambda lib, f: POSITIVE(f) * 2 + POSITIVE(f),
    "pickled": lambda lib, f: pickle.loads(pickle.dumps(POSITIVE(f))),
    "from pandas": lambda lib, f: POSITIVE(f) if lib is pandas else bpd.DataFrame(POSITIVE(f.to_pandas())),
    "through pandas": lambda lib, f: POSITIVE(f) if lib is pandas else bpd.DataFrame(POSITIVE(f).to_pandas()),
    "no rows": lambda lib, f: f[f.v > 99],
}
USES: dict[str, Any] = {
    "itself": lambda f: f,
    "unstack": lambda f: f.v.unstack(),
    "unstack the first": lambda f: f.v.unstack(0),
    "unstack two": lambda f: f.v.unstack([1, 0]),
    "unstack a frame": lambda f: f.unstack(),
    "unstack the first of a frame": lambda f: f.unstack(0),
    "unstack and stack": lambda f: f.unstack().stack(),
    "levels": lambda f: [(list(i), i.dtype) for i in f.index.levels],
    "levshape": lambda f: f.index.levshape,
    "codes": lambda f: [c.tolist() for c in f.index.codes],
    "level": lambda f: f.index.get_level_values(0),
    "sorted": lambda f: f.sort_index(),
    "sorted and unstacked": lambda f: f.v.sort_index(ascending=False).unstack(),
    "to_frame": lambda f: f.index.to_frame(),
    "reset_index": lambda f: f.reset_index(),
    "groups of a level": lambda f: f.groupby(level=0).sum(),
    "groups unstacked": lambda f: f.v.groupby(level=[0, 1], sort=False).sum().unstack(),
    "set_levels": lambda f: f.index.set_levels(list(range(len(f.index.levels[1]))), level=1),
    "used": lambda f: f.index.remove_unused_levels(),
    "reordered": lambda f: f.index.swaplevel(),
    "pivot": lambda f: f.reset_index().pivot(index=f.index.names[-2], columns=f.index.names[-1], values="v"),
}


def _frame(lib: Any, kind: str) -> Any:
    columns = {"k": KINDS[kind](lib), "j": [3, 1, 2, 3, 5, 1], "v": [1.0, 2, -3, 4, -5, 6]}
    return lib.DataFrame(columns).set_index(["k", "j"])


def _labels(index: Any) -> list[Any]:
    index = index.to_pandas() if hasattr(index, "to_pandas") else index
    found = [list(index), list(index.names)]
    if index.nlevels == 1:
        return found
    return [*found, [(list(i), i.dtype) for i in index.levels], [c.tolist() for c in index.codes]]


def _seen(x: Any) -> Any:
    if getattr(x, "ndim", 0) == 2:
        return [_labels(x.index), _labels(x.columns), repr(x.to_numpy().tolist())]
    return _labels(x) if hasattr(x, "nlevels") else x


def _result(lib: Any, kind: str, way: str, use: str) -> Any:
    try:
        return _seen(USES[use](WAYS[way](lib, _frame(lib, kind))))
    except Exception as error:
        return type(error)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("way", WAYS)
def test_as_in_pandas(way, kind):
    with bascule.config.set(fallback="silent"):
        for use in USES:
            assert _result(bpd, kind, way, use) == _result(pandas, kind, way, use), use


def test_unstacked_natively_in_order_of_appearance():
    with bascule.config.set(fallback="error"):
        s = _frame(bpd, "strings").v
        found = s[s > 0].unstack()
        assert list(found.columns) == [3, 1]
        assert list(found.index) == ["b", "c"]
        assert [list(i) for i in s[s > 0].index.levels] == [["a", "b", "c", "z"], [1, 2, 3, 5]]


def test_rows_that_others_were_taken_from_are_freed_once_the_levels_are_known():
    f = _frame(bpd, "integers")
    rows = weakref.ref(f.index)
    taken = f.iloc[:2].index
    kept = taken._orders[0]
    assert kept._rows and kept._found is None  # nothing is computed before it is asked for
    assert list(taken.levels[0]) == [1, 2, 3, 10, 30]
    del f
    gc.collect()
    assert rows() is None
    assert not kept._rows
