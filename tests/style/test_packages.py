"""The Python package as a newcomer finds it: few modules side by side, and imports that run one way."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "python/bascule"
MOST_MODULES = 25
# The packages, from the lowest to the highest: bascule itself is "", and programs may use all of them.
ORDER = ("", "pandas", "dask", "learn", "programs")
PROGRAMS = {"commands", "demo", "cli", "notebook", "__main__"}
# Imports that run against the order, in a function or as a string. The list may only become shorter.
AGAINST = {
    ("interop.other_libraries", "pandas"),
    ("interop.protocols", "array_api"),
    ("interop.protocols", "dask._chunks"),
}


def module_name(path: Path, package: Path) -> str:
    parts = path.relative_to(package).with_suffix("").parts
    return ".".join(p for p in parts if p != "__init__")


def imported(path: Path, package: Path, known: set[str]) -> Iterator[str]:
    """The package's modules that a module imports, inside of its functions too."""
    here = module_name(path, package)
    base = [p for p in (here if path.name == "__init__.py" else here.rpartition(".")[0]).split(".") if p]
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom):
            if node.level:
                outer = base[: len(base) - (node.level - 1)]
            elif node.module and node.module.split(".")[0] == package.name:
                outer = []
            else:
                continue
            inner = node.module.split(".") if node.module else []
            of = ".".join([*outer, *(inner if node.level else inner[1:])])
            for alias in node.names:
                full = f"{of}.{alias.name}".lstrip(".")
                if full in known:
                    yield full
                elif of and of in known:
                    yield of
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "import_module":
            literal = node.args[0].value if isinstance(node.args[0], ast.Constant) else ""
            full = ".".join(base) + literal if literal.startswith(".") else literal.removeprefix(package.name + ".")
            if (
                path.name != "__init__.py" and literal and (full := full.lstrip(".")) in known
            ):  # a package's lazy names are its own
                yield full
        elif isinstance(node, ast.Import):
            start = package.name + "."  # what another library of the same name as one of ours is called has none
            yield from (
                n for a in node.names if a.name.startswith(start) and (n := a.name.removeprefix(start)) in known
            )


def circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """Modules that import one another, directly or through others."""

    def reached(start: str) -> set[str]:
        found: set[str] = set()
        ahead = [start]
        while ahead:
            new = graph[ahead.pop()] - found
            found |= new
            ahead += new
        return found

    below = {name: reached(name) for name in graph}
    rings = {tuple(sorted(m for m in below[name] if name in below[m])) for name in graph if name in below[name]}
    return [list(ring) for ring in sorted(rings)]


def graph_of(package: Path) -> dict[str, set[str]]:
    paths = {module_name(p, package): p for p in package.rglob("*.py")}
    return {name: set(imported(p, package, set(paths))) - {name} for name, p in paths.items()}


def floor(name: str) -> int:
    first = name.split(".")[0]
    return ORDER.index("programs" if first in PROGRAMS else first if first in ORDER else "")


def upward(graph: dict[str, set[str]]) -> list[tuple[str, str]]:
    """Imports of a package by one below it."""
    return sorted((name, used) for name, all_used in graph.items() for used in all_used if floor(used) > floor(name))


def without_known_breaches(graph: dict[str, set[str]]) -> dict[str, set[str]]:
    return {name: {u for u in used if (name, u) not in AGAINST} for name, used in graph.items()}


def test_imports_run_one_way():
    graph = graph_of(PACKAGE)
    assert {(name, used) for name, used in AGAINST if used in graph[name]} == AGAINST
    assert circles(without_known_breaches(graph)) == []


def test_packages_import_only_those_below():
    assert upward(without_known_breaches(graph_of(PACKAGE))) == []


@pytest.mark.parametrize(
    "text",
    [
        "from .. import pandas\n",
        "def f():\n    from ..dask import x\n",
        "import importlib\ndef f():\n    importlib.import_module('package.pandas')\n",
    ],
)
def test_the_check_finds_an_import_upward(tmp_path, text):
    package = tmp_path / "package"
    for folder in ("", "pandas", "dask", "lib"):
        (package / folder).mkdir()
        (package / folder / "__init__.py").write_text("")
    (package / "lib/a.py").write_text(text)
    assert len(upward(graph_of(package))) == 1


def test_rooms_of_frames_import_one_way():
    """A room of bascule.pandas, a folder or a module next to them, uses those below it only."""
    rooms: dict[str, set[str]] = {}
    for name, used in graph_of(PACKAGE).items():
        here, *there = (tuple(n.split(".")[:2]) for n in (name, *used))
        if here[0] == "pandas":
            rooms.setdefault(".".join(here), set()).update(".".join(t) for t in there if t[0] == "pandas" and t != here)
    assert "pandas._frames" in rooms
    assert circles({room: used & set(rooms) for room, used in rooms.items()}) == []


def test_no_folder_holds_many_modules():
    folders = {p.parent for p in PACKAGE.rglob("*.py")}
    counts = {str(f.relative_to(PACKAGE)): len([p for p in f.glob("*.py") if p.name[0:2] != "__"]) for f in folders}
    assert {f: n for f, n in counts.items() if n > MOST_MODULES} == {}


@pytest.mark.parametrize(
    ("strings", "wanted"),
    [
        ({"a": "from . import b", "b": "def f():\n    from .a import x"}, [["a", "b"]]),
        ({"a": "from .b import c", "b": "import package.c", "c": "from package import a"}, [["a", "b", "c"]]),
        ({"a": "from . import b", "b": "import importlib\nimportlib.import_module('package.a')"}, [["a", "b"]]),
        ({"a": "from . import b", "b": "import os"}, []),
    ],
)
def test_the_check_finds_a_circle(tmp_path, strings, wanted):
    package = tmp_path / "package"
    package.mkdir()
    (package / "__init__.py").write_text("from . import a\n")
    for name, text in strings.items():
        (package / f"{name}.py").write_text(text + "\n")
    assert circles(graph_of(package)) == wanted
