"""Tables to join, and random programs of joins and what follows them, done to pandas' frames and to bascule's."""

from __future__ import annotations

import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from frames import assert_same

N, CUSTOMERS, REGIONS = 6_000, 700, 9


def tables(seed=3):
    rng = np.random.default_rng(seed)
    region = pandas.DataFrame(
        {"r": np.arange(REGIONS), "rname": pandas.Series([f"region {i % 5}" for i in range(REGIONS)], dtype="str")}
    )
    customer = pandas.DataFrame({
        "c": rng.permutation(CUSTOMERS), "r": rng.integers(0, REGIONS + 3, CUSTOMERS),
        "cname": pandas.Series(np.where(rng.random(CUSTOMERS) < 0.1, None, rng.choice(["ann", "bob", "cy"], CUSTOMERS)), dtype="str"),
        "limit": np.where(rng.random(CUSTOMERS) < 0.1, np.nan, rng.random(CUSTOMERS) * 100),
    })  # fmt: skip
    item = pandas.DataFrame({
        "i": np.arange(N) * 3, "c": rng.integers(0, CUSTOMERS + 50, N), "price": rng.random(N) * 9, "n": rng.integers(0, 50, N),
        "when": pandas.Series(pandas.date_range("2013", periods=N, freq="h")), "kind": pandas.Series(rng.choice(["x", "yy", "zzz"], N), dtype="str"),
        "limit": rng.random(N) * 100,
    })  # fmt: skip
    offer = pandas.DataFrame(
        {
            "n": rng.integers(0, 60, 90),
            "rate": rng.random(90),
            "late": pandas.Series(pandas.date_range("2013", periods=90, freq="D")),
        }
    )
    return region, customer, item, offer


