"""NumPy's own streams, bit for bit: its generators draw, and the results become bascule's arrays."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _core
from .._array import caller_warnings as warned
from .._array import conversion
from .._array.numpy_versions import signature_of
from ._legacy_docstrings import words

if TYPE_CHECKING:
    from .._array.types import _ArrayLike


def for_numpy(x: Any) -> Any:
    """x, with an array of bascule converted to NumPy's, and a list copied, as its elements may change it while NumPy reads."""
    return np.asarray(x) if type(x) is _core.ndarray else list(x) if type(x) is list else x


def brought_over(function: Callable[..., Any], args: Any, kwargs: Any, device: str | None = None) -> Any:
    """Call function(...) of NumPy with NumPy's arguments, and copy its arrays to a device."""
    args = tuple(map(for_numpy, args))
    if not kwargs:
        result = function(*args)
    else:
        result = function(*args, **{k: for_numpy(v) for k, v in kwargs.items()})
        if kwargs.get("out") is not None:
            return kwargs["out"]
    if type(result) is float or type(result) is int:
        return result
    is_array = isinstance(result, np.ndarray) and result.dtype.kind in "biufc"
    return _core.from_numpy(result, device) if is_array else result


def described(method: Callable[..., Any], numpy: Any, name: str, owner: str, doc: str) -> Callable[..., Any]:
    """The method under NumPy's name, with the signature of NumPy's, which is read when it is asked for."""
    method.__name__, method.__qualname__, method.__doc__ = name, f"{owner}.{name}", doc
    method.__wrapped__ = numpy  # type: ignore[attr-defined]
    return method


def generator_method(name: str) -> Callable[..., Any]:
    """``numpy.random.Generator.<name>`` of an object's `_numpy`, with results on its device."""
    draw = getattr(np.random.Generator, name)

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        # Arrays that it shuffles in place are on the host.
        return brought_over(getattr(self._numpy, name), args, kwargs, self._device)

    doc = f"Draw from NumPy's own stream: see ``numpy.random.Generator.{name}``."
    return _core.drawing_method(described(method, draw, name, "Generator", doc), draw)


def generator_names() -> list[str]:
    """The methods of NumPy's Generator that draw."""
    return [
        n for n in dir(np.random.Generator) if not n.startswith("_") and n not in ("bit_generator", "shuffle", "spawn")
    ]


def shuffled(shuffle: Callable[..., Any], x: Any, *axis: Any) -> None:
    """Shuffle `x` in place by NumPy's method, also if `x` is on a device that NumPy cannot access."""
    if type(x) is _core.ndarray and x.device == "cpu":
        shuffle(conversion.host_view(x), *axis)
        return
    if type(x) is _core.ndarray:
        there = _core.to_numpy(x)
        shuffle(there, *axis)
        _core.assign(x, _core.from_numpy(there, x.device))
        return
    if type(x) is list:  # the usual sequence, of which there is no warning
        shuffle(x, *axis)
    else:
        warned.at_users_line(shuffle, x, *axis)


class NumpysToo(type):
    """Metaclass of classes that replace NumPy's: instances of NumPy's class, which libraries return, count as theirs."""

    def __instancecheck__(cls, x: Any) -> bool:
        return isinstance(x, vars(cls).get("_in_place_of", ())) or super().__instancecheck__(x)


def bit_generator_of(kind: Any) -> Any:
    """A bit generator, or a new one of NumPy's of that name."""
    return getattr(np.random, kind)() if isinstance(kind, str) else kind


# ---- the module's functions: one global stream, NumPy's own


SEEDED = ("SeedSequence", "PCG64", "PCG64DXSM", "MT19937", "SFC64", "Philox")
CLASSES = ("BitGenerator", *SEEDED)
_OWN = ("shuffle", "default_rng", "Generator", "RandomState", *CLASSES)
FUNCTIONS = [n for n in [*np.random.__all__, "get_bit_generator", "set_bit_generator"] if n not in _OWN]


class _Seeded(type):
    """NumPy's own objects are instances, too."""

    def __instancecheck__(cls, x: Any) -> bool:
        return isinstance(x, cls.__mro__[1])


def for_seed(x: Any) -> Any:
    return x.item() if type(x) is _core.ndarray and x.ndim == 0 else for_numpy(x)


def seeded_class(name: str) -> type:
    """NumPy's class, which also takes bascule's arrays as seeds."""
    numpy = getattr(np.random, name)

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        numpy.__init__(self, *map(for_seed, args), **{k: for_seed(v) for k, v in kwargs.items()})

    example = f">>> import bascule as bc\n    >>> seeded = bc.random.{name}(bc.asarray([1, 2]))"
    doc = f"""``numpy.random.{name}``, which also takes bascule's arrays as seeds.

    Parameters
    ----------
    *args, **kwargs
        As NumPy's class takes them.

    Returns
    -------
    {name}
        An instance of NumPy's class, too.

    Examples
    --------
    {example}
    """
    members = {"__init__": __init__, "__module__": "bascule.random", "__doc__": doc}
    if (signature := signature_of(numpy)) is not None:
        members["__signature__"] = signature
    return _Seeded(name, (numpy,), members)


def module_function(name: str) -> Callable[..., Any]:
    """``numpy.random.<name>``, with its arrays as bascule's."""
    numpy = getattr(np.random, name)

    @functools.wraps(numpy)
    def sampled(*args: Any, **kwargs: Any) -> Any:
        return brought_over(numpy, args, kwargs)

    sampled.__module__ = "bascule.random"
    sampled.__doc__ = words(name)
    return _core.drawing(sampled, numpy)


def shuffle(x: _ArrayLike) -> None:
    shuffled(np.random.shuffle, x)


shuffle.__doc__ = words("shuffle")
