"""What only NumPy has: run there on shared memory, brought back, counted and explained."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from copy import copy
from typing import Any

import numpy as np

from . import _core
from ._array import conversion
from ._array.caller_warnings import warn
from .config import config


class FallbackWarning(UserWarning):
    """A call ran in NumPy or pandas because bascule does not implement it natively.

    Once for each line of a program that calls; `config.fallback` can silence it or make it an error.

    Examples
    --------
    >>> import warnings
    >>> import bascule as bc
    >>> with warnings.catch_warnings(record=True, action="always", category=bc.FallbackWarning) as said:
    ...     same = bc.array_equal(["a"], ["a"])
    >>> print(said[0].message)
    array_equal runs in NumPy: dtypes that arrays do not support
    """


_counts: Counter[tuple[str, str]] = Counter()
_REFUSED = {
    "nditer": "iterates over elements in Python: use whole-array functions or numpy.nditer",
    "nested_iters": "iterates over elements in Python: use whole-array functions or numpy.nested_iters",
    "matrix": "is a class of NumPy's own: use two-dimensional arrays and @, or numpy.matrix",
    "asmatrix": "makes a class of NumPy's own: use two-dimensional arrays and @, or numpy.asmatrix",
    "bmat": "makes a class of NumPy's own: use block or numpy.bmat",
    "memmap": "maps files into NumPy arrays: bascule.asarray(numpy.memmap(...), copy=False) lies in one",
    "char": "works on text, which bascule arrays do not hold: use numpy.char",
    "strings": "works on text, which bascule arrays do not hold: use numpy.strings",
    "rec": "works on records, which bascule arrays do not hold: use numpy.rec",
    "recarray": "works on records, which bascule arrays do not hold: use numpy.recarray",
    "record": "works on records, which bascule arrays do not hold: use numpy.record",
    "ma": "is a class of NumPy's own: use numpy.ma",
    "test": "runs the tests of NumPy: use numpy.test",
    "frompyfunc": "makes arrays of objects, which bascule arrays do not hold: use vectorize or numpy.frompyfunc",
    "fromregex": "makes records, which bascule arrays do not hold: use numpy.fromregex",
    "ctypeslib": "hands NumPy's arrays to C: use numpy.ctypeslib, and an array's ctypes",
    "f2py": "compiles Fortran: use numpy.f2py",
    "chararray": "works on text, which bascule arrays do not hold: use numpy.char.chararray",
}


def fallbacks(reset: bool = False) -> list[dict[str, Any]]:
    """The calls that ran in NumPy or pandas so far.

    Parameters
    ----------
    reset : bool
        Forget the counts afterwards.

    Returns
    -------
    list of dict
        One entry a function and reason, most frequent first: ``{"name", "reason", "calls"}``.

    Examples
    --------
    >>> import bascule as bc
    >>> with bc.config.set(fallback="silent"):
    ...     same = bc.array_equal(["a"], ["a"])
    >>> [entry["reason"] for entry in bc.fallbacks() if entry["name"] == "array_equal"]
    ['dtypes that arrays do not support']
    """
    found = [{"name": n, "reason": r, "calls": k} for (n, r), k in _counts.most_common()]
    if reset:
        _counts.clear()
    return found


def note(name: str, reason: str, library: str) -> None:
    """Count a fallback; refuse it where the configuration says so."""
    if config.fallback == "error":
        raise NotImplementedError(f"[{name}] runs in {library} ({reason}), which config.fallback = 'error' forbids")
    _counts[name, reason] += 1


def tell(name: str, reason: str) -> None:
    """Count what ran on another device than the data's by what it is: files are read and written by the CPU device."""
    _counts[name, reason] += 1


def count(name: str, reason: str, library: str = "NumPy") -> None:
    """Note a fallback: refuse, warn or keep silent as the configuration says."""
    note(name, reason, library)
    if config.fallback == "warn":
        warn(f"{name} runs in {library}: {reason}", FallbackWarning)


