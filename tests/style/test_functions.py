"""A function stands in few files: its row of the function table, its Python module, the array's header and source."""

import re
from pathlib import Path

import pytest
from built import BUILT

ROOT = Path(__file__).resolve().parents[2]
PYTHON = ROOT / "python"
TABLES = sorted((PYTHON / "bindings").glob("functions_*.cpp"))
# Files generated from the functions, and packages with functions of their own by the same names.
# The recorder of sched and its binding take the few functions by name that it computes in another way.
APART = (
    "bascule/_core.pyi", "bascule/lazy_names.py", "bascule/pandas/", "bascule/dask/", "bascule/array_api/", "bascule/sparse/",
    "bascule/sched/_record.py", "bindings/sched.cpp",
)  # fmt: skip
# Words that are also values, parameters, dtypes or ops, so that their mere text says nothing.
WORDS = {
    "argsort", "array", "asanyarray", "asarray", "dot", "empty", "fftfreq", "frexp", "full", "ldexp", "modf", "norm", "ones", "take",
    "where", "zeros",
}  # fmt: skip
MOST = 4
MORE = {"arange": 6}  # two functions of C++: of any type and lazy, and of float64 with NumPy's roundings


def public_rows() -> dict[str, Path]:
    """{name: file} of the rows that have a Python function behind them."""
    row = re.compile(r'common_row<.*?>\(\s*"(\w+)",')
    return {name: p for p in TABLES if p.stem != "functions_core" for name in row.findall(p.read_text())}


def positions(name: str, strings: dict[str, str]) -> set[str]:
    """Files that define, list or register a name; not those that call it."""
    named = re.compile(rf'"{name}"|^def {name}\(|^(?:array|bool|std::\w+<.*>) {name}\(', re.MULTILINE)
    return {file for file, text in strings.items() if named.search(text)}


def sources() -> dict[str, str]:
    """The Python package, the bindings and the array's room."""
    found = [p for p in PYTHON.rglob("*") if p.suffix in (".py", ".pyi", ".cpp", ".hpp", ".tsv") and p not in BUILT]
    found += [p for room in ("include/bascule/array", "src/array") for p in (ROOT / "cpp" / room).rglob("*.?pp")]
    names = {p: p.relative_to(PYTHON if PYTHON in p.parents else ROOT).as_posix() for p in found}
    return {n: p.read_text() for p, n in names.items() if not n.startswith(APART)}


STRINGS = sources()
ROWS = public_rows()


def test_the_table_is_found():
    assert len(ROWS) > 45 and {"searchsorted", "tril", "roll", "linspace"} <= set(ROWS) and WORDS <= set(ROWS)


@pytest.mark.parametrize("name", sorted(set(ROWS) - WORDS))
def test_a_function_is_written_in_few_files(name):
    """A method of the name, and a function of the core that others call too, are functions of their own."""
    found = positions(name, STRINGS)
    methods = {f for f in found if re.fullmatch(r"bascule/_array/\w+_methods\.py", f)}
    common = {f for f in found if f == "bindings/array_methods.cpp"}  # the common form of the method
    core = {f for f in found if f in ("bindings/functions_core.cpp", "bindings/module.cpp")}
    rest = found - methods - common - core
    assert ROWS[name].relative_to(PYTHON).as_posix() in rest and len(methods) <= 1
    assert len([f for f in rest if f.startswith("bascule/")]) == 1, sorted(rest)
    assert len(rest) <= MORE.get(name, MOST), sorted(rest)


def test_another_list_of_functions_is_seen():
    """The breach that the test finds: a second list in which a function must be entered."""
    for line in ('__all__ = ["searchsorted"]\n', "def searchsorted(a): ...\n", '    {"searchsorted", docs},\n'):
        assert "bascule/elsewhere.py" in positions("searchsorted", {**STRINGS, "bascule/elsewhere.py": line})
    assert "bascule/caller.py" not in positions("searchsorted", {"bascule/caller.py": "r = searchsorted(a, v)\n"})
