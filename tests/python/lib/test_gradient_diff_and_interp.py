"""gradient, diff, norm, interp, fftfreq, insert and append of small arrays: NumPy's values, types, errors and warnings."""

from __future__ import annotations

import warnings

import bascule as bc
import numpy as np
import pytest
from bascule.lib import calculus

pytestmark = pytest.mark.usefixtures("native")


def outcome(case, xp, *arrays):
    with warnings.catch_warnings(record=True) as reported:
        warnings.simplefilter("always")
        try:
            r = case(xp, *arrays)
        except Exception as error:
            return type(error), str(error)
        parts = r if isinstance(r, (tuple, list)) else (r,)
        reported = sorted({(w.category, str(w.message)) for w in reported}, key=str)
        return type(r) if isinstance(r, (tuple, list)) else None, reported, *(np.asarray(p) for p in parts)


def same(case, *arrays, decimals=None):
    wanted = outcome(case, np, *arrays)
    layouts = [[bc.asarray(x) for x in arrays]]
    if all(x.ndim for x in arrays):
        layouts.append([bc.asarray(np.repeat(x, 2, axis=-1))[..., ::2] for x in arrays])
    for mine in layouts:
        found = outcome(case, bc, *mine)
        assert len(found) == len(wanted)
        assert found[:2] == wanted[:2]
        for f, w in zip(found[2:], wanted[2:], strict=True):
            assert (f.dtype, f.shape) == (w.dtype, w.shape)
            if decimals is None:
                np.testing.assert_array_equal(f, w)
            else:
                np.testing.assert_allclose(f, w, rtol=10.0**-decimals)


def numbers(shape, dtype="f8", seed=0):
    return (np.random.default_rng(seed).standard_normal(shape) * 10).astype(dtype)


@pytest.mark.parametrize("dtype", ["f8", "i8", "f4", "i4", "u1", "c16", "?"])
@pytest.mark.parametrize("shape", [(2,), (3,), (70,), (2, 2), (5, 7), (3, 4, 5), (1,), (3, 1), (0,), ()])
def test_slopes(shape, dtype):
    x = numbers(shape, dtype) if dtype != "u1" else np.abs(numbers(shape)).astype("u1")
    for case in (
        lambda xp, a: xp.gradient(a),
        lambda xp, a: xp.gradient(a, 0.3),
        lambda xp, a: xp.gradient(a, 2),
        lambda xp, a: xp.gradient(a, -1.5, axis=-1),
        lambda xp, a: xp.gradient(a, axis=0),
        lambda xp, a: xp.gradient(a, axis=(0,)),
        lambda xp, a: xp.gradient(a, axis=3),
        lambda xp, a: xp.gradient(a, 0.1, edge_order=2),
        lambda xp, a: xp.gradient(a, 0.5, 0.25),
    ):
        same(case, x)


@pytest.mark.parametrize("bad", [np.nan, np.inf, 1.7e308, -1.7e308])
def test_slopes_and_differences_of_what_is_not_finite(bad):
    x = numbers(20)
    x[5], x[7] = bad, -bad
    same(lambda xp, a: xp.gradient(a), x)
    same(lambda xp, a: xp.gradient(a, 0.0), x)
    same(lambda xp, a: xp.diff(a), x)


