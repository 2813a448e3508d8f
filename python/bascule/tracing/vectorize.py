"""vectorize: turns a function of scalars into a function of arrays, traced into one fused pass if possible."""

from __future__ import annotations

import functools
import inspect
import re
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .. import _core, fallback
from .._array.conversion import as_array, as_value, from_result, host_view, is_array, ndarray
from ..config import config
from ..interop import numpys_calls
from ..lib.creation import empty
from . import inspection, whole_arrays
from .trace import Traced, TracingError, run, trace

__all__ = ["vectorize"]


_NO_VALUE = np._NoValue
# Elements of host memory for which a function is called one by one: to trace and to fuse it takes longer.
FEW = 1024


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


def _are_few(arrays: list[ndarray]) -> bool:
    """Whether arrays of the CPU have `FEW` elements at most, and one shape if they are no single numbers."""
    shapes = {a.shape for a in arrays if a.size != 1}
    return arrays[0].device == "cpu" and len(shapes) < 2 and all(a.size <= FEW for a in arrays)


class vectorize:
    """Turn a function of scalars into a function of arrays.

    Parameters
    ----------
    pyfunc : callable
        Its arithmetic, comparisons, ufuncs and `where` are traced by calling it twice with stand-ins, and run on whole
        arrays in one fused pass, with the results of Python's numbers. A function that needs numbers (`if`,
        `math.sin`), reads types or strings, has side effects, or needs integers of more than 64 bits is called for
        every element in NumPy, which is counted by `fallbacks`. So is one of at most 1,024 elements of the CPU, uncounted,
        since that takes less time than to trace it; with ``fallback="error"`` it is traced, too.
    otypes : str or list of dtype, optional
        Types of the results.
    doc : str, optional
        Docstring; that of `pyfunc` by default.
    excluded : set of int or str, optional
        Arguments that are passed on unchanged.
    cache : bool, optional
        Reuse the result of the first call, which determines the types.
    signature : str, optional
        Axes of arguments and results, as ``(n),(n)->()``: then `pyfunc` gets arrays with these axes, one call for each
        combination of the others.
    device : str, optional
        Device to compute on; only with numba's signatures in place of `pyfunc`.

    Notes
    -----
    ``vectorize(signatures, device=...)`` follows numba.vectorize: `signatures` is one or a list of ``'float64(float64,
    float64)'``, and the decorated function takes NumPy arrays and returns NumPy arrays (bascule's for bascule's). The
    first signature to which the arguments can be cast safely is computed, on `device`. An `if` on a value raises there.

    Examples
    --------
    >>> import bascule as bc
    >>> f = bc.vectorize(lambda x, y: x * y + 1)
    >>> f(bc.arange(3), 2).tolist()
    [1, 3, 5]
    >>> @bc.vectorize(["float64(float64, float64)"])
    ... def larger(x, y):
    ...     return bc.where(x > y, x, y)
    >>> import numpy as np
    >>> larger(np.array([1.0, 5.0]), 3.0)
    array([3., 5.])
    """

    def __new__(cls, pyfunc: Any = _NO_VALUE, *args: Any, device: str | None = None, **kwargs: Any) -> Any:
        signatures = isinstance(pyfunc, str) or not (pyfunc is _NO_VALUE or callable(pyfunc))
        if signatures and not isinstance(pyfunc, (str, list, tuple)) and not hasattr(pyfunc, "return_type"):
            np.vectorize(pyfunc)  # NumPy raises for what is no function; numba's signatures have a type of the result
        if device is not None or (signatures and not (args or kwargs)):
            return _Signatures(pyfunc, *args, device=device, **kwargs)
        return super().__new__(cls)

    def __init__(
        self, pyfunc: Any = _NO_VALUE, otypes: Any = None, doc: str | None = None, excluded: Any = None,
        cache: bool = False, signature: str | None = None, *, device: str | None = None,
    ) -> None:  # fmt: skip
        np.vectorize(*(() if pyfunc is _NO_VALUE else (pyfunc,)), otypes=otypes)  # NumPy raises for invalid arguments
        self.pyfunc, self.cache, self.signature = pyfunc, cache, signature
        self.otypes = otypes if isinstance(otypes, str) or otypes is None else [np.dtype(t) for t in otypes]
        self.excluded = set() if excluded is None else set(excluded)
        self._doc = doc
        self._axes = None if signature is None else _core_axes(signature)
        # The last function that could not be traced, its number of arguments, NumPy's vectorize of it, and the reason.
        self._called: tuple[Any, int, Any, str] = (None, 0, None, "")
        self._agreed: set = set()
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
        try:
            return self._called_with(args, kwargs)
        except _core.RefusedDtype as error:
            theirs = np.vectorize(self.pyfunc, self.otypes, self._doc, self.excluded, self.cache, self.signature)
            return numpys_calls.asked(error, sys._getframe(1), theirs, "vectorize", args, kwargs)

    def _called_with(self, args: tuple, kwargs: dict[str, Any]) -> Any:
        if args and not kwargs and not self.excluded and self._axes is None:
            return self._elementwise(self.pyfunc, list(args), ())
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
        passed = [a for i, a in enumerate(args) if i not in taken] + [v for k, v in kwargs.items() if k not in names]
        return self._elementwise(function, values, passed) if values else function()

    def _types(self, n: int) -> list[Any]:
        return [None] * n if self.otypes is None else [np.dtype(t) for t in self.otypes]

    def _elementwise(self, function: Callable, values: list[Any], passed: Sequence[Any]) -> Any:
        """Apply the function to each element: traced and run on whole arrays if the result is the same, else called."""
        like = next((x for x in values if is_array(x)), None)
        arrays = [as_array(x, like) for x in values]
        if self.otypes is None and any(a.size == 0 for a in arrays):
            raise ValueError("cannot call `vectorize` on size 0 inputs unless `otypes` is set")
        if _are_few(arrays) and config.fallback != "error":
            return self._by_elements(np.vectorize(function, self.otypes, cache=self.cache), values, arrays)
        known, n, again, why = self._called
        if known is not function or n != len(arrays):
            try:
                inspection.check(self.pyfunc, *passed)
                traced = trace(lambda: function(*(Traced("argument", i) for i in range(len(arrays)))), "vectorize")
            except MemoryError:
                raise
            except Exception as error:  # the function raises again when it is called with numbers
                why = str(error) if isinstance(error, TracingError) else "a function that is called for every element"
                if isinstance(error, inspection.CannotTrace):
                    why = f"{error}: it is called for every element"
                again = np.vectorize(function, self.otypes, cache=self.cache)
                self._called = (function, len(arrays), again, why)
            else:
                types = None if self.otypes is None else [np.dtype(t) for t in self.otypes]
                try:
                    return whole_arrays.compute(function, traced, values, arrays, types, self.cache, self._agreed)
                except MemoryError:
                    raise
                except Exception as error:
                    why = str(error) if isinstance(error, TracingError) else "a function that raises"
                again = np.vectorize(function, self.otypes, cache=self.cache)
        if arrays[0].device == "cpu":
            fallback.count("vectorize", why)
            return self._by_elements(again, values, arrays)
        return fallback.in_numpy(again, tuple(arrays), {}, "vectorize", why)

    @staticmethod
    def _by_elements(theirs: Callable, values: list[Any], arrays: list[ndarray]) -> Any:
        # NumPy's scalars are passed to the function unchanged.
        return from_result(theirs(*(host_view(a) if is_array(v) else v for v, a in zip(values, arrays))), "cpu")

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


