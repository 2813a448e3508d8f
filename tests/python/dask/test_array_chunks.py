"""Hooks of Dask for single chunks: size, token, frames, devices, spilling."""

import threading

import bascule as bc
import dask
import dask.array as da
import numpy as np
import pytest
from bascule import _core
from dask.base import tokenize
from dask.sizeof import sizeof

protocol = pytest.importorskip("distributed.protocol", reason="distributed is not installed")

DTYPES = ["?", "i1", "u2", "i4", "u8", "f2", "f4", "f8", "c8", "c16", "M8[ns]", "m8[3h]"]
LAYOUTS = {
    "dense": lambda n: n,
    "Fortran": lambda n: n.T,
    "axes exchanged": lambda n: n.transpose(1, 0, 2),
    "every other": lambda n: n[::2],
    "reversed": lambda n: n[:, ::-1],
    "one element": lambda n: n[1, 2, 0, ...],
    "one element, as a scalar": lambda n: _core.keep_scalar(n[1, 2, 0, ...]) if type(n) is bc.ndarray else n[1, 2, 0],
    "empty": lambda n: n[:, 2:2],
    "new axis": lambda n: n[None, :, 0],
    "repeated along the middle": lambda n: (bc if type(n) is bc.ndarray else np).broadcast_to(n[:, :1], (3, 5, 2)),
    "repeated everywhere": lambda n: (bc if type(n) is bc.ndarray else np).broadcast_to(n[0, 0, 0], (3, 5, 2)),
    "repeated and exchanged": lambda n: (bc if type(n) is bc.ndarray else np).broadcast_to(n[:, :1], (3, 5, 2)).T,
}


def there_and_back(a, frames=lambda f: f):
    header, sent = protocol.serialize(a)
    assert header["serializer"] == "dask"
    return protocol.deserialize(header, frames(sent)), sent


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_frames_keep_values_shapes_and_layouts(layout, dtype):
    n = np.arange(24).reshape(3, 4, 2).astype(dtype)
    a, wanted = LAYOUTS[layout](bc.asarray(n)), LAYOUTS[layout](n)
    got, frames = there_and_back(a)
    assert len(frames) == 1 and frames[0].nbytes == sizeof(a)
    assert type(got) is bc.ndarray and got.dtype == wanted.dtype and got.shape == wanted.shape
    np.testing.assert_array_equal(got.get(), wanted)
    assert _core.is_scalar(got) == _core.is_scalar(a)
    axes = [k for k in range(a.ndim) if a.shape[k] > 1 and a.size]
    assert [got.strides[k] == 0 for k in axes] == [a.strides[k] == 0 for k in axes]
    assert sorted(axes, key=lambda k: -abs(got.strides[k])) == sorted(axes, key=lambda k: -abs(a.strides[k]))


@pytest.mark.parametrize(
    "frames", [lambda f: [bytes(f[0])], lambda f: [bytearray(f[0])], lambda f: [f[0][:7], f[0][7:]]]
)
def test_frames_may_arrive_read_only_or_in_pieces_and_the_result_is_its_own(frames):
    a = bc.arange(100.0)
    got, sent = there_and_back(a, frames)
    got += 1
    np.testing.assert_array_equal(got.get(), np.arange(100.0) + 1)
    np.testing.assert_array_equal(a.get(), np.arange(100.0))


def test_a_waiting_chunk_is_evaluated_before_it_is_measured_or_sent():
    for leave in (sizeof, lambda a: protocol.serialize(a), tokenize, lambda a: __import__("pickle").dumps(a)):
        a = bc.arange(100_000.0) + 1
        assert _core.is_pending(a)
        leave(a)
        assert not _core.is_pending(a)


def test_size_is_that_of_the_memory():
    assert sizeof(bc.zeros((10, 10))) == 800
    assert sizeof(bc.broadcast_to(bc.zeros((10, 1)), (10, 1000))) == 80
    assert sizeof(bc.zeros((0, 3))) == 0
    assert sizeof(bc.asarray(np.float32(3))) == 4


