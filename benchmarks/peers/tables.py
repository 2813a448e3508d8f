"""A run's report in Markdown: the verdicts, then every row of every list, also the slower ones."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from libraries import LIBRARIES
from targets import against_best_peer, best, of_limit, speedup, verdicts

BUSY = 0.15  # processors used by other programs during a row, above which the row is marked


def seconds(value: float) -> str:
    for unit, scale in (("s", 1), ("ms", 1e-3), ("µs", 1e-6)):
        if value >= scale:
            return f"{value / scale:.3g} {unit}"
    return f"{value / 1e-9:.3g} ns"


def cell(entry: dict[str, Any] | None) -> str:
    if entry is None:
        return ""
    if "best" in entry:
        return seconds(entry["best"])
    return "≠" if "wrong" in entry else "failed"


def row_line(result: dict[str, Any], names: list[str], limits: dict[str, float]) -> str:
    peer, share = against_best_peer(result), of_limit(result, limits)
    numpy = speedup(result)
    mark = " °" if result.get("others", 0) > BUSY else ""
    cells = [
        f"{result['row']}{mark}",
        f"{result['n']:,}",
        *(cell(result["libraries"].get(name)) for name in names),
        "" if numpy is None else f"{numpy:.2f}×",
        "" if peer is None else f"{peer[0]:.2f}× {peer[1]}",
        "" if share is None else f"{100 * share:.0f} %",
    ]
    return "| " + " | ".join(cells) + " |"


def heading(cells: list[str]) -> list[str]:
    return ["| " + " | ".join(cells) + " |", "|---" * len(cells) + "|"]


def list_table(report: dict[str, Any], kind: str, size: str) -> list[str]:
    rows = [r for r in report["rows"] if (r["list"], r["size"]) == (kind, size)]
    if not rows:
        return []
    names = [name for name in LIBRARIES if any(name in r["libraries"] for r in rows)]
    columns = ["row", "n", *names, "against NumPy", "against the best peer", "of memory's limit"]
    title = f"## {kind.capitalize()} rows, {size}"
    return [title, "", *heading(columns), *(row_line(r, names, report["limits"]) for r in rows), ""]


def small_table(report: dict[str, Any]) -> list[str]:
    if not report["small"]:
        return []
    lines = ["## Small arrays", "", *heading(["statement", "elements", "NumPy, µs", "bascule, µs", "of NumPy's time"])]
    for r in report["small"]:
        times = [r["best"].get(name) for name in ("numpy", "bascule")]
        shown = ["" if t is None else f"{t * 1e6:.3f}" for t in times]
        ratio = f"{times[1] / times[0]:.2f}×" if None not in times else ""
        lines.append(f"| `{r['statement']}` | {r['n']:,} | {shown[0]} | {shown[1]} | {ratio} |")
    return [*lines, ""]


def thread_table(report: dict[str, Any]) -> list[str]:
    rows = [r for r in report["threads"] if "best" in r]
    if not rows:
        return []
    one, all_of_them = rows[0]["threads"]
    lines = ["## Threads", "", *heading(["row", f"{one} thread", f"{all_of_them} threads", "ratio", "equal results"])]
    for r in rows:
        cells = [r["row"], *map(seconds, r["best"]), f"{r['ratio']:.2f}×", "yes" if r["equal"] else "**no**"]
        lines.append("| " + " | ".join(cells) + " |")
    return [*lines, ""]


def failures(report: dict[str, Any]) -> list[str]:
    lines = []
    for r in report["rows"]:
        if "error" in r:
            lines.append(f"- {r['row']} ({r['size']}): {r['error']}")
        for name, entry in r["libraries"].items():
            if best(r, name) is None:
                lines.append(f"- {r['row']} ({r['size']}), {name}: {entry.get('wrong') or entry.get('error')}")
    return ["## Without a time", "", "≠: the result is not NumPy's.", "", *lines, ""] if lines else []


def head(report: dict[str, Any]) -> list[str]:
    m = report["machine"]
    named = ", ".join(f"{k} {v}" for k, v in report["versions"].items())
    limits = ", ".join(f"{k} {v:.1f}" for k, v in report["limits"].items()) or "not measured: no C++ compiler"
    lines = [
        "# bascule beside its peers",
        "",
        f"Measured {report['date']} on {m['cpu']}, {m['cores']} cores, {m['memory_gib']} GiB ({m['device']}), in "
        f"{report['seconds'] / 60:.1f} minutes; other programs took {100 * report['others']:.0f} % of one core. {named}.",
        "",
        f"Memory's limits, the best of the whole run, GB/s: {limits}. Shares are of the limit measured in turns with the "
        "row, where the row is held against it.",
        "",
        f"Rows: SHA-256 of `rows.py` {report['sha256']}.",
        "",
    ]
    if report["missing"]:
        absent = "; ".join(f"{name} ({reason})" for name, reason in report["missing"].items())
        lines += [f"**Not installed, so they count as ahead: {absent}.**", ""]
    if report["quick"]:
        lines += ["**Tiny sizes, to try the harness: the figures say nothing.**", ""]
    elif report["partial"]:
        lines += [f"**A part of the run: {report['partial']}.**", ""]
    if report["others"] > BUSY and not report["quick"]:
        lines += ["**Provisional: the machine was busy with other work.**", ""]
    return lines


FOOT = (
    "Best of several calls; one process a library, all alive, one working at a time, in turns row by row. Every result was "
    "compared with NumPy's before it was timed; one element of every input changes between calls; all libraries allocate "
    "their results. An empty cell: the library's user has no natural way to write the row. NumPy has no erf; SciPy's "
    "stands in its column. mkl is NumPy with MKL's packages patched in. Ratios are times: above one bascule is faster. "
    "°: other programs were busy during the row."
)


def markdown(report: dict[str, Any]) -> str:
    lines = head(report)
    judged = verdicts(report)
    kept = sum(v.met is True for v in judged)
    lines += ["## Targets", "", f"Met: {kept} of {len(judged)}.", "", *heading(["target", "measured", "met"])]
    for v in judged:
        lines.append(
            f"| {v.target} | {v.measured} | {'not measured' if v.met is None else 'yes' if v.met else '**no**'} |"
        )
    lines.append("")
    for size in ("small", "large", "tiny"):
        for kind in ("engine", "library", "iterated"):
            lines += list_table(report, kind, size)
    lines += small_table(report) + thread_table(report) + failures(report)
    return "\n".join([*lines, FOOT]) + "\n"


def write(report: dict[str, Any], path: Path) -> None:
    path.write_text(markdown(report))
    print(f"table: {path}", file=sys.stderr)
