"""Runs the rows: one worker process per library, all of them alive, one active at a time, alternating row by row."""

from __future__ import annotations

import json
import os
import select
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import libraries
from harness import MemoryLimits
from rows import LISTS, MEMORY_BOUND, Row
from targets import mixture

HERE = Path(__file__).resolve().parent
SLOW = 2.5  # a call that took longer is not repeated


@dataclass(frozen=True)
class Effort:
    """Effort per row: turns of each library, seconds of one turn, and the seconds after which no other begins."""

    turns: int
    seconds: float
    total: float


EFFORTS = {"tiny": Effort(1, 0, 0), "small": Effort(8, 0.05, 0.6), "large": Effort(6, 0.1, 1.5)}


class Process:
    """A library's worker; it is restarted after a crash, so that one bad row does not affect others. Between requests
    it is stopped: threads of some libraries keep spinning for a fifth of a second, on the next one's processor."""

    def __init__(self, library: str, python: str, folder: Path, environment: dict[str, str] | None = None):
        self.library, self.python, self.folder = library, python, folder
        self.environment = os.environ | libraries.LIBRARIES[library].environment | (environment or {})
        self.cpu = self.cpu_before = 0.0
        self.version = ""
        self.process: subprocess.Popen | None = None

    def start(self) -> str:
        """Start the worker; returns the reason if the library is missing, else an empty string."""
        command = [self.python, str(HERE / "worker.py"), self.library, str(self.folder)]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        try:
            self.process = subprocess.Popen(command, env=self.environment, text=True, bufsize=1, **pipes)
        except OSError as error:
            return str(error)
        found = self._read(120)
        self.version = found.get("version", "")
        if "error" in found:
            self.stop()
        else:
            self.process.send_signal(signal.SIGSTOP)
        return found.get("error", "")

    def _read(self, seconds: float) -> dict[str, Any]:
        ready, _, _ = select.select([self.process.stdout], [], [], seconds)
        line = self.process.stdout.readline() if ready else ""
        if line:
            return json.loads(line)
        self.process.kill()
        self.process.wait()
        self.process = None
        return {"error": "the worker died" if ready else f"no answer within {seconds} seconds"}

    def ask(self, do: str, seconds: float = 120, **request: Any) -> dict[str, Any]:
        if self.process is None:
            self.cpu_before += self.cpu
            failed = self.start()
            if failed:
                return {"error": failed}
        self.process.send_signal(signal.SIGCONT)
        self.process.stdin.write(json.dumps({"do": do, **request}) + "\n")
        self.process.stdin.flush()
        found = self._read(seconds)
        if self.process:
            self.process.send_signal(signal.SIGSTOP)
        self.cpu = found.get("cpu", self.cpu)
        return found

    def stop(self) -> None:
        if self.process:
            self.process.send_signal(signal.SIGCONT)
            self.process.stdin.close()
            self.process.wait()
            self.process = None


@dataclass
class Run:
    """The workers of a run, and its settings for each row."""

    processes: dict[str, Process]
    turns: int | None = None  # overrides each effort's own
    limits: MemoryLimits | None = None
    missing: dict[str, str] = field(default_factory=dict)

    def start(self) -> None:
        for name, process in list(self.processes.items()):
            failed = process.start()
            if failed:
                self.missing[name] = failed
                del self.processes[name]

    def stop(self) -> None:
        for process in self.processes.values():
            process.stop()

    def cpu(self) -> float:
        return sum(p.cpu + p.cpu_before for p in self.processes.values()) + sum(os.times()[:4])


