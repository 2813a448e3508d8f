"""Attributes of frames that Dask reads while it plans, and strings that are read dictionary-encoded; pandas is the oracle."""

import bascule as bc
import bascule.pandas as pd
import dask
import dask.dataframe as dd
import numpy as np
import pandas
import pytest
from bascule.dask import _chunks, _partitions
from dask.base import tokenize
from dask.dataframe import backends
from dask.dataframe.dispatch import make_meta, meta_nonempty

TEXT = pandas.array(["a", None, "b"], dtype="str")
FRAMES = {
    "numbers": pandas.DataFrame({"a": [1, 2, 3], "b": [0.5, np.nan, 2.0], "c": [True, False, True]}),
    "text and times": pandas.DataFrame({"t": TEXT, "m": pandas.to_datetime(["2020-01-01", None, "2021-01-01"])}),
    "named index": pandas.DataFrame({"a": [1.0]}, index=pandas.Index([5], name="k")),
    "text index": pandas.DataFrame({"a": [1.0]}, index=pandas.Index(["x"], name="k")),
    "levels": pandas.DataFrame({"a": [1, 2]}, index=pandas.MultiIndex.from_arrays([["x", "y"], [1, 2]], names=["s", None])),
    "dates as labels": pandas.DataFrame({"a": [1]}, index=pandas.to_datetime(["2020-01-01"])),
    "range": pandas.DataFrame({"a": [1, 2]}, index=pandas.RangeIndex(2, name="r")),
    "columns of numbers": pandas.DataFrame([[1, 2.0]], columns=[0, 1]),
    "column levels": pandas.DataFrame([[1, 2.0]], columns=pandas.MultiIndex.from_tuples([("a", "x"), ("a", "y")], names=["u", "v"])),
    "categories": pandas.DataFrame({"c": pandas.Categorical(["u", "v"], categories=["v", "u", "w"])}),
    "objects": pandas.DataFrame({"o": pandas.Series([{1}, None], dtype=object)}),
    "small types": pandas.DataFrame({"a": np.arange(3, dtype="i1"), "b": np.arange(3, dtype="f4"), "n": pandas.array([1, None, 2], dtype="Int16")}),
    "no columns": pandas.DataFrame(index=[1, 2]),
}  # fmt: skip


def meta_pairs():
    for name, frame in FRAMES.items():
        yield f"{name}", frame
        yield f"{name}, index", frame.index
        if frame.shape[1]:
            yield f"{name}, column", frame.iloc[:, 0]


@pytest.mark.parametrize("what, there", list(meta_pairs()), ids=[n for n, _ in meta_pairs()])
def test_metas_are_those_of_pandas_however_often_they_are_asked_for(what, there):
    empty = there[:0]
    for _ in range(2):
        for ours, theirs in (
            (make_meta(pd.from_pandas(there)), backends.make_meta_dispatch(there)),
            (make_meta(pd.from_pandas(empty)), backends.make_meta_dispatch(empty)),
            (meta_nonempty(pd.from_pandas(empty)), backends.meta_nonempty(empty)),
            (meta_nonempty(pd.from_pandas(there)), backends.meta_nonempty(there)),
        ):
            kind = type(theirs).__name__
            if isinstance(theirs, pandas.DataFrame):
                pandas.testing.assert_frame_equal(ours.to_pandas(), theirs, check_freq=False)
            elif isinstance(theirs, pandas.Series):
                pandas.testing.assert_series_equal(ours.to_pandas(), theirs, check_freq=False)
            else:
                pandas.testing.assert_index_equal(ours.to_pandas(), theirs, check_freq=False)
            assert type(ours).__name__ == kind


def test_a_meta_that_is_changed_changes_no_other():
    d = pd.DataFrame({"a": [1, 2], "b": [1.0, 2.0]})
    first = meta_nonempty(d[:0])
    first["c"] = 1
    first.columns = ["x", "y", "z"]
    first.index.name = "other"
    again = meta_nonempty(d[:0])
    assert list(again.columns) == ["a", "b"] and again.index.name is None
    s = meta_nonempty(d.a[:0])
    s.name = "other"
    assert meta_nonempty(d.a[:0]).name == "a"


