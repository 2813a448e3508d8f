"""Extrema of float16: NumPy's loops keep the first of zeros of either sign, and of NaN."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from reported_outcomes import same

NAMES = ["maximum", "minimum", "fmax", "fmin"]
SIZES = [1, 2, 7, 33, 64, 1000, 70_000]
MISSING = np.array([0x7E00, 0xFE00, 0x7E01, 0xFE03], "u2").view("f2")


def halves(rng: Any, shape: Any, missing: bool = False) -> Any:
    """Mostly zeros of either sign."""
    x = rng.choice(np.array([0.0, -0.0, 0.0, -0.0, -1.0, 2.0], "f2"), shape)
    return np.where(rng.random(shape) < 0.3, rng.choice(MISSING, shape), x) if missing else x


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("name", NAMES)
def test_of_two(name: str, n: int, missing: bool) -> None:
    rng = np.random.default_rng(n)
    x, y = halves(rng, n, missing), halves(rng, n, missing)
    mask = rng.random(n) < 0.5
    same(lambda xp: getattr(xp, name)(xp.asarray(x), xp.asarray(y)))
    same(lambda xp: getattr(xp, name)(xp.asarray(x)[::-1], xp.asarray(y)))
    for number in (0.0, -0.0, 1.0, np.nan):
        same(lambda xp, number=number: getattr(xp, name)(xp.asarray(x), number))
        same(lambda xp, number=number: getattr(xp, name)(number, xp.asarray(x)))
    same(lambda xp: getattr(xp, name)(xp.asarray(x), xp.asarray(x[:1])))
    same(lambda xp: getattr(xp, name)(xp.asarray(x), xp.asarray(y), out=xp.ones(n, "f2"), where=xp.asarray(mask)))
    same(lambda xp: getattr(xp, name)(xp.asarray(x), xp.asarray(y.astype("i1")), out=xp.ones(n, "f4"), dtype="f2",
                                      casting="unsafe"))  # fmt: skip


@pytest.mark.parametrize("n", SIZES[:-1])
@pytest.mark.parametrize("name", NAMES)
def test_running(name: str, n: int) -> None:
    x = halves(np.random.default_rng(n), (n, 3))
    for axis in (0, 1):
        same(lambda xp, axis=axis: getattr(xp, name).accumulate(xp.asarray(x), axis))
        same(lambda xp, axis=axis: getattr(xp, name).accumulate(xp.asarray(np.asfortranarray(x)), axis))


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("name", NAMES)
def test_reduced(name: str, n: int) -> None:
    x = np.minimum(halves(np.random.default_rng(n), (n, 3)), 0)
    x = -x if name in ("minimum", "fmin") else x
    for axis in (0, 1, None):
        same(lambda xp, axis=axis: getattr(xp, name).reduce(xp.asarray(x), axis))
        same(lambda xp, axis=axis: getattr(xp, name).reduce(xp.asarray(x), axis, keepdims=True))
        for initial in (0.0, -0.0):
            same(lambda xp, axis=axis, i=initial: getattr(xp, name).reduce(xp.asarray(x), axis, initial=i))
            same(lambda xp, axis=axis, i=initial: getattr(xp, name).reduce(xp.asarray(x), axis, initial=i,
                                                                           where=xp.asarray(x < 0)))  # fmt: skip
    same(lambda xp: getattr(xp, name).reduceat(xp.asarray(x), [0, n // 3, n // 2]))


@pytest.mark.parametrize("n", SIZES)
def test_the_largest_and_the_least(n: int) -> None:
    x = -np.abs(halves(np.random.default_rng(n), (n, 3)))
    for axis in (0, 1, None):
        same(lambda xp, axis=axis: xp.asarray(x).max(axis))
        same(lambda xp, axis=axis: (-xp.asarray(x)).min(axis))
        same(lambda xp, axis=axis: (xp.asarray(x) * 1).max(axis))  # of a pending result
        same(lambda xp, axis=axis: xp.nanmax(xp.asarray(x), axis))
