"""Permutations, shuffles and random samples."""

from __future__ import annotations

import math
import operator
from collections.abc import MutableSequence, Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from .. import _core, fallback
from .._array import caller_warnings as warned
from .._array.ufuncs import by_name
from ..interop import numpys_calls
from ..lib import manipulation, reductions, selection, sets, sorting
from ._parameters import host, quiet, shape_of
from ._sampling import Sampler, to_exponential

if TYPE_CHECKING:
    from .._array.types import _ArrayLike, _ShapeLike
    from .._core import ndarray


_PACKED = 2**24  # up to here, ties of the leading bits are too rare to affect a permutation
_SPARSE = 50  # samples of less than one part in so many are drawn one by one


_VIEWS = (
    "you are shuffling a {!r} object which is not a subclass of 'Sequence'; `shuffle` is not guaranteed to behave correctly. "
    "E.g., non-numpy array/tensor objects with view semantics may contain duplicates after shuffling."
)


class Orders(Sampler):
    """The mixin of the generator for permutations and samples."""

    def _bounded(self, width: Any, shape: tuple[int, ...], device: str | None = None) -> Any:
        """Integers below `width`, a number or an array of uint64 in which 0 stands for 2**64."""
        return self._bits.sample_from("bounded_integer", shape, (width,), device)

    def _order(self, count: int) -> Any:
        """A random order of `count` items, on the host: the order that sorts random bits."""
        bits = self._bits.sample("random_bits", (count,), np.uint64, "cpu")
        if count > _PACKED:
            return sorting.argsort(bits, kind="stable")
        # Sorting numbers is several times faster than sorting their indices, so each number has its index in its lowest
        # bits.
        low = np.uint64((1 << max(count - 1, 0).bit_length()) - 1)
        bits = sorting.sort((bits & ~low) | _core.arange(0, 1, count, np.dtype(np.uint64), "cpu"))
        return (bits & low).view(np.int64)

    def permutation(self, x: _ArrayLike, axis: int = 0) -> ndarray:
        """Return a shuffled copy, or a random order of ``range(x)``.

        Parameters
        ----------
        x : int or array_like
            Array to shuffle, or the length of a range.
        axis : int
            Axis along which slices are moved; each slice is kept.

        Returns
        -------
        ndarray

        Raises
        ------
        AxisError
            `axis` is out of range.

        Examples
        --------
        >>> import bascule as bc
        >>> sorted(bc.random.default_rng(0).permutation(4).tolist())
        [0, 1, 2, 3]
        """
        if isinstance(x, (int, np.integer)):
            count = max(int(x), 0)
            few = self._bits.order(count)
            return self._placed(self._order(count)) if few is None else few
        x = x if type(x) is _core.ndarray else self._arrived(_numbers(x), "permutation")
        axis = _axis(axis, x.ndim)
        if type(x) is not _core.ndarray:
            return x.take(host(self._order(x.shape[axis])), axis)
        order = self._bits.order(x.shape[axis]) if x.device == "cpu" else None
        if order is None:
            order = _core.to_device(self._order(x.shape[axis]), x.device, False)
        return _core.take(x, order, axis)

    def shuffle(self, x: _ArrayLike, axis: int = 0) -> None:
        """Reorder `x`, an array or a mutable sequence, in place.

        Parameters
        ----------
        x : ndarray or mutable sequence
            Array to shuffle.
        axis : int
            Axis along which slices are moved; 0 for sequences.

        Raises
        ------
        NotImplementedError
            Another `axis` for a sequence.
        TypeError
            `x` has no length, or its elements cannot be replaced.

        Examples
        --------
        >>> import bascule as bc
        >>> cards = ["a", "b", "c"]
        >>> bc.random.default_rng(0).shuffle(cards)
        >>> sorted(cards)
        ['a', 'b', 'c']
        """
        if isinstance(x, (_core.ndarray, np.ndarray)):
            if x.ndim == 0:
                raise TypeError("len() of unsized object")
            axis = _axis(axis, x.ndim)
            if type(x) is _core.ndarray:
                _core.assign(x, self.permutation(x, axis))
            else:
                x[...] = x.take(host(self._order(x.shape[axis])), axis)
            return
        if axis != 0:
            raise NotImplementedError("Axis argument is only supported on ndarray objects")
        self._shuffle_sequence(x)

    def _shuffle_sequence(self, x: Any) -> None:
        order = self._order(len(x)).tolist()
        if isinstance(x, MutableSequence):
            x[:] = [x[i] for i in order]
            return
        if not hasattr(x, "__setitem__"):
            raise TypeError(f"{type(x).__name__!r} object does not support item assignment")
        if not isinstance(x, Sequence):  # memoryview is accepted, too
            warned.warn(_VIEWS.format(type(x).__name__), UserWarning)
        for at, value in enumerate([x[i] for i in order]):
            x[at] = value

    def permuted(self, x: _ArrayLike, *, axis: int | None = None, out: ndarray | None = None) -> ndarray:
        """Shuffle every line along an axis independently.

        Parameters
        ----------
        x : array_like
            Array to shuffle.
        axis : int, optional
            Axis of the lines; by default all elements are one line.
        out : ndarray, optional
            Array of the shape of `x` to fill; it may be `x`.

        Returns
        -------
        ndarray
            Of the shape of `x`, or `out`.

        Raises
        ------
        AxisError
            `axis` is out of range.
        ValueError
            `out` has another shape.
        TypeError
            `out` is no array, or cannot hold the elements.

        Examples
        --------
        >>> import bascule as bc
        >>> x = bc.random.default_rng(0).permuted([[1, 2, 3], [4, 5, 6]], axis=1)
        >>> bc.sort(x, axis=1).tolist()
        [[1, 2, 3], [4, 5, 6]]
        """
        x = x if type(x) is _core.ndarray else self._arrived(_numbers(x), "permuted")
        if type(x) is not _core.ndarray:
            return self._permuted_in_numpy(x, axis, out)
        if out is not None:
            _check_permuted(out, x)
        if axis is not None:
            axis = operator.index(axis) if not isinstance(axis, float) else _no_float()
            axis = _axis(axis, x.ndim)
        elif x.ndim == 0:
            raise TypeError("len() of unsized object")
        result = x if x.size == 0 else self._permuted(x, axis)
        if out is None:
            return result if x.size else _core.astype(result, x.dtype, True)
        _core.assign(out, result)
        return out

    def _permuted_in_numpy(self, x: np.ndarray, axis: int | None, out: Any) -> np.ndarray:
        """For elements that arrays cannot hold: shuffle by their indices."""
        positions = np.arange(x.size).reshape(x.shape) if axis is None else np.indices(x.shape)[axis]
        order = host(self.permuted(positions, axis=axis))
        found = x.ravel()[order] if axis is None else np.take_along_axis(x, order, axis)
        if out is None:
            return found
        out[...] = found
        return out

    def _arrived(self, n: np.ndarray, name: str) -> Any:
        """NumPy's array on the generator's device; on the CPU NumPy's own, counted, if arrays cannot hold its elements."""
        try:
            return _core.from_numpy(n, self._bits.device)
        except _core.RefusedDtype as error:
            if (self._bits.device or _core.get_default_device()) != "cpu":
                raise
            fallback.count(name, numpys_calls.reason_of(error))
            return n

    def _permuted(self, x: Any, axis: int | None) -> Any:
        if axis is None or x.ndim == 1:
            flat = _core.reshape(x, (x.size,))
            order = _core.to_device(self._order(x.size), x.device, False)
            return _core.reshape(_core.take(flat, order, 0), x.shape)
        lines = manipulation.moveaxis(x, axis, -1)
        keys = self._bits.sample("random_bits", lines.shape, np.uint64, "cpu")
        order = _core.to_device(_core.argsort(keys, lines.ndim - 1), x.device, False)
        count = lines.shape[-1]
        starts = _core.arange(0, count, lines.size // count, np.int64, x.device).reshape((*lines.shape[:-1], 1))
        flat = _core.reshape(lines, (lines.size,))
        return manipulation.moveaxis(_core.take(flat, order + starts, 0), -1, axis)

    # ---- samples

    @overload
    def choice(
        self,
        a: _ArrayLike,
        size: None = None,
        replace: bool = True,
        p: _ArrayLike | None = None,
        axis: int = 0,
        shuffle: bool = True,
    ) -> Any: ...
    @overload
    def choice(
        self,
        a: _ArrayLike,
        size: _ShapeLike | None = None,
        replace: bool = True,
        p: _ArrayLike | None = None,
        axis: int = 0,
        shuffle: bool = True,
    ) -> ndarray: ...
    def choice(
        self, a: Any, size: Any = None, replace: bool = True, p: Any = None, axis: int = 0, shuffle: bool = True
    ) -> Any:
        """Draw a random sample from an array, or from ``range(a)``.

        Parameters
        ----------
        a : int or array_like
            Items to choose from.
        size : int or tuple of ints, optional
            Shape of the sample; by default one.
        replace : bool
            Whether an item may be chosen more than once.
        p : array_like, optional
            Probabilities of the items; by default all are equally likely.
        axis : int
            Axis whose slices are the items.
        shuffle : bool
            False allows a sample without replacement to come in an order that is not random; here the order is always
            random.

        Returns
        -------
        int, scalar or ndarray

        Raises
        ------
        ValueError
            There is no item to choose, there are too few without replacement, or `p` has no probabilities for them.

        Examples
        --------
        >>> import bascule as bc
        >>> sorted(bc.random.default_rng(0).choice(3, 3, replace=False).tolist())
        [0, 1, 2]
        """
        population, count = self._population(a, axis)
        shape = shape_of(size)
        wanted = math.prod(shape)
        if count < 1 and wanted:
            what = "a cannot be empty" if population is not None else "a must be a positive integer"
            raise ValueError(f"{what} unless no samples are taken")
        p = None if p is None else _probabilities(p, count)
        if replace:
            index = self._with_replacement(count, p, shape)
        else:
            index = self._placed(_core.reshape(self._without_replacement(count, p, wanted), shape))
        if population is None:
            return index if size is not None else int(_core.item(index, 0))
        if size is None and population.ndim == 1:
            return population[int(_core.item(index, 0))]
        if type(population) is not _core.ndarray:
            return population.take(host(index), axis)
        return _core.take(population, index, axis % population.ndim)

    def _population(self, a: Any, axis: int) -> tuple[Any, int]:
        """The array to choose from, or None for range(a), and its number of items."""
        if type(a) is not _core.ndarray:
            if np.ndim(a) == 0:
                try:
                    count = operator.index(a.item() if isinstance(a, np.ndarray) else a)
                except TypeError:
                    raise ValueError(f"a must be a sequence or an integer, not {type(a)}") from None
                return None, count
            a = self._arrived(np.asarray(a), "choice")
        elif a.ndim == 0:
            return None, operator.index(a)
        return a, a.shape[axis]

    def _placed(self, order: Any) -> Any:
        """A result on the host, copied to the generator's device."""
        return _core.to_device(order, self._bits.device or _core.get_default_device(), False)

    def _with_replacement(self, count: int, p: Any, shape: tuple[int, ...]) -> Any:
        if p is None:
            if not math.prod(shape):
                return _core.empty(shape, np.int64, self._bits.device)
            return _core.astype(self._bounded(count, shape), np.int64, False)
        steps = p.cumsum()
        uniform = self._bits.sample("random_uniform", shape, np.float64, "cpu")
        return self._placed(_core.searchsorted(steps / steps[-1], uniform, True))

    def _without_replacement(self, count: int, p: Any, wanted: int) -> Any:
        if wanted > count:
            raise ValueError("Cannot take a larger sample than population when replace is False")
        if p is None:
            return self._distinct(count, wanted) if wanted * _SPARSE < count else self._order(count)[:wanted]
        if reductions.count_nonzero(p) < wanted:
            raise ValueError("Fewer non-zero entries in p than size")
        return self._by_waiting(p, wanted)

    @quiet
    def _by_waiting(self, p: Any, wanted: int) -> Any:
        """Draw without replacement: items ordered by exponential waiting times with rates `p` have its distribution."""
        waits = to_exponential(self._bits.sample("random_uniform", p.shape, np.float64, "cpu"))
        return sorting.argsort(selection.where(p > 0, waits / p, np.inf), kind="stable")[:wanted]

    def _distinct(self, count: int, wanted: int) -> Any:
        """The first `wanted` different integers below `count` in a sequence of draws."""
        found = _core.empty((0,), np.int64, "cpu")
        while found.size < wanted:
            more = self._bounded(count, (wanted - found.size + wanted // 32 + 2,), "cpu")
            values, first = sets.unique(manipulation.concatenate([found, more.view(np.int64)]), return_index=True)
            found = values[sorting.argsort(first)]
        return found[:wanted]


def _numbers(x: Any) -> np.ndarray:
    x = np.asarray(x)
    if x.ndim == 0:
        return np.empty((), np.int8) if x.dtype.kind not in "biufc" else x
    return x


def _axis(axis: Any, ndim: int) -> int:
    if isinstance(axis, float):
        _no_float()
    axis = operator.index(axis)
    if not -ndim <= axis < ndim:
        raise np.exceptions.AxisError(axis, ndim)
    return axis % ndim


def _no_float() -> int:
    raise TypeError("integer argument expected, got float")


def _check_permuted(out: Any, x: Any) -> None:
    if type(out) is not _core.ndarray:
        raise TypeError("out must be a numpy array")
    if out.shape != x.shape:
        raise ValueError("out must have the same shape as x")
    if not np.can_cast(x.dtype, out.dtype, "safe"):
        raise TypeError(f"Cannot cast array data from {x.dtype!r} to {out.dtype!r} according to the rule 'safe'")


def _probabilities(p: Any, count: int) -> Any:
    """The probabilities, checked, in float64 on the host."""
    p = p if type(p) is _core.ndarray else _core.from_numpy(np.asarray(p, np.float64), "cpu")
    p = _core.to_device(p, "cpu", False).astype(np.float64, copy=False)
    if p.ndim != 1:
        raise ValueError("p must be 1-dimensional")
    if p.size != count:
        raise ValueError("a and p must have same size")
    if bool(by_name["isnan"](p).any()):
        raise ValueError("Probabilities contain NaN")
    if bool((p < 0).any()):
        raise ValueError("Probabilities are not non-negative")
    if abs(math.fsum(p.tolist()) - 1) > math.sqrt(np.finfo(np.float64).eps):
        raise ValueError("Probabilities do not sum to 1. See Notes section of docstring for more information.")
    return p
