"""Extrema of float16: NumPy's loops keep the first of zeros of either sign, and of NaN. var and std of float16, which NumPy rounds at every step: overflow on the way, to the bit, and reported errors. Sums and products of float16 over axes that are not the innermost: NumPy rounds after every row that it adds."""

from __future__ import annotations

import itertools
from typing import Any

import bascule as bc
import numpy as np
import pytest
from reported_outcomes import outcome, same

pytestmark = pytest.mark.usefixtures("native")

NAMES = ["maximum", "minimum", "fmax", "fmin"]
SIZES = [1, 2, 7, 33, 64, 1000, 70_000]
MISSING = np.array([0x7E00, 0xFE00, 0x7E01, 0xFE03], "u2").view("f2")


def float16(rng: Any, shape: Any, missing: bool = False) -> Any:
    """Mostly zeros of either sign."""
    x = rng.choice(np.array([0.0, -0.0, 0.0, -0.0, -1.0, 2.0], "f2"), shape)
    return np.where(rng.random(shape) < 0.3, rng.choice(MISSING, shape), x) if missing else x


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("name", NAMES)
def test_of_two(name: str, n: int, missing: bool) -> None:
    rng = np.random.default_rng(n)
    x, y = float16(rng, n, missing), float16(rng, n, missing)
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
    x = float16(np.random.default_rng(n), (n, 3))
    for axis in (0, 1):
        same(lambda xp, axis=axis: getattr(xp, name).accumulate(xp.asarray(x), axis))
        same(lambda xp, axis=axis: getattr(xp, name).accumulate(xp.asarray(np.asfortranarray(x)), axis))


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("name", NAMES)
def test_reduced(name: str, n: int) -> None:
    x = np.minimum(float16(np.random.default_rng(n), (n, 3)), 0)
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
    x = -np.abs(float16(np.random.default_rng(n), (n, 3)))
    for axis in (0, 1, None):
        same(lambda xp, axis=axis: xp.asarray(x).max(axis))
        same(lambda xp, axis=axis: (-xp.asarray(x)).min(axis))
        same(lambda xp, axis=axis: (xp.asarray(x) * 1).max(axis))  # of a pending result
        same(lambda xp, axis=axis: xp.nanmax(xp.asarray(x), axis))


# ---- var and std of float16, which NumPy rounds at every step: overflow on the way, to the bit, and reported errors


NUMBERS = {
    "spread": np.array([300, -300, 1], "f2"),
    "large": np.array([6e4, -6e4, 0], "f2"),
    "a sum too large": np.full(20, 6e4, "f2"),
    "squares too many": np.tile(np.array([12, -12], "f2"), 600),
    "infinite": np.array([np.inf, 1, 2], "f2"),
    "unknown": np.array([np.nan, 1, 2], "f2"),
    "small": np.array([1e-4, 2e-4, -1e-4, 3e-5], "f2"),
    "usual": np.random.default_rng(0).normal(1, 2, 700).astype("f2"),
    "many": np.random.default_rng(1).normal(0, 1, 20_000).astype("f2"),
    "one": np.array([3.5], "f2"),
}
OPTIONS = [{}, {"axis": -1}, {"ddof": 1}, {"ddof": 0.5}, {"keepdims": True}]


def alike(program):
    """Compare, except for rounding where NumPy's sums over other axes than the last round float16 at every step."""
    (got, reported), (want, theirs) = outcome(program, bc), outcome(program, np)
    assert reported == theirs
    for (t, shape, a), (u, other, b) in zip(got, want, strict=True):
        assert (t, shape) == (u, other)
        np.testing.assert_allclose(np.frombuffer(a, t), np.frombuffer(b, u), rtol=2e-2)


@pytest.mark.parametrize("name", ["var", "std"])
@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("numbers", NUMBERS)
def test_steps_are_numpys(numbers, options, name):
    x = NUMBERS[numbers]
    if x.size == 1 and "ddof" in options:
        return  # no element is left; other tests check the warnings
    same(lambda xp: getattr(xp, name)(xp.asarray(x), **options))
    same(lambda xp: getattr(xp.asarray(x)[::-1], name)(**options))
    same(lambda xp: getattr(xp, name)(xp.asarray(np.tile(x, (3, 1))), **options))


