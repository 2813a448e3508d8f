"""The buffer protocol: formats, layouts, write protection, and the number of exports."""

import array
import ctypes
import gc
import hashlib
import pickle

import bascule as bc
import numpy as np
import pytest
from bascule import _core

DTYPES = "?bBhHiIlLefdFD"


@pytest.mark.parametrize("code", DTYPES)
def test_format_size_and_values_are_numpys(code):
    n = np.arange(6).reshape(2, 3).astype(code)
    ours, theirs = memoryview(bc.asarray(n)), memoryview(n)
    assert (ours.format, ours.itemsize, ours.shape, ours.strides, ours.ndim) == (
        theirs.format, theirs.itemsize, theirs.shape, theirs.strides, theirs.ndim)  # fmt: skip
    assert ours.tobytes() == theirs.tobytes()
    back = np.asarray(ours)
    assert back.dtype == n.dtype
    np.testing.assert_array_equal(back, n)


@pytest.mark.parametrize("shape", [(), (0,), (0, 3), (3, 0, 2), (1,), (1, 1, 5), (2,) * 10])
def test_shapes_without_axes_without_elements_and_of_high_rank(shape):
    n = np.ones(shape)
    m = memoryview(bc.asarray(n))
    assert m.shape == shape and m.nbytes == n.nbytes
    assert m.tobytes() == n.tobytes()


@pytest.mark.parametrize(
    "cut", [np.s_[::2], np.s_[::-1], np.s_[:, 1], np.s_[1:, ::-2], np.s_[2, 3, ...], np.s_[..., None, :], np.s_[4:2]]
)
def test_views_are_shown_where_they_lie(cut):
    n = np.arange(20.0).reshape(4, 5)
    a = bc.asarray(n)
    m, expected = memoryview(a[cut]), n[cut]
    assert m.shape == expected.shape
    np.testing.assert_array_equal(np.asarray(m), expected)
    if expected.size:
        assert m.strides == expected.strides
        np.asarray(m)[...] = -1
        n[cut] = -1
        np.testing.assert_array_equal(_core.to_numpy(a), n)


def test_broadcasts_are_shown_with_steps_of_zero():
    m = memoryview(bc.broadcast_to(bc.arange(3.0), (2, 3)))
    assert m.strides == (0, 8) and m.tolist() == [[0, 1, 2], [0, 1, 2]]


def test_requests_for_contiguous_memory_are_held_to():
    a = bc.asarray(np.arange(12.0).reshape(3, 4))
    for good in (a, a[1:], a[0]):
        assert (ctypes.c_char * 8).from_buffer(good)
    for bad in (a.T, a[:, ::2], a[::-1]):
        with pytest.raises((BufferError, TypeError), match="contiguous"):
            (ctypes.c_char * 8).from_buffer(bad)
    assert pickle.PickleBuffer(a.T).raw().nbytes == 96  # Fortran order is contiguous too
    with pytest.raises(BufferError, match="contiguous"):
        pickle.PickleBuffer(a[:, ::2]).raw()


def test_read_only_arrays_stay_read_only():
    n = np.arange(4.0)
    n.flags.writeable = False
    a = bc.asarray(n, copy=False)
    assert memoryview(a).readonly and not np.asarray(memoryview(a)).flags.writeable
    with pytest.raises((BufferError, TypeError), match="read-only|not writable"):
        (ctypes.c_char * 8).from_buffer(a)
    assert not memoryview(bc.arange(4.0)).readonly


def test_dates_have_no_buffer_format():
    with pytest.raises(BufferError, match="datetime64"):
        memoryview(bc.asarray(np.array(["2020-01-01"], "M8[D]")))


@pytest.mark.parametrize("dtype", ["M8[D]", "M8[ns]", "m8[3s]"])
def test_dates_keep_their_unit_on_the_way_to_numpy(dtype):
    n = np.arange(4).astype(dtype)
    a = bc.asarray(n)
    shared = np.asarray(a)
    np.testing.assert_array_equal(shared, n, strict=True)
    np.testing.assert_array_equal(np.array(a), n, strict=True)
    a[0] = n[3]
    assert shared[0] == n[3] and _core.export_count(a) == 1
    del shared
    gc.collect()
    assert _core.export_count(a) == 0
    np.testing.assert_array_equal(np.asarray(a.reshape(2, 2).T), np.asarray(a).reshape(2, 2).T, strict=True)
    for name in ("__array_struct__", "__array_interface__"):
        with pytest.raises(AttributeError, match=f"{name}: use numpy.asarray"):
            getattr(a, name)


def test_exports_are_counted_and_fall_with_the_last_view():
    a = bc.arange(10.0)
    assert _core.export_count(a) == 0
    first, second = memoryview(a), memoryview(a[2:])
    assert _core.export_count(a) == 2
    first.release()
    assert _core.export_count(a) == 1
    del second
    gc.collect()
    assert _core.export_count(a) == 0
    shared = np.asarray(a)
    assert _core.export_count(a) > 0
    del shared
    gc.collect()
    assert _core.export_count(a) == 0


def test_a_view_outlives_its_array():
    n = np.asarray(memoryview(bc.arange(100_000.0)))
    gc.collect()
    junk = [bc.ones(100_000) for _ in range(3)]
    assert n.sum() == 99_999 * 50_000 and len(junk) == 3


def test_pending_arrays_are_computed_when_shown():
    a = bc.arange(100_000.0) + 1
    assert _core.is_pending(a)
    assert memoryview(a)[-1] == 100_000


def test_memory_that_others_write_is_never_deferred_on():
    a = bc.zeros(100_000)
    before = a + 1
    n = np.asarray(a)
    n[:] = 5
    later = a + 1
    n[:] = 7
    assert (float(before[0]), float(later[0]), float(a[-1])) == (1, 6, 7)
    a[:] = 9
    assert n[50_000] == 9


@pytest.mark.parametrize("make", [bytearray, lambda b: array.array("b", b), lambda b: memoryview(bytearray(b))])
@pytest.mark.parametrize(("dtype", "offset"), [("f8", 0), ("i2", 8), ("?", 3), ("f4", 1)])
def test_frombuffer_lies_in_the_buffer(make, dtype, offset):
    """As with shared memory of several processes; also at addresses that are no multiple of the item's size."""
    memory, other = make(bytes(range(64)) * 2000), bytearray(bytes(range(64)) * 2000)
    a, n = bc.frombuffer(memory, dtype, 90, offset), np.frombuffer(other, dtype, 90, offset)
    assert np.array_equal(np.asarray(a), n, equal_nan=dtype != "?")
    a[3:60] = a[:57] * a.dtype.type(2)
    n[3:60] = (n[:57] * n.dtype.type(2)).copy()
    assert bytes(memory) == bytes(other)
    before, expected = a + a, n + n
    memory[offset + 8] = other[offset + 8] = 77
    assert bytes(a) == bytes(n)
    assert bytes(before) == bytes(expected)


def test_frombuffer_of_bytes_is_read_only_and_may_wait():
    a = bc.frombuffer(np.arange(100_000.0).tobytes())
    assert not a.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        a[0] = 1
    b = a + 1
    assert _core.is_pending(b)
    assert float(b.sum()) == float(np.arange(1, 100_001.0).sum())


@pytest.mark.parametrize("shape", [(), (4,), (2, 3), (2, 1, 3)])
def test_who_wants_plain_bytes_gets_them_of_any_number_of_axes(shape):
    x = np.ones(shape)
    assert hashlib.sha256(bc.array(x)).digest() == hashlib.sha256(x).digest()
