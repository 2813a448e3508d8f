"""Random programs over frames whose columns wait in memory or are still in their files: equal to pandas', in whatever order columns are read."""

from __future__ import annotations

import gc

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from bascule.pandas._io import parquet
from frames import assert_same

N, GROUP = 6_000, 700


@pytest.fixture(scope="module")
def paths(tmp_path_factory):
    rng = np.random.default_rng(11)
    folder, n, m = tmp_path_factory.mktemp("files"), N, 2_500
    left = pandas.DataFrame({
        "a": np.sort(rng.integers(0, 10**6, n)), "k": rng.integers(0, 2_000, n), "g": rng.integers(0, 40, n).astype("int8"),
        "x": np.where(rng.random(n) < 0.1, np.nan, rng.normal(size=n)), "y": rng.random(n).astype("float32"),
        "s": pandas.Series(rng.choice(["p", "qq", "", None], n), dtype="str"), "u": pandas.Series(rng.permutation(n).astype(str), dtype="str"),
        "t": pandas.Series(pandas.date_range("2013", periods=n, freq="h")).where(rng.random(n) < 0.9), "b": rng.random(n) < 0.5,
        "n": pandas.array(np.where(rng.random(n) < 0.2, None, rng.integers(0, 9, n)), "Int64"),
        "z": pandas.date_range("2013", periods=n, freq="min", tz="UTC"), "o": pandas.date_range("2020", periods=n, freq="D", unit="s").date,
    })  # fmt: skip
    right = pandas.DataFrame({
        "k": rng.permutation(m), "v": rng.normal(size=m), "w": pandas.Series(rng.choice(["e", "f"], m), dtype="str"), "r": np.arange(m)[::-1],
    })  # fmt: skip
    for name, frame in (("left", left), ("right", right)):
        frame.to_parquet(folder / name, row_group_size=GROUP)
    return folder / "left", folder / "right"


