"""Linear algebra: products and decompositions by NumPy's BLAS and LAPACK on shared memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core, tall
from .conversion import as_value, from_result, host_view, is_array
from .fallback import in_numpy, wrapper

_NAMES = [
    "cholesky", "cond", "cross", "det", "diagonal", "eig", "eigh", "eigvals", "eigvalsh", "inv", "lstsq", "matrix_norm",
    "matrix_power", "matrix_rank", "multi_dot", "norm", "outer", "pinv", "qr", "slogdet", "solve", "svd", "svdvals",
    "tensorinv", "tensorsolve", "trace", "vector_norm",
]  # fmt: skip
LinAlgError = np.linalg.LinAlgError


def _product(function: Any, args: tuple, kwargs: dict[str, Any], name: str) -> Any:
    """A product through NumPy's BLAS on the arrays' own memory: native on the CPU, so it is not counted."""
    arrays = [a for a in args if is_array(a)]
    where = arrays[0].device if arrays else _core.get_default_device()
    if where.startswith("cuda"):
        raise NotImplementedError(f"[{name}] does not run on {where} yet")
    host = [host_view(a) if is_array(a) else a for a in args]
    out = kwargs.get("out")
    if is_array(out):
        function(*host, **{**kwargs, "out": host_view(out)})
        return out
    found = tall.product(*host) if function in (np.dot, np.matmul) and not kwargs else None
    r = from_result(function(*host, **kwargs) if found is None else found, where)
    return as_value(r) if is_array(r) else r


def dot(a: Any, b: Any, out: Any = None) -> Any:
    """Dot product of two arrays."""
    return _product(np.dot, (a, b), {} if out is None else {"out": out}, "dot")


def vdot(a: Any, b: Any, /) -> Any:
    """Dot product of two flattened arrays, the first conjugated."""
    return _product(np.vdot, (a, b), {}, "vdot")


def matmul(x1: Any, x2: Any, /, out: Any = None, **kwargs: Any) -> Any:
    """Matrix product, broadcast over leading axes."""
    if out is not None:
        kwargs["out"] = out[0] if isinstance(out, tuple) else out
    return _product(np.matmul, (x1, x2), kwargs, "matmul")


def vecdot(x1: Any, x2: Any, /, out: Any = None, *, axis: int = -1, **kwargs: Any) -> Any:
    """Dot products along an axis, the first array conjugated."""
    if axis != -1:
        kwargs["axis"] = axis
    if out is not None:
        kwargs["out"] = out
    return _product(np.vecdot, (x1, x2), kwargs, "vecdot")


def inner(a: Any, b: Any, /) -> Any:
    """Inner product over the last axes."""
    return _product(np.inner, (a, b), {}, "inner")


def tensordot(a: Any, b: Any, axes: Any = 2) -> Any:
    """Sum of products over the given axes."""
    return _product(np.tensordot, (a, b), {"axes": axes}, "tensordot")


def einsum(*operands: Any, out: Any = None, optimize: Any = False, **kwargs: Any) -> Any:
    """Sums of products in Einstein's notation."""
    if out is not None:
        kwargs["out"] = out
    return _product(np.einsum, operands, {**kwargs, "optimize": optimize}, "einsum")


def kron(a: Any, b: Any) -> Any:
    """Kronecker product."""
    return in_numpy(np.kron, (a, b), {}, "kron")


def operator_matmul(a: Any, b: Any, reflected: bool = False) -> Any:
    """a @ b, declining operands of unknown classes."""
    other = a if reflected else b
    if not (is_array(other) or isinstance(other, (np.ndarray, list, tuple, np.generic, int, float, complex))):
        return NotImplemented
    return matmul(a, b)


def operator_imatmul(self: Any, other: Any) -> Any:
    """self @= other."""
    self[...] = matmul(self, other)
    return self


def svd(a: Any, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False) -> Any:
    """Singular value decomposition.

    Parameters
    ----------
    a : array_like, (..., m, n)
    full_matrices, compute_uv, hermitian : bool
        As NumPy's.

    Returns
    -------
    u : ndarray, (..., m, m) or (..., m, k) with k = min(m, n)
    s : ndarray, (..., k)
        Largest first; with ``compute_uv=False`` all that is returned.
    vh : ndarray, (..., n, n) or (..., k, n)

    Raises
    ------
    LinAlgError
        If the iteration does not converge.

    Notes
    -----
    Tall and wide matrices whose columns are far from depending on one another are decomposed block by block on all
    threads; the others by LAPACK, which is counted as a fallback.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.linalg.svd(bc.array([[3.0, 0.0], [0.0, 4.0]]), compute_uv=False).tolist()
    [4.0, 3.0]
    """
    if is_array(a) and not a.device.startswith("cuda") and not hermitian and not (full_matrices and compute_uv):
        long: list[Any] = []

        def room(shape: tuple[int, int]) -> np.ndarray:
            made = _core.empty(shape, a.dtype, a.device)
            long[:] = made, host_view(made)
            return long[1]

        found = tall.svd(host_view(a), compute_uv, room)
        if found is not None and not compute_uv:
            return from_result(found, a.device)
        if found is not None:
            there = (long[0] if x is long[1] else from_result(x, a.device) for x in found)
            return type(np.linalg.svd(np.eye(1)))(*there)
    kwargs = {"full_matrices": full_matrices, "compute_uv": compute_uv, "hermitian": hermitian}
    return in_numpy(np.linalg.svd, (a,), kwargs, "linalg.svd")


def svdvals(x: Any, /) -> Any:
    """Singular values of a matrix or of each of a stack, largest first."""
    return svd(x, compute_uv=False)


def matrix_transpose(x: Any, /) -> Any:
    """A view with the last two axes exchanged."""
    from .manipulation import matrix_transpose as exchanged

    return exchanged(x)


__all__ = [*_NAMES, "LinAlgError", "matmul", "matrix_transpose", "tensordot", "vecdot"]


def __getattr__(name: str) -> Any:
    if name in _NAMES:
        found = globals()[name] = wrapper(getattr(np.linalg, name), "linalg." + name)
        return found
    raise AttributeError(f"module 'bascule.linalg' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
