"""Ordinary programs of NumPy and pandas, run as they are and, unchanged, by `python -m bascule program.py`:
`python benchmarks/ordinary/run.py [--only PATTERN] [--runs N] [--check] [--page]`.

Both take turns, in processes of their own. Reported are the whole process (wall time and CPU time, imports included) and the
part behind the program's imports, without the time of modules that are imported later: bascule imports pandas, Arrow and SciPy
when they are first needed, where plain Python has imported them before. Each output is compared with the expected text next to the program; a program whose output
differs, or that fails, is listed as a failure. A hash of its name puts each program into one half: rows of the seen half
may be looked at while bascule is made faster, of the unseen half only the means are shown. `--page` writes docs/scripts.md.
"""

from __future__ import annotations

import argparse
import datetime
import fnmatch
import json
import math
import os
import platform
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from programs import SIZES, Program, Run, difference, needs, programs, run

PAGE = Path(__file__).resolve().parents[2] / "docs/scripts.md"
BEGIN, END = "<!-- scripts:begin -->", "<!-- scripts:end -->"
MEASURES = {"wall": "whole process", "cpu": "CPU time", "inside": "without imports"}
SLOW = 0.9
PLAIN: list[str] = []
BASCULE = ["-m", "bascule"]


@dataclass
class Row:
    """One program at one size."""

    program: Program
    size: str
    failure: str = ""
    needs: str = ""
    theirs: dict[str, float] | None = None
    ours: dict[str, float] | None = None
    fallbacks: tuple[str, ...] = ()

    def gain(self, measure: str) -> float:
        return self.theirs[measure] / self.ours[measure]


def figures(one: Run) -> dict[str, float]:
    return {"wall": one.wall, "cpu": one.cpu, "inside": one.noted.get("inside", math.nan)}


def failure(side: str, one: Run, expected: str) -> str:
    if one.error:
        return f"{side} fails: {one.error}"
    differs = difference(expected, one.printed)
    return f"{side} prints something else: {differs}" if differs else ""


def measured(program: Program, size: str, runs: int, compiled: str) -> Row:
    """The fastest of several runs of each, in turns."""
    row = Row(program, size)
    file = program.expected(size)
    if not file.exists():
        row.failure = "has no expected output"
        return row
    expected = file.read_text()
    both: list[tuple[Run, Run]] = []
    for _ in range(runs):
        plain = run(program, size, PLAIN, compiled)
        row.needs = needs(plain.error)
        if row.needs:
            return row
        both.append((plain, run(program, size, BASCULE, compiled)))
        for side, one in zip(("plain Python", "bascule"), both[-1]):
            row.failure = row.failure or failure(side, one, expected)
        if row.failure:
            return row
    sides = [[figures(one) for one in side] for side in zip(*both)]
    row.theirs, row.ours = ({m: min(one[m] for one in side) for m in MEASURES} for side in sides)
    row.fallbacks = tuple(f"{f['name']}: {f['reason']}" for f in both[-1][1].noted["fallbacks"])
    return row


# ---- what is said


def geometric_mean(values: Iterable[float]) -> float:
    logs = [math.log(v) for v in values]
    return math.exp(sum(logs) / len(logs)) if logs else math.nan


def summary(name: str, rows: list[Row]) -> list[str]:
    """The means of some rows as lines of a table, one a measure."""
    timed = [r for r in rows if r.ours]
    lines = []
    for measure, said in MEASURES.items():
        gains = [r.gain(measure) for r in timed]
        slow = sum(g < SLOW for g in gains)
        mean = f"{geometric_mean(gains):.2f}×" if gains else ""
        least = f"{min(gains):.2f}×" if gains else ""
        lines.append(f"| {name} | {said} | {len(gains)} | {mean} | {least} | {slow} |")
    return lines


SUMMARY_HEAD = ["| programs | measure | rows | geometric mean | slowest | below 0.9× |", "|---|---|---|---|---|---|"]
ROWS_HEAD = [
    "| program | size | plain, s | bascule, s | whole process | CPU time | without imports | fallbacks |",
    "|---|---|---|---|---|---|---|---|",
]


def line(row: Row) -> str:
    """A row of the seen half."""
    gains = " | ".join(f"{row.gain(m):.2f}×" for m in MEASURES)
    fallbacks = "; ".join(row.fallbacks).replace("|", "\\|")
    return f"| {row.program} | {row.size} | {row.theirs['wall']:.2f} | {row.ours['wall']:.2f} | {gains} | {fallbacks} |"


def failed(row: Row) -> str:
    """A row that failed; of an unseen program only that it did."""
    said = row.failure if row.program.seen else row.failure.partition(": ")[0]
    return f"- {row.program}, {row.size}: {said}".replace("|", "\\|").replace("<", "&lt;")


def report(rows: list[Row]) -> list[str]:
    """The tables: means of each half and of each kind, failures, and the rows of the seen half."""
    halves = {name: [r for r in rows if r.program.seen == seen] for name, seen in (("seen", True), ("unseen", False))}
    lines = [*SUMMARY_HEAD]
    for name, half in halves.items():
        lines += summary(name, half)
        for size in SIZES:
            lines += summary(f"{name}, {size}", [r for r in half if r.size == size])
    wrong = [failed(r) for r in rows if r.failure]
    lines += ["", f"Rows that fail: {len(wrong)}.", "", *wrong]
    absent = sorted({f"- {r.program}: needs {r.needs}" for r in rows if r.needs})
    if absent:
        lines += ["", "Not run, for want of a library:", "", *absent]
    lines += ["", "Of the seen half:", "", *ROWS_HEAD, *(line(r) for r in halves["seen"] if r.ours)]
    return lines


