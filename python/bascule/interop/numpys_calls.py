"""Calls that run in NumPy because their elements have types that our arrays lack: strings, objects, records, long
doubles.

The error `_core.RefusedDtype` reports such a type. It ends the outermost call of a function, ufunc, method or operator
of ours (bindings/numpys_calls.cpp), or a protocol call from NumPy (NEP 13 and NEP 18). On the CPU device NumPy then
runs the whole call, with our arrays as its own over the same memory. Arrays in its result become ours if we hold their
type, over the same memory if they are views; all other arrays, and those of derived classes, stay NumPy's. Each such
call is counted with its reason. On CUDA, and for calls from within the package, the error is raised.

Where such calls are only counted, the core remembers the function and the kinds of the arguments, and passes the next
such call to NumPy at once (bindings/remembered_calls.cpp).
"""

from __future__ import annotations

import operator
import os
import re
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import numpy as np

from .. import _core, fallback
from .._array import conversion

_KINDS = {
    "U": "text",
    "T": "text",
    "S": "bytes",
    "O": "Python objects",
    "V": "records",
    "f": "long doubles",
    "c": "long doubles",
}
OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "add": operator.add, "subtract": operator.sub, "multiply": operator.mul, "divide": operator.truediv,
    "floor_divide": operator.floordiv, "remainder": operator.mod, "divmod": divmod, "power": operator.pow,
    "bitwise_and": operator.and_, "bitwise_or": operator.or_, "bitwise_xor": operator.xor,
    "left_shift": operator.lshift, "right_shift": operator.rshift, "matmul": operator.matmul,
    "equal": operator.eq, "not_equal": operator.ne, "less": operator.lt, "less_equal": operator.le,
    "greater": operator.gt, "greater_equal": operator.ge,
}  # fmt: skip
_IN_PLACE: dict[str, Callable[[Any, Any], Any]] = {
    "add": operator.iadd, "subtract": operator.isub, "multiply": operator.imul, "divide": operator.itruediv,
    "floor_divide": operator.ifloordiv, "remainder": operator.imod, "power": operator.ipow, "matmul": operator.imatmul,
    "bitwise_and": operator.iand, "bitwise_or": operator.ior, "bitwise_xor": operator.ixor,
    "left_shift": operator.ilshift, "right_shift": operator.irshift,
}  # fmt: skip

_HERE = os.path.dirname(os.path.dirname(__file__)) + os.sep  # the package


def reason_of(error: BaseException) -> str:
    """The reason for the fallback, by the type that the error names."""
    if isinstance(error, OverflowError):
        return "arrays hold no integers of more than 64 bits"
    found = re.search(r"dtype\('([<>|=]?)(\w)", str(error))
    if found is None:
        return "arrays of derived classes are NumPy's own"
    order, kind = found.groups()
    swapped = order == ">" and not re.search(r"dtype\('>[fc](16|32)", str(error)) and kind in "iufcmM"
    return "arrays hold no " + ("numbers in foreign byte order" if swapped else _KINDS.get(kind, "such elements"))


def from_within(frame: FrameType) -> bool:
    """Whether a call comes from the package, in which case the error is raised to the calling code."""
    return frame.f_code.co_filename.startswith(_HERE)


def on_device(*given: Any) -> bool:
    """Whether an array among the arguments, or else the default device, is on another device than the CPU."""
    for x in given:
        if isinstance(x, dict) and str(x.get("device", "")).startswith("cuda"):
            return True
    like = fallback._first_array(given)
    return (like.device if like is not None else fallback.config.device).startswith("cuda")


def run(theirs: Callable[..., Any], name: str, args: Any, kwargs: dict[str, Any], error: BaseException) -> Any:
    """Run NumPy's call over the memory of our arrays, and count it if it succeeds; errors are NumPy's."""
    reason = reason_of(error)
    if fallback.config.fallback == "error":
        fallback.note(name, reason, "NumPy")
    result = fallback.over_shared_memory(theirs, *args, **kwargs)
    fallback.count(name, reason)
    return result


# ---- NumPy's functions by name


def _theirs(kind: str, what: Any, args: tuple) -> tuple[Any, str]:
    """NumPy's counterpart of a function, ufunc or method, or None, and its name."""
    if kind == "method":
        name = what if isinstance(what, str) else what.__name__
        if type(args[0]) not in (_core.ndarray, _core.ufunc):
            return _assign_flat, "flat.__setitem__"
        if name.startswith("_set_"):
            return (lambda a, value: setattr(a, name[5:], value)), name[5:]
        owner = np.ndarray if type(args[0]) is _core.ndarray else np.ufunc
        return getattr(owner, name, None), name if owner is np.ndarray else f"{args[0].__name__}.{name}"
    name = what.__name__
    if type(what) is _core.ufunc:
        found = fallback._to_host(what)
        return (None if found is what else found), name
    return _counterpart(what), name


def _counterpart(function: Any) -> Any:
    return None


def set_counterpart(found_by: Callable[[Any], Any]) -> None:
    """Set the function that finds NumPy's counterpart of one of ours."""
    global _counterpart
    _counterpart = found_by


def _assign_flat(of: Any, key: Any, value: Any) -> None:
    conversion.host_view(of.base).flat[key] = value


def _assign(a: np.ndarray, key: Any, value: Any) -> None:
    a[key] = value


def _knows_of_integer(what: Any, kwargs: dict[str, Any]) -> bool:
    """Whether NumPy may know an answer, or its own error, where an integer is too large for a loop of ours.

    Comparisons with where= are left out, as NumPy's way to compare such integers may read what no array is.
    """
    of_ufunc = type(what) is _core.ufunc or isinstance(what, str)
    return of_ufunc and "where" not in kwargs and fallback.config.fallback != "error"


def take_over(kind: str, what: Any, args: tuple, kwargs: dict[str, Any], error: BaseException) -> Any:
    """NumPy's result of a call that ended in `error`; NotImplemented if the error is to be raised."""
    if from_within(sys._getframe(1)) or on_device(args, kwargs):
        return NotImplemented
    if isinstance(error, OverflowError) and not _knows_of_integer(what, kwargs):
        return NotImplemented
    if kind == "assignment":
        run(_assign, "__setitem__", args, kwargs, error)
        return None
    if kind == "operator":
        return run(OPERATORS[what], what, args, kwargs, error)
    if kind == "in place":
        run(_IN_PLACE[what], what, args, kwargs, error)
        return args[0]
    theirs, name = _theirs(kind, what, args)
    if theirs is None:
        return NotImplemented
    as_given = not {"device", "like"} & kwargs.keys()
    for ours in ("device", "like"):  # NumPy's functions lack `device`, and would dispatch on `like`
        kwargs.pop(ours, None)
    result = run(theirs, name, args, kwargs, error)
    if as_given and kind == "function" and fallback.is_only_counted("NumPy"):
        _core.note_numpys_call(theirs, (name, reason_of(error)))
    return result


# Files of libraries that use `empty_like` to test whether arrays hold records, and also handle those that do not.
ASKING_FOR_RECORDS: set[str] = set()


def asked(
    error: BaseException, frame: FrameType, theirs: Callable[..., Any], name: str, args: Any, kwargs: dict[str, Any]
) -> Any:
    """The same for NumPy's protocol call to one of our arrays that ended in `error`."""
    is_question = theirs is np.empty_like and frame.f_code.co_filename in ASKING_FOR_RECORDS
    if is_question or from_within(frame) or on_device(args, kwargs):
        raise error
    return run(theirs, name, args, kwargs, error)


_core.set_take_over(take_over, _HERE)
