"""Sums over a short last axis are computed in the pass that uses them: with NumPy's bits, warnings and layouts."""

import warnings
from typing import Any

import bascule as bc
import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("native")

RNG = np.random.default_rng(11)
N = 130


def points(k: int, dtype: str = "f8") -> np.ndarray:
    return RNG.standard_normal((N, k)).astype(dtype)


def between(xp: Any, p: Any, q: Any) -> Any:
    return ((p[:, None, :] - q[None, :, :]) ** 2).sum(-1)


PROGRAMS = {
    "distances": lambda xp, p: xp.sqrt(between(xp, p, p)),
    "kept axis": lambda xp, p: xp.sqrt(((p[:, None, :] - p[None, :, :]) ** 2).sum(-1, keepdims=True)) + 1,
    "other order": lambda xp, p: xp.sqrt(between(xp, p, p)).T * 2,
    "part of it": lambda xp, p: xp.sqrt(between(xp, p, p)[::2, 5:]),
    "backwards": lambda xp, p: xp.sqrt(between(xp, p, p)[::-1]),
    "with the whole": lambda xp, p: (lambda s: s / (s + xp.sqrt(s)))(between(xp, p, p) + 1),
    "two sums": lambda xp, p: between(xp, p, p) - between(xp, p, p + 1),
    "a sum of sums": lambda xp, p: xp.sqrt(between(xp, p, p)).sum(0) * 2,
    "dear points": lambda xp, p: xp.sqrt(between(xp, xp.sqrt(xp.sqrt(xp.sqrt(p * p))), p)),
    "one for all elements": lambda xp, p: xp.sqrt((between(xp, p, p)[..., None] * p[0]).sum(-1) ** 2),
    "broadcast back": lambda xp, p: p[:, None, :] / (between(xp, p, p)[..., None] + 1),
    "only zeros": lambda xp, p: xp.copysign(1, (p[:, None, :] * 0 * p[None, :, :] * xp.ones((1, N, 1))).sum(-1)),
    "negative zeros": lambda xp, p: xp.copysign(1, (-xp.abs(p[:, None, :] * xp.zeros((1, N, 1)))).sum(-1)),
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
@pytest.mark.parametrize("k", [1, 2, 3, 7, 8])
@pytest.mark.parametrize("dtype", ["f8", "f4"])
def test_has_numpys_bits(program, k, dtype):
    p = points(k, dtype)
    expected, found = program(np, p), program(bc, bc.array(p))
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(np.asarray(found), expected)


@pytest.mark.parametrize("dtype", ["f8", "f4"])
@pytest.mark.parametrize("rows", [1, 7, 8, 9, 63, 64, 1000, 9001])
def test_of_eight_stored_elements(rows, dtype):
    x = (RNG.standard_normal((rows, 8)) * 10.0 ** RNG.integers(-9, 9, (rows, 8))).astype(dtype)
    x[rows // 2, 3] = np.inf
    x[0] = -0.0
    for name in ("sum", "mean"):
        found, expected = getattr(bc.array(x), name)(1), getattr(x, name)(1)
        np.testing.assert_array_equal(np.asarray(found), expected)
        np.testing.assert_array_equal(np.signbit(found), np.signbit(expected))
    x[-1, :2] = np.inf, -np.inf
    with pytest.warns(RuntimeWarning, match="invalid value encountered in reduce"):
        assert np.isnan(bc.array(x).sum(1)[rows - 1])


def test_is_one_pass():
    p = bc.array(points(3))
    assert " 1 pass;" in bc.explain(bc.sqrt(between(bc, p, p)))
    longer = bc.array(points(8))
    assert " 2 passes;" in bc.explain(bc.sqrt(between(bc, longer, longer)))


def test_what_is_held_is_there_afterwards():
    host = points(3)
    p = bc.array(host)
    difference = bc.exp(p[:, None, :] - p[None, :, :])
    squares = (difference * difference).sum(-1)
    root = bc.sqrt(squares)
    bc.evaluate(root)
    expected = np.asarray(difference)
    np.testing.assert_allclose(expected, np.exp(host[:, None, :] - host[None, :, :]), rtol=1e-15)
    np.testing.assert_array_equal(np.asarray(squares), (expected * expected).sum(-1))
    np.testing.assert_array_equal(np.asarray(root), np.sqrt((expected * expected).sum(-1)))


def test_memory_that_others_read_is_not_taken_over():
    weights, host = RNG.random((N, N)), points(3)
    w, p = bc.array(weights) + 0, bc.array(host)
    bc.evaluate(w)
    scaled = (w[:, :, None] * p[None, :, :]).sum(-1)
    later, more = w * 2, w - 1
    root = bc.abs(scaled)
    del scaled, w
    bc.evaluate(root)
    np.testing.assert_array_equal(np.asarray(root), np.abs((weights[:, :, None] * host[None, :, :]).sum(-1)))
    np.testing.assert_array_equal(np.asarray(later), weights * 2)
    np.testing.assert_array_equal(np.asarray(more), weights - 1)


def warned(xp: Any, p: Any) -> list[str]:
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        np.asarray(xp.sqrt((p[:, None, :] * xp.ones((1, N, 1))).sum(-1)))
    return sorted(str(w.message) for w in found)


@pytest.mark.parametrize("row", [[1.5e308] * 3, [np.inf, -np.inf, 0], [-1, 0, 0], [1.5e308, -np.inf, np.inf]])
def test_warns_as_numpy_does(row):
    p = points(3) ** 2
    p[7], p[60] = row, row[::-1]
    assert warned(bc, bc.array(p)) == warned(np, p)


def test_raises_as_numpy_does():
    p = points(3)
    p[5] = 1.7e308
    with np.errstate(over="raise"), bc.errstate(over="raise"):
        with pytest.raises(FloatingPointError) as expected:
            np.sqrt((p[:, None, :] * np.ones((1, N, 1))).sum(-1))
        with pytest.raises(FloatingPointError) as found:
            bc.evaluate(bc.sqrt((bc.array(p)[:, None, :] * bc.ones((1, N, 1))).sum(-1)))
    assert str(found.value) == str(expected.value)