@pytest.mark.parametrize("name", ["var", "std"])
@pytest.mark.parametrize("numbers", NUMBERS)
def test_over_the_first_axis(numbers, name):
    x = np.tile(NUMBERS[numbers][:900, None], (1, 40))
    alike(lambda xp: getattr(xp, name)(xp.asarray(x), axis=0))
    alike(lambda xp: getattr(xp, name)(xp.asarray(x), axis=0, dtype="f4"))


@pytest.mark.parametrize("name", ["var", "std", "mean"])
def test_of_what_a_mask_selects(name):
    x = NUMBERS["usual"][:60].reshape(6, 10)
    for scale in (1, 200):
        for mask in (np.arange(60).reshape(6, 10) % 3 > 0, np.arange(10) > 4):
            for axis in (1, 0):
                alike(
                    lambda xp, s=scale, m=mask, k=axis: getattr(xp, name)(
                        xp.asarray(x * np.float16(s)), axis=k, where=xp.asarray(m)
                    )
                )


def test_of_what_waits():
    x = NUMBERS["many"]
    same(lambda xp: (xp.asarray(x) * 2).var())
    same(lambda xp: (xp.asarray(x).reshape(100, 200) + 1).std(axis=1))
    same(lambda xp: xp.asarray(x).reshape(100, 200).var(1, out=xp.zeros(100, "f2")))


@pytest.mark.parametrize("name", ["var", "std"])
@pytest.mark.parametrize("n", [5, 129, 5000])
def test_complex_numbers_in_a_real_type(n, name):
    rng = np.random.default_rng(n)
    x, mask = rng.normal(size=(2, n)) + 1j * rng.normal(1, 1, (2, n)), np.arange(n) % 3 > 0
    for dtype in ("f4", "f8"):
        for options in ({}, {"axis": 0}, {"axis": 1, "keepdims": True}, {"axis": 1, "where": mask, "ddof": 1}):
            call = lambda xp, o=options, t=dtype: getattr(xp, name)(
                xp.asarray(x), dtype=t, **{k: xp.asarray(v) if k == "where" else v for k, v in o.items()}
            )
            with pytest.warns(np.exceptions.ComplexWarning):
                got = call(bc)
            with pytest.warns(np.exceptions.ComplexWarning):
                want = call(np)
            assert got.dtype == want.dtype
            np.testing.assert_allclose(np.asarray(got), want, rtol=1e-5 if dtype == "f4" else 1e-13)


# ---- Sums and products of float16 over axes that are not the innermost: NumPy rounds after every row that it adds


SHAPES = [(5, 2), (40, 30), (300, 200), (20, 30, 40), (4, 5, 6, 7), (3, 70, 9), (1, 20, 1, 9), (2000, 3), (2, 3000, 2)]
LAYOUTS = {
    "C": lambda x: x,
    "F": np.asfortranarray,
    "turned": lambda x: np.ascontiguousarray(x.swapaxes(0, -1)).swapaxes(0, -1),
    "every_second": lambda x: np.repeat(x, 2, axis=-1)[..., ::2],
    "backwards": lambda x: x[::-1],
}


def axes_of(ndim: int) -> list[Any]:
    return [a for n in range(1, ndim + 1) for a in itertools.combinations(range(ndim), n)]


def laid_out(shape: Any, layout: str) -> Any:
    return LAYOUTS[layout](np.random.default_rng(len(shape)).standard_normal(shape).astype("f2"))


