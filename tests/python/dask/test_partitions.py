"""Hooks of Dask for a partition: hashes, splits, sizes, tokens, serialization, byte ranges, engines and patches."""

import pickle

import bascule as bc
import bascule.pandas as bpd
import dask.dataframe as dd
import numpy as np
import pandas
import pytest
from dask.array.dispatch import percentile_lookup
from dask.base import tokenize
from dask.dataframe.backends import group_split_pandas
from dask.dataframe.dispatch import (
    concat,
    group_split_dispatch,
    hash_object_dispatch,
    make_meta,
    meta_nonempty,
    to_pyarrow_table_dispatch,
)
from dask.sizeof import sizeof

STRINGS = ["a", "bb", "", "日本", None, "a\0", "\0a", "bb"]
DATES = pandas.to_datetime(["2020-01-01", None, "1999-03-04"])


def series(values, dtype=None):
    return bpd.from_pandas(pandas.Series(values, dtype=dtype))


def hashes(x):
    return hash_object_dispatch(x, index=False).to_pandas().to_numpy()


@pytest.mark.parametrize("values", [[0, 1, -5, 2**40], [0.0, -0.0, np.nan], STRINGS, list(DATES), [True, False]])
@pytest.mark.parametrize("dtype", [None, "category"])
def test_rows_hash_as_pandas_partitions_do(values, dtype):
    there = pandas.Series(values, dtype=dtype)
    t = pandas.DataFrame({"k": there, "b": range(len(there))})
    for x in (there, t, t[["k"]], t.set_index("k").index, t.set_index(["k", "b"]).index, t[:0]):
        np.testing.assert_array_equal(hashes(bpd.from_pandas(x)), hash_object_dispatch(x, index=False).to_numpy())


@pytest.mark.parametrize("values", [np.arange(100_000), np.arange(100_000) * 4096.0, [f"id{i}" for i in range(50_000)]])
def test_hashes_fill_partitions_evenly(values):
    h = hashes(series(values))
    assert len(np.unique(h)) == len(values)
    for k in (2, 7, 32):
        counts = np.bincount((h % k).astype(int), minlength=k)
        assert np.abs(counts - len(values) / k).max() < 6 * np.sqrt(len(values) / k)


@pytest.mark.parametrize("ignore_index", [False, True])
def test_rows_are_split_by_groups(ignore_index):
    t = pandas.DataFrame({"x": np.arange(50.0), "b": list("abcde") * 10}, index=np.arange(50) * 2)
    groups = pandas.Series(np.arange(50) * 7 % 4, index=t.index)
    wanted = group_split_pandas(t, groups, 5, ignore_index)
    for c in (bpd.from_pandas(groups), groups.to_numpy(), bc.asarray(groups.to_numpy())):
        got = group_split_dispatch(bpd.from_pandas(t), c, 5, ignore_index)
        assert list(got) == list(wanted)
        for i in wanted:
            pandas.testing.assert_frame_equal(got[i].to_pandas(), wanted[i])
    assert sizeof(got) >= sum(sizeof(v) for v in got.values())


def test_sizes_are_those_of_the_columns():
    t = bpd.DataFrame({"x": np.arange(1000.0), "k": np.arange(1000, dtype="i4")})
    assert sizeof(t) == 12_000 and sizeof(t.x) == 8000 and sizeof(t.index) == 0
    assert sizeof(t.set_index("x")) == 12_000 and sizeof(t[:10]) == 120
    text = series([f"{i:010}" for i in range(1000)])
    assert sizeof(text) == 10_000 + 8 * 1001 and sizeof(text[10:20]) == 100 + 8 * 11
    assert sizeof(series([1, None], "Int64")) == 18


def test_names_distinguish_contents_and_nothing_else():
    t = pandas.DataFrame({"x": [1.0, 2.0], "b": ["p", None], "m": pandas.array([1, None], dtype="Int64")})
    of = bpd.from_pandas
    assert (
        tokenize(of(t))
        == tokenize(of(t.copy()))
        == tokenize(of(pandas.concat([t[:0], t, t])).head(2).reset_index(drop=True))
    )
    different = [t, t.assign(x=t.x + 1), t.rename(columns={"x": "y"}), t[:1], t.x, t.x.rename("z"), t.b, t.m, t.index, t.set_index("x"),
                 t.set_index("x").index, t.assign(b=["p", ""]), t.assign(b=["", "p"]), t.assign(m=t.m.fillna(0)), t.astype({"x": "f4"})]  # fmt: skip
    tokens = [tokenize(of(x)) for x in different] + [tokenize(t)]
    assert len(set(tokens)) == len(tokens)
    text = of(pandas.Series(["a", "b", "a"] * 9))
    before = tokenize(text)
    text._column.core.encoded()
    assert (
        tokenize(text) == before == tokenize(of(pandas.Series(["z"] + ["a", "b", "a"] * 9))[1:].reset_index(drop=True))
    )


