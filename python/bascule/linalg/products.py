"""Products of matrices and vectors: BLAS reads matrices in place; sums of few products are fused passes."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _core
from .._array.conversion import as_array, as_output, as_value, is_array
from .._array.numpy_versions import numpys
from .._array.ufunc_methods import asks, by_protocol
from .._core import ndarray
from ..fallback import in_numpy
from ..lib.manipulation import moveaxis

if TYPE_CHECKING:
    from .._array.types import _ArrayLike, _ArrayT


__all__ = ["matmul", "matvec", "vecdot", "vecmat"]


_NO_VALUE = np._NoValue
_MATMUL, _MATVEC, _VECMAT, _VECDOT = range(4)
_USUAL = {"axes": _NO_VALUE, "axis": _NO_VALUE, "keepdims": False, "casting": "same_kind", "order": "K", "dtype": None}


def operand(x: Any, like: Any = None) -> ndarray:
    """x as an array on the device of `like`; NumPy's memory is read in place."""
    if type(x) is ndarray:
        return x
    if (r := _core.numbers_for(x, like)) is not None:
        return r
    where = like.device if type(like) is ndarray else None
    n = np.asarray(x)
    return _core.from_numpy(n, where, share=not (where or _core.get_default_device()).startswith("cuda"))


def on_device_of(values: ndarray, x: Any) -> ndarray:
    """x, with its own type, on the device of the values."""
    return x if type(x) is ndarray else _core.from_numpy(np.asarray(x), values.device)


def operands(*xs: Any) -> list[ndarray]:
    """The arguments as arrays on one device."""
    like = next((x for x in xs if type(x) is ndarray), None)
    return [operand(x, like) for x in xs]


def _is_time(*xs: ndarray) -> bool:
    return any(x.dtype.kind in "mM" for x in xs)


def _single(out: Any) -> Any:
    if not isinstance(out, tuple):
        return out
    if len(out) != 1:
        raise ValueError("The 'out' tuple must have exactly one entry per ufunc output")
    return out[0]


def _core_counts(form: int, a: ndarray, b: ndarray) -> list[int]:
    """The number of core axes, in both operands and in the result."""
    if form == _MATMUL:  # operands with one axis are vectors
        left, right = min(a.ndim, 2), min(b.ndim, 2)
        return [left, right, left + right - 2]
    return [[], [2, 1, 1], [1, 2, 1], [1, 1, 0]][form]


def _entry(name: str, number: int, entry: Any, n: int) -> tuple[int, ...]:
    """An operand's entry in axes=."""
    if not isinstance(entry, tuple):
        entry = operator.index(entry)
        if n != 1:
            raise np.exceptions.AxisError(
                f"{name}: operand {number} has {n} core dimensions, but the axes item is a single integer."
            )
        return (entry,)
    if len(entry) != n:
        raise np.exceptions.AxisError(
            f"{name}: operand {number} has {n} core dimensions, but {len(entry)} dimensions are specified by axes tuple."
        )
    entry = tuple(map(operator.index, entry))
    for k in entry:
        if entry.count(k) > 1:
            raise ValueError(f"axes item {number} has value {k} repeated")
    return entry


def _axes_moved(
    form: int, name: str, a: ndarray, b: ndarray, axes: Any, keepdims: bool
) -> tuple[ndarray, ndarray, Any]:
    """Operands with their summed axes last, and the positions of the result's core axes."""
    counts = _core_counts(form, a, b)
    if keepdims:
        counts[2] = 1
    if not isinstance(axes, list):
        raise TypeError("axes should be a list.")
    if len(axes) == 2 and (counts[2] == 0 or keepdims):
        axes = [*axes, (-1,) * counts[2]]
    if len(axes) != 3:
        raise ValueError(
            "axes should be a list with an entry for all 3 inputs and outputs; entries for outputs can only be omitted if "
            "none of them has core axes."
        )
    given = [_entry(name, number, entry, n) for number, (entry, n) in enumerate(zip(axes, counts))]
    moved = [moveaxis(x, entry, range(-n, 0)) for x, entry, n in zip((a, b), given, counts)]
    return moved[0], moved[1], given[2]