def busy() -> float:
    """Seconds of work of all processors of the machine."""
    ticks = [int(x) for x in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
    return (sum(ticks) - ticks[3] - ticks[4]) / os.sysconf("SC_CLK_TCK")


def available_bytes() -> int:
    lines = Path("/proc/meminfo").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable"))


def summary(times: list[float]) -> dict[str, Any]:
    return {"best": min(times), "median": statistics.median(times), "timings": len(times)}


def in_turns(run: Run, turns: int, begin: Callable[[str], bool], turn: Callable[[str], None]) -> None:
    """Time all libraries alternately; each turn begins with another one."""
    going = [name for name in run.processes if begin(name)]
    for k in range(turns):
        for name in going[k % len(going) :] + going[: k % len(going)]:
            turn(name)
    for process in run.processes.values():
        process.ask("end", keep=True)


def one_by_one(run: Run, turns: int, begin: Callable[[str], bool], turn: Callable[[str], None]) -> None:
    """Time one library after the other, where memory does not hold the inputs of all."""
    for name, process in run.processes.items():
        if begin(name):
            for _ in range(turns):
                turn(name)
        process.ask("end", keep=False)


def measure(run: Run, kind: str, row: Row, size: str) -> dict[str, Any]:
    """Measure one row: every library's result is compared with NumPy's, then all are timed alternately; for rows that
    are compared with the memory limit, this limit is measured after each turn of bascule, too."""
    clock, worked, spent = time.perf_counter(), busy(), run.cpu()
    n, effort = row.size(size), EFFORTS[size]
    result: dict[str, Any] = {"row": row.name, "list": kind, "size": size, "n": n, "libraries": {}}
    if row.moved:
        result["moved"] = row.moved(n)
    limit = mixture(*result["moved"]) if run.limits and size == "large" and row.name in MEMORY_BOUND else None
    made = run.processes["numpy"].ask("make", row=row.name, size=size)
    if "bytes" not in made:
        return {**result, "error": made.get("error", "no inputs")}
    times: dict[str, list[float]] = {}

    def begin(name: str) -> bool:
        found = run.processes[name].ask("begin", row=row.name, size=size)
        if "first" not in found:
            if "skip" not in found:
                result["libraries"][name] = {k: found[k] for k in ("error", "wrong") if k in found}
            return False
        times[name] = [found["first"]]
        return True

    def turn(name: str) -> None:
        if times[name][0] > SLOW or sum(times[name][1:]) > effort.total:
            return
        found = run.processes[name].ask("time", budget=effort.seconds)
        times[name] += found.get("seconds", [])
        if limit and name == "bascule":
            for loop, rate in run.limits.measure(limit).items():
                result["limit"] = {loop: max(rate, result.get("limit", {}).get(loop, 0))}
        if "error" in found:
            result["libraries"][name] = {"error": found["error"]}

    together = 4 * made["bytes"] * len(run.processes) < available_bytes()
    (in_turns if together else one_by_one)(run, run.turns or effort.turns, begin, turn)
    for name, seconds in times.items():
        if seconds:
            result["libraries"].setdefault(name, summary(seconds))
    result["others"] = max(0.0, busy() - worked - (run.cpu() - spent)) / (time.perf_counter() - clock)
    return result


def chosen(sizes: list[str], wanted: Any) -> Iterator[tuple[str, Row, str]]:
    """The rows of a run, with those of the same inputs in sequence."""
    for size in sizes:
        for kind, rows in LISTS.items():
            for row in rows:
                if row.size(size) is not None and wanted(row.name):
                    yield kind, row, size


def small_statements(run: Run, statements: dict[str, str], sizes: tuple[int, ...], rounds: int) -> list[dict[str, Any]]:
    """The time of one call on small arrays, bascule and NumPy alternately."""
    names = [name for name in ("numpy", "bascule") if name in run.processes]
    found = []
    for name, text in statements.items():
        for n in sizes:
            best = dict.fromkeys(names, float("inf"))
            for _ in range(rounds):
                for library in names:
                    answer = run.processes[library].ask("statement", text=text, n=n, calls=2000 if rounds > 1 else 10)
                    best[library] = min(best[library], answer.get("best", float("inf")))
            found.append({"name": name, "statement": text, "n": n, "best": best})
    return found


def threads(peers_python: str, folder: Path, rows: list[Row], size: str, cores: int) -> list[dict[str, Any]]:
    """The compute-bound rows on one thread and on all, alternately, with digests of their results."""
    counts = (1, cores)
    processes = {
        count: Process(
            "bascule", sys.executable, folder, {"BASCULE_NUM_THREADS": str(count), "OMP_NUM_THREADS": str(count)}
        )
        for count in counts
    }
    maker = Process("numpy", peers_python, folder)
    found = []
    for row in rows:
        maker.ask("make", row=row.name, size=size)
        maker.ask("begin", row=row.name, size=size)
        result: dict[str, Any] = {"row": row.name, "threads": counts}
        answers = [p.ask("begin", row=row.name, size=size) for p in processes.values()]
        failed = next((a.get("error") or a.get("wrong") for a in answers if "first" not in a), None)
        if failed:
            found.append({**result, "error": failed})
            continue
        digests = [p.ask("digest")["digest"] for p in processes.values()]
        times: dict[int, list[float]] = {count: [] for count in counts}
        for _ in range(1 if size == "tiny" else 5):
            for count, process in processes.items():
                times[count] += process.ask("time", budget=0.1)["seconds"]
        best = [min(times[count]) for count in counts]
        result |= {"best": best, "ratio": best[0] / best[1], "equal": digests[0] == digests[1]}
        found.append(result)
    for process in (maker, *processes.values()):
        process.stop()
    return found


PEAK = """
import numpy as np, bascule as bc
def status(key):
    return next(int(line.split()[1]) * 1024 for line in open("/proc/self/status") if line.startswith(key))
def chain(a, b, c, d, e):
    return a * b + c * d - e / 2
bc.evaluate(chain(*(bc.ones(100_000) for _ in range(5))))
before = status("VmRSS")
inputs = [bc.evaluate(bc.random.default_rng(k).random({n})) for k in range(5)]
result = bc.evaluate(chain(*inputs))
print((status("VmHWM") - before) / (sum(x.nbytes for x in inputs) + result.nbytes))
"""


def peak_of_chain(python: str, n: int) -> dict[str, Any]:
    """The peak memory of chain5, in units of its inputs and its output, in a separate process."""
    command = [python, "-c", PEAK.replace("{n}", str(n))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        return {"n": n, "error": done.stderr.strip().splitlines()[-1] if done.stderr else "failed"}
    return {"n": n, "ratio": float(done.stdout.split()[-1])}


def processes(names: list[str], peers_python: str, folder: Path) -> dict[str, Process]:
    return {name: Process(name, sys.executable if name == "bascule" else peers_python, folder) for name in names}