def with_items(x: Any, f: Callable[[Any], Any]) -> Any:
    """A dict, list or tuple with f of each item, of the same class; x itself where f changes none, and what is no such."""
    if isinstance(x, dict):
        pairs = [(f(k), f(v)) for k, v in x.items()]
        if all(a is k and b is v for (a, b), (k, v) in zip(pairs, x.items())):
            return x
        made = copy(x)  # with what a derived class holds besides
        made.clear()
        made.update(pairs)
        return made
    if not isinstance(x, (list, tuple)):
        return x
    items = [f(v) for v in x]
    if all(a is b for a, b in zip(items, x)):
        return x
    if isinstance(x, tuple):
        return x._make(items) if hasattr(x, "_make") else type(x)(items)
    try:
        made = copy(x)  # with what a derived class holds besides
        made[:] = items
    except TypeError:  # one that refuses changes
        return items
    return made


def _to_host(x: Any) -> Any:
    if type(x) is _core.ndarray:
        return conversion.host_view(x)
    if type(x) is _core.ufunc:
        theirs = getattr(np, x.__name__, None)
        return theirs if isinstance(theirs, np.ufunc) else x
    return with_items(x, _to_host)


def _first_array(x: Any) -> Any:
    if type(x) is _core.ndarray:
        return x
    if isinstance(x, dict):
        x = tuple(x.values())
    if isinstance(x, (list, tuple)):
        return next((a for a in map(_first_array, x) if a is not None), None)
    return None


def in_numpy(
    function: Any,
    args: tuple,
    kwargs: dict,
    name: str,
    reason: str = "not implemented natively",
    library: str = "NumPy",
) -> Any:
    """Call a function that bascule lacks on shared views of CPU arrays, count it and bring its result back."""
    return on_shared_memory(function, args, kwargs, name, f"exists only in {library} ({reason})", (reason, library))


def on_shared_memory(
    function: Any, args: tuple, kwargs: dict, name: str, why: str, counted: tuple[str, str] | None = None
) -> Any:
    """Call another library's function on shared views of CPU arrays and bring its result back; `counted` makes it a
    fallback, by its reason and library."""
    like = _first_array((args, kwargs))
    where = like.device if like is not None else config.device
    if where.startswith("cuda"):
        raise NotImplementedError(f"[{name}] {why}, and the arrays are on {where}")
    if counted is not None:
        count(name, *counted)
    out = kwargs.get("out")
    result = function(*_to_host(args), **_to_host(kwargs))
    if type(out) is _core.ndarray:
        return out
    return conversion.from_result(result, where, conversion.scalar_beside(*args))


def wrapper(function: Any, name: str, library: str = "NumPy") -> Any:
    """A bascule function that calls NumPy's, or that of another library."""

    def call(*args: Any, **kwargs: Any) -> Any:
        return in_numpy(function, args, kwargs, name, library=library)

    call.__name__ = call.__qualname__ = name.rpartition(".")[2]
    call.__module__ = "bascule"
    call.__doc__ = f"{library}'s {name}, run in {library} on shared memory and counted by bascule.fallbacks().\n\n{function.__doc__ or ''}"
    call.__wrapped__ = function
    return call


def _refused(name: str) -> bool:
    return name in _REFUSED or name.startswith(("busday", "is_busday"))


def handed_on() -> list[str]:
    """The names of NumPy's that `attribute` gives: its constants, types, and functions that run there."""
    found = {name: vars(np).get(name) for name in np.__all__}  # modules that are not loaded yet are not asked for
    return [
        n
        for n, x in found.items()
        if not (n.startswith("_") or _refused(n) or isinstance(x, type(np))) and hasattr(np, n)
    ]


def attribute(name: str) -> Any:
    """What `bascule.<name>` is when bascule itself has no such name."""
    if _refused(name):
        why = _REFUSED.get(name, "works on calendars: use numpy." + name)
        raise AttributeError(f"bascule has no {name}: it {why}")
    if name.startswith("_"):
        raise AttributeError(f"module 'bascule' has no attribute {name!r}")
    try:
        found = getattr(np, name)
    except AttributeError as error:
        said = str(error)  # of names that it had once, NumPy tells what to use instead
        plain = f"module 'numpy' has no attribute {name!r}"
        raise AttributeError(f"module 'bascule' has no attribute {name!r}" if said == plain else said) from None
    if isinstance(found, type(np)):
        raise AttributeError(f"module 'bascule' has no attribute {name!r}")
    if isinstance(found, type) or not callable(found):
        return found
    return wrapper(found, name)