def steps_of_rows(x: Any, axis: Any) -> bool:
    """Whether rows are long, or the innermost axis is not reduced, or is reduced without the axes next to it."""
    order = sorted((d for d in range(x.ndim) if x.shape[d] > 1), key=lambda d: -abs(x.strides[d]))
    if order[-1] not in axis:
        return True
    kept = [d for d in order if d not in axis]
    if not kept:
        return x.size <= 8192 or bool(x.flags.forc)  # otherwise NumPy adds buffer by buffer
    behind = order[order.index(kept[-1]) + 1 :]
    return set(order) & set(axis) == set(behind) or np.prod([x.shape[d] for d in kept]) >= 128


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("shape", SHAPES)
def test_sums(shape: Any, layout: str) -> None:
    x = laid_out(shape, layout)
    for axis in axes_of(x.ndim):
        if not steps_of_rows(x, axis):
            continue
        same(lambda xp, axis=axis: xp.sum(xp.asarray(x) if xp is np else bc.asarray(x, copy=False), axis=axis))
        same(lambda xp, axis=axis: xp.add.reduce(bc.asarray(x, copy=False) if xp is bc else x, axis, keepdims=True))


@pytest.mark.parametrize("layout", ["C", "F"])
@pytest.mark.parametrize("shape", SHAPES)
def test_products_of_rows(shape: Any, layout: str) -> None:
    x = 1 + np.abs(laid_out(shape, layout)) / np.float16(64)
    innermost = x.ndim - 1 if layout == "C" else 0
    for axis in axes_of(x.ndim):
        if innermost not in axis or len(axis) == 1:
            same(lambda xp, axis=axis: xp.prod(bc.asarray(x, copy=False) if xp is bc else x, axis=axis))


@pytest.mark.parametrize("initial", [3.5, -0.0, 1e-7, np.inf, 2049])
@pytest.mark.parametrize("width", [3, 500])
def test_from_initial_on(width: int, initial: float) -> None:
    x = laid_out((50, width), "C")
    same(lambda xp: xp.sum(xp.asarray(x), axis=0, initial=initial))
    same(lambda xp: xp.prod(xp.asarray(x), axis=0, initial=initial))
    same(lambda xp: xp.sum(xp.asarray(x[:1]), axis=0, initial=initial))


@pytest.mark.parametrize("width", [1, 3, 500])
def test_signs_of_zeros_and_what_is_no_number(width: int) -> None:
    x = np.random.default_rng(width).choice(np.array([0.0, -0.0, 1.0, -1.0], "f2"), (6, width))
    same(lambda xp: xp.sum(xp.asarray(x), axis=0))
    same(lambda xp: xp.sum(xp.asarray(np.full((6, width), -0.0, "f2")), axis=0))
    same(lambda xp: xp.prod(xp.asarray(x), axis=0))
    for odd in (np.nan, np.inf):
        y = x.copy()
        y[2, ::2] = odd
        same(lambda xp, y=y: xp.sum(xp.asarray(y), axis=0))


@pytest.mark.parametrize("width", [3, 500])
@pytest.mark.parametrize("state", ["warn", "raise", "ignore"])
def test_fp_errors_are_reported_once(state: str, width: int) -> None:
    large = np.full((70, width), 3000, "f2")
    large[5, 0] = 60000
    opposite = np.ones((9, width), "f2")
    opposite[3], opposite[5] = np.inf, -np.inf
    for x in (large, opposite):

        def summed(xp: Any, x: Any = x) -> Any:
            with xp.errstate(all=state):
                return xp.sum(xp.asarray(x), axis=0), xp.prod(xp.asarray(x), axis=0)

        same(summed)


def test_in_other_types_and_outputs() -> None:
    x = laid_out((40, 300), "C")
    same(lambda xp: xp.sum(xp.asarray(x), axis=0, dtype="f4"))
    same(lambda xp: xp.sum(xp.asarray(x.astype("f4")), axis=0, dtype="f2"))
    same(lambda xp: xp.sum(xp.asarray(x), axis=0, out=xp.zeros(300, "f2")))
    same(lambda xp: xp.nansum(xp.asarray(x), axis=0))
    same(lambda xp: (xp.asarray(x) * 2 + 1).sum(axis=0) - 3)
    same(lambda xp: xp.mean(xp.asarray(x), axis=0))
    same(lambda xp: xp.sum(xp.asarray(x[:0]), axis=0))
    same(lambda xp: xp.sum(xp.asarray(x[:, :0]), axis=0))
    same(lambda xp: xp.sum(xp.asarray(x[:1]), axis=0))
