"""Shapes, joins, rearrangements, selections and derived functions against NumPy: values, types, errors, and views."""

import bascule as bc
import numpy as np
import pytest
from bascule import _core

CALLS = """
A.reshape(4, -1); A.reshape(5, -1); A.reshape(6, 3); A.reshape(-1, -1); A.reshape(24, order='F'); A.reshape((2, 12)); m.reshape(A, 24, copy=True)
A.T.reshape(24, copy=False); A.T; A.mT; A.swapaxes(0, 2); A.swapaxes(0, 3); m.moveaxis(A, 0, -1); m.moveaxis(A, (0, 1), (2, 0)); m.rollaxis(A, 2)
m.transpose(A, (2, 0, 1)); A.transpose(1, 0, 2); A.transpose((0, 0, 1)); A.transpose(0, 1); m.expand_dims(A, (0, 2)); m.expand_dims(A, 5)
m.squeeze(A[:1]); m.squeeze(A, 0); m.broadcast_to(A, (2, 2, 3, 4)); m.broadcast_to(A, (2, 2)); m.broadcast_arrays(A, A[0]); m.atleast_3d(A[0])
A.ravel(); A.ravel('F'); A.flatten('F'); m.ravel(A.T, 'K'); m.ravel(A, 'X'); m.concatenate([A, A]); m.concatenate([A, A], axis=2)
m.concatenate([A, A[0]]); m.concatenate([A, A[:, :1]]); m.concatenate([]); m.concatenate([A, A], axis=None); m.concatenate([A, I]); m.concatenate([1, 2])
m.concatenate([A, A], dtype='i4', casting='unsafe'); m.concatenate([A, A], dtype='i4'); m.concatenate([A.T, A.T]); m.concatenate([A, A], axis=3)
m.stack([A, A], axis=1); m.stack([A, A[0]]); m.stack([]); m.hstack([A, A]); m.vstack([A[0], A[0, :1]]); m.dstack([A[0], A[0]]); m.column_stack([A[0, 0], A[1, 0]])
m.split(A, 2, axis=2); m.split(A, 5); m.array_split(A, 3, axis=2); m.split(A, [1, 2], axis=1); m.unstack(A, axis=1); m.append(A, A[:1], axis=0)
m.flip(A); m.flip(A, 1); m.fliplr(A); m.flipud(A); m.rot90(A); m.rot90(A, 2, (1, 2)); m.roll(A, 3); m.roll(A, 2, axis=1); m.roll(A, (1, -1), (0, 2))
m.repeat(A, 2); m.repeat(A, [1, 2, 0], axis=1); m.repeat(A, 3, axis=2); m.tile(A, (2, 1, 2)); m.tile(A[0], 2); m.tile(A, (2, 1, 1, 1))
m.take(A, [1, 0], axis=1); m.take(A, [5, 23]); m.take(A, [25]); m.take(A, [25, -30], mode='wrap'); m.take(A, [25, -30], mode='clip'); m.take(A, 3)
m.take_along_axis(A, m.argsort(-A, axis=1), 1); m.compress([True, False], A, axis=0); m.extract(A > 5, A); m.nonzero(A > 5); m.nonzero(m.asarray(1))
m.where(A > 5); m.where(A > 5, A, 0); m.where(A > 5, 1, 2); m.where(A > 5, 1, 2.5); m.where(A > 5, A[0], I); m.where(A > 5, 1); m.where(I, A, -A)
m.clip(A, 3, 7); m.clip(A, None, 5); m.clip(A, 5, None); m.clip(I, -300, 3); m.clip(m.arange(5, dtype='u1'), -1, 300); m.clip(A, A[0], 9); A.clip(2, 5)
m.flatnonzero(A > 20); m.argwhere(A > 20); m.unique(I); m.sort(-A, axis=0); m.argsort(-A); m.searchsorted(m.arange(5), 3); m.trace(A); m.diagonal(A, 1)
m.round(A / 7, 2); m.round(A / 7); m.round(I, -1); m.fix(A - 5.5); m.isclose(A, A + 1e-9); m.allclose(A, A); m.array_equal(A, A); m.array_equal(A, I)
m.nan_to_num(A / 0); m.modf(A / 3 - 2); m.divmod(A, 3); m.real(A * 1j); m.imag(A * 1j); m.angle(A * 1j + 1); m.sinc(A); m.isposinf(A / 0); m.array_equiv(A, A[:1])
A.astype('i4'); A.astype('i4', casting='safe'); A.astype('f8', copy=False); A.item(3); A.item(1, 2, 3); A.item(99); A.item(); A.tolist(); A.tobytes()
A.view('i8'); A.view('i4'); A.T.view('i4'); A[..., :3].view('c16'); A.nbytes; A.itemsize; A.strides; A.size; A.ndim; A.dtype; A.flags.c_contiguous; A.T.flags.f_contiguous
A @ A[0].T; A[0] @ A[0]; m.dot(A, A[0].T); m.vdot(A, A); m.inner(A, A); m.tensordot(A, A, 3); m.einsum('ijk,ijk->i', A, A); m.matmul(A, 3); m.kron(A[0], A[0])
m.linalg.norm(A); m.linalg.inv(m.eye(3) * 2); m.linalg.inv(m.zeros((2, 2))); m.linalg.solve(m.eye(2) * 4, m.ones(2)); m.linalg.qr(A[0]); m.outer(I, I)
m.percentile(A, 30); m.histogram(A, bins=4); m.gradient(A[0, 0]); m.pad(A[0], 1); m.interp(2.5, [1, 2, 3], [4, 5, 6]); m.cross([1, 2, 3], [4, 5, 6]); m.trapezoid(A)
m.size(A, 1); m.shape(A); m.ndim(A); m.isscalar(3); m.shares_memory(A, A[0]); m.insert(A, 1, 5, axis=0); m.delete(A, 1, axis=0); m.lexsort((A[0, 0], A[1, 0]))
""".replace("\n", ";").split(";")  # fmt: skip


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("text", [c.strip() for c in CALLS if c.strip()])
def test_calls(text):
    a = np.arange(24.0).reshape(2, 3, 4)
    results = []
    for module, x, i in (
        (np, a, np.arange(24).reshape(2, 3, 4) % 5),
        (bc, bc.asarray(a), bc.arange(24).reshape(2, 3, 4) % 5),
    ):
        try:
            results.append(eval(text, {"m": module, "A": x, "I": i}))
        except Exception as error:
            results.append(error)
    want, got = results
    if isinstance(want, Exception):
        assert isinstance(got, type(want)), got
        assert str(got) == str(want)
        return
    if isinstance(got, Exception):
        raise got
    compare(got, want)


