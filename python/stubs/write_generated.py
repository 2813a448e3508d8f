"""Writes files that follow from the package's functions: `_core.pyi` and `lazy_names.py`.

`_core.pyi` is the stub of the core's array, ufunc and function table for type checkers. Methods with a Python function,
or with a Python function behind their C code, have its annotations; reductions have those of the namespace's function;
the operators of a kind share one form. All that the code does not state is below. `lazy_names.py` has the `__all__` of
the modules in it, each of which is imported when one of its names is accessed. Run it as `python
python/stubs/write_generated.py`; tests/python/typing compares the files with its output.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
import textwrap
import types
import typing
from pathlib import Path
from typing import Any

import bascule as bc
from bascule import _core, lazy_names
from bascule._array import methods

PACKAGE = Path(bc.__file__).parent
HEAD = """# Written by python/stubs/write_generated.py. Change that, or the annotations beside the functions, and run it.
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import GenericAlias
from typing import IO, Any, Generic, Literal, Self, SupportsIndex, overload

import numpy as np
from numpy.typing import DTypeLike
from typing_extensions import TypeVar

from ._array.types import {aliases}

_ShapeT_co = TypeVar("_ShapeT_co", bound=tuple[Any, ...], default=tuple[Any, ...], covariant=True)
_DTypeT_co = TypeVar("_DTypeT_co", bound=np.dtype[Any], default=np.dtype[Any], covariant=True)
_FunctionT = TypeVar("_FunctionT", bound=Callable[..., Any])

__version__: str

def function(general: _FunctionT, /) -> _FunctionT: ...
def method_first(general: _FunctionT, /) -> _FunctionT: ...
def __getattr__(name: str) -> Any: ...  # those that are bound by themselves
"""
# Attributes in C code, and properties without annotations. In the class, self is generic in shape and type.
ATTRIBUTES = {
    "T": "ndarray", "base": "Any", "data": "memoryview", "device": "str", "dtype": "_DTypeT_co", "flags": "Any",
    "flat": "Any", "itemsize": "int", "nbytes": "int", "ndim": "int", "shape": "_ShapeT_co", "size": "int",
    "strides": "tuple[int, ...]", "__name__": "str", "identity": "Any", "nargs": "int", "nin": "int", "nout": "int",
}  # fmt: skip
SETTERS = {"shape": "_ShapeLike", "strides": "Sequence[int]"}
_BY_PLACE, _COMPARED = "value: _ArrayLike, /", "value: object, /"
_COMPARISONS = dict.fromkeys(("lt", "le", "gt", "ge"), f"({_BY_PLACE}) -> ndarray")
_UNARY = dict.fromkeys(("neg", "pos", "abs", "invert"), "(/) -> ndarray")
_BINARY = ("add", "sub", "mul", "truediv", "floordiv", "mod", "and", "or", "xor", "lshift", "rshift")
# Slots of the C type: parameters after self, and the result; some have several forms.
SLOTS: dict[str, list[str]] = {
    "len": ["(/) -> int"],
    "iter": ["(/) -> Iterator[_ArrayOrScalar]"],
    "getitem": [
        "(key: int | np.integer[Any] | tuple[int | np.integer[Any], ...], /) -> _ArrayOrScalar",
        "(key: Any, /) -> ndarray[Any, _DTypeT_co]",
    ],
    "setitem": ["(key: Any, value: _ArrayLike, /) -> None"],
    "hash": ["(/) -> int"],
    "bool": ["(/) -> bool"],
    "int": ["(/) -> int"],
    "float": ["(/) -> float"],
    "index": ["(/) -> int"],
    "eq": [f"({_COMPARED}) -> ndarray"],
    "ne": [f"({_COMPARED}) -> ndarray"],
    **{name: [form] for name, form in (_COMPARISONS | _UNARY).items()},
    **{name: [f"({_BY_PLACE}) -> ndarray"] for op in _BINARY for name in (op, "r" + op)},
    **{"i" + op: [f"({_BY_PLACE}) -> Self"] for op in _BINARY},
    "pow": ["(value: _ArrayLike, mod: None = None, /) -> ndarray"],
    "rpow": ["(value: _ArrayLike, mod: None = None, /) -> ndarray"],
    "ipow": ["(value: _ArrayLike, mod: None = None, /) -> Self"],
    "matmul": [f"({_BY_PLACE}) -> _ArrayOrScalar"],
    "rmatmul": [f"({_BY_PLACE}) -> _ArrayOrScalar"],
    "divmod": [f"({_BY_PLACE}) -> tuple[ndarray, ndarray]"],
    "rdivmod": [f"({_BY_PLACE}) -> tuple[ndarray, ndarray]"],
}
# Methods of Python's own protocols and calls of ufuncs.
OTHERS = {
    "__class_getitem__": ["@classmethod\ndef __class_getitem__(cls, item: Any, /) -> GenericAlias: ..."],
    "__buffer__": ["if sys.version_info >= (3, 12):\n    def __buffer__(self, flags: int, /) -> memoryview: ..."],
    "__array_ufunc__": [
        "def __array_ufunc__(self, /, function: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any: ..."
    ],
    "__call__": ["def __call__(self, /, *args: Any, **kwargs: Any) -> Any: ..."],
}
# Set by `bascule` itself on the class, and not to be called.
PRIVATE = {"__module__", "__doc__", "__dict__", "__delitem__", "__repr__", "__str__", "__signature__", "__trunc__"}
PRIVATE |= {
    "__array_priority__",
    "__getattribute__",
    "__arrow_array__",
    "__arrow_c_array__",
    "__arrow_c_stream__",
    "__dask_tokenize__",
    "__jax_array__",
    "__release_buffer__",  # which Python adds since 3.12
    "__vectorcalloffset__",
}


def parameters(p: list[inspect.Parameter]) -> str:
    """The text of a signature's parameters; defaults that are not literals become an ellipsis."""
    strings, kinds = [], [x.kind for x in p]
    for k, x in enumerate(p):
        if x.kind is x.KEYWORD_ONLY and "*" not in strings and x.VAR_POSITIONAL not in kinds[:k]:
            strings.append("*")
        name = {x.VAR_POSITIONAL: "*", x.VAR_KEYWORD: "**"}.get(x.kind, "") + x.name
        kind = "" if x.annotation in (x.empty, "Any") and k == 0 else f": {x.annotation}"
        literal = x.default is None or isinstance(x.default, (bool, int, float, str))
        default = "" if x.default is x.empty else f" = {x.default!r}" if literal else " = ..."
        strings.append(name + kind + default)
        if x.kind is x.POSITIONAL_ONLY and kinds[k + 1 : k + 2] != [x.POSITIONAL_ONLY]:
            strings.append("/")
    return ", ".join(strings)