vectorize.__signature__ = inspect.signature(np.vectorize)  # type: ignore[attr-defined]


# ---- numba's signatures


class _NoSignature(TypeError, ValueError):
    """An object that is no function, as NumPy's vectorize says by its class, and no signature either."""


def _types_of(signature: Any) -> tuple[list[np.dtype], np.dtype]:
    """Types of arguments and of the result of ``'float64(float64, float64)'`` or of a signature object of numba's."""
    text = str(signature)
    found = re.fullmatch(r"\s*\((.*)\)\s*->\s*(\w+)\s*", text)  # the form in which numba prints its own
    arguments, result = found.groups() if found else (None, None)
    if found is None:
        found = re.fullmatch(r"\s*(\w+)\s*\((.*)\)\s*", text)
        if found is None:
            raise _NoSignature(
                f"[vectorize] a signature such as 'float64(float64, float64)' is expected, got {signature!r}"
            )
        result, arguments = found.groups()
    try:
        return [np.dtype(t.strip()) for t in arguments.split(",")], np.dtype(result)
    except TypeError as error:
        raise TypeError(f"[vectorize] in the signature {text!r}: {error}") from None


class _Signatures:
    """A decorator for a function of scalars with these types of arguments."""

    def __init__(self, signatures: Any, *, device: str | None = None) -> None:
        one = isinstance(signatures, str) or not isinstance(signatures, (list, tuple))
        self._types = [_types_of(s) for s in ([signatures] if one else signatures)]
        if not self._types:
            raise ValueError("[vectorize] one signature or more are expected, got none")
        if len({len(a) for a, _ in self._types}) != 1:
            raise ValueError("[vectorize] signatures of the same number of arguments are expected")
        self._device = device

    def __call__(self, function: Callable) -> _Typed:
        return _Typed(function, self._types, self._device)


