"""Errors while a collection is computed: in chunks, by Ctrl-C, by workers that die."""

import os
import signal
import traceback

import bascule.pandas as bpd
import dask
import dask.array as da
import dask.dataframe as dd
import numpy as np
import pytest
from dask._task_spec import Task


def fails_at(block, block_id):
    if block_id == (1, 1):
        raise ZeroDivisionError("in the chunk")
    return block


@pytest.mark.parametrize("limit", [None, "1 kB"])
@pytest.mark.parametrize("backend", ["numpy", "bascule"])
def test_an_error_has_the_traceback_of_its_function_and_the_key_of_its_chunk(backend, limit):
    with dask.config.set({"array.backend": backend}):
        x = (da.ones((6, 6), chunks=3) + 1).map_blocks(fails_at, dtype=float)
        with pytest.raises(ZeroDivisionError, match="in the chunk") as caught:
            x.sum().compute(scheduler="bascule", num_workers=2, memory_limit=limit)
    assert traceback.extract_tb(caught.value.__traceback__)[-1].name == "fails_at"
    (note,) = [n for n in caught.value.__notes__ if n.startswith("[bascule.dask]")]
    assert note.startswith("[bascule.dask] while computing ('") and note.endswith(", 1, 1)")


def test_an_error_in_a_partition_names_it():
    def fails(part, partition_info=None):
        return 1 // (partition_info["number"] - 2) if partition_info else part

    with dask.config.set({"dataframe.backend": "bascule"}):
        x = dd.from_pandas(bpd.DataFrame({"x": range(12)}), npartitions=4).map_partitions(fails, meta=("x", "i8"))
        with pytest.raises(ZeroDivisionError) as caught:
            x.compute(scheduler="bascule", num_workers=2)
    assert traceback.extract_tb(caught.value.__traceback__)[-1].name == "fails"
    assert any(n.startswith("[bascule.dask] while computing ('") for n in caught.value.__notes__)


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("limit", [None, 1000])
def test_ctrl_c_ends_the_computation(workers, limit, ctrl_c):
    """The signal comes while a task runs, on whichever thread that is."""
    done = []

    def task(i):
        if i == 5:
            os.kill(os.getpid(), signal.SIGINT)
        done.append(i)
        return dask.delayed(sum)([i, 1]).compute(scheduler="bascule")  # a graph of its own

    n = 20_000
    get = dask.base.get_scheduler(scheduler="bascule")
    with pytest.raises(KeyboardInterrupt):
        get({i: Task(i, task, i) for i in range(n)}, list(range(n)), num_workers=workers, memory_limit=limit)
    assert len(done) < n
    assert get({"a": Task("a", int, 3)}, "a") == 3


def dies_once(part, mark):
    """The first partition that comes by kills its worker."""
    if len(part):
        try:
            os.close(os.open(mark, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return part
        os.kill(os.getpid(), signal.SIGKILL)
    return part


@pytest.mark.parametrize("shuffle", ["tasks", "p2p"])
def test_a_worker_that_is_killed_in_the_middle_of_a_join_changes_nothing(shuffle, tmp_path):
    distributed = pytest.importorskip("distributed", reason="distributed is not installed")
    rng = np.random.default_rng(0)
    left = bpd.DataFrame({"k": rng.integers(0, 500, 4000), "x": np.arange(4000)})
    right = bpd.DataFrame({"k": np.arange(500), "y": np.arange(500) * 2})
    wanted = left.to_pandas().merge(right.to_pandas(), on="k").sort_values("x", ignore_index=True)
    mark = str(tmp_path / "died")
    with (
        dask.config.set({"distributed.admin.tick.limit": "1h", "distributed.scheduler.allowed-failures": 10}),
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, memory_limit=0, dashboard_address=":0") as cluster,
        distributed.Client(cluster) as client,
    ):  # fmt: skip
        x = dd.from_pandas(left, npartitions=6).merge(
            dd.from_pandas(right, npartitions=3), on="k", shuffle_method=shuffle, broadcast=False
        )
        x = x.map_partitions(dies_once, mark, meta=x._meta).merge(
            dd.from_pandas(right, npartitions=3), on="k", shuffle_method=shuffle, broadcast=False, suffixes=("", "2")
        )
        got = client.compute(x).result().to_pandas()
    assert os.path.exists(mark)
    got = got.sort_values("x", ignore_index=True)
    np.testing.assert_array_equal(got[["k", "x", "y"]].to_numpy(), wanted[["k", "x", "y"]].to_numpy())
    np.testing.assert_array_equal(got.y2.to_numpy(), wanted.y.to_numpy())