def _widens(form: int, a: ndarray, b: ndarray, out: ndarray) -> bool:
    """Whether `out` has the core axes of the product and before them others along which the result is broadcast."""
    left, right, n = _core_counts(form, a, b)
    if out.dtype.kind in "mM" or out.ndim < n:
        return False
    try:
        loop = np.broadcast_shapes(a.shape[: a.ndim - left], b.shape[: b.ndim - right])
        free = out.shape[: out.ndim - n]
        return free != loop and np.broadcast_shapes(loop, free) == free
    except ValueError:
        return False


def _boolean(keepdims: Any) -> bool:
    if not isinstance(keepdims, bool):
        raise TypeError("'keepdims' must be a boolean")
    return keepdims


def _call(form: int, name: str, x1: Any, x2: Any, out: Any, options: dict[str, Any]) -> Any:
    """The implementation that the four ufuncs share, with their keywords."""
    out, given = _single(out), {k: v for k, v in options.items() if v is not _NO_VALUE and v is not None}
    if asks(x1, x2, out):
        return by_protocol(name, "__call__", x1, x2, out=out, **given)
    if type(out) is ndarray and not _core.is_writeable(out):
        raise ValueError("output array is read-only")
    axes, axis = options.pop("axes", _NO_VALUE), options.pop("axis", _NO_VALUE)
    keepdims, dtype = _boolean(options.pop("keepdims", False)), options.pop("dtype", None)
    casting, order = options.pop("casting", "same_kind"), options.pop("order", "K")
    signature = options.pop("signature", None)
    options.pop("subok", None)  # there are no subclasses
    if options:
        raise TypeError(f"{name}() got an unexpected keyword argument {next(iter(options))!r}")
    a, b = operands(x1, x2)
    if _is_time(a, b):
        return in_numpy(numpys(name), (a, b), {**given, "out": out}, name, "types without a product")
    if signature is not None:
        if dtype is not None:
            raise TypeError("cannot specify both 'signature' and 'dtype'")
        types = (a.dtype, b.dtype, getattr(out, "dtype", None))
        *types, dtype = numpys(name).resolve_dtypes(types, signature=signature, casting=casting)
        a, b = (x.astype(t, copy=False) for x, t in zip((a, b), types))
    axes = _axes_of(form, name, axes, axis, keepdims)
    back: tuple[int, ...] = ()
    if axes is not _NO_VALUE:
        a, b, back = _axes_moved(form, name, a, b, axes, keepdims)
    if dtype is not None:
        _check_casts(name, (a, b), dtype, casting)
    plain = not keepdims and not back and order in ("K", "C", "A")
    wider = plain and type(out) is ndarray and _widens(form, a, b, out)
    if plain and not wider and out is None:
        return as_value(_core.product(form, a, b, dtype))
    if plain and not wider and type(out) is ndarray:
        return _core.product(form, a, b, dtype, out)
    r = _core.product(form, a, b, dtype)
    if keepdims:
        r = r.reshape(*r.shape, 1)
    if back:
        r = moveaxis(r, range(-len(back), 0), back)
    if out is None:
        return as_value(r.copy(order) if order == "F" else r)
    return _written(name, r, out, casting, wider)


def _axes_of(form: int, name: str, axes: Any, axis: Any, keepdims: bool) -> Any:
    """The axes that axis= or axes= names; TypeError for those, or for keepdims=, that this product does not take."""
    if axis is not _NO_VALUE:
        if form != _VECDOT:
            raise TypeError(
                f"{name}: axis can only be used with a single shared core dimension, not with the {3 if form == _MATMUL else 2} "
                f"distinct ones implied by signature {_SIGNATURES[form]}."
            )
        if axes is not _NO_VALUE:
            raise TypeError("cannot specify both 'axis' and 'axes'")
        axis = operator.index(axis)
        axes = [(axis,), (axis,), (axis,) if keepdims else ()]
    if keepdims and form != _VECDOT:
        raise TypeError(
            f"{name} does not support keepdims: its signature {_SIGNATURES[form]} requires {_REQUIRES[form]}, but keepdims "
            "can only be used when all inputs have the same number of core dimensions and all outputs have no core "
            "dimensions."
        )
    return axes


