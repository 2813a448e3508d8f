"""One worker a device: what a worker is started with, and what it does where its device or its host is full."""

import pickle
import time

import bascule as bc
import bascule.dask
import bascule.pandas as bpd
import dask
import dask.array as da
import numpy as np
import pytest
from bascule import _core

distributed = pytest.importorskip("distributed", reason="distributed is not installed")

from bascule.dask import _cluster
from bascule.dask._device_memory import DeviceHostFile, OnHost

KIB = 1 << 10


@pytest.fixture
def data(tmp_path):
    """The results of a worker that may have 100 KiB on its device and twice that on the host."""
    with dask.config.set({"distributed.worker.memory.target": 0.5}):
        return DeviceHostFile(100 * KIB, 400 * KIB, str(tmp_path))


def chunk(k, n=40 * KIB):
    return bc.evaluate(bc.arange(n // 8) + k)


def test_what_is_too_much_goes_to_the_host_and_then_to_disk(data):
    with bc.device("reference"):
        for k in range(10):
            data[f"x-{k}"] = chunk(k)
    assert list(data.device) == ["x-8", "x-9"] and data.used == 80 * KIB
    assert len(data.host.fast) == 4 and len(data.host.slow) == 4 and len(data) == 10
    assert all(isinstance(x, OnHost) for x in data.host.fast.values())
    for k in range(10):
        x = data[f"x-{k}"]
        assert type(x) is bc.ndarray and x.device == "reference" and data.used <= 100 * KIB
        np.testing.assert_array_equal(x.get(), np.arange(5 * KIB) + k)
    assert sorted(data) == sorted(f"x-{k}" for k in range(10))
    del data["x-0"], data["x-9"]
    assert len(data) == 8 and "x-0" not in data and data.used == 40 * KIB


def test_what_was_asked_for_stays_on_the_device(data):
    with bc.device("reference"):
        data["a"], data["b"] = chunk(1), chunk(2)
        data["a"]
        data["c"] = chunk(3)
    assert set(data.device) == {"a", "c"}


def test_frames_and_lists_go_too_and_values_of_the_host_are_not_counted(data):
    with bc.device("reference"):
        data["frame"] = bpd.DataFrame({"x": np.arange(10_000), "s": ["a", "bb"] * 5000})
        data["list"] = [chunk(1), chunk(2)]
        data["chunk"] = chunk(3)
    data["host"] = chunk(4)
    data["text"] = "text"
    assert data["text"] == "text" and data["host"].device == "cpu" and {"host", "text"} <= set(data.host)
    assert "frame" not in data.device
    frame = data["frame"]
    assert frame._device() == "reference" and frame.s.tolist()[:2] == ["a", "bb"] and int(frame.x.sum()) == 49995000
    assert [int(x[0]) for x in data["list"]] == [1, 2]
    data["host"] = 3  # another value under the key
    assert data["host"] == 3 and len(data) == 5


def test_the_memory_monitor_may_write_to_disk(data):
    data["host"] = chunk(4)
    assert len(data.fast) == 1 and data.evict() >= 40 * KIB and len(data.fast) == 0 and data.evict() == -1
    np.testing.assert_array_equal(data["host"].get(), chunk(4).get())


def damage(path, how):
    if how == "gone":
        path.unlink()
    elif how == "cut":
        path.write_bytes(path.read_bytes()[:-100])
    else:
        with path.open("r+b") as file:
            file.seek(-1000, 2)
            file.write(b"x" * 8)


@pytest.mark.parametrize("how", ["changed", "cut", "gone"])
@pytest.mark.parametrize("device", ["reference", "cpu"])
def test_a_damaged_file_is_an_error_that_names_the_key_and_the_file(data, tmp_path, how, device):
    keys = [("x", k) for k in range(10)]
    with bc.device(device):
        for k, key in enumerate(keys):
            data[key] = chunk(k)
    (path,) = [p for p in (tmp_path / "storage").iterdir() if p.name.startswith("%28%27x%27%2C%200%29#")]
    damage(path, how)
    for _ in range(2):
        with pytest.raises(OSError, match="cannot read") as caught:
            data[keys[0]]
        assert str(keys[0]) in str(caught.value) and str(path) in str(caught.value)
    np.testing.assert_array_equal(data[keys[1]].get(), chunk(1).get())
    del data[keys[0]]
    data[keys[0]] = 3
    assert data[keys[0]] == 3


def test_a_disk_that_takes_nothing_is_named_and_nothing_is_lost(data, tmp_path, caplog):
    (tmp_path / "storage").rmdir()
    for k in range(10):
        data[k] = chunk(k)
    assert not data.host.slow and len(data.host.fast) == 10
    assert str(tmp_path / "storage") in caplog.text and "cannot spill 0 (" in caplog.text
    for k in range(10):
        np.testing.assert_array_equal(data[k].get(), chunk(k).get())


def test_a_limit_is_bytes_or_a_share(tmp_path):
    for given, n in ((1000, 1000), ("1 kB", 1000), (0.5, None)):
        data = DeviceHostFile(given, 10_000, str(tmp_path))
        assert data.limit == n if n else data.limit > 1 << 20
    with pytest.raises(ValueError, match="device_memory_limit is a positive"):
        DeviceHostFile(0, 10_000, str(tmp_path))


def state(dask_worker):
    import os

    import bascule as bc

    names = ("BASCULE_DEVICE", "BASCULE_NUM_THREADS", "CUDA_VISIBLE_DEVICES")
    data = dask_worker.data
    return {**{n: os.environ.get(n) for n in names}, "device": bc.ones(1).device, "data": type(data).__name__,
            "used": getattr(data, "used", None), "nthreads": dask_worker.state.nthreads}  # fmt: skip


def test_one_call_gives_workers_on_any_machine(monkeypatch):
    monkeypatch.setattr(_cluster, "_gpus", lambda: 0)
    with bascule.dask.Client(n_workers=2, threads_per_worker=1, memory_limit="1 GiB") as client:
        found = list(client.run(state).values())
        assert len(found) == 2 and {f["device"] for f in found} == {"cpu"} and {f["nthreads"] for f in found} == {1}
        with dask.config.set({"array.backend": "bascule"}):
            assert float((da.ones((100, 100), chunks=50) + 1).sum().compute()) == 20_000
        cluster = client.cluster
    assert cluster.status.name == "closed"


def test_workers_have_a_device_each_and_spill_from_it():
    with (
        bascule.dask.LocalDeviceCluster(devices=["reference"], memory_limit="1 GiB", device_memory_limit="1 MB") as cluster,
        distributed.Client(cluster) as client,
    ):  # fmt: skip
        ((found),) = client.run(state).values()
        assert found["device"] == "reference" and found["data"] == "DeviceHostFile"
        with dask.config.set({"array.backend": "bascule"}), bc.device("reference"):
            x = (da.ones((600, 1000), chunks=(50, 1000)) * 2).persist()
            distributed.wait(x)
            assert 0 < list(client.run(state).values())[0]["used"] <= 1_000_000
            assert float(x.sum().compute()) == 1_200_000
        with pytest.raises(ValueError, match="2 workers are more than the devices"):
            cluster.scale(2)


def test_chunks_of_a_device_are_rechunked_from_worker_to_worker():
    with (
        bascule.dask.LocalDeviceCluster(devices=["reference", "reference"], memory_limit="1 GiB") as cluster,
        distributed.Client(cluster),
        dask.config.set({"array.backend": "bascule", "array.rechunk.method": "p2p"}),
        bc.device("reference"),
    ):  # fmt: skip
        x = da.arange(60_000, chunks=20_000).reshape(300, 200) + 0.5
        found = x.rechunk((300, 20)).map_blocks(lambda a: np.array([[a.device]])).compute()
        assert set(np.asarray(found).ravel()) == {"reference"}
        made = x.rechunk((300, 20)).compute()
        np.testing.assert_array_equal(made.get(), np.arange(60_000).reshape(300, 200) + 0.5)


def test_gpus_are_rotated_so_that_each_worker_sees_its_own_first(monkeypatch):
    monkeypatch.setattr(_cluster, "_gpus", lambda: 3)
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    assert _cluster.devices_of_this_machine() == ["cuda:0", "cuda:1", "cuda:2"]
    assert [_cluster._rotated(k) for k in range(3)] == ["0,1,2", "1,2,0", "2,0,1"]
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "5,7")
    assert _cluster._rotated(1) == "7,5"


def test_options_of_a_cluster_are_not_lost_by_an_asynchronous_client():
    with pytest.raises(TypeError, match="n_workers are of a cluster"):
        bascule.dask.Client(asynchronous=True, n_workers=3)


def test_a_cluster_may_start_without_workers():
    with bascule.dask.LocalDeviceCluster(n_workers=0, devices=["cpu"], processes=False) as cluster:
        assert not cluster.workers


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="there is no device 'tpu'"):
        bascule.dask.LocalDeviceCluster(devices=["tpu"])
    with pytest.raises(ValueError, match="3 workers are more than the devices"):
        bascule.dask.LocalDeviceCluster(3, devices=["reference"])
    with pytest.raises(ValueError, match="needs a device"):
        bascule.dask.LocalDeviceCluster(devices=[])
    with pytest.raises(TypeError, match="n_workers are of a cluster"):
        bascule.dask.Client("tcp://nowhere:1", n_workers=2)
    assert _core.get_default_device() == "cpu"


