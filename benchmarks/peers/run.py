"""Time bascule against its peers: `make bench-peers`, or `python benchmarks/peers/run.py` with a Python that has
bascule.

A complete run writes benchmarks/results/peers-<date>.json and benchmarks/peers/RESULTS.md; a part of one (`--only`,
`--lib`, `--size`) or `--quick` writes only the files of `--json` and `--table`. The exit code is 1 if a result of
bascule is wrong.
"""

from __future__ import annotations

import argparse
import fnmatch
import hashlib
import json
import math
import os
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE.parent))

import driver
import harness
import tables
from libraries import LIBRARIES
from rows import COMPUTE_BOUND, ROWS, SMALL_ARRAYS, SMALL_SIZES
from targets import against_best_peer

LIMITS_EVERY = 25  # rows; the memory limit is the best of all measurements


def scratch() -> str | None:
    """Folder of inputs and results for the processes: in memory if there is room."""
    shared = Path("/dev/shm")
    if shared.is_dir():
        free = os.statvfs(shared)
        if free.f_bavail * free.f_frsize > 4 << 30 and driver.available_bytes() > 16 << 30:
            return str(shared)
    return None


def progress(result: dict[str, Any]) -> str:
    times = [f"{name} {tables.cell(entry)}" for name, entry in result["libraries"].items()]
    peer = against_best_peer(result)
    ratio = f"{peer[0]:.2f}× {peer[1]}" if peer else ""
    return f"{result['size']} {result['row']}: {', '.join(times)}  [{ratio}]"


def figures_of(options: argparse.Namespace, whole: bool) -> Path | None:
    return options.json or (ROOT / f"benchmarks/results/peers-{harness.today()}.json" if whole else None)


def save(report: dict[str, Any], path: Path | None) -> None:
    if path:
        path.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n")


def measure(options: argparse.Namespace, names: list[str], sizes: list[str], wanted: Any) -> dict[str, Any]:
    """The report of a run; its file is written again after each row, so that an interrupted run leaves its results."""
    start, worked = time.perf_counter(), driver.busy()
    limits = harness.MemoryLimits(options.quick)
    every_row = not options.only and not options.lib
    report: dict[str, Any] = {
        "date": harness.today(),
        "quick": options.quick,
        "partial": " ".join(f"--{k} {v}" for k in ("only", "lib", "size") if (v := getattr(options, k))),
        "sha256": hashlib.sha256((HERE / "rows.py").read_bytes()).hexdigest(),
        "machine": harness.machine(),
        **{"rows": [], "small": [], "threads": [], "peak": {}},
    }
    figures = figures_of(options, not (options.quick or report["partial"]))
    with tempfile.TemporaryDirectory(dir=scratch(), prefix="bascule-peers-") as name:
        folder = Path(name)
        run = driver.Run(driver.processes(names, options.peers, folder), options.rounds, limits)
        run.start()
        if "numpy" not in run.processes:
            raise SystemExit(f"NumPy's worker does not start: {run.missing['numpy']}; `make bench-peers` sets it up")
        report |= {"missing": run.missing, "versions": {name: p.version for name, p in run.processes.items()}}

        def settle() -> None:
            taken = time.perf_counter() - start
            others = max(0.0, driver.busy() - worked - run.cpu()) / taken
            report.update(limits=limits.best, seconds=taken, others=others)
            save(report, figures)

        try:
            for k, (kind, row, size) in enumerate(driver.chosen(sizes, wanted)):
                report["rows"].append(driver.measure(run, kind, row, size))
                print(progress(report["rows"][-1]), file=sys.stderr, flush=True)
                settle()
                if k % LIMITS_EVERY == LIMITS_EVERY - 1:
                    limits.measure()
            for process in run.processes.values():
                process.ask("release")
            if every_row:
                print("small arrays, threads, memory", file=sys.stderr, flush=True)
                rounds = 1 if options.quick else 6
                report["small"] = driver.small_statements(run, SMALL_ARRAYS, SMALL_SIZES, rounds)
                rows = [ROWS[name] for name in COMPUTE_BOUND]
                size = "tiny" if options.quick else "small"
                report["threads"] = driver.threads(options.peers, folder, rows, size, os.cpu_count() or 1)
                report["peak"] = driver.peak_of_chain(sys.executable, 100_000 if options.quick else 20_000_000)
        finally:
            run.stop()
        limits.measure()
        settle()
    return report


def merged(paths: list[str]) -> dict[str, Any]:
    """Merge several reports; of two measurements of a row the one less disturbed by other programs counts."""
    report: dict[str, Any] = {}
    for path in paths:
        found = json.loads(Path(path).read_text())
        if report:
            if any(found[part] != report[part] for part in ("sha256", "versions", "missing")):
                raise SystemExit(f"{path} is of other rows or other libraries than {paths[0]}")
            rows = {(r["row"], r["size"]): r for r in report["rows"]}
            for r in found["rows"]:
                key = r["row"], r["size"]
                rows[key] = min(rows.get(key, r), r, key=lambda r: r.get("others", math.inf))
            found["rows"] = list(rows.values())
            found["limits"] = {k: max(v, report["limits"].get(k, 0)) for k, v in found["limits"].items()}
            found["seconds"] += report["seconds"]
            for part in ("small", "threads", "peak", "partial"):
                found[part] = found[part] or report[part]
        report = found
    return report


def arguments(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Time bascule beside its peers; every result is compared with NumPy's."
    )
    add = parser.add_argument
    add("--only", default="", metavar="PATTERN", help="rows whose name matches: shell patterns, comma between them")
    add("--lib", default="", metavar="LIST", help=f"libraries, of {','.join(LIBRARIES)}; NumPy is always among them")
    add("--size", default="", metavar="LIST", help="small, large (both)")
    add("--rounds", type=int, metavar="N", help="turns of each library in a row (8 small, 6 large)")
    add("--quick", action="store_true", help="tiny sizes, to see whether the rows run")
    add("--json", type=Path, metavar="FILE", help="where the figures go")
    add("--table", type=Path, metavar="FILE", help="where the Markdown goes")
    add("--report", default="", metavar="FILES", help="measure nothing: print the table of these figures, merged")
    add("--peers", default=str(ROOT / ".venv-peers/bin/python"), metavar="PYTHON", help="the Python that has the peers")
    return parser.parse_args(argv)


def main(argv: list[str] | None = None) -> int:
    options = arguments(argv)
    if options.report:
        report = merged(options.report.split(","))
        save(report, options.json)
        if options.table:
            tables.write(report, options.table)
        else:
            print(tables.markdown(report), end="")
        return 0
    names = [name for name in LIBRARIES if not options.lib or name == "numpy" or name in options.lib.split(",")]
    unknown = set(filter(None, options.lib.split(","))) - set(LIBRARIES)
    if unknown:
        raise SystemExit(f"unknown libraries: {', '.join(sorted(unknown))}; there are {', '.join(LIBRARIES)}")
    sizes = ["tiny"] if options.quick else options.size.split(",") if options.size else ["small", "large"]
    patterns = options.only.split(",")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # ends workers and deletes files
    report = measure(options, names, sizes, lambda n: any(fnmatch.fnmatch(n, p or "*") for p in patterns))
    whole = not (options.quick or report["partial"])
    table = options.table or (HERE / "RESULTS.md" if whole else None)
    if table:
        tables.write(report, table)
    else:
        print(tables.markdown(report), end="")
    ours = [r["libraries"].get("bascule", {}) for r in report["rows"]]
    return int(any("wrong" in r or "error" in r for r in ours))


if __name__ == "__main__":
    sys.exit(main())