def _check_casts(name: str, inputs: tuple, dtype: Any, casting: str) -> None:
    for x in inputs:
        if not np.can_cast(x.dtype, dtype, casting):
            raise TypeError(
                f"Cannot cast ufunc '{name}' input from {x.dtype!r} to {np.dtype(dtype)!r} with casting rule {casting!r}"
            )


def _written(name: str, r: Any, out: Any, casting: str, wider: bool) -> Any:
    """The product in `out`; `wider` where that has more axes, along which the product is broadcast."""
    if not np.can_cast(r.dtype, as_output(out).dtype, casting):
        raise TypeError(
            f"Cannot cast ufunc '{name}' output from {r.dtype!r} to {out.dtype!r} with casting rule {casting!r}"
        )
    if out.shape != r.shape and not wider:
        raise ValueError(f"{name}: expected an out of shape {r.shape}, got {out.shape}")
    out[...] = r if type(out) is ndarray else r.get()
    return out


_REQUIRES = (
    "output 0 to have 2 core dimensions",
    "input 1 to have 1 core dimensions",
    "input 1 to have 2 core dimensions",
)
_SIGNATURES = ("(n?,k),(k,m?)->(n?,m?)", "(m,n),(n)->(m)", "(n),(n,m)->(m)", "(n),(n)->()")


def matmul(
    x1: Any, x2: Any, /, out: Any = None, *, axes: Any = _NO_VALUE, axis: Any = _NO_VALUE, keepdims: Any = False,
    casting: str = "same_kind", order: str = "K", dtype: Any = None, subok: bool = True, signature: Any = None,
) -> Any:  # fmt: skip
    """Compute the matrix product, broadcast over the axes before the last two.

    Parameters
    ----------
    x1 : array, shape (..., m, k) or (k,)
    x2 : array, shape (..., k, n) or (k,)
    out : array, shape (..., m, n), optional
        Output array.
    axes, axis, keepdims, casting, order, dtype, subok, signature : optional
        As for NumPy's generalized ufuncs.

    Returns
    -------
    array, shape (..., m, n)
        In the common type of the operands; integers wrap around, bool gives whether any product is true.

    Raises
    ------
    ValueError
        The sizes do not match.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.matmul(bc.eye(2), bc.ones(2)).tolist()
    [1.0, 1.0]
    """
    if type(x1) is ndarray and type(x2) is ndarray and dtype is None and axes is _NO_VALUE and signature is None:
        if axis is _NO_VALUE and not keepdims and order == "K" and casting == "same_kind" and out is None:
            return x1 @ x2
    options = {"axes": axes, "axis": axis, "keepdims": keepdims, "casting": casting, "order": order, "dtype": dtype}
    return _call(_MATMUL, "matmul", x1, x2, out, {**options, "signature": signature})


def matvec(
    x1: Any, x2: Any, /, out: Any = None, *, axes: Any = _NO_VALUE, axis: Any = _NO_VALUE, keepdims: Any = False,
    casting: str = "same_kind", order: str = "K", dtype: Any = None, subok: bool = True, signature: Any = None,
) -> Any:  # fmt: skip
    """Compute products of matrices with vectors.

    Parameters
    ----------
    x1 : array_like, shape (..., m, n)
    x2 : array_like, shape (..., n)
    out : ndarray, optional
        Output array; it must have the shape of the result.
    axes, axis, keepdims, casting, order, dtype, subok, signature : optional
        As for NumPy's generalized ufuncs.

    Returns
    -------
    ndarray, shape (..., m)

    Raises
    ------
    ValueError
        The lengths differ, or the other axes do not broadcast.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.matvec([[1, 2], [3, 4]], [1, 1]).tolist()
    [3, 7]
    """
    options = {"axes": axes, "axis": axis, "keepdims": keepdims, "casting": casting, "order": order, "dtype": dtype}
    if out is signature is None and (r := _small_product(x1, x2, 2, options)) is not None:
        return r
    return _call(_MATVEC, "matvec", x1, x2, out, {**options, "signature": signature})


