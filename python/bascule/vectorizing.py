"""vectorize: a function of scalars as a function of arrays, traced into one fused pass where that is possible."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from . import _core, fallback
from .conversion import as_array, as_value, is_array, ndarray
from .creation import empty
from .selection import where
from .ufuncs import by_name

_NO_VALUE = np._NoValue


class TracingError(TypeError):
    """A function did with its argument what can only be done with a number."""


class Traced:
    """Stands for a scalar while a function is traced; remembers what is computed of it."""

    __slots__ = ("op", "parts")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, op: str, *parts: Any) -> None:
        self.op, self.parts = op, parts

    def key(self) -> tuple:
        """What was computed, to be compared with another trace."""
        return (self.op, *(p.key() if isinstance(p, Traced) else (type(p), repr(p)) for p in self.parts))

    def _refuse(self, *_: Any) -> Any:
        raise TracingError(
            "[vectorize] the function wants the value of its argument: instead of `if` write bascule.where(condition, x, y), "
            "instead of math.sin bascule.sin"
        )

    __bool__ = __int__ = __float__ = __complex__ = __index__ = __len__ = __iter__ = _refuse

    def __array_ufunc__(self, function: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if method != "__call__" or kwargs or function.__name__ not in by_name:
            self._refuse()
        return Traced(function.__name__, *inputs)

    def __array_function__(self, function: Any, types: Any, args: tuple, kwargs: dict) -> Any:
        if function is not np.where or len(args) != 3:
            self._refuse()
        return self.__traced_where__(*args)

    def __traced_where__(self, condition: Any, x: Any, y: Any) -> Any:
        return Traced("where", condition, x, y)


def _operators() -> None:
    names = {
        "add": "add", "sub": "subtract", "mul": "multiply", "truediv": "divide", "floordiv": "floor_divide",
        "mod": "remainder", "pow": "power", "and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor",
        "lshift": "left_shift", "rshift": "right_shift",
    }  # fmt: skip
    for short, op in names.items():
        setattr(Traced, f"__{short}__", lambda self, other, op=op: Traced(op, self, other))
        setattr(Traced, f"__r{short}__", lambda self, other, op=op: Traced(op, other, self))
    for short, op in {
        "lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal", "eq": "equal", "ne": "not_equal",
    }.items():  # fmt: skip
        setattr(Traced, f"__{short}__", lambda self, other, op=op: Traced(op, self, other))
    for short, op in {"neg": "negative", "pos": "positive", "abs": "absolute", "invert": "invert"}.items():
        setattr(Traced, f"__{short}__", lambda self, op=op: Traced(op, self))


_operators()


def _trace(function: Callable, n: int) -> Any:
    """What a function computes of n arguments, and None if it wants numbers, or computes something else each time."""

    def once() -> Any:
        arguments = [Traced("argument", i) for i in range(n)]
        r = function(*arguments)
        several = r if isinstance(r, tuple) else (r,)
        if not all(isinstance(x, Traced) or type(x) in np.ScalarType for x in several):
            raise TracingError("[vectorize] the function returns something else than numbers")
        return r, tuple(x.key() if isinstance(x, Traced) else (type(x), repr(x)) for x in several)

    first, second = once(), once()
    if first[1] != second[1]:
        raise TracingError("[vectorize] the function computes something else each time it is called")
    return first[0]


def _run(node: Any, arguments: list[ndarray]) -> Any:
    if not isinstance(node, Traced):
        return node
    if node.op == "argument":
        return arguments[node.parts[0]]
    parts = [_run(p, arguments) for p in node.parts]
    return where(*parts) if node.op == "where" else by_name[node.op](*parts)


# ---- signatures

_NAME = r"\w+"
_CORE = rf"\((?:{_NAME}(?:,{_NAME})*)?\)"
_SIGNATURE = rf"^{_CORE}(?:,{_CORE})*->{_CORE}(?:,{_CORE})*$"


def _core_axes(signature: str) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    text = re.sub(r"\s+", "", signature)
    if not re.match(_SIGNATURE, text):
        raise ValueError(f"not a valid gufunc signature: {text}")
    sides = [[tuple(re.findall(_NAME, part)) for part in re.findall(_CORE, side)] for side in text.split("->")]
    return sides[0], sides[1]


def _note_extents(known: dict[str, int], a: ndarray, axes: tuple[str, ...]) -> None:
    if a.ndim < len(axes):
        raise ValueError(
            f"{a.ndim}-dimensional argument does not have enough dimensions for all core dimensions {axes!r}"
        )
    for name, n in zip(axes, a.shape[a.ndim - len(axes) :]):
        if known.setdefault(name, n) != n:
            raise ValueError(f"inconsistent size for core dimension {name!r}: {n!r} vs {known[name]!r}")


class vectorize:
    """A function of scalars, as a function of arrays.

    Parameters
    ----------
    pyfunc : callable
        Its arithmetic, comparisons, ufuncs and `where` are traced by calling it twice without numbers, and run on whole
        arrays in one fused pass. A function that wants numbers (`if`, `math.sin`) or does something else each time is
        called for every element in NumPy, which is counted by `fallbacks`.
    otypes : str or list of dtype, optional
        Types of the results.
    doc : str, optional
        Docstring; that of `pyfunc` by default.
    excluded : set of int or str, optional
        Arguments that are passed on as they are.
    cache : bool, optional
        Whether the first call for elements, made to find types, is used again.
    signature : str, optional
        Axes of arguments and results, as ``(n),(n)->()``: then `pyfunc` gets arrays with these axes, one call for each
        combination of the others.

    Examples
    --------
    >>> import bascule as bc
    >>> f = bc.vectorize(lambda x, y: x * y + 1)
    >>> f(bc.arange(3), 2).tolist()
    [1, 3, 5]
    """

    def __init__(
        self, pyfunc: Any = _NO_VALUE, otypes: Any = None, doc: str | None = None, excluded: Any = None,
        cache: bool = False, signature: str | None = None,
    ) -> None:  # fmt: skip
        np.vectorize(*(() if pyfunc is _NO_VALUE else (pyfunc,)), otypes=otypes)  # NumPy says what is wrong
        self.pyfunc, self.cache, self.signature = pyfunc, cache, signature
        self.otypes = otypes if isinstance(otypes, str) or otypes is None else [np.dtype(t) for t in otypes]
        self.excluded = set() if excluded is None else set(excluded)
        self._doc = doc
        self._axes = None if signature is None else _core_axes(signature)
        if pyfunc is not _NO_VALUE:
            self._take(pyfunc)

    def _take(self, pyfunc: Callable) -> None:
        self.pyfunc = pyfunc
        self.__name__ = getattr(pyfunc, "__name__", type(pyfunc).__name__)
        self.__doc__ = self._doc if self._doc is not None else pyfunc.__doc__

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self.pyfunc is _NO_VALUE:
            self._take(*args, **kwargs)
            return self
        taken = [i for i in range(len(args)) if i not in self.excluded]
        names = [k for k in kwargs if k not in self.excluded]

        def function(*values: Any) -> Any:
            positional, named = list(args), dict(kwargs)
            for i, v in zip(taken, values):
                positional[i] = v
            named.update(zip(names, values[len(taken) :]))
            return self.pyfunc(*positional, **named)

        values = [args[i] for i in taken] + [kwargs[k] for k in names]
        if self._axes is not None:
            return self._by_signature(function, values)
        return self._elementwise(function, values) if values else function()

    def _types(self, n: int) -> list[Any]:
        return [None] * n if self.otypes is None else [np.dtype(t) for t in self.otypes]

    def _elementwise(self, function: Callable, values: list[Any]) -> Any:
        like = next((x for x in values if is_array(x)), None)
        arrays = [as_array(x, like) for x in values]
        if self.otypes is None and any(a.size == 0 for a in arrays):
            raise ValueError("cannot call `vectorize` on size 0 inputs unless `otypes` is set")
        try:
            traced = _trace(function, len(arrays))
        except Exception as error:  # the function's own errors show themselves when it meets numbers
            why = str(error) if isinstance(error, TracingError) else "a function that is called for every element"
            again = np.vectorize(function, self.otypes, cache=self.cache)
            return fallback.in_numpy(again, tuple(arrays), {}, "vectorize", why)
        shape = np.broadcast_shapes(*(a.shape for a in arrays))
        results = traced if isinstance(traced, tuple) else (traced,)
        out = [self._whole(_run(r, arrays), shape, t, arrays[0]) for r, t in zip(results, self._types(len(results)))]
        return tuple(out) if isinstance(traced, tuple) else out[0]

    @staticmethod
    def _whole(r: Any, shape: tuple[int, ...], t: Any, like: ndarray) -> ndarray:
        r = as_array(r, like)
        r = r if t is None else r.astype(t, copy=False)
        return as_value(r) if r.shape == shape else _core.broadcast_to(r, shape).copy("C")

    def _by_signature(self, function: Callable, values: list[Any]) -> Any:
        inputs, outputs = self._axes  # type: ignore[misc]
        if len(values) != len(inputs):
            raise TypeError(f"wrong number of positional arguments: expected {len(inputs)!r}, got {len(values)!r}")
        like = next((x for x in values if is_array(x)), None)
        arrays = [as_array(x, like) for x in values]
        known: dict[str, int] = {}
        for a, axes in zip(arrays, inputs):
            _note_extents(known, a, axes)
        loop = np.broadcast_shapes(*(a.shape[: a.ndim - len(axes)] for a, axes in zip(arrays, inputs)))
        arrays = [_core.broadcast_to(a, (*loop, *(known[k] for k in axes))) for a, axes in zip(arrays, inputs)]
        found: list[ndarray] | None = None
        for at in np.ndindex(*loop):
            results = function(*(a[at] for a in arrays))
            n = len(results) if isinstance(results, tuple) else 1
            if n != len(outputs):
                raise ValueError(f"wrong number of outputs from pyfunc: expected {len(outputs)!r}, got {n!r}")
            results = [as_array(r, like) for r in (results if isinstance(results, tuple) else (results,))]
            if found is None:
                for r, axes in zip(results, outputs):
                    _note_extents(known, r, axes)
                found = self._outputs(loop, known, outputs, [r.dtype for r in results], like)
            for r, one in zip(found, results):
                r[at] = one
        if found is None:
            if self.otypes is None:
                raise ValueError("cannot call `vectorize` on size 0 inputs unless `otypes` is set")
            if any(k not in known for axes in outputs for k in axes):
                raise ValueError(
                    "cannot call `vectorize` with a signature including new output dimensions on size 0 inputs"
                )
            found = self._outputs(loop, known, outputs, [], like)
        return found[0] if len(found) == 1 else tuple(found)

    def _outputs(
        self, loop: tuple, known: dict[str, int], outputs: list[tuple[str, ...]], kinds: list, like: Any
    ) -> list[ndarray]:
        types = kinds if self.otypes is None else self._types(len(outputs))
        where_ = None if like is None else like.device
        return [empty((*loop, *(known[k] for k in axes)), t, device=where_) for axes, t in zip(outputs, types)]
