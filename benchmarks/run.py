"""Run the benchmarks: `python benchmarks/run.py` prints the table of docs/measured.md and writes benchmarks/results/<date>.json.

A row whose result differs from NumPy's or pandas' is reported as wrong, without a time, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import harness
from frames import gate_two
from ops import gate_one
from programs import gate_three

ROOT = Path(__file__).resolve().parents[1]
BEGIN, END = "<!-- bench:begin -->", "<!-- bench:end -->"


def figure(value: float | None, unit: str) -> str:
    if value is None:
        return ""
    digits = 0 if value >= 100 else 1 if value >= 10 else 2
    return f"{value:,.{digits}f} {unit}"


def others(result: dict[str, Any]) -> str:
    best = {k: v for k, v in result["best"].items() if k not in ("bascule", result.get("peer", "NumPy"))}
    return ", ".join(f"{k} {figure(v, result['unit'])}" for k, v in best.items())


def table_line(result: dict[str, Any]) -> str:
    if "error" in result:
        cells = [result["name"], "", "", "", "", "", "", "**wrong**: " + result["error"].splitlines()[0]]
        return "| " + " | ".join(cells) + " |"
    best, unit = result["best"], result["unit"]
    verdicts = [f"{text}: {'' if reported is None else f'{reported:.1f}, '}{'yes' if met else 'no' if met is not None else 'not measured'}"
                for text, met, reported in zip(result["targets"], result["met"], result["told"])]  # fmt: skip
    moved = ""
    if "gbs" in result:
        moved = f"{result['gbs']:.1f} GB/s" + (f" ({100 * result['of_limit']:.0f} %)" if "of_limit" in result else "")
    cells = [
        result["name"],
        f"{result['n']:,}" if result["n"] else "",
        figure(best.get(result.get("peer", "NumPy")), unit),
        others(result),
        figure(best["bascule"], unit),
        f"{result['speedup']:.1f}×" if "speedup" in result else "",
        moved,
        "; ".join(verdicts),
    ]
    return "| " + " | ".join(cells) + " |"


def table(report: dict[str, Any]) -> str:
    m, v, limits = report["machine"], report["versions"], report["limits"]
    named = ", ".join(f"{k} {v[k]}" for k in v)
    bound = (
        f"read {limits['read']:.1f} GB/s, five streams in and one out {limits['stream']:.1f} GB/s"
        if limits
        else "not measured: no C++ compiler"
    )
    lines = [
        f"Measured {report['date']} on {m['cpu']}, {m['cores']} cores, {m['memory_gib']} GiB ({m['device']}); {named}. "
        f"Memory's limit, same run, same threads: {bound}.",
        "",
        "| computation | n | NumPy or pandas | others | bascule | ratio | moved (of the limit) | target: kept? |",
        "|---|---|---|---|---|---|---|---|",
        *map(table_line, report["rows"]),
        "",
        "Best of several repetitions with changing inputs, libraries in turns; every result was evaluated and checked "
        "against NumPy's or pandas'; all allocate their results. Memory is the process's peak less its size before.",
    ]
    if report["quick"]:
        lines.insert(0, "**Small sizes, to try the benchmarks: the figures say nothing.**\n")
    elif m["load"] > 0.3 * m["cores"]:
        lines.insert(0, f"**Provisional: the machine was busy with other work (load {m['load']}).**\n")
    return "\n".join(lines)


def write_page(text: str) -> None:
    path = ROOT / "docs/measured.md"
    old = path.read_text()
    head, begin, rest = old.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"docs/measured.md lacks {BEGIN} and {END}")
    path.write_text(f"{head}{BEGIN}\n{text}\n{END}{tail}")


def arguments(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Time bascule against NumPy and pandas; every result is checked first."
    )
    parser.add_argument(
        "--quick", action="store_true", help="small sizes, to see whether the benchmarks run; no file unless --json"
    )
    parser.add_argument("--only", default="", metavar="TEXT", help="rows whose name holds this text")
    parser.add_argument(
        "--json", type=Path, metavar="FILE", help="where the figures go (default benchmarks/results/<date>.json)"
    )
    parser.add_argument("--write-page", action="store_true", help="replace the table in docs/measured.md")
    parser.add_argument(
        "--seconds", type=float, default=10, help="after so many seconds a row ends (three repetitions at least)"
    )
    return parser.parse_args(argv)


def main(argv: list[str] | None = None) -> int:
    options = arguments(argv)
    limits = harness.MemoryLimits(options.quick)
    rows = [row for row in (*gate_one.ROWS, *gate_two.ROWS, *gate_three.ROWS) if options.only in row.name]
    report: dict[str, Any] = {
        "date": harness.today(),
        "quick": options.quick,
        "machine": harness.machine(),
        "versions": harness.versions(["numexpr", "scipy", "pandas", "pyarrow"]),
        "rows": [],
    }
    for row in rows:
        print(f"... {row.name}", file=sys.stderr, flush=True)
        report["rows"].append(harness.measure(row, options.quick, options.seconds))
        if isinstance(row, harness.Timed) and row.limit:
            limits.measure()
    report["limits"] = limits.best
    for row, result in zip(rows, report["rows"]):
        harness.judge(row, result, limits.best)
    text = table(report)
    print(text)
    path = options.json or (
        None if options.quick or options.only else ROOT / "benchmarks/results" / f"{report['date']}.json"
    )
    if path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n")
        print(f"figures: {path}", file=sys.stderr)
    if options.write_page:
        write_page(text)
    return int(any("error" in r for r in report["rows"]))


if __name__ == "__main__":
    sys.exit(main())
