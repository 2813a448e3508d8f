"""The reasons for which a member may run in pandas, read from the source of its function and of those that it calls."""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType
from typing import Any

from .counted import UNSAID
from .native import HeldByPandas

# Of calls: functions further below serve many members, and are looked at where those above state no reason.
DEPTH, DEEPER = 3, 6
_PACKAGE, _NAME = str(Path(__file__).parents[1]), __package__.rpartition(".")[0]
_COLUMNS, _INDEXING = f"{_NAME}._columns.", f"{_NAME}._frames.indexing."
_LARGER_THAN_MEMORY = re.compile(r"/_parts/|_in_parts\.py")  # reasons there are for another way, which is no fallback
_DECORATORS = re.compile(r"/_fallback/(native|methods)\.py$")  # whose own code states the reasons of what they wrap
# Functions that are called with a reason, and its position: the second argument, or the only one, where it is None.
_WITH_REASON: dict[str, int | None] = {
    "NotNative": 0, "NotHere": 0, "own": 0, "plain_values": 1, "run": 1, "run_pandas": 1, "share": 1, "in_pandas": None,
    "_in_pandas": None, "_set_in_pandas": 2, "_call_pandas": 3, "call": 4, "call_pandas": 4, "_fall_back": 3,
}  # fmt: skip
_OF_A_TYPE = frozenset(("own", "plain_values"))  # to a reason of one word they add the type of the values
_SAYS_NOTHING = frozenset(("in_pandas", "_in_pandas", "_call_pandas"))  # without a reason they run in pandas for UNSAID
_OF_ONE_ARGUMENT = re.compile(r"(\w+)=")


@functools.cache
def _definitions(file: str) -> dict[int, ast.FunctionDef | ast.Lambda]:
    """The functions of a file by their first lines, those of their decorators."""
    nodes = list(ast.walk(ast.parse(Path(file).read_text())))
    found: dict[int, ast.FunctionDef | ast.Lambda] = {n.lineno: n for n in nodes if isinstance(n, ast.Lambda)}
    for n in nodes:
        if isinstance(n, ast.FunctionDef):
            found[min([n.lineno, *(d.lineno for d in n.decorator_list)])] = n
    return found


