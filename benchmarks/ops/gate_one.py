"""Benchmarks of the lazy array: fusion, reductions, views, small calls, import and memory."""

from __future__ import annotations

from typing import Any

import bascule as bc
import numpy as np
from harness import Arrays, Script, Target, Timed, Tiny, as_numpy, exact, expect, same_kind, ulp_distance, within

try:
    import numexpr
except ImportError:
    numexpr = None
try:
    from scipy.special import ndtr
except ImportError:
    ndtr = None


def speedup(k: float) -> Target:
    return Target("speedup", at_least=k, text=f"≥ {k:g}× NumPy")


def of_limit(k: float) -> Target:
    return Target("of_limit", at_least=k, text=f"≥ {100 * k:g} % of the memory's limit")


def peer(expression: str, *names: str) -> dict[str, Any]:
    """numexpr's form of a computation, if it is installed."""
    if numexpr is None:
        return {}
    return {"numexpr": lambda *arrays: numexpr.evaluate(expression, local_dict=dict(zip(names, arrays)))}


def uniform(low: float, high: float, count: int = 1, square: bool = False) -> Any:
    def prepare(rng: np.random.Generator, n: int) -> Arrays:
        return [rng.uniform(low, high, (n, n) if square else n) for _ in range(count)]

    return prepare


# ---- one pass over five operands


def chain(a: Any, b: Any, c: Any, d: Any, e: Any) -> Any:
    return a * b + c * d - e / 2


# ---- sin² + cos²


def unit_circle(x: Any) -> Any:
    xp = bc if type(x) is bc.ndarray else np
    return xp.sin(x) ** 2 + xp.cos(x) ** 2 == 1