def forms_of(function: Any) -> list[inspect.Signature]:
    plain = getattr(function, "__wrapped__", function)
    return [inspect.signature(f) for f in typing.get_overloads(plain)] or [inspect.signature(function)]


def definition(name: str, form: inspect.Signature) -> str:
    given, end = parameters(list(form.parameters.values())), f") -> {form.return_annotation}: ..."
    if len(name) + len(given) + len(end) < 110:
        return f"def {name}({given}{end}"
    whole = re.sub(r"(?<!,) ", "\0", given)  # lines break after commas
    broken = textwrap.fill(whole + ",", 108, break_long_words=False, break_on_hyphens=False).replace("\0", " ")
    return f"def {name}(\n" + textwrap.indent(broken, "    ") + f"\n{end}  # fmt: skip"


def overloads(strings: list[str]) -> list[str]:
    return ["@overload\n" + t for t in strings] if len(strings) > 1 else strings


def of_function(name: str, function: Any) -> list[str]:
    return overloads([definition(name, form) for form in forms_of(function)])


def of_reduction(name: str, text: str) -> list[str]:
    """A method's forms: those of the function, with only the parameters of the method's own signature."""
    positions = re.findall(r"\w+(?==)", text.partition("*")[0])
    found = []
    for form in forms_of(getattr(bc, name)):
        _, *rest = form.parameters.values()
        rest = [p.replace(kind=p.POSITIONAL_OR_KEYWORD if p.name in positions else p.KEYWORD_ONLY) for p in rest]
        own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
        found.append(definition(name, form.replace(parameters=[own, *sorted(rest, key=lambda p: p.kind)])))
    return overloads(found)


def of_attribute(name: str, thing: Any) -> list[str]:
    get, set_ = getattr(thing, "fget", None), getattr(thing, "fset", None)
    kind = ATTRIBUTES.get(name) or get.__annotations__["return"]
    strings = [f"@property\ndef {name}(self) -> {kind}: ..."]
    given = set_.__annotations__["value"] if isinstance(set_, types.FunctionType) else SETTERS.get(name)
    return strings + ([f"@{name}.setter\ndef {name}(self, value: {given}) -> None: ..."] if given else [])