def test_tokens_distinguish_contents_and_nothing_else():
    n = np.arange(6.0).reshape(2, 3)
    assert tokenize(bc.asarray(n)) == tokenize(bc.asarray(n)) == tokenize(bc.asarray(np.asfortranarray(n)))
    square = bc.arange(9.0).reshape(3, 3)
    different = [n, n + 1, n.astype("f4"), n.reshape(3, 2), n[:1], n[0, 0]]
    tokens = [tokenize(bc.asarray(d)) for d in different] + [tokenize(square), tokenize(square.T), tokenize(n)]
    assert len(set(tokens)) == len(tokens)
    one = bc.broadcast_to(bc.ones(1), (3, 3))
    assert (
        tokenize(one) == tokenize(bc.broadcast_to(bc.ones(1), (3, 3))) != tokenize(bc.broadcast_to(bc.ones(1), (3, 4)))
    )
    with bc.device("reference"):
        assert tokenize(bc.asarray(n)) != tokenize(_core.to_device(bc.asarray(n), "cpu"))


def test_a_range_of_bascule_chunks_has_another_name_than_one_of_numpy_chunks():
    wanted = da.arange(10, chunks=3)
    with dask.config.set({"array.backend": "bascule"}):
        x, y = da.arange(10, chunks=3), da.arange(10, chunks=3)
    assert x.name == y.name != wanted.name
    a, b = dask.compute(x, wanted, scheduler="sync")
    assert type(a) is bc.ndarray and type(b) is np.ndarray


CREATIONS = {
    "ones": lambda: da.ones((6, 4), chunks=3),
    "full": lambda: da.full((6, 4), 7.0, chunks=3),
    "arange": lambda: da.arange(10, chunks=3),
    "random": lambda: da.random.default_rng(0).random((6, 4), chunks=3),
    "normal": lambda: da.random.default_rng(0).normal(1, 2, (6, 4), chunks=3),
    "integers": lambda: da.random.default_rng(0).integers(0, 9, (6, 4), chunks=3),
    "choice": lambda: da.random.default_rng(0).choice(9, 6, chunks=3),
    "legacy normal": lambda: da.random.RandomState(0).normal(0, 1, (6, 4), chunks=3),
    "to_backend": lambda: da.from_array(np.arange(10.0), chunks=3).to_backend(),
}


@pytest.mark.parametrize("name", CREATIONS)
def test_the_device_is_that_of_the_time_of_the_call(name):
    with dask.config.set({"array.backend": "bascule"}):
        with bc.device("reference"):
            x = CREATIONS[name]()
        wanted = CREATIONS[name]().compute(scheduler="sync").get()
    got = x.compute(scheduler="sync")
    assert x._meta.device == got.device == "reference"
    np.testing.assert_allclose(got.get(), wanted, rtol=1e-14)


def test_to_backend_moves_chunks_when_asked():
    x = da.from_array(bc.arange(4.0), chunks=2)
    assert x.to_backend("bascule") is x
    assert x.to_backend("bascule", device="reference").compute(scheduler="sync").device == "reference"


def test_one_seed_gives_the_same_numbers_again_and_other_seeds_others():
    with dask.config.set({"array.backend": "bascule", "scheduler": "sync"}):
        a, b, c = (da.random.default_rng(s).normal(size=(6, 4), chunks=3).compute().get() for s in (1, 1, 2))
    np.testing.assert_array_equal(a, b)
    assert (a != c).all() and len(np.unique(a)) == a.size


def test_uniform_numbers_of_all_chunks_are_uniform():
    with dask.config.set({"array.backend": "bascule"}):
        x = da.random.default_rng(3).random(200_000, chunks=5_000)
    mean, variance = dask.compute(x.mean(), x.var(), scheduler="threads")
    assert abs(float(mean) - 0.5) < 5 * np.sqrt(1 / 12 / 200_000)
    assert abs(float(variance) - 1 / 12) < 5 * np.sqrt(1 / 180 / 200_000)


def test_a_shared_chunk_may_be_computed_with_by_many_threads():
    x = bc.arange(200_000.0) + 1  # waits, and every thread comes upon it waiting
    results = []
    threads = [
        threading.Thread(target=lambda k=k: results.append((k, float((x * k).sum()), sizeof(x)))) for k in range(16)
    ]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert sorted(results) == [(k, float(((np.arange(200_000.0) + 1) * k).sum()), 1_600_000) for k in range(16)]


