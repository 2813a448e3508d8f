"""Counts of the sources, which are to fall: `python tests/style/counts.py [--write]` prints them, or writes them to docs/architecture.md."""

from __future__ import annotations

import ast
import importlib.util
import math
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import test_complexity
import test_function_sizes
from built import BUILT
from identifiers import identifiers
from test_words import ROOT

PAGE = ROOT / "docs/architecture.md"
BEGIN, END = "<!-- counts: python tests/style/counts.py --write -->", "<!-- end of the counts -->"
FRAMES = ROOT / "python/bascule/pandas"
BINDINGS = [ROOT / f"python/bindings/functions_{name}.cpp" for name in ("creation", "selection", "numeric")]
# Functions that are given the reason of a fallback, and where.
REASONS = {"NotNative": 0, "_call_pandas": 3, "_fallback.call": 4, "_fallback.run": 1, "_fallback.share": 1}
CPP = {".hpp", ".cpp", ".cu", ".cuh"}
LINES = {  # folders, and suffixes
    "lines of C++ (`cpp`, `python/bindings`)": (("cpp", "python/bindings"), CPP),
    "lines of Python (`python`)": (("python",), {".py", ".pyi"}),
}


def files(folders: tuple[str, ...], suffixes: set[str]) -> Iterator[Path]:
    for folder in folders:
        yield from (p for p in sorted((ROOT / folder).rglob("*")) if p.suffix in suffixes and p not in BUILT)


def kind_questions() -> int | None:
    """Questions for the kind of a column, where the module that counts them is there."""
    path = Path(__file__).with_name("kind_questions.py")
    if not path.exists():
        return None
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return sum(module.kind_questions().values())


def fallbacks() -> tuple[int, int]:
    """Calls that fall back to pandas: raises of NotNative and calls of pandas, and their different reasons."""
    count, reasons = 0, set()
    for path in FRAMES.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call) or (at := REASONS.get(ast.unparse(node.func).split("self.")[-1])) is None:
                continue
            given = [*node.args[at : at + 1], *(k.value for k in node.keywords if k.arg == "reason")]
            reasons.update(ast.unparse(x) for x in given if isinstance(x, (ast.Constant, ast.JoinedStr)))
            count += 1
    return count, len(reasons)


def ancestors(name: str) -> set[str]:
    """The classes of the package that a class derives from, itself included."""
    bases = {}
    for path in FRAMES.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef):
                bases[node.name] = [getattr(b, "id", getattr(b, "attr", "")) for b in node.bases]
    found, waiting = set(), [name]
    while waiting:
        if (one := waiting.pop()) in bases and one not in found:
            found.add(one)
            waiting += bases[one]
    return found


def counted() -> dict[str, int]:
    """Every count by its name. Lines are rounded up to thousands, so that not each change writes them again."""
    asked = kind_questions()
    count, reasons = fallbacks()
    words = identifiers()
    found = {"questions for the kind of a column in `bascule.pandas`": asked} if asked is not None else {}
    found |= {
        "raises of `NotNative` and calls of pandas in its place": count,
        "reasons of fallbacks": reasons,
        "`return nullptr` in `functions_creation`, `functions_selection`, `functions_numeric`": sum(
            len(re.findall(r"\breturn nullptr;", path.read_text())) for path in BINDINGS
        ),
        "classes in DataFrame's tree": len(ancestors("DataFrame")),
        f"functions over {test_function_sizes.MAX_LINES} lines": len(
            test_function_sizes.too_long(test_function_sizes.sources())
        ),
        f"Python functions above McCabe {test_complexity.MOST}": len(test_complexity.complex_functions(ROOT)),
        "names with words of `tests/style/identifiers.py`": len(set().union(*words.values())),
        "most files in a folder of `cpp`": max(Counter(p.parent for p in files(("cpp",), CPP)).values()),
        "most modules in a folder of `python/bascule`": max(
            Counter(p.parent for p in files(("python/bascule",), {".py"})).values()
        ),
    }
    for name, (folders, suffixes) in LINES.items():
        lines = sum(path.read_bytes().count(b"\n") for path in files(folders, suffixes))
        found[name] = math.ceil(lines / 1000) * 1000
    return found


def table(counts: dict[str, int]) -> str:
    return "\n".join(["| count | at most |", "|---|---:|", *(f"| {name} | {n:,} |" for name, n in counts.items())])


def written(page: str) -> dict[str, int]:
    """The limits in the table of the page."""
    rows = re.findall(r"^\| (.*) \| ([\d,]+) \|$", page.partition(BEGIN)[2].partition(END)[0], re.MULTILINE)
    return {name: int(number.replace(",", "")) for name, number in rows}


def above(counts: dict[str, int], limits: dict[str, int]) -> dict[str, tuple[int, int | None]]:
    """Counts that the table lacks, or that are larger than its limit; lines have none, since capabilities take lines."""
    return {name: (n, limits.get(name)) for name, n in counts.items() if n > limits.get(name, -1) and name not in LINES}


def main() -> None:
    counts = counted()
    print(table(counts))
    if "--write" in sys.argv:
        page = PAGE.read_text()
        head, rest = page.split(BEGIN)
        PAGE.write_text(f"{head}{BEGIN}\n\n{table(counts)}\n\n{END}{rest.partition(END)[2]}")


if __name__ == "__main__":
    main()
