"""A function is at most 80 lines long, in C++ and in Python."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MAX_LINES = 80
SUFFIXES = {".hpp", ".cpp", ".cuh", ".cu"}

NOT_CODE = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\'|^[ \t]*#(?:\\\n|[^\n])*',
    re.DOTALL | re.MULTILINE,
)
SCOPE = re.compile(r"\b(?:namespace|struct|class|union|enum|extern)\b")


def without_text(source: str) -> str:
    """The source with comments, strings and directives blanked; lines keep their numbers."""
    return NOT_CODE.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), source)


def cpp_functions(source: str) -> Iterator[tuple[str, int]]:
    """Name and lines of each function body that stands in a namespace or class, lambdas within them included."""
    code, scopes, head = without_text(source), [], 0  # scopes: the start of each open function, or None
    for m in re.finditer(r"[{};]", code):
        if m.group() == "}":
            if scopes and (start := scopes.pop()) is not None:
                name, begin = start
                yield name, code.count("\n", begin, m.start()) + 1
        elif m.group() == "{":
            text = code[head : m.start()]
            opens = all(s is None for s in scopes) and "(" in text and not is_scope(text)
            begin = m.start() - len(text.lstrip())
            scopes.append((declared_name(text), begin) if opens else None)
            if not opens and not is_scope(text):  # data, or a block of a function: nothing within it is a function
                scopes[-1] = None
        head = m.end()


def is_scope(text: str) -> bool:
    """Whether a brace after this text opens a namespace or a class, not a function that returns `struct x`."""
    return bool(SCOPE.search(re.sub(r"template\s*<[^{}]*?>\s*(?=\w)", "", text).split("(")[0]))


def declared_name(text: str) -> str:
    named = re.search(r"([\w:~]+|operator\s*\S+?)\s*\(", text)
    return named.group(1) if named else text.strip()[:40]


def python_functions(source: str) -> Iterator[tuple[str, int]]:
    """Name and lines of each function, without its docstring."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            documented = ast.get_docstring(node, clean=False)
            doc = node.body[0] if documented is not None else None
            yield node.name, node.end_lineno - node.lineno + 1 - (doc.end_lineno - doc.lineno + 1 if doc else 0)


def too_long(paths: list[Path]) -> dict[str, int]:
    found = {}
    for path in paths:
        functions = cpp_functions if path.suffix in SUFFIXES else python_functions
        for name, lines in functions(path.read_text()):
            if lines > MAX_LINES:
                found[f"{path.relative_to(ROOT).as_posix()}: {name}"] = lines
    return found


def sources() -> list[Path]:
    cpp = [p for d in ("cpp", "python/bindings", "tests") for p in (ROOT / d).rglob("*") if p.suffix in SUFFIXES]
    python = [p for d in ("python", "tests", "benchmarks", "docs", "notebooks") for p in (ROOT / d).rglob("*.py")]
    return sorted(cpp + python)


def test_functions_stay_within_the_line_budget():
    assert too_long(sources()) == {}


@pytest.mark.parametrize(
    ("name", "head", "line", "tail"),
    [
        ("x.cpp", "namespace a {\nstruct b { int c = 0; };\nint f(int x) {", '  g("}", x);  // }', "}\n}"),
        ("x.hpp", "struct a {\n  a() : b_{1} {}\n  int f() const {", "  if (b_) { ++b_; }", "}\n};"),
        ("x.cu", "template <class T>\n__global__ void f(T* x) {", "  x[0] = '}';", "}"),
        ("x.py", "def f():\n    '''A text\n    of two lines.'''", "    print(1)", ""),
    ],
)
def test_the_rule_sees_a_long_function(name, head, line, tail):
    functions = python_functions if name.endswith(".py") else cpp_functions
    within, above = (
        dict(functions("\n".join([head, *[line] * n, tail]) + "\n")) for n in (MAX_LINES - 10, MAX_LINES + 10)
    )
    assert max(within.values()) <= MAX_LINES < above["f"]