def test_tasks_that_no_worker_can_run_are_warned_of():
    """Dask leaves them pending without a word."""
    reported = []
    with bascule.dask.Client(n_workers=1, threads_per_worker=1) as client:
        client.subscribe_topic("warn", reported.append)
        with dask.annotate(resources={"GPU": 1}):
            x = dask.delayed(int)(3)
        future = client.compute(x, optimize_graph=False)
        for _ in range(1000):
            if reported:
                break
            time.sleep(0.05)
        ((_, said),) = reported
        text = pickle.loads(said["message"])
        assert text.startswith("[dask] 1 tasks, 'int-") and text.endswith("GPU=1, and none has that")
        assert pickle.loads(said["category"]) is RuntimeWarning
        assert not future.done()
        future.cancel()
        with dask.annotate(resources={}):
            assert client.compute(dask.delayed(int)(4), optimize_graph=False).result() == 4
        assert len(reported) == 1


@pytest.mark.parametrize("wrong, error, said", [
    ({"devices": ["cuda:0"]}, ValueError, "there is no device 'cuda:0': this machine has no GPU"),
    ({"devices": ["cpu", "cuda:1"]}, ValueError, "there is no device 'cuda:1'"),
    ({"bogus": 1}, TypeError, "neither a cluster nor its workers have an option bogus"),
    ({"rmm_pool_size": "1GB", "jit_unspill": True}, TypeError, "an option jit_unspill, rmm_pool_size"),
    ({"preload": ["there_is_no_such_module"]}, RuntimeError, "failed to start"),
])  # fmt: skip
def test_a_cluster_whose_workers_cannot_start_raises_at_once(wrong, error, said, monkeypatch):
    monkeypatch.setattr(_cluster, "_gpus", lambda: 0)
    with pytest.raises(error, match=said):
        bascule.dask.LocalDeviceCluster(1, **wrong)
    assert not [c for c in bascule.dask.LocalDeviceCluster._instances if c.status.name == "running"]


