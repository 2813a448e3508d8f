"""`bascule demo`: one program on real data, run with pandas and NumPy and with bascule, compared and timed step by step."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import sys
import time
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import bascule as bc

from . import peers, steps
from .memory import Growth
from .program import program

ROUNDS = 2  # each reads the files again, so that nothing cached for a frame or array is reused; the better time counts
BYTES_A_ROW = 2200  # peak size of the frames, arrays and temporaries of both libraries


@dataclass
class Outcome:
    """The result of one step."""

    step: steps.Step
    peer_seconds: float | None = None
    bascule_seconds: float | None = None
    peer_bytes: int | None = None  # upper bound of the growth of the process in the first run
    bascule_bytes: int | None = None
    others: dict[str, float] = field(default_factory=dict)  # seconds of Polars and DuckDB, if the step exists for them
    remarks: list[str] = field(default_factory=list)  # reasons why one of these has no time
    differs: str = ""  # empty if equal
    failed: str = ""
    refused: str = ""
    fallbacks: list[str] = field(default_factory=list)
    finding: str = ""
    plot: str = ""

    @property
    def gain(self) -> float | None:
        """How many times as fast bascule was."""
        if self.peer_seconds is None or not self.bascule_seconds:
            return None
        return self.peer_seconds / self.bascule_seconds


class Side:
    """One of the two libraries, with the results of its run of the program so far."""

    def __init__(self, np: Any, pd: Any, backend: tuple[str, str], data: steps.Data):
        self._libraries, self._backend, self.data = {"np": np, "pd": pd}, backend, data
        self._evaluated = np is bc

    def run(self, step: steps.Step) -> tuple[float, steps.Data]:
        """Run a step; returns the seconds until its results are computed, and the results."""
        code = step.run.__code__
        wanted = code.co_varnames[: code.co_argcount]
        given = {**self._libraries, "d": self.data}
        if {"dd", "da"} & set(wanted):
            return self._with_dask(step, wanted, given)
        return self._timed(step, {name: given[name] for name in wanted})

    def _with_dask(self, step: steps.Step, wanted: tuple[str, ...], given: dict[str, Any]) -> tuple[float, steps.Data]:
        if importlib.util.find_spec("dask") is None:
            raise Missing("needs Dask (pip install 'bascule[dask]')")
        import dask

        arrays, frames = self._backend
        # Strings keep the type that pandas gives them, which is bascule's too.
        with dask.config.set({"array.backend": arrays, "dataframe.backend": frames, "dataframe.convert-string": False}):
            if "dd" in wanted:
                import dask.dataframe

                given["dd"] = dask.dataframe
            if "da" in wanted:
                import dask.array

                given["da"] = dask.array
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)  # raised by Dask's own calls of pandas
                return self._timed(step, {name: given[name] for name in wanted})

    def _timed(self, step: steps.Step, given: dict[str, Any]) -> tuple[float, steps.Data]:
        start = time.perf_counter()
        found = step.run(**given)
        if self._evaluated:
            bc.evaluate(*found.values())
            bc.synchronize()
        return time.perf_counter() - start, found


class Missing(Exception):
    """A step that cannot run here with either library."""


def _better(old: float | None, new: float) -> float:
    return new if old is None else min(old, new)


def _problem(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())}"


def _alongside(outcome: Outcome, others: list[peers.Peer], expected: steps.Data) -> None:
    """Run the step in other libraries; their times count if their results equal pandas'."""
    step = outcome.step.run.__name__
    for peer in others:
        try:
            taken = peer.seconds(step, expected if step in peers.FIGURES else None)
        except Exception as why:  # an error of another library becomes a line of the report
            outcome.remarks.append(str(why) if isinstance(why, peers.Differs) else f"{peer.name}: {_problem(why)}")
            outcome.others.pop(peer.name, None)
            continue
        if taken is not None and not any(r.startswith(peer.name) for r in outcome.remarks):
            outcome.others[peer.name] = _better(outcome.others.get(peer.name), taken)


