"""Distributions that are functions of uniform, normal or exponential numbers, and are lazy like those."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, overload

from .._array.ufuncs import by_name, rows
from ._parameters import any_of, not_negative, positive, quiet
from ._sampling import Sampler, to_exponential

if TYPE_CHECKING:
    from .._array.types import _ArrayLike, _ShapeLike
    from .._core import ndarray


_exp, _expm1, _log, _log1p, _sqrt, _tan = (by_name[n] for n in ("exp", "expm1", "log", "log1p", "sqrt", "tan"))
_where = rows["where"]["ufunc"]


class Transformed(Sampler):
    """The mixin of the generator that transforms uniform and normal numbers."""

    @overload
    def lognormal(self, mean: _ArrayLike = 0.0, sigma: _ArrayLike = 1.0, size: None = None) -> Any: ...
    @overload
    def lognormal(self, mean: _ArrayLike = 0.0, sigma: _ArrayLike = 1.0, size: _ShapeLike | None = None) -> ndarray: ...
    def lognormal(self, mean: Any = 0.0, sigma: Any = 1.0, size: Any = None) -> Any:
        """Draw from log-normal distributions: the exponential of normal ones.

        Parameters
        ----------
        mean : float or array_like of floats
            Mean of the logarithm.
        sigma : float or array_like of floats
            Standard deviation of the logarithm, not negative.
        size : int or tuple of ints, optional
            Shape of the result; by default that of the parameters together.

        Returns
        -------
        float or ndarray

        Raises
        ------
        ValueError
            A parameter is out of range, or shapes do not broadcast.

        Examples
        --------
        >>> import bascule as bc
        >>> bc.random.default_rng(0).lognormal(0, 0.5, size=3).shape
        (3,)
        """
        mean, sigma = self._parameter(mean), not_negative(self._parameter(sigma), "sigma")
        return self._made(size, (mean, sigma), lambda s, d: _exp(mean + sigma * self._normal(s, d)))

    @overload
    def laplace(self, loc: _ArrayLike = 0.0, scale: _ArrayLike = 1.0, size: None = None) -> Any: ...
    @overload
    def laplace(self, loc: _ArrayLike = 0.0, scale: _ArrayLike = 1.0, size: _ShapeLike | None = None) -> ndarray: ...
    def laplace(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        """Draw from Laplace distributions.

        Parameters
        ----------
        loc : float or array_like of floats
            Mean.
        scale : float or array_like of floats
            Mean distance from it, not negative.
        size : int or tuple of ints, optional
            Shape of the result; by default that of the parameters together.

        Returns
        -------
        float or ndarray

        Raises
        ------
        ValueError
            A parameter is out of range, or shapes do not broadcast.

        Notes
        -----
        The difference of two exponential numbers.

        Examples
        --------
        >>> import bascule as bc
        >>> bc.random.default_rng(0).laplace(0, 2, size=3).shape
        (3,)
        """
        loc, scale = self._parameter(loc), not_negative(self._parameter(scale), "scale")

        def difference(s: tuple[int, ...], d: str | None) -> Any:
            return loc + scale * (to_exponential(self._uniform(s, d)) - to_exponential(self._uniform(s, d)))

        return self._made(size, (loc, scale), difference)

    @overload
    def logistic(self, loc: _ArrayLike = 0.0, scale: _ArrayLike = 1.0, size: None = None) -> Any: ...
    @overload
    def logistic(self, loc: _ArrayLike = 0.0, scale: _ArrayLike = 1.0, size: _ShapeLike | None = None) -> ndarray: ...
    def logistic(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        """Draw from logistic distributions.

        Parameters
        ----------
        loc : float or array_like of floats
            Mean.
        scale : float or array_like of floats
            Scale, not negative.
        size : int or tuple of ints, optional
            Shape of the result; by default that of the parameters together.

        Returns
        -------
        float or ndarray

        Raises
        ------
        ValueError
            A parameter is out of range, or shapes do not broadcast.

        Notes
        -----
        By inversion.

        Examples
        --------
        >>> import bascule as bc
        >>> bc.random.default_rng(0).logistic(0, 2, size=3).shape
        (3,)
        """
        loc, scale = self._parameter(loc), not_negative(self._parameter(scale), "scale")

        def inverse(s: tuple[int, ...], d: str | None) -> Any:
            u = self._open_uniform(s, d)
            return loc + scale * (_log(u) - _log1p(-u))

        return self._made(size, (loc, scale), inverse)

    @overload
    def gumbel(self, loc: _ArrayLike = 0.0, scale: _ArrayLike = 1.0, size: None = None) -> Any: ...
    @overload
    def gumbel(self, loc: _ArrayLike = 0.0, scale: _ArrayLike = 1.0, size: _ShapeLike | None = None) -> ndarray: ...
    def gumbel(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        """Draw from Gumbel distributions.

        Parameters
        ----------
        loc : float or array_like of floats
            Mode.
        scale : float or array_like of floats
            Scale, not negative.
        size : int or tuple of ints, optional
            Shape of the result; by default that of the parameters together.

        Returns
        -------
        float or ndarray

        Raises
        ------
        ValueError
            A parameter is out of range, or shapes do not broadcast.

        Notes
        -----
        By inversion.

        Examples
        --------
        >>> import bascule as bc
        >>> bc.random.default_rng(0).gumbel(0, 2, size=3).shape
        (3,)
        """
        loc, scale = self._parameter(loc), not_negative(self._parameter(scale), "scale")
        return self._made(size, (loc, scale), lambda s, d: loc - scale * _log(-_log(self._open_uniform(s, d))))

    @overload
    def rayleigh(self, scale: _ArrayLike = 1.0, size: None = None) -> Any: ...
    @overload
    def rayleigh(self, scale: _ArrayLike = 1.0, size: _ShapeLike | None = None) -> ndarray: ...
    def rayleigh(self, scale: Any = 1.0, size: Any = None) -> Any:
        """Draw from Rayleigh distributions.

        Parameters
        ----------
        scale : float or array_like of floats
            Mode, not negative.
        size : int or tuple of ints, optional
            Shape of the result; by default that of the parameter.

        Returns
        -------
        float or ndarray

        Raises
        ------
        ValueError
            A parameter is out of range, or shapes do not broadcast.

        Notes
        -----
        By inversion.

        Examples
        --------
        >>> import bascule as bc
        >>> bc.random.default_rng(0).rayleigh(2, size=3).shape
        (3,)
        """
        scale = not_negative(self._parameter(scale), "scale")
        return self._made(size, (scale,), lambda s, d: scale * _sqrt(2.0 * to_exponential(self._uniform(s, d))))

    @overload
    def pareto(self, a: _ArrayLike, size: None = None) -> Any: ...
    @overload
    def pareto(self, a: _ArrayLike, size: _ShapeLike | None = None) -> ndarray: ...
    def pareto(self, a: Any, size: Any = None) -> Any:
        """Draw from Pareto II (Lomax) distributions.

        Parameters
        ----------
        a : float or array_like of floats
            Shape, above zero.
        size : int or tuple of ints, optional
            Shape of the result; by default that of the parameter.

        Returns
        -------
        float or ndarray

        Raises
        ------
        ValueError
            A parameter is out of range, or shapes do not broadcast.

        Notes
        -----
        By inversion.

        Examples
        --------
        >>> import bascule as bc
        >>> bc.random.default_rng(0).pareto(3, size=3).shape
        (3,)
        """
        a = positive(self._parameter(a), "a")
        return self._made(size, (a,), lambda s, d: _expm1(to_exponential(self._uniform(s, d)) / a))

    @overload
    def power(self, a: _ArrayLike, size: None = None) -> Any: ...
    @overload
    def power(self, a: _ArrayLike, size: _ShapeLike | None = None) -> ndarray: ...
    def power(self, a: Any, size: Any = None) -> Any:
        """Draw from power distributions over [0, 1] with density a * x**(a - 1).

        Parameters
        ----------
        a : float or array_like of floats
            Above zero.
        size : int or tuple of ints, optional
            Shape of the result; by default that of the parameter.

        Returns
        -------
        float or ndarray

        Raises
        ------
        ValueError
            A parameter is out of range, or shapes do not broadcast.

        Notes
        -----
        By inversion.

        Examples
        --------
        >>> import bascule as bc
        >>> bc.random.default_rng(0).power(3, size=3).shape
        (3,)
        """
        a = positive(self._parameter(a), "a")
        return self._made(size, (a,), lambda s, d: self._open_uniform(s, d) ** (1.0 / a))

    @overload
    def weibull(self, a: _ArrayLike, size: None = None) -> Any: ...
    @overload
    def weibull(self, a: _ArrayLike, size: _ShapeLike | None = None) -> ndarray: ...
    def weibull(self, a: Any, size: Any = None) -> Any:
        """Draw from Weibull distributions with scale 1.

        Parameters
        ----------
        a : float or array_like of floats
            Shape, not negative; 0 gives 0.
        size : int or tuple of ints, optional
            Shape of the result; by default that of the parameter.

        Returns
        -------
        float or ndarray

        Raises
        ------
        ValueError
            A parameter is out of range, or shapes do not broadcast.

        Notes
        -----
        By inversion.

        Examples
        --------
        >>> import bascule as bc
        >>> bc.random.default_rng(0).weibull(5, size=3).shape
        (3,)
        """
        a = not_negative(self._parameter(a), "a")
        return self._sampled_alone("random_weibull", size, (a,))

    @overload
    def triangular(self, left: _ArrayLike, mode: _ArrayLike, right: _ArrayLike, size: None = None) -> Any: ...
    @overload
    def triangular(
        self, left: _ArrayLike, mode: _ArrayLike, right: _ArrayLike, size: _ShapeLike | None = None
    ) -> ndarray: ...
    @quiet
    def triangular(self, left: Any, mode: Any, right: Any, size: Any = None) -> Any:
        """Draw from triangular distributions over [left, right].

        Parameters
        ----------
        left : float or array_like of floats
            Lower end.
        mode : float or array_like of floats
            Peak, between both ends.
        right : float or array_like of floats
            Upper end, above the lower one.
        size : int or tuple of ints, optional
            Shape of the result; by default that of the parameters together.

        Returns
        -------
        float or ndarray

        Raises
        ------
        ValueError
            A parameter is out of range, or shapes do not broadcast.

        Notes
        -----
        By inversion.

        Examples
        --------
        >>> import bascule as bc
        >>> bc.random.default_rng(0).triangular(-3, 0, 8, size=3).shape
        (3,)
        """
        left, mode, right = (self._parameter(x) for x in (left, mode, right))
        for wrong, text in (
            (left > mode, "left > mode"),
            (mode > right, "mode > right"),
            (left == right, "left == right"),
        ):
            if any_of(wrong):
                raise ValueError(text)
        width, below, above = right - left, mode - left, right - mode

        def inverse(s: tuple[int, ...], d: str | None) -> Any:
            u = self._uniform(s, d)
            rising, falling = left + _sqrt(u * (below * width)), right - _sqrt((1.0 - u) * (above * width))
            return _where(u <= below / width, rising, falling)

        return self._made(size, (left, mode, right), inverse)

    @overload
    def wald(self, mean: _ArrayLike, scale: _ArrayLike, size: None = None) -> Any: ...
    @overload
    def wald(self, mean: _ArrayLike, scale: _ArrayLike, size: _ShapeLike | None = None) -> ndarray: ...
    def wald(self, mean: Any, scale: Any, size: Any = None) -> Any:
        """Draw from Wald (inverse Gaussian) distributions.

        Parameters
        ----------
        mean : float or array_like of floats
            Above zero.
        scale : float or array_like of floats
            Above zero.
        size : int or tuple of ints, optional
            Shape of the result; by default that of the parameters together.

        Returns
        -------
        float or ndarray

        Raises
        ------
        ValueError
            A parameter is out of range, or shapes do not broadcast.

        Notes
        -----
        Michael, Schucany and Haas, "Generating random variates using transformations with multiple roots", 1976.

        Examples
        --------
        >>> import bascule as bc
        >>> bc.random.default_rng(0).wald(3, 2, size=3).shape
        (3,)
        """
        mean, scale = positive(self._parameter(mean), "mean"), positive(self._parameter(scale), "scale")

        def root(s: tuple[int, ...], d: str | None) -> Any:
            z = self._normal(s, d)
            w = z * z * (0.5 * mean / scale)
            # The two roots are written as mean / ratio and mean * ratio, so that neither loses digits.
            ratio = 1.0 + w + _sqrt(w) * _sqrt(w + 2.0)
            return _where(self._uniform(s, d) * (1.0 + ratio) <= ratio, mean / ratio, mean * ratio)

        return self._made(size, (mean, scale), root)

    @overload
    def standard_cauchy(self, size: None = None) -> Any: ...
    @overload
    def standard_cauchy(self, size: _ShapeLike | None = None) -> ndarray: ...
    def standard_cauchy(self, size: Any = None) -> Any:
        """Draw from the Cauchy distribution with median 0 and scale 1.

        Parameters
        ----------
        size : int or tuple of ints, optional
            Shape of the result; by default a single number.

        Returns
        -------
        float or ndarray

        Notes
        -----
        By inversion.

        Examples
        --------
        >>> import bascule as bc
        >>> bc.random.default_rng(0).standard_cauchy(3).shape
        (3,)
        """
        return self._made(size, (), lambda s, d: _tan(math.pi * (self._open_uniform(s, d) - 0.5)))
