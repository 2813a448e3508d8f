"""frexp, modf, ldexp, put, place, putmask and extrema.at with few elements, which take a fast path."""

from __future__ import annotations

from typing import Any

import bascule as bc
import numpy as np
import pytest
from bascule import _core
from reported_outcomes import same

pytestmark = pytest.mark.usefixtures("native")

NAN, INF = float("nan"), float("inf")
SPECIAL = [0.0, -0.0, 1.5, -2.75, 1e300, 5e-324, -3e-310, 0.999, 64.0, INF, -INF, NAN, -NAN]
SIZES = (1, 7, 13, 40, 3000)


def values(dtype: str, n: int) -> Any:
    with np.errstate(all="ignore"):
        return np.resize(np.array(SPECIAL), n).astype(dtype)


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i4", "?"])
@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("name", ["frexp", "modf"])
def test_parts(name: str, n: int, dtype: str) -> None:
    x = values(dtype, n) if dtype[0] == "f" else np.arange(n).astype(dtype)
    for program in (
        lambda xp: getattr(xp, name)(xp.asarray(x)),
        lambda xp: getattr(xp, name)(xp.asarray(x)[::-1]),
        lambda xp: getattr(xp, name)(xp.asarray(x).reshape(1, -1, 1)),
        lambda xp: getattr(xp, name)(xp.asarray(x), where=xp.asarray(x == x), out=(xp.ones(n), xp.ones(n))),
        lambda xp: getattr(xp, name)(xp.asarray(x[0])),
    ):
        same(program)


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8"])
@pytest.mark.parametrize("n", SIZES)
def test_numbers_of_parts(n: int, dtype: str) -> None:
    x, many = values(dtype, n), np.resize(np.array([0, 1, -3, 7, -1080, 2000, -(2**40)]), n)
    for state in ({}, {"all": "raise"}, {"over": "ignore", "under": "warn"}):
        for exponent in (0, 3, -2, 1500, -1500, 2**40, many, many % 5, many[:1] % 5):
            e = exponent
            same(lambda xp, e=e: xp.ldexp(xp.asarray(x), xp.asarray(e) if isinstance(e, np.ndarray) else e), **state)
            usual = x[np.isfinite(x) & (abs(x) < 100) & ((abs(x) > 0.1) | (x == 0))]
            e = e[: usual.size] if isinstance(e, np.ndarray) else e
            same(lambda xp, e=e, x=usual: xp.ldexp(xp.asarray(x), e), **state)


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "u1", "?", "c16", "M8[s]", "m8[D]"])
@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("name", ["put", "place", "putmask"])
def test_values_taken_in_turn(name: str, n: int, dtype: str) -> None:
    rng = np.random.default_rng(n)
    x = rng.integers(0, 100, n).astype(dtype)
    for shape in ((n,), (1, n), (n, 1, 1)):
        for count in (0, 1, 3, n):
            given = rng.integers(0, 100, count).astype(dtype)
            positions = rng.integers(-n, n, min(n, 9)) if name == "put" else rng.random(shape) < 0.6

            def written(xp: Any, given: Any = given, positions: Any = positions, shape: Any = shape) -> Any:
                a = xp.asarray(x.reshape(shape).copy())
                before = a + a if dtype[0] in "fiuc" else a.copy()  # may be pending
                getattr(xp, name)(a, xp.asarray(positions), xp.asarray(given))
                getattr(xp, name)(a[::-1], xp.asarray(positions), xp.asarray(given))
                return a, before

            same(written)


def test_a_value_may_lie_in_the_array() -> None:
    def program(xp: Any) -> Any:
        a = xp.arange(9.0)
        xp.put(a, xp.asarray([8, 7, 6, 0]), a[:3])
        xp.put(a, xp.asarray([0, 1, 2]), a[1:4])
        return a

    same(program)


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i8", "u8", "i2"])
@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("name", ["maximum", "minimum", "fmax", "add", "subtract"])
def test_at(name: str, n: int, dtype: str) -> None:
    rng = np.random.default_rng(n)
    x, v = (rng.choice([0, 1, 2, 3, 100], n).astype(dtype) for _ in range(2))
    if dtype[0] == "f":
        x[rng.random(n) < 0.5] *= -1
        v[rng.random(n) < 0.5] *= -1
    positions = rng.integers(-n, n, n)
    for special in (0, INF, -0.0) if name in ("maximum", "minimum", "subtract") else (0, NAN, INF, -0.0):
        if dtype[0] == "f":
            x[0] = v[-1] = special

        def at(xp: Any) -> Any:
            a, b, c = (xp.asarray(x.copy()) for _ in range(3))
            getattr(xp, name).at(a, xp.asarray(positions), xp.asarray(v))
            getattr(xp, name).at(b, xp.asarray(positions), 2 if dtype != "u8" else np.uint64(2))
            getattr(xp, name).at(c.reshape(1, -1), (xp.asarray(positions * 0), xp.asarray(positions)), xp.asarray(v))
            return a, b, c

        same(at)


def test_the_shorter_way_is_taken() -> None:
    x, p, m = bc.asarray([1.0, 2.5]), bc.asarray([0, 1]), bc.asarray([True, False])
    assert _core.small_place(x, m, x.copy())
    assert _core.small_putmask(x, m, x.copy()) and _core.combine_at(bc.maximum._number, x, p, 1.0)