class _Typed:
    """A traced function of arrays for given types of arguments."""

    def __init__(self, function: Callable, types: list[tuple[list[np.dtype], np.dtype]], device: str | None) -> None:
        functools.update_wrapper(self, function)
        self._types, self._device = types, device
        self.nin = len(types[0][0])
        inspection.check(function)
        self._traced = trace(lambda: function(*(Traced("argument", i) for i in range(self.nin))), "vectorize")
        if isinstance(self._traced, tuple):
            raise TypeError("[vectorize] one value is returned for a signature, got several")

    @property
    def types(self) -> list[str]:
        """Types of arguments and result, in the form of a ufunc's."""
        return [f"{''.join(t.char for t in arguments)}->{result.char}" for arguments, result in self._types]

    def __call__(self, *args: Any, out: Any = None) -> Any:
        if len(args) != self.nin:
            raise TypeError(f"{self.__name__}() takes {self.nin} positional arguments but {len(args)} were given")
        given = [a if is_array(a) else np.asarray(a) for a in args]
        kinds = [type(a) if type(a) in (bool, int, float, complex) else g.dtype for a, g in zip(args, given)]
        fitting = [s for s in self._types if all(_fits(kind, t) for kind, t in zip(kinds, s[0]))]
        if not fitting:
            raise TypeError(
                f"ufunc '{self.__name__}' not supported for the input types, and the inputs could not be safely coerced to "
                "any supported types according to the casting rule ''safe''"
            )
        arguments, result = fitting[0]
        like = next((a for a in args if is_array(a)), None)
        where_ = self._device or (like.device if like is not None else _core.get_default_device())
        arrays = [as_array(a).to_device(where_).astype(t, copy=False) for a, t in zip(given, arguments)]
        shape = np.broadcast_shapes(*(a.shape for a in arrays))
        found = as_array(run([self._traced], arrays)[0], arrays[0]).astype(result, copy=False)
        found = found if found.shape == shape else _core.broadcast_to(found, shape)
        if out is not None:
            out[...] = found if is_array(out) else found.get()
            return out
        if like is not None:
            return as_value(found)
        return found.get() if shape else found.get()[()]


def _fits(kind: Any, t: np.dtype) -> bool:
    """Whether a type, or Python's bool, int, float or complex, can be cast safely."""
    if isinstance(kind, np.dtype):
        return np.can_cast(kind, t, "safe")
    return {bool: 0, int: 1, float: 2, complex: 3}[kind] <= {"b": 0, "i": 1, "u": 1, "f": 2, "c": 3}.get(t.kind, -1)
