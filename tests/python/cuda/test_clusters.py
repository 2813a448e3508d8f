"""A cluster of this machine's cards, two of the fake driver: a worker each, limits, spilling, and transfers. All emulated."""

import importlib.util

import emulated_cuda
import pytest

PROGRAM = """
import dask, distributed
import dask.array as da
import pandas
import bascule.dask
import bascule.pandas as pd

def state(dask_worker):
    import os
    import bascule as bc
    data = dask_worker.data
    return (os.environ["CUDA_VISIBLE_DEVICES"], bc.ones(1).device, type(data).__name__, data.used, len(data.host), dask_worker.address)

def main():
    with (
        bascule.dask.LocalDeviceCluster(memory_limit="1 GiB", device_memory_limit="1 MB", protocol=PROTOCOL, host="127.0.0.1") as cluster,
        distributed.Client(cluster) as client,
        dask.config.set({"array.backend": "bascule", "dataframe.backend": "bascule"}),
    ):
        first, second = sorted(client.run(state).values())
        assert (first[:3], second[:3]) == (("0,1", "cuda", "DeviceHostFile"), ("1,0", "cuda", "DeviceHostFile")), (first, second)
        assert first[5].startswith(PROTOCOL + "://"), first
        x = (da.ones((600, 1000), chunks=(50, 1000)) * da.arange(1000, chunks=1000)).persist()
        distributed.wait(x)
        now = list(client.run(state).values())
        assert all(0 < used <= 1_000_000 for *_, used, _, _ in now) and sum(n for *_, n, _ in now) > 0, now
        across = x.rechunk((600, 100)).sum(axis=0).compute()  # chunks travel between the workers
        assert across.device.startswith("cuda"), across.device
        np.testing.assert_array_equal(across.get(), 600.0 * np.arange(1000))
        rng = np.random.default_rng(1)
        left = pandas.DataFrame({"k": rng.integers(0, 40, 3000), "v": rng.random(3000)})
        right = pandas.DataFrame({"k": np.arange(40), "s": [f"text {k}" for k in range(40)]})
        import dask.dataframe as dd
        ours = dd.from_pandas(left, npartitions=6).to_backend("bascule"), dd.from_pandas(right, npartitions=2).to_backend("bascule")
        found = ours[0].merge(ours[1], on="k").groupby("s").v.mean().compute().to_pandas()
        expected = left.merge(right, on="k").groupby("s").v.mean()
        pandas.testing.assert_series_equal(found.sort_index(), expected, check_index_type=False)

if __name__ == "__main__":
    main()
    print("done")
"""


def run(protocol, tmp_path, **more):
    file = tmp_path / "cluster.py"
    file.write_text(
        f"PROTOCOL = {protocol!r}\nimport numpy as np\nimport bascule as bc\n" + PROGRAM
    )  # workers import this file
    return emulated_cuda.run(
        f"import runpy\nrunpy.run_path({str(file)!r}, run_name='__main__')",
        BASCULE_DEVICE="cuda",
        BASCULE_FAKE_CUDA_DEVICES="2",
        **more,
    )


def test_each_card_has_a_worker(tmp_path):
    pytest.importorskip("distributed", reason="distributed is not installed")
    assert run("tcp", tmp_path).endswith("done")


@pytest.mark.skipif(
    importlib.util.find_spec("distributed_ucxx") is None, reason="UCX is missing: distributed-ucxx-cu13"
)
def test_workers_talk_by_ucx(tmp_path):
    assert run("ucxx", tmp_path, UCX_TLS="tcp,self", DASK_DISTRIBUTED__UCXX__CREATE_CUDA_CONTEXT="False").endswith(
        "done"
    )
