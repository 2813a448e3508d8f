"""NumPy's own streams, bit for bit: what its generators draw, brought over as bascule's arrays."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import _core
from .._array import caller_warnings as warned
from ..documentation.sampling import words


def for_numpy(x: Any) -> Any:
    """x, an array of bascule as NumPy's."""
    return np.asarray(x) if type(x) is _core.ndarray else x


def brought_over(function: Callable[..., Any], args: Any, kwargs: Any, device: str | None = None) -> Any:
    """function(...) of NumPy, on NumPy's arguments, its arrays brought to a device."""
    if _core.ndarray in map(type, args):
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


def _described(method: Callable[..., Any], numpy: Any, name: str, owner: str, doc: str) -> Callable[..., Any]:
    method.__name__, method.__qualname__, method.__doc__ = name, f"{owner}.{name}", doc
    method.__signature__ = inspect.signature(numpy)  # type: ignore[attr-defined]
    return method


def generator_method(name: str) -> Callable[..., Any]:
    """``numpy.random.Generator.<name>`` of an object's `_numpy`, on its device."""

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        # What it shuffles it finds where NumPy can reach it.
        return brought_over(getattr(self._numpy, name), args, kwargs, getattr(self.bit_generator, "device", None))

    doc = f"Draw from NumPy's own stream: see ``numpy.random.Generator.{name}``."
    return _described(method, getattr(np.random.Generator, name), name, "Generator", doc)


def generator_names() -> list[str]:
    """The methods of NumPy's Generator that draw."""
    return [
        n for n in dir(np.random.Generator) if not n.startswith("_") and n not in ("bit_generator", "shuffle", "spawn")
    ]


def shuffled(shuffle: Callable[..., Any], x: Any, *axis: Any) -> None:
    """Shuffles `x` in place by NumPy's method, also where `x` lies on a device that NumPy cannot see."""
    if type(x) is _core.ndarray:
        there = _core.to_numpy(x)
        shuffle(there, *axis)
        _core.assign(x, _core.from_numpy(there, x.device))
        return
    warned.retold(shuffle, x, *axis)


class NumpysToo(type):
    """Of classes in the place of NumPy's, which libraries hand a program: those of NumPy's are instances, too."""

    def __instancecheck__(cls, x: Any) -> bool:
        return isinstance(x, vars(cls).get("_in_place_of", ())) or super().__instancecheck__(x)


class RandomState(np.random.RandomState, metaclass=NumpysToo):
    """``numpy.random.RandomState(seed)``: NumPy's legacy streams bit for bit, as bascule arrays.

    It is an instance of NumPy's class, too: what checks its seeds (SciPy, scikit-learn, pandas) takes it.

    Parameters
    ----------
    seed : None, int, array_like or bit generator, optional
        As NumPy takes it.

    Examples
    --------
    >>> import numpy as np
    >>> import bascule as bc
    >>> state = bc.random.RandomState(42)
    >>> bool((np.asarray(state.rand(3)) == np.random.RandomState(42).rand(3)).all())
    True
    """

    _in_place_of = np.random.RandomState
    _device: str | None = None  # the default one
    _poisson_lam_max = np.random.RandomState._poisson_lam_max

    def __init__(self, seed: Any = None):
        self._sample_from(np.random.RandomState(for_seed(seed)))

    def _on(self, device: str | None) -> RandomState:
        """This object, from now on sampling for a device."""
        self._device = device
        return self

    @classmethod
    def _of(cls, state: np.random.RandomState) -> RandomState:
        """One that draws from a stream of NumPy's, and shares it."""
        made = cls.__new__(cls)
        made._sample_from(state)
        return made

    def _sample_from(self, state: np.random.RandomState) -> None:
        self._numpy = state
        super().__init__(state._bit_generator)  # what knows only NumPy's class finds the same bits

    def get_state(self, legacy: bool = True) -> Any:
        return self._numpy.get_state(legacy)

    def set_state(self, state: Any) -> None:
        self._numpy.set_state(state)

    def seed(self, seed: Any = None) -> None:
        self._numpy.seed(for_seed(seed))

    def shuffle(self, x: Any) -> None:
        shuffled(self._numpy.shuffle, x)

    @property
    def _bit_generator(self) -> Any:
        return self._numpy._bit_generator

    def __repr__(self) -> str:
        return f"{self} at 0x{id(self):X}"

    def __str__(self) -> str:
        return str(self._numpy)

    def __getstate__(self) -> Any:
        return self._numpy.get_state(legacy=False)

    def __setstate__(self, state: Any) -> None:
        self._numpy.set_state(state)

    def __reduce__(self) -> Any:
        return _restore_state, (self._bit_generator, self._device), self.__getstate__()


def bit_generator_of(kind: Any) -> Any:
    """A bit generator, or a new one of NumPy's by its name."""
    return getattr(np.random, kind)() if isinstance(kind, str) else kind


def _restore_state(kind: Any, device: str | None = None) -> RandomState:
    return RandomState(bit_generator_of(kind))._on(device)


def _state_method(name: str) -> Callable[..., Any]:
    def method(self: RandomState, *args: Any, **kwargs: Any) -> Any:
        return brought_over(getattr(self._numpy, name), args, kwargs, self._device)

    return _described(method, getattr(np.random.RandomState, name), name, "RandomState", words(name, "RandomState"))


for _name in dir(np.random.RandomState):
    if _name in vars(RandomState):
        if not _name.startswith("_"):
            vars(RandomState)[_name].__doc__ = words(_name, "RandomState")
    elif not _name.startswith("_"):
        setattr(RandomState, _name, _state_method(_name))
del _name


# ---- the module's functions: one global stream, NumPy's own


def global_state() -> RandomState:
    """The stream that the module's functions draw from."""
    return RandomState._of(np.random.mtrand._rand)


SEEDED = ("SeedSequence", "PCG64", "PCG64DXSM", "MT19937", "SFC64", "Philox")
CLASSES = ("BitGenerator", *SEEDED)
_OWN = ("shuffle", "default_rng", "Generator", "RandomState", *CLASSES)
FUNCTIONS = [n for n in [*np.random.__all__, "get_bit_generator", "set_bit_generator"] if n not in _OWN]


class _Seeded(type):
    """NumPy's own objects are instances too."""

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
    return _Seeded(name, (numpy,), {**members, "__signature__": inspect.signature(numpy)})


def module_function(name: str) -> Callable[..., Any]:
    """``numpy.random.<name>``, its arrays brought over."""
    numpy = getattr(np.random, name)

    @functools.wraps(numpy)
    def sampled(*args: Any, **kwargs: Any) -> Any:
        return brought_over(numpy, args, kwargs)

    sampled.__module__ = "bascule.random"
    sampled.__doc__ = words(name)
    sampled.__signature__ = inspect.signature(numpy)  # type: ignore[attr-defined]
    return sampled


def shuffle(x: Any) -> None:
    shuffled(np.random.shuffle, x)


shuffle.__doc__ = words("shuffle")
