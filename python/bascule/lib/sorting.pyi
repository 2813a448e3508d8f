from collections.abc import Sequence
from typing import Literal, SupportsIndex

from .._core import _ArrayLike, _ArrayOrScalar, _ShapeLike, _SortKind, ndarray

def sort(
    a: _ArrayLike,
    axis: SupportsIndex | None = -1,
    kind: _SortKind | None = None,
    order: str | Sequence[str] | None = None,
    *,
    stable: bool | None = None,
) -> ndarray: ...
def argsort(
    a: _ArrayLike,
    axis: SupportsIndex | None = -1,
    kind: _SortKind | None = None,
    order: str | Sequence[str] | None = None,
    *,
    stable: bool | None = None,
) -> ndarray: ...
def partition(
    a: _ArrayLike,
    kth: _ShapeLike,
    axis: SupportsIndex | None = -1,
    kind: Literal["introselect"] = "introselect",
    order: str | Sequence[str] | None = None,
) -> ndarray: ...
def argpartition(
    a: _ArrayLike,
    kth: _ShapeLike,
    axis: SupportsIndex | None = -1,
    kind: Literal["introselect"] = "introselect",
    order: str | Sequence[str] | None = None,
) -> ndarray: ...
def searchsorted(
    a: _ArrayLike, v: _ArrayLike, side: Literal["left", "right"] = "left", sorter: _ArrayLike | None = None
) -> _ArrayOrScalar: ...
def lexsort(keys: _ArrayLike, axis: SupportsIndex = -1) -> ndarray: ...
def sort_complex(a: _ArrayLike) -> ndarray: ...
def digitize(x: _ArrayLike, bins: _ArrayLike, right: bool = False) -> _ArrayOrScalar: ...
