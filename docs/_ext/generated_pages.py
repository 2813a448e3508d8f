"""Writes parts that pages include: tables of coverage, measurements and settings, and lists of the reference."""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import bascule as bc
import bascule.pandas as pd
import reference_lists
import suite_results
from bascule import _core

SCALE = 0.1  # of the notebooks' full sizes


def table(head: list[str], rows: list[list[Any]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return (
        "\n".join(
            "| " + " | ".join(str(c).replace("|", "\\|").replace("\n", " ") for c in line) + " |" for line in lines
        )
        + "\n"
    )


def numpy_table() -> str:
    coverage = bc.coverage()
    states = Counter(e.state for e in coverage.values())
    said = {
        "native": "native",
        "NumPy-backed": "run in NumPy and are counted",
        "refused": "refused, with an error that names what to use",
        "differs": "native with differences",
    }
    head = "; ".join(f"{states[s]} {text}" for s, text in said.items() if states[s])
    rows = []
    for entry in coverage.values():
        other = {
            s: [p for p, state in entry.parameters.items() if state == s]
            for s in dict.fromkeys(entry.parameters.values())
        }
        exceptions = "; ".join(f"{s}: {', '.join(f'`{p}`' for p in ps)}" for s, ps in other.items() if s != "native")
        rows.append([f"`{entry.name}`", entry.state, exceptions, f"`{entry.reason}`" if entry.reason else ""])
    note = (
        f"{len(coverage)} functions: {head}. A function is native if its calls equal NumPy's in the conformance tests while falling "
        "back is an error. Parameters are listed if their state is not native; *untested* means that no call in those "
        "tests uses them.\n\n"
    )
    return note + table(["function", "state", "parameters", "a call that differs, or the reason"], rows)


def frames_tables() -> tuple[str, str]:
    coverage = pd.coverage()
    groups: dict[str, dict[str, str]] = {}
    for name in coverage:
        owner, _, member = name.rpartition(".")
        groups.setdefault(owner, {})[member] = str(coverage[name])
    kinds = ["native", "in part", "fallback", "absent", "refused"]
    kinds += sorted({s for members in groups.values() for s in members.values()} - set(kinds))
    kinds = [k for k in kinds if any(k in members.values() for members in groups.values())]
    counts = [
        [f"`{owner}`", *(sum(s == k for s in members.values()) for k in kinds)] for owner, members in groups.items()
    ]
    details = []
    for owner, members in groups.items():
        rows = [[k, " ".join(f"`{n}`" for n, s in members.items() if s == k)] for k in kinds if k in members.values()]
        details.append(f":::{{dropdown}} {owner}\n{table(['state', 'members'], rows)}:::\n")
    return table(["of", *kinds], counts), "\n".join(details)


def aggregates_table(rows: list[dict[str, Any]]) -> str:
    """The aggregations of the core, and what has them: arrays, groups, moving windows."""
    users = ("arrays", "groups", "windows")
    return table(
        ["aggregation", "", *users],
        [[f"`{r['name']}`", r["doc"], *("yes" if r[u] else "" for u in users)] for r in rows],
    )


def newest(root: Path, pattern: str) -> dict[str, Any]:
    return json.loads(max((root / "benchmarks/results").glob(pattern)).read_text())


def machine(results: dict[str, Any]) -> str:
    m = results["machine"]
    return f"Measured {results['date']} on {m['cpu']}, {m['cores']} cores, {m['memory_gib']} GiB, {m['device']}.\n\n"


def figure(x: float) -> str:
    return f"{x:,.0f}" if x >= 100 else f"{x:.3g}"


def bench(root: Path) -> str:
    results = newest(root, "2*.json")
    rows = []
    for row in results["rows"]:
        peers = {k: v for k, v in row["best"].items() if k != "bascule"}
        if "bascule" not in row["best"] or not row.get("speedup") or not peers:
            continue
        peer, time = min(peers.items(), key=lambda p: p[1])
        limit = f"{row['of_limit']:.0%}" if row.get("of_limit") else ""
        rows.append(
            [
                row["name"],
                f"{row['n']:,}" if row.get("n") else "",
                f"{peer} {figure(time)} {row['unit']}",
                f"{figure(row['best']['bascule'])} {row['unit']}",
                f"{row['speedup']:,.1f}×",
                limit,
            ]
        )
    return machine(results) + table(["computation", "n", "peer", "bascule", "ratio", "of the limit"], rows)


def best_times(row: dict[str, Any]) -> dict[str, float]:
    return {name: r["best"] for name, r in row["libraries"].items() if r.get("best")}


def peers(root: Path) -> tuple[str, str]:
    """The large rows with all libraries, and the rows of any size in which bascule is not the fastest."""
    text, lost = "", ""
    for path in sorted((root / "benchmarks/results").glob("peers*.json")):
        results = json.loads(path.read_text())
        libraries = sorted({n for row in results["rows"] for n in best_times(row)} - {"bascule"})
        rows, losses = [], []
        for row in results["rows"]:
            best = best_times(row)
            if "bascule" not in best or len(best) < 2:
                continue
            ours = best["bascule"]
            ratios = [f"{best[n] / ours:.2f}" if n in best else "" for n in libraries]
            if row["size"] == "large":
                rows.append([f"`{row['row']}`", f"{row['n']:,}", f"{ours * 1e3:,.3g} ms", *ratios])
            other = min((n for n in best if n != "bascule"), key=best.__getitem__)
            if best[other] * 1.1 < ours:
                losses.append([f"`{row['row']}`", row["size"], f"{row['n']:,}", other, f"{best[other] / ours:.2f}"])
        head = machine(results)
        text += (
            head
            + f":::{{dropdown}} The table\nColumns of libraries: their time divided by bascule's.\n\n{table(['row', 'n', 'bascule', *libraries], rows)}:::\n\n"
        )
        lost += (
            head
            + f":::{{dropdown}} {len(losses)} rows\n{table(['row', 'size', 'n', 'faster library', 'its time / bascule’s'], losses)}:::\n\n"
        )
    return text, lost


def extras(project: dict[str, Any]) -> str:
    use = {
        "pandas": "frames", "dask": "Dask's arrays and frames, clusters", "learn": "scikit-learn's estimators, `bascule.learn`", "demo": "data of the demonstration",
        "notebooks": "running the notebooks in Jupyter", "cuda12": "GPUs with a driver of CUDA 12", "cuda13": "GPUs with a driver of CUDA 13", "all": "all of these, with CUDA 13",
        "ucx": "Dask's communication by UCX, with CUDA 13", "ucx12": "the same with CUDA 12", "test": "working on bascule", "docs": "building these pages, running the notebooks", "users": "tests with libraries that accept arrays",
    }  # fmt: skip
    rows = [
        [f"`{name}`", use[name], ", ".join(f"`{r}`" for r in wanted)]
        for name, wanted in project["optional-dependencies"].items()
    ]
    return table(["extra", "for", "installs"], rows)


def support(project: dict[str, Any]) -> str:
    from bascule.supported_versions import SUPPORTED, named

    notes = {
        "NumPy": "results follow its rules, as tested up to",
        "pandas": "for frames, tested up to",
        "Dask": "tested up to",
    }
    versions = []
    for title, note in notes.items():
        supported = SUPPORTED[title.lower()]
        versions.append([title, f"`{supported.requirement(title.lower())}`", f"{note} {named(supported.newest)}"])
    rows = [
        ["system", "Linux x86-64 (glibc)", "no macOS, no Windows; aarch64 compiles and is not tested"],
        ["processor", "x86-64-v2; AVX2 and AVX-512 are used if present", ""],
        ["Python", f"`{project['requires-python']}`", "no free-threaded builds"],
        *versions,
        ["CUDA", "driver of 12.4 or later, or 13", "tested by emulation and compiled only: [Devices](devices.md)"],
        ["compiler, to build", "GCC 12, Clang 14 or later", ""],
    ]
    return table(["what", "supported", "note"], rows)


def settings() -> str:
    from bascule.config import _CHOICES

    rows = [
        ["`device`", "`BASCULE_DEVICE`", '`"cpu"`, `"cuda"`, `"cuda:1"`, `"reference"`', "where new arrays are made"]
    ]
    use = {
        "fusion": "whether operations are lazy and fused",
        "fastmath": "whether kernels may use faster, less exactly rounded arithmetic",
        "fallback": "what happens if a call has to run in NumPy or pandas",
        "random": "which random numbers `default_rng` gives: bascule's or NumPy's",
        "index_errors": "when a bad index on a GPU raises",
        "fp_warnings": "when floating-point warnings of lazy operations are issued",
        "progress": "progress bars: in terminals and notebooks, always, never",
        "lazy_frames": "whether rows of frames are gathered, and files read, when a column is used",
        "spill": "where unused arrays go when a GPU's memory is full: nowhere (MemoryError), host memory, then disk",
    }
    for name, choices in _CHOICES.items():
        rows.append([f"`{name}`", f"`BASCULE_{name.upper()}`", ", ".join(f"`{c!r}`" for c in choices), use[name]])
    rows += [
        ["`spill_host_limit`, `spill_disk_limit`", "", "bytes", "how much `spill` may use of each"],
        ["`spill_directory`", "", "a folder", "where `spill` and calls within `memory_limit` write to disk"],
        [
            "`memory_limit`",
            "`BASCULE_MEMORY_LIMIT`",
            "bytes",
            "with larger columns, calls on frames over files work in parts",
        ],
    ]
    return table(["setting", "environment variable", "values", "meaning"], rows)


def suites(root: Path) -> str:
    """Other libraries' own tests: all of each suite, and each part."""
    head = ["tests", "number", "pass", "pass without a fallback"]
    return table(head, suite_results.summary(root)) + "\n" + table(head, suite_results.by_part(root))


def write(out: Path, root: Path) -> None:
    """Write all parts below `out`; unchanged files are not touched, so that pages are not built again."""
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    summary, members = frames_tables()
    alongside, lost = peers(root)
    strings = {
        "numpy_table.md": numpy_table(), "frames_summary.md": summary, "frames_table.md": members, "bench.md": bench(root),
        "peers.md": alongside, "lost.md": lost, "extras.md": extras(project), "support.md": support(project), "settings.md": settings(),
        "conformance.md": suites(root), "aggregates.md": aggregates_table(_core.aggregate_table()), **reference_lists.strings(),
    }  # fmt: skip
    notebooks = sorted((root / "notebooks").glob("*.md"))
    strings |= {f"notebooks/{p.name}": p.read_text().replace("scale = 1.0", f"scale = {SCALE}") for p in notebooks}
    for name, text in strings.items():
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        text = text.rstrip("\n") + "\n"
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
