"""dask.dataframe with bascule partitions against dask.dataframe with pandas partitions: values, dtypes, and what meta says."""

import bascule as bc
import bascule.pandas as bpd
import dask
import frame_workloads
import numpy as np
import pandas
import pytest
from frame_workloads import NUMBERED, OURS, PROGRAMS, Maker, assert_same

HOST = {"to pandas"}
pytestmark = [
    pytest.mark.filterwarnings("ignore:The inplace keyword"),  # in Dask's own code
    pytest.mark.filterwarnings("ignore:Merging dataframes with merge column data type mismatches"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("files")
    frame_workloads.write_files(path)
    return path


def run(backend, name, folder, compute=None, **how):
    """The meta, the result, and a partition."""
    maker = Maker(backend, folder)
    with maker.settings(), dask.config.set(**how):
        r = PROGRAMS[name](maker)
        if not hasattr(r, "compute"):
            return None, r, None
        meta = r._meta
        part = (
            r.partitions[0].compute()
            if hasattr(r, "npartitions") and hasattr(meta, "iloc") and compute is None
            else None
        )
        return meta, compute(r) if compute else r.compute(), part


NATIVE = [
    "from_dict", "read_csv in blocks", "read_csv, arguments", "read_parquet", "read_parquet, filter and projection", "to_parquet",
    "arithmetic", "filter", "filter of two", "assign", "str", "str.contains", "dt", "std", "nunique", "unique text", "value_counts",
    "value_counts of text", "quantiles", "groupby.agg, lists", "groupby.agg, keys", "groupby.mean", "groupby.median",
    "groupby, split_out by tasks", "merge, one partition", "merge, by tasks", "merge, by disk", "merge, outer", "merge on the index",
    "merge on text", "set_index", "set_index of dates", "set_index, sorted", "shuffle, tasks", "drop_duplicates", "sort_values",
    "sort_values of two", "repartition to one", "concat", "len", "head", "values", "there and back",
]  # fmt: skip


@pytest.mark.parametrize("name", NATIVE)
def test_these_never_go_through_pandas(name, folder):
    with bc.config.set(fallback="error"):
        run("bascule", name, folder, scheduler="sync")


@pytest.mark.parametrize(
    "name", ["groupby.agg, keys", "merge, by tasks", "set_index of text", "sort_values", "read_csv in blocks"]
)
def test_threads_compute_the_same(name, folder):
    _, wanted, _ = run("pandas", name, folder, scheduler="sync")
    for _ in range(2):
        _, got, _ = run("bascule", name, folder, scheduler="threads", num_workers=4)
        assert_same(got, wanted, name not in NUMBERED)


@pytest.mark.parametrize("name", PROGRAMS)
def test_bascule_partitions_compute_what_pandas_partitions_do(name, folder):
    _, wanted, _ = run("pandas", name, folder, scheduler="sync")
    meta, got, part = run("bascule", name, folder, scheduler="sync")
    assert_same(got, wanted, name not in NUMBERED)
    if name in HOST:
        assert isinstance(got, pandas.DataFrame)
        return
    if isinstance(wanted, (pandas.DataFrame, pandas.Series, pandas.Index)):
        assert isinstance(got, OURS)
        assert meta is None or type(meta).__name__.endswith(type(got).__name__) or isinstance(meta, bpd.Index)
        assert part is None or type(part) is type(got)
    elif isinstance(wanted, np.ndarray):
        assert type(got) is bc.ndarray
