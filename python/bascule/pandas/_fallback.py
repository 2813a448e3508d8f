"""What only pandas has: run there on a copy, brought back, counted and explained."""

from __future__ import annotations

from typing import Any

import pandas

from .. import fallback as _fallback
from ._as_pandas import OWN_ACCESSORS
from ._writeback import Lent

_OPERATORS = {
    f"__{side}{n}__"
    for side in ("", "r")
    for n in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and", "or", "xor", "matmul", "divmod")
}
_SPECIAL = _OPERATORS | {
    "__abs__", "__neg__", "__pos__", "__invert__", "__round__", "__contains__", "__delitem__", "__array__",
    "__arrow_c_stream__", "__arrow_c_schema__", "__arrow_c_array__",
}  # fmt: skip


def to_pandas(x: Any, lent: dict[int, Lent] | None = None) -> Any:
    """x with every frame, series, index and array of bascule in it as pandas' or NumPy's; `lent` notes what has been."""
    if hasattr(x, "__bascule_to_pandas__"):
        if lent is None or not hasattr(x, "_become"):
            return x.__bascule_to_pandas__()
        if id(x) not in lent:
            lent[id(x)] = Lent(x, x.__bascule_to_pandas__())
        return lent[id(x)].there
    if isinstance(x, dict):
        return {to_pandas(k, lent): to_pandas(v, lent) for k, v in x.items()}
    if isinstance(x, (list, tuple)) and not hasattr(x, "_fields"):
        return type(x)(to_pandas(v, lent) for v in x)
    there = _fallback._to_host(x)
    return there[()] if there is not x and getattr(there, "ndim", 1) == 0 else there


def from_pandas(x: Any) -> Any:
    """x with pandas' frames, series and indexes in it as bascule's."""
    from . import _frame, _helpers, _index, _series

    if hasattr(x, "__bascule_to_pandas__"):
        return x
    if isinstance(x, pandas.DataFrame):
        return _frame.DataFrame._from_pandas(x)
    if isinstance(x, pandas.Series):
        return _series.Series._from_pandas(x)
    if isinstance(x, pandas.Index):
        return _index.from_pandas(x)
    if type(x) in (list, tuple):
        return type(x)(from_pandas(v) for v in x)
    if type(x) is dict:
        return {k: from_pandas(v) for k, v in x.items()}
    return _helpers.Helper(x) if isinstance(x, _helpers.KINDS) else x


def count(name: str, reason: str = "no code of its own", device: str = "cpu") -> None:
    """Note that a call runs in pandas; refuse where that would move data off a GPU."""
    if device.startswith("cuda"):
        raise NotImplementedError(f"[{name}] exists only in pandas ({reason}), and the data lie on {device}")
    _fallback.count(name, reason, "pandas")


def call(self: Any, name: str, args: tuple = (), kwargs: dict | None = None, reason: str = "no code of its own") -> Any:
    """Call pandas' method of that name on a copy of a frame, series or index; what it changes is changed here too."""
    count(f"{type(self).__name__}.{name}", reason, self._device())
    lent: dict[int, Lent] = {}
    there = to_pandas(self, lent)
    return on_lent(getattr(there, name), args, kwargs or {}, lent)


def on_lent(function: Any, args: tuple, kwargs: dict, lent: dict[int, Lent] | None = None, surely: bool = False) -> Any:
    """The result of a function of pandas on copies; what it changes in them is brought back, also when it raises."""
    lent = {} if lent is None else lent
    try:
        result = function(*to_pandas(args, lent), **to_pandas(kwargs, lent))
    finally:
        for one in lent.values():
            one.bring_back(surely)
    same = [one.own for one in lent.values() if one.there is result]
    return same[0] if same else from_pandas(result)


def _method(name: str, like: Any) -> Any:
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        return call(self, name, args, kwargs)

    method.__name__, method.__qualname__, method.__doc__ = name, name, getattr(like, "__doc__", None)
    method.__wrapped__ = like
    method.__bascule_fallback__ = True
    return method


def _attribute(name: str, like: Any) -> property:
    def read(self: Any) -> Any:
        count(f"{type(self).__name__}.{name}", device=self._device())
        return from_pandas(getattr(to_pandas(self), name))

    read.__bascule_fallback__ = True
    return property(read, doc=getattr(like, "__doc__", None))


def _constructor(name: str, theirs: type) -> classmethod:
    """Another way of making an object of a class: made by pandas, like whatever a class is given that is not bascule's."""

    def make(cls: type, *args: Any, **kwargs: Any) -> Any:
        return from_pandas(getattr(theirs, name)(*to_pandas(args), **to_pandas(kwargs)))

    make.__name__ = make.__qualname__ = name
    make.__doc__ = getattr(theirs, name).__doc__
    return classmethod(make)


def install(own: type, theirs: type) -> None:
    """Give a class every public member of pandas' class that it does not have itself."""
    for name in dir(theirs):
        if (name.startswith("_") and name not in _SPECIAL) or hasattr(own, name):
            continue
        if name in getattr(theirs, "_accessors", ()) and name not in OWN_ACCESSORS:
            continue  # registered by another library: read of our objects
        like = getattr(theirs, name)
        if getattr(like, "__self__", None) is theirs:
            setattr(own, name, _constructor(name, theirs))
            continue
        setattr(
            own, name, _method(name, like) if callable(like) and not isinstance(like, type) else _attribute(name, like)
        )


def module_function(name: str) -> Any:
    """pandas' function of that name for bascule's objects."""
    function = getattr(pandas, name)

    def call_it(*args: Any, **kwargs: Any) -> Any:
        count(f"pandas.{name}")
        return on_lent(function, args, kwargs)

    call_it.__name__ = call_it.__qualname__ = name
    call_it.__module__ = "bascule.pandas"
    call_it.__doc__ = function.__doc__
    call_it.__wrapped__ = function
    return call_it
