"""The method of the benchmarks: every result is evaluated and checked, inputs change between repetitions, libraries
alternate, the best repetition counts. Memory is the peak of a separate process minus its size before."""

from __future__ import annotations

import datetime
import gc
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import bascule as bc
import numpy as np
from bascule import _core

HERE = Path(__file__).resolve().parent
Arrays = list[np.ndarray]


class WrongResult(AssertionError):
    """A library's result differs from NumPy's; no time is reported."""


@dataclass(frozen=True)
class Target:
    """A target of a row: a figure and the bound that it must meet."""

    figure: str  # a key of the row's result
    at_least: float | None = None
    at_most: float | None = None
    text: str = ""
    reported: bool = False  # whether no other column of the table shows the figure

    def met(self, result: dict[str, Any]) -> bool | None:
        value = result.get(self.figure)
        if value is None:
            return None
        return (self.at_least is None or value >= self.at_least) and (self.at_most is None or value <= self.at_most)


@dataclass(frozen=True)
class Timed:
    """A computation timed on arrays of n elements (n rows and columns if the inputs are square)."""

    name: str
    n: int
    fast_n: int
    prepare: Callable[[np.random.Generator, int], Arrays]
    bascule: Callable[..., Any]
    numpy: Callable[..., Any] | None
    check: Callable[[Any, Any, Arrays], None]
    targets: tuple[Target, ...]
    peers: dict[str, Callable[..., Any]] = field(default_factory=dict)
    peer_error: float = 1e-9  # relative; peers add in other orders, and have other sines
    moved: Callable[[int], int] | None = None  # bytes
    limit: str = ""  # "read" or "stream"
    missing: str = ""  # the reason for an empty column of NumPy


@dataclass(frozen=True)
class Framed:
    """A computation on frames of n rows, timed against pandas: one function of the namespace and its inputs."""

    name: str
    n: int
    fast_n: int
    prepare: Callable[[np.random.Generator, int, Path], list]  # pandas frames, or paths of files written to the folder
    call: Callable[..., Any]
    targets: tuple[Target, ...]
    peer_repetitions: int = 2  # pandas takes seconds for calls of which bascule takes a fraction
    rtol: float = 0  # for floats; 0 for equality to the last bit


@dataclass(frozen=True)
class Tiny:
    """A call on ten elements, timed over many repetitions."""

    name: str
    call: Callable[[Any], Any]
    targets: tuple[Target, ...]


@dataclass(frozen=True)
class Script:
    """Figures that need a separate process: two programs that print one number, in the same unit."""

    name: str
    unit: str  # "ms" or "MB"
    bascule: str
    numpy: str | None
    targets: tuple[Target, ...]
    best_of: int = 1
    n: int = 0
    fast_n: int = 0


@dataclass(frozen=True)
class Program:
    """A complete program with both libraries, in a separate process that compares the results and prints a JSON object:
    "best" with seconds by library, and further figures for the targets."""

    name: str
    unit: str
    code: str
    n: int
    fast_n: int
    targets: tuple[Target, ...]


# ---- checks


def ulp_distance(a: np.ndarray, b: np.ndarray) -> float:
    """Largest distance of two float64 arrays in units in the last place of b."""
    a, b = np.asarray(a, np.float64), np.asarray(b, np.float64)
    same = (a == b) | (np.isnan(a) & np.isnan(b))
    with np.errstate(invalid="ignore"):
        distance = np.where(same, 0, np.abs(a - b) / np.spacing(np.abs(b)))
    return float(np.max(np.where(np.isnan(distance), np.inf, distance), initial=0))


def as_numpy(x: Any) -> np.ndarray:
    return _core.to_numpy(x) if type(x) is bc.ndarray else np.asarray(x)


def expect(right: bool, text: str) -> None:
    if not right:
        raise WrongResult(text)


def same_kind(ours: Any, theirs: Any) -> tuple[np.ndarray, np.ndarray]:
    a, b = as_numpy(ours), as_numpy(theirs)
    expect(a.dtype == b.dtype and a.shape == b.shape, f"expected {b.dtype}{b.shape}, got {a.dtype}{a.shape}")
    return a, b


def exact(ours: Any, theirs: Any, _: Arrays) -> None:
    """Require the same dtype, shape and bits."""
    a, b = same_kind(ours, theirs)
    expect(a.tobytes() == b.tobytes(), f"differs from NumPy: {ulp_distance(a, b):.3g} ULP")


def within(ulp: float) -> Callable[[Any, Any, Arrays], None]:
    """Require the same dtype and shape, and values within so many units in the last place."""

    def check(ours: Any, theirs: Any, _: Arrays) -> None:
        distance = ulp_distance(*same_kind(ours, theirs))
        expect(distance <= ulp, f"differs from NumPy by {distance:.3g} ULP, allowed are {ulp}")

    return check


# ---- timing


def evaluated(x: Any) -> Any:
    return bc.evaluate(x) if type(x) is bc.ndarray else x


