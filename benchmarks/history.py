"""Compares two commits in one run: `python benchmarks/history.py BASE [HEAD]` (`make bench-history BASE=…`).

Each commit is checked out and installed into its own folder under build/history. Two processes, one for each, time the
same row alternately; a row's ratio is the median over the pairs, and marked as inconclusive if the quartiles are on
both sides of 1. Writes benchmarks/results/history/<base>-<head>.json and the table of docs/maintenance/history.md.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "build/history"
PAGE = ROOT / "docs/maintenance/history.md"
BEGIN, END = "<!-- history:begin -->", "<!-- history:end -->"


def git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


def installed(commit: str) -> Path:
    """The folder in which a commit is installed, built if it is not yet there."""
    place = FOLDER / commit[:12]
    if (place / "done").exists():
        return place / "site"
    tree = place / "tree"
    print(f"building {commit[:12]} (minutes, where no cache of compiled files has it)", file=sys.stderr, flush=True)
    if not tree.exists():
        git("worktree", "add", "--detach", str(tree), commit)
    try:
        command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "--target", place / "site",
                   f"--config-settings=build-dir={tree / 'build/make'}", "--config-settings=cmake.define.BASCULE_CUDA_ALGORITHMS=OFF", tree]  # fmt: skip
        # the same relative paths as those of `make build`, so that the compiler cache has most files
        environment = {**os.environ, "CCACHE_BASEDIR": str(tree), "CCACHE_NOHASHDIR": "1"}
        subprocess.run([*map(str, command)], check=True, env=environment)
    finally:
        git("worktree", "remove", "--force", str(tree))
    (place / "done").touch()
    return place / "site"


class Side:
    """A process that times rows with one of the installed commits."""

    def __init__(self, site: Path):
        environment = {**os.environ, "PYTHONPATH": str(site)}
        command = [sys.executable, str(ROOT / "benchmarks/history_rows.py")]
        self._process = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.about = self._answer()
        if not self.about["file"].startswith(str(site)):
            raise SystemExit(f"[history] {self.about['file']} was imported, not what lies in {site}")

    def _answer(self) -> Any:
        line = self._process.stdout.readline()  # type: ignore[union-attr]
        if not line:
            raise SystemExit("[history] a process ended early; its own words are above")
        return json.loads(line)

    def seconds(self, row: str) -> float | None:
        """Seconds of one repetition; None if the commit cannot run it."""
        self._process.stdin.write(row + "\n")  # type: ignore[union-attr]
        self._process.stdin.flush()  # type: ignore[union-attr]
        return self._answer()

    def end(self) -> None:
        self._process.stdin.close()  # type: ignore[union-attr]
        self._process.wait()


def compared(base: Side, head: Side, pairs: int) -> list[dict[str, Any]]:
    """One row each: medians, and the quartiles of the ratios of pairs."""
    rows = []
    for name in base.about["rows"]:
        base.seconds(name), head.seconds(name)  # the first calls fill caches
        times: list[tuple[float, float]] = []
        for k in range(pairs):
            first, second = (base, head) if k % 2 == 0 else (head, base)
            a, b = first.seconds(name), second.seconds(name)
            if a is None or b is None:
                break
            times.append((a, b) if k % 2 == 0 else (b, a))
        if len(times) < 2:
            rows.append({"name": name, "base": None, "head": None})
            continue
        low, middle, high = statistics.quantiles([a / b for a, b in times], n=4)
        rows.append({"name": name, "base": statistics.median(a for a, _ in times), "head": statistics.median(b for _, b in times),
                     "ratio": middle, "low": low, "high": high})  # fmt: skip
        print(line(rows[-1]), file=sys.stderr, flush=True)
    return rows


def line(row: dict[str, Any]) -> str:
    if row["base"] is None:
        return f"| {row['name']} | | | one of them cannot | |"
    said = "faster" if row["low"] > 1 else "slower" if row["high"] < 1 else "no difference seen"
    figures = [f"{row[side] * 1e3:,.3g} ms" for side in ("base", "head")]
    return f"| {row['name']} | {' | '.join(figures)} | {row['ratio']:.2f}× ({row['low']:.2f} to {row['high']:.2f}) | {said} |"


def table(report: dict[str, Any]) -> str:
    m = report["machine"]
    return "\n".join([
        f"{report['head'][:12]} ({report['head_date']}) beside {report['base'][:12]} ({report['base_date']}), measured {report['date']} in turns on "
        f"{m['cpu']}, {m['cores']} cores, {m['threads']} threads, load {m['load']:.1f} at the start; {report['pairs']} pairs a row.",
        "",
        f"| computation | {report['base'][:12]} | {report['head'][:12]} | times faster (quartiles) | |",
        "|---|---|---|---|---|",
        *map(line, report["rows"]),
    ])  # fmt: skip


def processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.machine()
    return next((text.partition(":")[2].strip() for text in lines if text.startswith("model name")), platform.machine())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("base")
    parser.add_argument("head", nargs="?", default="HEAD")
    parser.add_argument("--pairs", type=int, default=15)
    parser.add_argument("--no-page", action="store_true", help="leave docs/maintenance/history.md as it is")
    chosen = parser.parse_args()
    base, head = (git("rev-parse", "--verify", f"{c}^{{commit}}") for c in (chosen.base, chosen.head))
    load = os.getloadavg()[0]
    sites = [installed(c) for c in (base, head)]
    sides = [Side(site) for site in sites]
    rows = compared(*sides, chosen.pairs)
    for side in sides:
        side.end()
    report = {
        "base": base, "head": head, "date": datetime.date.today().isoformat(), "pairs": chosen.pairs, "rows": rows,
        "base_date": git("show", "-s", "--format=%cs", base), "head_date": git("show", "-s", "--format=%cs", head),
        "machine": {"cpu": processor(), "cores": os.cpu_count(), "threads": sides[1].about["threads"], "load": load},
    }  # fmt: skip
    out = ROOT / f"benchmarks/results/history/{base[:12]}-{head[:12]}.json"
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(report, indent=1) + "\n")
    print(table(report))
    if not chosen.no_page:
        before, rest = PAGE.read_text().split(BEGIN)
        PAGE.write_text(f"{before}{BEGIN}\n{table(report)}\n{END}{rest.split(END)[1]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
