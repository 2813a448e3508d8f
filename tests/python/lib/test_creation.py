"""New arrays against NumPy: values, types, layouts, sharing."""

import bascule as bc
import numpy as np
import pytest

CALLS = """
m.arange(5); m.arange(2, 10, 3); m.arange(0, 1, .1); m.arange(5, dtype='f4'); m.arange(10, 0, -2); m.arange(3, dtype=bool); m.arange(0)
m.arange(5, 1); m.arange(0.5, 5, dtype=int); m.arange(np.float32(3)); m.arange(0, 7, np.int8(2)); m.arange(10, dtype='u1'); m.arange(5.)
m.arange(1, 2, 0.3, dtype='f2'); m.arange(5, 0, -1, dtype='u4'); m.arange(start=2, stop=6); m.arange(3, step=2); m.arange(1j, 3)
m.arange(np.int8(-128), 5); m.arange(np.uint8(250), np.uint8(255), np.uint8(3)); m.arange(np.int8(127), 130); m.arange(None, 5); m.arange(None)
m.arange(np.datetime64('2020-01-01'), np.datetime64('2020-02-01'), 7); m.arange(300, dtype='i1'); m.arange(1, 2, 0); m.arange()
m.linspace(0, 1, 7); m.linspace(0, 10, 5, dtype=int); m.linspace(1, 2, 3, endpoint=False); m.linspace(0, 1, 0); m.linspace(3, 3, 4)
m.linspace(0, 1, 1); m.linspace(-2.5, 7, 1000); m.linspace([0, 1], [2, 3], 4); m.linspace(0, 1, 5, retstep=True); m.linspace(0, 1, -1)
m.eye(3, k=1); m.eye(3, 4, -1); m.eye(2, dtype=int); m.identity(3); m.tri(3); m.tri(3, 4, 1); m.tril(A); m.triu(A, 1); m.tril(A, -1)
m.meshgrid([1, 2], [3, 4, 5]); m.meshgrid([1, 2], [3, 4, 5], indexing='ij'); m.meshgrid([1, 2], [3], sparse=True); m.diag([1, 2])
m.diag([1, 2], -1); m.diag(A, 1); m.diagflat([[1, 2], [3, 4]]); m.indices((2, 3)); m.indices((2, 3), sparse=True)
m.full((2,), 3.5); m.full((2, 3), [1, 2, 3]); m.full(2, 1, dtype='u1'); m.full(2, 'M', dtype='i4'); m.full(3, np.float32(2)); m.full(2, 300, 'u1')
m.full((2,), 1 + 2j); m.full((), True); m.zeros(3, int); m.zeros((2, 0)); m.zeros(-1); m.zeros((2, 3), order='F'); m.ones(3, dtype='c8')
m.zeros(2, 'M8[D]'); m.zeros_like(A); m.ones_like(A, dtype=int); m.full_like(A, 7); m.empty_like(A, shape=(2,)) * 0; m.zeros_like([1, 2])
m.array([1, 2, 3]); m.array([[1, 2.5], [3, 4]]); m.array([True, 2]); m.array(5); m.array([1, 2], dtype='f4'); m.array([1, 2], ndmin=3); m.array([])
m.array([[1, 2], [3]]); m.array(['2020-01-01'], dtype='M8[D]'); m.array([2**70], dtype='i8'); m.array([1 + 2j], dtype='c8'); m.array(range(4))
m.asarray(A, dtype='i4'); m.ascontiguousarray(A.T); m.asfortranarray(A); m.copy(A); m.fromfunction(lambda i, j: i + j, (2, 3))
m.fromiter(range(4), int); m.frombuffer(b'abcd', dtype='u1'); m.logspace(0, 2, 3); m.array(m.arange(3)); m.array([m.arange(3), m.ones(3)])
m.asarray(memoryview(b'abc')); m.array(A, order='F'); m.vander([1, 2, 3]); m.geomspace(1, 100, 3)
m.logspace(0, 3, 4, base=[2, 3], axis=1); m.logspace(0, 3, 4, base=[2, 3]); m.logspace(0, [1, 2], 3, base=[2, 3], axis=-1)
m.logspace(0, 3, 4, base=[[2], [4]]); m.logspace([0, 1], 3, 4, base=m.asarray([2, 4])); m.logspace([0, 1], 3, 4, base=[2, 4, 8])
m.logspace(0, 3, 4, base=[2, 4], axis=2); m.logspace(A[:, 1], 3, 4, base=A[:2], axis=-2); m.logspace(0, 3, 4, base=m.asarray(2.0))
""".replace("\n", ";").split(";")  # fmt: skip


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("text", [c.strip() for c in CALLS if c.strip()])
def test_calls(text):
    a = np.arange(12.0).reshape(3, 4)
    results = []
    for module, x in ((np, a), (bc, bc.asarray(a))):
        try:
            results.append(eval(text, {"m": module, "np": np, "A": x}))
        except Exception as error:
            results.append(error)
    want, got = results
    if isinstance(want, Exception):
        assert type(got) is type(want), got
        return
    if isinstance(got, Exception):
        raise got
    many = isinstance(want, (tuple, list))
    for w, g in zip(want if many else [want], got if many else [got], strict=True):
        g = g if type(g) is bc.ndarray else bc.asarray(g)
        assert g.dtype == w.dtype and g.shape == w.shape
        np.testing.assert_array_equal(g.get(), w)
        if w.size and w.ndim and max(w.shape) > 1 and "meshgrid" not in text and "indices" not in text:
            assert (g.flags.c_contiguous, g.flags.f_contiguous) == (w.flags.c_contiguous, w.flags.f_contiguous)