def test_workers_may_be_in_this_process():
    with bascule.dask.LocalDeviceCluster(1, devices=["cpu"], processes=False) as cluster, distributed.Client(cluster):
        with dask.config.set({"array.backend": "bascule"}):
            assert len(cluster.workers) == 1 and float(da.ones(9, chunks=4).sum().compute()) == 9


def device_of(x):
    return np.full(x.shape, x.device == "reference")


MADE = {
    "ones": lambda: da.ones((8, 6), chunks=4),
    "full": lambda: da.full((8, 6), 2.5, chunks=4),
    "arange": lambda: da.arange(12, chunks=4),
    "arange from": lambda: da.arange(2, 30.0, 0.5, chunks=9),
    "generator": lambda: da.random.default_rng(1).normal(size=(8, 6), chunks=4),
    "RandomState": lambda: da.random.RandomState(1).normal(size=(8, 6), chunks=4),
    "module": lambda: da.random.random((8, 6), chunks=4),
    "brought": lambda: da.from_array(np.arange(24.0), chunks=6).to_backend("bascule"),
}


def test_chunks_lie_on_the_device_of_the_worker_unless_the_user_names_one():
    with (
        bascule.dask.LocalDeviceCluster(devices=["reference"], memory_limit="1 GiB") as cluster,
        distributed.Client(cluster),
        dask.config.set({"array.backend": "bascule"}),
    ):
        there = {
            name: make().map_blocks(device_of, dtype=bool, meta=np.empty((0,) * make().ndim, bool))
            for name, make in MADE.items()
        }
        (found,) = dask.compute(there)
        assert all(x.all() for x in found.values()), {name: x.mean() for name, x in found.items()}
        named = da.ones((8, 6), chunks=4, device="cpu").map_blocks(device_of, dtype=bool, meta=np.empty((0, 0), bool))
        assert not named.compute().any()
        np.testing.assert_array_equal((da.arange(9, chunks=4) * 2).compute().get(), np.arange(9) * 2)


