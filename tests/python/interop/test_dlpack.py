"""DLPack and __cuda_array_interface__, with NumPy and with producers of every protocol version."""

import ctypes
import gc
import threading

import bascule as bc
import numpy as np
import pytest
from bascule import _core
from bascule.interop import dlpack as interop

host = _core.to_numpy


def capsule_name(capsule):
    name = ctypes.pythonapi.PyCapsule_GetName
    name.restype, name.argtypes = ctypes.c_char_p, [ctypes.py_object]
    return name(capsule).decode()


class Plain:
    """A producer for the protocol before version 1."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class Versioned(Plain):
    """A producer for today's protocol, from another library than ours."""

    def __dlpack__(self, **wishes):
        return self.array.__dlpack__(**wishes)


class OfAnotherDevice(Plain):
    def __dlpack_device__(self):
        return (7, 0)


@pytest.mark.parametrize("code", "?bBhHiIlLefdFD")
def test_round_trips_with_numpy_share_memory(code):
    a = bc.asarray(np.arange(6).reshape(2, 3).astype(code))
    n = np.from_dlpack(a)
    assert n.dtype == a.dtype and n.flags.writeable
    np.testing.assert_array_equal(n, host(a))
    back = bc.from_dlpack(n)
    assert back.dtype == a.dtype
    n[0, 1] = 5
    np.testing.assert_array_equal(host(back), n)
    np.testing.assert_array_equal(host(a), n)


@pytest.mark.parametrize("cut", [np.s_[::2], np.s_[::-1], np.s_[:, 1], np.s_[2, 3, ...], np.s_[4:2], np.s_[None, 1:]])
def test_views_travel_with_their_strides(cut):
    n = np.arange(20.0).reshape(4, 5)
    a = bc.asarray(n)
    np.testing.assert_array_equal(np.from_dlpack(a[cut]), n[cut])
    back = bc.from_dlpack(n[cut])
    assert back.shape == n[cut].shape
    np.testing.assert_array_equal(host(back), n[cut])


def test_writes_pass_through_in_both_directions():
    n = np.zeros(100_000)
    a = bc.from_dlpack(n)
    pending = a + 1
    n[:] = 3
    a[1] = 4
    assert float(pending[0]) == 1 and float(a[0]) == 3 and n[1] == 4


def test_the_capsule_is_of_the_version_that_was_asked_for():
    a = bc.arange(3)
    assert capsule_name(a.__dlpack__()) == "dltensor"
    assert capsule_name(a.__dlpack__(max_version=(0, 8))) == "dltensor"
    assert capsule_name(a.__dlpack__(max_version=(1, 0))) == "dltensor_versioned"
    capsule = a.__dlpack__(max_version=(2, 0))
    _core.from_dlpack(capsule)
    assert capsule_name(capsule) == "used_dltensor_versioned"
    with pytest.raises(ValueError, match="consumed"):
        _core.from_dlpack(capsule)


def test_exports_end_with_the_consumer_or_with_a_capsule_nobody_took():
    a = bc.arange(5.0)
    capsule = a.__dlpack__(max_version=(1, 0))
    old = a.__dlpack__()
    assert _core.export_count(a) == 2
    del capsule, old
    assert _core.export_count(a) == 0
    n = np.from_dlpack(a)
    view = n[1:]
    del n
    assert _core.export_count(a) == 1
    del view
    gc.collect()
    assert _core.export_count(a) == 0


def test_a_tensor_outlives_its_producer_and_may_die_on_another_thread():
    n = np.from_dlpack(bc.arange(100_000.0) * 2)
    gc.collect()
    assert n[-1] == 199_998
    a = bc.from_dlpack(np.arange(10.0))
    gc.collect()
    assert float(a.sum()) == 45
    holder = [a]
    del a
    thread = threading.Thread(target=holder.clear)
    thread.start()
    thread.join()


def test_the_producer_is_released_when_the_array_dies():
    import sys

    n = np.arange(4.0)
    before = sys.getrefcount(n)
    a = bc.from_dlpack(n)
    assert sys.getrefcount(n) == before + 1
    b = a[1:]
    del a
    assert sys.getrefcount(n) == before + 1
    del b
    gc.collect()
    assert sys.getrefcount(n) == before


def test_read_only_memory_needs_the_versioned_protocol():
    n = np.arange(3.0)
    n.flags.writeable = False
    a = bc.from_dlpack(n)
    with pytest.raises(ValueError, match="read-only"):
        a[0] = 1
    assert not np.from_dlpack(a).flags.writeable
    with pytest.raises(BufferError, match="Cannot export readonly array"):
        a.__dlpack__()
    assert float(bc.from_dlpack(n, copy=True).sum()) == 3


def test_old_producers_are_understood():
    n = np.arange(3.0)
    a = bc.from_dlpack(Plain(n))
    n[0] = 9
    assert float(a[0]) == 9 and not _core.is_writeable(a)
    copied = bc.from_dlpack(Plain(n), copy=True)
    n[0] = 1
    copied[1] = 5
    assert host(copied).tolist() == [9, 5, 2]


def test_copies_are_copies_and_say_so():
    a = bc.arange(3.0)
    n = np.from_dlpack(a, copy=True)
    n[0] = 7
    assert float(a[0]) == 0 and _core.export_count(a) == 0
    source = np.arange(3.0)
    b = bc.from_dlpack(source, copy=True)
    b[0] = 7
    assert source[0] == 0
    shared = bc.from_dlpack(source, copy=False)
    shared[0] = 7
    assert source[0] == 7


