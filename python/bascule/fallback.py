"""Calls of functions that only NumPy has: run there on shared memory, converted back, counted and explained."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from . import _core
from ._array import conversion
from ._array.caller_warnings import at_users_line, warn
from .config import config
from .interop import mode


class FallbackWarning(UserWarning):
    """A call ran in NumPy or pandas because bascule does not implement it natively.

    It is shown once for each line of a program that makes such a call; `config.fallback` can silence it or make it an
    error.

    Examples
    --------
    >>> import warnings
    >>> import bascule as bc
    >>> with warnings.catch_warnings(record=True, action="always", category=bc.FallbackWarning) as said:
    ...     same = bc.array_equal(["a"], ["a"])
    >>> print(said[0].message)
    array_equal runs in NumPy: arrays hold no text
    """


_counts: Counter[tuple[str, str]] = Counter()


def fallbacks(reset: bool = False) -> list[dict[str, Any]]:
    """List the calls that ran in NumPy or pandas so far.

    Parameters
    ----------
    reset : bool
        Forget the counts afterwards.

    Returns
    -------
    list of dict
        One entry per function and reason, most frequent first: ``{"name", "reason", "calls"}``.

    Examples
    --------
    >>> import bascule as bc
    >>> with bc.config.set(fallback="silent"):
    ...     same = bc.array_equal(["a"], ["a"])
    >>> "arrays hold no text" in [entry["reason"] for entry in bc.fallbacks() if entry["name"] == "array_equal"]
    True
    """
    found = [{"name": n, "reason": r, "calls": k} for (n, r), k in _counts.most_common()]
    if reset:
        _counts.clear()
    return found


def note(name: str, reason: str, library: str) -> None:
    """Count a fallback; raise if the configuration forbids it."""
    if config.fallback == "error":
        raise NotImplementedError(f"[{name}] runs in {library} ({reason}), which config.fallback = 'error' forbids")
    _counts[name, reason] += 1


def refuse_on_gpu(name: str, reason: str, device: str, library: str = "pandas") -> None:
    """Raise where a call in another library would move data off a GPU, which only happens on request."""
    if device.startswith("cuda"):
        raise NotImplementedError(f"[{name}] exists only in {library} ({reason}), and the data are on {device}")


def report_fallback(name: str, reason: str) -> None:
    """Count an operation that ran on another device than the data's: files are read and written by the CPU device."""
    _counts[name, reason] += 1


def is_only_counted(library: str) -> bool:
    """Whether fallbacks to a library neither raise nor warn: in the accelerated mode, calls that run in NumPy or
    scikit-learn do not warn, since the program was written for them."""
    set_to = config.fallback
    return set_to == "silent" or set_to == "warn" and mode.on and library in ("NumPy", "scikit-learn")


def count_again(counted: tuple[str, str]) -> None:
    """Count a fallback, by its name and reason, that was only counted before."""
    _counts[counted] += 1


mode.follow(lambda on: _core.forget_calls())  # what is only counted in the mode may warn without it


def count(name: str, reason: str, library: str = "NumPy") -> None:
    """Count a fallback, and raise, warn or say nothing, as the configuration says."""
    note(name, reason, library)
    if not is_only_counted(library):
        warn(f"{name} runs in {library}: {reason}", FallbackWarning)


def _copied(x: Any) -> Any:
    from copy import copy  # imported here because few programs need it

    return copy(x)


def with_items(x: Any, f: Callable[[Any], Any]) -> Any:
    """A dict, list or tuple of the same class with f applied to each item; x itself if nothing changes."""
    if isinstance(x, dict):
        pairs = [(f(k), f(v)) for k, v in x.items()]
        if all(a is k and b is v for (a, b), (k, v) in zip(pairs, x.items())):
            return x
        made = _copied(x)  # keeps attributes of a derived class
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
        made = _copied(x)  # keeps attributes of a derived class
        made[:] = items
    except TypeError:  # a class that cannot be changed
        return items
    return made


def _to_host(x: Any) -> Any:
    if type(x) is _core.ndarray:
        return conversion.host_view(x)
    if type(x) is _core.ufunc:
        theirs = getattr(np, x.__name__, None)
        return theirs if isinstance(theirs, np.ufunc) else x
    return with_items(x, _to_host)