def test_serialised_partitions_are_header_and_buffers():
    from distributed.protocol import deserialize, serialize

    t = bpd.from_pandas(
        pandas.DataFrame({"x": np.arange(1000.0), "b": ["p", "q"] * 500, "c": pandas.Categorical(["u", "v"] * 500)})
    )
    for x in (t, t.b, t.index, t.set_index("b").index, t[3:5], t[:0]):
        header, frames = serialize(x, serializers=["dask", "pickle"])
        assert header["serializer"] == "dask"
        got = deserialize(header, [bytes(f) for f in frames])
        assert type(got) is type(x) and tokenize(got) == tokenize(x)
    header, frames = serialize(t, serializers=["dask"])
    assert len(frames) > 3 and 8000 in [memoryview(f).nbytes for f in frames]


def test_meta_has_no_rows_and_made_up_meta_two():
    t = pandas.DataFrame(
        {"k": [1], "b": ["x"], "c": pandas.Categorical(["u"]), "t": DATES[:1]}, index=pandas.Index([2.5], name="i")
    )
    for x in (t, t.b, t.index, t.set_index(["k", "b"])):
        mine = bpd.from_pandas(x)
        for f in (make_meta, lambda v: meta_nonempty(make_meta(v))):
            got, wanted = f(mine), f(x)
            assert type(got).__module__ == "bascule.pandas" and len(got) == len(wanted)
            compare = (
                pandas.testing.assert_index_equal
                if isinstance(x, pandas.Index)
                else (pandas.testing.assert_frame_equal if x.ndim == 2 else pandas.testing.assert_series_equal)
            )
            compare(got.to_pandas(), wanted)
    assert type(make_meta({"a": "i8"}, parent_meta=bpd.from_pandas(t))) is bpd.DataFrame
    assert type(make_meta(("a", "i8"), parent_meta=bpd.from_pandas(t))) is bpd.Series


def test_partitions_are_joined():
    t = pandas.DataFrame({"x": [1, 2], "c": pandas.Categorical(["u", "v"])})
    other = pandas.DataFrame({"x": [3], "c": pandas.Categorical(["w"])})
    got = concat([bpd.from_pandas(t), bpd.from_pandas(other)])
    assert got.to_pandas().c.cat.categories.tolist() == ["u", "v", "w"]
    got = concat([bpd.from_pandas(t[["x"]]), bpd.from_pandas(other[["x"]])], ignore_order=True, sort=True)
    pandas.testing.assert_frame_equal(got.to_pandas(), pandas.concat([t[["x"]], other[["x"]]]))
    assert concat([bpd.from_pandas(t.x), bpd.from_pandas(t.x.rename("y"))], axis=1).columns.tolist() == ["x", "y"]


@pytest.mark.parametrize("ordered", [False, True])
@pytest.mark.parametrize("last", [["v", None, "w"], ["u", "v", "u"]])
def test_categories_are_united_by_what_unites_columns(last, ordered):
    from dask.dataframe.backends import concat_pandas

    kinds = [["u", "v", "z"], ["v", "u", "z"], ["w", "v", "u"]] if not ordered else [["u", "v", "w", "z"]] * 3
    parts = [
        pandas.DataFrame({"x": [i, 2, 3], "c": pandas.Categorical(values, k, ordered), "y": 0.5}, index=[i, 1, 2])
        for i, (values, k) in enumerate(zip((["u", "v", "z"], ["v", "u", None], last), kinds))
    ]
    for pick in (
        lambda t: t,
        lambda t: t.c,
        lambda t: t[["c"]],
        lambda t: t[:0],
        lambda t: t.set_axis(["x", "y", "y"], axis=1),
    ):
        if "c" not in pick(parts[0]).axes[-1] and pick(parts[0]).ndim == 2:
            wanted = None  # which Dask takes apart by names
        else:
            wanted = concat_pandas([pick(t) for t in parts])
        with bc.config.set(fallback="error"):
            got = concat([bpd.from_pandas(pick(t)) for t in parts]).to_pandas()
        if wanted is None:
            assert got.shape == (9, 3)
            continue
        compare = pandas.testing.assert_frame_equal if wanted.ndim == 2 else pandas.testing.assert_series_equal
        compare(got, wanted)


