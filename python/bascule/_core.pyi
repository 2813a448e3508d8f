# The array, the ufunc, and what stands in the stubs of the modules around them.
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import EllipsisType, GenericAlias
from typing import IO, Any, Generic, Literal, Self, SupportsIndex, TypeAlias, overload

import numpy as np
from numpy.typing import ArrayLike, DTypeLike
from typing_extensions import TypeVar

_ShapeT_co = TypeVar("_ShapeT_co", bound=tuple[Any, ...], default=tuple[Any, ...], covariant=True)
_DTypeT_co = TypeVar("_DTypeT_co", bound=np.dtype[Any], default=np.dtype[Any], covariant=True)
_ScalarT = TypeVar("_ScalarT", bound=np.generic)

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

__version__: str

def __getattr__(name: str) -> Any: ...  # the core's own functions, which are nobody else's business

class ndarray(Generic[_ShapeT_co, _DTypeT_co]):
    __array_priority__: float
    def __new__(
        cls, shape: _ShapeLike, dtype: DTypeLike = ..., buffer: Any = None, offset: int = 0,
        strides: Sequence[int] | None = None, order: Literal["C", "F"] | None = None,
    ) -> Self: ...  # fmt: skip

    # layout
    @property
    def T(self) -> ndarray: ...
    @property
    def mT(self) -> ndarray: ...
    @property
    def base(self) -> Any: ...
    @property
    def ctypes(self) -> Any: ...
    @property
    def data(self) -> memoryview: ...
    @property
    def device(self) -> str: ...
    @property
    def dtype(self) -> _DTypeT_co: ...
    @property
    def flags(self) -> Any: ...
    @property
    def flat(self) -> Any: ...
    @flat.setter
    def flat(self, value: _ArrayLike) -> None: ...
    @property
    def imag(self) -> ndarray: ...
    @imag.setter
    def imag(self, value: _ArrayLike) -> None: ...
    @property
    def itemsize(self) -> int: ...
    @property
    def nbytes(self) -> int: ...
    @property
    def ndim(self) -> int: ...
    @property
    def real(self) -> ndarray: ...
    @real.setter
    def real(self, value: _ArrayLike) -> None: ...
    @property
    def shape(self) -> _ShapeT_co: ...
    @shape.setter
    def shape(self, value: _ShapeLike) -> None: ...
    @property
    def size(self) -> int: ...
    @property
    def strides(self) -> tuple[int, ...]: ...
    @strides.setter
    def strides(self, value: Sequence[int]) -> None: ...

    # folds
    @overload
    def all(
        self, /, axis: None = None, out: None = None, keepdims: Literal[False] = False, *, where: _ArrayLike = True
    ) -> _ArrayOrScalar: ...
    @overload
    def all(
        self, /, axis: _Axes = None, out: ndarray | None = None, keepdims: bool = False, *, where: _ArrayLike = True
    ) -> ndarray: ...
    @overload
    def any(
        self, /, axis: None = None, out: None = None, keepdims: Literal[False] = False, *, where: _ArrayLike = True
    ) -> _ArrayOrScalar: ...
    @overload
    def any(
        self, /, axis: _Axes = None, out: ndarray | None = None, keepdims: bool = False, *, where: _ArrayLike = True
    ) -> ndarray: ...
    @overload
    def argmax(self, /, axis: None = None, out: None = None, *, keepdims: Literal[False] = False) -> _ArrayOrScalar: ...
    @overload
    def argmax(
        self, /, axis: SupportsIndex | None = None, out: ndarray | None = None, *, keepdims: bool = False
    ) -> ndarray: ...
    @overload
    def argmin(self, /, axis: None = None, out: None = None, *, keepdims: Literal[False] = False) -> _ArrayOrScalar: ...
    @overload
    def argmin(
        self, /, axis: SupportsIndex | None = None, out: ndarray | None = None, *, keepdims: bool = False
    ) -> ndarray: ...
    def cumprod(
        self, /, axis: SupportsIndex | None = None, dtype: DTypeLike | None = None, out: ndarray | None = None
    ) -> ndarray: ...
    def cumsum(
        self, /, axis: SupportsIndex | None = None, dtype: DTypeLike | None = None, out: ndarray | None = None
    ) -> ndarray: ...
    @overload
    def max(
        self,
        /,
        axis: None = None,
        out: None = None,
        *,
        keepdims: Literal[False] = ...,
        initial: _Number = ...,
        where: _ArrayLike = ...,
    ) -> _ArrayOrScalar: ...
    @overload
    def max(
        self,
        /,
        axis: _Axes = None,
        out: ndarray | None = None,
        *,
        keepdims: bool = ...,
        initial: _Number = ...,
        where: _ArrayLike = ...,
    ) -> ndarray: ...
    @overload
    def mean(
        self,
        /,
        axis: None = None,
        dtype: DTypeLike | None = None,
        out: None = None,
        *,
        keepdims: Literal[False] = ...,
        where: _ArrayLike = ...,
    ) -> _ArrayOrScalar: ...
    @overload
    def mean(
        self,
        /,
        axis: _Axes = None,
        dtype: DTypeLike | None = None,
        out: ndarray | None = None,
        *,
        keepdims: bool = ...,
        where: _ArrayLike = ...,
    ) -> ndarray: ...
    @overload
    def min(
        self,
        /,
        axis: None = None,
        out: None = None,
        *,
        keepdims: Literal[False] = ...,
        initial: _Number = ...,
        where: _ArrayLike = ...,
    ) -> _ArrayOrScalar: ...
    @overload
    def min(
        self,
        /,
        axis: _Axes = None,
        out: ndarray | None = None,
        *,
        keepdims: bool = ...,
        initial: _Number = ...,
        where: _ArrayLike = ...,
    ) -> ndarray: ...
    @overload
    def prod(
        self,
        /,
        axis: None = None,
        dtype: DTypeLike | None = None,
        out: None = None,
        *,
        keepdims: Literal[False] = ...,
        initial: _Number = ...,
        where: _ArrayLike = ...,
    ) -> _ArrayOrScalar: ...
    @overload
    def prod(
        self,
        /,
        axis: _Axes = None,
        dtype: DTypeLike | None = None,
        out: ndarray | None = None,
        *,
        keepdims: bool = ...,
        initial: _Number = ...,
        where: _ArrayLike = ...,
    ) -> ndarray: ...
    @overload
    def ptp(self, /, axis: None = None, out: None = None, keepdims: Literal[False] = False) -> _ArrayOrScalar: ...
    @overload
    def ptp(self, /, axis: _Axes = None, out: ndarray | None = None, keepdims: bool = False) -> ndarray: ...
    @overload
    def std(
        self,
        /,
        axis: None = None,
        dtype: DTypeLike | None = None,
        out: None = None,
        ddof: float = 0,
        *,
        keepdims: Literal[False] = ...,
        where: _ArrayLike = ...,
        mean: _ArrayLike = ...,
        correction: float = ...,
    ) -> _ArrayOrScalar: ...
    @overload
    def std(
        self,
        /,
        axis: _Axes = None,
        dtype: DTypeLike | None = None,
        out: ndarray | None = None,
        ddof: float = 0,
        *,
        keepdims: bool = ...,
        where: _ArrayLike = ...,
        mean: _ArrayLike = ...,
        correction: float = ...,
    ) -> ndarray: ...
    @overload
    def sum(
        self,
        /,
        axis: None = None,
        dtype: DTypeLike | None = None,
        out: None = None,
        *,
        keepdims: Literal[False] = ...,
        initial: _Number = ...,
        where: _ArrayLike = ...,
    ) -> _ArrayOrScalar: ...
    @overload
    def sum(
        self,
        /,
        axis: _Axes = None,
        dtype: DTypeLike | None = None,
        out: ndarray | None = None,
        *,
        keepdims: bool = ...,
        initial: _Number = ...,
        where: _ArrayLike = ...,
    ) -> ndarray: ...
    def trace(
        self,
        /,
        offset: int = 0,
        axis1: SupportsIndex = 0,
        axis2: SupportsIndex = 1,
        dtype: DTypeLike | None = None,
        out: ndarray | None = None,
    ) -> _ArrayOrScalar: ...
    @overload
    def var(
        self,
        /,
        axis: None = None,
        dtype: DTypeLike | None = None,
        out: None = None,
        ddof: float = 0,
        *,
        keepdims: Literal[False] = ...,
        where: _ArrayLike = ...,
        mean: _ArrayLike = ...,
        correction: float = ...,
    ) -> _ArrayOrScalar: ...
    @overload
    def var(
        self,
        /,
        axis: _Axes = None,
        dtype: DTypeLike | None = None,
        out: ndarray | None = None,
        ddof: float = 0,
        *,
        keepdims: bool = ...,
        where: _ArrayLike = ...,
        mean: _ArrayLike = ...,
        correction: float = ...,
    ) -> ndarray: ...

    # elements
    def argpartition(
        self,
        kth: _ShapeLike,
        /,
        axis: SupportsIndex | None = -1,
        kind: Literal["introselect"] = "introselect",
        order: None = None,
    ) -> ndarray: ...
    def argsort(
        self,
        /,
        axis: SupportsIndex | None = -1,
        kind: _SortKind | None = None,
        order: None = None,
        *,
        stable: bool | None = None,
    ) -> ndarray: ...
    def byteswap(self, /, inplace: bool = False) -> Self: ...
    def choose(self, /, *choices: _ArrayLike, out: ndarray | None = None, mode: _Mode = "raise") -> _ArrayOrScalar: ...
    def clip(
        self, /, min: _ArrayLike | None = None, max: _ArrayLike | None = None, out: ndarray | None = None, **kwargs: Any
    ) -> ndarray: ...
    def compress(
        self, /, condition: _ArrayLike, axis: SupportsIndex | None = None, out: ndarray | None = None
    ) -> ndarray: ...
    def conj(self, /, out: ndarray | None = None) -> ndarray: ...
    def conjugate(self, /, out: ndarray | None = None) -> ndarray: ...
    def copy(self, /, order: _Order = "C") -> ndarray[_ShapeT_co, _DTypeT_co]: ...
    def diagonal(self, /, offset: int = 0, axis1: SupportsIndex = 0, axis2: SupportsIndex = 1) -> ndarray: ...
    def dot(self, /, b: _ArrayLike, out: ndarray | None = None) -> _ArrayOrScalar: ...
    def fill(self, /, value: _ArrayLike) -> None: ...
    def flatten(self, /, order: _Order = "C") -> ndarray[tuple[int], _DTypeT_co]: ...
    def get(self, /) -> np.ndarray[_ShapeT_co, _DTypeT_co]: ...
    def getfield(self, /, dtype: DTypeLike, offset: int = 0) -> ndarray: ...
    # of scalars, as NumPy's type has them
    @property
    def numerator(self) -> int: ...
    @property
    def denominator(self) -> int: ...
    @property
    def as_integer_ratio(self) -> Callable[[], tuple[int, int]]: ...
    @property
    def bit_count(self) -> Callable[[], int]: ...
    @property
    def hex(self) -> Callable[[], str]: ...
    @property
    def is_integer(self) -> Callable[[], bool]: ...
    def item(self, /, *args: SupportsIndex | tuple[SupportsIndex, ...]) -> Any: ...
    def nonzero(self, /) -> tuple[ndarray, ...]: ...
    def partition(
        self,
        kth: _ShapeLike,
        /,
        axis: SupportsIndex = -1,
        kind: Literal["introselect"] = "introselect",
        order: None = None,
    ) -> None: ...
    def put(self, /, indices: _ArrayLike, values: _ArrayLike, mode: _Mode = "raise") -> None: ...
    def ravel(self, /, order: _Order = "C") -> ndarray[tuple[int], _DTypeT_co]: ...
    def repeat(self, /, repeats: _ArrayLike, axis: SupportsIndex | None = None) -> ndarray[Any, _DTypeT_co]: ...
    def reshape(
        self, /, *shape: _ShapeLike | None, order: Literal["A", "C", "F"] = "C", copy: bool | None = None
    ) -> ndarray[Any, _DTypeT_co]: ...
    def resize(self, /, *new_shape: _ShapeLike, refcheck: bool = True) -> None: ...
    def round(self, /, decimals: SupportsIndex = 0, out: ndarray | None = None) -> ndarray: ...
    def searchsorted(
        self, v: _ArrayLike, /, side: Literal["left", "right"] = "left", sorter: _ArrayLike | None = None
    ) -> _ArrayOrScalar: ...
    def setfield(self, /, val: _ArrayLike, dtype: DTypeLike, offset: int = 0) -> None: ...
    def setflags(self, /, *, write: bool | None = None, align: bool | None = None, uic: bool | None = None) -> None: ...
    def sort(
        self,
        /,
        axis: SupportsIndex = -1,
        kind: _SortKind | None = None,
        order: None = None,
        *,
        stable: bool | None = None,
    ) -> None: ...
    def squeeze(self, /, axis: _Axes = None) -> ndarray[Any, _DTypeT_co]: ...
    def swapaxes(self, /, axis1: SupportsIndex, axis2: SupportsIndex) -> ndarray[Any, _DTypeT_co]: ...
    def take(
        self,
        /,
        indices: _ArrayLike,
        axis: SupportsIndex | None = None,
        out: ndarray | None = None,
        mode: _Mode = "raise",
    ) -> ndarray[Any, _DTypeT_co]: ...
    def to_device(self, device: str, /, *, stream: None = None) -> Self: ...
    def transpose(self, /, *axes: SupportsIndex | Sequence[SupportsIndex] | None) -> ndarray[Any, _DTypeT_co]: ...
    @overload
    def astype(
        self,
        /,
        dtype: type[_ScalarT] | np.dtype[_ScalarT],
        order: _Order = "K",
        casting: _Casting = "unsafe",
        subok: bool = True,
        copy: bool = True,
    ) -> ndarray[_ShapeT_co, np.dtype[_ScalarT]]: ...
    @overload
    def astype(
        self,
        /,
        dtype: DTypeLike,
        order: _Order = "K",
        casting: _Casting = "unsafe",
        subok: bool = True,
        copy: bool = True,
    ) -> ndarray[_ShapeT_co, np.dtype[Any]]: ...
    def view(self, /, dtype: DTypeLike | None = None, type: type[ndarray[Any, Any]] | None = None) -> ndarray: ...

    # files and other libraries
    def dump(self, /, file: str | os.PathLike[str] | IO[bytes]) -> None: ...
    def dumps(self, /) -> bytes: ...
    def tobytes(self, /, order: _Order = "C") -> bytes: ...
    def tofile(self, /, fid: str | os.PathLike[str] | IO[Any], sep: str = "", format: str = "%s") -> None: ...
    def tolist(self, /) -> Any: ...
    def __array__(self, /, dtype: DTypeLike | None = None, copy: bool | None = None) -> np.ndarray[Any, Any]: ...
    def __array_finalize__(self, obj: Any, /) -> None: ...
    def __array_function__(
        self, /, function: Callable[..., Any], types: Iterable[type], args: Iterable[Any], kwargs: dict[str, Any]
    ) -> Any: ...
    def __array_namespace__(self, /, *, api_version: str | None = None) -> Any: ...
    def __array_ufunc__(self, /, function: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any: ...
    def __array_wrap__(self, array: _ArrayLike, context: Any = None, return_scalar: bool = True, /) -> ndarray: ...
    @classmethod
    def __class_getitem__(cls, item: Any, /) -> GenericAlias: ...
    @property
    def __array_interface__(self) -> dict[str, Any]: ...
    @property
    def __array_struct__(self) -> Any: ...
    @property
    def __cuda_array_interface__(self) -> dict[str, Any]: ...
    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...
    def _repr_html_(self) -> str | None: ...
    def __copy__(self, /) -> Self: ...
    def __deepcopy__(self, /, memo: dict[int, Any]) -> Self: ...
    def __reduce__(self, /) -> tuple[Any, ...]: ...
    def __reduce_ex__(self, /, protocol: SupportsIndex) -> tuple[Any, ...]: ...
    def __setstate__(self, state: tuple[Any, ...], /) -> None: ...
    def __sizeof__(self, /) -> int: ...

    # as a container, as a number
    if sys.version_info >= (3, 12):
        def __buffer__(self, flags: int, /) -> memoryview: ...

    def __len__(self, /) -> int: ...
    def __iter__(self, /) -> Iterator[_ArrayOrScalar]: ...
    def __contains__(self, value: Any) -> bool: ...
    @overload
    def __getitem__(self, key: int | np.integer[Any] | tuple[int | np.integer[Any], ...], /) -> _ArrayOrScalar: ...
    @overload
    def __getitem__(self, key: Any, /) -> ndarray[Any, _DTypeT_co]: ...
    def __setitem__(self, key: Any, value: _ArrayLike, /) -> None: ...
    def __hash__(self, /) -> int: ...
    def __bool__(self, /) -> bool: ...
    def __int__(self, /) -> int: ...
    def __float__(self, /) -> float: ...
    def __complex__(self, /) -> complex: ...
    def __index__(self, /) -> int: ...
    def __format__(self, spec: str) -> str: ...
    @overload
    def __round__(self) -> int: ...
    @overload
    def __round__(self, digits: SupportsIndex) -> _ArrayOrScalar: ...

    # operators
    def __eq__(self, value: object, /) -> ndarray: ...  # type: ignore[override]
    def __ne__(self, value: object, /) -> ndarray: ...  # type: ignore[override]
    def __lt__(self, value: _ArrayLike, /) -> ndarray: ...
    def __le__(self, value: _ArrayLike, /) -> ndarray: ...
    def __gt__(self, value: _ArrayLike, /) -> ndarray: ...
    def __ge__(self, value: _ArrayLike, /) -> ndarray: ...
    def __neg__(self, /) -> ndarray: ...
    def __pos__(self, /) -> ndarray: ...
    def __abs__(self, /) -> ndarray: ...
    def __invert__(self, /) -> ndarray: ...
    def __add__(self, value: _ArrayLike, /) -> ndarray: ...
    def __radd__(self, value: _ArrayLike, /) -> ndarray: ...
    def __iadd__(self, value: _ArrayLike, /) -> Self: ...
    def __sub__(self, value: _ArrayLike, /) -> ndarray: ...
    def __rsub__(self, value: _ArrayLike, /) -> ndarray: ...
    def __isub__(self, value: _ArrayLike, /) -> Self: ...
    def __mul__(self, value: _ArrayLike, /) -> ndarray: ...
    def __rmul__(self, value: _ArrayLike, /) -> ndarray: ...
    def __imul__(self, value: _ArrayLike, /) -> Self: ...
    def __truediv__(self, value: _ArrayLike, /) -> ndarray: ...
    def __rtruediv__(self, value: _ArrayLike, /) -> ndarray: ...
    def __itruediv__(self, value: _ArrayLike, /) -> Self: ...
    def __floordiv__(self, value: _ArrayLike, /) -> ndarray: ...
    def __rfloordiv__(self, value: _ArrayLike, /) -> ndarray: ...
    def __ifloordiv__(self, value: _ArrayLike, /) -> Self: ...
    def __mod__(self, value: _ArrayLike, /) -> ndarray: ...
    def __rmod__(self, value: _ArrayLike, /) -> ndarray: ...
    def __imod__(self, value: _ArrayLike, /) -> Self: ...
    def __and__(self, value: _ArrayLike, /) -> ndarray: ...
    def __rand__(self, value: _ArrayLike, /) -> ndarray: ...
    def __iand__(self, value: _ArrayLike, /) -> Self: ...
    def __or__(self, value: _ArrayLike, /) -> ndarray: ...
    def __ror__(self, value: _ArrayLike, /) -> ndarray: ...
    def __ior__(self, value: _ArrayLike, /) -> Self: ...
    def __xor__(self, value: _ArrayLike, /) -> ndarray: ...
    def __rxor__(self, value: _ArrayLike, /) -> ndarray: ...
    def __ixor__(self, value: _ArrayLike, /) -> Self: ...
    def __lshift__(self, value: _ArrayLike, /) -> ndarray: ...
    def __rlshift__(self, value: _ArrayLike, /) -> ndarray: ...
    def __ilshift__(self, value: _ArrayLike, /) -> Self: ...
    def __rshift__(self, value: _ArrayLike, /) -> ndarray: ...
    def __rrshift__(self, value: _ArrayLike, /) -> ndarray: ...
    def __irshift__(self, value: _ArrayLike, /) -> Self: ...
    def __pow__(self, value: _ArrayLike, mod: None = None, /) -> ndarray: ...
    def __rpow__(self, value: _ArrayLike, mod: None = None, /) -> ndarray: ...
    def __ipow__(self, value: _ArrayLike, mod: None = None, /) -> Self: ...
    def __matmul__(self, value: _ArrayLike, /) -> _ArrayOrScalar: ...
    def __rmatmul__(self, value: _ArrayLike, /) -> _ArrayOrScalar: ...
    def __imatmul__(self, other: _ArrayLike, /) -> Self: ...
    def __divmod__(self, value: _ArrayLike, /) -> tuple[ndarray, ndarray]: ...
    def __rdivmod__(self, value: _ArrayLike, /) -> tuple[ndarray, ndarray]: ...

class ufunc:
    types: list[str]
    ntypes: int
    signature: str | None
    @property
    def __name__(self) -> str: ...
    @property
    def identity(self) -> Any: ...
    @property
    def nargs(self) -> int: ...
    @property
    def nin(self) -> int: ...
    @property
    def nout(self) -> int: ...
    def __call__(self, /, *args: Any, **kwargs: Any) -> Any: ...
    def accumulate(
        self, array: _ArrayLike, axis: SupportsIndex = 0, dtype: DTypeLike | None = None, out: _Out = None
    ) -> ndarray: ...
    def at(self, a: ndarray, indices: Any, b: _ArrayLike = ..., /) -> None: ...
    def outer(self, /, *args: _ArrayLike, **kwargs: Any) -> ndarray: ...
    def reduce(
        self,
        array: _ArrayLike,
        axis: _Axes = 0,
        dtype: DTypeLike | None = None,
        out: _Out = None,
        keepdims: bool = False,
        initial: _Number | None = ...,
        where: _ArrayLike = True,
    ) -> _ArrayOrScalar: ...
    def reduceat(
        self,
        array: _ArrayLike,
        indices: _ArrayLike,
        axis: SupportsIndex = 0,
        dtype: DTypeLike | None = None,
        out: _Out = None,
    ) -> ndarray: ...
    def resolve_dtypes(
        self, dtypes: Iterable[Any], *, signature: Any = None, casting: _Casting | None = None, reduction: bool = False
    ) -> tuple[np.dtype[Any], ...]: ...

# How ufuncs are called, by their operands and results.

class _Unary(ufunc):
    @overload
    def __call__(
        self,
        x: complex | np.generic,
        /,
        *,
        where: bool = True,
        casting: _Casting = "same_kind",
        order: _Order = "K",
        dtype: DTypeLike | None = None,
        subok: bool = True,
        signature: Any = ...,
    ) -> _ArrayOrScalar: ...
    @overload
    def __call__(
        self,
        x: _ArrayLike,
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

class _Binary(ufunc):
    @overload
    def __call__(
        self,
        x1: complex | np.generic,
        x2: complex | np.generic,
        /,
        *,
        where: bool = True,
        casting: _Casting = "same_kind",
        order: _Order = "K",
        dtype: DTypeLike | None = None,
        subok: bool = True,
        signature: Any = ...,
    ) -> _ArrayOrScalar: ...
    @overload
    def __call__(
        self,
        x1: _ArrayLike,
        x2: _ArrayLike,
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
