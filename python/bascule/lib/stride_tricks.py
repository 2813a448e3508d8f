"""Views with arbitrary strides."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import numpy as np

from .. import _core
from .._array.conversion import as_array, ndarray
from ..interop.protocols import overridable
from .manipulation import normalize_axes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .._array.types import _ArrayLike, _Axes, _ShapeLike


__all__ = ["as_strided", "sliding_window_view"]


def _reach(shape: tuple[int, ...], strides: tuple[int, ...]) -> tuple[int, int]:
    """Offsets in bytes of the lowest and of the highest element in memory from the first one."""
    steps = [(n - 1) * s for n, s in zip(shape, strides)]
    return sum(s for s in steps if s < 0), sum(s for s in steps if s > 0)


def as_strided(
    x: _ArrayLike,
    shape: _ShapeLike | None = None,
    strides: Iterable[int] | None = None,
    subok: bool = False,
    writeable: bool = True,
    *,
    check_bounds: bool | None = None,
) -> ndarray:
    """Create a view with another shape and other strides.

    Parameters
    ----------
    x : array_like
    shape : tuple of int, optional
        Shape of the view; that of `x` by default.
    strides : tuple of int, optional
        Strides in bytes; those of `x` by default.
    subok : bool, optional
        No effect: ndarray has no subclasses.
    writeable : bool, optional
        False makes the view read-only.
    check_bounds : bool, optional
        No effect: bounds are always checked.

    Returns
    -------
    ndarray

    Raises
    ------
    ValueError
        The view would reach beyond the memory of `x`, which NumPy does not check, or the numbers of strides and lengths
        differ.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.lib.stride_tricks.as_strided(bc.arange(4), (3, 2), (8, 8)).tolist()
    [[0, 1], [1, 2], [2, 3]]
    """
    x = as_array(x)
    shape = x.shape if shape is None else tuple(shape)
    strides = x.strides if strides is None else tuple(strides)
    if len(shape) != len(strides):
        raise ValueError(f"[as_strided] {len(shape)} extents need as many strides, got {len(strides)}")
    if 0 not in shape:
        (low, high), (first, last) = _reach(shape, strides), _reach(x.shape, x.strides)
        if x.size == 0 or low < first or high > last:
            raise ValueError("[as_strided] the view extends beyond the memory of the array")
    r = _core.view(x, shape, strides)
    if not writeable:
        _core.set_writeable(r, False)
    return r


def sliding_window_view(
    x: _ArrayLike, window_shape: _ShapeLike, axis: _Axes = None, *, subok: bool = False, writeable: bool = False
) -> ndarray:
    """Create a view of all sliding windows of a shape.

    Parameters
    ----------
    x : array_like
    window_shape : int or tuple of int
        Shape of the windows.
    axis : int or tuple of int, optional
        Axes along which the windows slide; all by default.
    subok : bool, optional
        No effect: ndarray has no subclasses.
    writeable : bool, optional
        Whether the view is writeable; its elements overlap.

    Returns
    -------
    ndarray
        The axes of the window positions, then the axes of the windows.

    Raises
    ------
    ValueError
        A window is larger than the array, negative, or does not match the axes.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.lib.stride_tricks.sliding_window_view(bc.arange(4), 3).tolist()
    [[0, 1, 2], [1, 2, 3]]
    """
    window = tuple(window_shape) if np.iterable(window_shape) else (window_shape,)
    x = as_array(x)
    if any(n < 0 for n in window):
        raise ValueError("`window_shape` cannot contain negative values")
    if axis is None:
        axes = tuple(range(x.ndim))
        if len(window) != len(axes):
            raise ValueError(
                f"Since axis is `None`, must provide window_shape for all dimensions of `x`; got {len(window)} "
                f"window_shape elements and `x.ndim` is {x.ndim}."
            )
    else:
        axes = normalize_axes(axis, x.ndim, allow_duplicate=True)
        if len(window) != len(axes):
            raise ValueError(
                f"Must provide matching length window_shape and axis; got {len(window)} window_shape elements and "
                f"{len(axes)} axes elements."
            )
    positions = list(x.shape)
    for k, n in zip(axes, window):
        if positions[k] < n:
            raise ValueError("window shape cannot be larger than input array shape")
        positions[k] -= n - 1
    strides = x.strides + tuple(x.strides[k] for k in axes)
    r = _core.view(x, (*positions, *window), strides)
    if not writeable:
        _core.set_writeable(r, False)
    return r


for _name in __all__:
    overridable(sys.modules[__name__], _name, getattr(np.lib.stride_tricks, _name))
