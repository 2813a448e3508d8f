"""A report on frames and their peers in Markdown, with every row, also the slower ones."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

PEERS = ["polars", "duckdb", "pyarrow", "fireducks"]
TITLES = {
    "xy": "Two columns", "groupby": "db-benchmark, group-by", "join": "db-benchmark, joins", "sort": "Sorting",
    "csv": "Files", "text": "Text", "windows": "Windows", "elements": "Elements", "tpch": "TPC-H",
    "naive": "TPC-H, tables merged whole and filtered last",
}  # fmt: skip


def processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return ""
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")


def ms(seconds: float | None) -> str:
    if seconds is None:
        return ""
    return f"{seconds * 1e3:,.0f}" if seconds >= 0.1 else f"{seconds * 1e3:.2g}"


def megabytes(result: dict[str, Any], name: str) -> str:
    """Memory that the first call took at most, after its time."""
    peak = result.get("peak", {}).get(name)
    return f" ({peak / 1e6:,.0f})" if peak and name in result["best"] else ""


def against(result: dict[str, Any]) -> tuple[float | None, float | None, str]:
    """The ratios of pandas' and the best peer's time to bascule's, and the name of that peer."""
    best = result["best"]
    if "bascule" not in best:
        return None, None, ""
    peers = {name: best[name] for name in PEERS if name in best}
    name = min(peers, key=lambda k: peers[k]) if peers else ""
    return (
        best["pandas"] / best["bascule"] if "pandas" in best else None,
        peers[name] / best["bascule"] if peers else None,
        name,
    )


def mean(values: list[float]) -> float:
    return math.exp(sum(map(math.log, values)) / len(values))


def line(result: dict[str, Any]) -> str:
    best, wrong = result["best"], result["wrong"]
    pandas, peer, name = against(result)
    cells = [result["row"]]
    cells += ["≠" if k in wrong else ms(best.get(k)) + megabytes(result, k) for k in ("pandas", "bascule", *PEERS)]
    cells += ["" if pandas is None else f"{pandas:.1f}×", "" if peer is None else f"{peer:.2f}× {name}"]
    cells.append("; ".join(result["fallbacks"]))
    return "| " + " | ".join(cells) + " |"


def summary(results: list[dict[str, Any]]) -> str:
    pandas = [a for a, _, _ in map(against, results) if a]
    peers = [b for _, b, _ in map(against, results) if b]
    said = [
        f"{mean(pandas):.2f}× pandas" if pandas else "",
        f"{mean(peers):.2f}× the best peer of each row" if peers else "",
    ]
    for name in PEERS:
        each = [r["best"][name] / r["best"]["bascule"] for r in results if {name, "bascule"} <= r["best"].keys()]
        if each:
            said.append(f"{mean(each):.2f}× {name} on {len(each)} rows")
    ahead, behind = sum(b >= 1 for b in peers), sum(b < 0.8 for b in peers)
    said.append(f"ahead of every peer on {ahead} of {len(peers)} rows, below 0.8× of the best on {behind}")
    return "; ".join(filter(None, said))


def markdown(report: dict[str, Any]) -> str:
    versions = ", ".join(f"{k} {v}" for k, v in report["versions"].items())
    lines = ["# Frames beside their peers", ""]
    if report["quick"]:
        lines += ["**Tiny tables, to see whether the rows run: the figures say nothing.**", ""]
    elif max(report["load"]) > 0.3 * (report["cores"] or 1):
        lines += [f"**Provisional: the machine was busy with other work, too (load {report['load'][0]} before, "
                  f"{report['load'][1]} after).**", ""]  # fmt: skip
    lines += [
        f"Measured {report['date']} on {report['cpu']}, {report['cores']} cores, in {report['seconds'] / 60:.0f} minutes; {versions}.",
        "",
        "Milliseconds, best of several calls, one process a library, in turns row by row, and in parentheses the megabytes "
        "by which the process grew at most in the first call. Every result was compared with "
        "pandas' first: bascule's to the last label, type and place, floats within 1e-12; a peer's by its rows, in any order. "
        "≠: it differed or failed, the reason is below. Ratios are times: above one bascule is faster.",
        "",
        "Forms, SHA-256: " + ", ".join(f"{k} {v}" for k, v in report["sha256"].items()) + ".",
        "",
    ]
    if report["missing"]:
        lines += ["**Not installed: " + "; ".join(f"{k} ({v})" for k, v in report["missing"].items()) + ".**", ""]
    results = report["results"]
    if len({r["section"] for r in results}) > 1:
        lines += [f"All rows: {summary(results)}.", ""]
    for section in dict.fromkeys(r["section"] for r in results):
        rows = [r for r in results if r["section"] == section]
        lines += [f"## {TITLES[section]}, {rows[0]['n']:,} rows", "", f"{summary(rows)}.", ""]
        names = ["row", "pandas", "bascule", *PEERS, "against pandas", "against the best peer", "fallbacks"]
        lines += ["| " + " | ".join(names) + " |", "|---" * len(names) + "|", *map(line, rows), ""]
    wrong = [f"- {r['row']}, {name}: {why}" for r in results for name, why in r["wrong"].items()]
    return "\n".join(lines + (["## Without a time", "", *wrong, ""] if wrong else []))