def test_tables_of_arrow():
    import pyarrow

    t = pandas.DataFrame({"x": [1.5, np.nan], "b": ["p", None]}, index=[5, 6])
    for keep in (None, True, False):
        got = to_pyarrow_table_dispatch(bpd.from_pandas(t), preserve_index=keep)
        wanted = pyarrow.Table.from_pandas(t, preserve_index=keep)
        assert got.column_names == wanted.column_names and got.to_pandas().equals(wanted.to_pandas())


@pytest.mark.parametrize("length", [1, 7, 100, 601, 1999, 2000])
@pytest.mark.parametrize("size", [1, 7, 100, 600, 10_000, None])
def test_files_are_cut_where_dask_cuts_them(length, size, tmp_path):
    from bascule.dask._frame_io import _cuts
    from dask.bytes import read_bytes

    (tmp_path / "a").write_bytes(b"x" * length)
    blocks = read_bytes(str(tmp_path / "a"), blocksize=size)[1][0]
    cuts = _cuts(length, size)
    assert len(cuts) == len(blocks)
    assert cuts[0][0] == 0 and cuts[-1][1] > length and all(a[1] == b[0] for a, b in zip(cuts, cuts[1:]))
    if size is not None:
        wanted = [b.key for b in blocks]
        assert len(set(wanted)) == len(cuts)


@pytest.mark.parametrize("size", [5, 13, 40, None])
def test_blocks_may_be_shorter_than_rows(size, tmp_path):
    import dask

    t = pandas.DataFrame({"x": np.arange(12), "b": ["text", "", "more text"] * 4, "y": np.arange(12) / 8})
    t.to_csv(tmp_path / "a.csv", index=False)
    (tmp_path / "b.csv").write_text("x,b,y\n")
    if size is not None:  # a file of nothing is passed over only where files are cut
        (tmp_path / "c.csv").write_text("")
    got = {}
    for backend in ("pandas", "bascule"):
        with (
            dask.config.set({"dataframe.backend": backend, "dataframe.convert-string": False, "scheduler": "sync"}),
            bc.config.set(fallback="error"),
        ):
            d = dd.read_csv(tmp_path / "*.csv", blocksize=size)
            got[backend] = [d.compute(), d.y.compute(), d.partitions[0].compute()]
    for mine, wanted in zip(got["bascule"], got["pandas"]):
        compare = pandas.testing.assert_frame_equal if wanted.ndim == 2 else pandas.testing.assert_series_equal
        compare(mine.to_pandas(), wanted)


def readers(backend, folder):
    """Collections with text, from everywhere."""
    of = bpd.from_pandas if backend == "bascule" else lambda x: x
    t = pandas.DataFrame(
        {"x": range(6), "b": ["p", None, "r", "p", "q", "r"], "o": pandas.Series(list("abcdef"), dtype=object)}
    )
    if not (folder / "a.csv").exists():
        t.to_csv(folder / "a.csv", index=False)
        t.to_json(folder / "a.json", orient="records", lines=True)
        t.to_parquet(folder / "a.parquet")
        t.set_index("o").to_parquet(folder / "o.parquet")
    d = dd.from_pandas(of(t), npartitions=2)
    return {
        "from_pandas": d, "labels": dd.from_pandas(of(t.astype({"o": "str"}).set_index("o")), npartitions=2), "series": dd.from_pandas(of(t.o), npartitions=2),
        "from_dict": dd.from_dict({"b": list("pqr")}, npartitions=2), "read_csv": dd.read_csv(folder / "a.csv"),
        "blocks": dd.read_csv(folder / "a.csv", blocksize=20)[["b"]], "read_json": dd.read_json(folder / "a.json", lines=True),
        "read_parquet": dd.read_parquet(folder / "a.parquet"), "labels of a file": dd.read_parquet(folder / "o.parquet"),
        "to_backend": dd.from_pandas(t, npartitions=2).to_backend(), "from_map": dd.from_map(lambda i: of(t), [1, 2]),
        "filter": d[d.b != "p"], "groupby": d.groupby("o").x.sum(), "merge": d.merge(d, on="b", broadcast=False),
        "upper": d.b.str.upper(), "levels": dd.from_pandas(of(t.set_index(["b", "o"]).reset_index()), npartitions=2),
    }  # fmt: skip