def run_step(outcome: Outcome, theirs: Side, ours: Side, others: list[peers.Peer] | None = None) -> None:
    """Run a step with both libraries; compare the results the first time, and keep those that later steps use."""
    step, first = outcome.step, outcome.peer_seconds is None
    if outcome.failed or outcome.refused:
        return
    grown = Growth() if first else contextlib.nullcontext(Growth())
    try:
        with grown as memory:
            taken, expected = theirs.run(step)
    except Missing as why:
        outcome.refused = str(why)
        return
    outcome.peer_bytes = memory.bytes if first else outcome.peer_bytes
    outcome.peer_seconds = _better(outcome.peer_seconds, taken)
    theirs.data.update({name: expected[name] for name in step.keeps})
    bc.fallbacks(reset=True)
    grown = Growth() if first else contextlib.nullcontext(Growth())
    try:
        with grown as memory:
            taken, found = ours.run(step)
    except Exception as error:  # any error of a step becomes one line of the report, and the later steps still run
        absent = [name for name in theirs.data if name not in ours.data]
        if isinstance(error, KeyError) and error.args and error.args[0] in absent:
            outcome.refused = f"needs {error.args[0]!r} of a step that did not run"
        elif isinstance(error, NotImplementedError) and bc.config.device != "cpu":
            outcome.refused = str(error)
        else:
            outcome.failed = _problem(error)
        found = {}
    else:
        outcome.bascule_seconds = _better(outcome.bascule_seconds, taken)
        outcome.bascule_bytes = memory.bytes if first else outcome.bascule_bytes
        ours.data.update({name: found[name] for name in step.keeps})
    _alongside(outcome, others or [], expected)
    if first:
        outcome.fallbacks = [f"{f['name']} ({f['calls']})" for f in bc.fallbacks(reset=True)]
        _compare(outcome, found, expected)
    for data in (theirs.data, ours.data):
        for name in step.drops:
            data.pop(name, None)


def _compare(outcome: Outcome, found: steps.Data, expected: steps.Data) -> None:
    from . import compare

    peer = {name: compare.host(x) for name, x in expected.items()}
    if found and list(found) != list(peer):
        outcome.differs = f"results {list(found)} instead of {list(peer)}"
    for name in found if not outcome.differs else ():
        text = compare.difference(compare.host(found[name]), peer[name])
        if text and not outcome.differs:
            outcome.differs = f"{name}: {text}"
    outcome.finding = outcome.step.finding(peer)
    if outcome.step.plot is not None:
        outcome.plot = outcome.step.plot(peer)


_FLOATS = ("dep_delay", "arr_delay", "air_time", "distance")
_INTEGERS = ("month", "day", "hour", "minute")


def _share_arrays(theirs: Side, ours: Side) -> None:
    """Columns of pandas' frames, as the arrays that both libraries start from."""
    flights, airports = theirs.data["flights"], theirs.data["airports"]
    shared = {name: flights[name].to_numpy(np.float64, copy=True) for name in _FLOATS}
    shared |= {name: flights[name].to_numpy(np.int64, copy=True) for name in _INTEGERS}
    shared |= {"latitude": airports["lat"].to_numpy(copy=True), "longitude": airports["lon"].to_numpy(copy=True)}
    for side in (theirs, ours):
        for name in ("flights", "airports"):
            side.data.pop(name, None)
    theirs.data.update(shared)
    ours.data.update({name: bc.asarray(x) for name, x in shared.items()})


def _check_packages() -> None:
    missing = [name for name in ("pandas", "pyarrow") if importlib.util.find_spec(name) is None]
    if missing:
        raise SystemExit(f"[demo] needs {' and '.join(missing)}: pip install 'bascule[demo]'")


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


def _progress(done: float, text: str) -> None:
    """A progress bar that redraws itself on a terminal; other outputs get a line per step."""
    if not sys.stderr.isatty():
        if text:
            print(f"{100 * done:3.0f} % {text}", file=sys.stderr, flush=True)
        return
    filled = round(30 * done)
    bar = f"[{'#' * filled}{'.' * (30 - filled)}] {100 * done:3.0f} % {text}" if text else ""
    print(f"\r\033[K{bar}", end="", file=sys.stderr, flush=True)


