"""Indexing against NumPy: reads, writes, views, overlap, errors, and scalars as results of full indexing."""

import copy
import pickle

import bascule as bc
import numpy as np
import pytest

A = np.arange(120.0).reshape(4, 5, 6)
MASK = A % 3 == 0
READS = [
    0, -1, (1, 2), (1, 2, 3), slice(None), slice(1, 3), slice(None, None, -1), slice(3, 0, -2), slice(10, 20), ..., None, (),
    (..., 1), (1, ...), (slice(None), 2), (None, 1, ..., None), (slice(0, 0),), (slice(None), slice(None, None, 2), slice(1, -1)),
    [0, 2], [[0, 1], [2, 3]], [], [-1, 0, 0], (slice(None), [0, 2]), ([0, 1], [2, 3]), ([0, 1], slice(None), [2, 3]),
    (slice(None), [0, 1], [2, 3]), (0, [1, 2]), ([[0], [1]], [2, 3]), (..., [0, 5]), (None, [0, 1]), ([0, 1], None, [1, 2]),
    np.array([1, 2], dtype="i2"), np.array([1, 2], dtype="u8"), np.int64(2), np.array(2), True, False, np.bool_(True),
    MASK, MASK[0, 0] > 5, A[:, 0, 0] > 20, (slice(None), A[0, :, 0] > 5), (A[:, 0, 0] > 20, 1), (MASK[..., 0], slice(1, 3)),
    [True, False, True, False], ([0, 1], A[0, :2, 0] > 100),
]  # fmt: skip


def ours(key):
    """The same key with bascule arrays in place of NumPy's."""
    if isinstance(key, tuple):
        return tuple(ours(k) for k in key)
    return bc.asarray(key) if isinstance(key, np.ndarray) else key


def outcome(call):
    try:
        return call()
    except Exception as error:
        return error


@pytest.mark.parametrize("key", READS, ids=lambda k: str(k).replace("\n", "")[:50])
@pytest.mark.parametrize("layout", ["contiguous", "transposed", "strided"])
def test_reads(key, layout):
    a = {"contiguous": A, "transposed": A.transpose(0, 1, 2).copy("F"), "strided": np.repeat(A, 2, 2)[..., ::2]}[layout]
    b = bc.asarray(a)
    for k in (key, ours(key)):
        want, got = outcome(lambda: a[key]), outcome(lambda: b[k])
        if isinstance(want, Exception):
            assert type(got) is type(want) and str(got) == str(want)
        else:
            assert type(got) is (bc.ndarray if isinstance(want, np.ndarray) else type(want))
            assert got.shape == np.shape(want) and got.dtype == want.dtype
            np.testing.assert_array_equal(np.asarray(got), want)


@pytest.mark.parametrize("key", READS, ids=lambda k: str(k).replace("\n", "")[:50])
@pytest.mark.parametrize("dtype", ["f8", "i4", "c8"])
def test_writes(key, dtype):
    for value in (7, lambda x: np.arange(x.size).reshape(x.shape), lambda x: np.full(x.shape[-1:], 3)):
        a = A.astype(dtype)
        b = bc.asarray(a)
        v = outcome(lambda: value(np.asarray(a[key])) if callable(value) else value)
        if isinstance(v, Exception):
            continue
        want = outcome(lambda: a.__setitem__(key, v))
        got = outcome(lambda: b.__setitem__(ours(key), bc.asarray(v) if isinstance(v, np.ndarray) else v))
        assert type(got) is type(want)
        np.testing.assert_array_equal(b.get(), a)