def test_names_of_other_types_are_not_taken_for_one_another():
    ones = [meta_nonempty(pd.DataFrame({n: [1.0]})[:0]).columns[0] for n in (1, True, 1.0, "1")]
    assert [type(n) for n in ones] == [type(pandas.DataFrame({n: [1.0]}).columns[0]) for n in (1, True, 1.0, "1")]


def test_the_memory_of_metas_is_bounded():
    for k in range(_partitions._MOST + 10):
        meta_nonempty(pd.Series(np.zeros(1), name=f"n{k}")[:0])
    assert len(_partitions._two) <= _partitions._MOST


@pytest.fixture
def files(tmp_path):
    rng = np.random.default_rng(0)
    n = 3000
    frame = pandas.DataFrame({
        "few": pandas.array([f"f{v}" for v in rng.integers(0, 9, n)], dtype="str"),
        "many": pandas.array([f"m{v}" for v in range(n)], dtype="str"),
        "kinds": pandas.Categorical([f"k{v}" for v in rng.integers(0, 4, n)]),
        "x": rng.normal(size=n),
    })  # fmt: skip
    frame.loc[::7, "few"] = None
    frame.drop(columns="kinds").to_parquet(tmp_path / "plain.parquet", row_group_size=500)
    frame.to_parquet(tmp_path / "kinds.parquet", row_group_size=500)
    frame.drop(columns="kinds").set_index("few").to_parquet(tmp_path / "labelled.parquet")
    for k in range(3):  # in each file another column is worth its numbers
        part = frame.drop(columns="kinds").copy()
        part["few"] = part["many"] if k == 1 else part["few"]
        (tmp_path / "parts").mkdir(exist_ok=True)
        part.to_parquet(tmp_path / "parts" / f"{k}.parquet")
    return tmp_path


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of calls of Dask's own
@pytest.mark.parametrize("name", ["plain.parquet", "kinds.parquet", "labelled.parquet", "parts"])
@pytest.mark.parametrize(
    "options", [{}, {"blocksize": "10kB"}, {"columns": ["few", "x"]}, {"filters": [("x", ">", 0.0)]}], ids=str
)
def test_parquet_strings_are_those_of_pandas(files, name, options):
    if name == "labelled.parquet" and "columns" in options:
        options = {"columns": ["x"]}
    with dask.config.set({"dataframe.backend": "bascule", "dataframe.convert-string": False, "scheduler": "sync"}):
        ours = dd.read_parquet(files / name, split_row_groups="adaptive", **options)
        found = ours.compute().to_pandas()
        counts = None if "few" not in found else ours.few.value_counts().compute().to_pandas().sort_index()
    with dask.config.set({"dataframe.backend": "pandas", "dataframe.convert-string": False, "scheduler": "sync"}):
        theirs = dd.read_parquet(files / name, split_row_groups="adaptive", **options)
        expected = theirs.compute()
        pandas.testing.assert_frame_equal(found, expected)
        if counts is not None:
            pandas.testing.assert_series_equal(counts, theirs.few.value_counts().compute().sort_index())


def test_strings_of_one_file_arrive_numbered(files):
    with dask.config.set({"dataframe.backend": "bascule", "dataframe.convert-string": False}):
        d = dd.read_parquet(files / "plain.parquet").compute(scheduler="sync")
    assert [c.core.form for c in d._columns] == ["coded", "text", "plain"]


def test_tokens_of_large_chunks_depend_on_every_byte(monkeypatch):
    monkeypatch.setattr(_chunks, "_HASHED", 1000)
    x = np.arange(5003.0)
    token = tokenize(bc.asarray(x))
    assert token == tokenize(bc.asarray(x.copy()))
    for k in (0, 124, 125, 4000, 5002):
        y = x.copy()
        y[k] += 1
        assert tokenize(bc.asarray(y)) != token
    swapped = np.concatenate([x[125:250], x[:125], x[250:]])  # whole blocks in another order
    assert tokenize(bc.asarray(swapped)) != token != tokenize(bc.asarray(x.view("i8")))
    assert tokenize(bc.asarray(x.reshape(-1, 1))) != token
    assert tokenize(bc.zeros(0)) != tokenize(bc.zeros((0, 2)))