class Program:
    """Random steps; each is done to pandas' frames and to those under test."""

    def __init__(self, seed, paths, in_memory=False):
        self.random = np.random.default_rng(seed)
        self.paths = paths
        self.in_memory = in_memory
        self.frames = [self.both(0)]

    def both(self, which):
        theirs = pandas.read_parquet(self.paths[which])
        return (pd.from_pandas(theirs) if self.in_memory else pd.read_parquet(self.paths[which])), theirs

    def choose(self, values):
        return values[int(self.random.integers(len(values)))]

    def columns(self, theirs, kinds):
        return [c for c in theirs.columns if c[0] in kinds]

    def mask(self, ours, theirs):
        c = self.choose(self.columns(theirs, "axyvrg") or list(theirs.columns))
        if theirs[c].dtype.kind not in "iuf":
            return ours.dropna(subset=[c]), theirs.dropna(subset=[c])
        low = theirs[c].quantile(self.random.random() * 0.6) if len(theirs) else 0
        if self.random.random() < 0.5:
            return ours[ours[c] > low], theirs[theirs[c] > low]
        high = low + abs(low) * 0.2
        return ours[(ours[c] >= low) & (ours[c] < high)], theirs[(theirs[c] >= low) & (theirs[c] < high)]

    def take(self, ours, theirs):
        rows = self.random.permutation(len(theirs))[: self.choose([3, 50, 3_000])]
        return ours.take(rows), theirs.take(rows)

    def sort(self, ours, theirs):
        by = [self.choose(self.columns(theirs, "akgxsut") or list(theirs.columns))]
        how = {"ascending": bool(self.random.random() < 0.5), "kind": "stable"}
        return ours.sort_values(by, **how), theirs.sort_values(by, **how)

    def head(self, ours, theirs):
        n = self.choose([0, 4, 900, 4_000, -3])
        return (ours.head(n), theirs.head(n)) if self.random.random() < 0.5 else (ours.tail(n), theirs.tail(n))

    def slice(self, ours, theirs):
        rows = slice(int(self.random.integers(100)), self.choose([None, 2_000, -5]), self.choose([1, 3]))
        return ours.iloc[rows], theirs.iloc[rows]

    def unique(self, ours, theirs):
        by = [self.choose(self.columns(theirs, "kgsu") or list(theirs.columns))]
        return ours.drop_duplicates(by), theirs.drop_duplicates(by)

    def assign(self, ours, theirs):
        a, b = (self.choose(self.columns(theirs, "axyvr") or ["none"]) for _ in range(2))
        if "none" in (a, b):
            return ours, theirs
        return ours.assign(q2=ours[a] * 2 + ours[b]), theirs.assign(q2=theirs[a] * 2 + theirs[b])

    def select(self, ours, theirs):
        kept = sorted(set(self.random.permutation(theirs.columns)[:5]) | set(self.columns(theirs, "k")))
        return ours[kept], theirs[kept]

    def merge(self, ours, theirs):
        if "k" not in theirs or "v" in theirs:
            return ours, theirs
        right = self.both(1)
        if self.random.random() < 0.5:
            right = tuple(r[r["r"] > 900] for r in right)
        how = self.choose(["inner", "left", "right", "outer"])
        return ours.merge(right[0], on="k", how=how), theirs.merge(right[1], on="k", how=how)

    def write(self, ours, theirs):
        c = self.choose(self.columns(theirs, "xyv") or ["none"])
        if c == "none" or not len(theirs):
            return ours, theirs
        ours, theirs = ours.copy(), theirs.copy()
        row, rows = theirs.index[0], theirs[c] > 0.5
        ours.loc[ours[c] > 0.5, c] = 0.25
        theirs.loc[rows, c] = 0.25
        ours.loc[row, c] = theirs.loc[row, c] = 7.0
        return ours, theirs

    def read(self, ours, theirs):
        c = self.choose(list(theirs.columns))
        assert_same(ours[c], theirs[c])
        if len(theirs):
            i = int(self.random.integers(len(theirs)))
            assert_same(ours[c].iloc[i : i + 2], theirs[c].iloc[i : i + 2])
        return ours, theirs

    def group(self, ours, theirs):
        by, of = self.choose(self.columns(theirs, "kg") or ["none"]), self.columns(theirs, "axr")
        if by != "none" and len(of) > 1:
            of = [c for c in of if c != by][:2]
            assert_same(ours.groupby(by)[of].agg(["max", "count"]), theirs.groupby(by)[of].agg(["max", "count"]))
        return ours, theirs

    def run(self):
        steps = [self.mask, self.take, self.sort, self.head, self.slice, self.unique, self.assign, self.select, self.merge, self.write, self.read, self.group]  # fmt: skip
        for _ in range(7):
            made = self.choose(steps)(*self.choose(self.frames))
            assert made[0].shape == made[1].shape
            pandas.testing.assert_series_equal(made[0].dtypes, made[1].dtypes)
            self.frames.append(made)
            if self.random.random() < 0.3:
                self.frames.pop(int(self.random.integers(len(self.frames) - 1)))
                gc.collect()
        for i in self.random.permutation(len(self.frames)):
            ours, theirs = self.frames[i]
            for c in self.random.permutation(theirs.columns)[:3]:
                assert_same(ours[c], theirs[c])
            assert_same(ours, theirs)


@pytest.mark.parametrize("lazy", [True, False])
@pytest.mark.parametrize("seed", range(60))
def test_random_programs(seed, lazy, paths, monkeypatch):
    """With columns that wait, and with every step evaluated at once: both give pandas' frames."""
    monkeypatch.setattr(parquet, "SMALL", 0)
    with bc.config.set(fallback="silent", lazy_frames=lazy):
        Program(seed, paths).run()


@pytest.mark.parametrize("lazy", [True, False])
@pytest.mark.parametrize("seed", range(60))
def test_random_programs_in_memory(seed, lazy, paths):
    with bc.config.set(fallback="silent", lazy_frames=lazy):
        Program(1000 + seed, paths, in_memory=True).run()
