"""The reasons for which a member may run in pandas, read from the source of its function and of those that it calls."""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType
from typing import Any

DEPTH = 3  # of calls: functions further below serve many members, and their reasons are about the types of values
_PACKAGE, _NAME = str(Path(__file__).parents[1]), __package__.rpartition(".")[0]
_LARGER_THAN_MEMORY = re.compile(r"/_parts/|_in_parts\.py")  # reasons there are for another way, which is no fallback
# Functions that are called with a reason: as `reason=` or `why=`, or as their last argument.
_WITH_REASON = frozenset(
    "NotNative NotHere _call_pandas call_pandas call in_pandas _in_pandas run run_pandas share own plain_values".split()
)


@functools.cache
def _definitions(file: str) -> dict[int, ast.FunctionDef]:
    """The functions of a file by their first lines, those of their decorators."""
    found = [n for n in ast.walk(ast.parse(Path(file).read_text())) if isinstance(n, ast.FunctionDef)]
    return {min([n.lineno, *(d.lineno for d in n.decorator_list)]): n for n in found}


def _strings(node: ast.expr) -> Iterator[str]:
    """The texts that an expression may give, with an ellipsis for each part that depends on values."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield "".join(str(v.value) if isinstance(v, ast.Constant) else "…" for v in node.values)
    elif isinstance(node, ast.IfExp):
        yield from _strings(node.body)
        yield from _strings(node.orelse)


def _stated(node: ast.AST) -> Iterator[str]:
    """The reasons that a call or an assignment states: texts of several words, and arguments such as "axis="."""
    given: list[ast.expr] = []
    if isinstance(node, ast.Call):
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        if name in _WITH_REASON:
            given = [k.value for k in node.keywords if k.arg in ("reason", "why")] or node.args[-1:]
    elif isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") in ("reason", "reasons", "why"):
        given = [n for n in ast.walk(node.value) if isinstance(n, (ast.Constant, ast.JoinedStr))]
    for text in (t for g in given for t in _strings(g)):
        if (" " in text.strip() or "=" in text) and text.strip("…="):
            yield text


def _called(node: ast.expr, function: FunctionType, owner: type | None, imported: dict[str, Any]) -> Any:
    """The object that is called, where it is a function of a module or a private method of the owner."""
    names = imported | function.__globals__
    if isinstance(node, ast.Name):
        return names.get(node.id)
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        if node.value.id == "self":
            private = owner is not None and node.attr.startswith("_")
            return inspect.getattr_static(owner, node.attr, None) if private else None
        module = names.get(node.value.id)
        return getattr(module, node.attr, None) if inspect.ismodule(module) else None
    return None


def _imported(node: ast.FunctionDef, function: FunctionType) -> dict[str, Any]:
    """Names that a function imports when it is called, of this package."""
    found = {}
    package = function.__globals__["__package__"]
    for n in ast.walk(node):
        if isinstance(n, ast.ImportFrom) and n.level:
            module = importlib.import_module(f"{'.' * n.level}{n.module or ''}", package)
            found |= {a.asname or a.name: getattr(module, a.name, None) for a in n.names}
    return found


def _own(thing: Any) -> tuple[FunctionType, ast.FunctionDef] | None:
    """A function of this package, without its decorators, and its source; None for others."""
    function = inspect.unwrap(getattr(thing, "__func__", thing)) if callable(thing) else None
    file = function.__code__.co_filename if isinstance(function, FunctionType) else ""
    if not file.startswith(_PACKAGE) or _LARGER_THAN_MEMORY.search(file):
        return None
    try:
        node = _definitions(function.__code__.co_filename).get(function.__code__.co_firstlineno)
    except OSError:
        return None  # a package without its sources
    return None if node is None else (function, node)


def _functions(thing: Any, owner: type | None) -> list[tuple[Any, type | None]]:
    """A function, or the methods of a private class, each with the class that it is of."""
    if isinstance(thing, type):
        private = thing.__name__.startswith("_") and thing.__module__.startswith(_NAME)
        return [(f, thing) for f in vars(thing).values() if callable(f)] if private else []
    return [(thing, owner)]


def reasons(member: Any, owner: type | None) -> list[str]:
    """The reasons of a member of a class, or of a function, those of its own code first."""
    found: dict[str, None] = {}
    todo, seen = [(member, owner, 0)], set()
    while todo:
        thing, owner, depth = todo.pop(0)
        own = _own(thing)
        if own is None or own[0] in seen:
            continue
        function, node = own
        seen.add(function)
        imported = _imported(node, function) if depth < DEPTH else {}
        for n in ast.walk(node):
            found |= dict.fromkeys(_stated(n))
            if isinstance(n, ast.Call) and depth < DEPTH:
                called = _called(n.func, function, owner, imported)
                todo += [(f, of, depth + 1) for f, of in _functions(called, owner)]
    return list(found)
