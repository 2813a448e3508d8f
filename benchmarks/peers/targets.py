"""The targets, and their verdicts for a run: libraries are known by name only, and rows that were not measured get no
verdict."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from rows import MEMORY_BOUND

Report = dict[str, Any]
MANY = 100.0  # larger ratios are clipped to this in the second geometric mean


@dataclass(frozen=True)
class Verdict:
    target: str
    measured: str
    met: bool | None  # None if the run did not measure it


def best(result: dict[str, Any], name: str) -> float | None:
    return result["libraries"].get(name, {}).get("best")


def speedup(result: dict[str, Any], name: str = "numpy") -> float | None:
    """The speedup of bascule over a library; None if the library has no correct result or bascule did not run, 0 if
    only bascule's result is wrong."""
    theirs, ours = best(result, name), best(result, "bascule")
    if theirs is None or "bascule" not in result["libraries"]:
        return None
    return 0.0 if ours is None else theirs / ours


def against_best_peer(result: dict[str, Any]) -> tuple[float, str] | None:
    ratios = [(speedup(result, name), name) for name in result["libraries"] if name != "bascule"]
    ratios = [r for r in ratios if r[0] is not None]
    return min(ratios) if ratios else None


def of_limit(result: dict[str, Any], limits: dict[str, float]) -> float | None:
    """The fraction of the memory limit that bascule reached, for the row's own ratio of reads and writes. The limit is
    the one measured alternately with the row, if it was; else the best of the whole run. A machine's memory bandwidth
    can double within seconds if other programs use it too, and no row could reach the best of a run then.
    """
    ours = best(result, "bascule")
    if ours is None or "moved" not in result:
        return None
    read, written = result["moved"]
    limit = (result.get("limit") or limits).get(mixture(read, written))
    return (read + written) / ours / 1e9 / limit if limit else None


def mixture(read: float, written: float) -> str:
    """The loop of limits.cpp that has the same ratio of reads and writes."""
    if not written:
        return "read"
    return "stream" if read > 3 * written else "triad" if read >= 1.5 * written else "copy"


def mean_of_ratios(ratios: list[float]) -> float:
    return math.exp(sum(math.log(r) for r in ratios) / len(ratios)) if all(ratios) else 0.0


def rows_of(report: Report, kind: str) -> list[dict[str, Any]]:
    return [r for r in report["rows"] if r["list"] == kind]


def named(r: dict[str, Any]) -> str:
    return f"{r['row']} ({r['size']})"


# ---- each target of the issue


def engine(report: Report) -> list[Verdict]:
    rows = [r for r in rows_of(report, "engine") if against_best_peer(r)]
    texts = (
        "engine rows: ahead of every peer on ≥ 85 %",
        "engine rows: none below 0.7× of the best peer",
        "engine rows: geometric mean ≥ 4× NumPy",
    )
    if not rows:
        return [Verdict(text, "", None) for text in texts]
    compared = {named(r): against_best_peer(r) for r in rows}
    ahead = [name for name, (ratio, _) in compared.items() if ratio > 1]
    absent = sorted(set(report["missing"]) - {"bascule"})
    share = 0.0 if absent else len(ahead) / len(rows)
    note = f"; not installed, so ahead everywhere: {', '.join(absent)}" if absent else ""
    low = sorted((ratio, name, peer) for name, (ratio, peer) in compared.items() if ratio < 0.7)
    lowest = (
        ", ".join(f"{name} {ratio:.2f}× {peer}" for ratio, name, peer in low)
        or f"least {min(compared.values())[0]:.2f}×"
    )
    ratios = [s for r in rows if (s := speedup(r)) is not None]
    mean, cut = mean_of_ratios(ratios), mean_of_ratios([min(s, MANY) for s in ratios])
    return [
        Verdict(texts[0], f"{len(ahead)} of {len(rows)}, {100 * len(ahead) / len(rows):.0f} %{note}", share >= 0.85),
        Verdict(texts[1], lowest, not low),
        Verdict(texts[2], f"{mean:.1f}×; {cut:.1f}× with no ratio above {MANY:.0f}", mean >= 4),
    ]


def each_at_least(text: str, ratios: list[tuple[float, str]], bound: float) -> Verdict:
    """All ratios meet a bound; those that do not are named."""
    if not ratios:
        return Verdict(text, "", None)
    low = sorted(r for r in ratios if r[0] < bound)
    shown = ", ".join(f"{name} {ratio:.2f}×" for ratio, name in low) or "least {1} {0:.2f}×".format(*min(ratios))
    return Verdict(text, f"{len(ratios) - len(low)} of {len(ratios)}; {shown}", not low)


