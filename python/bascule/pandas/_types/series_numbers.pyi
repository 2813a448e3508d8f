# Written by python/stubs/write_pandas.py from the signatures, with pandas 3.1, and the tables beside it.
from collections.abc import Sequence
from typing import Any, Generic, Literal, overload

import numpy as np

from ..._core import ndarray
from .frame import DataFrame
from .index import Index
from .series import Series
from .words import _T, Axis, Label, Scalar

class SeriesNumbers(Generic[_T]):
    def add(
        self, other: Any, level: Label | Sequence[Label] | None = None, fill_value: Any = None, axis: Axis = 0,
    ) -> Series: ...  # fmt: skip
    def all(self, axis: Axis = 0, bool_only: bool = False, skipna: bool = True, **kwargs: Any) -> bool: ...
    def any(self, *, axis: Axis = 0, bool_only: bool = False, skipna: bool = True, **kwargs: Any) -> bool: ...
    def autocorr(self, lag: int = 1) -> float: ...
    def count(self) -> int: ...
    def div(
        self, other: Any, level: Label | Sequence[Label] | None = None, fill_value: Any = None, axis: Axis = 0,
    ) -> Series: ...  # fmt: skip
    def divide(
        self, other: Any, level: Label | Sequence[Label] | None = None, fill_value: Any = None, axis: Axis = 0,
    ) -> Series: ...  # fmt: skip
    def divmod(
        self, other: Any, level: Label | Sequence[Label] | None = None, fill_value: Any = None, axis: Axis = 0,
    ) -> tuple[Series, Series]: ...  # fmt: skip
    @overload
    def dot(self, other: DataFrame) -> Series: ...
    @overload
    def dot(self, other: Series | Sequence[Any] | Index | np.ndarray[Any, Any] | ndarray) -> Any: ...
    def eq(
        self, other: Any, level: Label | Sequence[Label] | None = None, fill_value: Any = None, axis: Axis = 0,
    ) -> Series[bool]: ...  # fmt: skip
    def floordiv(
        self, other: Any, level: Label | Sequence[Label] | None = None, fill_value: Any = None, axis: Axis = 0,
    ) -> Series: ...  # fmt: skip
    def ge(
        self, other: Any, level: Label | Sequence[Label] | None = None, fill_value: Any = None, axis: Axis = 0,
    ) -> Series[bool]: ...  # fmt: skip
    def gt(
        self, other: Any, level: Label | Sequence[Label] | None = None, fill_value: Any = None, axis: Axis = 0,
    ) -> Series[bool]: ...  # fmt: skip
    def kurt(
        self, *, axis: Axis = 0, skipna: bool = True, numeric_only: bool = False, **kwargs: Any,
    ) -> Scalar: ...  # fmt: skip
    def kurtosis(
        self, *, axis: Axis = 0, skipna: bool = True, numeric_only: bool = False, **kwargs: Any,
    ) -> Scalar: ...  # fmt: skip
    def le(
        self, other: Any, level: Label | Sequence[Label] | None = None, fill_value: Any = None, axis: Axis = 0,
    ) -> Series[bool]: ...  # fmt: skip
    def lt(
        self, other: Any, level: Label | Sequence[Label] | None = None, fill_value: Any = None, axis: Axis = 0,
    ) -> Series[bool]: ...  # fmt: skip
    def max(self, *, axis: Axis = 0, skipna: bool = True, numeric_only: bool = False, **kwargs: Any) -> _T: ...
    def mean(
        self, *, axis: Axis = 0, skipna: bool = True, numeric_only: bool = False, **kwargs: Any,
    ) -> Scalar: ...  # fmt: skip
    def median(
        self, *, axis: Axis = 0, skipna: bool = True, numeric_only: bool = False, **kwargs: Any,
    ) -> Scalar: ...  # fmt: skip
    def min(self, *, axis: Axis = 0, skipna: bool = True, numeric_only: bool = False, **kwargs: Any) -> _T: ...
    def mod(
        self, other: Any, level: Label | Sequence[Label] | None = None, fill_value: Any = None, axis: Axis = 0,
    ) -> Series: ...  # fmt: skip
    def mul(
        self, other: Any, level: Label | Sequence[Label] | None = None, fill_value: Any = None, axis: Axis = 0,
    ) -> Series: ...  # fmt: skip
    def multiply(
        self, other: Any, level: Label | Sequence[Label] | None = None, fill_value: Any = None, axis: Axis = 0,
    ) -> Series: ...  # fmt: skip
    def ne(
        self, other: Any, level: Label | Sequence[Label] | None = None, fill_value: Any = None, axis: Axis = 0,
    ) -> Series[bool]: ...  # fmt: skip
    def nunique(self, dropna: bool = True) -> int: ...
    def pow(
        self, other: Any, level: Label | Sequence[Label] | None = None, fill_value: Any = None, axis: Axis = 0,
    ) -> Series: ...  # fmt: skip
    def prod(
        self, *, axis: Axis = 0, skipna: bool = True, numeric_only: bool = False, min_count: int = 0, **kwargs: Any,
    ) -> _T: ...  # fmt: skip
    def product(
        self, *, axis: Axis = 0, skipna: bool = True, numeric_only: bool = False, min_count: int = 0, **kwargs: Any,
    ) -> _T: ...  # fmt: skip
    @overload
    def quantile(
        self, q: float = 0.5, interpolation: Literal['linear', 'lower', 'higher', 'midpoint', 'nearest'] = 'linear',
    ) -> Scalar: ...  # fmt: skip
    @overload
    def quantile(
        self, q: Sequence[float] | np.ndarray[Any, Any] | Index | Series, interpolation: Literal['linear', 'lower',
        'higher', 'midpoint', 'nearest'] = 'linear',
    ) -> Series: ...  # fmt: skip
    def radd(
        self, other: Any, level: Label | Sequence[Label] | None = None, fill_value: Any = None, axis: Axis = 0,
    ) -> Series: ...  # fmt: skip
    def rdiv(
        self, other: Any, level: Label | Sequence[Label] | None = None, fill_value: Any = None, axis: Axis = 0,
    ) -> Series: ...  # fmt: skip
    def rdivmod(
        self, other: Any, level: Label | Sequence[Label] | None = None, fill_value: Any = None, axis: Axis = 0,
    ) -> tuple[Series, Series]: ...  # fmt: skip
    def rfloordiv(
        self, other: Any, level: Label | Sequence[Label] | None = None, fill_value: Any = None, axis: Axis = 0,
    ) -> Series: ...  # fmt: skip
    def rmod(
        self, other: Any, level: Label | Sequence[Label] | None = None, fill_value: Any = None, axis: Axis = 0,
    ) -> Series: ...  # fmt: skip
    def rmul(
        self, other: Any, level: Label | Sequence[Label] | None = None, fill_value: Any = None, axis: Axis = 0,
    ) -> Series: ...  # fmt: skip
    def rpow(
        self, other: Any, level: Label | Sequence[Label] | None = None, fill_value: Any = None, axis: Axis = 0,
    ) -> Series: ...  # fmt: skip
    def rsub(
        self, other: Any, level: Label | Sequence[Label] | None = None, fill_value: Any = None, axis: Axis = 0,
    ) -> Series: ...  # fmt: skip
    def rtruediv(
        self, other: Any, level: Label | Sequence[Label] | None = None, fill_value: Any = None, axis: Axis = 0,
    ) -> Series: ...  # fmt: skip
    def sem(
        self, *, axis: Axis = 0, skipna: bool = True, ddof: int = 1, numeric_only: bool = False, **kwargs: Any,
    ) -> Scalar: ...  # fmt: skip
    def skew(
        self, *, axis: Axis = 0, skipna: bool = True, numeric_only: bool = False, **kwargs: Any,
    ) -> Scalar: ...  # fmt: skip
    def std(
        self, *, axis: Axis = 0, skipna: bool = True, ddof: int = 1, numeric_only: bool = False, **kwargs: Any,
    ) -> Scalar: ...  # fmt: skip
    def sub(
        self, other: Any, level: Label | Sequence[Label] | None = None, fill_value: Any = None, axis: Axis = 0,
    ) -> Series: ...  # fmt: skip
    def subtract(
        self, other: Any, level: Label | Sequence[Label] | None = None, fill_value: Any = None, axis: Axis = 0,
    ) -> Series: ...  # fmt: skip
    def sum(
        self, *, axis: Axis = 0, skipna: bool = True, numeric_only: bool = False, min_count: int = 0, **kwargs: Any,
    ) -> _T: ...  # fmt: skip
    def truediv(
        self, other: Any, level: Label | Sequence[Label] | None = None, fill_value: Any = None, axis: Axis = 0,
    ) -> Series: ...  # fmt: skip
    def var(
        self, *, axis: Axis = 0, skipna: bool = True, ddof: int = 1, numeric_only: bool = False, **kwargs: Any,
    ) -> Scalar: ...  # fmt: skip
