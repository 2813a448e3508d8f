"""dask.array with bascule chunks against dask.array with NumPy chunks: values, dtypes, and meta against results."""

import bascule as bc
import dask
import dask.array as da
import numpy as np
import pytest
from dask_workloads import PROGRAMS, Maker

# Dask makes host arrays inside these.
HOST = {"frompyfunc", "masked_greater", "to numpy", "fft, to numpy"}


def run(backend, name, **how):
    """The meta, and the result."""
    maker = Maker(backend)
    with maker.settings(), dask.config.set(**how):
        r = PROGRAMS[name](maker)
        return (r._meta, r.compute()) if isinstance(r, da.Array) else (None, r)


def same(got, wanted):
    if isinstance(wanted, (list, tuple)):
        assert len(got) == len(wanted)
        for g, w in zip(got, wanted):
            same(g, w)
        return
    if isinstance(got, da.Array):
        got = got.compute()
    if isinstance(wanted, da.Array):
        wanted = wanted.compute()
    got = got.get() if type(got) is bc.ndarray else got
    assert np.asarray(got).dtype == np.asarray(wanted).dtype
    np.testing.assert_allclose(got, wanted, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_bascule_chunks_compute_what_numpy_chunks_do(name):
    meta_of_numpy, wanted = run("numpy", name, scheduler="sync")
    meta, got = run("bascule", name, scheduler="sync")
    same(got, wanted)
    if meta is not None:
        array = type(wanted) is np.ndarray  # else a scalar of NumPy's, here too
        assert type(got) is (bc.ndarray if array and name not in HOST else type(wanted))
        assert type(meta) is (bc.ndarray if array and name not in HOST else type(meta_of_numpy))
        assert meta.dtype == got.dtype and meta.ndim == got.ndim


@pytest.mark.parametrize(
    "name", ["every other element of a sum", "matmul", "std of columns", "percentile", "q times r"]
)
def test_threads_compute_the_same(name):
    _, wanted = run("bascule", name, scheduler="sync")
    for _ in range(3):
        _, got = run("bascule", name, scheduler="threads", num_workers=4)
        assert type(got) is type(wanted) and np.asarray(got).tobytes() == np.asarray(wanted).tobytes()


def test_what_takes_no_empty_chunk_is_of_the_class_of_its_chunks():
    """Dask tries functions on chunks of no elements; those that raise there may not be taken for NumPy's."""

    def picky(x):
        if not x.size:
            raise ValueError("no elements")
        return x * 2

    for kind in (bc.asarray, np.asarray):
        x = da.from_array(kind(np.arange(12.0).reshape(3, 4)), chunks=2)
        y = x.map_blocks(picky, dtype="f8")
        assert type(y._meta) is type(y.compute(scheduler="sync")) is type(x._meta)
        assert type(y.to_backend("numpy").compute(scheduler="sync")) is np.ndarray
        assert type(y.sum()._meta) is np.ndarray and type(y.sum().compute(scheduler="sync")) is np.float64
        z = x.map_blocks(picky, dtype=object)
        assert type(z._meta) is np.ndarray  # of a type that bascule has not