def test_slopes_over_nothing_and_too_small():
    same(lambda xp, a: xp.gradient(a, 0), numbers(6))
    with np.errstate(under="raise"), pytest.raises(FloatingPointError), bc.errstate(under="raise"):
        bc.gradient(bc.asarray([1e-308, 2e-308, 4e-308]), 7e10)


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "i4", "u1", "u8", "?", "c16", "M8[s]", "f2"])
@pytest.mark.parametrize("shape", [(1,), (2,), (70,), (5, 7), (3, 4, 5), (0,), (3, 0), ()])
def test_differences(shape, dtype):
    x = np.abs(numbers(shape, "f8")).astype("i8").astype(dtype)
    for case in (
        lambda xp, a: xp.diff(a),
        lambda xp, a: xp.diff(a, 2),
        lambda xp, a: xp.diff(a, axis=0),
        lambda xp, a: xp.diff(a, n=0),
        lambda xp, a: xp.diff(a, prepend=a),
    ):
        same(case, x)
    same(lambda xp, a: xp.diff(a), np.array([2**63 - 1, -(2**63), 5]))
    same(lambda xp, a: xp.diff(a), np.array([2**31 - 1, -(2**31)], "i4"))


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "c16", "f2"])
@pytest.mark.parametrize("shape", [(1,), (2,), (70,), (5, 7), (3, 4, 5), (0,), ()])
def test_lengths(shape, dtype):
    x = numbers(shape, dtype)
    for case in (
        lambda xp, a: xp.linalg.norm(a),
        lambda xp, a: xp.linalg.norm(a, keepdims=True),
        lambda xp, a: xp.linalg.norm(a.T),
        lambda xp, a: xp.linalg.norm(a, axis=-1),
    ):
        same(case, x, decimals=2 if dtype == "f2" else 6)
    if dtype in ("f8", "f4") and shape:
        assert float(bc.linalg.norm(bc.asarray(x))) == float(np.linalg.norm(x))


def test_a_length_beyond_the_largest_number():
    same(lambda xp, a: xp.linalg.norm(a), np.array([1e200, 1e200]))
    same(lambda xp, a: xp.linalg.norm(a), np.array([np.nan, 1.0]))
    same(lambda xp, a: xp.linalg.norm(a), np.array([np.inf, 1.0]))
    assert hash(bc.linalg.norm(bc.asarray([3.0, 4.0]))) == hash(5.0)


