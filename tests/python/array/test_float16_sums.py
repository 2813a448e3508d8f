"""Sums and products of float16 over axes that are not the innermost: NumPy rounds after every row that it adds."""

from __future__ import annotations

import itertools
from typing import Any

import bascule as bc
import numpy as np
import pytest
from reported_outcomes import same

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