def seconds(call: Callable[..., Any], inputs: list) -> tuple[float, Any]:
    start = time.perf_counter()
    result = evaluated(call(*inputs))
    return time.perf_counter() - start, result


def change(inputs: Arrays, ours: list, k: int) -> None:
    """Change all floats slightly, in both copies alike: the sum of two doubles is the same in both libraries."""
    step = 2.0**-12 * (k + 1)
    for x, y in zip(inputs, ours):
        if x.dtype.kind == "f":
            x += step
            y += step
            bc.evaluate(y)


def time_row(row: Timed, quick: bool, budget: float) -> dict[str, Any]:
    n = row.fast_n if quick else row.n
    inputs = row.prepare(np.random.default_rng(n), n)
    ours = [bc.asarray(x) if x.ndim else x for x in inputs]
    calls = {"bascule": row.bascule, **({"NumPy": row.numpy} if row.numpy else {}), **row.peers}
    times: dict[str, list[float]] = {name: [] for name in calls}
    start = time.perf_counter()
    for k in range(2 if quick else 15):
        if k >= 3 and time.perf_counter() - start > budget:
            break
        if k:
            change(inputs, ours, k)
        order = list(calls)
        results = {}
        for name in order[k % len(order) :] + order[: k % len(order)]:
            taken, results[name] = seconds(calls[name], ours if name == "bascule" else inputs)
            times[name].append(taken)
        row.check(results["bascule"], results.get("NumPy"), inputs)
        for name in row.peers:
            same = np.allclose(results[name], results["NumPy"], rtol=row.peer_error, atol=row.peer_error)
            expect(same, f"{name} differs from NumPy")
        del results
    best = {name: min(t) * 1e3 for name, t in times.items()}
    result: dict[str, Any] = {"n": n, "unit": "ms", "best": best, "repetitions": len(times["bascule"])}
    if "NumPy" in best:
        result["speedup"] = best["NumPy"] / best["bascule"]
    if row.moved:
        result["gbs"] = row.moved(n) / best["bascule"] / 1e6
    del inputs, ours
    gc.collect()
    _core.trim("cpu")
    return result


def as_frames(pd: Any, inputs: list) -> list:
    return [x if isinstance(x, Path) else pd.from_pandas(x) for x in inputs]


def equal_frames(ours: Any, theirs: Any, rtol: float = 0) -> None:
    """Require pandas' labels, order, types and values exactly, and floats within a relative error."""
    from pandas import testing

    how: dict[str, Any] = {"rtol": rtol, "atol": rtol} if rtol else {"check_exact": True}
    try:
        if hasattr(theirs, "columns"):
            testing.assert_frame_equal(ours.to_pandas(), theirs, **how)
        elif hasattr(theirs, "index"):
            testing.assert_series_equal(ours.to_pandas(), theirs, **how)
        else:
            expect(ours == theirs and type(ours) is type(theirs), f"expected {theirs!r}, got {ours!r}")
    except AssertionError as error:
        raise WrongResult(f"differs from pandas: {error}") from None


def time_frames(row: Framed, quick: bool, budget: float) -> dict[str, Any]:
    import bascule.pandas as pd
    import pandas

    n = row.fast_n if quick else row.n
    times: dict[str, list[float]] = {"bascule": [], "pandas": []}
    with tempfile.TemporaryDirectory() as folder, bc.config.set(fallback="error"):
        theirs = row.prepare(np.random.default_rng(n), n, Path(folder))
        start = time.perf_counter()
        for k in range(2 if quick else 9):
            if k >= max(row.peer_repetitions, 3) and time.perf_counter() - start > budget:
                break
            for frame in theirs if k else []:
                if not isinstance(frame, Path):
                    for name in frame.select_dtypes("float"):
                        frame[name] += 2.0**-12
            ours = as_frames(pd, theirs)
            begun = time.perf_counter()
            result = bc.evaluate(row.call(pd, *ours))
            times["bascule"].append(time.perf_counter() - begun)
            if k >= row.peer_repetitions:
                continue
            begun = time.perf_counter()
            expected = row.call(pandas, *theirs)
            times["pandas"].append(time.perf_counter() - begun)
            equal_frames(result, expected, row.rtol)
            del expected, result
    best = {name: min(t) * 1e3 for name, t in times.items()}
    _core.trim("cpu")
    return {"n": n, "unit": "ms", "best": best, "repetitions": len(times["bascule"]), "peer": "pandas", "speedup": best["pandas"] / best["bascule"]}  # fmt: skip


