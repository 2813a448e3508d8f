"""Distributions over integers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from .. import _core
from .._array.ufuncs import by_name
from ..lib import manipulation
from ._parameters import (
    POISSON_MOST,
    above_one,
    any_of,
    below_one,
    host,
    is_scalar,
    not_negative,
    on_device,
    poisson_mean,
    positive_number,
    positive_probability,
    probability,
    quiet,
    result_shape,
    shape_of,
    whole_parameter,
)
from ._sampling import Sampler

if TYPE_CHECKING:
    from .._array.types import _ArrayLike, _ShapeLike
    from .._core import ndarray


_sqrt = by_name["sqrt"]
_URN = 1_000_000_000  # NumPy's limit on either count of a hypergeometric urn
_PACKED = 2**32
_MOST = 2**63 - 1


class Counts(Sampler):
    """The mixin of the generator for distributions over integers."""

    @overload
    def poisson(self, lam: _ArrayLike = 1.0, size: None = None) -> Any: ...
    @overload
    def poisson(self, lam: _ArrayLike = 1.0, size: _ShapeLike | None = None) -> ndarray: ...
    def poisson(self, lam: Any = 1.0, size: Any = None) -> Any:
        """Draw from Poisson distributions.

        Parameters
        ----------
        lam : float or array_like of floats
            Mean, not negative and below about 2**63.
        size : int or tuple of ints, optional
            Shape of the result; by default that of `lam`.

        Returns
        -------
        int or ndarray of int64

        Raises
        ------
        ValueError
            `lam` is out of range, or shapes do not broadcast.

        Notes
        -----
        For means from 10 on Hormann's transformed rejection PTRS, 1993; below, inversion.

        Examples
        --------
        >>> import bascule as bc
        >>> bc.random.default_rng(0).poisson(5, size=3).shape
        (3,)
        """
        return self._sampled_alone("random_poisson", size, (poisson_mean(self._parameter(lam)),))

    @overload
    def binomial(self, n: _ArrayLike, p: _ArrayLike, size: None = None) -> Any: ...
    @overload
    def binomial(self, n: _ArrayLike, p: _ArrayLike, size: _ShapeLike | None = None) -> ndarray: ...
    def binomial(self, n: Any, p: Any, size: Any = None) -> Any:
        """Draw from binomial distributions.

        Parameters
        ----------
        n : int or array_like of ints
            Number of trials, not negative; computed in float64, so exact below 2**53.
        p : float or array_like of floats
            Probability of a success, in [0, 1].
        size : int or tuple of ints, optional
            Shape of the result; by default that of the parameters together.

        Returns
        -------
        int or ndarray of int64

        Raises
        ------
        ValueError
            A parameter is out of range, or shapes do not broadcast.

        Notes
        -----
        Hormann's transformed rejection BTRS, 1993; inversion if the expected count of the rarer outcome is below 10.

        Examples
        --------
        >>> import bascule as bc
        >>> bc.random.default_rng(0).binomial(10, [0.1, 0.9]).shape
        (2,)
        """
        p, n = self._parameter(p), whole_parameter(n)
        if isinstance(p, float) and not isinstance(n, int):
            p = probability(np.asarray(p))  # NumPy's error speaks of arrays if the other is one
            p = float(p)
        probability(p)
        n = on_device(not_negative(n, "n"), self._bits.device)
        return self._sampled_alone("random_binomial", size, (n, p))

    @overload
    def negative_binomial(self, n: _ArrayLike, p: _ArrayLike, size: None = None) -> Any: ...
    @overload
    def negative_binomial(self, n: _ArrayLike, p: _ArrayLike, size: _ShapeLike | None = None) -> ndarray: ...
    @quiet
    def negative_binomial(self, n: Any, p: Any, size: Any = None) -> Any:
        """Draw from negative binomial distributions.

        Parameters
        ----------
        n : float or array_like of floats
            Number of successes, above zero.
        p : float or array_like of floats
            Probability of a success, in (0, 1].
        size : int or tuple of ints, optional
            Shape of the result; by default that of the parameters together.

        Returns
        -------
        int or ndarray of int64

        Raises
        ------
        ValueError
            A parameter is out of range, the results would not fit into int64, or shapes do not broadcast.

        Notes
        -----
        Poisson numbers whose means are gamma variates.

        Examples
        --------
        >>> import bascule as bc
        >>> bc.random.default_rng(0).negative_binomial(1, 0.1, size=4).shape
        (4,)
        """
        n, p = positive_number(self._parameter(n), "n"), positive_probability(self._parameter(p))
        odds = (1.0 - p) / p
        highest = odds * (n + 10.0 * (n**0.5 if isinstance(n, float) else _sqrt(n)))
        if highest > POISSON_MOST if isinstance(highest, float) else bool((highest > POISSON_MOST).any()):
            raise ValueError("n too large or p too small, see Generator.negative_binomial Notes")

        def mixed(s: tuple[int, ...], d: str | None) -> Any:
            return self._sampled("random_poisson", s, d, self._sampled("random_gamma", s, d, n) * odds)

        return self._made(size, (n, p), mixed)

    @overload
    def geometric(self, p: _ArrayLike, size: None = None) -> Any: ...
    @overload
    def geometric(self, p: _ArrayLike, size: _ShapeLike | None = None) -> ndarray: ...
    def geometric(self, p: Any, size: Any = None) -> Any:
        """Draw from geometric distributions.

        Parameters
        ----------
        p : float or array_like of floats
            Probability of a success, in (0, 1].
        size : int or tuple of ints, optional
            Shape of the result; by default that of `p`.

        Returns
        -------
        int or ndarray of int64
            At least 1; larger numbers than 2**63 - 1 are clipped to it.

        Raises
        ------
        ValueError
            `p` is out of range, or shapes do not broadcast.

        Examples
        --------
        >>> import bascule as bc
        >>> bc.random.default_rng(0).geometric(1.0)
        1
        """
        return self._sampled_alone("random_geometric", size, (positive_probability(self._parameter(p)),))

    @overload
    def logseries(self, p: _ArrayLike, size: None = None) -> Any: ...
    @overload
    def logseries(self, p: _ArrayLike, size: _ShapeLike | None = None) -> ndarray: ...
    def logseries(self, p: Any, size: Any = None) -> Any:
        """Draw from logarithmic series distributions.

        Parameters
        ----------
        p : float or array_like of floats
            In [0, 1).
        size : int or tuple of ints, optional
            Shape of the result; by default that of `p`.

        Returns
        -------
        int or ndarray of int64

        Raises
        ------
        ValueError
            `p` is out of range, or shapes do not broadcast.

        Notes
        -----
        Kemp's algorithm LK, 1981.

        Examples
        --------
        >>> import bascule as bc
        >>> bc.random.default_rng(0).logseries(0.0)
        1
        """
        return self._sampled_alone("random_logseries", size, (below_one(self._parameter(p)),))

    @overload
    def zipf(self, a: _ArrayLike, size: None = None) -> Any: ...
    @overload
    def zipf(self, a: _ArrayLike, size: _ShapeLike | None = None) -> ndarray: ...
    def zipf(self, a: Any, size: Any = None) -> Any:
        """Draw from Zipf distributions.

        Parameters
        ----------
        a : float or array_like of floats
            Exponent, above one.
        size : int or tuple of ints, optional
            Shape of the result; by default that of `a`.

        Returns
        -------
        int or ndarray of int64

        Raises
        ------
        ValueError
            `a` is out of range, or shapes do not broadcast.

        Notes
        -----
        Devroye, "Non-Uniform Random Variate Generation", 1986, section X.6.1; conditional on values below 2**63.

        Examples
        --------
        >>> import bascule as bc
        >>> bc.random.default_rng(0).zipf(2000.0)
        1
        """
        return self._sampled_alone("random_zipf", size, (above_one(self._parameter(a), "a"),))

    # ---- urn models

    @overload
    def hypergeometric(self, ngood: _ArrayLike, nbad: _ArrayLike, nsample: _ArrayLike, size: None = None) -> Any: ...
    @overload
    def hypergeometric(
        self, ngood: _ArrayLike, nbad: _ArrayLike, nsample: _ArrayLike, size: _ShapeLike | None = None
    ) -> ndarray: ...
    def hypergeometric(self, ngood: Any, nbad: Any, nsample: Any, size: Any = None) -> Any:
        """Draw from hypergeometric distributions.

        Parameters
        ----------
        ngood, nbad : int or array_like of ints
            Numbers of good and bad objects: not negative, each below 10**9.
        nsample : int or array_like of ints
            Number of objects that are drawn, at most all.
        size : int or tuple of ints, optional
            Shape of the result; by default that of the parameters together.

        Returns
        -------
        int or ndarray of int64

        Raises
        ------
        ValueError
            A parameter is out of range, or shapes do not broadcast.

        Notes
        -----
        Stadlober's ratio of uniforms, 1990; inversion for samples of fewer than ten.

        Examples
        --------
        >>> import bascule as bc
        >>> bc.random.default_rng(0).hypergeometric(5, 0, 3)
        3
        """
        good, bad, taken = (whole_parameter(x) for x in (ngood, nbad, nsample))
        if any_of(good >= _URN) or any_of(bad >= _URN):
            raise ValueError(f"both ngood and nbad must be less than {_URN}")
        if any_of(good + bad < taken):
            raise ValueError("ngood + nbad < nsample")
        for x, name in ((good, "ngood"), (bad, "nbad"), (taken, "nsample")):
            not_negative(x, name)
        if not is_scalar((good, bad, taken)):
            result_shape(size, good, bad, taken)
        both = good + bad * _PACKED
        device = self._bits.device
        both, taken = on_device(both, device), on_device(taken, device)
        return self._sampled_alone("random_hypergeometric", size, (both, taken))

    def _shared_out(self, counts: Any, weights: np.ndarray, split: Any) -> Any:
        """Distribute counts over categories by splitting the categories in two parts, again and again. `weights`, with
        the categories as last axis, determine the share of a part in a count by ``split(count, left, right)``.
        """
        k = weights.shape[-1]
        width = 1 << max(k - 1, 0).bit_length()
        levels = [np.concatenate([weights, np.zeros((*weights.shape[:-1], width - k), weights.dtype)], axis=-1)]
        while levels[-1].shape[-1] > 1:
            levels.append(levels[-1][..., ::2] + levels[-1][..., 1::2])
        counts = counts[..., None]
        for level in levels[-2::-1]:
            left = split(counts, level[..., ::2], level[..., 1::2])
            counts = manipulation.stack([left, counts - left], axis=-1).reshape((*counts.shape[:-1], level.shape[-1]))
        return counts[..., :k]

    def multinomial(self, n: _ArrayLike, pvals: _ArrayLike, size: _ShapeLike | None = None) -> ndarray:
        """Draw from multinomial distributions.

        Parameters
        ----------
        n : int or array_like of ints
            Number of trials, not negative.
        pvals : array_like, shape (..., k)
            Probabilities of the outcomes; the last one is the remainder of the others.
        size : int or tuple of ints, optional
            Shape of the draws; by default that of `n` and `pvals` together.

        Returns
        -------
        ndarray of int64, shape ``(*size, k)``

        Raises
        ------
        ValueError
            A parameter is out of range, or shapes do not broadcast.

        Notes
        -----
        Binomial draws distribute a count between two parts of the outcomes, recursively.

        Examples
        --------
        >>> import bascule as bc
        >>> bc.random.default_rng(0).multinomial(20, [0.5, 0.25, 0.25]).sum().item()
        20
        """
        trials, p = host(n).astype(np.int64), host(pvals).astype(np.float64)
        if p.ndim < 1 or p.shape[-1] == 0:
            raise ValueError(
                "pvals must have at least 1 dimension and the last dimension of pvals must be greater than 0."
            )
        _check_outcomes(p, pvals)
        not_negative(trials, "n")
        shape = np.broadcast_shapes(trials.shape, p.shape[:-1], *([] if size is None else [shape_of(size)]))
        if size is not None and shape != shape_of(size):
            raise ValueError(
                f"Output size {shape_of(size)} is not compatible with broadcast dimensions of inputs {shape}."
            )
        p = np.concatenate([p[..., :-1], np.maximum(1 - p[..., :-1].sum(-1, keepdims=True), 0)], axis=-1)
        device = self._bits.device

        def split(counts: Any, left: np.ndarray, right: np.ndarray) -> Any:
            whole = left + right
            share = np.divide(left, whole, out=np.zeros_like(left), where=whole > 0)
            p = float(share[0]) if share.shape == (1,) else _core.from_numpy(share, device)
            n = (
                counts if counts.shape[-1] > 1 or trials.ndim else int(trials)
            )  # the first part of a number is drawn fast
            return self._sampled("random_binomial", (*counts.shape[:-1], left.shape[-1]), device, n, p)

        counts = _core.broadcast_to(_core.from_numpy(trials, device), shape)
        return self._shared_out(counts, p, split)

    def multivariate_hypergeometric(
        self,
        colors: _ArrayLike,
        nsample: _ArrayLike,
        size: _ShapeLike | None = None,
        method: Literal["count", "marginals"] = "marginals",
    ) -> ndarray:
        """Draw from multivariate hypergeometric distributions.

        Parameters
        ----------
        colors : sequence of ints, shape (k,)
            Number of objects of each color.
        nsample : int
            Number of objects that are drawn, at most all.
        size : int or tuple of ints, optional
            Shape of the draws; by default a single one.
        method : {'marginals', 'count'}
            As in NumPy it sets the limit of the total: below 10**9, or with 'count' below 2**32. The draws are the
            same.

        Returns
        -------
        ndarray of int64, shape ``(*size, k)``

        Raises
        ------
        ValueError
            A parameter is out of range.
        NotImplementedError
            The total is above 2**32 - 1.

        Notes
        -----
        Hypergeometric draws distribute the sample between two parts of the colors, recursively.

        Examples
        --------
        >>> import bascule as bc
        >>> bc.random.default_rng(0).multivariate_hypergeometric([2, 3], 5).tolist()
        [2, 3]
        """
        held = _urn(colors, nsample, method)
        device = self._bits.device

        def split(counts: Any, left: np.ndarray, right: np.ndarray) -> Any:
            both = _core.from_numpy(left.astype(np.uint64) + right.astype(np.uint64) * np.uint64(_PACKED), device)
            shape = (*counts.shape[:-1], left.shape[-1])
            return self._sampled("random_hypergeometric", shape, device, both, counts)

        counts = _core.full(shape_of(size), int(nsample), np.int64, device)
        return self._shared_out(counts, held, split) if held.size else counts[..., None][..., :0]


def _check_outcomes(p: np.ndarray, given: Any) -> None:
    probability(p, "pvals")
    if not (p[..., :-1].sum(axis=-1) > 1.0 + 1e-12).any():
        return
    if p.ndim > 1:
        raise ValueError("sum(pvals[...,:-1]) > 1.0")
    dtype = getattr(given, "dtype", p.dtype)
    if dtype.kind == "f" and dtype != p.dtype and p.sum() < 1.0001:
        raise ValueError(
            "sum(pvals[:-1].astype(np.float64)) > 1.0. The pvals array is cast to 64-bit floating point prior to "
            "checking the sum. Precision changes when casting may cause problems even if the sum of the original pvals "
            "is valid."
        )
    raise ValueError("sum(pvals[:-1]) > 1.0")


def _urn(colors: Any, nsample: Any, method: Any) -> np.ndarray:
    """The colors as int64, after NumPy's checks of all arguments."""
    if method not in ("count", "marginals"):
        raise ValueError('method must be "count" or "marginals".')
    try:
        taken = np.asarray(nsample)
        if taken.ndim or taken.dtype.kind not in "iu":
            raise TypeError
    except TypeError:
        raise ValueError("nsample must be an integer") from None
    if taken < 0:
        raise ValueError("nsample must be nonnegative.")
    held = host(colors)
    fits = held.ndim == 1 and (held.size == 0 or (held.dtype.kind in "iu" and bool((held >= 0).all())))
    if not fits or (held.size and int(held.max()) > _MOST):
        raise ValueError(f"colors must be a one-dimensional sequence of nonnegative integers not exceeding {_MOST}.")
    total = sum(map(int, held))
    if method == "marginals" and total >= _URN:
        raise ValueError(f'When method is "marginals", sum(colors) must be less than {_URN}.')
    if total > _MOST:
        raise ValueError(f"sum(colors) must not exceed the maximum value of a 64 bit signed integer ({_MOST})")
    if int(taken) > total:
        raise ValueError("nsample > sum(colors)")
    if total >= _PACKED:
        raise NotImplementedError(  # two counts share a word of 64 bits; NumPy's method would need 32 GiB here
            f"[multivariate_hypergeometric] the total must be below {_PACKED}, not {total}"
        )
    return held.astype(np.int64)