class SeenByNumpy:
    """The arguments of a call with our arrays as NumPy arrays over the same memory; it converts the result back."""

    def __init__(self) -> None:
        self._ours: dict[int, tuple[np.ndarray, Any]] = {}
        self._within: set[int] = set()  # lists that are gone through, each of which may hold itself

    def of(self, x: Any) -> Any:
        """x with NumPy's arrays and ufuncs in place of ours, also nested in dicts, lists and tuples.

        A dict in a list is an element, as other objects are.
        """
        if type(x) is _core.ndarray:
            view = conversion.host_view(x)
            self._ours[id(view)] = view, x
            return view
        if type(x) is _core.ufunc or x is _core.ndarray:
            return getattr(np, x.__name__, x)
        is_element = isinstance(x, dict) and self._within
        if not isinstance(x, (dict, list, tuple)) or is_element or id(x) in self._within:
            return x
        self._within.add(id(x))
        made = with_items(x, self.of)
        self._within.discard(id(x))
        return made

    def given_back(self, r: Any) -> Any:
        """A result of NumPy with its arrays as ours if we hold their type; views share their memory."""
        if isinstance(r, np.ndarray):
            if id(r) in self._ours:
                return self._ours[id(r)][1]
            if conversion.is_derived(r) or not conversion.is_held(r.dtype):
                return r
            return _core.from_numpy(r, "cpu", r.base is not None or not r.flags.writeable)
        if isinstance(r, tuple) and hasattr(r, "_fields"):
            return type(r)(*map(self.given_back, r))
        return type(r)(map(self.given_back, r)) if type(r) in (list, tuple) else r


def given_back(r: Any) -> Any:
    """A result that NumPy made of its own arrays, with arrays that we hold as ours."""
    return SeenByNumpy().given_back(r)


def over_shared_memory(theirs: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """NumPy's result of a call, with our arrays in the arguments and the result."""
    seen = SeenByNumpy()
    named = {k: seen.of(v) for k, v in kwargs.items()}
    return seen.given_back(theirs(*map(seen.of, args), **named))


_DEEPEST = 64  # as many axes as arrays have; a list may hold itself


def _first_array(x: Any, depth: int = 0) -> Any:
    if type(x) is _core.ndarray:
        return x
    if isinstance(x, dict):
        x = tuple(x.values())
    if isinstance(x, (list, tuple)) and depth < _DEEPEST:
        for v in x:
            found = _first_array(v, depth + 1)
            if found is not None:
                return found
    return None


def in_numpy(
    function: Any,
    args: tuple,
    kwargs: dict,
    name: str,
    reason: str = "not implemented natively",
    library: str = "NumPy",
) -> Any:
    """Call a function that bascule lacks on shared views of CPU arrays, count the call and convert its result."""
    why = f"exists only in {library} ({reason})"
    return on_shared_memory(function, args, kwargs, name, why, (reason, library))


def on_shared_memory(
    function: Any, args: tuple, kwargs: dict, name: str, why: str, counted: tuple[str, str] | None = None
) -> Any:
    """Call another library's function on shared views of CPU arrays and convert its result; `counted`, a reason and a
    library, makes it a fallback."""
    like = _first_array((args, kwargs))
    where = like.device if like is not None else config.device
    if where.startswith("cuda"):
        raise NotImplementedError(f"[{name}] {why}, and the arrays are on {where}")
    if counted is not None:
        count(name, *counted)
    out = kwargs.get("out")
    result = at_users_line(function, *_to_host(args), **_to_host(kwargs))
    if type(out) is _core.ndarray:
        return out
    return conversion.from_result(result, where, conversion.scalar_for(*args))


def wrapper(function: Any, name: str, library: str = "NumPy") -> Any:
    """A bascule function that calls NumPy's, or that of another library."""

    def call(*args: Any, **kwargs: Any) -> Any:
        return in_numpy(function, args, kwargs, name, library=library)

    call.__name__ = call.__qualname__ = name.rpartition(".")[2]
    call.__module__ = "bascule"
    call.__doc__ = f"{library}'s {name}, run in {library} on shared memory and counted by bascule.fallbacks().\n\n{function.__doc__ or ''}"
    call.__wrapped__ = function
    return call