def test_chunks_are_spilled_and_come_back(tmp_path):
    from distributed.spill import SpillBuffer

    buffer = SpillBuffer(str(tmp_path), target=100_000)
    for k in range(5):
        buffer[f"x-{k}"] = bc.full((50, 100), float(k)) + 1
    assert len(buffer.slow) == 3 and len(buffer.fast) == 2
    assert [float(buffer[f"x-{k}"].sum()) for k in range(5)] == [5000.0 * (k + 1) for k in range(5)]


def test_the_class_makes_empty_arrays_when_it_is_used_as_meta():
    x = da.from_array(np.arange(4.0), chunks=2).map_blocks(bc.asarray, meta=bc.ndarray, dtype="f8")
    assert type(x._meta) is bc.ndarray and type(x.compute(scheduler="sync")) is bc.ndarray
    assert bc.ndarray((2, 3), dtype="i4").shape == (2, 3) and bc.ndarray(shape=3).dtype == np.float64
    with pytest.raises(TypeError):
        bc.ndarray()


def test_a_process_without_the_device_takes_empty_arrays_only():
    from bascule._array.conversion import arrived

    try:
        _core.check_device("cuda")
    except RuntimeError:
        pass
    else:
        pytest.skip("this machine has a GPU")
    assert arrived(np.empty((0, 3)), "cuda:0").device == "cpu"
    with pytest.raises(RuntimeError, match="cuda"):
        arrived(np.ones(3), "cuda:0")


REDUCTIONS = {
    "max": lambda x: x.max(axis=0),
    "min of all": lambda x: x.min(),
    "sum": lambda x: x.sum(axis=(0, 2)),
    "mean": lambda x: x.mean(axis=0),
    "var": lambda x: x.var(axis=1),
    "rechunk": lambda x: x.rechunk(4),
    "tensordot": lambda x: da.tensordot(x, da.ones((4, 2), chunks=2), axes=[(2,), (0,)]),
    "concatenate": lambda x: da.concatenate([x, x + 1]).rechunk(8),
}


@pytest.mark.parametrize("name", REDUCTIONS)
def test_chunks_that_are_masked_keep_their_masks_alongside_others(name):
    n = np.random.default_rng(3).random((4, 3, 4))
    n[n < 0.4] = 0
    wanted, got = (
        REDUCTIONS[name](
            x.map_blocks(lambda c, block_info: np.ma.masked_equal(c, 0) if sum(block_info[None]["chunk-location"]) % 2 else c, dtype=float)
        ).compute(scheduler="sync")
        for x in (da.from_array(n, chunks=(1, 2, 2)), da.from_array(bc.asarray(n), chunks=(1, 2, 2)))
    )  # fmt: skip
    assert type(got) is type(wanted) and np.ma.isMaskedArray(got) == np.ma.isMaskedArray(wanted)
    np.testing.assert_array_equal(np.ma.getmaskarray(got), np.ma.getmaskarray(wanted))
    np.testing.assert_allclose(np.ma.filled(got, -1), np.ma.filled(wanted, -1))


def test_chunks_that_are_sparse_are_joined_with_others():
    sparse = pytest.importorskip("scipy.sparse", reason="scipy is not installed")
    n = np.eye(4)
    x = da.from_array(bc.asarray(n), chunks=(2, 4))
    made = x.map_blocks(
        lambda c, block_info: sparse.csr_array(c) if block_info[None]["chunk-location"][0] else c, dtype=float
    )
    got = made.compute(scheduler="sync")
    assert sparse.issparse(got) and (got.toarray() == n).all()


def test_chunks_that_are_given_no_axes_are_of_the_class_of_their_meta():
    x = da.from_array(bc.arange(5.0), chunks=2)
    for y in (da.percentile(x, 50, internal_method="dask"), x[:1].reshape(()), x[:1].reshape(())[None] + 1):
        assert type(y._meta) is type(y.compute(scheduler="sync")) is bc.ndarray
