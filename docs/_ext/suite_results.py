"""Tables of the last runs of other libraries' own tests, from the files that `make conformance` writes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

_NUMPY = re.compile(r"^(NumPy [\d.]+|  \w+): (\d+) of (\d+) pass, [\d.]+%; without a fallback (\d+),", re.MULTILINE)
_SAMPLE = re.compile(
    r"^(\S.*?)\s+(\d+) tests\s+([\d.]+) % pass\s+([\d.]+) % without a fallback\s+(\d+) (?:fail|not)", re.MULTILINE
)
_ARRAY_API = re.compile(r"(\d+) passed, (\d+) failed, of which (\d+) listed")


def _text(root: Path, name: str) -> str:
    return (root / f"tests/conformance/{name}_result.txt").read_text()


def numpy(root: Path) -> list[tuple[str, int, int, int]]:
    """Of all of NumPy's tests and of each part: how many there are, pass, and pass without a fallback."""
    rows = _NUMPY.findall(_text(root, "numpy"))
    return [(name.strip(), int(n), int(passed), int(native)) for name, passed, n, native in rows]


def last_sample(root: Path, name: str) -> list[tuple[str, int, float, float]]:
    """The last run of a sample of pandas' or Dask's tests, by part: tests, percent that pass, percent without a fallback."""
    runs = re.split(r"^\d{4}-\d\d-\d\d,.*\n", _text(root, name), flags=re.MULTILINE)
    rows = _SAMPLE.findall(runs[-1])
    return [(part, int(n), float(passed), float(native)) for part, n, passed, native, _ in rows]


def mean(rows: list[tuple[str, int, float, float]], column: int) -> float:
    """The percentage of all parts together."""
    return sum(row[1] * row[column] for row in rows) / sum(row[1] for row in rows)


def array_api(root: Path) -> tuple[int, int]:
    """How many of the Array API's tests there are, and pass."""
    found = _ARRAY_API.search(_text(root, "array_api"))
    assert found is not None
    passed, failed = int(found[1]), int(found[2])
    return passed + failed, passed


def summary(root: Path) -> list[list[Any]]:
    """One row a suite: its tests, those that pass, those that pass without a fallback."""
    _, n, passed, native = numpy(root)[0]
    frames, dask, (api, api_passed) = last_sample(root, "pandas"), last_sample(root, "dask"), array_api(root)
    said = lambda name, rows: [name, f"{sum(r[1] for r in rows):,}", *(f"{mean(rows, k):.1f} %" for k in (2, 3))]
    return [
        ["NumPy's own tests, all", f"{n:,}", f"{100 * passed / n:.1f} %", f"{100 * native / n:.1f} %"],
        said("pandas' own tests, one in 30", frames),
        said("Dask's own tests with bascule as backend, one in 20", dask),
        ["the Array API's tests, 2025.12", f"{api:,}", f"{100 * api_passed / api:.1f} %", ""],
    ]


def by_part(root: Path) -> list[list[Any]]:
    """A row for each part of NumPy's and pandas' tests."""
    rows = [
        [f"NumPy: `{name}`", f"{n:,}", f"{100 * passed / n:.1f} %", f"{100 * native / n:.1f} %"]
        for name, n, passed, native in numpy(root)[1:]
    ]
    sample = last_sample(root, "pandas")
    return rows + [
        [f"pandas: `{name}`", f"{n:,}", f"{passed:.1f} %", f"{native:.1f} %"] for name, n, passed, native in sample
    ]
