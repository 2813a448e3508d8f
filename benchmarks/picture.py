"""Draws docs/speed.svg, the picture of the README, from committed results: bascule against NumPy or pandas and the best
peer.

    python benchmarks/picture.py benchmarks/results/peers-….json benchmarks/results/….json

The first file is one of `make bench-peers` (arrays), the second one of `make bench` (frames).
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
# beginning of a row's name in the other run: its computation
FRAMES = {
    "`df.groupby": "groupby mean, 6e6 groups",
    "`df.merge": "merge, 2e7 rows out",
    "`df.sort_values": "sort_values, 4 columns",
    "`pd.read_csv": "read_csv, 500 MB",
}
LEFT, WIDTH, ROW, TOP, MOST = 210, 460, 22, 54, 250.0


def arrays(results: dict[str, Any]) -> list[tuple[str, float, float | None, str]]:
    """(label, NumPy's time over bascule's, NumPy's time over the best peer's, that peer) of each row."""
    found = []
    for row in results["rows"]:
        if row["size"] == "large" and row["row"] in ARRAYS:
            best = {name: r["best"] for name, r in row["libraries"].items() if r.get("best")}
            peer = min((n for n in best if n not in ("numpy", "bascule")), key=best.__getitem__)
            found.append((ARRAYS[row["row"]], best["numpy"] / best["bascule"], best["numpy"] / best[peer], peer))
    return sorted(found, key=lambda r: -r[1])


def frames(results: dict[str, Any]) -> list[tuple[str, float, float | None, str]]:
    found: list[tuple[str, float, float | None, str]] = []
    for row in results["rows"]:
        label = next((text for start, text in FRAMES.items() if row["name"].startswith(start)), None)
        if label and row.get("speedup"):
            found.append((label, row["speedup"], None, ""))
    return sorted(found, key=lambda r: -r[1])


def x_of(times: float) -> float:
    return LEFT + WIDTH * math.log(max(times, 0.5) / 0.5) / math.log(MOST / 0.5)


def drawn(groups: list[tuple[str, list[tuple[str, float, float | None, str]]]], caption: str) -> str:
    height = TOP + sum(ROW * len(rows) + 30 for _, rows in groups) + 34
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 90} {height}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="100%" height="{height}" fill="#ffffff"/>',
        '<text x="10" y="20" font-size="15" font-weight="bold">Speed-up over NumPy and pandas (log scale)</text>',
        '<rect x="10" y="30" width="14" height="10" fill="#1f6f8b"/><text x="29" y="39">bascule</text>'
        '<path d="M96 28v14" stroke="#d1495b" stroke-width="3"/>'
        '<text x="104" y="39">fastest of numexpr, numba, JAX, PyTorch, MKL, SciPy</text>',
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
                f'<rect x="{start:.1f}" y="{y + 2}" width="{max(end - start, 2):.1f}" height="13" fill="#1f6f8b"/>'
                f'<text x="{max(end, x_of(peer or 0)) + 6:.1f}" y="{y + 13}">{ours:.{0 if ours >= 10 else 1}f}×</text>'
            )
            if peer:
                parts.append(
                    f'<path d="M{x_of(peer):.1f} {y}v17" stroke="#d1495b" stroke-width="3"><title>{name}: {peer:.1f}×</title></path>'
                )
            y += ROW
        y += 2
    parts.append(f'<text x="10" y="{height - 1}" font-size="10" fill="#555555">{escape(caption)}</text></svg>')
    return "\n".join(parts) + "\n"


def main() -> None:
    peers, own = (json.loads(Path(p).read_text()) for p in sys.argv[1:3])
    machine = (
        f"{peers['machine']['cpu']}, {peers['machine']['cores']} cores; arrays {peers['date']}, frames {own['date']}"
    )
    groups = [
        ("Arrays of 1e7 elements or more, compared with NumPy", arrays(peers)),
        ("Frames of 1e7 rows, compared with pandas", frames(own)),
    ]
    OUT.write_text(drawn(groups, f"{machine}; every result was checked"))


if __name__ == "__main__":
    main()
