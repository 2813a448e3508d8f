"""Uniform, normal and exponential numbers, all of them lazy."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from .. import _core
from .._array.ufuncs import by_name
from ._parameters import check_out, is_scalar, not_negative, shape_of
from ._sampling import Sampler, to_exponential

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from .._array.types import _ArrayLike, _ShapeLike
    from .._core import ndarray


_isfinite = by_name["isfinite"]
_NUMBERS = frozenset((int, float))


def _is_quiet(shift: float, scale: float) -> bool:
    """Whether products with this scale, and their sums with the shift, cannot overflow."""
    return abs(shift) < 1e150 and (scale == 0 or 1e-150 < scale < 1e150)


class Standard(Sampler):
    """The mixin of the generator that scales and shifts standard numbers."""

    def _standard(self, name: str, op: str, size: Any, dtype: Any, out: Any, finish: Any = None) -> Any:
        if out is None and dtype is np.float64:
            if type(size) is int:
                if (few := self._bits.few(op, size)) is not None:
                    return finish(few) if finish else few
            elif size is None and finish is None:
                return self._bits.number(op)
        dtype = np.dtype(dtype)
        if dtype not in (np.float64, np.float32):
            raise TypeError(f"Unsupported dtype {dtype!r} for {name}")
        scalar = size is None and out is None
        if scalar and finish is None:
            return self._bits.number(op, dtype)
        if scalar and dtype == np.float64:
            return float(finish(self._bits.number(op)))
        if out is not None:
            check_out(out, size, dtype)
        shape = shape_of(size) if out is None else out.shape
        device = "cpu" if scalar else None if out is None else out.device
        value = self._bits.sample(op, shape or (1,), dtype, device)  # operators on arrays without axes return scalars
        if finish:
            value = finish(value)
        if scalar:
            return _core.item(value, 0)
        value = value if shape else _core.reshape(value, ())
        if out is None:
            return value
        _core.assign(out, value)
        return out

    @overload
    def random(self, size: None = None, dtype: DTypeLike = ..., out: ndarray | None = None) -> Any: ...
    @overload
    def random(self, size: _ShapeLike | None = None, dtype: DTypeLike = ..., out: ndarray | None = None) -> ndarray: ...
    def random(self, size: Any = None, dtype: Any = np.float64, out: Any = None) -> Any:
        """Draw from the uniform distribution over [0, 1).

        Parameters
        ----------
        size : int or tuple of ints, optional
            Shape of the result; by default a single number.
        dtype : dtype, optional
            float64 or float32.
        out : ndarray, optional
            Contiguous array of that type to fill.

        Returns
        -------
        float or ndarray

        Raises
        ------
        TypeError
            Another `dtype`, or `out` has another one.
        ValueError
            `out` cannot be filled or has another shape than `size`.

        Examples
        --------
        >>> import bascule as bc
        >>> bc.random.default_rng(0).random((2, 3)).shape
        (2, 3)
        """
        if type(size) is int and out is None and dtype is np.float64:
            if (few := self._bits.few("random_uniform", size)) is not None:
                return few
        return self._standard("random", "random_uniform", size, dtype, out)

    @overload
    def standard_normal(self, size: None = None, dtype: DTypeLike = ..., out: ndarray | None = None) -> Any: ...
    @overload
    def standard_normal(
        self, size: _ShapeLike | None = None, dtype: DTypeLike = ..., out: ndarray | None = None
    ) -> ndarray: ...
    def standard_normal(self, size: Any = None, dtype: Any = np.float64, out: Any = None) -> Any:
        """Draw from the standard normal distribution.

        Parameters
        ----------
        size : int or tuple of ints, optional
            Shape of the result; by default a single number.
        dtype : dtype, optional
            float64 or float32.
        out : ndarray, optional
            Contiguous array of that type to fill.

        Returns
        -------
        float or ndarray

        Raises
        ------
        TypeError
            Another `dtype`, or `out` has another one.
        ValueError
            `out` cannot be filled or has another shape than `size`.

        Examples
        --------
        >>> import bascule as bc
        >>> bc.random.default_rng(0).standard_normal((2, 3)).shape
        (2, 3)
        """
        return self._standard("standard_normal", "random_normal", size, dtype, out)

    @overload
    def standard_exponential(
        self,
        size: None = None,
        dtype: DTypeLike = ...,
        method: Literal["zig", "inv"] = "zig",
        out: ndarray | None = None,
    ) -> Any: ...
    @overload
    def standard_exponential(
        self,
        size: _ShapeLike | None = None,
        dtype: DTypeLike = ...,
        method: Literal["zig", "inv"] = "zig",
        out: ndarray | None = None,
    ) -> ndarray: ...
    def standard_exponential(
        self, size: Any = None, dtype: Any = np.float64, method: Any = "zig", out: Any = None
    ) -> Any:
        """Draw from the exponential distribution with scale 1.

        Parameters
        ----------
        size : int or tuple of ints, optional
            Shape of the result; by default a single number.
        dtype : dtype, optional
            float64 or float32.
        method : {'zig', 'inv'}
            NumPy's choice of algorithms; here both use inversion.
        out : ndarray, optional
            Contiguous array of that type to fill.

        Returns
        -------
        float or ndarray

        Raises
        ------
        TypeError
            Another `dtype`, or `out` has another one.
        ValueError
            `out` cannot be filled or has another shape than `size`.

        Examples
        --------
        >>> import bascule as bc
        >>> bc.random.default_rng(0).standard_exponential((2, 3)).shape
        (2, 3)
        """
        if not isinstance(method, str):
            raise TypeError(f"Expected str, got {type(method).__name__}")
        return self._standard("standard_exponential", "random_uniform", size, dtype, out, to_exponential)

    def _affine(self, op: str, size: Any, shift: Any, scale: Any, finish: Any = None) -> Any:
        if size is None and finish is None and is_scalar((shift, scale)):
            return shift + scale * self._bits.number(op)

        if finish is None and type(size) is int and type(shift) is float and type(scale) is float:
            if (few := self._bits.few(op, size, shift, scale)) is not None:
                return few

        def from_standard(value: Any) -> Any:
            if finish:
                value = finish(value)
            if not isinstance(scale, float) or scale != 1:
                value = scale * value
            return value if isinstance(shift, float) and shift == 0 else shift + value

        def moved(s: tuple[int, ...], d: str | None) -> Any:
            return from_standard(self._bits.sample(op, s, np.float64, d))

        if is_scalar((shift, scale)) and _is_quiet(shift, scale):
            if size is None:
                return float(from_standard(self._bits.number(op)))
            if type(size) is int and (few := self._bits.few(op, size)) is not None:
                return from_standard(few)
            shape = shape_of(size)
            r = moved(shape or (1,), self._device_of(()))
            return r if shape else _core.reshape(r, ())
        return self._made(size, (shift, scale), moved)

    @overload
    def normal(self, loc: _ArrayLike = 0.0, scale: _ArrayLike = 1.0, size: None = None) -> Any: ...
    @overload
    def normal(self, loc: _ArrayLike = 0.0, scale: _ArrayLike = 1.0, size: _ShapeLike | None = None) -> ndarray: ...
    def normal(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        """Draw from normal distributions.

        Parameters
        ----------
        loc : float or array_like of floats
            Mean.
        scale : float or array_like of floats
            Standard deviation, not negative.
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
        >>> bc.random.default_rng(0).normal(10, 2, size=3).shape
        (3,)
        """
        if size is None and type(loc) is float and type(scale) is float and scale > 0:
            return loc + scale * self._bits.number("random_normal")
        if type(size) is int and type(loc) in _NUMBERS and type(scale) in _NUMBERS and scale > 0:
            if (few := self._bits.few("random_normal", size, float(loc), float(scale))) is not None:
                return few
        loc, scale = self._parameter(loc), not_negative(self._parameter(scale), "scale")
        return self._affine("random_normal", size, loc, scale)

    @overload
    def uniform(self, low: _ArrayLike = 0.0, high: _ArrayLike = 1.0, size: None = None) -> Any: ...
    @overload
    def uniform(self, low: _ArrayLike = 0.0, high: _ArrayLike = 1.0, size: _ShapeLike | None = None) -> ndarray: ...
    def uniform(self, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
        """Draw from uniform distributions over [low, high).

        Parameters
        ----------
        low : float or array_like of floats
            Lower end.
        high : float or array_like of floats
            Upper end, not below the lower one.
        size : int or tuple of ints, optional
            Shape of the result; by default that of the parameters together.

        Returns
        -------
        float or ndarray

        Raises
        ------
        ValueError
            `high` is less than `low`, or shapes do not broadcast.
        OverflowError
            The difference is not finite.

        Examples
        --------
        >>> import bascule as bc
        >>> bc.random.default_rng(0).uniform(-1, 1, size=3).shape
        (3,)
        """
        if type(size) is int and type(low) in _NUMBERS and type(high) in _NUMBERS and 0 < high - low < math.inf:
            if (few := self._bits.few("random_uniform", size, float(low), float(high) - float(low))) is not None:
                return few
        low, high = self._parameter(low), self._parameter(high)
        if isinstance(low, float) and isinstance(high, float):
            width = high - low
            if not math.isfinite(width):
                raise OverflowError("high - low range exceeds valid bounds")
        else:
            with np.errstate(all="ignore"):
                width = high - low
            if not _isfinite(width).all():
                raise OverflowError("Range exceeds valid bounds")
        return self._affine("random_uniform", size, low, not_negative(width, "high - low"))

    @overload
    def exponential(self, scale: _ArrayLike = 1.0, size: None = None) -> Any: ...
    @overload
    def exponential(self, scale: _ArrayLike = 1.0, size: _ShapeLike | None = None) -> ndarray: ...
    def exponential(self, scale: Any = 1.0, size: Any = None) -> Any:
        """Draw from exponential distributions.

        Parameters
        ----------
        scale : float or array_like of floats
            Mean, not negative.
        size : int or tuple of ints, optional
            Shape of the result; by default that of the parameter.

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
        >>> bc.random.default_rng(0).exponential(2.0, size=3).shape
        (3,)
        """
        scale = not_negative(self._parameter(scale), "scale")
        return self._affine("random_uniform", size, 0.0, scale, to_exponential)