def from_single_ops(x: np.ndarray) -> tuple[int, bool]:
    """The count and the conjunction from bascule's sine and cosine, each stored separately; the rest is NumPy's own.
    Fusion changes no bit, so the fused results must equal these. The first part is compared with NumPy's sine and
    cosine."""
    count = 0
    for k, part in enumerate(np.array_split(x, max(1, x.size // 5_000_000))):
        sine, cosine = (as_numpy(f(bc.asarray(part))) for f in (bc.sin, bc.cos))
        if k == 0:
            for ours, theirs in ((sine, np.sin(part)), (cosine, np.cos(part))):
                expect(ulp_distance(ours, theirs) <= 2, "sine or cosine differ from NumPy's by more than 2 ULP")
        count += int((sine**2 + cosine**2 == 1).sum())
    return count, count == x.size


def check_count(ours: Any, theirs: Any, inputs: Arrays) -> None:
    same_kind(ours, theirs)
    count, _ = from_single_ops(inputs[0])
    expect(int(ours) == count, f"counted {int(ours)}, single operations give {count}")


def check_all(ours: Any, theirs: Any, inputs: Arrays) -> None:
    same_kind(ours, theirs)
    expect(bool(ours) == from_single_ops(inputs[0])[1], f"got {bool(ours)}, single operations give the opposite")


# ---- a random leaf


def seeds(rng: np.random.Generator, n: int) -> Arrays:
    return [np.asarray(int(rng.integers(1 << 30))), np.asarray(n)]


_drawn = 0


def random_leaf(seed: Any, n: Any) -> Any:
    global _drawn
    _drawn += 1
    return (bc.random.default_rng(int(seed) + _drawn).normal(10, 1, size=(int(n), int(n))) + 1)[::2, ::2].sum()


def random_leaf_numpy(seed: Any, n: Any) -> Any:
    return (np.random.default_rng(int(seed) + _drawn).normal(10, 1, size=(int(n), int(n))) + 1)[::2, ::2].sum()


def check_random_leaf(ours: Any, theirs: Any, inputs: Arrays) -> None:
    """The numbers differ from NumPy's by design, so NumPy computes with bascule's own, stored ones."""
    seed, n = (int(v) for v in inputs)
    stored = as_numpy(bc.evaluate(bc.random.default_rng(seed + _drawn).normal(10, 1, size=(n, n))))
    within(64)(ours, (stored + 1)[::2, ::2].sum(), inputs)
    same_kind(ours, theirs)


# ---- options


RATE, VOLATILITY = 0.02, 0.3


def option_inputs(rng: np.random.Generator, n: int) -> Arrays:
    return [rng.uniform(50, 150, n), rng.uniform(50, 150, n), rng.uniform(0.25, 2, n)]


def black_scholes(spot: Any, strike: Any, years: Any) -> Any:
    """Price of a European call."""
    if type(spot) is bc.ndarray:
        xp, normal = bc, lambda d: 0.5 * (1 + bc.erf(d * 0.7071067811865476))
    else:
        xp, normal = np, ndtr
    width = VOLATILITY * xp.sqrt(years)
    d1 = (xp.log(spot / strike) + (RATE + VOLATILITY**2 / 2) * years) / width
    return spot * normal(d1) - strike * xp.exp(-RATE * years) * normal(d1 - width)


def check_prices(ours: Any, theirs: Any, inputs: Arrays) -> None:
    """The price is a difference of two terms of the spot's size, so its error is relative to the spot."""
    a, b = same_kind(ours, theirs)
    error = float(np.max(np.abs(a - b) / inputs[0]))
    expect(error <= 1e-14, f"prices differ from NumPy's by {error:.2g} of the spot, allowed is 1e-14")


# ---- separate programs

PEAK = """
import os
def status(key):
    return next(int(line.split()[1]) * 1024 for line in open("/proc/self/status") if line.startswith(key))
{setup}
before = status("VmRSS")
{work}
print((status("VmHWM") - before - {input}) / 1e6)
"""
STORED = {
    "bascule": ("import numpy as np, bascule as bc; float((bc.ones(10_000) + 1).sum())",
                "x = bc.evaluate(bc.random.default_rng(1).uniform(0, 100, size={n}))\n"),
    "NumPy": ("import numpy as np; bc = np", "x = np.random.default_rng(1).uniform(0, 100, size={n})\n"),
}  # fmt: skip


def peak(library: str, work: str, size: str = "") -> str:
    setup, stored = STORED[library]
    input_bytes = "x.nbytes" if not size else "0"
    make = stored if not size else f"x = bc.random.default_rng(1).normal(10, 1, size={size})\n"
    return PEAK.replace("{setup}", setup).replace("{work}", make + work).replace("{input}", input_bytes)


def peak_row(name: str, work: str, size: str = "", n: int = 100_000_000, fast_n: int = 100_000) -> Script:
    target = Target("value", at_most=50, text="≤ 50 MB" if size else "≤ input + 50 MB")
    return Script(name, "MB", peak("bascule", work, size), peak("NumPy", work, size), (target,), n=n, fast_n=fast_n)


CLOCK = "import numpy, time; t = time.perf_counter(); {work}; print((time.perf_counter() - t) * 1e3)"
COUNT = "r = int((bc.sin(x) ** 2 + bc.cos(x) ** 2 == 1).sum())"
EVERY = "r = bool((bc.sin(x) ** 2 + bc.cos(x) ** 2 == 1).all())"

ROWS: list[Timed | Tiny | Script] = [
    Timed("`a*b + c*d - e/2`", 10_000_000, 20_000, uniform(0, 1, 5), chain, chain, exact, (of_limit(0.8), speedup(5)),
          peers=peer("a*b + c*d - e/2", *"abcde"), moved=lambda n: 48 * n, limit="stream"),
    Timed("`(sin(x)**2 + cos(x)**2 == 1).sum()`", 100_000_000, 20_000, uniform(0, 100), lambda x: unit_circle(x).sum(),
          lambda x: unit_circle(x).sum(), check_count, (speedup(18),),
          peers=peer("sum(where(sin(x)**2 + cos(x)**2 == 1, 1, 0))", "x"), peer_error=0.05),
    Timed("`(sin(x)**2 + cos(x)**2 == 1).all()`, which stops at the first False", 100_000_000, 20_000, uniform(0, 100),
          lambda x: unit_circle(x).all(), lambda x: unit_circle(x).all(), check_all, (speedup(500),)),
    Timed("`(x + 1)[::2, ::2].sum()`", 10_000, 200, uniform(0, 1, square=True), lambda x: (x + 1)[::2, ::2].sum(),
          lambda x: (x + 1)[::2, ::2].sum(), within(64), (speedup(9),), moved=lambda n: 4 * n * n, limit="read"),
    Timed("the same of `normal(10, 1)`, drawn in the pass", 10_000, 200, seeds, random_leaf, random_leaf_numpy,
          check_random_leaf, (speedup(20),)),
    Timed("`x.sum()`", 100_000_000, 20_000, uniform(0, 1), lambda x: x.sum(), lambda x: x.sum(), exact, (of_limit(0.85),),
          peers=peer("sum(x)", "x"), moved=lambda n: 8 * n, limit="read"),
    Timed("`x.std()`", 100_000_000, 20_000, uniform(0, 1), lambda x: x.std(), lambda x: x.std(), within(4), (speedup(10),),
          moved=lambda n: 8 * n, limit="read"),
    Timed("Black–Scholes", 10_000_000, 20_000, option_inputs, black_scholes, black_scholes if ndtr else None,
          check_prices if ndtr else lambda *_: None, (speedup(4),), missing="" if ndtr else "SciPy's ndtr is not installed"),
    Tiny("`x + 1`, 10 elements", lambda x: x + 1, (Target("ratio", at_most=1.5, text="≤ 1.5× NumPy's time"),)),
    Tiny("`x.sum()`, 10 elements", lambda x: x.sum(), (Target("ratio", at_most=1.5, text="≤ 1.5× NumPy's time"),)),
    Tiny("`x[1:3]`, 10 elements", lambda x: x[1:3], (Target("ratio", at_most=1.5, text="≤ 1.5× NumPy's time"),)),
    Script("`import bascule`, beyond NumPy", "ms", CLOCK.replace("{work}", "import bascule"), None,
           (Target("value", at_most=100, text="≤ 100 ms"),), best_of=7),
    Script("import and `(bc.ones(10) + 1).sum()`, beyond NumPy", "ms",
           CLOCK.replace("{work}", "import bascule as bc; float((bc.ones(10) + 1).sum())"), None,
           (Target("value", at_most=130, text="≤ 130 ms"),), best_of=7),
    peak_row("memory above the input: `(sin(x)**2 + cos(x)**2 == 1).sum()`", COUNT),
    peak_row("memory above the input: the same, `.all()`", EVERY),
    peak_row("memory: `(normal(10, 1) + 1)[::2, ::2].sum()`, x alive", "r = float((x + 1)[::2, ::2].sum())", "({n}, {n})",
             10_000, 300),
]  # fmt: skip