NAMED = {
    "ones": lambda **k: da.ones((8, 6), chunks=4, **k),
    "zeros": lambda **k: da.zeros((8, 6), chunks=4, **k),
    "empty": lambda **k: da.empty((8, 6), chunks=4, **k),
    "full": lambda **k: da.full((8, 6), 2.5, chunks=4, **k),
}


@pytest.mark.parametrize("name", NAMED)
def test_names_of_collections_distinguish_their_devices_and_nothing_else(name):
    """Collections of one name are one to a cluster: one would take the other's chunks, and their device."""
    make = NAMED[name]
    with dask.config.set({"array.backend": "bascule"}):
        default, chosen = {make().name for _ in range(40)}, {make(device="cpu").name for _ in range(40)}
        reference = {make(device="reference").name for _ in range(40)}
    assert len(default) == len(chosen) == len(reference) == len(default | chosen | reference) - 2 == 1


def test_names_of_ranges_distinguish_their_devices_and_nothing_else():
    with dask.config.set({"array.backend": "bascule"}):
        default = {da.arange(9, chunks=4).name for _ in range(40)}
        chosen = {da.arange(9, chunks=4, like=bc.zeros(())).name for _ in range(40)}
    assert len(default) == len(chosen) == 1 and default != chosen


@pytest.mark.parametrize("name", [n for n in MADE if n != "module"])  # whose generator Dask makes once for all
def test_without_a_cluster_chunks_lie_where_the_collection_was_made(name):
    with dask.config.set({"array.backend": "bascule"}):
        on_cpu = MADE[name]()
        with bc.device("reference"):
            on_reference = MADE[name]()
            assert on_cpu.compute(scheduler="sync").device == "cpu"
        for scheduler in ("sync", "bascule"):
            assert on_reference.compute(scheduler=scheduler).device == "reference"


@pytest.mark.parametrize("version", [None, "0.0.1", "same"])
def test_workers_of_another_version_or_without_bascule_are_named(version, monkeypatch):
    asked = distributed.Client._get_versions

    async def versions(self, **options):
        found = await asked(self, **options)
        for there in found["workers"].values():
            if version != "same":
                there["packages"]["bascule"] = version
        return found

    monkeypatch.setattr(distributed.Client, "_get_versions", versions)
    with distributed.LocalCluster(n_workers=1, processes=False, dashboard_address=":0") as cluster:
        (address,) = cluster.scheduler_info["workers"]
        if version is None:
            with pytest.raises(RuntimeError, match=f"1 of 1 workers have no bascule: {address}; install bascule"):
                bascule.dask.Client(cluster)
        elif version == "same":
            bascule.dask.Client(cluster).close()
        else:
            with pytest.warns(RuntimeWarning, match=f"but {address} has 0.0.1"):
                bascule.dask.Client(cluster).close()


def test_dask_itself_compares_the_versions():
    assert distributed.versions.get_versions()["packages"]["bascule"] == bc.__version__
