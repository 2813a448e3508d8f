"""Random numbers: counter-based by default, NumPy's own streams on request.

``default_rng(seed)`` draws from Philox4x32-10. Element ``i`` of the stream depends only on the seed and on ``i``, so
results are equal on every device and for any number of threads, and a large draw is a leaf of the lazy graph: it is
computed in the pass that uses it. Distributions that use rejection or a search draw each element from a separate
stream, which starts with the element's 64 bits of the main one. The numbers differ from NumPy's.
``Generator(PCG64(seed))``, ``Generator(MT19937(seed))``, ``SFC64``, ``RandomState(seed)``, the module's functions
(``random.rand``, …) and, after ``config.random = "numpy"``, ``default_rng`` too, draw from the installed NumPy and give
its streams bit for bit.
"""

from __future__ import annotations

import sys
import types
from typing import TYPE_CHECKING, Any

import numpy as np

from ..config import config
from ..interop import mode
from ._counter_bits import CounterBits
from ._discrete import Counts
from ._gamma import GammaFamily
from ._integers import Integers
from ._multivariate import Multivariate
from ._numpy_streams import (
    CLASSES,
    FUNCTIONS,
    SEEDED,
    NumpysToo,
    bit_generator_of,
    for_seed,
    generator_method,
    generator_names,
    module_function,
    seeded_class,
    shuffle,
    shuffled,
)
from ._parameters import POISSON_MOST
from ._permutations import Orders
from ._random_state import RandomState, global_state
from ._sampling import Sampler
from ._standard import Standard
from ._transforms import Transformed

__all__ = ["CounterBits", "Generator", "RandomState", "default_rng", "shuffle", *CLASSES, *FUNCTIONS]


class Generator(
    Standard, Transformed, Integers, Orders, GammaFamily, Counts, Multivariate, np.random.Generator, metaclass=NumpysToo
):
    """Samples from many distributions, with the interface of ``numpy.random.Generator``.

    It is also an instance of NumPy's class: libraries that check for one (SciPy, pandas, networkx) accept it and draw
    from it.

    Parameters
    ----------
    bit_generator : CounterBits or numpy.random.BitGenerator
        The source of the random bits. NumPy's bit generators give NumPy's exact streams.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.random.default_rng(0).normal(size=(2, 3)).shape
    (2, 3)
    """

    _in_place_of = np.random.Generator
    _poisson_lam_max = POISSON_MOST

    def __new__(cls, bit_generator: Any) -> Generator:
        if not isinstance(bit_generator, CounterBits):
            bit_generator.capsule  # noqa: B018 -- NumPy's bit generators have one; others raise as in NumPy
            return np.random.Generator.__new__(_NumpyGenerator)
        return np.random.Generator.__new__(cls)

    def __init__(self, bit_generator: CounterBits | BitGenerator) -> None:
        self._bits = self._bit_generator = bit_generator  # the second is NumPy's older name, which SciPy uses

    @property
    def bit_generator(self) -> Any:
        """The source of the random bits."""
        return self._bits

    def __repr__(self) -> str:
        return f"{self} at 0x{id(self):X}"

    def __str__(self) -> str:
        return f"Generator({type(self.bit_generator).__name__})"

    def __reduce__(self) -> Any:
        if mode.pickles_are_theirs() and isinstance(self.bit_generator, np.random.BitGenerator):
            return np.random.Generator(self.bit_generator).__reduce__()
        return _restore_generator, (self.bit_generator,), None

    def spawn(self, n_children: int) -> list[Generator]:
        """Create independent child generators.

        Parameters
        ----------
        n_children : int
            Number of children.

        Returns
        -------
        list of Generator

        Raises
        ------
        TypeError
            The seed cannot spawn children.

        Examples
        --------
        >>> import bascule as bc
        >>> len(bc.random.default_rng(0).spawn(3))
        3
        """
        return [Generator(b) for b in self.bit_generator.spawn(n_children)]


def _restore_generator(kind: Any) -> Generator:
    return Generator(bit_generator_of(kind))


class _NumpyGenerator(Generator):
    """NumPy's generator with its results as bascule arrays."""

    def __init__(self, bit_generator: Any):
        np.random.Generator.__init__(self, bit_generator)  # code that uses only NumPy's class finds the same bits
        self._numpy = np.random.Generator(bit_generator)
        self._device = getattr(bit_generator, "device", None)

    @property
    def bit_generator(self) -> Any:
        return self._numpy.bit_generator

    def shuffle(self, x: Any, axis: int = 0) -> None:
        """Reorder `x`, an array or a mutable sequence, in place."""
        shuffled(self._numpy.shuffle, x, axis)


