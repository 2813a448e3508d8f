"""Static check whether a Python function only computes with its arguments. A trace cannot answer questions about their
type, string, identity or Python's own integers."""

from __future__ import annotations

import builtins
import dis
import functools
import math
import sys
import types
from collections.abc import Iterator
from typing import Any

import numpy as np

from .. import _core
from .._array.ufuncs import ours
from ..lib.selection import where

# Instructions that move values, compute with them, call, jump or return. All others are refused: they format strings,
# test identity or membership, catch errors, write to objects that outlive the call, or create functions.
_ALLOWED = frozenset(
    """
    RESUME RESUME_CHECK NOP CACHE EXTENDED_ARG PRECALL KW_NAMES PUSH_NULL POP_TOP COPY SWAP COPY_FREE_VARS NOT_TAKEN TO_BOOL
    LOAD_FAST LOAD_FAST_CHECK LOAD_FAST_BORROW LOAD_FAST_LOAD_FAST LOAD_FAST_BORROW_LOAD_FAST_BORROW STORE_FAST
    STORE_FAST_LOAD_FAST STORE_FAST_STORE_FAST LOAD_CONST LOAD_CONST_IMMORTAL LOAD_CONST_MORTAL LOAD_SMALL_INT RETURN_CONST
    LOAD_GLOBAL LOAD_NAME LOAD_DEREF LOAD_ATTR LOAD_METHOD
    UNARY_NEGATIVE UNARY_POSITIVE UNARY_INVERT UNARY_NOT BINARY_OP BINARY_SUBSCR COMPARE_OP
    CALL CALL_KW CALL_INTRINSIC_1 BUILD_TUPLE BUILD_LIST BUILD_SLICE UNPACK_SEQUENCE GET_ITER FOR_ITER END_FOR POP_ITER
    RETURN_VALUE JUMP_FORWARD JUMP_BACKWARD JUMP_BACKWARD_NO_INTERRUPT JUMP_IF_FALSE_OR_POP JUMP_IF_TRUE_OR_POP
    POP_JUMP_IF_TRUE POP_JUMP_IF_FALSE POP_JUMP_IF_NONE POP_JUMP_IF_NOT_NONE POP_JUMP_FORWARD_IF_TRUE
    POP_JUMP_FORWARD_IF_FALSE POP_JUMP_FORWARD_IF_NONE POP_JUMP_FORWARD_IF_NOT_NONE POP_JUMP_BACKWARD_IF_TRUE
    POP_JUMP_BACKWARD_IF_FALSE POP_JUMP_BACKWARD_IF_NONE POP_JUMP_BACKWARD_IF_NOT_NONE
    """.split()
)
_TEXT = frozenset("FORMAT_VALUE FORMAT_SIMPLE FORMAT_WITH_SPEC CONVERT_VALUE BUILD_STRING".split())
_NAMES = frozenset("LOAD_GLOBAL LOAD_NAME LOAD_DEREF LOAD_CLASSDEREF".split())
_ATTRIBUTES = frozenset("LOAD_ATTR LOAD_METHOD".split())
_UNARY_PLUS = 5  # of CALL_INTRINSIC_1
_NUMBERS = frozenset({int, float, bool, type(None), np.float64, np.int64, np.bool_})
_SEQUENCES = frozenset({tuple, list})
_FEW = 10_000  # items of a sequence that are checked
# Functions that convert an argument to a number, which ends the tracing, or that are pure. sum() adds floats in a
# special way.
_HARMLESS = frozenset(
    {
        *(getattr(builtins, name) for name in "abs bool complex divmod enumerate float int len max min pow range reversed round zip".split()),
        *(x for name, x in vars(math).items() if callable(x) and name not in ("prod", "sumprod")),
    }
)  # fmt: skip


class CannotTrace(TypeError):
    """The function may use more than the values of its arguments, or have side effects."""


def _refuse(what: str) -> None:
    raise CannotTrace(f"the function {what}")


@functools.lru_cache(maxsize=1024)
def _outside(code: types.CodeType) -> tuple[tuple[str, ...], ...] | str:
    """The global names that a code object reads, each with the attributes that it reads of it; a sentence if it does
    something that is not allowed."""
    if code.co_flags & (0x20 | 0x80 | 0x100 | 0x200):  # generators and coroutines
        return "is a generator"
    if getattr(code, "co_exceptiontable", b""):
        return "catches errors or has a context"
    found: list[list[str]] = []
    chained = False
    for step in dis.get_instructions(code):
        name = step.opname
        if name in ("CACHE", "EXTENDED_ARG"):
            continue
        if name in _NAMES:
            found.append([str(step.argval)])
        elif name in _ATTRIBUTES:
            if not chained:
                return f"asks for the attribute {step.argval!r}"
            found[-1].append(str(step.argval))
        elif name in ("LOAD_CONST", "RETURN_CONST") and not _is_number(step.argval):
            return "uses text" if isinstance(step.argval, (str, bytes)) else "makes functions or uses unusual constants"
        elif name in _TEXT:
            return "makes text"
        elif name not in _ALLOWED or (name == "CALL_INTRINSIC_1" and step.arg != _UNARY_PLUS):
            return f"does more than compute ({name.lower().replace('_', ' ')})"
        chained = name in _NAMES or name in _ATTRIBUTES
    return tuple(map(tuple, found))


def _is_number(x: Any) -> bool:
    if type(x) in _SEQUENCES:
        return len(x) <= _FEW and all(map(_is_number, x))
    return type(x) in _NUMBERS or type(x) is slice


def _values(function: types.FunctionType) -> Iterator[tuple[str, Any]]:
    """The values that a function's code reads from outside, with their names."""
    outside = _outside(function.__code__)
    if isinstance(outside, str):
        _refuse(outside)
    free = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
    scope = function.__globals__
    given = scope.get("__builtins__", builtins)
    known = given if isinstance(given, dict) else vars(given)
    for first, *attributes in outside:
        try:
            x = free[first].cell_contents if first in free else scope[first] if first in scope else known[first]
        except (KeyError, ValueError):
            _refuse(f"uses {first}, which has no value")
        for name in attributes:
            if not (isinstance(x, types.ModuleType) and hasattr(x, name)):
                _refuse(f"asks for the attribute {name!r}")
            x = getattr(x, name)
        yield ".".join((first, *attributes)), x
    for name, x in (function.__kwdefaults__ or {}).items():
        yield name, x
    for x in function.__defaults__ or ():
        yield "a default", x


def _is_known(x: Any) -> bool:
    """Whether x is a number, computes with numbers, or converts them in a way that ends the tracing."""
    if _is_number(x) or type(x) in (range, np.ndarray, _core.ndarray):
        return True
    if x is np.where or x is where or x is getattr(sys.modules.get("bascule"), "where", None):
        return True
    if ours(x) is not None:
        return True
    try:
        return x in _HARMLESS
    except TypeError:  # not hashable
        return False


def check(function: Any, *given: Any) -> None:
    """Raise CannotTrace unless a function, and all that it calls, only computes with its arguments; `given` are those
    that are passed unchanged."""
    seen: set[int] = set()
    waiting: list[tuple[str, Any]] = [("the function", function), *(("an argument", x) for x in given)]
    while waiting:
        name, x = waiting.pop()
        if id(x) in seen or _is_known(x):
            continue
        seen.add(id(x))
        if type(x) is functools.partial:
            waiting += [(name, x.func), *((name, v) for v in (*x.args, *x.keywords.values()))]
        elif type(x) is types.FunctionType:
            waiting += _values(x)
        else:
            _refuse(f"uses {name}" if x is not function else "is no Python function")
