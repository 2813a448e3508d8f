"""Tracing of scalar functions: their operations are found by calling them with stand-ins for numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from .._array.ufuncs import by_name, ours
from ..lib.selection import where


class TracingError(TypeError):
    """The function uses an operation that only works with a number."""


class Traced:
    """A stand-in for a scalar during tracing; it records the operation and whether it was a function of NumPy's or
    ours, which returns NumPy's numbers, or an operator."""

    __slots__ = ("op", "parts", "called")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, op: str, *parts: Any, called: bool = False) -> None:
        self.op, self.parts, self.called = op, parts, called

    def _refuse(self, *_: Any) -> Any:
        raise TracingError(
            "the function wants the value of its argument: instead of `if` write bascule.where(condition, x, y), "
            "instead of math.sin bascule.sin"
        )

    __bool__ = __int__ = __float__ = __complex__ = __index__ = __len__ = __iter__ = _refuse

    def __array_ufunc__(self, function: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        known = ours(function)
        name = known.__name__ if known is not None else ""
        if method != "__call__" or kwargs or by_name.get(name) is not known or known.nout != 1:
            self._refuse()
        return Traced(name, *inputs, called=True)

    def __array_function__(self, function: Any, types: Any, args: tuple, kwargs: dict) -> Any:
        if function is not np.where or len(args) != 3:
            self._refuse()
        return self.__traced_where__(*args)

    def __traced_where__(self, condition: Any, x: Any, y: Any) -> Any:
        return Traced("where", condition, x, y, called=True)

    def _in_place(self, op: str, other: Any) -> Traced:
        if self.op == "where":  # NumPy's returns an array, to which other objects may refer
            self._refuse()
        return Traced(op, self, other)


def _operators() -> None:
    names = {
        "add": "add", "sub": "subtract", "mul": "multiply", "truediv": "divide", "floordiv": "floor_divide",
        "mod": "remainder", "pow": "power", "and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor",
        "lshift": "left_shift", "rshift": "right_shift",
    }  # fmt: skip
    for short, op in names.items():
        setattr(Traced, f"__{short}__", lambda self, other, op=op: Traced(op, self, other))
        setattr(Traced, f"__r{short}__", lambda self, other, op=op: Traced(op, other, self))
        setattr(Traced, f"__i{short}__", lambda self, other, op=op: self._in_place(op, other))
    for short, op in {
        "lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal", "eq": "equal", "ne": "not_equal",
    }.items():  # fmt: skip
        setattr(Traced, f"__{short}__", lambda self, other, op=op: Traced(op, self, other))
    for short, op in {"neg": "negative", "pos": "positive", "abs": "absolute", "invert": "invert"}.items():
        setattr(Traced, f"__{short}__", lambda self, op=op: Traced(op, self))


_operators()


def in_order(results: Sequence[Any]) -> list[Traced]:
    """Every step once, after its operands."""
    order: list[Traced] = []
    known: set[int] = set()
    waiting = [x for x in reversed(results) if isinstance(x, Traced)]
    while waiting:
        x = waiting[-1]
        parts = [p for p in x.parts if isinstance(p, Traced) and id(p) not in known]
        if parts and id(x) not in known:
            waiting.extend(reversed(parts))
            continue
        waiting.pop()
        if id(x) not in known:
            known.add(id(x))
            order.append(x)
    return order


def written_out(results: tuple) -> list[tuple]:
    """The steps, with operands as numbers of earlier steps: equal for two traces of the same computation."""
    steps = in_order(results)
    numbers = {id(x): i for i, x in enumerate(steps)}
    name = lambda x: numbers[id(x)] if isinstance(x, Traced) else (type(x), repr(x))
    return [*((x.op, x.called, *map(name, x.parts)) for x in steps), tuple(map(name, results))]


def trace(function: Callable[[], Any], who: str) -> Any:
    """Trace a function that is bound to stand-ins; raises TracingError if it needs numbers or differs between calls."""

    def once() -> tuple[Any, list[tuple]]:
        found = function()
        results = found if isinstance(found, tuple) else (found,)
        if not all(isinstance(x, Traced) or type(x) in np.ScalarType for x in results):
            raise TracingError(f"[{who}] the function returns something else than numbers")
        return found, written_out(results)

    first, second = once(), once()
    if first[1] != second[1]:
        raise TracingError(f"[{who}] the function computes something else each time it is called")
    return first[0]


def run(results: Sequence[Any], arguments: Sequence[Any] | Mapping[Any, Any]) -> list[Any]:
    """Compute the traced results on arrays; shared steps are computed once."""
    known: dict[int, Any] = {}
    value = lambda x: known[id(x)] if isinstance(x, Traced) else x
    for x in in_order(results):
        if x.op == "argument":
            known[id(x)] = arguments[x.parts[0]]
        else:
            parts = [value(p) for p in x.parts]
            known[id(x)] = where(*parts) if x.op == "where" else by_name[x.op](*parts)
    return [value(x) for x in results]