for _name in generator_names():
    setattr(_NumpyGenerator, _name, generator_method(_name))
BitGenerator = np.random.BitGenerator

if TYPE_CHECKING:
    from ._random_state import _Seed

    _state = RandomState()
    beta = _state.beta
    binomial = _state.binomial
    bytes = _state.bytes
    chisquare = _state.chisquare
    choice = _state.choice
    dirichlet = _state.dirichlet
    exponential = _state.exponential
    f = _state.f
    gamma = _state.gamma
    geometric = _state.geometric
    get_state = _state.get_state
    gumbel = _state.gumbel
    hypergeometric = _state.hypergeometric
    laplace = _state.laplace
    logistic = _state.logistic
    lognormal = _state.lognormal
    logseries = _state.logseries
    multinomial = _state.multinomial
    multivariate_normal = _state.multivariate_normal
    negative_binomial = _state.negative_binomial
    noncentral_chisquare = _state.noncentral_chisquare
    noncentral_f = _state.noncentral_f
    normal = _state.normal
    pareto = _state.pareto
    permutation = _state.permutation
    poisson = _state.poisson
    power = _state.power
    rand = _state.rand
    randint = _state.randint
    randn = _state.randn
    random = _state.random
    random_integers = _state.random_integers
    random_sample = _state.random_sample
    ranf = _state.random_sample
    rayleigh = _state.rayleigh
    sample = _state.random_sample
    seed = _state.seed
    set_state = _state.set_state
    standard_cauchy = _state.standard_cauchy
    standard_exponential = _state.standard_exponential
    standard_gamma = _state.standard_gamma
    standard_normal = _state.standard_normal
    standard_t = _state.standard_t
    triangular = _state.triangular
    uniform = _state.uniform
    vonmises = _state.vonmises
    wald = _state.wald
    weibull = _state.weibull
    zipf = _state.zipf

    def get_bit_generator() -> BitGenerator: ...
    def set_bit_generator(bitgen: BitGenerator) -> None: ...

    class SeedSequence(np.random.SeedSequence): ...

    class PCG64(np.random.PCG64): ...

    class PCG64DXSM(np.random.PCG64DXSM): ...

    class MT19937(np.random.MT19937): ...

    class SFC64(np.random.SFC64): ...

    class Philox(np.random.Philox): ...


for _name in SEEDED:
    globals()[_name] = seeded_class(_name)
for _name in FUNCTIONS:
    globals()[_name] = module_function(_name)


def _module(name: str, **own: Any) -> types.ModuleType:
    """A module with the name of one in `numpy.random`: it has this module's members, and NumPy's for all others."""
    theirs = getattr(np.random, name)
    module = types.ModuleType(f"{__name__}.{name}", theirs.__doc__)
    for n in dir(theirs):
        if not n.startswith("_"):
            setattr(module, n, globals().get(n, getattr(theirs, n)))
    vars(module).update(own)
    sys.modules[module.__name__] = module
    return module


__path__: list[str] = []  # so that its modules can be imported
mtrand = _module("mtrand", _rand=global_state())
bit_generator = _module("bit_generator")
del _name


def default_rng(
    seed: _Seed | CounterBits | Generator | np.random.Generator | RandomState | np.random.RandomState = None,
) -> Generator:
    """Construct a Generator.

    Parameters
    ----------
    seed : None, int, sequence of ints, SeedSequence, bit generator or generator, optional
        As for NumPy's ``default_rng``. Generators of bascule are returned as they are.

    Returns
    -------
    Generator
        Counter-based, or NumPy's own if `seed` is one of its bit generators or ``config.random`` is "numpy".

    Examples
    --------
    >>> import bascule as bc
    >>> a, b = bc.random.default_rng(5), bc.random.default_rng(5)
    >>> a.integers(0, 2**40) == b.integers(0, 2**40)
    np.True_
    """
    if isinstance(seed, Sampler):
        return seed
    seed = for_seed(seed)
    if isinstance(seed, (CounterBits, np.random.BitGenerator)):
        return Generator(seed)
    if isinstance(seed, np.random.Generator):
        return Generator(seed.bit_generator)
    if isinstance(seed, (RandomState, np.random.RandomState)):
        return Generator(getattr(seed, "_numpy", seed)._bit_generator)
    return Generator(np.random.default_rng(seed).bit_generator if config.random == "numpy" else CounterBits(seed))
