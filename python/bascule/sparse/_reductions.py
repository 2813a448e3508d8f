"""Sums, means and variances of all elements, or along an axis."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._parts import majors, on_device, sums_of_rows
from ._products import FLOATS, product


class Reductions:
    """Reductions of sparse arrays; results along an axis have one axis."""

    __slots__ = ()

    def _reduced_axis(self: Any, axis: Any) -> int | None:
        if isinstance(axis, tuple):
            if sorted(a % 2 for a in axis) == [0, 1]:
                return None
            (axis,) = axis
        if axis is None:
            return None
        if not -2 <= axis < 2:
            raise ValueError("axis out of range")
        return axis % 2

    def sum(self: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
        """The sum of all elements, or the sums along an axis.

        Parameters
        ----------
        axis : {0, 1}, optional
        dtype : dtype, optional
            Of the sums; by default as in NumPy.
        out : array, optional
            It is written to, and returned.
        """
        reason = _not_native(self, dtype)
        if reason is not None:
            return self._by_scipy("sum", reason, axis=axis, dtype=dtype, out=out)
        found = _sums(self, self.data, self._reduced_axis(axis))
        return _given(found if dtype is None else found.astype(dtype), out)

    def mean(self: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
        """The mean of all elements, or the means along an axis.

        Parameters
        ----------
        axis : {0, 1}, optional
        dtype : dtype, optional
            Of the means; by default as in NumPy.
        out : array, optional
            It is written to, and returned.
        """
        reason = _not_native(self, dtype) or (None if min(self.shape) else "an array without elements")
        if reason is not None:
            return self._by_scipy("mean", reason, axis=axis, dtype=dtype, out=out)
        axis = self._reduced_axis(axis)
        found = _sums(self, self.data, axis) / _count(self, axis)
        return _given(found.astype(dtype or self.dtype), out)

    def var(self: Any, axis: Any = None, ddof: int = 0) -> Any:
        """The variance of all elements, or the variances along an axis, as those of the dense array.

        Parameters
        ----------
        axis : {0, 1}, optional
        ddof : int, optional
            The divisor is the number of elements less this.

        Examples
        --------
        >>> from bascule.sparse import csr_array
        >>> csr_array([[1.0, 0.0], [3.0, 4.0]]).var(axis=0)
        array([1., 4.])
        """
        of, axis = self._without_repeats(), self._reduced_axis(axis)
        n = _count(of, axis)
        values = of.data.astype(np.float64, copy=False)
        mean = _sums(of, values, axis) / n
        if axis is None:
            apart, zeros = values - mean, n - of.nnz
        else:
            positions = of.indices if axis == of._major else majors(of)
            apart = values - mean[positions]
            zeros = n - _sums(of, values * 0 + 1, axis)
        found = (_sums(of, apart * apart, axis) + zeros * mean * mean) / (n - ddof)
        return found.astype(self.dtype if self.dtype in FLOATS else np.float64)


def _not_native(of: Any, dtype: Any) -> str | None:
    if of.dtype not in FLOATS:
        return f"values of {of.dtype}"
    return None if dtype is None or np.dtype(dtype) in FLOATS else f"dtype={dtype!r}"


def _count(of: Any, axis: int | None) -> int:
    return of.shape[0] * of.shape[1] if axis is None else of.shape[axis]


def _given(found: Any, out: Any) -> Any:
    if out is None:
        return found
    out[...] = found
    return out


def _sums(of: Any, values: Any, axis: int | None) -> Any:
    """Sums of values at the positions of an array, in their type."""
    if axis is None:
        return values.sum()
    if axis == of._major:
        ones = on_device(np.ones(of.shape[axis], values.dtype), of.device, False)
        like = of._like(values)
        return product(like.T if axis == 0 else like, ones)
    return sums_of_rows(of, values)