def time_tiny(row: Tiny, quick: bool) -> dict[str, Any]:
    pool = [np.random.default_rng(k).random(10) for k in range(64)]
    ours = [bc.asarray(x) for x in pool]
    for x, y in zip(pool, ours):
        exact(row.call(y), row.call(x), [])
    rounds, calls = (2, 5) if quick else (25, 100)
    best = {"bascule": 1e9, "NumPy": 1e9}
    for _ in range(rounds):
        for name, inputs in (("bascule", ours), ("NumPy", pool)):
            many, call = inputs * calls, row.call
            start = time.perf_counter()
            for x in many:
                call(x)
            best[name] = min(best[name], (time.perf_counter() - start) / len(many) * 1e6)
    return {
        "n": 10,
        "unit": "µs",
        "best": best,
        "ratio": best["bascule"] / best["NumPy"],
        "speedup": best["NumPy"] / best["bascule"],
    }


def printed(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    expect(done.returncode == 0, f"the program failed:\n{done.stderr[-2000:]}")
    return done.stdout


def printed_number(code: str) -> float:
    return float(printed(code).split()[-1])


def run_program(row: Program, quick: bool) -> dict[str, Any]:
    n = row.fast_n if quick else row.n
    found = json.loads(printed(row.code.replace("{n}", str(n))).splitlines()[-1])
    return {"n": n, "unit": row.unit, "speedup": found["best"]["NumPy"] / found["best"]["bascule"], **found}


def run_script(row: Script, quick: bool) -> dict[str, Any]:
    n = row.fast_n if quick else row.n
    best = {}
    for name, code in (("bascule", row.bascule), ("NumPy", row.numpy)):
        if code is not None:
            rounds = 1 if quick else row.best_of
            best[name] = min(printed_number(code.replace("{n}", str(n))) for _ in range(rounds))
    result: dict[str, Any] = {"n": n, "unit": row.unit, "best": best, "value": best["bascule"]}
    if "NumPy" in best and best["bascule"] > 0:
        result["speedup"] = best["NumPy"] / best["bascule"]
    return result


Row = Timed | Tiny | Script | Program | Framed


def measure(row: Row, quick: bool, budget: float) -> dict[str, Any]:
    """The figures of one row; for a wrong result an error, without a time."""
    head = {"name": row.name, "targets": [t.text for t in row.targets]}
    try:
        if isinstance(row, Timed):
            result = time_row(row, quick, budget)
        elif isinstance(row, Tiny):
            result = time_tiny(row, quick)
        elif isinstance(row, Framed):
            result = time_frames(row, quick, budget)
        elif isinstance(row, Program):
            result = run_program(row, quick)
        else:
            result = run_script(row, quick)
    except (WrongResult, MemoryError) as error:
        return {**head, "error": f"{type(error).__name__}: {error}"}
    return {**head, **result}


# ---- machine


class MemoryLimits:
    """GB/s of all cores in loops that only access memory (limits.cpp): the best of all measurements of a run, since
    other load can only slow a machine down. Empty without a C++ compiler."""

    def __init__(self, quick: bool):
        self.best: dict[str, float] = {}
        self._size = str(1 << (16 if quick else 24))
        self._folder = tempfile.TemporaryDirectory()
        compiler = shutil.which(os.environ.get("CXX", "c++"))
        self._program = Path(self._folder.name) / "limits" if compiler else None
        if compiler:
            flags = ["-std=c++20", "-O3", "-march=native", "-pthread"]
            subprocess.run([compiler, *flags, str(HERE / "limits.cpp"), "-o", str(self._program)], check=True)
            self.measure()

    def measure(self, *loop: str) -> dict[str, float]:
        """Measure all loops again, or the given one."""
        if not self._program:
            return {}
        command = [str(self._program), str(bc.get_num_threads()), self._size, *loop]
        found = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        del found["threads"]
        self.best |= {name: max(rate, self.best.get(name, 0)) for name, rate in found.items()}
        return found


def judge(row: Row, result: dict[str, Any], limits: dict[str, float]) -> None:
    """Add the fraction of the memory limit, and whether each target is met."""
    if "error" in result:
        return
    if isinstance(row, Timed) and row.limit in limits:
        result["of_limit"] = result["gbs"] / limits[row.limit]
    result["met"] = [t.met(result) for t in row.targets]
    result["told"] = [result.get(t.figure) if t.reported else None for t in row.targets]


def _field(path: str, key: str) -> str:
    try:
        lines = Path(path).read_text().splitlines()
    except OSError:
        return ""
    return next((line.partition(":")[2].strip() for line in lines if line.startswith(key)), "")


def machine() -> dict[str, Any]:
    memory = _field("/proc/meminfo", "MemTotal").split()
    return {
        "cpu": _field("/proc/cpuinfo", "model name") or platform.processor() or platform.machine(),
        "cores": os.cpu_count(),
        "device": _core.describe("cpu"),
        "memory_gib": round(int(memory[0]) / 2**20, 1) if memory else None,
        "load": round(os.getloadavg()[0], 2),
    }


def versions(peers: list[str]) -> dict[str, str]:
    found = {"bascule": bc.__version__, "numpy": np.__version__, "python": platform.python_version()}
    for name in peers:
        if name in sys.modules:
            found[name] = sys.modules[name].__version__
    return found


def today() -> str:
    return datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d")
