"""Zarr and HDF5 as sources and targets of bascule's chunks."""

import bascule as bc
import bascule.dask
import dask
import dask.array as da
import numpy as np
import pytest

zarr = pytest.importorskip("zarr", reason="zarr is not installed")
HOST = np.arange(600, dtype="i4").reshape(20, 30)


@pytest.fixture(autouse=True)
def _ours():
    with dask.config.set({"array.backend": "bascule"}), bascule.dask.follow_config():
        yield


@pytest.fixture
def stored(tmp_path):
    array = zarr.create_array(str(tmp_path / "x.zarr"), shape=HOST.shape, chunks=(7, 30), dtype=HOST.dtype)
    array[:] = HOST
    return array


def check(x, wanted, scheduler):
    got = x.compute(scheduler=scheduler)
    assert type(x._meta) is bc.ndarray and type(got) is bc.ndarray and got.dtype == wanted.dtype
    np.testing.assert_array_equal(got.get(), wanted)


@pytest.mark.parametrize("scheduler", ["bascule", "threads"])
def test_arrays_of_zarr_become_chunks(stored, scheduler, tmp_path):
    check(da.from_zarr(str(tmp_path / "x.zarr")), HOST, scheduler)
    check(da.from_zarr(stored) * 2 + 1, HOST * 2 + 1, scheduler)
    check(da.from_array(stored, chunks=(7, 30))[3:9, ::2], HOST[3:9, ::2], scheduler)
    check(da.from_zarr(stored).sum(axis=0), HOST.sum(axis=0), scheduler)


@pytest.mark.parametrize("scheduler", ["bascule", "threads"])
def test_blocks_are_mapped_to_what_a_store_holds(stored, scheduler):
    def block(x, block_info=None):
        where = tuple(slice(*w) for w in block_info[None]["array-location"])
        return bc.asarray(stored[where]) + x

    x = da.zeros((20, 30), chunks=(10, 10), dtype="i4").map_blocks(block, dtype="i4")
    check(x, HOST, scheduler)
    # a store as the function: indexed by what is mapped
    rows = da.arange(20, chunks=5).map_blocks(
        lambda i: bc.asarray(stored.oindex[i.get(), slice(None)]), new_axis=1, chunks=(5, 30), dtype="i4"
    )
    check(rows, HOST, scheduler)


@pytest.mark.parametrize("scheduler", ["bascule", "threads"])
def test_chunks_are_written_to_zarr(scheduler, tmp_path):
    x = da.from_array(HOST, chunks=(7, 30)) + 1
    with dask.config.set(scheduler=scheduler):
        x.to_backend("numpy").to_zarr(str(tmp_path / "y.zarr"))
    np.testing.assert_array_equal(zarr.open(str(tmp_path / "y.zarr"))[:], HOST + 1)
    check(da.from_zarr(str(tmp_path / "y.zarr")), HOST + 1, scheduler)


@pytest.mark.parametrize("scheduler", ["bascule", "threads"])
def test_datasets_of_hdf5_become_chunks(scheduler, tmp_path):
    h5py = pytest.importorskip("h5py", reason="h5py is not installed")
    with h5py.File(tmp_path / "x.h5", "w") as file:
        file["x"] = HOST
    with h5py.File(tmp_path / "x.h5") as file:
        x = da.from_array(file["x"], chunks=(7, 11))
        check(x, HOST, scheduler)
        check((x - x.mean(axis=0)).max(axis=1), (HOST - HOST.mean(axis=0)).max(axis=1), scheduler)


@pytest.mark.parametrize("scheduler", ["bascule", "threads"])
def test_chunks_may_be_kept_as_arrays_of_zarr(scheduler):
    """Compressed in memory, and taken out of it block by block."""
    with dask.config.set(scheduler=scheduler):
        kept = (da.from_array(HOST, chunks=(7, 30)) + 1).map_blocks(zarr.array, dtype="i4").persist()
        assert type(kept.blocks[0].compute()) is zarr.Array
    x = kept.map_blocks(lambda z: bc.asarray(z[:]), dtype="i4", meta=bc.empty((0, 0), dtype="i4"))
    check(x, HOST + 1, scheduler)
    check(x.sum(axis=0), (HOST + 1).sum(axis=0), scheduler)
