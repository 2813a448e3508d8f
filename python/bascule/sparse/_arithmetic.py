"""Arithmetic with numbers and with dense arrays that scale rows, columns or elements: positions stay as they are."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _core
from ._parts import majors

# Functions of elements that leave nought as it is.
_FUNCTIONS = (
    "arcsin", "arcsinh", "arctan", "arctanh", "ceil", "deg2rad", "expm1", "floor", "log1p", "rad2deg", "rint", "sign",
    "sin", "sinh", "sqrt", "tan", "tanh", "trunc",
)  # fmt: skip


class Arithmetic:
    """Operators and functions of sparse arrays whose results have elements at the same positions."""

    __slots__ = ()

    def __neg__(self: Any) -> Any:
        if self.dtype.kind == "b":
            raise NotImplementedError("negating a boolean sparse array is not supported")
        return self._like(-self.data)

    def __abs__(self: Any) -> Any:
        of = self._without_repeats()
        return of._like(abs(of.data))

    def multiply(self: Any, other: Any) -> Any:
        """The products of elements with a number, or with those of an array of as many rows, columns or both, or one.

        Parameters
        ----------
        other : number, array or sparse array

        Returns
        -------
        sparse array
            Of the same form, with elements at the same positions.

        Examples
        --------
        >>> import bascule as bc
        >>> from bascule.sparse import csr_array
        >>> A = csr_array([[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]])
        >>> A.multiply(bc.array([10.0, 100.0])[:, None]).toarray()
        array([[ 10.,   0.,  20.],
               [  0., 300.,   0.]])
        """
        if hasattr(other, "tocsr"):
            return self._by_scipy("multiply", "a product of two sparse arrays", other)
        if is_number(other):
            return self._like(self.data * other)
        dense = _dense(self, other)
        if dense.ndim > 2 or any(n not in (1, m) for n, m in zip(dense.shape[::-1], self.shape[::-1])):
            return self._by_scipy("multiply", "an array of another shape", other)
        return self._like(self.data * (_at_positions(self, dense) if self.nnz else dense.reshape(-1)[:0]))

    def __mul__(self: Any, other: Any) -> Any:
        return self.multiply(other)

    __rmul__ = __mul__

    def __truediv__(self: Any, other: Any) -> Any:
        if is_number(other):  # in float64, as SciPy
            exact = np.can_cast(self.dtype, np.float64)
            return self._like((self.data.astype(np.float64, copy=False) if exact else self.data) * (1 / other))
        return self._by_scipy("__truediv__", "a divisor that is an array", other)

    def power(self: Any, n: Any, dtype: Any = None) -> Any:
        """Elements to a power that is above nought.

        Parameters
        ----------
        n : number
        dtype : dtype, optional
        """
        if not np.isscalar(n) or n <= 0:
            return self._by_scipy("power", "a power that is not above nought", n, dtype)
        of = self._without_repeats()
        return of._like((of.data if dtype is None else of.data.astype(dtype)) ** n)

    def __pow__(self: Any, n: Any) -> Any:
        return self.power(n)

    def _changed(self: Any, made: Any) -> Any:
        """Itself with the arrays of another one."""
        self._set(made.data, made.indices, made.indptr, made.shape, made._canonical)
        return self

    def __imul__(self: Any, other: Any) -> Any:
        return self._changed(self.multiply(other)) if is_number(other) else NotImplemented

    def __itruediv__(self: Any, other: Any) -> Any:
        return self._changed(self.multiply(1.0 / other)) if is_number(other) else NotImplemented


def _function(name: str) -> Any:
    def of_elements(self: Any) -> Any:
        import bascule

        of = self._without_repeats()
        return of._like(getattr(bascule, name)(of.data))

    of_elements.__name__ = name
    of_elements.__doc__ = f"The array of `{name}` of each element."
    return of_elements


for _name in _FUNCTIONS:
    setattr(Arithmetic, _name, _function(_name))


def is_number(x: Any) -> bool:
    return np.isscalar(x) or (isinstance(x, (np.ndarray, _core.ndarray)) and x.ndim == 0)


def _dense(like: Any, other: Any) -> Any:
    if type(other) is _core.ndarray and other.device == like.device:
        return other
    if type(other) is _core.ndarray:
        raise ValueError(f"[sparse] the array is on {like.device}, the factor is on {other.device}; move one: .to_device or .get()")  # fmt: skip
    return _core.from_numpy(np.asarray(other), like.device, False)


def _at_positions(of: Any, dense: Any) -> Any:
    """The elements of a dense array, which is broadcast, at the positions of a sparse one."""
    if dense.ndim < 2:
        dense = dense.reshape((1,) * (2 - dense.ndim) + dense.shape)
    positions = (majors(of) if dense.shape[of._major] > 1 else 0), (of.indices if dense.shape[1 - of._major] > 1 else 0)
    rows, columns = positions if of._major == 0 else positions[::-1]
    return dense[rows, columns]