def _run(program: list[steps.Step], folder: Path, rounds: int, part: tuple[float, float]) -> list[Outcome]:
    import pandas

    import bascule.pandas

    from . import tables

    outcomes = [Outcome(step) for step in program]
    last_of_tables = max((k for k, step in enumerate(program) if step in tables.STEPS), default=-1)
    for turn in range(rounds):
        theirs = Side(np, pandas, ("numpy", "pandas"), {"folder": str(folder)})
        ours = Side(bc, bascule.pandas, ("bascule", "bascule"), {"folder": str(folder)})
        others = peers.installed(str(folder))
        for k, outcome in enumerate(outcomes):
            done = (turn * len(program) + k) / (rounds * len(program))
            few = "few rows, " if part[0] else ""
            _progress(part[0] + (part[1] - part[0]) * done, f"{few}round {turn + 1} of {rounds}: {outcome.step.title}")
            run_step(outcome, theirs, ours, others)
            if k == last_of_tables:
                _share_arrays(theirs, ours)
    _progress(part[1], "")
    return outcomes


def run(
    out: Path, rows: int, device: str, rounds: int = ROUNDS, part: tuple[float, float] = (0.0, 1.0)
) -> tuple[list[Outcome], Any, str]:
    """Run all steps; returns their outcomes, the files that were read, and a description of the device.

    The progress that is shown begins and ends at the shares in `part`.
    """
    if rows < 1000:
        raise SystemExit(f"[demo] --rows must be at least 1000, got {rows}")
    _check_packages()
    try:
        bc._core.check_device(device)
    except (RuntimeError, ValueError) as error:
        raise SystemExit(f"[demo] --device {device}: {error}")
    _check_memory(rows)
    from . import flights

    _progress(part[0], "writing the files")
    files = flights.write(out / "data", rows)
    with bc.config.set(device=device, fallback="silent"):
        outcomes = _run(program(), files.folder, rounds, part)
        return outcomes, files, bc._core.describe(bc.config.device)


_FIRST = 0.8  # the share of the time that the run on all rows takes, where there are two


def _runs_twice(rows: int) -> bool:
    return rows >= 10 * steps.SECOND_RUN


def second_run(out: Path, rows: int, device: str) -> list[Outcome] | None:
    """Run the program on few rows, to find from how many rows it pays; None if the first run had few."""
    if not _runs_twice(rows):
        return None
    return run(out / "few", steps.SECOND_RUN, device, part=(_FIRST, 1.0))[0]


def _as_json(outcomes: list[Outcome], few: list[Outcome] | None, rows: int, where: str, page: Path) -> str:
    gains = {o.step.title: o.gain for o in few or ()}
    steps = [
        {
            "step": o.step.title,
            "pandas_numpy_seconds": o.peer_seconds,
            "bascule_seconds": o.bascule_seconds,
            "other_seconds": o.others,
            "pandas_numpy_bytes": o.peer_bytes,
            "bascule_bytes": o.bascule_bytes,
            "ratio_of_few_rows": gains.get(o.step.title),
            "ratio": o.gain,
            "equal": not (o.differs or o.failed or o.refused),
            "problem": o.differs or o.failed or o.refused,
            "fallbacks": o.fallbacks,
        }
        for o in outcomes
    ]
    return json.dumps(
        {"rows": rows, "device": where, "report": str(page), "steps": steps}, indent=1, ensure_ascii=False
    )


def main(out: Path, rows: int, device: str, rounds: int = ROUNDS, as_json: bool = False) -> int:
    """Run the demo; 1 if any result differs from pandas' or NumPy's or a step fails, else 0."""
    _check_packages()
    from . import report

    outcomes, files, where = run(out, rows, device, rounds, (0.0, _FIRST if _runs_twice(rows) else 1.0))
    few = second_run(out, rows, device)
    page = report.write_html(out, outcomes, files, where, few)
    reported = _as_json(outcomes, few, rows, where, page) if as_json else report.text(outcomes, files, where, few)
    print(reported if as_json else f"{reported}\nreport: {page}")
    return int(any(o.differs or o.failed for o in [*outcomes, *(few or ())]))
