"""Products with dense arrays on both sides, in one pass over the elements."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _core
from .._array import conversion

FLOATS = (np.dtype(np.float64), np.dtype(np.float32))


class Products:
    """The operator `@` of sparse arrays."""

    __slots__ = ()

    def __matmul__(self: Any, other: Any) -> Any:
        if np.isscalar(other):
            raise ValueError("Scalar operands are not allowed, use '*' instead")
        if hasattr(other, "tocsr"):
            return self._by_scipy("__matmul__", "a product of two sparse arrays", other)
        dense = _dense(self, other)
        reason = _not_native(self, dense)
        if reason is not None:
            return self._by_scipy("__matmul__", reason, other)
        if dense.shape[0] != self.shape[1]:
            raise ValueError(f"matmul: dimension mismatch with signature (n,k={self.shape[1]}),(k={dense.shape[0]},m)->(n,m)")  # fmt: skip
        return product(self, dense)

    def __rmatmul__(self: Any, other: Any) -> Any:
        if np.isscalar(other):
            raise ValueError("Scalar operands are not allowed, use '*' instead")
        if hasattr(other, "tocsr"):
            return self._by_scipy("__rmatmul__", "a product of two sparse arrays", other)
        dense = _dense(self, other)
        reason = _not_native(self, dense)
        if reason is not None:
            return self._by_scipy("__rmatmul__", reason, other)
        if dense.shape[-1] != self.shape[0]:
            raise ValueError(f"matmul: dimension mismatch with signature (n,k={dense.shape[-1]}),(k={self.shape[0]},m)->(n,m)")  # fmt: skip
        return product(self.T, dense.T).T

    def dot(self: Any, other: Any) -> Any:
        """The product with an array, or with a number.

        Parameters
        ----------
        other : array, sparse array or number
        """
        return self * other if np.isscalar(other) else self @ other


def _dense(like: Any, other: Any) -> Any:
    if type(other) is _core.ndarray:
        if other.device != like.device:
            raise ValueError(f"[sparse] the array is on {like.device}, the factor is on {other.device}; move one: .to_device or .get()")  # fmt: skip
        return other
    other = np.asarray(other)
    if other.dtype.kind not in "biuf" or not conversion.is_held(other.dtype):
        return other
    return _core.from_numpy(other, like.device, like.device == "cpu")


def _not_native(of: Any, dense: Any) -> str | None:
    if np.result_type(of.dtype, dense.dtype) not in FLOATS:
        return f"values of {np.result_type(of.dtype, dense.dtype)}"
    return None if dense.ndim in (1, 2) else f"an array of {dense.ndim} axes"


def product(of: Any, dense: Any) -> Any:
    """The product of a sparse array with a vector or a matrix of bascule."""
    dtype = np.result_type(of.dtype, dense.dtype)
    factor = dense.astype(dtype, copy=False)
    if of.device.startswith("cuda"):
        of = of.asformat("csr")  # libraries' products with a transpose add up in any order
    found = _core.sparse_product(
        of.data.astype(dtype, copy=False),
        of.indices,
        of.indptr,
        of.shape[1 - of._major],
        factor if dense.ndim == 2 else factor[:, None],
        of._major == 1,
    )
    return found if dense.ndim == 2 else found.reshape(-1)


def dense_product(of: Any, other: Any) -> Any:
    """The product of two sparse arrays on the host, of float64 or float32, as a dense one."""
    left, right = of.tocsr(), other.tocsr()
    dtype = np.result_type(left.dtype, right.dtype)
    wide = np.result_type(left.indices.dtype, right.indices.dtype)
    parts = [
        x
        for one in (left, right)
        for x in (one.data.astype(dtype, copy=False), *(i.astype(wide, copy=False) for i in (one.indices, one.indptr)))
    ]
    return _core.sparse_pair_product(*parts, right.shape[1])
