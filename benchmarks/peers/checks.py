"""Checks that a result is NumPy's, element by element, in blocks, so that large results need no further memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from rows import Arrays, Row

BLOCK = 1 << 16


class WrongResult(AssertionError):
    """A library's result differs from NumPy's; no time is reported."""


def expect(right: bool, text: str) -> None:
    if not right:
        raise WrongResult(text)


def blocks(*arrays: np.ndarray) -> Iterator[list[np.ndarray]]:
    flat = [x.reshape(-1) for x in arrays]
    for start in range(0, max(1, flat[0].size), BLOCK):
        yield [x[start : start + BLOCK] for x in flat]


def typical(x: np.ndarray) -> float:
    """Mean magnitude of a sample, to which errors near zero are relative."""
    sample = x.reshape(-1)[:: max(1, x.size // 100_000)]
    return float(np.mean(np.abs(sample.astype(np.result_type(x, np.float64))))) if x.size else 0.0


def close(got: np.ndarray, wanted: np.ndarray, rtol: float) -> None:
    scale = typical(wanted)
    for a, b in blocks(got, wanted):
        a, b = (x.astype(np.result_type(x, np.float64), copy=False) for x in (a, b))
        error = np.abs(a - b)
        bound = rtol * (np.abs(b) + scale)
        if not bool((error <= bound).all()):
            worst = float(np.max(np.where(error <= bound, 0, error)))
            raise WrongResult(f"differs by {worst:.3g}, typical magnitude {scale:.3g}")


def all_close(got: Arrays, wanted: Arrays, row: Row, _: Arrays) -> None:
    for a, b in zip(got, wanted):
        close(a, b, row.rtol)


def all_equal(got: Arrays, wanted: Arrays, *_: Any) -> None:
    for a, b in zip(got, wanted):
        expect(all(np.array_equal(*pair) for pair in blocks(a, b)), "differs")


def same_order(got: Arrays, wanted: Arrays, _: Row, inputs: Arrays) -> None:
    """Equal elements may come in any order, so the elements at the indices are compared."""
    x = inputs[0]
    for a, b in blocks(got[0], wanted[0]):
        expect(np.array_equal(x[a], x[b]), "the positions do not sort")


def same_distribution(got: Arrays, wanted: Arrays, *_: Any) -> None:
    """Means within six standard errors of each other, and variances within the variation of so many draws."""
    a, b = (x.astype(np.float64) for x in (got[0], wanted[0]))
    spread, n = float(b.std()), a.size
    expect(abs(a.mean() - b.mean()) <= 9 * spread / n**0.5, f"mean {a.mean():.4g}, NumPy's {b.mean():.4g}")
    expect(abs(a.std() - spread) <= 9 * spread / n**0.5, f"spread {a.std():.4g}, NumPy's {spread:.4g}")


def same_factors(got: Arrays, wanted: Arrays, row: Row, inputs: Arrays) -> None:
    """Singular values are unique, but vectors are not, so their product is compared, on the first rows."""
    close(got[1], wanted[1], row.rtol)
    close((got[0][:40] * got[1]) @ got[2], inputs[0][:40], row.rtol)


CHECKS = {
    "close": all_close,
    "exact": all_equal,
    "order": same_order,
    "moments": same_distribution,
    "svd": same_factors,
}


def check(row: Row, got: Arrays, wanted: Arrays, inputs: Arrays) -> None:
    """Raise WrongResult if `got` differs from NumPy's result."""
    expect(len(got) == len(wanted), f"{len(got)} arrays, NumPy gives {len(wanted)}")
    for a, b in zip(got, wanted):
        expect(a.shape == b.shape, f"shape {a.shape}, NumPy's is {b.shape}")
    CHECKS[row.check](got, wanted, row, inputs)
