"""Functions of arrays that are recorded once and run natively for each block.

A function is called with stand-ins for its arrays, which run the operations on an example and record them in a
`BlockProgram`. Operations that cannot be recorded (reading values, other libraries) end the recording; such functions
are called directly.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from .. import _core
from .._array.ufuncs import rows, table

ndarray = _core.ndarray

_OPS = {
    name: i
    for i, row in enumerate(table)
    if row["has_ufunc"] and row.get("nout", 1) == 1
    for name in (row["name"], *row["aliases"].split())
}
_POWER = _OPS["power"]
_WHERE = next(i for i, row in enumerate(table) if row["name"] == "where")
_REDUCTIONS = {"sum": "sum", "prod": "prod", "min": "min", "max": "max", "amin": "min", "amax": "max", "all": "all", "any": "any"}  # fmt: skip
_LIKE = {"full_like", "ones_like", "zeros_like"}
_FEW = 1 << 20  # elements up to which results are compared by value
_SMALL = 1 << 16  # bytes of the largest array that a program stores
_TRIES = 16  # recordings of a function before it is checked how often they are used


class NotRecordable(Exception):
    """The function uses an operation that cannot be recorded."""


def _number(ufunc: Any) -> int:
    """Number of the op for a ufunc of NumPy's, SciPy's or ours; another ufunc of the same name is refused."""
    name = ufunc.__name__
    there = (rows.get(name, {}).get("ufunc"), *(getattr(sys.modules.get(m), name, None) for m in ("numpy", "scipy.special")))  # fmt: skip
    if name not in _OPS or not any(ufunc is x for x in there):
        raise NotRecordable
    return _OPS[name]


def _short_cut(dtype: np.dtype, exponent: Any) -> int:
    """Number of the op for ``**`` with an exponent: for some exponents it is not `power`."""
    inexact = dtype.kind in "fc"
    if type(exponent) not in (int, float) or not (inexact or type(exponent) is int):
        return _POWER
    if exponent == 2:
        return _OPS["square"]
    names = {1: "positive", -1: "reciprocal", 0.5: "sqrt"} if inexact else {1: "positive"} if dtype.kind in "iu" else {}
    return _OPS[names.get(exponent, "power")]


class Recorded(NDArrayOperatorsMixin):
    """A stand-in for an array in a program that is being recorded."""

    __slots__ = ("example", "value", "program", "is_new")
    __array_priority__ = 1e6
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, example: Any, value: int, program: _core.BlockProgram, is_new: bool):
        self.example, self.value, self.program, self.is_new = example, value, program, is_new

    shape = property(lambda self: self.example.shape)
    dtype = property(lambda self: self.example.dtype)
    ndim = property(lambda self: self.example.ndim)
    size = property(lambda self: self.example.size)
    nbytes = property(lambda self: self.example.nbytes)
    itemsize = property(lambda self: self.example.itemsize)
    T = property(lambda self: np.transpose(self))

    def _refuse(self, *args: Any, **kwargs: Any) -> Any:
        raise NotRecordable

    __bool__ = __iter__ = __array__ = __setitem__ = __contains__ = _refuse

    def __len__(self) -> int:
        return len(self.example)

    def _view(self, example: Any, value: int) -> Recorded:
        return Recorded(example, value, self.program, self.is_new)

    def _new(self, example: Any, value: int) -> Recorded:
        return Recorded(example, value, self.program, True)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, dtype: Any = None, **kwargs: Any) -> Recorded:
        if ufunc is np.matmul and method == "__call__" and dtype is None and not kwargs:
            return self._product(*inputs)
        number = _number(ufunc)
        if method != "__call__" or kwargs:
            raise NotRecordable
        operands, examples = _operands(inputs), _examples(inputs)
        example = ufunc(*examples) if dtype is None else ufunc(*examples, dtype=dtype)
        return self._new(example, self.program.apply(number, operands, dtype))

    def __array_function__(self, func: Any, types: Any, args: tuple, kwargs: dict) -> Any:
        name = func.__name__
        if func is not getattr(np, name, None):
            raise NotRecordable
        if name in _REDUCTIONS:
            return _reduce(_REDUCTIONS[name], *args, **kwargs)
        if name in _LIKE:  # uses types and shapes only
            if _holds(args[1:]) or _holds(kwargs):
                raise NotRecordable
            made = func(*_examples(args), **kwargs)
            one = made.reshape(-1)[:1]  # all elements are equal
            return held(np.broadcast_to(one, made.shape) if made.size else made, self.program)
        if name == "concatenate":
            return _concatenate(*args, **kwargs)
        if name == "where" and len(args) == 3 and isinstance(args[0], Recorded) and args[0].dtype == bool:
            return self._new(func(*_examples(args)), self.program.apply(_WHERE, _operands(args), None))
        if name in ("ndim", "shape", "size"):
            return func(args[0].example, *args[1:], **kwargs)
        if name in ("reshape", "transpose", "squeeze", "expand_dims", "ravel") and isinstance(args[0], Recorded):
            return getattr(args[0], "_" + name)(func, *args[1:], **kwargs)
        raise NotRecordable

    def _product(self, a: Any, b: Any) -> Recorded:
        if not (isinstance(a, Recorded) and isinstance(b, Recorded)) or a.ndim < 2 or b.ndim < 2:
            raise NotRecordable
        return self._new(np.matmul(a.example, b.example), self.program.product(a.value, b.value))

    def _reshape(self, func: Any, *args: Any, **kwargs: Any) -> Recorded:
        if kwargs.get("order", "C") != "C":
            raise NotRecordable
        example = func(self.example, *args, **kwargs)
        return self._view(example, self.program.reshape(self.value, example.shape))

    _squeeze = _expand_dims = _ravel = _reshape

    def _transpose(self, func: Any, axes: Any = None) -> Recorded:
        order = list(range(self.ndim))[::-1] if axes is None else [k % self.ndim for k in axes]
        return self._view(func(self.example, order), self.program.transpose(self.value, order))

    def __pow__(self, other: Any) -> Recorded:
        number = _POWER if type(self.example) is not ndarray or _core.is_scalar(self.example) else _short_cut(self.dtype, other)  # fmt: skip
        if number == _POWER:
            return np.power(self, other)
        return self._new(self.example**other, self.program.apply(number, _operands([self]), None))

    def __getitem__(self, key: Any) -> Recorded:
        for k in key if isinstance(key, tuple) else (key,):
            if not (k is None or k is Ellipsis or isinstance(k, (int, slice))) or isinstance(k, bool):
                raise NotRecordable
        example = self.example[key]
        return self._view(example, self.program.index(self.value, key)) if type(example) is ndarray else self._refuse()

    def astype(self, dtype: Any, **kwargs: Any) -> Recorded:
        if kwargs.keys() - {"copy"}:
            raise NotRecordable
        example = self.example.astype(dtype, **kwargs)
        same = example.dtype == self.dtype
        return self if same else self._new(example, self.program.cast(self.value, dtype))

    def reshape(self, *shape: Any) -> Recorded:
        return np.reshape(self, shape[0] if len(shape) == 1 else shape)

    def sum(self, *args: Any, **kwargs: Any) -> Any:
        return np.sum(self, *args, **kwargs)

    def prod(self, *args: Any, **kwargs: Any) -> Any:
        return np.prod(self, *args, **kwargs)

    def min(self, *args: Any, **kwargs: Any) -> Any:
        return np.min(self, *args, **kwargs)

    def max(self, *args: Any, **kwargs: Any) -> Any:
        return np.max(self, *args, **kwargs)

    def any(self, *args: Any, **kwargs: Any) -> Any:
        return np.any(self, *args, **kwargs)

    def all(self, *args: Any, **kwargs: Any) -> Any:
        return np.all(self, *args, **kwargs)


def _constant(x: Any) -> Any:
    if isinstance(x, (int, float, complex, np.number, np.bool_)):
        return x
    raise NotRecordable


def held(x: ndarray, program: _core.BlockProgram) -> Recorded:
    """An array that the program stores; a large one is recomputed for each block."""
    if math.prod(n for n, step in zip(x.shape, x.strides) if step) * x.itemsize > _SMALL:
        raise NotRecordable
    return Recorded(x, program.constant(x), program, False)


def _operands(args: Any) -> list:
    return [(x.value,) if isinstance(x, Recorded) else _constant(x) for x in args]


def _examples(x: Any) -> Any:
    if isinstance(x, (list, tuple)):
        return type(x)(_examples(y) for y in x)
    return x.example if isinstance(x, Recorded) else x


def _holds(x: Any) -> bool:
    values = x.values() if isinstance(x, dict) else x if isinstance(x, (list, tuple)) else ()
    return isinstance(x, Recorded) or any(_holds(y) for y in values)


def _reduce(name: str, a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False, **kwargs: Any) -> Any:  # fmt: skip
    if not isinstance(a, Recorded) or out is not None or kwargs or a.dtype.kind not in "biuf" or a.dtype.itemsize == 2:
        raise NotRecordable
    options = {"axis": axis, "keepdims": bool(keepdims), **({} if dtype is None else {"dtype": dtype})}
    example = getattr(np, name)(a.example, **options)
    axes = range(a.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    mask = sum({1 << (k % a.ndim) for k in axes}) if a.ndim else 0
    return a._new(example, a.program.reduce(name, a.value, mask, bool(keepdims), dtype))


def _concatenate(arrays: Any, axis: int = 0, **kwargs: Any) -> Any:
    one = next((x for x in arrays if isinstance(x, Recorded)), None)
    if one is None or kwargs or any(not isinstance(x, Recorded) or x.dtype != one.dtype for x in arrays):
        raise NotRecordable
    example = np.concatenate([x.example for x in arrays], axis=axis)
    return one._new(example, one.program.concatenate([x.value for x in arrays], axis % one.ndim))


def signature(x: Any, arrays: list) -> Any:
    """The properties of a call that a program depends on; collects the arrays of nested lists and dicts in order."""
    kind = type(x)
    if kind is ndarray:
        arrays.append(x)
        return (x.shape, x.dtype, x.device)
    if kind is list or kind is dict:
        return (
            kind,
            *(x if kind is dict else ()),
            *[signature(y, arrays) for y in (x.values() if kind is dict else x)],
        )
    if kind is tuple:
        return (kind, *[signature(y, arrays) for y in x])
    if isinstance(x, np.generic):
        raise TypeError  # a value that differs from block to block
    hash(x)
    return (kind, x)


def _rebuilt(x: Any, leaves: Any) -> Any:
    kind = type(x)
    if kind is ndarray:
        return next(leaves)
    if kind is dict:
        return {k: _rebuilt(y, leaves) for k, y in x.items()}
    return kind(_rebuilt(y, leaves) for y in x) if kind is list or kind is tuple else x


class Recording:
    """A program and the structure of its result."""

    __slots__ = ("program", "form", "computed")

    def __init__(self, program: _core.BlockProgram, result: Any, inputs: list):
        self.program = program
        outputs: list[Recorded] = []
        self.form = self._form(result, outputs)
        self.computed = 8 * sum(o.size for o in outputs) <= sum(x.size for x in inputs) + 64
        for o in outputs:
            program.output(o.value, type(o.example) is not ndarray)

    def _form(self, x: Any, outputs: list) -> Any:
        """The result with output numbers in place of the recorded arrays; None if it is a single output."""
        if isinstance(x, Recorded):
            if not x.is_new:
                raise NotRecordable
            outputs.append(x)
            return None
        if type(x) is dict and all(isinstance(y, Recorded) for y in x.values()):
            for y in x.values():
                self._form(y, outputs)
            return list(x)
        raise NotRecordable

    def rows(self, cut: list, whole: list, step: int, first: int, count: int) -> dict[str, Any]:
        """The results, which are a dict, of blocks of rows, stacked."""
        assert self.form is not None
        return dict(zip(self.form, self.program.run_rows(cut, whole, step, first, count)))

    def __call__(self, inputs: list) -> Any:
        results = self.program.run(inputs, self.computed)
        return results[0] if self.form is None else dict(zip(self.form, results))


def _same(a: Any, b: Any) -> bool:
    if type(a) is dict:
        return type(b) is dict and list(a) == list(b) and all(_same(a[k], b[k]) for k in a)
    if type(a) is not type(b) or a.shape != b.shape or a.dtype != b.dtype:
        return False
    if a.size > _FEW:
        return True
    return np.array_equal(_core.to_numpy(a) if type(a) is ndarray else a, _core.to_numpy(b) if type(b) is ndarray else b, equal_nan=a.dtype.kind == "f")  # fmt: skip


def record(function: Callable, plain: Callable, args: list) -> tuple[Recording | None, Any]:
    """Record a call: returns the program or None, and the result, or None if there is no program. A program replaces
    the function only if its result equals that of the plain call.
    """
    inputs: list = []
    signature(args, inputs)
    program = _core.BlockProgram()
    stand_ins = [Recorded(x, program.input(), program, True) for x in inputs]
    try:
        with np.errstate(all="ignore"):  # errors are reported when the program runs
            result = function(_rebuilt(args, iter(stand_ins)), program)
            recording = Recording(program, result, inputs)
            if not _same(recording(inputs), plain(list(args))):
                return None, None
    except Exception:
        return None, None
    return recording, recording(inputs)


class Function:
    """A function that is called for many blocks, with its recorded programs: one for each kind of block.

    Parameters
    ----------
    function : callable
        Must depend on its arguments only.
    recordable : bool, optional
        False calls the function directly.
    """

    def __init__(self, function: Callable, recordable: bool = True):
        self.function, self.recordable = function, recordable
        self.recordings: dict[Any, Recording | None] = {}
        self.hits = 0

    def noted(self, args: list, program: _core.BlockProgram) -> Any:
        """The call during the recording, with stand-ins in place of arrays."""
        return self.function(*args)

    def expected(self, args: list) -> Any:
        """The result that the recording must reproduce."""
        return self.function(*args)

    def plain(self, args: list) -> Any:
        """The plain call, if nothing can be recorded."""
        return self.function(*args)

    def __call__(self, args: list) -> Any:
        if self.recordable:
            arrays: list[ndarray] = []
            try:
                key = signature(args, arrays)
                known = self.recordings.get(key, self)
            except TypeError:  # not hashable
                return self.plain(args)
            if known is self:
                return self.first(key, args)
            if known is not None:
                self.hits += 1
                args.clear()
                return known(arrays)  # type: ignore[operator]
        return self.plain(args)

    def first(self, key: Any, args: list) -> Any:
        recording, result = record(self.noted, self.expected, args)
        self.recordings[key] = recording
        self.recordable = len(self.recordings) < _TRIES or self.hits >= 4 * len(self.recordings)
        return self.plain(args) if recording is None else result
