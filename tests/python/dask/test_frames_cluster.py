"""The frame backend on a cluster of processes without any preload of bascule."""

import pickle

import bascule.pandas as bpd
import dask
import dask.dataframe as dd
import frame_workloads
import numpy as np
import pandas
import pytest
from frame_workloads import NUMBERED, PROGRAMS, Maker, assert_same, table

distributed = pytest.importorskip("distributed", reason="distributed is not installed")

NAMES = [
    "read_csv in blocks", "read_parquet, filter and projection", "to_parquet", "filter", "assign", "str", "dt", "std",
    "value_counts of text", "groupby.agg, lists", "groupby.agg, keys", "groupby.mean", "groupby.value_counts", "merge, one partition",
    "merge, by tasks", "merge, outer", "merge on text", "set_index", "set_index of text", "sort_values", "drop_duplicates", "to pandas",
    "there and back", "map_partitions", "repartition to one", "values", "quantile", "quantiles", "quantile of columns", "describe",
    "describe text", "pivot_table", "merge_asof",
]  # fmt: skip
pytestmark = pytest.mark.filterwarnings("ignore:The inplace keyword")  # in Dask's own code


@pytest.fixture(scope="module")
def client():
    from dask_cluster import two_workers

    with two_workers(frame_workloads) as client:
        yield client


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("files")
    frame_workloads.write_files(path)
    return path


def test_the_first_task_of_a_worker_may_make_and_take_home_a_partition(client):
    """One fused task, in which nothing of bascule is unpickled before Dask looks for the way to pandas."""
    with dask.config.set({"dataframe.convert-string": False}):
        x = dd.from_pandas(table(), npartitions=3).map_partitions(
            bpd.from_pandas, meta=bpd.from_pandas(table().iloc[:0])
        )
        got = x.to_backend("pandas").compute()
    pandas.testing.assert_frame_equal(got, table(), check_freq=False)


@pytest.mark.parametrize("name", NAMES)
def test_workers_compute_what_pandas_partitions_do(client, name, folder):
    maker = Maker("pandas", folder)
    with maker.settings():
        wanted = PROGRAMS[name](maker).compute()
    maker = Maker("bascule", folder)
    with maker.settings():
        got = PROGRAMS[name](maker).compute()
    if name != "to pandas" and not isinstance(wanted, float):
        assert type(got).__module__.startswith("bascule")
    assert_same(got, wanted, name not in NUMBERED)


def test_results_are_evaluated_and_measured_in_the_worker(client):
    with dask.config.set({"dataframe.backend": "bascule"}):
        d = dd.from_dict({"x": [float(i) for i in range(40_000)]}, npartitions=4)
        x = (d.x * 2 + 1).persist()
    distributed.wait(x)

    def pending(dask_worker):
        from bascule import _core

        return [_core.is_pending(v._column.core.values) for v in dask_worker.data.values() if hasattr(v, "_column")]

    found = [p for worker in client.run(pending).values() for p in worker]
    assert len(found) == 4 and not any(found)
    keys = [f.key for f in distributed.futures_of(x)]
    sizes = client.run_on_scheduler(lambda dask_scheduler: [dask_scheduler.tasks[k].nbytes for k in keys])
    assert sizes == [10_000 * 8] * 4


def test_chosen_rows_are_gathered_in_the_worker(client):
    """A partition of chosen rows does not keep those it was chosen from."""
    with dask.config.set({"dataframe.backend": "bascule"}):
        d = dd.from_dict({"x": list(range(100_000)), "y": [0.5] * 100_000}, npartitions=2)
        x = d[d.x % 3 != 0].persist()
    distributed.wait(x)
    keys = [f.key for f in distributed.futures_of(x)]

    def waiting(dask_worker):
        found = [dask_worker.data[k] for k in keys if k in dask_worker.data]
        return [getattr(c, "_from", None) is not None for v in found for c in v._columns]

    found = [w for worker in client.run(waiting).values() for w in worker]
    assert len(found) == 4 and not any(found)
    assert len(x) == 66_666


def test_partitions_travel(client):
    t = bpd.from_pandas(table())
    for x in (
        t,
        t.x,
        t.b,
        t[t.x > 0.5],
        t.set_index(["k", "b"]),
        t.index,
        t.set_index("t").index,
        t.iloc[:0],
        t.tail(2).b,
    ):
        got = client.scatter(x, broadcast=True).result()
        assert type(got) is type(x)
        assert pickle.dumps(got.to_pandas()) == pickle.dumps(x.to_pandas()) or got.to_pandas().equals(x.to_pandas())
    assert client.submit(lambda d: float(d["a"].x.sum()), {"a": t}).result() == float(t.x.sum())


def test_no_worker_was_informed(client):
    """The tests above count only if no preload brought bascule."""
    assert client.run(lambda: dask.config.get("distributed.worker.preload")) == {
        w: [] for w in client.scheduler_info()["workers"]
    }


def test_merges_of_both_kinds_lose_no_rows_on_a_cluster(client):
    many = pandas.DataFrame({"k": np.arange(2000) % 500, "x": np.arange(2000)})
    few = pandas.DataFrame({"k": np.arange(300, 800), "y": np.arange(500)})
    for how in ("inner", "outer"):
        wanted = many.merge(few, on="k", how=how).sort_values(["x", "y"]).reset_index(drop=True)
        for left, right in ((bpd.from_pandas(many), few), (many, bpd.from_pandas(few))):
            a, b = dd.from_pandas(left, npartitions=4), dd.from_pandas(right, npartitions=3)
            got = a.merge(b, on="k", how=how, broadcast=False, shuffle_method="p2p").compute()
            got = got.to_pandas().sort_values(["x", "y"]).reset_index(drop=True)
            pandas.testing.assert_frame_equal(got, wanted, check_dtype=False)
