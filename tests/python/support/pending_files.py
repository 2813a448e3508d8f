"""Parquet files whose columns are read at their first use: fixtures, and what tests ask of them."""

from __future__ import annotations

import numpy as np
import pandas
import pytest
from bascule.pandas._columns.lazy_take import Waits
from bascule.pandas._io import parquet, parquet_file

N = 10_000
GROUP = 1_000


@pytest.fixture(autouse=True)
def every_size(monkeypatch):
    """Files of the size that tests write wait too."""
    monkeypatch.setattr(parquet, "SMALL", 0)


@pytest.fixture
def reads(monkeypatch):
    """The columns that are read, and of each how many row groups."""
    found = []
    plainly = parquet_file.ParquetFile.arrow

    def arrow(self, name, place=None):
        found.append((name, self.about.num_row_groups if place is None else len(place.groups)))
        return plainly(self, name, place)

    monkeypatch.setattr(parquet_file.ParquetFile, "arrow", arrow)
    return found


def rows(n=N, seed=3):
    rng = np.random.default_rng(seed)
    return pandas.DataFrame({
        "a": np.arange(n), "b": rng.normal(size=n), "k": rng.integers(0, 9, n).astype("int16"), "t": rng.random(n) < 0.5,
        "f": np.where(rng.random(n) < 0.2, np.nan, rng.random(n)), "s": pandas.Series(rng.choice(["x", "yy", None], n), dtype="str"),
        "u": pandas.Series([f"text {i}" for i in rng.permutation(n)], dtype="str"), "d": pandas.date_range("2013", periods=n, freq="min"),
    })  # fmt: skip


def written(frame, path, **options):
    frame.to_parquet(path, row_group_size=GROUP, **options)
    return str(path)


@pytest.fixture
def path(tmp_path):
    return written(rows(), tmp_path / "f.parquet")


def waits(frame):
    return [n for n, c in zip(frame.columns, frame._columns) if isinstance(c, Waits) and c.waits_for() is not None]
