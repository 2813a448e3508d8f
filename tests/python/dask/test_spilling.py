"""Memory that lies in the pool for the next array is not held against a worker, which would spill and pause because of it."""

import bascule as bc
import bascule.pandas as bpd
import dask
import dask.array as da
import pytest
from bascule import _core
from bascule.dask import _chunks, _memory, _partitions

distributed = pytest.importorskip("distributed", reason="distributed is not installed")
MIB = 1 << 20


class Monitor:
    used = 0

    def get_process_memory(self):
        return self.used


class Worker:
    """The attributes of a worker that set the limit of the pool."""

    def __init__(self, limit, target=0.6):
        class Manager:
            memory_limit, memory_target_fraction, memory_spill_fraction = limit, target, 0.7

        class Status:
            name = "running"

        self.memory_manager, self.monitor, self.status = Manager, Monitor(), Status
        self.other = 0  # memory of the process without the pool

    def look(self):
        self.monitor.used = self.other + _core.memory("cpu")["held"]
        _memory.obey()


@pytest.fixture
def worker(monkeypatch):
    from distributed.worker import Worker as Theirs

    bc.trim("cpu")
    made = Worker(_core.memory("cpu")["held"] * 2 + 200 * MIB)
    monkeypatch.setattr(Theirs, "_instances", {made})
    yield made
    monkeypatch.setattr(Theirs, "_instances", set())
    _memory.obey()
    assert _cached_after(64 * MIB) >= 64 * MIB  # its limit went with it


def _cached():
    now = _core.memory("cpu")
    return now["held"] - now["in_use"]