def compare(got, want):
    if isinstance(want, (tuple, list)):
        assert len(got) == len(want)
        for g, w in zip(got, want):
            compare(g, w)
        return
    if not isinstance(want, (np.ndarray, np.generic)):
        assert got == want
        return
    assert type(got) is (bc.ndarray if isinstance(want, np.ndarray) else type(want))
    assert got.dtype == want.dtype and got.shape == want.shape
    if want.dtype.kind in "fc":
        np.testing.assert_allclose(np.asarray(got), want, rtol=1e-14, atol=1e-15)
    else:
        np.testing.assert_array_equal(np.asarray(got), want)


WRITERS = {
    "copyto": lambda m, a, i: m.copyto(a, i, where=i > 5),
    "copyto-cast": lambda m, a, i: m.copyto(i, a, casting="unsafe"),
    "copyto-refused": lambda m, a, i: m.copyto(i, a),
    "putmask": lambda m, a, i: m.putmask(a, i > 5, [-1, -2, -3]),
    "place": lambda m, a, i: m.place(a, i > 5, [-1, -2]),
    "put": lambda m, a, i: m.put(a, [1, 3, -1], [9, 8]),
    "put_along_axis": lambda m, a, i: m.put_along_axis(a, m.argmax(a, axis=1, keepdims=True), 0, axis=1),
    "fill_diagonal": lambda m, a, i: m.fill_diagonal(a[0], 7),
    "fill": lambda m, a, i: a.fill(3),
    "sort": lambda m, a, i: a[::-1].sort(axis=0),
    "real": lambda m, a, i: setattr(a, "real", 5),
    "flat": lambda m, a, i: setattr(a, "flat", [1, 2]) if m is None else a.flat.__setitem__(slice(2, 6), 0),
    "in-place-matmul": lambda m, a, i: a[0, :, :3].__imatmul__(m.eye(3)),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", WRITERS)
def test_writers(name):
    a, i = np.arange(24.0).reshape(2, 3, 4), np.arange(24).reshape(2, 3, 4)
    b, j = bc.asarray(a), bc.asarray(i)
    errors = []
    for call in (lambda: WRITERS[name](np, a, i), lambda: WRITERS[name](bc, b, j)):
        try:
            call()
            errors.append(None)
        except Exception as error:
            errors.append((type(error), str(error)))
    assert errors[0] == errors[1]
    np.testing.assert_array_equal(b.get(), a)
    np.testing.assert_array_equal(j.get(), i)


VIEWS = ["x.T", "x[::2]", "x.reshape(-1)", "m.broadcast_to(x, (2, 2, 3, 4))", "m.moveaxis(x, 0, 1)", "m.flip(x)", "m.squeeze(x)",
         "m.expand_dims(x, 0)", "x.real", "m.diagonal(x)", "m.split(x, 2)[1]", "m.rot90(x)", "x.view()", "x.ravel()"]  # fmt: skip


@pytest.mark.parametrize("text", VIEWS)
def test_views_share_memory(text):
    x = bc.arange(24.0).reshape(2, 3, 4)
    assert bc.shares_memory(x, eval(text, {"m": bc, "x": x}))


def test_text_is_numpys():
    for a in (
        np.arange(3),
        np.arange(2000.0),
        np.ones((2, 3), "f4"),
        np.array(3),
        np.array([1e-9, 1]),
        np.array([True]),
        np.zeros((0, 3)),
        np.array([1 + 2j]),
    ):
        assert (repr(bc.asarray(a)), str(bc.asarray(a))) == (repr(a), str(a))
    with np.printoptions(precision=2):
        assert str(bc.asarray([1 / 3])) == "[0.33]"
    assert f"{bc.asarray(2.5):.2f}" == "2.50" and f"{bc.ones(2)}" == "[1. 1.]"
    with pytest.raises(TypeError, match="unsupported format string"):
        f"{bc.ones(2):.2f}"


RANK_64 = {
    "few": (1,) * 20 + (2, 3) + (1,) * 40 + (5, 1),
    "spread": (2,) + (1,) * 30 + (3,) + (1,) * 31 + (4,),
    "above the size of eager operations": (50,) + (1,) * 30 + (40,) + (1,) * 31 + (30,),
    "empty": (1,) * 63 + (0,),
}


@pytest.mark.parametrize("name", RANK_64)
def test_sixty_four_dimensions(name):
    shape = RANK_64[name]
    n = np.random.default_rng(1).normal(size=shape)
    a = bc.asarray(n)
    axes = (0, 21, 31, 63)
    for f in (
        lambda np, x: np.sqrt(np.abs(x)) * 2 - x,
        lambda np, x: x.T.copy(),
        lambda np, x: np.transpose(x, (63, *range(63))).copy(),
        lambda np, x: x.T * x.T[:1],
        lambda np, x: np.sum(x, axis=axes),
        lambda np, x: np.sum(x, axis=63, keepdims=True),
        lambda np, x: np.add.reduce(x.T, axis=0),
        lambda np, x: x.reshape(-1).reshape(x.shape[::-1]),
    ):
        found, expected = f(bc, a), f(np, n)
        assert found.shape == expected.shape
        for length, mine, theirs in zip(found.shape, found.strides, expected.strides):
            assert n.size == 0 or length == 1 or mine == theirs  # the stride along a length of one does not matter
        np.testing.assert_allclose(_core.to_numpy(found), expected, rtol=1e-13, atol=1e-13)
    with pytest.raises(ValueError):
        n.reshape(*shape, 1)
    with pytest.raises(ValueError):
        a.reshape(*shape, 1)
    with pytest.raises(ValueError):
        bc.zeros((1,) * 65)


@pytest.mark.parametrize("dtype", ["?", "u1", "i8", "f2", "f8", "c16", "m8[s]"])
@pytest.mark.parametrize("shape", [(0,), (5,), (9000,), (3, 4), (0, 3), (100, 120), (7, 30, 60)])
def test_frames_of_zeros(shape, dtype):
    n = np.arange(1, np.prod(shape) + 1).reshape(shape).astype(dtype)
    for host in (n, np.asfortranarray(n), n[::-1], n[..., ::2]):
        for width in (
            0,
            3,
            (1, 2),
            [(1, 0)] * n.ndim,
            {0: 2},
            np.int8(2),
            np.array([1, 2]),
            -1,
            1.5,
            True,
            (1, 2, 3),
        ):
            for given in ({}, {"constant_values": 0}, {"constant_values": 0.0}, {"constant_values": (0, 1)}):
                a = bc.array(host, order="K")
                try:
                    theirs = np.pad(host, width, **given)
                except Exception as error:
                    with pytest.raises(type(error)) as reported:
                        bc.pad(a, width, **given)
                    assert str(reported.value) == str(error) or isinstance(error, MemoryError)
                    continue
                mine = bc.pad(a, width, **given)
                assert (mine.dtype, mine.shape) == (theirs.dtype, theirs.shape)
                assert mine.flags.c_contiguous == theirs.flags.c_contiguous
                a[...] = 1  # the padding keeps its values
                np.testing.assert_array_equal(mine.get(), theirs)
                mine[...] = 1