def library_and_iterated(report: Report) -> list[Verdict]:
    rows = rows_of(report, "library")
    calls = []
    for r in rows:
        ratios = [s for name in ("numpy", "scipy") if (s := speedup(r, name)) is not None]
        if ratios:
            calls.append((min(ratios), named(r)))
    transforms = [(s, named(r)) for r in rows if r["row"].startswith("fft") and (s := speedup(r)) is not None]
    iterated = [(s, named(r)) for r in rows_of(report, "iterated") if (s := speedup(r)) is not None]
    return [
        each_at_least("library rows: ≥ 0.95× of the same call in NumPy or SciPy", calls, 0.95),
        each_at_least("FFTs: ≥ 2× `numpy.fft`", transforms, 2),
        each_at_least("iterated rows: ≥ 5× NumPy", iterated, 5),
    ]


def memory_bound(report: Report) -> list[Verdict]:
    verdicts = []
    for name in MEMORY_BOUND:
        result = next((r for r in report["rows"] if r["row"] == name and r["size"] == "large"), None)
        share = of_limit(result, report["limits"]) if result else None
        shown = "" if share is None else f"{100 * share:.0f} %"
        verdicts.append(Verdict(f"`{name}`: ≥ 70 % of memory's limit", shown, None if share is None else share >= 0.7))
    return verdicts


NAMED = (
    ("rng_normal", 5), ("rng_uniform", 5), ("sort", 1.6), ("argsort", 4), ("unique_int", 8), ("float16", 50),
    ("mask_select", 2.5), ("histogram100", 8), ("take", 2), ("put", 2), ("where", 8), ("stencil", 15), ("pairdist", 25),
)  # fmt: skip


def named_rows(report: Report) -> list[Verdict]:
    """A row's target must be met at every measured size."""
    verdicts = []
    for name, bound, peer in (*((*pair, "numpy") for pair in NAMED), ("stencil_kernel", 1, "numba")):
        text = f"`{name}`: ≥ {bound:g}× {'NumPy' if peer == 'numpy' else peer + ' in parallel'}"
        found = [(r["size"], s) for r in report["rows"] if r["row"] == name and (s := speedup(r, peer)) is not None]
        shown = ", ".join(f"{size} {s:.2f}×" for size, s in found)
        verdicts.append(Verdict(text, shown, all(s >= bound for _, s in found) if found else None))
    return verdicts


def peak(report: Report) -> list[Verdict]:
    text, ratio = "peak memory of a fused chain ≤ inputs + outputs + 10 %", report["peak"].get("ratio")
    if ratio is None:
        return [Verdict(text, report["peak"].get("error", ""), None)]
    return [Verdict(text, f"{ratio:.3f} of inputs + outputs", ratio <= 1.1)]


def small_arrays(report: Report) -> list[Verdict]:
    verdicts = []
    for name in dict.fromkeys(r["name"] for r in report["small"]):
        rows = [r for r in report["small"] if r["name"] == name]
        bound = 1.0 if name == "slice" else 1.2
        text = f"`{rows[0]['statement']}`, 8 to 1,000 elements: ≤ {bound:g}× NumPy's time"
        ratios = [(r["n"], r["best"]["bascule"] / r["best"]["numpy"]) for r in rows if len(r["best"]) == 2]
        shown = ", ".join(f"{n}: {ratio:.2f}×" for n, ratio in ratios)
        verdicts.append(Verdict(text, shown, all(r <= bound for _, r in ratios) if ratios else None))
    return verdicts


def two_threads(report: Report) -> list[Verdict]:
    text = "compute-bound rows: two threads ≥ 1.7× one, with equal results"
    rows = report["threads"]
    if not rows or rows[0]["threads"][1] != 2:
        return [Verdict(text, "the machine has not two cores" if rows else "", None)]
    shown = ", ".join(
        f"{r['row']} {r['ratio']:.2f}×" + ("" if r["equal"] else " with other results") if "ratio" in r else f"{r['row']}: {r['error']}"
        for r in rows
    )  # fmt: skip
    return [Verdict(text, shown, all(r.get("ratio", 0) >= 1.7 and r.get("equal") for r in rows))]


def verdicts(report: Report) -> list[Verdict]:
    parts = (engine, library_and_iterated, memory_bound, named_rows, peak, small_arrays, two_threads)
    return [verdict for part in parts for verdict in part(report)]
