"""Distributions computed from gamma variates, and the von Mises distribution."""

from __future__ import annotations

import functools
import math
import operator
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from .. import _core
from .._array.ufuncs import by_name, rows
from ..config import evaluate
from ..lib import manipulation
from ._parameters import Parameter, any_of, check_out, host, is_scalar, not_negative, positive, quiet, shape_of
from ._sampling import Sampler

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from .._array.types import _ArrayLike, _ShapeLike
    from .._core import ndarray


_exp, _maximum, _minimum, _rint, _sqrt = (by_name[n] for n in ("exp", "maximum", "minimum", "rint", "sqrt"))
_where = rows["where"]["ufunc"]
_MANY = 1e18  # Poisson numbers with larger means are normal ones
_COLUMNS = 16  # Dirichlet draws with at most so many shares are computed column by column


class GammaFamily(Sampler):
    """The mixin of the generator for distributions computed from gamma variates."""

    def _gamma(self, a: Parameter, shape: tuple[int, ...], device: str | None) -> Any:
        return self._sampled("random_gamma", shape, device, a)

    @overload
    def standard_gamma(
        self, shape: _ArrayLike, size: None = None, dtype: DTypeLike = ..., out: ndarray | None = None
    ) -> Any: ...
    @overload
    def standard_gamma(
        self, shape: _ArrayLike, size: _ShapeLike | None = None, dtype: DTypeLike = ..., out: ndarray | None = None
    ) -> ndarray: ...
    def standard_gamma(self, shape: Any, size: Any = None, dtype: Any = np.float64, out: Any = None) -> Any:
        """Draw from gamma distributions with scale 1.

        Parameters
        ----------
        shape : float or array_like of floats
            Not negative; 0 gives 0.
        size : int or tuple of ints, optional
            Shape of the result; by default that of `shape`.
        dtype : dtype, optional
            float64 or float32.
        out : ndarray, optional
            C-contiguous array of that type to fill.

        Returns
        -------
        float or ndarray

        Raises
        ------
        ValueError
            `shape` is negative, or shapes do not broadcast.
        TypeError
            Another `dtype`.

        Notes
        -----
        Marsaglia and Tsang, "A simple method for generating gamma variables", 2000.

        Examples
        --------
        >>> import bascule as bc
        >>> bc.random.default_rng(0).standard_gamma(2.0, size=3).shape
        (3,)
        """
        dtype = np.dtype(dtype)
        if dtype not in (np.float64, np.float32):
            raise TypeError(f"Unsupported dtype {dtype!r} for standard_gamma")
        a = not_negative(self._parameter(shape), "shape")
        if out is not None:
            check_out(out, size, dtype, c_order=True)
            size = out.shape
        elif size is None and isinstance(a, float) and dtype == np.float64:
            return self._sampled_alone("random_gamma", None, (a,))
        value = self._made(
            size, (a,), lambda s, d: _core.astype(self._gamma(a, s, out.device if out is not None else d), dtype, False)
        )
        if out is None:
            return value
        _core.assign(out, value)
        return out

    @overload
    def gamma(self, shape: _ArrayLike, scale: _ArrayLike = 1.0, size: None = None) -> Any: ...
    @overload
    def gamma(self, shape: _ArrayLike, scale: _ArrayLike = 1.0, size: _ShapeLike | None = None) -> ndarray: ...
    def gamma(self, shape: Any, scale: Any = 1.0, size: Any = None) -> Any:
        """Draw from gamma distributions with mean ``shape * scale``.

        Parameters
        ----------
        shape, scale : float or array_like of floats
            Not negative.
        size : int or tuple of ints, optional
            Shape of the result; by default that of the parameters together.

        Returns
        -------
        float or ndarray

        Raises
        ------
        ValueError
            A parameter is negative, or shapes do not broadcast.

        Examples
        --------
        >>> import bascule as bc
        >>> bc.random.default_rng(0).gamma([1.0, 2.0], 3.0).shape
        (2,)
        """
        a, scale = (not_negative(self._parameter(x), n) for x, n in ((shape, "shape"), (scale, "scale")))
        if size is None and is_scalar((a, scale)):
            return scale * self._sampled_alone("random_gamma", None, (a,))
        return self._made(size, (a, scale), lambda s, d: scale * self._gamma(a, s, d))

    @overload
    def beta(self, a: _ArrayLike, b: _ArrayLike, size: None = None) -> Any: ...
    @overload
    def beta(self, a: _ArrayLike, b: _ArrayLike, size: _ShapeLike | None = None) -> ndarray: ...
    def beta(self, a: Any, b: Any, size: Any = None) -> Any:
        """Draw from beta distributions over [0, 1].

        Parameters
        ----------
        a, b : float or array_like of floats
            Above zero.
        size : int or tuple of ints, optional
            Shape of the result; by default that of the parameters together.

        Returns
        -------
        float or ndarray

        Raises
        ------
        ValueError
            A parameter is not positive, or shapes do not broadcast.

        Notes
        -----
        One gamma variate divided by the sum of two; by their logarithms if a parameter below one could make both
        underflow.

        Examples
        --------
        >>> import bascule as bc
        >>> bc.random.default_rng(0).beta(2.0, 3.0, size=4).shape
        (4,)
        """
        a, b = positive(self._parameter(a), "a"), positive(self._parameter(b), "b")

        def share(s: tuple[int, ...], d: str | None) -> Any:
            if any_of(a < 1) or any_of(b < 1):
                log_x, log_y = (self._sampled("random_log_gamma", s, d, p) for p in (a, b))
                return 1.0 / (1.0 + _exp(log_y - log_x))
            x, y = self._gamma(a, s, d), self._gamma(b, s, d)
            return x / (x + y)

        return self._made(size, (a, b), share)

    def _chisquare(self, df: Parameter, s: tuple[int, ...], d: str | None) -> Any:
        return 2.0 * self._gamma(0.5 * df, s, d)

    @overload
    def chisquare(self, df: _ArrayLike, size: None = None) -> Any: ...
    @overload
    def chisquare(self, df: _ArrayLike, size: _ShapeLike | None = None) -> ndarray: ...
    def chisquare(self, df: Any, size: Any = None) -> Any:
        """Draw from chi-square distributions.

        Parameters
        ----------
        df : float or array_like of floats
            Degrees of freedom, above zero.
        size : int or tuple of ints, optional
            Shape of the result; by default that of `df`.

        Returns
        -------
        float or ndarray

        Raises
        ------
        ValueError
            `df` is not positive, or shapes do not broadcast.

        Examples
        --------
        >>> import bascule as bc
        >>> bc.random.default_rng(0).chisquare(2, size=3).shape
        (3,)
        """
        df = positive(self._parameter(df), "df")
        return self._made(size, (df,), lambda s, d: self._chisquare(df, s, d))

    def _noncentral(self, df: Parameter, nonc: Parameter, s: tuple[int, ...], d: str | None) -> Any:
        """The sum of a shifted normal number's square and a central variate, or for df <= 1 a Poisson mixture."""
        value = None
        if any_of(df > 1):
            z = self._normal(s, d) + _sqrt(nonc)
            value = z * z + self._chisquare(df - 1.0, s, d)
            if not any_of(df <= 1):
                return value
        half = 0.5 * nonc
        if any_of(half > _MANY) or any_of(half != half):
            mean = min(half, _MANY) if isinstance(half, float) else _minimum(half, _MANY)
            rest = half - mean  # normal instead of Poisson; NaN if `nonc` is NaN
            count = self._sampled("random_poisson", s, d, mean) + (rest + _sqrt(rest) * self._normal(s, d))
        else:
            count = self._sampled("random_poisson", s, d, half)
        mixed = 2.0 * self._gamma(0.5 * df + count, s, d)
        return mixed if value is None else _where(df > 1, value, mixed)

    @overload
    def noncentral_chisquare(self, df: _ArrayLike, nonc: _ArrayLike, size: None = None) -> Any: ...
    @overload
    def noncentral_chisquare(self, df: _ArrayLike, nonc: _ArrayLike, size: _ShapeLike | None = None) -> ndarray: ...
    def noncentral_chisquare(self, df: Any, nonc: Any, size: Any = None) -> Any:
        """Draw from noncentral chi-square distributions.

        Parameters
        ----------
        df : float or array_like of floats
            Degrees of freedom, above zero.
        nonc : float or array_like of floats
            Non-centrality, not negative.
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
        >>> bc.random.default_rng(0).noncentral_chisquare(3, 20, size=2).shape
        (2,)
        """
        df, nonc = positive(self._parameter(df), "df"), not_negative(self._parameter(nonc), "nonc")
        return self._made(size, (df, nonc), lambda s, d: self._noncentral(df, nonc, s, d))

    @overload
    def f(self, dfnum: _ArrayLike, dfden: _ArrayLike, size: None = None) -> Any: ...
    @overload
    def f(self, dfnum: _ArrayLike, dfden: _ArrayLike, size: _ShapeLike | None = None) -> ndarray: ...
    def f(self, dfnum: Any, dfden: Any, size: Any = None) -> Any:
        """Draw from F distributions.

        Parameters
        ----------
        dfnum, dfden : float or array_like of floats
            Degrees of freedom of numerator and denominator, above zero.
        size : int or tuple of ints, optional
            Shape of the result; by default that of the parameters together.

        Returns
        -------
        float or ndarray

        Raises
        ------
        ValueError
            A parameter is not positive, or shapes do not broadcast.

        Examples
        --------
        >>> import bascule as bc
        >>> bc.random.default_rng(0).f(1.0, 48.0, size=5).shape
        (5,)
        """
        n, m = positive(self._parameter(dfnum), "dfnum"), positive(self._parameter(dfden), "dfden")
        return self._made(size, (n, m), lambda s, d: self._chisquare(n, s, d) * m / (self._chisquare(m, s, d) * n))

    @overload
    def noncentral_f(self, dfnum: _ArrayLike, dfden: _ArrayLike, nonc: _ArrayLike, size: None = None) -> Any: ...
    @overload
    def noncentral_f(
        self, dfnum: _ArrayLike, dfden: _ArrayLike, nonc: _ArrayLike, size: _ShapeLike | None = None
    ) -> ndarray: ...
    def noncentral_f(self, dfnum: Any, dfden: Any, nonc: Any, size: Any = None) -> Any:
        """Draw from noncentral F distributions.

        Parameters
        ----------
        dfnum, dfden : float or array_like of floats
            Degrees of freedom of numerator and denominator, above zero.
        nonc : float or array_like of floats
            Non-centrality of the numerator, not negative.
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
        >>> bc.random.default_rng(0).noncentral_f(3, 20, 3.0, size=5).shape
        (5,)
        """
        n, m = positive(self._parameter(dfnum), "dfnum"), positive(self._parameter(dfden), "dfden")
        nonc = not_negative(self._parameter(nonc), "nonc")
        return self._made(
            size, (n, m, nonc), lambda s, d: self._noncentral(n, nonc, s, d) * m / (self._chisquare(m, s, d) * n)
        )

    @overload
    def standard_t(self, df: _ArrayLike, size: None = None) -> Any: ...
    @overload
    def standard_t(self, df: _ArrayLike, size: _ShapeLike | None = None) -> ndarray: ...
    def standard_t(self, df: Any, size: Any = None) -> Any:
        """Draw from Student's t distributions.

        Parameters
        ----------
        df : float or array_like of floats
            Degrees of freedom, above zero.
        size : int or tuple of ints, optional
            Shape of the result; by default that of `df`.

        Returns
        -------
        float or ndarray

        Raises
        ------
        ValueError
            `df` is not positive, or shapes do not broadcast.

        Examples
        --------
        >>> import bascule as bc
        >>> bc.random.default_rng(0).standard_t(10, size=2).shape
        (2,)
        """
        df = positive(self._parameter(df), "df")
        half = 0.5 * df
        return self._made(size, (df,), lambda s, d: self._normal(s, d) / _sqrt(self._gamma(half, s, d) / half))

    @overload
    def vonmises(self, mu: _ArrayLike, kappa: _ArrayLike, size: None = None) -> Any: ...
    @overload
    def vonmises(self, mu: _ArrayLike, kappa: _ArrayLike, size: _ShapeLike | None = None) -> ndarray: ...
    def vonmises(self, mu: Any, kappa: Any, size: Any = None) -> Any:
        """Draw angles from von Mises distributions, over [-pi, pi].

        Parameters
        ----------
        mu : float or array_like of floats
            Mode.
        kappa : float or array_like of floats
            Concentration, not negative.
        size : int or tuple of ints, optional
            Shape of the result; by default that of the parameters together.

        Returns
        -------
        float or ndarray

        Raises
        ------
        ValueError
            `kappa` is negative, or shapes do not broadcast.

        Notes
        -----
        Best and Fisher, "Efficient simulation of the von Mises distribution", 1979; for a concentration above a million
        a wrapped normal distribution.

        Examples
        --------
        >>> import bascule as bc
        >>> bc.random.default_rng(0).vonmises(0.0, 4.0, size=2).shape
        (2,)
        """
        mu, kappa = self._parameter(mu), not_negative(self._parameter(kappa), "kappa")

        def wrapped(s: tuple[int, ...], d: str | None) -> Any:
            angle = mu + self._sampled("random_vonmises", s, d, kappa)
            return angle - (2 * math.pi) * _rint(angle / (2 * math.pi))

        return self._made(size, (mu, kappa), wrapped)

    @quiet
    def dirichlet(self, alpha: _ArrayLike, size: _ShapeLike | None = None) -> ndarray:
        """Draw from Dirichlet distributions.

        Parameters
        ----------
        alpha : array_like, shape (k,)
            Not negative.
        size : int or tuple of ints, optional
            Shape of the draws; by default a single one.

        Returns
        -------
        ndarray, shape ``(*size, k)``

        Raises
        ------
        ValueError
            `alpha` is negative or has more than one dimension.

        Examples
        --------
        >>> import bascule as bc
        >>> bc.random.default_rng(0).dirichlet([1.0, 2.0, 3.0], size=4).shape
        (4, 3)
        """
        k = len(alpha)
        alpha = host(alpha).astype(np.float64)
        if alpha.ndim != 1:
            raise ValueError(
                "setting an array element with a sequence. The requested array would exceed the maximum number of "
                "dimension of 1."
            )
        if (alpha < 0).any():
            raise ValueError("alpha < 0")
        device, shape = self._bits.device, shape_of(size)
        if not alpha.any():
            return _core.full((*shape, k), 0.0, np.float64, device)
        if k <= _COLUMNS:
            return self._shares_by_column(alpha.tolist(), shape, device)
        a = _core.from_numpy(alpha, device)
        if alpha.max() >= 1:
            weight = self._gamma(a, (*shape, k), device)
        else:  # all may underflow, but their logarithms do not
            logarithm = self._sampled("random_log_gamma", (*shape, k), device, a)
            weight = _exp(logarithm - logarithm.max(axis=-1, keepdims=True))
        return weight / weight.sum(axis=-1, keepdims=True)

    def _shares_by_column(self, alpha: list[float], shape: tuple[int, ...], device: str | None) -> Any:
        """For few columns: one parameter and one pass over memory for each."""
        if max(alpha) >= 1:
            weights = [self._gamma(a, shape, device) for a in alpha]
        else:
            logarithms = [self._sampled("random_log_gamma", shape, device, a) for a in alpha]
            highest = functools.reduce(_maximum, logarithms)
            weights = [_exp(x - highest) for x in logarithms]
        evaluate(*weights)  # each is read twice, by the total and by its share
        total = functools.reduce(operator.add, weights)
        return manipulation.stack([w / total for w in weights], axis=-1)
