"""Columns of a Parquet file are read when they are used: what is read, when, and that it is what pandas reads."""

from __future__ import annotations

import copy
import datetime
import decimal
import gc
import os
import pickle
import threading
from concurrent.futures import ThreadPoolExecutor

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pyarrow
import pyarrow.parquet
import pytest
from bascule.pandas import _open_files
from bascule.pandas._columns.lazy_take import Waits
from bascule.pandas._io import parquet, parquet_file
from frames import assert_same

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


def written(frame, path, **options):
    frame.to_parquet(path, row_group_size=GROUP, **options)
    return str(path)


@pytest.fixture
def path(tmp_path):
    return written(rows(), tmp_path / "f.parquet")


def waits(frame):
    return [n for n, c in zip(frame.columns, frame._columns) if isinstance(c, Waits) and c.waits_for() is not None]


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


# ---- files that change


def test_a_file_that_is_removed_or_replaced(path, tmp_path):
    frame = rows()
    removed, some = pd.read_parquet(path), pd.read_parquet(path)[["a", "f"]]
    written(rows(seed=9), tmp_path / "other.parquet")
    os.replace(tmp_path / "other.parquet", path)
    assert_same(pd.read_parquet(path), rows(seed=9))
    os.unlink(path)
    assert_same(some[some["a"] > 7], frame[["a", "f"]][frame["a"] > 7])
    assert_same(removed, frame)


@pytest.mark.parametrize(
    "change",
    [
        lambda p: os.truncate(p, os.path.getsize(p) // 2),
        lambda p: rows(seed=9).to_parquet(p),
        lambda p: os.utime(p, ns=(0, 0)),
        lambda p: os.truncate(p, os.path.getsize(p) + 1),
    ],
)
def test_a_file_that_is_changed_in_place(path, change):
    found = pd.read_parquet(path)
    found["a"].sum()
    change(path)
    assert found["a"].sum() == sum(range(N))
    for _ in range(2):
        with pytest.raises(OSError, match=r"f\.parquet was changed after read_parquet opened it"):
            found["b"].sum()
        with pytest.raises(OSError, match="was changed"):
            found["u"].head(2).to_pandas()


WRITERS = {
    "itself": lambda f, p: f.to_parquet(p),
    "some rows": lambda f, p: f[f["a"] > 50].to_parquet(p),
    "another frame": lambda f, p: pd.DataFrame({"x": [1]}).to_parquet(p),
    "by pandas": lambda f, p: f.to_parquet(p, storage_options={}),
    "feather": lambda f, p: f.to_feather(p),
    "csv": lambda f, p: f.to_csv(p),
    "series": lambda f, p: f["a"].to_csv(p),
    "pickle": lambda f, p: pd.DataFrame({"x": [1]}).to_pickle(p),
    "a path": lambda f, p: f.to_parquet(os.path.join(os.path.dirname(p), ".", os.path.basename(p))),
}


@pytest.mark.parametrize("writer", WRITERS)
def test_a_file_that_is_written_by_its_own_frame(path, writer, tmp_path):
    found, expected = pd.read_parquet(path), rows()
    part, wanted = found[found["k"] == 3], expected[expected["k"] == 3]
    with bc.config.set(fallback="silent"):
        WRITERS[writer](found, path)
    assert_same(found, expected)
    assert_same(part, wanted)
    if writer in ("itself", "by pandas", "a path"):
        assert_same(pd.read_parquet(path), expected)
    if writer == "some rows":
        assert_same(pd.read_parquet(path), expected[expected["a"] > 50])


def test_a_link_to_the_file_is_written_to(path, tmp_path):
    found = pd.read_parquet(path)
    os.symlink(path, tmp_path / "link.parquet")
    pd.DataFrame({"x": [1]}).to_parquet(tmp_path / "link.parquet")
    assert_same(found, rows())


def _damaged(path, name):
    """Overwrite the pages of a column in the middle of a file."""
    about = pyarrow.parquet.read_metadata(path)
    i = about.schema.names.index(name)
    part = about.row_group(5).column(i)
    first = part.dictionary_page_offset or part.data_page_offset
    with open(path, "r+b") as file:
        file.seek(first)
        file.write(b"\xff" * part.total_compressed_size)


def test_a_damaged_page(path):
    _damaged(path, "b")
    with pytest.raises(Exception) as theirs:
        pandas.read_parquet(path)
    found = pd.read_parquet(path)
    assert found["a"].sum() == sum(range(N))
    assert_same(found["b"].head(3), rows()["b"].head(3))
    for _ in range(2):
        with pytest.raises(type(theirs.value), match=r"f\.parquet, column 'b'"):
            found["b"].sum()
    assert_same(found.drop(columns="b"), rows().drop(columns="b"))
    pd.DataFrame({"x": [1]}).to_parquet(path)
    with pytest.raises(type(theirs.value), match=r"f\.parquet, column 'b'"):
        found["b"].sum()


def test_damaged_labels_come_at_the_call(tmp_path):
    path = written(rows().set_index("u"), tmp_path / "f.parquet")
    _damaged(path, "u")
    with pytest.raises(Exception) as theirs:
        pandas.read_parquet(path)
    with pytest.raises(type(theirs.value)):
        pd.read_parquet(path)


# ---- open files


def _descriptors(path):
    here = os.path.realpath(path)
    return sum(os.path.realpath(f"/proc/self/fd/{n}") == here for n in os.listdir("/proc/self/fd"))


def test_a_file_is_closed_after_its_last_column(path):
    found = pd.read_parquet(path)
    assert _descriptors(path) == 1
    some = found[found["a"] > 5]["b"]
    del found
    gc.collect()
    assert _descriptors(path) == 1
    some.sum()
    del some
    gc.collect()
    assert _descriptors(path) == 0
    found = pd.read_parquet(path)
    bc.evaluate(found)
    gc.collect()
    assert _descriptors(path) == 0
    found = pd.read_parquet(path)
    del found
    gc.collect()
    assert _descriptors(path) == 0 and not [f for f in _open_files.held_files() if f.path == path]


def test_the_number_of_open_files_is_bounded(path, monkeypatch):
    gc.collect()
    monkeypatch.setattr(_open_files, "MOST", len(_open_files.held_files()) + 3)
    found = [pd.read_parquet(path) for _ in range(9)]
    assert [len(waits(f)) > 0 for f in found] == [True] * 3 + [False] * 6
    assert _descriptors(path) == 3
    del found[1]
    gc.collect()
    assert waits(pd.read_parquet(path))
    for f in found:
        assert_same(f, rows())


def test_two_threads_read_one_column(path, reads):
    for _ in range(5):
        found = pd.read_parquet(path)
        together = threading.Barrier(4)

        def read(found=found, together=together):
            together.wait(5)
            return (
                found["u"].to_numpy(),
                found["b"].sum(),
                found.head(20)["s"].tolist(),
                found[found["k"] > 3]["f"].sum(),
            )

        with ThreadPoolExecutor(4) as pool:
            got = [r.result() for r in [pool.submit(read) for _ in range(4)]]
        expected = rows()
        for texts, total, first, some in got:
            assert np.array_equal(texts, expected["u"]) and total == expected["b"].sum()
            assert pandas.Series(first, dtype="str").equals(expected["s"].head(20).rename(None))
            assert some == expected[expected["k"] > 3]["f"].sum()
    assert reads.count(("u", 10)) == 5


def test_a_forked_child_reads_too(path):
    found = pd.read_parquet(path)
    child = os.fork()
    if child == 0:
        os._exit(0 if found["a"].sum() == sum(range(N)) else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert_same(found, rows())


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
