"""What annotations of several modules name."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from types import EllipsisType
from typing import IO, Any, Literal, SupportsIndex, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from .._core import ndarray

_ArrayLike: TypeAlias = ndarray[Any, Any] | ArrayLike
_Number: TypeAlias = complex | np.generic | ndarray[Any, Any]
_ShapeLike: TypeAlias = SupportsIndex | Sequence[SupportsIndex]
_Axes: TypeAlias = SupportsIndex | Sequence[SupportsIndex] | None
_Sections: TypeAlias = SupportsIndex | Sequence[SupportsIndex] | _ArrayLike
_Order: TypeAlias = Literal["C", "F", "A", "K"]
_Casting: TypeAlias = Literal["no", "equiv", "safe", "same_kind", "unsafe"]
_Mode: TypeAlias = Literal["raise", "wrap", "clip"]
_SortKind: TypeAlias = Literal["quicksort", "mergesort", "heapsort", "stable"]
_Norm: TypeAlias = Literal["backward", "ortho", "forward"]
_Norms: TypeAlias = float | Literal["fro", "nuc"]
_File: TypeAlias = str | os.PathLike[str] | IO[Any] | Iterable[str]
_Quantile: TypeAlias = Literal[
    "inverted_cdf", "averaged_inverted_cdf", "closest_observation", "interpolated_inverted_cdf", "hazen", "weibull",
    "linear", "median_unbiased", "normal_unbiased", "lower", "higher", "midpoint", "nearest",
]  # fmt: skip
_Pad: TypeAlias = Literal[
    "constant", "edge", "linear_ramp", "maximum", "mean", "median", "minimum", "reflect", "symmetric", "wrap", "empty",
]  # fmt: skip
# NumPy's scalar where no axis is left and the memory is the host's; as NumPy's stubs have it, since a checker knows no axes.
_ArrayOrScalar: TypeAlias = Any
_Out: TypeAlias = ndarray[Any, Any] | tuple[ndarray[Any, Any], ...] | EllipsisType | None