@pytest.fixture(params=["few are NumPy's", "none are few"])
def way(request, monkeypatch):
    if request.param == "none are few":
        monkeypatch.setattr(calculus, "_FEW", -1)


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("n", [2, 3, 70, 1000, 9000])
def test_between_samples(n):
    xp, fp = np.sort(numbers(n, seed=1)), numbers(n, seed=2)
    fp[n // 2] = np.inf
    for x in (0.5, 0, -1, 3, 10**6, True, np.nan, np.inf, -np.inf, xp[0], xp[-1], xp[n // 2], np.float32(0.25)):
        for options in ({}, {"left": -7, "right": 2.5}, {"left": np.nan}, {"period": 3.5}):
            same(lambda m, a, b, x=x, o=options: m.interp(x, a, b, **o), xp, fp)
    for x in ([0.5, 0.7], [1, 2], (1, 2.5), [[1.0, 2.0], [3.0, 4.0]], [], [True, 0.5]):
        same(lambda m, a, b, x=x: m.interp(x, a, b), xp, fp)
    x = np.concatenate([numbers(50), xp[:20], [np.nan, np.inf, -np.inf]])
    same(lambda m, a, b, c: m.interp(a, b, c), x, xp, fp)
    same(lambda m, a, b, c: m.interp(a.reshape(1, -1), b, c, left=1j if m is None else 4, right=0), x, xp, fp)


@pytest.mark.usefixtures("way")
def test_between_samples_given_as_lists():
    for args in ((0.5, [0, 1], [2.0, 3.0]), ([0.5, 9], [0, 1, 2], (1, 5, 2)), (1, [0, 0, 1, 1], [1, 2, 3, 4]),
                 (2, [0, 1], [1, 2, 3]), (2, [], []), (2, [0], [1]), (2, 3, 4), (2, [0, 1], [1j, 2])):  # fmt: skip
        same(lambda m, a=args: m.interp(*a))
    assert type(bc.interp(0.5, [0, 1], [2.0, 3.0])) is np.float64


@pytest.mark.parametrize("n", [0, 1, 2, 3, 50, 1001, 5000])
def test_equal_distances(n):
    for ends in ((0, 1), (0.1, -7), (3, 3.0), (-1e300, 1e300), (0, 5e-324), (1, np.inf), (-1e308, 1.7e308), (0, 2**60)):
        for options in ({}, {"endpoint": False}, {"dtype": int}, {"retstep": True}, {"endpoint": 0}):
            if abs(ends[1]) < 1e100 or "dtype" not in options:
                same(lambda xp, n=n, e=ends, o=options: xp.linspace(*e, n, **o))


@pytest.mark.parametrize("n", [1, 2, 7, 8, 70, 1001])
def test_frequencies(n):
    for d in (1.0, 0.1, 2, -3, 1e-300):
        same(lambda xp, n=n, d=d: xp.fft.fftfreq(n, d))
    same(lambda xp, n=n: xp.fft.fftfreq(n, 0))


def test_frequencies_of_what_is_no_number():
    same(lambda xp: xp.fft.fftfreq(2.5))
    same(lambda xp: xp.fft.fftfreq(4, np.float64(0.1)))


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "i1", "u2", "?", "c16"])
@pytest.mark.parametrize("n", [1, 5, 70, 20_000])
def test_an_element_put_in(n, dtype):
    x = np.abs(numbers(n)).astype(dtype)
    for at in (0, 1, n // 2, -1, n, -n, n + 1, -n - 1, [0], [0, 0], slice(0, 2)):
        for value in (1, 1.5, True, -1, 300, [7]):
            same(lambda xp, a, k=at, v=value: xp.insert(a, k, v), x)
    same(lambda xp, a: xp.insert(a, 0, a[:1]), x)
    same(lambda xp, a: xp.insert(a, 0, 5, axis=0), x)
    same(lambda xp, a: xp.insert(a.reshape(1, -1), 1, 5), x)


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "?", "M8[s]"])
@pytest.mark.parametrize("n", [0, 1, 70, 20_000])
def test_values_behind(n, dtype):
    x = np.abs(numbers(n)).astype("i8").astype(dtype)
    if dtype != "M8[s]":
        for value in (1, 1.5, True, [7], [1.5, 2], [[1], [2]]):
            same(lambda xp, a, v=value: xp.append(a, v), x)
    same(lambda xp, a: xp.append(a, a), x)
    same(lambda xp, a: xp.append(a, a[:3], axis=0), x)
    same(lambda xp, a, b: xp.append(a, b), numbers(n), numbers(4, "f4"))


def test_what_was_put_in_is_a_copy():
    x = bc.asarray([1.0, 2.0])
    for made in (bc.insert(x, 0, 5.0), bc.append(x, 5.0), bc.append(x, x)):
        made[...] = 0
    assert x.tolist() == [1, 2]


@pytest.mark.parametrize("dtype", ["i1", "f2", "f4", "f8", "c16", "M8[s]", "?"])
@pytest.mark.parametrize("turn", [lambda x: x[:, 3], lambda x: x[::-1], lambda x: x.T, lambda x: x[::2, 1::3],
                                  lambda x: x[:, :1], lambda x: x[2, ::-1], lambda x: x[5:5], lambda x: x[3]])  # fmt: skip
@pytest.mark.parametrize("shape", [(8, 9), (70, 80)])
def test_copies_of_what_lies_apart(shape, turn, dtype):
    x = np.abs(numbers(shape)).astype("i8").astype(dtype)
    a = bc.asarray(x)
    for order in ("C", "K"):
        mine, wanted = turn(a).copy(order), turn(x).copy(order)
        assert (mine.dtype, mine.shape) == (wanted.dtype, wanted.shape)
        assert mine.strides == wanted.strides or not wanted.size
        np.testing.assert_array_equal(np.asarray(mine), wanted)
    copied = turn(a).copy()
    if copied.size:
        copied[...] = copied.ravel()[0]
    np.testing.assert_array_equal(np.asarray(a), x)
