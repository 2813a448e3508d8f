"""``scheduler="bascule"`` within a limit of memory: what does not fit goes to files and comes back."""

import errno
import os
import threading

import bascule as bc
import bascule.dask
import bascule.pandas as bpd
import dask
import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas
import pytest
from bascule.sched import _spill
from dask._task_spec import Task, TaskRef
from dask.diagnostics import CacheProfiler

ROWS, KEYS = 24_000, 3_000
LIMIT = ROWS * 16 // 3  # of what the larger table holds


@pytest.fixture
def spilled(monkeypatch):
    """Bytes that runs have written, one after the other."""
    written = []
    end = _spill.Spill.__exit__
    monkeypatch.setattr(_spill.Spill, "__exit__", lambda self, *a: written.append(self.written) or end(self, *a))
    return written


def tables():
    rng = np.random.default_rng(0)
    left = pandas.DataFrame({"k": rng.integers(0, KEYS, ROWS), "x": rng.permutation(ROWS) / 7})
    return left, pandas.DataFrame({"k": rng.permutation(KEYS), "y": rng.random(KEYS)})


def of_partitions(x, n):
    return dd.from_pandas(bpd.from_pandas(x), npartitions=n, sort=False)


def limited(x, folder, limit=LIMIT, **options):
    return x.compute(scheduler="bascule", memory_limit=limit, spill_directory=folder, **options)


@pytest.mark.parametrize("workers", [1, 3])
def test_a_join_of_three_times_the_limit(workers, tmp_path, spilled):
    left, right = tables()
    joined = of_partitions(left, 10).merge(of_partitions(right, 5), on="k", shuffle_method="tasks", broadcast=False)
    got = limited(joined, tmp_path, num_workers=workers).to_pandas()
    wanted = left.merge(right, on="k").sort_values("x", ignore_index=True)
    pandas.testing.assert_frame_equal(got.sort_values("x", ignore_index=True), wanted)
    assert spilled[0] > LIMIT and not os.listdir(tmp_path)


def described(part):
    return bpd.DataFrame({"first": [part.x.min()], "last": [part.x.max()], "n": [len(part)], "sorted": [part.x.is_monotonic_increasing]})  # fmt: skip


@pytest.mark.parametrize("workers", [1, 3])
def test_a_sort_of_three_times_the_limit(workers, tmp_path, spilled):
    left, _ = tables()
    ordered = of_partitions(left, 10).sort_values("x", shuffle_method="tasks")
    meta = bpd.DataFrame({"first": [0.5], "last": [0.5], "n": [1], "sorted": [True]}).iloc[:0]
    parts = limited(ordered.map_partitions(described, meta=meta), tmp_path, num_workers=workers).to_pandas()
    parts = parts[parts.n > 0]
    assert len(parts) > 5 and parts.n.sum() == ROWS and parts.sorted.all()
    assert (parts["first"].to_numpy()[1:] > parts["last"].to_numpy()[:-1]).all()
    assert spilled[0] > LIMIT and not os.listdir(tmp_path)
    got = limited(ordered, tmp_path, num_workers=workers).to_pandas()
    pandas.testing.assert_frame_equal(got, left.sort_values("x"))


@pytest.mark.parametrize("backend", ["numpy", "bascule"])
def test_chunks_that_are_read_twice(backend, tmp_path, spilled):
    with dask.config.set({"array.backend": backend}):
        x = da.ones((400, 400), chunks=40).cumsum(axis=0)
        y = (x - x.mean()).rechunk((400, 20)).std(axis=0)
    wanted = y.compute(scheduler="sync")
    got = limited(y, tmp_path, "400 kB", num_workers=2)
    assert type(got) is type(wanted)
    np.testing.assert_allclose(np.asarray(got), np.asarray(wanted), rtol=1e-12)
    assert spilled[0] > 400_000 and not os.listdir(tmp_path)


def test_results_that_stay_come_back_from_disk(tmp_path, spilled):
    with dask.config.set({"array.backend": "bascule"}):
        x = (da.arange(40_000, chunks=1000) * 3).persist(
            scheduler="bascule", memory_limit=60_000, spill_directory=tmp_path
        )
    assert spilled[0] > 100_000
    np.testing.assert_array_equal(x.compute(scheduler="sync").get(), np.arange(40_000) * 3)


def test_settings_of_dask_are_obeyed(tmp_path, spilled):
    with dask.config.set({"array.backend": "bascule"}):
        x = da.ones((300, 300), chunks=30).cumsum(axis=0)
        x = x + x[::-1]
    with dask.config.set(
        {"scheduler": "bascule", "bascule.memory-limit": "100 kB", "temporary-directory": str(tmp_path)}
    ):
        assert float(x.sum().compute()) == 301 * 300 * 300
        with dask.config.set({"bascule.spill-directory": False}):
            assert float(x.sum().compute()) == 301 * 300 * 300
        with dask.config.set({"bascule.spill-directory": str(tmp_path / "nowhere")}):
            with pytest.raises(FileNotFoundError, match="nowhere"):
                x.sum().compute()
    assert spilled[0] > 100_000 and spilled[1] == 0 and not os.listdir(tmp_path)


def test_callbacks_do_not_keep_what_is_spilled(tmp_path, spilled):
    with dask.config.set({"array.backend": "bascule"}):
        x = da.ones((300, 300), chunks=30).cumsum(axis=0)
        x = (x + x[::-1]).sum()
    with CacheProfiler() as cache:
        assert float(limited(x, tmp_path, 100_000, num_workers=1)) == 301 * 300 * 300
    assert spilled[0] > 100_000 and len(cache.results) > 100


