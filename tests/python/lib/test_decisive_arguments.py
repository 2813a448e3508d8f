"""Arguments for which an error in the code would show only in the values."""

import bascule as bc
import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("native")


def same(program):
    theirs, ours = np.asarray(program(np)), np.asarray(program(bc))
    assert ours.dtype == theirs.dtype
    np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("shape", [(7,), (4000,), (3, 5)])
def test_norms_that_count(shape):
    x = -np.arange(1.0, 1 + np.prod(shape)).reshape(shape)
    x.ravel()[::3] = 0
    for axis in range(len(shape)):
        same(lambda xp, axis=axis: xp.linalg.norm(xp.asarray(x), ord=0, axis=axis))
        same(lambda xp, axis=axis: xp.linalg.vector_norm(xp.asarray(x), ord=0, axis=axis, keepdims=True))
    assert bc.linalg.norm(bc.asarray([-1.0, -2.0, 0.0, 3.0]), ord=0) == 3


@pytest.mark.parametrize("axes", [(1, 0), (0, 1), (2, 0), (0, 2), (1, 2), (2, 1), (-1, 0)])
def test_averages_over_axes_in_any_order(axes):
    x = np.arange(24.0).reshape(2, 3, 4) ** 2
    w = np.arange(1.0, 1 + np.prod([x.shape[k] for k in axes])).reshape([x.shape[k] for k in axes]) ** 1.5
    ours = bc.average(bc.asarray(x), axes, bc.asarray(w), returned=True)
    for mine, theirs in zip(ours, np.average(x, axes, w, returned=True)):
        np.testing.assert_allclose(np.asarray(mine), theirs, rtol=1e-14)


@pytest.mark.parametrize("at", [[-1, -3], [-3, -1], [-1, 0, -5], [2, -2, 2, -2], [-4, -4, 1], np.array([-1, -2], "i1")])
def test_several_positions_from_the_end(at):
    x = np.arange(5) * 10
    values = np.arange(len(at)) + 1
    same(lambda xp: xp.insert(xp.asarray(x), at, values))
    same(lambda xp: xp.insert(xp.asarray(np.stack((x, x))), at, values, axis=1))
    same(lambda xp: xp.delete(xp.asarray(x), at))


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "c16"])
@pytest.mark.parametrize("n", [6, 300, 9000])
def test_running_products_behind_a_nan(n, dtype):
    x = np.ones(n, dtype)
    x[n // 3], x[n // 2] = np.nan, 0
    for axis_last in (x, np.stack((x, x[::-1]))):
        same(lambda xp, x=axis_last: np.isnan(np.asarray(xp.cumprod(xp.asarray(x), axis=-1))))
        same(lambda xp, x=axis_last: np.isnan(np.asarray(xp.cumsum(xp.asarray(x), axis=-1))))


@pytest.mark.parametrize("kind", [None, "sort", "table"])
@pytest.mark.parametrize("n", [5, 5000])
def test_membership(n, kind):
    x = np.random.default_rng(n).integers(-n, n, n)
    some = x[::7]
    with bc.config.set(fallback="error"):
        for invert in (False, True):
            same(lambda xp, i=invert: xp.isin(xp.asarray(x), xp.asarray(some), invert=i, kind=kind))
            same(lambda xp, i=invert: xp.isin(xp.asarray(x), xp.asarray(some[:0]), invert=i, kind=kind))
        if kind != "table":
            same(lambda xp: xp.isin(xp.asarray(x / 3), xp.asarray(some / 3)))
            same(lambda xp: xp.isin(xp.asarray([np.nan, 1.0, -0.0]), xp.asarray([0.0, np.nan])))


def test_permutations_too_long_to_be_packed():
    count = 2**24 + 3
    order = bc.random.default_rng(5).permutation(count).get()
    seen = np.zeros(count, bool)
    seen[order] = True
    assert seen.all() and order[:1000].tolist() != sorted(order[:1000].tolist())