def vecmat(
    x1: Any, x2: Any, /, out: Any = None, *, axes: Any = _NO_VALUE, axis: Any = _NO_VALUE, keepdims: Any = False,
    casting: str = "same_kind", order: str = "K", dtype: Any = None, subok: bool = True, signature: Any = None,
) -> Any:  # fmt: skip
    """Compute products of conjugated vectors with matrices.

    Parameters
    ----------
    x1 : array_like, shape (..., n)
    x2 : array_like, shape (..., n, m)
    out : ndarray, optional
        Output array; it must have the shape of the result.
    axes, axis, keepdims, casting, order, dtype, subok, signature : optional
        As for NumPy's generalized ufuncs.

    Returns
    -------
    ndarray, shape (..., m)

    Raises
    ------
    ValueError
        The lengths differ, or the other axes do not broadcast.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.vecmat([1, 1], [[1, 2], [3, 4]]).tolist()
    [4, 6]
    """
    options = {"axes": axes, "axis": axis, "keepdims": keepdims, "casting": casting, "order": order, "dtype": dtype}
    return _call(_VECMAT, "vecmat", x1, x2, out, {**options, "signature": signature})


def vecdot(
    x1: Any, x2: Any, /, out: Any = None, *, axes: Any = _NO_VALUE, axis: Any = _NO_VALUE, keepdims: Any = False,
    casting: str = "same_kind", order: str = "K", dtype: Any = None, subok: bool = True, signature: Any = None,
) -> Any:  # fmt: skip
    """Compute dot products of vectors, with the first conjugated.

    Parameters
    ----------
    x1, x2 : array_like, shape (..., n)
    out : ndarray, optional
        Output array; it must have the shape of the result.
    axes, axis, keepdims, casting, order, dtype, subok, signature : optional
        As for NumPy's generalized ufuncs.

    Returns
    -------
    ndarray, shape (...), or a scalar

    Raises
    ------
    ValueError
        The lengths differ, or the other axes do not broadcast.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.vecdot([[1, 2], [3, 4]], [1, 1]).tolist()
    [3, 7]
    """
    if type(axis) is int and axis == -1 and axes is _NO_VALUE:  # the default, if both have one axis
        axis = _NO_VALUE if getattr(x1, "ndim", 0) == 1 == getattr(x2, "ndim", 0) else axis
    options = {"axes": axes, "axis": axis, "keepdims": keepdims, "casting": casting, "order": order, "dtype": dtype}
    if out is signature is None and (r := _small_product(x1, x2, 1, options)) is not None:
        return r
    return _call(_VECDOT, "vecdot", x1, x2, out, {**options, "signature": signature})


def _small_product(x1: Any, x2: Any, axes: int, options: dict[str, Any]) -> Any:
    """The product of a small array with so many axes and a vector without other arguments; None in other cases."""
    plain = type(x1) is type(x2) is ndarray and x1.ndim == axes and x2.ndim == 1 and options == _USUAL
    return _core.small_dot(x1, x2, None) if plain else None


def operator_matmul(a: Any, b: Any, reflected: bool = False) -> Any:
    """a @ b; returns NotImplemented for operands of unknown classes."""
    if type(a) is ndarray and type(b) is ndarray:
        return _core.product(_MATMUL, a, b)
    other = a if reflected else b
    if not (is_array(other) or isinstance(other, (np.ndarray, list, tuple, np.generic, int, float, complex))):
        return NotImplemented
    return matmul(a, b)


def operator_imatmul(self: _ArrayT, other: _ArrayLike) -> _ArrayT:
    """self @= other, where the result must have the shape of `self`."""
    other = as_array(other, self)
    if self.ndim and np.ndim(other) == 1:
        raise ValueError(
            "inplace matrix multiplication requires the first operand to have at least one and the second at least two "
            "dimensions."
        )
    return matmul(self, other, out=self)
