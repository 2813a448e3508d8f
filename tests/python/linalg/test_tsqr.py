"""Products and singular values of long matrices, against NumPy's BLAS and LAPACK."""

import os
import threading

import bascule as bc
import numpy as np
import pytest
from bascule.linalg import tsqr as tall

LONG = 150_001  # not a whole number of blocks


def matrix(rows: int, columns: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    x = rng.normal(1.0, 2.0, (rows, columns))
    x[:, -1] += 3 * x[:, 0]
    return x * np.geomspace(1, 40, columns)


def no_fallbacks():
    return bc.config.set(fallback="error")


def counted():
    """NumPy multiplies the blocks of a decomposition."""
    return bc.config.set(fallback="silent")


@pytest.mark.parametrize("columns", [1, 3, 8, 32])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("wide", [False, True])
def test_svd_of_long_matrices(columns, order, wide):
    x = np.asarray(matrix(LONG, columns), order=order)
    x = x.T if wide else x
    with counted():
        found = bc.linalg.svd(bc.asarray(x), full_matrices=False)
        values = bc.linalg.svd(bc.asarray(x), compute_uv=False)
        also = bc.linalg.svdvals(bc.asarray(x))
    u, s, vh = (y.get() for y in found)
    expected = np.linalg.svd(x, full_matrices=False)
    assert found._fields == expected._fields
    np.testing.assert_allclose(s, expected.S, rtol=1e-12)
    np.testing.assert_array_equal(values.get(), also.get())
    np.testing.assert_allclose(values.get(), s, rtol=1e-14)
    # Signs are those of LAPACK; the singular values are separated well enough to define the vectors.
    np.testing.assert_allclose(u, expected.U, atol=1e-10)
    np.testing.assert_allclose(vh, expected.Vh, atol=1e-10)
    np.testing.assert_allclose(u.T @ u, np.eye(u.shape[1]), atol=1e-13)
    np.testing.assert_allclose(vh @ vh.T, np.eye(len(vh)), atol=1e-13)
    np.testing.assert_allclose(u * s @ vh, x, atol=1e-13 * abs(x).max())


@pytest.mark.parametrize("scales", [(1e-60, 1.0, 1e60), (1e9, 1.0, 1e-9)])
def test_svd_of_columns_of_very_different_size(scales):
    x = np.random.default_rng(2).normal(size=(LONG, 3)) * scales
    u, s, vh = tall.svd(x, True)
    np.testing.assert_allclose(s[0], np.linalg.norm(x, 2), rtol=1e-13)
    np.testing.assert_allclose(u.T @ u, np.eye(3), atol=1e-13)
    np.testing.assert_allclose(np.linalg.norm(u * s @ vh - x), 0, atol=1e-14 * s[0])


@pytest.mark.parametrize(
    "spoil",
    [
        lambda x: x[:, 1].__setitem__(slice(None), x[:, 0] * 2),
        lambda x: x[:, 1].__setitem__(slice(None), x[:, 0] + 1e-9 * x[:, 1]),
        lambda x: x[:, 1].__setitem__(slice(None), 0.0),
        lambda x: x.__imul__(1e-160),
        lambda x: x.__imul__(1e160),
    ],
    ids=["dependent", "nearly dependent", "zero", "tiny", "huge"],
)
def test_lapack_decomposes_what_squares_would_spoil(spoil):
    x = np.random.default_rng(1).normal(size=(LONG, 4))
    spoil(x)
    assert tall.svd(x, True) is None
    with counted():
        found = [y.get() for y in bc.linalg.svd(bc.asarray(x), full_matrices=False)]
    expected = np.linalg.svd(x, full_matrices=False)
    np.testing.assert_allclose(found[1], expected[1], rtol=1e-12, atol=1e-14 * expected[1][0])
    np.testing.assert_allclose(found[0] * found[1] @ found[2], x, atol=1e-13 * abs(x).max())


def test_missing_values_raise_as_in_numpy():
    x = np.random.default_rng(1).normal(size=(LONG, 4))
    x[77, 2] = np.nan
    with pytest.raises(np.linalg.LinAlgError) as theirs:
        np.linalg.svd(x, full_matrices=False)
    with counted(), pytest.raises(bc.linalg.LinAlgError) as ours:
        bc.linalg.svd(bc.asarray(x), full_matrices=False)
    assert str(ours.value) == str(theirs.value)


@pytest.mark.parametrize("shape", [(LONG, 33), (1000, 8), (4, 300, 3)])
def test_other_shapes_are_lapacks(shape):
    x = np.random.default_rng(1).normal(size=shape)
    assert tall.svd(x, True) is None
    with counted():
        s = bc.linalg.svd(bc.asarray(x), compute_uv=False)
    np.testing.assert_allclose(s.get(), np.linalg.svd(x, compute_uv=False), rtol=1e-13)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("p, q", [(1, 1), (8, 8), (3, 32)])
def test_products_along_the_long_axis(dtype, p, q):
    rng = np.random.default_rng(p)
    a, b = rng.normal(size=(p, LONG)).astype(dtype), rng.normal(size=(LONG, q)).astype(dtype)
    found = [
        bc.asarray(a) @ bc.asarray(b),
        bc.asarray(a.T.copy()).T @ bc.asarray(b.T.copy()).T,
        bc.dot(bc.asarray(a), bc.asarray(b)),
    ]
    exact = a.astype("f8") @ b.astype("f8")
    scale = np.linalg.norm(a, axis=1)[:, None] * np.linalg.norm(b, axis=0)
    for x in found:
        assert x.dtype == dtype and x.shape == (p, q)
        assert (abs(x.get() - exact) / scale).max() < (1e-6 if dtype == "f4" else 1e-14)


def test_threads_do_not_change_a_product():
    x = np.random.default_rng(0).normal(size=(5, LONG))
    before = bc.get_num_threads()
    found = []
    try:
        for threads in (1, 2, 5):
            bc.set_num_threads(threads)
            found.append((bc.asarray(x) @ bc.asarray(x).T).get())
    finally:
        bc.set_num_threads(before)
    assert (found[0] == found[1]).all() and (found[0] == found[2]).all()


def test_products_of_other_types_and_shapes_are_numpys():
    x = np.arange(2 * LONG).reshape(2, LONG)
    assert ((bc.asarray(x) @ bc.asarray(x).T).get() == x @ x.T).all()
    with pytest.raises(ValueError):
        bc.asarray(x * 1.0) @ bc.asarray(x * 1.0)


def test_errors_of_blocks_reach_the_caller_under_its_errstate():
    x = np.full((2, LONG), 1e200)
    before = bc.get_num_threads()
    try:
        bc.set_num_threads(3)
        with np.errstate(over="raise"), pytest.raises(FloatingPointError):
            tall.product(x, x.T)
        with np.errstate(over="ignore"):
            assert np.isinf(tall.product(x, x.T)).all()
    finally:
        bc.set_num_threads(before)
    assert all(t.is_alive() for t in threading.enumerate())


def test_a_forked_child_decomposes():
    x = np.random.default_rng(0).normal(size=(LONG, 3))
    s = tall.svd(x, False)
    child = os.fork()
    if child == 0:
        os._exit(0 if np.allclose(tall.svd(x, False), s, rtol=1e-14) else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_blocks_are_counted_or_left_to_lapack():
    x = bc.asarray(matrix(LONG, 3))
    for mode, names in (("silent", ["svd"]), ("error", [])):
        with bc.config.set(fallback=mode):
            bc.fallbacks(reset=True)
            s = bc.linalg.svd(x, compute_uv=False)
            bc.linalg.pinv(x)
            assert [f["name"] for f in bc.fallbacks()] == names
        np.testing.assert_allclose(s.get(), np.linalg.svd(x.get(), compute_uv=False), rtol=1e-12)