def of_member(name: str, thing: Any, general: dict[str, Any]) -> list[str]:
    slot = name.removeprefix("__").removesuffix("__")
    if name in OTHERS:
        return OTHERS[name]
    if isinstance(thing, types.FunctionType):
        return of_function(name, thing)
    if name in general:
        return of_function(name, general[name])
    if isinstance(thing, (property, types.GetSetDescriptorType)):
        return of_attribute(name, thing)
    if isinstance(thing, types.WrapperDescriptorType):
        strings = [f"def {name}(self, {form.removeprefix('(/').removeprefix('(')}: ..." for form in SLOTS[slot]]
        strings = [t.replace("(self, )", "(self, /)") for t in strings]
        wider = "  # type: ignore[override]" if slot in ("eq", "ne") else ""
        return overloads([t + wider for t in strings])
    return of_reduction(name, thing.__text_signature__)


def of_class(cls: type, head: str, names: list[str], plain: str = "") -> str:
    general = methods.all_methods()
    strings = [plain] if plain else []
    for name in names:
        if name == "__slotnames__":  # copyreg sets it on every class that it pickles
            continue
        thing = inspect.getattr_static(cls, name, None)
        thing = getattr(vars(type(thing)).get("__wrapped__"), "__func__", thing)  # a descriptor of our own
        strings += of_member(name, thing, general)
    body = "\n".join(strings)
    return f"class {head}:\n" + "".join(f"    {line}\n" for line in body.split("\n"))


def of_core_function(name: str, text: str) -> str:
    given = inspect.signature(eval(f"lambda {text}: 0", {"np": bc}))
    shown = [p.replace(annotation="Any") for p in given.parameters.values()]
    return f"def {name}({parameters(shown).replace(shown[0].name, shown[0].name + ': Any', 1)}) -> Any: ..."


def stub() -> str:
    """The complete text, except for its line breaks."""
    array = [n for n in vars(_core.ndarray) if n not in PRIVATE]
    array = sorted({*array, "__buffer__"}, key=lambda n: (n.startswith("_"), n))
    loops = sorted(
        (n for n in vars(_core.ufunc) if n not in PRIVATE and n != "_number"), key=lambda n: (n[0] == "_", n)
    )
    text = of_class(_core.ndarray, "ndarray(Generic[_ShapeT_co, _DTypeT_co])", array, "__array_priority__: float")
    plain = "types: list[str]\nntypes: int\nsignature: str | None"
    text += "\n" + of_class(
        _core.ufunc, "ufunc", [n for n in loops if n not in ("types", "ntypes", "signature")], plain
    )
    rows = [getattr(_core, n) for n in dir(_core)]
    rows = [f for f in rows if isinstance(f, types.BuiltinFunctionType) and f.__text_signature__]
    text += "\n" + "\n".join(of_core_function(f.__name__, f.__text_signature__[1:-1]) for f in rows) + "\n"
    aliases = sorted(set(re.findall(r"\b_[A-Z]\w+", text)) - {"_ShapeT_co", "_DTypeT_co", "_FunctionT"})
    return HEAD.replace("{aliases}", ", ".join(aliases)) + "\n" + text


NAMES = '''"""Names whose modules are imported when they are first asked for, so that `import bascule` is quick.

Written by python/stubs/write_generated.py from the modules' `__all__`; a new module gets a row without names first.
"""

from __future__ import annotations

_MODULES = {
{rows}}
LAZY: dict[str, str] = {name: module for module, names in _MODULES.items() for name in names.split()}
'''


def exported(module: str) -> list[str]:
    """The `__all__` of a module, without importing it."""
    body = ast.parse((PACKAGE / (module.replace(".", "/") + ".py")).read_text()).body
    found = next(n for n in body if isinstance(n, ast.Assign) and ast.unparse(n.targets[0]) == "__all__")
    return ast.literal_eval(found.value)


def lazy() -> str:
    rows = ""
    for module in sorted(lazy_names._MODULES):
        words = textwrap.wrap(" ".join(exported(module)), 105, break_on_hyphens=False)
        lines = [f'"{line} "' for line in words[:-1]] + [f'"{words[-1]}"']
        rows += f'    "{module}": ' + "\n    ".join(lines) + ",\n"
    return NAMES.replace("{rows}", rows)


if __name__ == "__main__":
    for name, text in (("lazy_names.py", lazy()), ("_core.pyi", stub())):
        (PACKAGE / name).write_text(text)
    sys.stdout.write("written; `make format` breaks their lines\n")