def conditions(runs: int) -> str:
    """The conditions of the measurement: versions, machine, runs."""
    import bascule
    import numpy
    import pandas

    try:
        found = Path("/proc/cpuinfo").read_text().splitlines()
        cpu = next(text.partition(":")[2].strip() for text in found if text.startswith("model name"))
    except (OSError, StopIteration):
        cpu = platform.machine()
    return (
        f"Measured {datetime.date.today()} on {cpu}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the start; bascule "
        f"{bascule.__version__} with {bascule.get_num_threads()} threads, NumPy {numpy.__version__}, pandas {pandas.__version__}, "
        f"Python {platform.python_version()}. The fastest of {runs} runs each, in turns, in processes of their own."
    )


def as_json(row: Row) -> dict:
    """The part of a row that `--report` keeps; of an unseen program only that it failed."""
    kept = {"program": str(row.program), "size": row.size, "seen": row.program.seen, "needs": row.needs}
    if not row.program.seen:
        return {**kept, "failed": bool(row.failure)}
    return {**kept, "failure": row.failure, "plain": row.theirs, "bascule": row.ours, "fallbacks": row.fallbacks}


# ---- the commands


def write(chosen: list[Program], sizes: list[str], compiled: str) -> int:
    """Write the expected outputs by plain Python, and say what breaks the rules for programs."""
    wrong = 0
    for program in chosen:
        for size in sizes:
            one = run(program, size, PLAIN, compiled)
            lines = one.printed.splitlines()
            least, most = (0.005, 0.2) if size == "small" else (0.2, 2)
            seconds = one.noted.get("inside_cpu", math.nan)  # a busy machine makes the other longer
            bad = [
                one.error,
                "" if 1 <= len(lines) <= 60 else "not 1 to 60 lines",
                "" if least <= seconds <= most else f"not {least} to {most} s",
                "" if lines and lines[-1].strip() and one.printed.endswith("\n") else "the last line is empty",
                "" if "-0.0 " not in one.printed + " " else "a negative zero",
            ]
            if not one.error:
                program.expected(size).write_text(one.printed)
            said = "; ".join(filter(None, bad))
            wrong += bool(said)
            print(f"{program} {size}: {seconds:.3f} s, {len(lines)} lines. {said}", flush=True)
    return int(wrong > 0)


def progress(row: Row) -> None:
    if not row.program.seen:
        said = "failed" if row.failure else "not run" if row.needs else "run"
        print(f"| {row.program} | {row.size} | unseen: {said} |", flush=True)
    elif row.ours:
        print(line(row), flush=True)
    else:
        print(failed(row) if row.failure else f"- {row.program}: needs {row.needs}", flush=True)


def compare(chosen: list[Program], sizes: list[str], options: argparse.Namespace, compiled: str) -> int:
    said = conditions(options.runs)
    print(said, *ROWS_HEAD, sep="\n")
    rows = []
    for program in chosen:
        for size in sizes:
            rows.append(measured(program, size, options.runs, compiled))
            progress(rows[-1])
    tables = report(rows)
    summed = tables[: tables.index("Of the seen half:")]
    print("", *summed, sep="\n")
    if options.report:
        Path(options.report).write_text(json.dumps([as_json(r) for r in rows], indent=1))
    if options.page:
        before, rest = PAGE.read_text().split(BEGIN)
        text = "\n".join([said, "", *tables])
        PAGE.write_text(f"{before}{BEGIN}\n{text}\n{END}{rest.split(END)[1]}")
    return int(any(r.failure for r in rows))


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--only", metavar="PATTERN", help="programs whose kind/name or name matches; of the seen half only"
    )
    parser.add_argument("--size", choices=SIZES, help="one of the sizes (default: both)")
    parser.add_argument("--runs", type=int, default=3, help="runs of each, of which the fastest counts (default: 3)")
    parser.add_argument("--check", action="store_true", help="one run of each: outputs count, times do not")
    parser.add_argument("--write", action="store_true", help="write the expected outputs, by plain Python")
    parser.add_argument("--report", metavar="FILE", help="write the rows as JSON")
    parser.add_argument("--page", action="store_true", help="write the tables into docs/scripts.md")
    options = parser.parse_args(arguments)
    if options.page and (options.only or options.size or options.check):
        parser.error("--page takes all programs at both sizes")
    options.runs = 1 if options.check else options.runs
    chosen = programs()
    if options.only:
        chosen = [p for p in chosen if any(fnmatch.fnmatch(n, options.only) for n in (str(p), p.name, p.kind))]
        if not chosen:
            parser.error(f"no program {options.only}")
    sizes = [options.size] if options.size else list(SIZES)
    with tempfile.TemporaryDirectory() as compiled:
        if options.write:
            return write(chosen, sizes, compiled)
        if options.only:
            left = [p for p in chosen if not p.seen]
            chosen = [p for p in chosen if p.seen]
            print(f"{len(left)} of the matching programs are of the unseen half, whose rows are not shown one by one.")
        return compare(chosen, sizes, options, compiled)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