def test_numpy_arrays_are_copied_unless_shared_on_purpose():
    a = np.arange(5.0)
    copied, shared = bc.asarray(a), bc.asarray(a, copy=False)
    a[0] = 9
    assert float(copied[0]) == 0 and float(shared[0]) == 9
    shared[1] = 7
    assert a[1] == 7
    lazy = shared * 2
    a[2] = -1
    assert float(lazy[2]) == 4.0
    with pytest.raises(ValueError, match="Unable to avoid copy"):
        bc.asarray([1, 2], copy=False)
    with pytest.raises(ValueError, match="Unable to avoid copy"):
        bc.asarray(a, dtype="f4", copy=False)
    own = bc.ones(3)
    assert bc.asarray(own) is own and bc.array(own) is not own


def test_a_read_only_array_stays_read_only_when_shared():
    a = np.arange(3.0)
    a.flags.writeable = False
    b = bc.asarray(a, copy=False)
    assert not b.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        b[0] = 1


@pytest.mark.parametrize(
    "bad", [["a", "b"], [None, 1], [{}], np.zeros(2, "S3"), np.zeros(2, "g"), np.zeros(2, "i4,f4")]
)
def test_types_that_arrays_do_not_hold_give_numpys_arrays(bad):
    with bc.config.set(fallback="silent"):
        got = bc.asarray(bad)
    assert type(got) is np.ndarray and got.dtype == np.asarray(bad).dtype
    with bc.config.set(fallback="error"), pytest.raises(NotImplementedError, match="arrays hold no"):
        bc.asarray(bad)


def test_numbers_of_the_other_byte_order_stay_numpys():
    with bc.config.set(fallback="silent"):
        a = bc.asarray(np.array([1.5, -2.0], ">f8"))
    assert type(a) is np.ndarray and a.dtype == np.dtype(">f8")
    assert bc.asarray(a.astype("f8")).tolist() == [1.5, -2.0]


def test_types_are_numpys():
    assert bc.float64 is np.float64 and bc.ones(2).dtype is np.dtype("f8") and bc.bool is np.bool and bc.pi == np.pi
    assert bc.result_type(bc.ones(2, dtype="f4"), bc.ones(2, dtype="i8")) == np.float64
    assert bc.can_cast(bc.ones(1, dtype="i4"), "f8") and bc.finfo(bc.ones(2, dtype="f4")).eps == np.finfo("f4").eps
    assert bc.isdtype(bc.ones(2).dtype, "real floating")
    info = bc.__array_namespace_info__()
    assert (
        info.default_device() == "cpu"
        and "cpu" in info.devices()
        and info.default_dtypes()["real floating"] == np.float64
    )


@pytest.mark.parametrize("order", ["C", "F", "A", "K"])
@pytest.mark.parametrize("shape", [None, (), (5,), (5, 6), (5, 6, 7)])
@pytest.mark.parametrize("layout", [lambda a: a, lambda a: a.T, lambda a: a.swapaxes(0, 1), lambda a: a[:, ::2, 0]])
def test_like_lies_in_memory_as_numpys(order, shape, layout):
    theirs, ours = (layout(xp.zeros((4, 3, 2))) for xp in (np, bc))
    for name in ("empty_like", "zeros_like", "ones_like"):
        for dtype in (None, "i2"):
            a, b = (getattr(xp, name)(x, dtype, order, shape=shape) for xp, x in ((np, theirs), (bc, ours)))
            assert (a.shape, a.strides, a.dtype) == (b.shape, b.strides, b.dtype)
    assert (
        bc.full_like(ours, 3, order=order, shape=shape).strides
        == np.full_like(theirs, 3, order=order, shape=shape).strides
    )
