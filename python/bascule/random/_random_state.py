"""``RandomState``: NumPy's legacy streams, bit for bit."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, overload

import numpy as np

from .. import _core
from ..interop import mode
from ._legacy_docstrings import words
from ._numpy_streams import NumpysToo, bit_generator_of, brought_over, described, for_seed, shuffled

if TYPE_CHECKING:
    from builtins import bytes as _bytes

    from numpy.random import BitGenerator
    from numpy.typing import DTypeLike

    from .._array.types import _ArrayLike, _ShapeLike
    from .._core import ndarray

    _Seed: TypeAlias = _ArrayLike | np.random.SeedSequence | BitGenerator | None


class RandomState(np.random.RandomState, metaclass=NumpysToo):
    """``numpy.random.RandomState(seed)``: NumPy's legacy streams bit for bit, as bascule arrays.

    It is also an instance of NumPy's class, so that libraries which check seeds (SciPy, scikit-learn, pandas) accept
    it.

    Parameters
    ----------
    seed : None, int, array_like or bit generator, optional
        As in NumPy.

    Examples
    --------
    >>> import numpy as np
    >>> import bascule as bc
    >>> state = bc.random.RandomState(42)
    >>> bool((np.asarray(state.rand(3)) == np.random.RandomState(42).rand(3)).all())
    True
    """

    _in_place_of = np.random.RandomState
    _device: str | None = None  # the default device
    _poisson_lam_max = np.random.RandomState._poisson_lam_max

    def __init__(self, seed: _Seed = None) -> None:
        self._sample_from(np.random.RandomState(for_seed(seed)))

    def _on(self, device: str | None) -> RandomState:
        """This object, with later draws on a device."""
        self._device = device
        return self

    @classmethod
    def _of(cls, state: np.random.RandomState) -> RandomState:
        """A RandomState that shares the stream of NumPy's."""
        made = cls.__new__(cls)
        made._sample_from(state)
        return made

    def _sample_from(self, state: np.random.RandomState) -> None:
        self._numpy = state
        super().__init__(state._bit_generator)  # code that uses only NumPy's class finds the same bits

    if TYPE_CHECKING:  # the loop below makes these of NumPy's methods

        @overload
        def beta(self, a: _ArrayLike, b: _ArrayLike, size: None = None) -> Any: ...
        @overload
        def beta(self, a: _ArrayLike, b: _ArrayLike, size: _ShapeLike | None = None) -> ndarray: ...
        @overload
        def binomial(self, n: _ArrayLike, p: _ArrayLike, size: None = None) -> Any: ...
        @overload
        def binomial(self, n: _ArrayLike, p: _ArrayLike, size: _ShapeLike | None = None) -> ndarray: ...
        def bytes(self, length: int) -> _bytes: ...
        @overload
        def chisquare(self, df: _ArrayLike, size: None = None) -> Any: ...
        @overload
        def chisquare(self, df: _ArrayLike, size: _ShapeLike | None = None) -> ndarray: ...
        @overload
        def choice(
            self, a: _ArrayLike, size: None = None, replace: bool = True, p: _ArrayLike | None = None
        ) -> Any: ...
        @overload
        def choice(
            self, a: _ArrayLike, size: _ShapeLike | None = None, replace: bool = True, p: _ArrayLike | None = None
        ) -> ndarray: ...
        def dirichlet(self, alpha: _ArrayLike, size: _ShapeLike | None = None) -> ndarray: ...
        @overload
        def exponential(self, scale: _ArrayLike = 1.0, size: None = None) -> Any: ...
        @overload
        def exponential(self, scale: _ArrayLike = 1.0, size: _ShapeLike | None = None) -> ndarray: ...
        @overload
        def f(self, dfnum: _ArrayLike, dfden: _ArrayLike, size: None = None) -> Any: ...
        @overload
        def f(self, dfnum: _ArrayLike, dfden: _ArrayLike, size: _ShapeLike | None = None) -> ndarray: ...
        @overload
        def gamma(self, shape: _ArrayLike, scale: _ArrayLike = 1.0, size: None = None) -> Any: ...
        @overload
        def gamma(self, shape: _ArrayLike, scale: _ArrayLike = 1.0, size: _ShapeLike | None = None) -> ndarray: ...
        @overload
        def geometric(self, p: _ArrayLike, size: None = None) -> Any: ...
        @overload
        def geometric(self, p: _ArrayLike, size: _ShapeLike | None = None) -> ndarray: ...
        @overload
        def gumbel(self, loc: _ArrayLike = 0.0, scale: _ArrayLike = 1.0, size: None = None) -> Any: ...
        @overload
        def gumbel(self, loc: _ArrayLike = 0.0, scale: _ArrayLike = 1.0, size: _ShapeLike | None = None) -> ndarray: ...
        @overload
        def hypergeometric(
            self, ngood: _ArrayLike, nbad: _ArrayLike, nsample: _ArrayLike, size: None = None
        ) -> Any: ...
        @overload
        def hypergeometric(
            self, ngood: _ArrayLike, nbad: _ArrayLike, nsample: _ArrayLike, size: _ShapeLike | None = None
        ) -> ndarray: ...
        @overload
        def laplace(self, loc: _ArrayLike = 0.0, scale: _ArrayLike = 1.0, size: None = None) -> Any: ...
        @overload
        def laplace(
            self, loc: _ArrayLike = 0.0, scale: _ArrayLike = 1.0, size: _ShapeLike | None = None
        ) -> ndarray: ...
        @overload
        def logistic(self, loc: _ArrayLike = 0.0, scale: _ArrayLike = 1.0, size: None = None) -> Any: ...
        @overload
        def logistic(
            self, loc: _ArrayLike = 0.0, scale: _ArrayLike = 1.0, size: _ShapeLike | None = None
        ) -> ndarray: ...
        @overload
        def lognormal(self, mean: _ArrayLike = 0.0, sigma: _ArrayLike = 1.0, size: None = None) -> Any: ...
        @overload
        def lognormal(
            self, mean: _ArrayLike = 0.0, sigma: _ArrayLike = 1.0, size: _ShapeLike | None = None
        ) -> ndarray: ...
        @overload
        def logseries(self, p: _ArrayLike, size: None = None) -> Any: ...
        @overload
        def logseries(self, p: _ArrayLike, size: _ShapeLike | None = None) -> ndarray: ...
        def multinomial(self, n: _ArrayLike, pvals: _ArrayLike, size: _ShapeLike | None = None) -> ndarray: ...
        def multivariate_normal(
            self,
            mean: _ArrayLike,
            cov: _ArrayLike,
            size: _ShapeLike | None = None,
            check_valid: Literal["warn", "raise", "ignore"] = "warn",
            tol: float = 1e-08,
        ) -> ndarray: ...
        @overload
        def negative_binomial(self, n: _ArrayLike, p: _ArrayLike, size: None = None) -> Any: ...
        @overload
        def negative_binomial(self, n: _ArrayLike, p: _ArrayLike, size: _ShapeLike | None = None) -> ndarray: ...
        @overload
        def noncentral_chisquare(self, df: _ArrayLike, nonc: _ArrayLike, size: None = None) -> Any: ...
        @overload
        def noncentral_chisquare(self, df: _ArrayLike, nonc: _ArrayLike, size: _ShapeLike | None = None) -> ndarray: ...
        @overload
        def noncentral_f(self, dfnum: _ArrayLike, dfden: _ArrayLike, nonc: _ArrayLike, size: None = None) -> Any: ...
        @overload
        def noncentral_f(
            self, dfnum: _ArrayLike, dfden: _ArrayLike, nonc: _ArrayLike, size: _ShapeLike | None = None
        ) -> ndarray: ...
        @overload
        def normal(self, loc: _ArrayLike = 0.0, scale: _ArrayLike = 1.0, size: None = None) -> Any: ...
        @overload
        def normal(self, loc: _ArrayLike = 0.0, scale: _ArrayLike = 1.0, size: _ShapeLike | None = None) -> ndarray: ...
        @overload
        def pareto(self, a: _ArrayLike, size: None = None) -> Any: ...
        @overload
        def pareto(self, a: _ArrayLike, size: _ShapeLike | None = None) -> ndarray: ...
        def permutation(self, x: _ArrayLike) -> ndarray: ...
        @overload
        def poisson(self, lam: _ArrayLike = 1.0, size: None = None) -> Any: ...
        @overload
        def poisson(self, lam: _ArrayLike = 1.0, size: _ShapeLike | None = None) -> ndarray: ...
        @overload
        def power(self, a: _ArrayLike, size: None = None) -> Any: ...
        @overload
        def power(self, a: _ArrayLike, size: _ShapeLike | None = None) -> ndarray: ...
        def rand(self, *args: int) -> Any: ...
        @overload
        def randint(
            self, low: _ArrayLike, high: _ArrayLike | None = None, size: None = None, dtype: DTypeLike = ...
        ) -> Any: ...
        @overload
        def randint(
            self,
            low: _ArrayLike,
            high: _ArrayLike | None = None,
            size: _ShapeLike | None = None,
            dtype: DTypeLike = ...,
        ) -> ndarray: ...
        def randn(self, *args: int) -> Any: ...
        @overload
        def random(self, size: None = None) -> Any: ...
        @overload
        def random(self, size: _ShapeLike | None = None) -> ndarray: ...
        @overload
        def random_integers(self, low: _ArrayLike, high: _ArrayLike | None = None, size: None = None) -> Any: ...
        @overload
        def random_integers(
            self, low: _ArrayLike, high: _ArrayLike | None = None, size: _ShapeLike | None = None
        ) -> ndarray: ...
        @overload
        def random_sample(self, size: None = None) -> Any: ...
        @overload
        def random_sample(self, size: _ShapeLike | None = None) -> ndarray: ...
        @overload
        def rayleigh(self, scale: _ArrayLike = 1.0, size: None = None) -> Any: ...
        @overload
        def rayleigh(self, scale: _ArrayLike = 1.0, size: _ShapeLike | None = None) -> ndarray: ...
        @overload
        def standard_cauchy(self, size: None = None) -> Any: ...
        @overload
        def standard_cauchy(self, size: _ShapeLike | None = None) -> ndarray: ...
        @overload
        def standard_exponential(self, size: None = None) -> Any: ...
        @overload
        def standard_exponential(self, size: _ShapeLike | None = None) -> ndarray: ...
        @overload
        def standard_gamma(self, shape: _ArrayLike, size: None = None) -> Any: ...
        @overload
        def standard_gamma(self, shape: _ArrayLike, size: _ShapeLike | None = None) -> ndarray: ...
        @overload
        def standard_normal(self, size: None = None) -> Any: ...
        @overload
        def standard_normal(self, size: _ShapeLike | None = None) -> ndarray: ...
        @overload
        def standard_t(self, df: _ArrayLike, size: None = None) -> Any: ...
        @overload
        def standard_t(self, df: _ArrayLike, size: _ShapeLike | None = None) -> ndarray: ...
        @overload
        def tomaxint(self, size: None = None) -> Any: ...
        @overload
        def tomaxint(self, size: _ShapeLike | None = None) -> ndarray: ...
        @overload
        def triangular(self, left: _ArrayLike, mode: _ArrayLike, right: _ArrayLike, size: None = None) -> Any: ...
        @overload
        def triangular(
            self, left: _ArrayLike, mode: _ArrayLike, right: _ArrayLike, size: _ShapeLike | None = None
        ) -> ndarray: ...
        @overload
        def uniform(self, low: _ArrayLike = 0.0, high: _ArrayLike = 1.0, size: None = None) -> Any: ...
        @overload
        def uniform(self, low: _ArrayLike = 0.0, high: _ArrayLike = 1.0, size: _ShapeLike | None = None) -> ndarray: ...
        @overload
        def vonmises(self, mu: _ArrayLike, kappa: _ArrayLike, size: None = None) -> Any: ...
        @overload
        def vonmises(self, mu: _ArrayLike, kappa: _ArrayLike, size: _ShapeLike | None = None) -> ndarray: ...
        @overload
        def wald(self, mean: _ArrayLike, scale: _ArrayLike, size: None = None) -> Any: ...
        @overload
        def wald(self, mean: _ArrayLike, scale: _ArrayLike, size: _ShapeLike | None = None) -> ndarray: ...
        @overload
        def weibull(self, a: _ArrayLike, size: None = None) -> Any: ...
        @overload
        def weibull(self, a: _ArrayLike, size: _ShapeLike | None = None) -> ndarray: ...
        @overload
        def zipf(self, a: _ArrayLike, size: None = None) -> Any: ...
        @overload
        def zipf(self, a: _ArrayLike, size: _ShapeLike | None = None) -> ndarray: ...

    def get_state(self, legacy: bool = True) -> Any:
        return self._numpy.get_state(legacy)

    def set_state(self, state: Any) -> None:
        self._numpy.set_state(state)

    def seed(self, seed: _Seed = None) -> None:
        self._numpy.seed(for_seed(seed))

    def shuffle(self, x: _ArrayLike) -> None:
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
        if mode.pickles_are_theirs():
            return self._numpy.__reduce__()
        return _restore_state, (self._bit_generator, self._device), self.__getstate__()


def _restore_state(kind: Any, device: str | None = None) -> RandomState:
    return RandomState(bit_generator_of(kind))._on(device)


def _state_method(name: str) -> Callable[..., Any]:
    draw = getattr(np.random.RandomState, name)

    def method(self: RandomState, *args: Any, **kwargs: Any) -> Any:
        return brought_over(getattr(self._numpy, name), args, kwargs, self._device)

    return _core.drawing_method(described(method, draw, name, "RandomState", words(name, "RandomState")), draw)


for _name in dir(np.random.RandomState):
    if _name in vars(RandomState):
        if not _name.startswith("_"):
            vars(RandomState)[_name].__doc__ = words(_name, "RandomState")
    elif not _name.startswith("_"):
        setattr(RandomState, _name, _state_method(_name))
del _name


def global_state() -> RandomState:
    """The stream of the module's functions."""
    return RandomState._of(np.random.mtrand._rand)
