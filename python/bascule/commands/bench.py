"""`bascule bench`: computations timed against NumPy and pandas on this machine, with results compared."""

from __future__ import annotations

import argparse
import importlib.util
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import _core, evaluate
from ..text_table import table
from .output import count, show

ARRAYS: dict[str, Callable[[Any, Any], Any]] = {
    "x.sum()": lambda np, x: x.sum(),
    "x.std()": lambda np, x: x.std(),
    "x * 2 + 1": lambda np, x: x * 2 + 1,
    "(sin(x)**2 + cos(x)**2).sum()": lambda np, x: (np.sin(x) ** 2 + np.cos(x) ** 2).sum(),
    "sort(x)": lambda np, x: np.sort(x),
    "x[x > 0.5].sum()": lambda np, x: x[x > 0.5].sum(),
}
FRAMES: dict[str, Callable[[Any], Any]] = {
    "df.groupby('k').x.mean()": lambda df: df.groupby("k").x.mean(),
    "df.sort_values('x')": lambda df: df.sort_values("x"),
    "df[df.x > 0.5]": lambda df: df[df.x > 0.5],
}
ROUNDS = 3


def _timed(function: Callable[..., Any], *arguments: Any) -> tuple[float, Any]:
    start = time.perf_counter()
    result = evaluate(function(*arguments))
    return time.perf_counter() - start, result


def _alongside(theirs: Callable[[], Any], ours: Callable[[], Any]) -> tuple[float, float, Any, Any]:
    """The best times of both, run alternately, and their results."""
    best = [float("inf"), float("inf")]
    results: list[Any] = [None, None]
    for _ in range(ROUNDS):
        for k, function in enumerate((theirs, ours)):
            taken, results[k] = _timed(function)
            best[k] = min(best[k], taken)
    return best[0], best[1], results[0], results[1]


def _equal(found: Any, expected: Any) -> bool:
    found = found.to_pandas() if hasattr(found, "to_pandas") else found
    return bool(np.allclose(np.asarray(found), np.asarray(expected), rtol=1e-9, atol=0, equal_nan=True))


def measure(rows: int) -> list[dict[str, Any]]:
    """Run each computation: both times in seconds, their ratio, and whether the results are equal."""
    import bascule

    x = np.random.default_rng(0).random(rows)
    y = bascule.asarray(x)
    pairs = {name: (lambda f=f: f(np, x), lambda f=f: f(bascule, y)) for name, f in ARRAYS.items()}
    if all(importlib.util.find_spec(p) is not None for p in ("pandas", "pyarrow")):
        import pandas

        import bascule.pandas

        columns = {"k": np.random.default_rng(1).integers(0, 1000, rows), "x": x}
        a, b = pandas.DataFrame(columns), bascule.pandas.DataFrame(columns)
        pairs |= {name: (lambda f=f: f(a), lambda f=f: f(b)) for name, f in FRAMES.items()}
    found = []
    for name, (theirs, ours) in pairs.items():
        peer, own, expected, result = _alongside(theirs, ours)
        found.append(
            {"computation": name, "peer": peer, "bascule": own, "ratio": peer / own, "equal": _equal(result, expected)}
        )
    return found


def add(commands: Any) -> argparse.ArgumentParser:
    parser = commands.add_parser(
        "bench",
        help="some computations compared with NumPy and pandas on this machine",
        description="Time some computations with NumPy and pandas and with bascule, in turns, the best of three. "
        "It takes about half a minute. "
        "The exit code is 1 if a result differs.",
    )
    parser.add_argument("--rows", type=count, default=5_000_000, metavar="N", help="elements (default: 5,000,000)")
    return parser


def run(chosen: argparse.Namespace) -> int:
    found = measure(chosen.rows)
    rows = [
        [
            r["computation"],
            f"{r['peer'] * 1e3:.3f}",
            f"{r['bascule'] * 1e3:.3f}",
            f"{r['ratio']:.1f}×",
            "yes" if r["equal"] else "NO",
        ]
        for r in found
    ]
    text = table(["computation", "NumPy, pandas (ms)", "bascule (ms)", "ratio", "equal"], rows)
    show(
        chosen.json,
        {"rows": chosen.rows, "device": _core.describe("cpu"), "measured": found},
        f"{_core.describe('cpu')}, {chosen.rows:,} rows\n\n{text}",
    )
    return int(not all(r["equal"] for r in found))
