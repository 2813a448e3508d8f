"""Draws docs/speed.svg, the picture of the README, from committed results: bascule against NumPy or pandas and the best
peer.

    python benchmarks/picture.py benchmarks/results/peers-….json benchmarks/results/tpch-….json

The first file is one of `make bench-peers` (arrays), the second one of `make bench-frames BENCH='--sections tpch'`: all 22 queries,
so that none is chosen.
"""

from __future__ import annotations

import json
import math
import sys
from html import escape
from pathlib import Path
from typing import Any

OUT = Path(__file__).resolve().parents[1] / "docs/speed.svg"
# row of the peers' run: its computation; 1e7 elements or more each
ARRAYS = {
    "trig_all_f64": "(sin² + cos² == 1).all()",
    "chain5": "a chain of five operations",
    "stencil": "9-point stencil",
    "blackscholes": "Black–Scholes",
    "std": "x.std()",
    "where": "where",
    "sort": "sort",
    "median": "median",
    "unique_int": "unique",
    "rng_normal": "normal random numbers",
    "add": "x + y",
    "matmul": "matrix product (OpenBLAS)",
    "mask_sum": "x[mask].sum()",
}
# TPC-H's own titles, shortened
QUERIES = dict(
    enumerate(
        [
            "pricing summary",
            "minimum cost supplier",
            "shipping priority",
            "order priority",
            "local supplier volume",
            "revenue change",
            "volume shipping",
            "national market share",
            "product type profit",
            "returned items",
            "important stock",
            "shipping modes",
            "customer distribution",
            "promotion effect",
            "top supplier",
            "parts and suppliers",
            "small-quantity orders",
            "large volume customer",
            "discounted revenue",
            "potential promotion",
            "late suppliers",
            "sales opportunity",
        ],
        1,
    )
)
NAMES = {"duckdb": "DuckDB", "jax": "JAX", "mkl": "MKL", "polars": "Polars", "scipy": "SciPy", "torch": "PyTorch"}
LEFT, WIDTH, ROW, TOP, MOST = 222, 428, 19, 54, 250.0
Row = tuple[str, float, float, str]  # label, speed-up, that of the best peer, its name


def arrays(results: dict[str, Any]) -> list[Row]:
    """The rows with NumPy's time over bascule's and over the best peer's."""
    found = []
    for row in results["rows"]:
        if row["size"] == "large" and row["row"] in ARRAYS:
            best = {name: r["best"] for name, r in row["libraries"].items() if r.get("best")}
            peer = min((n for n in best if n not in ("numpy", "bascule")), key=best.__getitem__)
            found.append((ARRAYS[row["row"]], best["numpy"] / best["bascule"], best["numpy"] / best[peer], peer))
    return sorted(found, key=lambda r: -r[1])


def frames(results: dict[str, Any]) -> list[Row]:
    """As `arrays`, with pandas in NumPy's place."""
    found = []
    for row in results["results"]:
        if row["section"] == "tpch":
            best, number = row["best"], int(row["row"].removeprefix("q"))
            peer = min(best.keys() - {"pandas", "bascule"}, key=best.__getitem__)
            label = f"query {number}: {QUERIES[number]}"
            found.append((label, best["pandas"] / best["bascule"], best["pandas"] / best[peer], peer))
    return sorted(found, key=lambda r: -r[1])


def x_of(times: float) -> float:
    return LEFT + WIDTH * math.log(max(times, 0.5) / 0.5) / math.log(MOST / 0.5)


def rounded(times: float) -> str:
    return f"{times:.{0 if times >= 10 else 1}f}×"


def drawn(groups: list[tuple[str, list[Row]]], caption: str) -> str:
    height = TOP + sum(ROW * len(rows) + 30 for _, rows in groups) + 34
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 140} {height}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="100%" height="{height}" fill="#ffffff"/>',
        '<text x="10" y="20" font-size="15" font-weight="bold">Speed-up over NumPy and pandas (log scale)</text>',
        '<rect x="10" y="30" width="14" height="10" fill="#1f6f8b"/><text x="29" y="39">bascule</text>'
        '<path d="M96 28v14" stroke="#d1495b" stroke-width="3"/>'
        '<text x="104" y="39">fastest other: of numexpr, numba, JAX, PyTorch, MKL, SciPy; of Polars, DuckDB</text>',
    ]
    for times in (1, 2, 5, 10, 20, 50, 100, 200):
        x = x_of(times)
        parts.append(
            f'<path d="M{x:.1f} {TOP}V{height - 30}" stroke="{"#555555" if times == 1 else "#dddddd"}"/>'
            f'<text x="{x:.1f}" y="{height - 14}" text-anchor="middle" fill="#555555">{times}×</text>'
        )
    y = TOP
    for title, rows in groups:
        y += 20
        parts.append(f'<text x="10" y="{y}" font-weight="bold">{escape(title)}</text>')
        y += 8
        for label, ours, peer, name in rows:
            start, end = sorted((x_of(1), x_of(ours)))
            parts.append(
                f'<text x="{LEFT - 8}" y="{y + 12}" text-anchor="end">{escape(label)}</text>'
                f'<rect x="{start:.1f}" y="{y + 2}" width="{max(end - start, 2):.1f}" height="12" fill="#1f6f8b"/>'
                f'<path d="M{x_of(peer):.1f} {y}v16" stroke="#d1495b" stroke-width="3"/>'
                f'<text x="{max(end, x_of(peer)) + 6:.1f}" y="{y + 12}">{rounded(ours)}'
                f'<tspan dx="6" fill="#a8324a" font-size="10">{NAMES.get(name, name)} {rounded(peer)}</tspan></text>'
            )
            y += ROW
        y += 2
    parts.append(f'<text x="10" y="{height - 1}" font-size="10" fill="#555555">{escape(caption)}</text></svg>')
    return "\n".join(parts) + "\n"


def picture(of_arrays: Path, of_frames: Path) -> str:
    """The picture of two files of results."""
    peers, tables = (json.loads(p.read_text()) for p in (of_arrays, of_frames))
    load = max(tables["load"])
    busy = f" while other programs ran (load {load:.1f})" if load > tables["cores"] else ""
    machine = f"{peers['machine']['cpu']}, {peers['machine']['cores']} cores; arrays {peers['date']}, frames {tables['date']}{busy}"
    groups = [
        ("Arrays of 1e7 elements or more, compared with NumPy", arrays(peers)),
        ("Frames: TPC-H at scale 1, all queries, compared with pandas", frames(tables)),
    ]
    return drawn(groups, f"{machine}; every result was checked")


if __name__ == "__main__":
    OUT.write_text(picture(Path(sys.argv[1]), Path(sys.argv[2])))
