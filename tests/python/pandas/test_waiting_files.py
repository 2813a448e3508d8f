"""Files of pending columns that are removed, replaced, written to, damaged; how many are open; threads and forks."""

from __future__ import annotations

import gc
import os
import threading
from concurrent.futures import ThreadPoolExecutor

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pyarrow
import pyarrow.parquet
import pytest
from bascule.pandas._fallback import open_files
from frames import assert_same
from pending_files import N, every_size, path, reads, rows, waits, written

FIXTURES = every_size, path, reads


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


@pytest.mark.filterwarnings("ignore::pandas.errors.Pandas4Warning")  # of what Dask calls
def test_a_folder_with_the_file_is_written_to(tmp_path, monkeypatch):
    dd = pytest.importorskip("dask.dataframe")
    monkeypatch.chdir(tmp_path)
    for folder in ("by pandas", "by dask"):
        (tmp_path / folder).mkdir()
        path = written(rows(), f"{folder}/part.0.parquet")
        found = pd.read_parquet(path)
        if folder == "by dask":
            dd.from_pandas(pd.DataFrame({"x": [1]}), npartitions=1).to_parquet(tmp_path / folder)
            assert len(pandas.read_parquet(path)) == 1
        else:
            with bc.config.set(fallback="silent"):
                pd.DataFrame({"x": [1], "y": [2]}).to_parquet(tmp_path / folder, partition_cols=["x"], engine="pyarrow")
            assert not found._columns[0].waits_for()
        assert_same(found, rows())


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
    assert _descriptors(path) == 0 and not [f for f in open_files.held_files() if f.path == path]


def test_the_number_of_open_files_is_bounded(path, monkeypatch):
    gc.collect()
    monkeypatch.setattr(open_files, "MOST", len(open_files.held_files()) + 3)
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
        for strings, total, first, some in got:
            assert np.array_equal(strings, expected["u"]) and total == expected["b"].sum()
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
