"""Single values, rows, values as Python's objects and few labels of a long index: pandas' time over bascule's.

python benchmarks/scalar_access.py [--only TEXT] [--rows 1000000] [--rounds 7]

Both run in one process, turn by turn; the best of the rounds counts, in time of the CPU.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Callable
from typing import Any

import bascule
import bascule.pandas
import numpy as np
import pandas

SMALL = 1000
ROWS: dict[str, dict[str, Callable[[Any, Any], Any]]] = {}


def row(part: str, name: str) -> Callable:
    """Enter a function of (the module pandas or bascule.pandas, its data) in the table."""

    def enter(f: Callable) -> Callable:
        ROWS.setdefault(part, {})[name] = f
        return f

    return enter


class Data:
    """The same data for each of the two."""

    def __init__(self, pd: Any, long: int):
        rng = np.random.default_rng(0)
        order, words = rng.permutation(SMALL), [f"k{i}" for i in range(SMALL)]
        self.ints = pd.Series(np.arange(SMALL), index=order)
        self.plain = pd.Series(np.arange(SMALL))
        self.texts = pd.Series(np.arange(float(SMALL)), index=words)
        self.dated = pd.Series(range(SMALL), index=pd.date_range("2020", periods=SMALL))
        self.time = pandas.Timestamp("2020-03-01")
        levels = pd.MultiIndex.from_product([range(10), [f"a{i}" for i in range(SMALL // 10)]])
        self.levels = pd.Series(range(SMALL), index=levels)
        self.words = pd.Series(words)
        self.kinds = pd.Series([w[:2] for w in words], dtype="category", index=words)
        self.masked = pd.Series([None, *range(SMALL - 1)], dtype="Int64")
        self.frame = pd.DataFrame({"a": np.arange(SMALL), "b": np.arange(float(SMALL)), "c": words})
        self.numbers = pd.DataFrame(rng.normal(size=(SMALL, 4)), columns=list("abcd"))
        self.first = self.frame.iloc[0]
        many = rng.permutation(long)
        self.long = {
            "integers": pd.Series(np.arange(float(long)), index=many),
            "sorted integers": pd.Series(np.arange(float(long)), index=np.arange(long) * 2),
            "text": pd.Series(np.arange(float(long)), index=[f"k{i}" for i in many]),
            "dates": pd.Series(np.arange(float(long)), index=pd.DatetimeIndex(many.astype("M8[s]"))),
        }
        self.two = {k: [s.index[5], s.index[long - 7]] for k, s in self.long.items()}
        self.small = {k: pd.Series([1.0, 2.0], index=self.two[k], name="x").to_frame() for k in self.long}
        self.wide = {k: s.rename("y").to_frame() for k, s in self.long.items()}


def _scalars() -> None:
    part = "Scalar access"
    row(part, "s[k], integers")(lambda pd, d: d.ints[5])
    row(part, "s[k], default labels")(lambda pd, d: d.plain[5])
    row(part, "s[k], text")(lambda pd, d: d.texts["k5"])
    row(part, "s[k], dates")(lambda pd, d: d.dated[d.time])
    row(part, "s[k], levels")(lambda pd, d: d.levels[(3, "a5")])
    row(part, "s[k], categories")(lambda pd, d: d.kinds["k5"])
    row(part, "s.at[k]")(lambda pd, d: d.texts.at["k5"])
    row(part, "s.get(k)")(lambda pd, d: d.texts.get("k5"))
    row(part, "s.get(absent)")(lambda pd, d: d.texts.get("zz"))
    row(part, "s.loc[k]")(lambda pd, d: d.texts.loc["k5"])
    row(part, "s.iloc[i]")(lambda pd, d: d.texts.iloc[5])
    row(part, "s.iat[i]")(lambda pd, d: d.texts.iat[5])
    row(part, "s.iloc[i] of text")(lambda pd, d: d.words.iloc[5])
    row(part, "s.iloc[i] of Int64")(lambda pd, d: d.masked.iloc[5])

    def put(pd: Any, d: Data) -> None:
        d.ints[5] = 3

    row(part, "s[k] = v")(put)

    def put_at(pd: Any, d: Data) -> None:
        d.frame.at[5, "b"] = 3.0

    row(part, "df.at[k, c] = v")(put_at)
    row(part, "k in s.index, integers")(lambda pd, d: 5 in d.ints.index)
    row(part, "k in s.index, text")(lambda pd, d: "k5" in d.texts.index)
    row(part, "k in s.index, dates")(lambda pd, d: d.time in d.dated.index)
    row(part, "k in s.index, levels")(lambda pd, d: (3, "a5") in d.levels.index)
    row(part, "index.get_loc(k)")(lambda pd, d: d.ints.index.get_loc(5))
    row(part, "df.at[k, c]")(lambda pd, d: d.frame.at[5, "b"])
    row(part, "df.iat[i, j]")(lambda pd, d: d.frame.iat[5, 1])
    row(part, "df.loc[k, c]")(lambda pd, d: d.frame.loc[5, "b"])
    row(part, "df.columns")(lambda pd, d: d.frame.columns)
    row(part, "r[c]")(lambda pd, d: d.first["b"])
    row(part, "r.c")(lambda pd, d: d.first.b)


def _rows() -> None:
    part = "Rows"
    row(part, "df.iloc[i], mixed")(lambda pd, d: d.frame.iloc[5])
    row(part, "df.iloc[i], numbers")(lambda pd, d: d.numbers.iloc[5])
    row(part, "df.loc[k]")(lambda pd, d: d.frame.loc[5])
    row(part, "iterrows + r[c], mixed")(lambda pd, d: [r["b"] for _, r in d.frame.iterrows()])
    row(part, "iterrows + r[c], numbers")(lambda pd, d: [r["b"] for _, r in d.numbers.iterrows()])
    row(part, "itertuples")(lambda pd, d: [r.b for r in d.frame.itertuples()])
    row(part, "itertuples(name=None)")(lambda pd, d: list(d.frame.itertuples(index=False, name=None)))


def _out() -> None:
    part = "Out to Python"
    for name in ("ints", "words", "dated", "masked", "kinds"):
        row(part, f"tolist, {name}")(lambda pd, d, n=name: getattr(d, n).tolist())
        row(part, f"for v in s, {name}")(lambda pd, d, n=name: [v for v in getattr(d, n)])
    row(part, "index.tolist, dates")(lambda pd, d: d.dated.index.tolist())
    row(part, "index.tolist, levels")(lambda pd, d: d.levels.index.tolist())
    row(part, "zip(a, b)")(lambda pd, d: list(zip(d.ints, d.texts)))
    row(part, "s.items()")(lambda pd, d: list(d.texts.items()))
    row(part, "s.to_dict()")(lambda pd, d: d.texts.to_dict())
    row(part, "df.to_dict('records')")(lambda pd, d: d.frame.to_dict("records"))
    row(part, "df.to_dict('list')")(lambda pd, d: d.frame.to_dict("list"))
    row(part, "df.to_dict()")(lambda pd, d: d.frame.to_dict())
    row(part, "to_numpy of text")(lambda pd, d: d.words.to_numpy())
    row(part, "memory_usage(deep=True)")(lambda pd, d: d.frame.memory_usage(deep=True))


def _labels() -> None:
    part = "Labels"
    for kind in ("integers", "sorted integers", "text", "dates"):
        row(part, f"s.loc[[a, b]], {kind}")(lambda pd, d, k=kind: d.long[k].loc[d.two[k]])
        row(part, f"s.reindex([a, b]), {kind}")(lambda pd, d, k=kind: d.long[k].reindex(d.two[k]))
        row(part, f"get_indexer([a, b]), {kind}")(lambda pd, d, k=kind: d.long[k].index.get_indexer(d.two[k]))
        row(part, f"small.join(long), {kind}")(lambda pd, d, k=kind: d.small[k].join(d.wide[k]))


def compared(f: Callable, theirs: Data, mine: Data, rounds: int) -> tuple[float, float]:
    """Seconds of a call of pandas and of bascule."""
    sides = ((pandas, theirs), (bascule.pandas, mine))
    best = [float("inf")] * 2
    for pd, d in sides:
        f(pd, d)
    began = time.process_time()
    f(*sides[0])
    n = max(1, min(2000, int(0.02 / max(time.process_time() - began, 1e-7))))
    for _ in range(rounds):
        for i, (pd, d) in enumerate(sides):
            began = time.process_time()
            for _ in range(n):
                f(pd, d)
            best[i] = min(best[i], (time.process_time() - began) / n)
    return best[0], best[1]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="rows whose part or name has this text")
    parser.add_argument("--rows", type=int, default=1_000_000, help="rows of the long indexes")
    parser.add_argument("--rounds", type=int, default=7)
    given = parser.parse_args()
    bascule.config.set(fallback="silent")
    theirs, mine = Data(pandas, given.rows), Data(bascule.pandas, given.rows)
    gc.disable()
    for part, rows in ROWS.items():
        print(f"\n{part:34} {'pandas us':>12} {'bascule us':>12} {'ratio':>7}")
        for name, f in rows.items():
            if given.only not in part and given.only not in name:
                continue
            a, b = compared(f, theirs, mine, given.rounds)
            print(f"{name:34} {a * 1e6:12.2f} {b * 1e6:12.2f} {a / b:7.2f}", flush=True)


for enter in (_scalars, _rows, _out, _labels):
    enter()

if __name__ == "__main__":
    main()