class Program:
    """Random joins, conditions and choices; each is done to pandas' frames and to those under test."""

    def __init__(self, seed, hows=("inner", "inner", "inner", "left")):
        self.hows = hows
        self.random = np.random.default_rng(seed)
        self.tables = [(pd.from_pandas(t), t) for t in tables(seed)]
        self.frames = [self.tables[2]]

    def choose(self, values):
        return values[int(self.random.integers(len(values)))]

    def merge(self, pair):
        other = self.choose(self.tables)
        shared = [c for c in ("c", "r", "n") if c in pair[1] and c in other[1]]
        if not shared or len(pair[1]) > 60_000 or pair[1].shape[1] > 25:
            return pair
        on, how = self.choose(shared), self.choose(self.hows)
        suffixes = self.choose([("_x", "_y"), ("", f"_{self.random.integers(10**6)}")])
        return self.each(pair, other, lambda a, b: a.merge(b, on=on, how=how, suffixes=suffixes))

    def each(self, pair, other, f):
        try:
            theirs = f(pair[1], other[1])
        except Exception as error:
            with pytest.raises(type(error)):
                f(pair[0], other[0])
            return pair
        return f(pair[0], other[0]), theirs

    def condition(self, frame, seed):
        random = np.random.default_rng(seed)
        names = list(frame.columns)
        name = names[int(random.integers(len(names)))]
        column, kind = frame[name], str(frame.dtypes[name]) if isinstance(frame, pandas.DataFrame) else self.kinds[name]
        least, day = (
            float(random.random() * 40),
            pandas.Timestamp("2013-01-20") + pandas.Timedelta(days=int(random.integers(90))),
        )
        if kind == "str":
            ways = [
                lambda: column == "x",
                lambda: column != "bob",
                lambda: column.isin(["bob", "yy", "region 1"]),
                lambda: column.isin(["bob", None]),
                lambda: column.str.startswith(("z", "a")),
                lambda: column.str.contains("^[ab]|2$"),
                lambda: ~column.str.contains("B", case=False, na=True),
                lambda: column.str.match("[xc]") | column.str.fullmatch("yy|region 3"),
                lambda: column.isna(),
            ]
        elif kind.startswith("datetime"):
            ways = [
                lambda: column > day,
                lambda: column.between("2013-01-15", str(day)),
                lambda: column.dt.month == 2,
                lambda: column.dt.is_month_start | (column < day),
                lambda: ~(column < day),
                lambda: column.notna(),
            ]
        else:
            ways = [
                lambda: column > least,
                lambda: column.isin([1, 2, 3, 4, 5]),
                lambda: column.isin(np.array([3, 4, 5])) | (column != 7),
                lambda: column * 2 + 1 < least,
                lambda: column.between(1, least),
                lambda: ~(column <= least),
                lambda: ~column.isna(),
                lambda: column.isna() | (column > least),
            ]
        return ways[int(random.integers(len(ways)))]()

    def mask(self, pair):
        if pair[1].columns.has_duplicates:
            return pair
        self.kinds = {n: str(d) for n, d in pair[1].dtypes.items()}
        seeds, how = self.random.integers(10**9, size=3), int(self.random.integers(4))

        name, way, one = self.choose(list(pair[1].columns)), int(self.random.integers(4)), self.random.random() < 0.2

        def apply(frame):
            a, b, c = (self.condition(frame, s) for s in seeds)
            mask = [a, a & b, a | (b & c), ~a | b][how]
            ways = [
                lambda: frame[mask],
                lambda: frame.loc[mask],
                lambda: frame.loc[mask, :],
                lambda: frame.loc[mask, list(frame.columns)],
            ]
            return ways[way](), frame.loc[mask, name] if one else None

        ours, theirs = map(apply, pair)
        if one:
            assert_same(ours[1], theirs[1])
        return ours[0], theirs[0]

    def query(self, pair):
        names = [n for n in pair[1].columns if n in ("price", "rate", "n", "q")]
        if not names or pair[1].columns.has_duplicates:
            return pair
        a, b, least = self.choose(names), self.choose(names), round(float(self.random.random() * 9), 2)
        text = self.choose([f"{a} > {least}", f"{a} < {b} or {a} > {least}", f"not {a} == {b} and {b} * 2 <= {least}"])
        return tuple(x.query(text) for x in pair)

    def assign(self, pair):
        names = [n for n in pair[1].columns if n in ("price", "rate", "n", "limit", "q")]
        if not names:
            return pair
        a, b = self.choose(names), self.choose(names)
        return tuple(x.assign(q=x[a] * 2 - x[b]) for x in pair)

    def select(self, pair):
        names = sorted(set(self.random.permutation(pair[1].columns)[:6]) | ({"c", "r", "n"} & set(pair[1].columns)))
        return tuple(x[names] for x in pair)

    def copy(self, pair):
        return tuple(x.copy() for x in pair)

    def sort(self, pair):
        return tuple(x.sort_values(x.columns[0], kind="stable") for x in pair)

    def drop_labels(self, pair):
        return tuple(x.reset_index(drop=True) for x in pair)

    def unique(self, pair):
        by = self.choose([n for n in pair[1].columns if n in ("c", "r", "n")] or [pair[1].columns[0]])
        return tuple(x.drop_duplicates(by) for x in pair)

    def write(self, pair):
        made = tuple(x.copy() for x in pair)
        for x in made:
            x[x.columns[-1]] = x[x.columns[0]]
        return made

    def read(self, pair):
        if pair[1].columns.has_duplicates:
            return pair
        name = self.choose(list(pair[1].columns))
        assert_same(pair[0][name], pair[1][name])
        return pair

    def run(self):
        steps = [self.merge, self.merge, self.merge, self.mask, self.mask, self.mask, self.query, self.assign, self.select, self.copy, self.sort, self.drop_labels, self.unique, self.write, self.read]  # fmt: skip
        for _ in range(8):
            self.frames.append(self.choose(steps)(self.choose(self.frames[-3:])))
        for i in self.random.permutation(len(self.frames)):
            ours, theirs = self.frames[i]
            if self.random.random() < 0.5 and len(theirs) and not theirs.columns.has_duplicates:
                assert_same(
                    ours.groupby(theirs.columns[0])[theirs.columns[-1]].count(),
                    theirs.groupby(theirs.columns[0])[theirs.columns[-1]].count(),
                )
            assert_same(ours, theirs)