@pytest.mark.filterwarnings("ignore:The inplace keyword")  # in Dask's own code
@pytest.mark.parametrize("convert", [True, False])
def test_text_has_the_type_that_dask_gives_it(convert, tmp_path):
    import dask

    types = {}
    for backend in ("pandas", "bascule"):
        with dask.config.set({"dataframe.backend": backend, "dataframe.convert-string": convert, "scheduler": "sync"}):
            for name, d in readers(backend, tmp_path).items():
                got = d.compute()
                assert backend == "pandas" or type(got).__module__ == "bascule.pandas", name
                for x in (d._meta, got):
                    there = x if backend == "pandas" else x.to_pandas()
                    types.setdefault(name, []).append((repr(there.index.dtype), repr(getattr(there, "dtypes", None))))
    for name, (theirs_meta, theirs, ours_meta, ours) in types.items():
        assert (ours_meta, ours) == (theirs_meta, theirs), name
    assert len(types) == 16


def test_a_type_that_the_sample_did_not_show_is_explained(tmp_path):
    (tmp_path / "a.csv").write_text("x\n" + "1\n" * 50 + "1.5\n")
    import dask

    with dask.config.set({"dataframe.backend": "bascule"}):
        d = dd.read_csv(tmp_path / "a.csv")
        with pytest.raises(ValueError, match="Mismatched dtypes found in"):
            d.compute(scheduler="sync")
        assert d.dtypes.x == np.int64
        assert float(dd.read_csv(tmp_path / "a.csv", assume_missing=True).x.sum().compute(scheduler="sync")) == 51.5


def test_patches_of_frames_are_undone():
    import subprocess
    import sys

    code = (
        "import dask.dataframe as dd, bascule.dask._patches as p\n"
        "from dask.dataframe import groupby, hyperloglog, methods\n"
        "from dask.dataframe.dask_expr import _groupby, _reductions, _expr, _describe, _indexing, _merge_asof\n"
        "found = lambda: [hasattr(f, '__wrapped__') for f in (groupby._value_counts, hyperloglog.compute_hll_array, methods.unique,"
        " _groupby.ValueCounts.groupby_aggregate, _reductions.Unique.chunk, _reductions.NuniqueApprox.reduction_chunk, _expr.get_meta_library,"
        " _describe.describe_nonnumeric_aggregate, _indexing._maybe_partial_time_string, _expr.ToNumeric.operation)]\n"
        "found_too = lambda: [_merge_asof.pd.__name__, methods.pd.__name__]\n"
        "print(found() == [True] * 10, found_too()); p.undo(); print(found() == [False] * 10, found_too())"
    )
    for first in ("import bascule\n", "import dask.dataframe\nimport bascule\n"):
        done = subprocess.run([sys.executable, "-W", "error", "-c", first + code], capture_output=True, text=True)
        library = "bascule.dask._libraries"
        assert done.stdout == f"True {[library] * 2}\nTrue {['pandas'] * 2}\n", done.stderr


def test_tables_in_tasks_are_those_of_the_process_where_they_arrive():
    """As a copy a table would not hear of what is registered there later."""
    import cloudpickle
    import dask.sizeof
    from dask import _dispatch
    from dask.array import dispatch as of_arrays
    from dask.dataframe import dispatch as of_frames
    from dask.utils import Dispatch

    found = [
        t for m in (of_arrays, of_frames, _dispatch, dask.sizeof) for t in vars(m).values() if isinstance(t, Dispatch)
    ]
    assert len(found) > 20
    for table in found:
        for module in (pickle, cloudpickle):
            assert module.loads(module.dumps((table, 1)))[0] is table
    own = Dispatch("own")
    own.register(int, len)
    assert pickle.loads(pickle.dumps(own)).dispatch(int) is len


def test_a_dump_of_a_meta_is_small():
    t = bpd.DataFrame({"x": np.arange(100_000.0), "b": ["p"] * 100_000})
    assert len(pickle.dumps(make_meta(t), 5)) < 2000


@pytest.mark.parametrize("kind", ["float64", "int32", "M8[ns]", "M8[s]", "bool"])
@pytest.mark.parametrize("method", ["linear", "nearest", "lower"])
def test_percentiles_of_partitions(kind, method):
    theirs = pandas.Series([5, 3, 1, 1, 7, 0]).astype("bool" if kind == "bool" else "int64").astype(kind)
    q = [0, 30.0, 50, 100]
    expected = percentile_lookup(theirs, q, method)
    with bc.config.set(fallback="silent" if kind == "bool" else "error"):
        found = percentile_lookup(bpd.from_pandas(theirs), q, method)
    assert found[1] == expected[1] and np.array_equal(found[0], expected[0]) and found[0].dtype == expected[0].dtype


def test_percentiles_in_pandas_are_counted_and_refused():
    for s in (series([True, False]), series(["a", "b", "a"], "category")):
        with bc.config.set(fallback="error"), pytest.raises(NotImplementedError, match="percentile"):
            percentile_lookup(s, [0, 50], "nearest")
