"""Pickling: every protocol, layouts, dtypes, memory out of band."""

import copy
import pickle

import bascule as bc
import numpy as np
import pytest
from bascule import _core

host = _core.to_numpy
PROTOCOLS = range(pickle.HIGHEST_PROTOCOL + 1)
DTYPES = ["?", "i1", "u2", "i4", "u8", "f2", "f4", "f8", "c8", "c16", "M8[ns]", "m8[3h]"]


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_values_and_dtypes_come_back(protocol, dtype):
    n = np.arange(6).reshape(2, 3).astype(dtype)
    a = pickle.loads(pickle.dumps(bc.asarray(n), protocol))
    assert type(a) is bc.ndarray and a.dtype == n.dtype and a.device == "cpu"
    np.testing.assert_array_equal(host(a), n)


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("cut", [np.s_[:], np.s_[::2], np.s_[:, ::-1], np.s_[1, 2], np.s_[3:2], np.s_[None]])
def test_layouts_come_back_as_numpys_do(protocol, cut):
    n = np.arange(12.0).reshape(3, 4)
    for base in (n, np.asfortranarray(n)):
        a = pickle.loads(pickle.dumps(bc.asarray(base)[cut], protocol))
        theirs = pickle.loads(pickle.dumps(base[cut], protocol))
        np.testing.assert_array_equal(host(a), theirs)
        assert a.flags.f_contiguous == theirs.flags.f_contiguous and a.flags.c_contiguous == theirs.flags.c_contiguous
        assert a.flags.writeable == theirs.flags.writeable  # for arrays, not for scalars


def test_memory_travels_out_of_band_without_a_copy():
    a = bc.arange(100_000.0) + 1
    buffers = []
    data = pickle.dumps(a, 5, buffer_callback=buffers.append)
    assert len(data) < 1000 and len(buffers) == 1
    assert np.frombuffer(buffers[0].raw(), np.float64).ctypes.data == np.asarray(a).ctypes.data
    back = pickle.loads(data, buffers=buffers)
    np.testing.assert_array_equal(host(back), host(a))
    back[0] = -1
    assert float(a[0]) == 1
    for b in buffers:
        b.release()
    del b
    buffers.clear()


def test_exports_end_with_the_pickle():
    a = bc.arange(10.0)
    pickle.dumps(a, 5)
    assert _core.export_count(a) == 0


def test_scalars_stay_scalars():
    s = bc.arange(5).sum()
    twin = pickle.loads(pickle.dumps(s))
    assert _core.is_scalar(twin) and int(twin) == 10 and hash(twin) == hash(s)
    assert not _core.is_scalar(pickle.loads(pickle.dumps(bc.zeros(()))))


def test_containers_share_what_they_shared():
    a = bc.arange(3)
    x, y = pickle.loads(pickle.dumps([a, a]))
    assert x is y


def test_ufuncs_are_pickled_by_name():
    assert pickle.loads(pickle.dumps(bc.add)) is bc.add
    assert pickle.loads(pickle.dumps({"f": bc.sin}))["f"] is bc.sin


def test_copies_are_deep():
    a = bc.arange(3)
    for twin in (copy.copy(a), copy.deepcopy(a)):
        twin[0] = 9
        assert int(a[0]) == 0