def test_empty_arrays_travel():
    assert np.from_dlpack(bc.empty((0, 3))).shape == (0, 3)
    n = np.empty((2, 0), np.int16)
    a = bc.from_dlpack(n)
    assert a.shape == (2, 0) and a.dtype == np.int16


@pytest.mark.parametrize("version", [{}, {"max_version": (0, 8)}, {"max_version": (1, 1)}])
@pytest.mark.parametrize("where", [{}, {"dl_device": None}, {"dl_device": (1, 0)}])
@pytest.mark.parametrize("copy", [None, False, True])
def test_the_cpu_may_be_asked_for(version, where, copy):
    a, n = bc.arange(5.0), np.arange(5.0)
    capsule = a.__dlpack__(**version, **where, copy=copy)
    assert capsule_name(capsule) == capsule_name(n.__dlpack__(**version, **where, copy=copy))
    assert _core.export_count(a) == (not copy)
    shared = _core.from_dlpack(capsule)
    a[1] = 7
    np.testing.assert_array_equal(host(shared), [0, 1 if copy else 7, 2, 3, 4])


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"max_version": 1}, TypeError),
        ({"stream": 1}, (RuntimeError, ValueError)),
        ({"dl_device": (2, 0)}, BufferError),
        ({"dl_device": (9, 0)}, BufferError),
    ],
)
def test_requests_that_cannot_be_met_are_named(arguments, error):
    with pytest.raises(error) as theirs:
        np.arange(3).__dlpack__(**arguments)
    with pytest.raises(theirs.type):
        bc.arange(3).__dlpack__(**arguments)


def test_dates_and_odd_strides_have_no_form():
    with pytest.raises(BufferError, match="only supports signed/unsigned integers, float and complex"):
        bc.asarray(np.zeros(3, "M8[s]")).__dlpack__()
    odd = bc.asarray(np.zeros(3, [("a", "i1"), ("b", "f8")])["b"], copy=False)
    with pytest.raises(BufferError, match="multiple of itemsize"):
        odd.__dlpack__()


def test_devices():
    assert tuple(bc.arange(3).__dlpack_device__()) == (1, 0)
    np.testing.assert_array_equal(host(bc.from_dlpack(np.arange(3), device="cpu")), [0, 1, 2])
    with pytest.raises(BufferError, match="device 7"):
        bc.from_dlpack(OfAnotherDevice(np.arange(3)))
    with pytest.raises(AttributeError):
        bc.from_dlpack(3)


# ---- __cuda_array_interface__


class OnGpu:
    def __init__(self, **changes):
        self.__cuda_array_interface__ = {
            "shape": (3,),
            "typestr": "<f8",
            "data": (4096, False),
            "version": 3,
            "stream": None,
        } | changes


def test_arrays_on_the_cpu_have_no_cuda_array_interface():
    a = bc.arange(3)
    assert not hasattr(a, "__cuda_array_interface__")
    with pytest.raises(AttributeError, match="is on cpu"):
        a.__cuda_array_interface__


@pytest.mark.skipif(not _core.why_no_cuda(), reason="there is a GPU")
def test_memory_of_a_gpu_without_a_driver_is_a_clear_error():
    with pytest.raises(RuntimeError, match="cuda"):
        bc.asarray(OnGpu())


def test_addresses_are_wrapped_with_their_layout_and_owner():
    n = np.arange(12.0).reshape(3, 4)
    a = _core.from_address(n, n.ctypes.data, (4, 3), (8, 32), np.dtype(float), False, "cpu")
    np.testing.assert_array_equal(host(a), n.T)
    assert not _core.is_writeable(a)
    assert _core.from_address(n, 0, (0, 2), None, np.dtype(float), True, "cpu").shape == (0, 2)


def test_masks_and_stream_zero_are_refused(monkeypatch):
    monkeypatch.setattr(_core, "check_device", lambda name: "cuda:0")
    with pytest.raises(NotImplementedError, match="mask"):
        interop.from_cuda_array_interface(OnGpu(mask=object()))
    with pytest.raises(ValueError, match="stream 0"):
        interop.from_cuda_array_interface(OnGpu(stream=0))


# ---- on a GPU


@pytest.mark.gpu
def test_memory_of_a_gpu_is_shared_through_dlpack():
    with bc.device("cuda"):
        a = bc.arange(10.0) + 1
    assert tuple(a.__dlpack_device__()) == (2, 0)
    b = bc.from_dlpack(Versioned(a))
    assert b.device == a.device
    a[0] = 42.0
    assert host(b).tolist() == [42, *range(2, 11)]
    assert host(bc.from_dlpack(Versioned(a), device="cpu")).tolist() == host(a).tolist()
    assert np.from_dlpack(a, device="cpu").tolist() == host(a).tolist()
    with pytest.raises(BufferError):
        a.__dlpack__(dl_device=(1, 0), copy=False)


@pytest.mark.gpu
def test_memory_of_a_gpu_is_shared_through_the_cuda_array_interface():
    with bc.device("cuda"):
        a = bc.arange(10.0)
    shown = a[::2].__cuda_array_interface__
    assert (shown["shape"], shown["strides"], shown["typestr"], shown["version"]) == ((5,), (16,), "<f8", 3)
    foreign = OnGpu(**shown)
    shared, copied = bc.asarray(foreign, copy=False), bc.asarray(foreign)
    a[0] = 42.0
    assert host(shared).tolist() == [42, 2, 4, 6, 8] and host(copied).tolist() == [0, 2, 4, 6, 8]
    assert shared.device == copied.device == a.device
    assert host(bc.asarray(OnGpu(**shown | {"stream": 1}), copy=False))[0] == 42
