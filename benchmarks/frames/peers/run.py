"""bascule.pandas against pandas, Polars, DuckDB, pyarrow and FireDucks: `python benchmarks/frames/peers/run.py`, run by `make
bench-frames`.

There is one process per library; they run alternately, row by row, and every result is compared with pandas' first. A
row whose result differs is reported as wrong, without a time, and the exit code is 1. TPC-H's 22 queries are one of the
sections.
"""

from __future__ import annotations

import argparse
import datetime
import fnmatch
import hashlib
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import data
import tables

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
LIBRARIES = ["pandas", "bascule", "polars", "duckdb", "pyarrow", "fireducks"]


class Library:
    """A worker process."""

    def __init__(self, name: str, python: str, folder: Path):
        self.name = name
        self.process = subprocess.Popen(
            [python, str(HERE / "worker.py"), name, str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        found = self.read()
        self.version, self.missing = found.get("version"), found.get("error")

    def read(self) -> dict[str, Any]:
        line = self.process.stdout.readline()  # type: ignore[union-attr]
        return json.loads(line) if line else {"error": "the process ended"}

    def ask(self, do: str, **arguments: Any) -> dict[str, Any]:
        try:
            self.process.stdin.write(json.dumps({"do": do, **arguments}) + "\n")  # type: ignore[union-attr]
            self.process.stdin.flush()  # type: ignore[union-attr]
        except BrokenPipeError:
            return {"error": "the process ended"}
        return self.read()

    def stop(self) -> None:
        self.process.stdin.close()  # type: ignore[union-attr]
        self.process.wait()


def measure_row(libraries: list[Library], row: str, rounds: int, budget: float) -> dict[str, Any]:
    """The best seconds of each library that has the row."""
    entries: dict[str, dict[str, Any]] = {}
    for library in libraries:
        found = library.ask("begin", row=row)
        if "skip" not in found:
            entries[library.name] = found
    for _ in range(rounds):
        for library in libraries:
            entry = entries.get(library.name, {})
            spent = sum(entry.get("seconds", []))
            if "first" in entry and spent < 2 * budget and entry["first"] < 10 * max(budget, 1):
                found = library.ask("time", budget=budget / rounds)
                entry["seconds"] = entry.get("seconds", []) + found.get("seconds", [])
                entry |= {k: found[k] for k in ("error",) if k in found}
    best = {name: min([e["first"], *e.get("seconds", [])]) for name, e in entries.items() if "first" in e}
    wrong = {name: e.get("wrong") or e["error"] for name, e in entries.items() if "first" not in e}
    return {
        "row": row,
        "best": best,
        "peak": {name: e["peak"] for name, e in entries.items() if e.get("peak")},
        "wrong": wrong,
        "fallbacks": entries.get("bascule", {}).get("fallbacks", []),
        "load": round(os.getloadavg()[0], 2),
    }


def measure(options: argparse.Namespace) -> dict[str, Any]:
    names = ["pandas", *(n for n in LIBRARIES[1:] if not options.lib or n in options.lib.split(","))]
    sections = options.sections.split(",") if options.sections else list(data.SECTIONS)
    patterns = options.only.split(",")
    report: dict[str, Any] = {
        "date": datetime.date.today().isoformat(),
        "rows": options.rows,
        "cpu": tables.processor(),
        "cores": os.cpu_count(),
        "load": [round(os.getloadavg()[0], 2)],
        "sha256": {p.name: hashlib.sha256(p.read_bytes()).hexdigest()[:16] for p in sorted(HERE.glob("forms_*.py"))},
        "results": [],
    }
    start = time.perf_counter()
    with tempfile.TemporaryDirectory(dir=options.folder) as temporary:
        folder = Path(temporary)
        here = {"pandas", "bascule"}
        pythons = dict.fromkeys(here, sys.executable) | {"fireducks": options.fireducks}
        libraries = [Library(n, pythons.get(n, options.peers), folder) for n in names]
        report["missing"] = {x.name: x.missing for x in libraries if x.missing}
        libraries = [x for x in libraries if not x.missing]
        report["versions"] = {x.name: x.version for x in libraries} | {"python": platform.python_version()}
        for section in sections:
            n = options.tpch_rows if section in ("tpch", "naive") and options.tpch_rows else options.rows
            data.write(section, n, folder / section)
            rows: list[str] = []
            for library in libraries:
                rows += [r for r in library.ask("hold", section=section).get("has", []) if r not in rows]
            for row in rows:
                if any(fnmatch.fnmatch(row, p or "*") for p in patterns):
                    found = measure_row(libraries, row, options.rounds, options.seconds)
                    report["results"].append({"section": section, "n": n, **found})
                    print(tables.line(report["results"][-1]), file=sys.stderr, flush=True)
            for path in (folder / section).iterdir():
                path.unlink()
        for library in libraries:
            library.stop()
    report["load"].append(round(os.getloadavg()[0], 2))
    report["seconds"] = round(time.perf_counter() - start)
    return report


def arguments(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Time bascule.pandas beside its peers; results are compared with pandas'."
    )
    add = parser.add_argument
    add("--rows", type=int, default=10_000_000, metavar="N", help="rows of the tables (10 million)")
    add("--tpch-rows", type=int, metavar="N", help="rows of TPC-H's lineitem, 6 million at scale 1 (as --rows)")
    add("--sections", default="", metavar="LIST", help=f"of {','.join(data.SECTIONS)}")
    add("--only", default="", metavar="PATTERN", help="rows whose name matches: shell patterns, comma between them")
    add("--lib", default="", metavar="LIST", help=f"of {','.join(LIBRARIES)}; pandas is always among them")
    add("--rounds", type=int, default=2, metavar="N", help="turns of each library in a row")
    add("--seconds", type=float, default=2, metavar="S", help="of each library in a row, once it has been called")
    add("--folder", default=None, help="where the tables are written meanwhile (the system's folder for such)")
    add("--quick", action="store_true", help="tiny tables, to see whether the rows run")
    add(
        "--peers",
        default=str(ROOT / ".venv-frame-peers/bin/python"),
        metavar="PYTHON",
        help="the Python that has the peers",
    )
    add(
        "--fireducks",
        default=str(ROOT / ".venv-frame-peers/fireducks/bin/python"),
        metavar="PYTHON",
        help="that of FireDucks",
    )
    add("--json", type=Path, metavar="FILE", help="where the figures go")
    add("--table", type=Path, metavar="FILE", help="where the Markdown goes")
    return parser.parse_args(argv)


def main(argv: list[str] | None = None) -> int:
    options = arguments(argv)
    if options.quick:
        options.rows, options.tpch_rows, options.rounds, options.seconds = 20_000, 60_000, 1, 0
    report = {"quick": options.quick, **measure(options)}
    text = tables.markdown(report)
    whole = not (options.quick or options.sections or options.only or options.lib)
    results = ROOT / "benchmarks/results"
    path = options.json or (results / f"frames-{report['date']}.json" if whole else None)
    if path:
        path.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n")
    if options.table or whole:
        (options.table or results / f"frames-{report['date']}.md").write_text(text)
    print(text, end="")
    return int(any("bascule" in r["wrong"] for r in report["results"]))


if __name__ == "__main__":
    sys.exit(main())