ERRORS = {
    "too-large": lambda x: x[4],
    "too-small": lambda x: x[-5],
    "second-axis": lambda x: x[0, 5],
    "too-many": lambda x: x[0, 0, 0, 0],
    "two-ellipses": lambda x: x[..., ...],
    "float": lambda x: x[1.0],
    "text": lambda x: x["a"],
    "float-slice": lambda x: x[1.0:2],
    "list-too-large": lambda x: x[[0, 9]],
    "list-second-axis": lambda x: x[:, [0, 9]],
    "lists-differ": lambda x: x[[0, 1], [0, 1, 2]],
    "mask-length": lambda x: x[[True, False]],
    "zero-step": lambda x: x[::0],
    "write-shape": lambda x: x.__setitem__(0, [1, 2, 3]),
    "write-list-shape": lambda x: x.__setitem__([0, 1], [1, 2, 3]),
    "write-out-of-range": lambda x: x.__setitem__(9, 0),
    "delete": lambda x: x.__delitem__(0),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors_are_numpys(name):
    with pytest.raises(Exception) as want:
        ERRORS[name](A.copy())
    with pytest.raises(type(want.value)) as got:
        ERRORS[name](bc.asarray(A))
    assert str(got.value) == str(want.value)


@pytest.mark.parametrize("at", [(), (slice(None),)])
@pytest.mark.parametrize(
    "shape, mask",
    [((3,), (0,)), ((0, 3), (0, 0)), ((2, 3), (2, 0)), ((3, 0), (0, 0)), ((0, 3), (0, 2)), ((2, 3), (3, 0))],
)
def test_masks_with_an_empty_axis_choose_nothing_of_any(shape, mask, at):
    a = np.ones((2,) * len(at) + shape)
    b = bc.asarray(a)
    key = (*at, np.zeros(mask, bool))
    ours = (*at, bc.asarray(key[-1]))
    want, got = outcome(lambda: a[key]), outcome(lambda: b[ours])
    assert str(got) == str(want) if isinstance(want, Exception) else got.shape == want.shape
    assert str(outcome(lambda: b.__setitem__(ours, 5))) == str(outcome(lambda: a.__setitem__(key, 5)))
    np.testing.assert_array_equal(b.get(), a)


def test_views_share_and_copies_do_not():
    a, b = A.copy(), bc.asarray(A)
    for x in (a, b):
        v = x[1:3, ::2]
        v[...] = -1
        v.T[0] *= 2
        f = x[[0]]
        f[...] = 99
        r = x.reshape(-1)[::7]
        r += 1000
    np.testing.assert_array_equal(b.get(), a)
    assert bc.shares_memory(b, b[1:]) and not bc.shares_memory(b[:1], b[1:]) and not bc.shares_memory(b, b.copy())


OVERLAPS = {
    "shift-up": lambda x: x.__setitem__(slice(1, None), x[:-1] + 1),
    "shift-down": lambda x: x.__setitem__(slice(None, -1), x[1:] * 2),
    "reverse": lambda x: x.__setitem__(slice(None), x[::-1]),
    "add-reversed": lambda x: x.__iadd__(x[::-1]),
    "add-shifted": lambda x: x[1:].__iadd__(x[:-1]),
    "strided": lambda x: x[::2].__isub__(x[: x[::2].shape[0]]),
}


@pytest.mark.parametrize("n", [10, 1000, 20000])
@pytest.mark.parametrize("name", OVERLAPS)
def test_overlap_within_a_statement(name, n):
    a = np.arange(float(n))
    b = bc.asarray(a)
    OVERLAPS[name](a)
    OVERLAPS[name](b)
    np.testing.assert_array_equal(b.get(), a)


def test_writes_do_not_reach_results_made_before():
    a, b = np.arange(50000.0), bc.arange(50000.0)
    x, y = a + 1, b + 1
    a[::3] = -5
    b[::3] = -5
    a += 1
    b += 1
    np.testing.assert_array_equal(y.get(), x)
    np.testing.assert_array_equal(b.get(), a)


def test_scalars_are_values():
    a = bc.arange(5.0)
    s = t = a[2]
    assert s.shape == () and type(s) is np.float64
    s += 1
    assert (float(s), float(t), float(a[2])) == (3.0, 2.0, 2.0)
    assert hash(t) == hash(2.0) and {t: "x"}[2.0] == "x"
    total = a.sum()
    with pytest.raises(TypeError, match="does not support item assignment"):
        total[()] = 3
    total = bc.array([1.0, 2.0]).sum()
    assert f"{total:.2f}" == "3.00" and round(bc.asarray(2.567).sum(), 1) == 2.6
    assert [10, 20, 30][bc.arange(3)[1]] == 20 and bool(total) and int(total) == 3 and complex(total) == 3 + 0j
    with pytest.raises(TypeError, match="unhashable"):
        hash(a)
    assert a[2] == 2 and a[2] != 3 and a[1] < a[2]


def test_boolean_and_conversions_raise_as_numpys():
    for call in (bool, float, int, complex, len, lambda x: list(range(3))[x]):
        for x in (np.ones(2), np.ones(0), np.ones(()), np.ones((1, 1))):
            want, got = outcome(lambda: call(x)), outcome(lambda: call(bc.asarray(x)))
            if isinstance(want, Exception):
                assert type(got) is type(want)
            else:
                assert got == want


def test_iteration_and_membership():
    a, b = A[0], bc.asarray(A[0])
    for x, y in zip(a, b, strict=True):
        np.testing.assert_array_equal(y.get(), x)
    assert 7.0 in b and -1.0 not in b
    assert [float(x) for x in b[0]] == a[0].tolist() and b.tolist() == a.tolist()
    with pytest.raises(TypeError, match="iteration over a 0-d array"):
        iter(bc.asarray(1.0))


def test_flat():
    a, b = A.copy(), bc.asarray(A)
    for x in (a, b):
        x.T.flat[3:9] = 1
        x.flat[7] = -7
    np.testing.assert_array_equal(b.get(), a)
    assert [float(v) for v in b.flat][:9] == [float(v) for v in a.flat][:9] and float(b.T.flat[5]) == a.T.flat[5]


@pytest.mark.parametrize("protocol", range(2, 6))
def test_pickle_and_copy(protocol):
    for a in (A, A.copy("F"), A[::2, ::-1], np.array(3), np.array(["2020-01-01", "NaT"], "M8[D]"), np.zeros((0, 3))):
        b = bc.asarray(a)
        for c in (pickle.loads(pickle.dumps(b, protocol)), copy.copy(b), copy.deepcopy(b)):
            assert c.dtype == b.dtype and c.device == b.device and not bc.shares_memory(b, c)
            np.testing.assert_array_equal(c.get(), a)
    buffers = []
    data = pickle.dumps(bc.ones(10000), 5, buffer_callback=buffers.append)
    assert len(buffers) == 1 and len(data) < 1000
    assert float(pickle.loads(data, buffers=buffers).sum()) == 10000


@pytest.mark.parametrize("dtype", ["u1", "i4", "f8", "c16"])
def test_items_of_memory_beyond_the_caches(dtype):
    rng = np.random.default_rng(7)
    x = rng.integers(0, 200, (5 << 20) // np.dtype(dtype).itemsize).astype(dtype)
    at = rng.integers(-x.size, x.size, 70_001)
    values = rng.integers(0, 200, at.size).astype(dtype)
    a, positions = bc.array(x), bc.array(at)
    np.testing.assert_array_equal(np.asarray(a[positions]), x[at])
    a[positions] = bc.array(values)  # some elements are written twice
    x[at] = values
    np.testing.assert_array_equal(np.asarray(a), x)
    for bad in (x.size, -x.size - 1, np.iinfo("i8").max, np.iinfo("i8").min):
        at[at.size // 2] = bad
        with pytest.raises(IndexError) as wanted:
            x[at]
        with pytest.raises(IndexError) as reported:
            bc.evaluate(a[bc.array(at)])
        assert str(reported.value) == str(wanted.value)


@pytest.mark.parametrize("dtype", ["u1", "f4", "i8", "c16"])
@pytest.mark.parametrize("shape", [(7, 11), (100, 90), (300, 400), (6, 70, 50), (40, 3, 5, 20)])
def test_positions_along_one_of_several_axes(shape, dtype):
    """Results have the memory layout of NumPy's, and are filled in that order."""
    rng = np.random.default_rng(8)
    n = rng.integers(0, 200, shape).astype(dtype)
    for host in (n, np.asfortranarray(n), n[::-1, ::2]):
        ours = bc.array(n)[::-1, ::2] if host.base is n and host.shape != n.shape else bc.array(host, order="K")
        for axis in range(host.ndim):
            for count in (0, 1, 9, 3000 // host.ndim):
                at = rng.integers(-host.shape[axis], host.shape[axis], count)
                lead = (slice(None),) * axis
                keys = [
                    (*lead, at),
                    (*lead, at.reshape(1, -1)),
                    (..., at) if axis == host.ndim - 1 else (*lead, at, slice(1, None)),
                ]
                if axis + 2 < host.ndim:
                    keys.append((*lead, at, slice(None), at % host.shape[axis + 2]))
                for key in keys:
                    theirs, mine = host[key], ours[tuple(bc.array(k) if isinstance(k, np.ndarray) else k for k in key)]
                    assert mine.shape == theirs.shape
                    np.testing.assert_array_equal(mine.get(), theirs)
                if count:
                    at[count // 2] = host.shape[axis]
                    with pytest.raises(IndexError, match=f"index {host.shape[axis]} is out of bounds for axis {axis} "):
                        bc.evaluate(ours[(*lead, bc.array(at))])


@pytest.mark.parametrize("dtype", ["?", "u1", "f4", "i8", "M8[D]", "c16"])
@pytest.mark.parametrize("shape", [(5, 4), (3, 4, 5), (2, 3, 2, 3), (2, 2, 2, 2, 3), (3, 0), (0, 3)])
@pytest.mark.parametrize("count", [2, 3, 5])
def test_positions_along_several_axes(shape, dtype, count):
    """Of few elements and of many, of one shape and of several, with strides, out of bounds."""
    rng = np.random.default_rng(count)
    host = rng.integers(0, 100, shape).astype("i8").astype(dtype)
    ours = bc.array(host)
    axes = min(count, len(shape))
    for at_shape in ((), (1,), (4,), (2, 3), (0,), (5000,)):
        if 0 in shape and at_shape != (0,):
            continue
        at = [rng.integers(-n, n, at_shape) if n else np.zeros(at_shape, int) for n in shape[:axes]]
        several = [x if k else x[..., None] for k, x in enumerate(at)] if at_shape == (4,) else at
        for given in (at, several, [x.astype("i4") for x in at], [x[..., ::-1] if x.ndim else x for x in at]):
            theirs, mine = host[tuple(given)], ours[tuple(map(bc.array, given))]
            assert mine.shape == theirs.shape and mine.dtype == theirs.dtype
            np.testing.assert_array_equal(np.asarray(mine), theirs)
            if getattr(mine, "ndim", 0):
                assert mine.strides == theirs.strides
    if 0 not in shape:
        at = [np.zeros(3, int) for _ in range(axes)]
        at[-1][1] = -shape[axes - 1] - 1
        with pytest.raises(IndexError, match=f"index {at[-1][1]} is out of bounds for axis {axes - 1} "):
            bc.evaluate(ours[tuple(map(bc.array, at))])
