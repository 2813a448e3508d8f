"""Columns of a Parquet file are read when they are used: what is read, when, and that it is what pandas reads."""

from __future__ import annotations

import copy
import datetime
import decimal
import gc
import os
import pickle

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pyarrow
import pyarrow.parquet
import pytest
from bascule.pandas._io import parquet
from frames import assert_same
from pending_files import GROUP, N, every_size, path, reads, rows, waits, written

FIXTURES = every_size, path, reads


def every_kind(n=N):
    rng = np.random.default_rng(4)
    some = rng.random(n) < 0.1
    day = datetime.date(2020, 1, 1)
    return pyarrow.table({
        **{t: pyarrow.array(rng.integers(0, 99, n), t) for t in ("int8", "uint16", "int64", "uint64", "float32")},
        **{f"{t} with holes": pyarrow.array(rng.integers(0, 99, n), t, mask=some) for t in ("int8", "uint64", "int64", "float64")},
        "half": pyarrow.array(rng.random(n).astype("float16")), "bool": rng.random(n) < 0.5,
        "bool with holes": pyarrow.array(rng.random(n) < 0.5, mask=some),
        **{u: pyarrow.array(rng.integers(0, 10**9, n), pyarrow.timestamp(u), mask=some) for u in ("s", "ms", "us", "ns")},
        "zone": pyarrow.array(rng.integers(0, 10**9, n), pyarrow.timestamp("us", "Europe/Berlin"), mask=some),
        "span": pyarrow.array(rng.integers(0, 10**9, n), pyarrow.duration("ms"), mask=some),
        "date": pyarrow.array([day + datetime.timedelta(int(i)) for i in rng.integers(0, 99, n)], mask=some),
        "time": pyarrow.array(rng.integers(0, 10**6, n), pyarrow.time64("us")),
        "decimal": pyarrow.array([decimal.Decimal(int(i)) / 100 for i in rng.integers(0, 99, n)]),
        "bytes": pyarrow.array([b"x", None] * (n // 2)), "few": pyarrow.array(["p", "q", None, "r"] * (n // 4)),
        "many": pyarrow.array([f"t{i}" for i in range(n)], pyarrow.large_string(), mask=some), "nothing": pyarrow.nulls(n),
        "categories": pyarrow.array(["p", "q"] * (n // 2)).dictionary_encode(), "holes only": pyarrow.nulls(n, pyarrow.int32()),
    })  # fmt: skip


# ---- what pandas reads


@pytest.mark.parametrize("statistics", [True, False])
def test_every_kind_of_column(tmp_path, statistics):
    path = tmp_path / "f.parquet"
    pyarrow.parquet.write_table(every_kind(), path, row_group_size=GROUP, write_statistics=statistics)
    expected, found = pandas.read_parquet(path), pd.read_parquet(path)
    pandas.testing.assert_series_equal(found.dtypes, expected.dtypes)
    there = waits(found)
    assert not {"nothing", "categories"} & set(there)
    assert ("int64 with holes" in there) == ("bool with holes" in there) == ("int64" in there) == statistics
    assert {"float64 with holes", "few", "many", "zone", "date", "decimal", "ns", "span", "bytes"} <= set(there)
    some = expected[expected["float32"] > 50]
    assert_same(found[found["float32"] > 50], some)
    assert_same(pd.read_parquet(path).iloc[5:-5:7], expected.iloc[5:-5:7])
    assert not waits(bc.evaluate(pd.read_parquet(path)))
    for name in expected:
        assert_same(pd.read_parquet(path)[name].head(3), expected[name].head(3))
        assert_same(pd.read_parquet(path)[name].iloc[[N - 1, 4, 7]], expected[name].iloc[[N - 1, 4, 7]])
    assert_same(found, expected)


@pytest.mark.parametrize("kind", ["numbers with NA", "strings with NA", "objects", "periods", "categories"])
def test_types_that_pandas_noted(tmp_path, kind):
    n = 3000
    values = {
        "numbers with NA": lambda: pandas.array([1, None, 3] * (n // 3), "Int64"), "strings with NA": lambda: pandas.array(["p", None] * (n // 2), "string"),
        "objects": lambda: np.array([datetime.date(2020, 1, 1), None] * (n // 2)), "periods": lambda: pandas.period_range("1900", periods=n, freq="D"),
        "categories": lambda: pandas.Categorical(["p", "q"] * (n // 2)),
    }[kind]()  # fmt: skip
    frame = pandas.DataFrame({"x": values, "y": np.arange(n), "z": pandas.Series(["e", "f"] * (n // 2), dtype="str")})
    path = written(frame, tmp_path / "f.parquet")
    found, expected = pd.read_parquet(path), pandas.read_parquet(path)
    assert set(waits(found)) == {
        "y",
        "z",
        *(["x"] if kind in ("numbers with NA", "strings with NA", "objects") else []),
    }
    assert_same(found[found["y"] > 100], expected[expected["y"] > 100])
    assert_same(found, expected)


@pytest.mark.parametrize(
    "labelled",
    [
        lambda f: f.set_index("a"), lambda f: f.set_index("s"), lambda f: f.set_index(["k", "u"]), lambda f: f.set_index(f.index[::-1].rename("r")),
        lambda f: f.set_axis(pandas.RangeIndex(5, 5 + 3 * N, 3, name="r")), lambda f: f.set_axis(range(8), axis=1),
        lambda f: f.set_axis(pandas.MultiIndex.from_product([["p", "q"], range(4)], names=["x", None]), axis=1),
        lambda f: f.set_index(f["d"].dt.tz_localize("UTC")), lambda f: f.rename_axis(columns="c"), lambda f: f.rename(columns={"a": "x.y"}),
    ],
)  # fmt: skip
def test_labels(tmp_path, labelled):
    path = written(labelled(rows()), tmp_path / "f.parquet")
    found, expected = pd.read_parquet(path), pandas.read_parquet(path)
    assert_same(found.iloc[10:20], expected.iloc[10:20])
    assert_same(found, expected)
    assert list(found.columns.names) == list(expected.columns.names)


def test_noted_labels_of_another_number_of_rows(tmp_path):
    frame = rows().set_axis(pandas.RangeIndex(5, 5 + N))
    table = pyarrow.Table.from_pandas(frame).slice(0, N - 7)
    pyarrow.parquet.write_table(table, tmp_path / "f.parquet", row_group_size=GROUP)
    for filters in (None, [("a", ">", 5)]):
        both = [lib.read_parquet(tmp_path / "f.parquet", filters=filters) for lib in (pd, pandas)]
        assert_same(*both)


@pytest.mark.parametrize("columns", [["s", "a"], ["a"], [], ["b", "b"], ["b", "none"], ("a", "b"), "a", ["k"]])
def test_columns_asked_for(tmp_path, columns):
    path = written(rows().set_index("k"), tmp_path / "f.parquet")
    try:
        expected = pandas.read_parquet(path, columns=columns)
    except Exception as error:
        with pytest.raises(type(error)):
            pd.read_parquet(path, columns=columns)
    else:
        assert_same(pd.read_parquet(path, columns=columns), expected)


def test_files_that_are_read_at_the_call(tmp_path, monkeypatch):
    frame = rows()
    nested = pyarrow.table({"x": [{"p": 1, "q": 2}] * 3000, "y": range(3000)})
    pyarrow.parquet.write_table(nested, tmp_path / "nested.parquet")
    path = written(frame, tmp_path / "f.parquet")
    with open(path, "rb") as file:
        found = [pd.read_parquet(file), pd.read_parquet(path, filters=[("a", ">=", 0)])]
    with bc.config.set(fallback="silent"):
        found.append(pd.read_parquet(f"file://{path}", engine="pyarrow"))
    found.append(pd.read_parquet(path, filesystem=pyarrow.fs.LocalFileSystem()))
    monkeypatch.setattr(parquet, "SMALL", os.path.getsize(path) + 1)
    found.append(pd.read_parquet(path))
    for f in found:
        assert not waits(f)
        assert_same(f, frame)
    assert_same(pd.read_parquet(tmp_path / "nested.parquet"), pandas.read_parquet(tmp_path / "nested.parquet"))
    for what in ("none.parquet", "text.parquet", "folder.parquet"):
        target = tmp_path / what
        if what == "text.parquet":
            target.write_text("no Parquet at all\n" * 99)
        elif what == "folder.parquet":
            target.mkdir()
        try:
            expected = pandas.read_parquet(target)
        except Exception as error:
            with pytest.raises(type(error)):
                pd.read_parquet(target)
        else:
            assert what == "folder.parquet"
            assert_same(pd.read_parquet(target), expected)


@pytest.mark.parametrize("columns, waiting", [(12, True), (20, False)])
def test_many_narrow_columns_are_read_at_the_call(tmp_path, monkeypatch, columns, waiting):
    frame = pandas.DataFrame({f"c{i}": np.random.default_rng(i).random(3_000) for i in range(columns)})
    path = written(frame, tmp_path / "f.parquet")
    monkeypatch.setattr(parquet, "SMALL", os.path.getsize(path) - 16)
    found = pd.read_parquet(path)
    assert bool(waits(found)) == waiting
    assert_same(found, frame)


# ---- what is read


def test_only_what_is_used_is_read(path, reads):
    frame = rows()
    found = pd.read_parquet(path)
    assert found.shape == frame.shape and list(found.columns) == list(frame.columns)
    assert found.index.equals(pd.RangeIndex(N)) and not reads
    assert found[found["b"] > 0]["f"].sum() == frame[frame["b"] > 0]["f"].sum()
    assert reads == [("b", 10), ("f", 10)]
    assert found["b"].sum() == frame["b"].sum()
    assert found[found["b"] < 0]["f"].sum() == frame[frame["b"] < 0]["f"].sum()
    assert reads == [("b", 10), ("f", 10)]
    assert waits(found) == ["a", "k", "t", "s", "u", "d"]


STEPS = {
    "mask": lambda f: f[f["a"] > 99],
    "take": lambda f: f.take(range(len(f) - 1, 0, -1)),
    "sort": lambda f: f.sort_values("a"),
    "head": lambda f: f.head(N // 2),
    "slice": lambda f: f.iloc[3:-3:2],
    "unique": lambda f: f.drop_duplicates("a"),
    "assign": lambda f: f.assign(n=f["a"] * 2),
    "select": lambda f: f[["a", "b", "k", "s", "f"]],
    "merge": lambda f: f.merge(f[["a"]].head(N // 3), on="a"),
    "reset": lambda f: f.reset_index(drop=True),
    "rename": lambda f: f.rename(columns={"d": "dd"}),
}


@pytest.mark.parametrize("second", STEPS)
@pytest.mark.parametrize("first", STEPS)
def test_steps_that_read_no_other_column(path, reads, first, second):
    found = STEPS[second](STEPS[first](pd.read_parquet(path)))
    assert {name for name, _ in reads} <= {"a"}
    expected = STEPS[second](STEPS[first](rows()))
    assert_same(found["b"].reset_index(drop=True), expected["b"].reset_index(drop=True))
    assert {name for name, _ in reads} <= {"a", "b"}
    assert_same(found, expected)


def test_rows_of_few_row_groups_are_read_alone(path, reads):
    frame, found = rows(), pd.read_parquet(path)
    assert_same(found.head(), frame.head())
    assert {name: groups for name, groups in reads} == dict.fromkeys(frame.columns, 1)
    reads.clear()
    assert_same(found[found["a"].between(2500, 3600)]["u"], frame[frame["a"].between(2500, 3600)]["u"])
    assert reads == [("a", 10), ("u", 2)]
    reads.clear()
    assert_same(found["s"].take([N - 1, 5, N - 2]), frame["s"].take([N - 1, 5, N - 2]))
    assert reads == [("s", 2)]
    reads.clear()
    assert_same(found.iloc[7000:6000:-3]["k"], frame.iloc[7000:6000:-3]["k"])
    assert reads == [("k", 2)]
    reads.clear()
    expected, there = repr(frame), repr(found)
    assert there == expected and all(groups <= 2 for _, groups in reads)


ASCENDING = {t: pyarrow.array(np.arange(N), t) for t in ("int16", "uint32", "int64", "uint64", "float32", "float64")}
ASCENDING |= {u: pyarrow.array(np.arange(N) * 10**6, pyarrow.timestamp(u)) for u in ("s", "ms", "us", "ns")}
ASCENDING["holes"] = pyarrow.array(np.arange(N) - 2**53, mask=np.arange(N) % 3 == 0)
ASCENDING["nan"] = pyarrow.array(np.where(np.arange(N) % 7 == 0, np.nan, np.arange(N)))
ASCENDING |= {
    "zeros": pyarrow.array([-0.0, 0.0] * (N // 2)),
    "half": pyarrow.array(np.arange(N).astype("float16")),
    "bool": pyarrow.array([True] * N),
}


@pytest.mark.parametrize("name", ASCENDING)
def test_row_groups_that_a_comparison_excludes_are_not_read(tmp_path, name, reads):
    path = tmp_path / "f.parquet"
    pyarrow.parquet.write_table(pyarrow.table({"v": ASCENDING[name], "w": np.arange(N)}), path, row_group_size=GROUP)
    expected = pandas.read_parquet(path)
    for op, row in (("gt", 8501), ("ge", 9000), ("lt", 1000), ("le", 1000), ("eq", 4001), ("ne", 4001)):
        bound = expected["v"].iloc[row]
        for value in [bound, np.nan] if expected["v"].dtype.kind == "f" else [bound]:
            found = pd.read_parquet(path)
            reads.clear()
            got, wanted = (f[getattr(f["v"], op)(value)] for f in (found, expected))
            assert len(got) == len(wanted)
            if name not in ("zeros", "half", "bool") and op != "ne":
                assert sum(groups for _, groups in reads) <= 2
            assert_same(got, wanted)
    for f in (pd.read_parquet(path), expected):
        with pytest.raises(TypeError):
            f["w"] > "x"


def test_comparisons_of_times_with_strings_and_of_both_sides(path, reads):
    frame, found = rows(), pd.read_parquet(path)
    assert_same(found[found["d"] > "2013-01-07"]["a"], frame[frame["d"] > "2013-01-07"]["a"])
    assert reads == [("d", 2), ("a", 2)]
    reads.clear()
    assert len(found[found["a"] > N]) == 0 and not reads
    assert_same(
        found[(9_500 < found["a"]) & (found["a"] != 9_600)], frame[(9_500 < frame["a"]) & (frame["a"] != 9_600)]
    )
    for low in range(0, N, 250):
        assert found["a"].between(low, low + 9).sum() == 10
    assert sum(name == "a" for name, _ in reads) < 12


def test_one_row_after_the_other_ends_in_reading_all(path, reads):
    frame, found = rows(), pd.read_parquet(path)
    assert [found["b"].iloc[i] for i in range(0, N, 50)] == frame["b"].iloc[::50].tolist()
    assert [found.at[i, "u"] for i in range(0, N, 50)] == frame["u"].iloc[::50].tolist()
    parts = [found.iloc[i : i + 100] for i in range(0, N, 100)]
    assert_same(pd.concat(parts), frame)
    assert len(reads) < 12 * len(frame.columns)


def test_a_column_that_another_name_has_read_is_not_read_again(path, reads):
    found = pd.read_parquet(path)
    few = found[found["a"] % 50 == 0]
    found["b"].sum()
    assert few["b"].sum() == rows()["b"][::50].sum() and reads.count(("b", 10)) == 1
    found["f"].sum()
    del found
    gc.collect()
    assert few["f"].sum() == rows()["f"][::50].sum() and reads.count(("f", 10)) == 1


def test_a_few_rows_are_chosen_without_reading(path, reads):
    found, expected = (f[f["a"] % 7 == 3].head(900) for f in (pd.read_parquet(path), rows()))
    for step in (
        lambda f: f[f["a"] > 900],
        lambda f: f.dropna(subset=["a"]),
        lambda f: f.sort_values("a", ascending=False),
        lambda f: f[f["a"] < 5_000],
    ):
        found, expected = step(found), step(expected)
        assert {name for name, _ in reads} == {"a"}
    assert_same(found, expected)


@pytest.mark.parametrize("how", ["left", "right", "outer"])
def test_rows_that_a_merge_finds_none_for(tmp_path, reads, how):
    path = tmp_path / "f.parquet"
    table = every_kind().append_column("key", pyarrow.array(np.arange(N)))
    pyarrow.parquet.write_table(table, path, row_group_size=GROUP)
    other = pandas.DataFrame({"key": np.arange(N // 2, N + 40)})
    ours, theirs = pd.read_parquet(path), pandas.read_parquet(path)
    sides = (
        ((pd.from_pandas(other), ours), (other, theirs))
        if how == "left"
        else ((ours, pd.from_pandas(other)), (theirs, other))
    )
    reads.clear()
    found, expected = (a.merge(b, on="key", how=how) for a, b in sides)
    pandas.testing.assert_series_equal(found.dtypes, expected.dtypes)
    assert {name for name, _ in reads} == {"key"}
    for step in (
        lambda f: f.iloc[3:1500:2], lambda f: f[f["key"] < N // 2 + 900], lambda f: f.sort_values("key", ascending=False), lambda f: f.tail(60),
        lambda f: f.merge(f[["key"]].iloc[::2] + 1, on="key", how="right"), lambda f: f.head(0), lambda f: f.take([5, 3]),
    ):  # fmt: skip
        assert_same(step(found), step(expected))
    assert_same(found, expected)


def test_what_waits_is_explained(path):
    found = pd.read_parquet(path)
    some = found[found["b"] > 0]
    text = bc.explain(some)
    assert f"pending: column 'f', float64: {len(some):,} of {N:,} rows of {path}" in text
    assert f"pending: column 's', str: {N:,} rows of {path}" in bc.explain([found])
    assert "pending: column 'k', int16" in bc.explain(found["k"])
    assert waits(found) == [n for n in found.columns if n != "b"]
    bc.evaluate(found, some)
    assert not waits(found) and not waits(some) and "pending" not in bc.explain([found, some])


def test_sizes_are_known_without_reading(path, reads):
    found, expected = pd.read_parquet(path)[["a", "b", "t", "d"]], rows()[["a", "b", "t", "d"]]
    assert_same(found.memory_usage(), expected.memory_usage())
    assert found["a"].nbytes == expected["a"].nbytes and not reads


# ---- other uses


def test_copies_and_pickles(path):
    frame = rows()
    for how in (
        copy.copy,
        copy.deepcopy,
        lambda f: pickle.loads(pickle.dumps(f)),
        lambda f: f.copy(),
        lambda f: f.astype({"k": "int64"}),
    ):
        found, expected = pd.read_parquet(path), how(frame)
        made = how(found)
        made.loc[3, "b"] = expected.loc[3, "b"] = -1.0
        assert_same(made, expected)
        assert_same(found, frame)


def test_writes_do_not_reach_other_frames(path):
    def write(f):
        other, few = f[f["a"] > 8000], f.head(6000)
        series = f["f"]
        f["b"] = 1.0
        f.loc[f["k"] > 3, "f"] = -1.0
        f.loc[5, "s"] = "new"
        f.at[7, "u"] = "new"
        f.iloc[3:9, 0] = 0
        few.iloc[0, 3] = True
        return f, other, few, series

    for got, expected in zip(write(pd.read_parquet(path)), write(rows())):
        assert_same(got, expected)


def test_attrs_and_conversions(tmp_path):
    frame = rows()
    frame.attrs = {"unit": "m"}
    path = written(frame, tmp_path / "f.parquet")
    found = pd.read_parquet(path)
    assert found.attrs == {"unit": "m"}
    assert found.to_arrow().equals(pd.from_pandas(frame).to_arrow())
    assert np.array_equal(pd.read_parquet(path)[["a", "b"]].to_numpy(), frame[["a", "b"]].to_numpy())
    with bc.config.set(fallback="silent"):
        assert_same(
            pd.read_parquet(path).groupby("k")[["b"]].apply(lambda g: g.sum()),
            frame.groupby("k")[["b"]].apply(lambda g: g.sum()),
        )
    assert_same(pd.concat([pd.read_parquet(path), pd.read_parquet(path)]), pandas.concat([frame, frame]))


def test_dask_takes_frames_that_wait(path):
    dask = pytest.importorskip("dask")
    dd = pytest.importorskip("dask.dataframe")
    frame = rows()
    with dask.config.set({"dataframe.backend": "bascule"}):
        parts = dd.from_map(lambda i: pd.read_parquet(path).iloc[i * 5000 : (i + 1) * 5000], range(2))
        found = parts[parts["b"] > 0].groupby("k")["a"].sum().compute()
        assert_same(found.sort_index(), frame[frame["b"] > 0].groupby("k")["a"].sum())
        assert_same(dd.read_parquet(path)[["a", "b"]].compute(), frame[["a", "b"]])
