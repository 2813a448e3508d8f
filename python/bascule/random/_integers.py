"""Bounded integers and bytes."""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from .. import _core
from ._parameters import any_of, host, shape_of
from ._sampling import Sampler

if TYPE_CHECKING:
    from builtins import bytes as _bytes

    from numpy.typing import DTypeLike

    from .._array.types import _ArrayLike, _ShapeLike
    from .._core import ndarray


_WORD = 2**64
_HALF = 2**63
_WIDE = 2**32  # from here on some words are rejected


class Integers(Sampler):
    """The mixin of the generator for integers and bytes."""

    @overload
    def integers(
        self,
        low: _ArrayLike,
        high: _ArrayLike | None = None,
        size: None = None,
        dtype: DTypeLike = ...,
        endpoint: bool = False,
    ) -> Any: ...
    @overload
    def integers(
        self,
        low: _ArrayLike,
        high: _ArrayLike | None = None,
        size: _ShapeLike | None = None,
        dtype: DTypeLike = ...,
        endpoint: bool = False,
    ) -> ndarray: ...
    def integers(
        self, low: Any, high: Any = None, size: Any = None, dtype: Any = np.int64, endpoint: bool = False
    ) -> Any:
        """Draw integers from [low, high), or [low, high] if `endpoint` is true.

        Parameters
        ----------
        low : int or array_like of ints
            The least integer; without `high` the upper end of a range from 0.
        high : int or array_like of ints, optional
            The upper end.
        size : int or tuple of ints, optional
            Shape of the result; by default that of both ends together.
        dtype : dtype, optional
            A native integer type or bool.
        endpoint : bool
            Whether the upper end itself may be drawn.

        Returns
        -------
        scalar or ndarray
            Of type `dtype`.

        Raises
        ------
        ValueError
            A range is empty or does not fit into `dtype`, or shapes do not broadcast.
        TypeError
            Another `dtype`.

        Notes
        -----
        Every integer of a range has the same probability: Lemire, "Fast random integer generation in an interval",
        2019.

        Examples
        --------
        >>> import bascule as bc
        >>> bc.random.default_rng(0).integers(3, 4, size=2).tolist()
        [3, 3]
        """
        if high is None:
            low, high = 0, low
        if size is None and dtype is np.int64 and type(low) is int and type(high) is int:
            width = high - low + bool(endpoint)
            if -_HALF <= low and 0 < width < _WORD and low + width <= _HALF:
                return np.int64(low + self._bounded_word(width))
        wanted, dtype = dtype, np.dtype(dtype)
        if not dtype.isnative:
            raise ValueError(
                "Providing a dtype with a non-native byteorder is not supported. If you require "
                "platform-independent byteorder, call byteswap when required."
            )
        if dtype.kind not in "iub":
            raise TypeError(f"Unsupported dtype {dtype!r} for integers")
        if size is not None and math.prod(shape_of(size)) == 0:
            return _core.empty(shape_of(size), dtype, self._bits.device)
        if _is_number(low) and _is_number(high):
            low, high = int(low), int(high)
            _check_bounds(low, high, dtype, endpoint)
            width = (high - low + bool(endpoint)) % _WORD
            if size is None:
                value = low + self._bounded_word(width)
                return wanted(value) if wanted in (bool, int) else dtype.type(value)
            shape = shape_of(size)
            bounded = self._bits.sample_from("bounded_integer", shape or (1,), (width,))
            return _shaped(_shifted(bounded, low % _WORD, dtype), shape)
        return self._integers_between(_whole(low), _whole(high), size, dtype, endpoint)

    def _integers_between(self, low: np.ndarray, high: np.ndarray, size: Any, dtype: np.dtype, endpoint: bool) -> Any:
        _check_bounds(low, high, dtype, endpoint)
        shapes = [] if size is None else [shape_of(size)]
        shape = np.broadcast_shapes(*shapes, low.shape, high.shape)
        if size is not None and shape != shape_of(size):
            raise ValueError(
                f"Output size {shape_of(size)} is not compatible with broadcast dimensions of inputs {shape}."
            )
        low, high = _modulo_word(low), _modulo_word(high)
        device = self._bits.device
        width = _core.from_numpy(np.asarray(high - low + np.uint64(bool(endpoint))), device)
        bounded = self._bits.sample_from("bounded_integer", shape or (1,), (width,))
        return _shaped(_shifted(bounded, _core.from_numpy(low, device), dtype), shape)

    def _bounded_word(self, width: int) -> int:
        """An integer below `width`; 0 stands for 2**64."""
        if width == 0:
            return self._bits.word()
        if width >= _WIDE:
            return self._bits.number("bounded_integer", None, (width,))
        while True:  # rarely more than once
            product = self._bits.word() * width
            if product % _WORD >= width or product % _WORD >= _WORD % width:
                return product >> 64

    def bytes(self, length: int) -> _bytes:
        """Draw random bytes.

        Parameters
        ----------
        length : int
            Number of bytes.

        Returns
        -------
        bytes

        Raises
        ------
        TypeError
            `length` is not a number.
        ValueError
            `length` is negative.

        Examples
        --------
        >>> import bascule as bc
        >>> len(bc.random.default_rng(0).bytes(10))
        10
        """
        if not isinstance(length, (int, float, np.number)):
            raise TypeError("an integer is required")
        (length,) = shape_of(int(length))
        words = self._bits.sample("random_bits", ((length + 7) // 8,), np.uint64, "cpu")
        return _core.to_numpy(words).tobytes()[:length]


def _shifted(value: Any, low: Any, dtype: np.dtype) -> Any:
    """value + low as `dtype`, both modulo 2**64."""
    if not isinstance(low, int):
        value = value + low
    elif low:
        value = value + np.uint64(low)
    return _core.astype(value, dtype, False)


def _shaped(sampled: Any, shape: tuple[int, ...]) -> Any:
    """A single draw as an array without axes, since operators on such arrays would return a scalar."""
    return sampled if shape else _core.reshape(sampled, ())


def _whole(x: Any) -> np.ndarray:
    """Bounds as integers; Python's if they need more than 64 bits."""
    x = host(x)
    return x if x.dtype.kind in "iuO" else x.astype(np.int64)


def _modulo_word(x: np.ndarray) -> np.ndarray:
    return np.asarray(x % _WORD if x.dtype.kind == "O" else x).astype(np.uint64)


def _is_number(x: Any) -> bool:
    return isinstance(x, (int, float)) or np.ndim(x) == 0


@functools.cache
def _limits(dtype: np.dtype) -> tuple[int, int]:
    return (0, 1) if dtype.kind == "b" else (int(np.iinfo(dtype).min), int(np.iinfo(dtype).max))


def _check_bounds(low: Any, high: Any, dtype: np.dtype, endpoint: bool) -> None:
    """Raise unless low to high are non-empty ranges of `dtype`."""
    least, most = _limits(dtype)
    if any_of(low < least):
        raise ValueError(f"low is out of bounds for {dtype.name}")
    if any_of(high > most + (not endpoint)):
        raise ValueError(f"high is out of bounds for {dtype.name}")
    if any_of(low > high if endpoint else low >= high):
        if np.any(low):
            raise ValueError("low > high" if endpoint else "low >= high")
        raise ValueError("high < 0" if endpoint else "high <= 0")
