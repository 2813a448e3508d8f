"""The array backend on a cluster of processes without any preload of bascule."""

import bascule as bc
import dask
import dask.array as da
import dask_workloads
import numpy as np
import pytest
from bascule import _core
from dask_workloads import GRID, PROGRAMS, Maker

distributed = pytest.importorskip("distributed", reason="distributed is not installed")

NAMES = [
    "ones", "full of int", "arange", "normal", "legacy normal", "integers", "permutation", "every other element of a sum",
    "mean of everything", "std of columns", "nanvar of rows", "argmax of everything", "cumsum", "percentile", "bincount",
    "concatenate", "x[list]", "x[mask of a collection]", "vindex", "tensordot", "matmul", "einsum", "svd of tall blocks",
    "q times r", "rechunk to one", "map_blocks", "map_overlap, reflected", "assignment of a scalar under a mask", "unique",
    "to numpy", "numpy there", "broadcast_to",
]  # fmt: skip


@pytest.fixture(scope="module")
def client():
    from dask_cluster import two_workers

    with two_workers(dask_workloads) as client:
        yield client


def test_the_first_task_of_a_worker_may_make_and_take_home_a_chunk(client):
    """One fused task, in which nothing of bascule is unpickled before Dask looks for the way to NumPy."""
    x = da.from_array(GRID, chunks=(4, 3)).map_blocks(lambda b: bc.asarray(b) + 1, meta=bc.empty((0, 0)))
    got = x.to_backend("numpy").compute()
    assert type(got) is np.ndarray
    np.testing.assert_array_equal(got, GRID + 1)


@pytest.mark.parametrize("name", NAMES)
def test_workers_compute_what_numpy_chunks_do(client, name):
    results = {}
    for backend in ("numpy", "bascule"):
        maker = Maker(backend)
        with maker.settings():
            x = PROGRAMS[name](maker)
            results[backend] = x.compute(scheduler="sync") if backend == "numpy" else client.compute(x).result()
    got, wanted = results["bascule"], results["numpy"]
    assert type(got) is (bc.ndarray if type(wanted) is np.ndarray and name != "to numpy" else type(wanted))
    assert got.dtype == wanted.dtype
    np.testing.assert_allclose(np.asarray(got), wanted, rtol=1e-11, atol=1e-11)


def test_results_are_evaluated_and_measured_in_the_worker(client):
    with dask.config.set({"array.backend": "bascule"}):
        x = (da.ones((1000, 1000), chunks=500) + 1).persist()
    distributed.wait(x)

    def pending(dask_worker):
        from bascule import _core

        return [_core.is_pending(v) for v in dask_worker.data.values() if hasattr(v, "device")]

    found = [p for worker in client.run(pending).values() for p in worker]
    assert len(found) >= 4 and not any(found)
    sizes = client.run_on_scheduler(lambda dask_scheduler: [t.nbytes for t in dask_scheduler.tasks.values()])
    assert sizes.count(500 * 500 * 8) == 4


def test_arrays_travel_whatever_their_layout(client):
    base = bc.arange(24.0).reshape(4, 6)
    scalar = base.__array_namespace__().sum(base)  # which that namespace has as an array
    for a in (
        base,
        base[::2, ::-1],
        base.T,
        bc.broadcast_to(base[0], (3, 6)),
        base[1, 2, ...],
        scalar,
        bc.empty((0, 3)),
    ):
        got = client.scatter(a, broadcast=True).result()
        assert type(got) is bc.ndarray and got.shape == a.shape and _core.is_scalar(got) == (a is scalar)
        np.testing.assert_array_equal(got.get(), a.get())
    assert client.submit(lambda d: float(d["a"].sum()), {"a": base}).result() == 276.0


def test_no_worker_was_informed(client):
    """The tests above count only if no preload brought bascule."""
    assert client.run(lambda: dask.config.get("distributed.worker.preload")) == {
        w: [] for w in client.scheduler_info()["workers"]
    }