def _strings(node: ast.expr, names: dict[str, Any]) -> Iterator[str]:
    """The strings that an expression may give, with an ellipsis for each part that depends on values."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield "".join(str(v.value) if isinstance(v, ast.Constant) else "…" for v in node.values)
    elif isinstance(node, ast.IfExp):
        yield from _strings(node.body, names)
        yield from _strings(node.orelse, names)
    elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Dict):
        for value in node.value.values:
            yield from _strings(value, names)
    elif isinstance(node, ast.Name) and isinstance(names.get(node.id), str):
        yield names[node.id]
    elif isinstance(node, ast.Attribute) and node.attr == "UNSAID":
        yield UNSAID


def _reason_of(call: ast.Call, name: str) -> list[ast.expr]:
    """The expressions for the reason among the arguments of a call."""
    given = [k.value for k in call.keywords if k.arg in ("reason", "why")]
    at = _WITH_REASON[name]
    if at is None:
        only = call.args[0] if len(call.args) == 1 else None  # a reason, or the name of what runs
        is_name = isinstance(only, ast.JoinedStr) or (isinstance(only, ast.Constant) and " " not in str(only.value))
        at = 0 if only is not None and not is_name else 1
    return given + call.args[at : at + 1]


def _stated(node: ast.AST, names: dict[str, Any]) -> Iterator[str]:
    """The reasons that a call or an assignment states."""
    if isinstance(node, ast.Call):
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        if name not in _WITH_REASON:
            return
        found = _reason_of(node, name)
        for text in (t for g in found for t in _strings(g, names)):
            if re.search("[a-z]{3}", text.replace("of type", "")):
                yield f"{text} of type …" if name in _OF_A_TYPE and " " not in text else text
        if not found and name in _SAYS_NOTHING:
            yield UNSAID
        if not found and name in _OF_A_TYPE:
            yield "values of type …"
    elif isinstance(node, ast.Assign):
        for n in (n for value in _assigned(node) for n in ast.walk(value)):
            if isinstance(n, (ast.Constant, ast.JoinedStr)):
                yield from (t for t in _strings(n, names) if (" " in t.strip() or "=" in t) and t.strip("…="))


def _assigned(node: ast.Assign) -> Iterator[ast.expr]:
    """The values that are assigned to a variable for a reason."""
    target = node.targets[0]
    several = isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple)
    pairs = zip(target.elts, node.value.elts) if several else [(target, node.value)]
    yield from (value for name, value in pairs if getattr(name, "id", "") in ("reason", "reasons", "why"))


class _Code:
    """The source of a function: the reasons that it states, and the names and attributes that it reads."""

    def __init__(self, function: FunctionType, node: ast.AST):
        self.names = function.__globals__ | _imported(node, function)
        known = self.names | _defaults(function)
        self.reasons: list[str] = []
        self.used: dict[str, None] = {}  # in their order
        self.attributes: list[tuple[str, str]] = []
        for n in ast.walk(node):
            self.reasons += _stated(n, known)
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load):
                self.used[n.id] = None
            elif isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Load):
                self.attributes.append((getattr(n.value, "id", ""), n.attr))

    def led_to(self, owner: type | None, wide: bool) -> Iterator[Any]:
        """Functions and classes that it uses, and members of `self` that it reads, public ones only where `wide`."""
        for name in (n for n in self.used if n not in _WITH_REASON):
            yield self.names.get(name)
        for of, name in self.attributes:
            if name in _WITH_REASON:
                continue
            if of == "self" and owner is not None and (wide or name.startswith("_")):
                found = inspect.getattr_static(owner, name, None)
                yield getattr(found, "fget", found)
            elif inspect.ismodule(self.names.get(of)) or isinstance(self.names.get(of), type):
                yield getattr(self.names[of], name, None)
            elif wide and of != "self":
                for found in _of_columns().get(name, ()):
                    yield from _of_columns().get(found, ()) if isinstance(found, str) else [found]
                if owner is not None and not of:  # a method of what another method gives, which may be of the class
                    yield from (vars(k)[name] for k in owner.__mro__ if name in vars(k))


@functools.cache
def _of_columns() -> dict[str, list[Any]]:
    """The methods of the kinds of columns by their names."""
    found: dict[str, list[Any]] = {}
    for name, module in list(sys.modules.items()):
        if name.startswith(_COLUMNS):
            kinds = (k for k in vars(module).values() if isinstance(k, type) and k.__module__ == name)
            for attribute, member in (i for kind in kinds for i in vars(kind).items()):
                found.setdefault(attribute, []).append(getattr(member, "fget", member))
    return found


def _imported(node: ast.AST, function: FunctionType) -> dict[str, Any]:
    """Names that a function imports when it is called, of this package."""
    found = {}
    package = function.__globals__["__package__"]
    for n in ast.walk(node):
        if isinstance(n, ast.ImportFrom) and n.level:
            module = importlib.import_module(f"{'.' * n.level}{n.module or ''}", package)
            found |= {a.asname or a.name: getattr(module, a.name, None) for a in n.names}
    return found


def _defaults(function: FunctionType) -> dict[str, str]:
    """The default of a parameter for the reason."""
    parameters = inspect.signature(function).parameters
    return {n: parameters[n].default for n in ("reason", "why") if n in parameters and parameters[n].default}


@functools.cache
def _code_of(function: FunctionType) -> _Code | None:
    """The code of a function of this package; None for others, and for decorators."""
    file = function.__code__.co_filename
    if not file.startswith(_PACKAGE) or _LARGER_THAN_MEMORY.search(file) or _DECORATORS.search(file):
        return None
    try:
        node = _definitions(file).get(function.__code__.co_firstlineno)
    except OSError:
        return None  # a package without its sources
    return None if node is None else _Code(function, node)


def _functions(thing: Any, owner: type | None, wide: bool) -> list[tuple[FunctionType, type | None]]:
    """A function without its decorators, or the methods of a private class or an indexer, each with the class that it is of."""
    if isinstance(thing, type):
        followed = thing.__name__.startswith("_") or (wide and thing.__module__.startswith(_INDEXING))
        if not thing.__module__.startswith(_NAME) or not followed:
            return []
        return [(f, thing) for k in thing.__mro__ for f in vars(k).values() if isinstance(f, FunctionType)]
    function = inspect.unwrap(getattr(thing, "__func__", thing)) if callable(thing) else None
    return [(function, owner)] if isinstance(function, FunctionType) else []


def _found(member: Any, owner: type | None, most: int, wide: bool) -> list[str]:
    """The reasons of a member; where `wide`, with those of public members, indexers and columns that it hands on to."""
    found: dict[str, None] = {}
    todo = [(f, of, 0) for f, of in _functions(member, owner, wide)]
    if owner is not None and issubclass(owner, HeldByPandas):  # where pandas has to hold an object, it runs all members
        todo += [(f, of, 0) for f, of in _functions(owner.__init__, owner, False)]
    seen = set()
    while todo:
        function, of, depth = todo.pop(0)
        code = None if (function, of) in seen else _code_of(function)
        seen.add((function, of))
        if code is None:
            continue
        found |= dict.fromkeys(code.reasons)
        if depth < most:
            led = code.led_to(of, wide)
            todo += [(f, cls, depth + 1) for thing in led for f, cls in _functions(thing, of, wide)]
    return list(found)


def reasons(member: Any, owner: type | None, parameters: frozenset[str] | None = None) -> list[str]:
    """The reasons of a member of a class, or of a function, those of its own code first.

    Where the code of a member states none, they are those of what it hands on to: other members, and columns. Of members
    that share their code, those about an argument that is none of the parameters are left out.
    """
    for most, wide in ((DEPTH, False), (DEEPER, False), (1, True), (2, True)):
        found = [r for r in _found(member, owner, most, wide) if _concerns(r, parameters)]
        if found:
            return found
    return []


def _concerns(reason: str, parameters: frozenset[str] | None) -> bool:
    about = _OF_ONE_ARGUMENT.match(reason)
    return about is None or parameters is None or about[1] in parameters
