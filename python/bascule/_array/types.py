"""Types for the annotations of several modules."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from types import EllipsisType
from typing import IO, TYPE_CHECKING, Any, Literal, SupportsIndex, TypeAlias, TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from .._core import ndarray, ufunc

_ShapeT = TypeVar("_ShapeT", bound=tuple[Any, ...])
_DTypeT = TypeVar("_DTypeT", bound=np.dtype[Any])
_ScalarT = TypeVar("_ScalarT", bound=np.generic)
_ArrayT = TypeVar("_ArrayT", bound=ndarray)
_ArrayLike: TypeAlias = ndarray[Any, Any] | ArrayLike
_Number: TypeAlias = complex | np.generic | ndarray[Any, Any]
_ShapeLike: TypeAlias = SupportsIndex | Sequence[SupportsIndex]
_Axes: TypeAlias = SupportsIndex | Sequence[SupportsIndex] | None
_Sections: TypeAlias = SupportsIndex | Sequence[SupportsIndex] | _ArrayLike
_Order: TypeAlias = Literal["C", "F", "A", "K"] | None
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
# NumPy's scalar if no axis is left and the memory is the host's. It is Any, as in NumPy's stubs, since a checker does
# not know axes.
_ArrayOrScalar: TypeAlias = Any
if TYPE_CHECKING:

    class _Real(np.float64):
        """A mean or the like of all elements; those of complex numbers and on a device have more attributes."""

        def __getattr__(self, name: str) -> Any: ...

else:
    _Real: TypeAlias = Any
_Out: TypeAlias = ndarray[Any, Any] | tuple[ndarray[Any, Any], ...] | EllipsisType | None

if TYPE_CHECKING:
    # Call signatures of ufuncs, by their numbers of operands and results.

    class _Unary(ufunc):
        @overload
        def __call__(
            self, x: complex | np.generic, /, *, where: bool = True, casting: _Casting = "same_kind", order: _Order = "K",
            dtype: DTypeLike | None = None, subok: bool = True, signature: Any = ...,
        ) -> _ArrayOrScalar: ...  # fmt: skip
        @overload
        def __call__(
            self, x: _ArrayLike, /, out: _Out = None, *, where: _ArrayLike = True, casting: _Casting = "same_kind",
            order: _Order = "K", dtype: DTypeLike | None = None, subok: bool = True, signature: Any = ...,
        ) -> ndarray: ...  # fmt: skip

    class _Binary(ufunc):
        @overload
        def __call__(
            self, x1: complex | np.generic, x2: complex | np.generic, /, *, where: bool = True,
            casting: _Casting = "same_kind", order: _Order = "K", dtype: DTypeLike | None = None, subok: bool = True,
            signature: Any = ...,
        ) -> _ArrayOrScalar: ...  # fmt: skip
        @overload
        def __call__(
            self, x1: _ArrayLike, x2: _ArrayLike, /, out: _Out = None, *, where: _ArrayLike = True,
            casting: _Casting = "same_kind", order: _Order = "K", dtype: DTypeLike | None = None, subok: bool = True,
            signature: Any = ...,
        ) -> ndarray: ...  # fmt: skip

    class _Ternary(ufunc):
        def __call__(
            self,
            x1: _ArrayLike,
            x2: _ArrayLike,
            x3: _ArrayLike,
            /,
            out: _Out = None,
            *,
            where: _ArrayLike = True,
            casting: _Casting = "same_kind",
            order: _Order = "K",
            dtype: DTypeLike | None = None,
            subok: bool = True,
            signature: Any = ...,
        ) -> ndarray: ...

    class _UnaryPair(ufunc):
        def __call__(
            self,
            x: _ArrayLike,
            out1: ndarray | None = None,
            out2: ndarray | None = None,
            /,
            *,
            out: _Out = ...,
            where: _ArrayLike = True,
            casting: _Casting = "same_kind",
            order: _Order = "K",
            dtype: DTypeLike | None = None,
            subok: bool = True,
            signature: Any = ...,
        ) -> tuple[ndarray, ndarray]: ...

    class _BinaryPair(ufunc):
        def __call__(
            self,
            x1: _ArrayLike,
            x2: _ArrayLike,
            out1: ndarray | None = None,
            out2: ndarray | None = None,
            /,
            *,
            out: _Out = ...,
            where: _ArrayLike = True,
            casting: _Casting = "same_kind",
            order: _Order = "K",
            dtype: DTypeLike | None = None,
            subok: bool = True,
            signature: Any = ...,
        ) -> tuple[ndarray, ndarray]: ...

    class _Product(ufunc):
        def __call__(
            self,
            x1: _ArrayLike,
            x2: _ArrayLike,
            /,
            out: _Out = None,
            *,
            casting: _Casting = "same_kind",
            order: _Order = "K",
            dtype: DTypeLike | None = None,
            subok: bool = True,
            signature: Any = ...,
            axes: Sequence[Any] = ...,
            axis: SupportsIndex = ...,
            keepdims: bool = False,
        ) -> ndarray: ...
