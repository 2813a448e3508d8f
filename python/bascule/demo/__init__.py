"""`bascule demo`: one program on real data, run with NumPy and with bascule, compared and timed step by step."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import bascule as bc

from . import flights, report, steps

TOLERANCE = 1e-12
BYTES_A_ROW = 800  # of both libraries' arrays and temporaries at their peak


@dataclass
class Outcome:
    """What one step gave."""

    step: steps.Step
    numpy_seconds: float
    bascule_seconds: float | None = None
    differs: str = ""  # empty: equal
    refused: str = ""
    fallbacks: list[str] = field(default_factory=list)
    finding: str = ""


def _host(x: Any) -> np.ndarray:
    return bc.conversion.to_numpy(x) if isinstance(x, bc.ndarray) else np.asarray(x)


def difference(ours: np.ndarray, theirs: np.ndarray) -> str:
    """How two results differ: dtype and shape exactly, integers exactly, floats relative to the largest of them."""
    if ours.dtype != theirs.dtype or ours.shape != theirs.shape:
        return f"{ours.dtype}{ours.shape} instead of {theirs.dtype}{theirs.shape}"
    if theirs.dtype.kind != "f":
        wrong = int(np.count_nonzero(ours != theirs))
        return f"{wrong:,} of {theirs.size:,} values differ" if wrong else ""
    unlike = ~((ours == theirs) | (np.isnan(ours) & np.isnan(theirs)))
    finite = np.isfinite(theirs)
    scale = float(np.max(np.abs(theirs), where=finite, initial=0)) or 1.0
    if not unlike.any():
        return ""
    with np.errstate(invalid="ignore"):
        error = float(np.max(np.where(unlike, np.abs(ours - theirs), 0))) / scale
    return "" if error <= TOLERANCE else f"relative difference {error:.2g}, allowed {TOLERANCE:g}"


def _timed(xp: Any, step: steps.Step, arrays: steps.Arrays) -> tuple[float, steps.Arrays]:
    start = time.perf_counter()
    found = step.run(xp, arrays)
    if xp is bc:
        bc.evaluate(*found.values())
        bc.synchronize()
    return time.perf_counter() - start, found


def run_step(step: steps.Step, numpy_arrays: steps.Arrays, bascule_arrays: steps.Arrays, rounds: int) -> Outcome:
    """Run a step with both libraries in turns, compare the results, keep what later steps want."""
    bc.fallbacks(reset=True)
    seconds, ours = [], {}
    outcome = Outcome(step, float("inf"))
    for _ in range(rounds):
        taken, theirs = _timed(np, step, numpy_arrays)
        outcome.numpy_seconds = min(outcome.numpy_seconds, taken)
        if outcome.refused:
            continue
        ours = {}
        try:
            taken, ours = _timed(bc, step, bascule_arrays)
            seconds.append(taken)
        except (NotImplementedError, KeyError) as error:
            outcome.refused = (
                str(error) if isinstance(error, NotImplementedError) else f"needs {error} of a step that did not run"
            )
    outcome.fallbacks = [f["name"] for f in bc.fallbacks(reset=True)]
    if seconds:
        outcome.bascule_seconds = min(seconds)
    host = {name: _host(x) for name, x in theirs.items()}
    for name, x in ours.items():
        text = difference(_host(x), host[name])
        if text and not outcome.differs:
            outcome.differs = f"{name}: {text}"
    outcome.finding = step.finding(host)
    for arrays, found in ((numpy_arrays, theirs), (bascule_arrays, ours)):
        arrays.update({name: found[name] for name in step.keeps if name in found})
        for name in step.drops:
            arrays.pop(name, None)
    return outcome


def _check_memory(rows: int) -> None:
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
    except OSError:
        return
    free = next((int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable")), None)
    if free is not None and rows * BYTES_A_ROW > free:
        most = free // BYTES_A_ROW // 100_000 * 100_000
        raise SystemExit(
            f"[demo] {rows:,} rows need about {rows * BYTES_A_ROW / 1e9:.1f} GB, {free / 1e9:.1f} GB are free: try --rows {most}"
        )


def _progress(text: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
    elif text:
        print(text, file=sys.stderr, flush=True)


def main(out: Path, rows: int, device: str, rounds: int = 2) -> int:
    """Run the demo; 1 if any result differs from NumPy's, else 0."""
    if rows < 1000:
        raise SystemExit(f"[demo] --rows must be at least 1000, got {rows}")
    try:
        bc._core.check_device(device)
    except (RuntimeError, ValueError) as error:
        raise SystemExit(f"[demo] --device {device}: {error}")
    _check_memory(rows)
    _progress("reading the flights")
    data = flights.load().repeated(rows)
    numpy_arrays = {**data.columns, "latitude": data.latitude, "longitude": data.longitude}
    outcomes = []
    with bc.config.set(device=device, fallback="silent"):
        bascule_arrays = {name: bc.asarray(x) for name, x in numpy_arrays.items()}
        for k, step in enumerate(steps.STEPS):
            _progress(f"step {k + 1} of {len(steps.STEPS)}: {step.title}")
            outcomes.append(run_step(step, numpy_arrays, bascule_arrays, rounds))
        _progress("")
        where = bc._core.describe(bc.config.device)
    print(report.text(outcomes, data.source, rows, where))
    path = report.write_html(out, outcomes, data.source, rows, where)
    print(f"report: {path}")
    return int(any(o.differs for o in outcomes))