def _cached_after(n):
    """The bytes in the pool after an array of n bytes is deleted."""
    bc.trim("cpu")
    x = bc.evaluate(bc.arange(n // 8) + 1)
    del x
    return _cached()


def test_the_pool_keeps_blocks_while_the_worker_is_below_its_target(worker):
    worker.look()
    assert _cached_after(16 * MIB) >= 16 * MIB


def _kept():
    """Pages on which other tests' small arrays still live."""
    bc.trim("cpu")
    return _cached()


def test_above_the_target_blocks_go_back(worker):
    kept = _kept()
    x = bc.evaluate(bc.arange(4 * MIB) + 1)
    y = bc.evaluate(bc.arange(2 * MIB) + 1)
    del x
    assert _cached() >= 32 * MIB
    worker.other = worker.memory_manager.memory_limit
    worker.look()
    assert _cached() < kept + 2 * MIB
    del y
    assert _cached() < kept + 2 * MIB


def test_what_other_libraries_take_leaves_the_pool_less(worker):
    kept = _kept()
    worker.other = int(worker.memory_manager.memory_limit * 0.6) - _core.memory("cpu")["held"] - 20 * MIB
    worker.look()
    assert 16 * MIB <= _cached_after(16 * MIB) < kept + 20 * MIB
    assert _cached_after(32 * MIB) < kept + 2 * MIB


def test_workers_without_a_limit_leave_the_pool_alone(worker):
    worker.other = 10 * worker.memory_manager.memory_limit
    worker.memory_manager.memory_limit = None
    worker.look()
    assert _cached_after(16 * MIB) >= 16 * MIB


@pytest.mark.parametrize("kind", ["chunk", "partition"])
def test_memory_of_a_spilled_value_goes_back(worker, kind):
    """A value is written to disk and dropped, as a worker does it."""
    n = 4 * MIB
    if kind == "chunk":
        x, write = bc.evaluate(bc.arange(n) + 1), _chunks.serialize
    else:
        x, write = bpd.Series(bc.evaluate(bc.arange(n) + 1)), _partitions.serialize
    worker.other = worker.memory_manager.memory_limit
    worker.monitor.used = worker.other + _core.memory("cpu")["held"]
    held = _core.memory("cpu")["held"]
    write(x)
    del x
    assert _core.memory("cpu")["held"] <= held - n * 8


def test_trim_says_what_went_back():
    bc.trim("cpu")
    stay = _cached()  # pages on which other tests' small arrays still live
    x = bc.evaluate(bc.arange(4 * MIB) + 1)
    del x
    assert _cached() >= stay + 32 * MIB
    assert bc.trim() >= 32 * MIB
    assert _cached() < stay + MIB and bc.trim("cpu") < MIB
    with pytest.raises(ValueError):
        bc.trim("nowhere")


def test_small_arrays_go_back_to_the_system_too():
    import psutil

    process = psutil.Process()
    kept = [bc.evaluate(bc.arange(8000) + k) for k in range(4000)]
    some = kept[::1000]
    before = process.memory_info().rss
    del kept
    bc.trim("cpu")
    assert process.memory_info().rss < before - 4000 * 64_000 // 2
    assert [int(x[0]) for x in some] == [0, 1000, 2000, 3000]


def test_memory_that_arrow_keeps_goes_back_too(worker, monkeypatch):
    """Shards of a shuffle are Arrow's tables."""
    import pyarrow

    asked = []

    class Pool:
        def release_unused(self):
            asked.append(True)

    monkeypatch.setattr(pyarrow, "default_memory_pool", Pool)
    worker.look()
    assert not asked
    worker.other = worker.memory_manager.memory_limit
    worker.look()
    assert asked


@pytest.fixture(scope="module")
def client():
    with (
        dask.config.set({"distributed.worker.preload": [], "distributed.admin.tick.limit": "1h"}),
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, processes=True, memory_limit="400MiB", dashboard_address=":0"
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def test_a_worker_spills_what_is_too_much_and_goes_on(client):
    """Results are twice what the worker may hold; blocks of another size lie in the pool."""
    with dask.config.set({"array.backend": "bascule"}):
        assert float((da.ones((8000, 900), chunks=(1000, 900)) * 2).sum().compute()) == 16000 * 900
        x = (da.ones((50_000, 1000), chunks=(1000, 1000)) * 2).persist()
        assert not distributed.wait(x, timeout=60).not_done

    def state(dask_worker):
        return len(dask_worker.data.fast), len(dask_worker.data.slow), dask_worker.monitor.get_process_memory()

    ((fast, slow, used),) = client.run(state).values()
    assert fast > 0 and slow > 10 and used < 0.8 * 400 * MIB  # no more than has to be lies on disk
    assert float(x.sum().compute()) == 1e8


@pytest.mark.parametrize("shuffle", ["tasks", "p2p"])
def test_a_join_and_a_sort_of_more_than_a_worker_holds_finish(client, shuffle):
    """Persisted inputs of 1.5 times what the worker has for data, of which the join makes as much again. With "p2p" a third:
    Dask's own buffers of it are not spilled, and may leave a worker paused for good."""
    import dask.dataframe as dd
    import numpy as np

    rows, keys, parts = 300_000 if shuffle == "tasks" else 100_000, 4000, 8

    def table(i):
        at = np.arange(i * rows, (i + 1) * rows)
        return bpd.DataFrame({"k": at * 7919 % (keys * parts), "x": (at * 1_000_003 % (rows * parts)) / 8})

    def names(i):
        k = np.arange(i, keys * parts, parts)
        return bpd.DataFrame({"k": k, "y": k * 2})

    left, right = dd.from_map(table, range(parts)).persist(), dd.from_map(names, range(parts))
    joined = left.merge(right, on="k", shuffle_method=shuffle, broadcast=False)
    total = client.compute([(joined.y - 2 * joined.k).abs().sum(), joined.x.count(), joined.x.sum()])
    n = rows * parts
    assert [float(x) for x in client.gather(total)] == [0, n, n * (n - 1) / 16]
    if shuffle == "tasks":
        ordered = left.sort_values("x", shuffle_method=shuffle)
        found = ordered.x.map_partitions(lambda x: bpd.Series([x.min(), x.max(), float(len(x))]), meta=bpd.Series([0.5])).compute()  # fmt: skip
        low, high, counts = found.to_numpy().reshape(-1, 3).T
        assert counts.sum() == n and (low[1:] > high[:-1]).all()