class Disk:
    """Takes so many bytes and is full."""

    def __init__(self, room):
        self.room = room

    def __call__(self, path, mode):
        file = open(path, mode)
        if mode != "xb":
            return file
        disk, write = self, file.write

        class Full:
            def __enter__(self):
                return self

            def __exit__(self, *_):
                file.close()

            def write(self, data):
                disk.room -= data.nbytes
                if disk.room < 0:
                    write(data[: data.nbytes // 2])
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                return write(data)

        return Full()


def test_a_full_disk_is_named_and_the_inputs_stay(tmp_path, monkeypatch):
    with dask.config.set({"array.backend": "bascule"}):
        x = (da.arange(90_000, chunks=1000) + 0.5).persist(scheduler="sync")
        y = (x * 2).rechunk(30_000)[::-1].sum() + (x * 2 + 1).rechunk(45_000).max()
    wanted = float(y.compute(scheduler="sync"))
    monkeypatch.setattr(_spill, "open", Disk(100_000), raising=False)
    with pytest.raises(OSError, match="No space left on device") as caught:
        limited(y, tmp_path, 200_000, num_workers=2)
    error = caught.value
    assert error.errno == errno.ENOSPC and error.filename.startswith(str(tmp_path)) and error.filename in str(error)
    assert "cannot spill ('" in str(error) and " MB) to " in str(error)
    assert not os.listdir(tmp_path)
    monkeypatch.setattr(_spill, "open", Disk(1 << 40), raising=False)
    assert float(limited(y, tmp_path, 200_000, num_workers=2)) == wanted


class Handle:
    """An object that cannot leave this process."""

    def __init__(self, n):
        self.lock, self.n = threading.Lock(), n

    def __sizeof__(self):
        return 10_000


def test_what_is_no_data_stays(tmp_path, spilled):
    graph = {("a", i): Task(("a", i), Handle, i) for i in range(20)}
    graph |= {("b", i): Task(("b", i), lambda h: {"n": [np.full(2000, h.n)]}, TaskRef(("a", i))) for i in range(20)}
    graph["c"] = Task("c", lambda *xs: (sum(h.n for h in xs[:20]), sum(int(d["n"][0][-1]) for d in xs[20:])),
                      *(TaskRef((k, i)) for k in "ab" for i in range(20)))  # fmt: skip
    get = dask.base.get_scheduler(scheduler="bascule")
    assert get(graph, "c", memory_limit=50_000, spill_directory=tmp_path, num_workers=2) == (190, 190)
    assert 0 < spilled[0] <= 20 * 16_000


def test_graphs_without_dask_spill_where_they_are_asked_to(tmp_path, spilled):
    def run(limit, folder):
        g = bc.sched.Graph()
        parts = [g.add(lambda i: [bc.arange(2000) + i], i, key=f"part {i}") for i in range(30)]
        sums = g.add(lambda xs: sum(int(x[0].sum()) for x in xs), parts, key="sums")
        last = [g.add(lambda s, x: (s, bpd.Series(x[0])), sums, x) for x in parts]
        return g.run([last, parts], memory_limit=limit, spill_directory=folder, threads=2)

    (pairs, parts) = run(100_000, tmp_path)
    total = sum(sum(range(i, i + 2000)) for i in range(30))
    assert [s for s, _ in pairs] == [total] * 30
    for i, ((_, series), (part,)) in enumerate(zip(pairs, parts)):
        np.testing.assert_array_equal(part.get(), np.arange(2000) + i)
        np.testing.assert_array_equal(series.to_numpy(), np.arange(2000) + i)
    assert spilled[0] > 100_000 and not os.listdir(tmp_path)
    with pytest.raises(FileNotFoundError, match="cannot spill 'part .*nowhere"):
        run(100_000, tmp_path / "nowhere")
    run(None, tmp_path / "nowhere")
    assert spilled[1:] == [0, 0]


def _zeros(f, size):
    f.seek(size // 3)
    f.write(bytes(min(64, size - size // 3)))


def _one_bit(f, size):
    f.seek(size - 1)
    last = f.read(1)[0]
    f.seek(size - 1)
    f.write(bytes([last ^ 1]))


def _cut(f, size):
    f.truncate(size - 1)


OUTPUTS = {
    "chunk": lambda: bc.arange(1000) + 0.5,
    "of NumPy": lambda: np.arange(1, 1001, dtype="i4"),
    "frame": lambda: bpd.DataFrame({"x": np.arange(1, 500), "s": [f"s{i}" for i in range(499)]}),
    "of pandas": lambda: pandas.DataFrame({"x": np.arange(1, 500), "y": np.arange(1, 500.0)}),
    "list": lambda: [bc.arange(1, 9), {"a": np.arange(1, 5)}],
}


@pytest.mark.parametrize("output", OUTPUTS)
@pytest.mark.parametrize("damage", [_zeros, _one_bit, _cut, None])
def test_a_damaged_file_is_reported_and_never_read_as_data(output, damage, tmp_path):
    outputs = {("x", 0): OUTPUTS[output]()}
    with _spill.Spill(outputs, tmp_path) as spill:
        assert spill.spill(("x", 0))
        path = spill.files["x", 0].path
        with open(path, "r+b") as f:
            if damage is not None:
                damage(f, os.path.getsize(path))
        if damage is None:
            np.testing.assert_equal(repr(spill.fetch(("x", 0))), repr(OUTPUTS[output]()))
            return
        with pytest.raises(OSError, match="written to it") as caught:
            spill.fetch(("x", 0))
        assert caught.value.filename == path and path in str(caught.value) and "('x', 0)" in str(caught.value)
