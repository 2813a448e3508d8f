from typing import Literal, NamedTuple, SupportsIndex, overload

from .._core import _ArrayLike, ndarray

class _AllResult(NamedTuple):
    values: ndarray
    indices: ndarray
    inverse_indices: ndarray
    counts: ndarray

class _CountsResult(NamedTuple):
    values: ndarray
    counts: ndarray

class _InverseResult(NamedTuple):
    values: ndarray
    inverse_indices: ndarray

@overload
def unique(
    ar: _ArrayLike,
    return_index: Literal[False] = False,
    return_inverse: Literal[False] = False,
    return_counts: Literal[False] = False,
    axis: SupportsIndex | None = None,
    *,
    equal_nan: bool = True,
    sorted: bool = True,
) -> ndarray: ...
@overload
def unique(
    ar: _ArrayLike,
    return_index: Literal[False] = False,
    return_inverse: Literal[False] = False,
    *,
    return_counts: Literal[True],
    axis: SupportsIndex | None = None,
    equal_nan: bool = True,
    sorted: bool = True,
) -> tuple[ndarray, ndarray]: ...
@overload
def unique(
    ar: _ArrayLike,
    return_index: Literal[False] = False,
    *,
    return_inverse: Literal[True],
    return_counts: Literal[False] = False,
    axis: SupportsIndex | None = None,
    equal_nan: bool = True,
    sorted: bool = True,
) -> tuple[ndarray, ndarray]: ...
@overload
def unique(
    ar: _ArrayLike,
    return_index: Literal[False] = False,
    *,
    return_inverse: Literal[True],
    return_counts: Literal[True],
    axis: SupportsIndex | None = None,
    equal_nan: bool = True,
    sorted: bool = True,
) -> tuple[ndarray, ndarray, ndarray]: ...
@overload
def unique(
    ar: _ArrayLike,
    *,
    return_index: Literal[True],
    return_inverse: Literal[False] = False,
    return_counts: Literal[False] = False,
    axis: SupportsIndex | None = None,
    equal_nan: bool = True,
    sorted: bool = True,
) -> tuple[ndarray, ndarray]: ...
@overload
def unique(
    ar: _ArrayLike,
    *,
    return_index: Literal[True],
    return_inverse: Literal[False] = False,
    return_counts: Literal[True],
    axis: SupportsIndex | None = None,
    equal_nan: bool = True,
    sorted: bool = True,
) -> tuple[ndarray, ndarray, ndarray]: ...
@overload
def unique(
    ar: _ArrayLike,
    *,
    return_index: Literal[True],
    return_inverse: Literal[True],
    return_counts: Literal[False] = False,
    axis: SupportsIndex | None = None,
    equal_nan: bool = True,
    sorted: bool = True,
) -> tuple[ndarray, ndarray, ndarray]: ...
@overload
def unique(
    ar: _ArrayLike,
    *,
    return_index: Literal[True],
    return_inverse: Literal[True],
    return_counts: Literal[True],
    axis: SupportsIndex | None = None,
    equal_nan: bool = True,
    sorted: bool = True,
) -> tuple[ndarray, ndarray, ndarray, ndarray]: ...
def unique_all(x: _ArrayLike) -> _AllResult: ...
def unique_counts(x: _ArrayLike) -> _CountsResult: ...
def unique_inverse(x: _ArrayLike) -> _InverseResult: ...
def unique_values(x: _ArrayLike) -> ndarray: ...
def union1d(ar1: _ArrayLike, ar2: _ArrayLike) -> ndarray: ...
@overload
def intersect1d(
    ar1: _ArrayLike, ar2: _ArrayLike, assume_unique: bool = False, return_indices: Literal[False] = False
) -> ndarray: ...
@overload
def intersect1d(
    ar1: _ArrayLike, ar2: _ArrayLike, assume_unique: bool = False, *, return_indices: Literal[True]
) -> tuple[ndarray, ndarray, ndarray]: ...
def setxor1d(ar1: _ArrayLike, ar2: _ArrayLike, assume_unique: bool = False) -> ndarray: ...
def setdiff1d(ar1: _ArrayLike, ar2: _ArrayLike, assume_unique: bool = False) -> ndarray: ...
def isin(
    element: _ArrayLike,
    test_elements: _ArrayLike,
    assume_unique: bool = False,
    invert: bool = False,
    *,
    kind: Literal["sort", "table"] | None = None,
) -> ndarray: ...
