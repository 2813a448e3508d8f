# Written by python/stubs/write_pandas.py from the signatures, with pandas 3.1, and the tables beside it.
from collections.abc import Sequence
from typing import Any, Literal, Self, overload

import numpy as np

from ..._core import ndarray
from .frame import DataFrame
from .index import Index
from .series import Series
from .words import Axis, Label, Scalar

class FrameNumbers:
    def add(
        self, other: Any, axis: Axis = 'columns', level: Label | Sequence[Label] | None = None,
        fill_value: Any = None,
    ) -> Self: ...  # fmt: skip
    @overload
    def all(self, axis: None, bool_only: bool = False, skipna: bool = True, **kwargs: Any) -> np.bool: ...
    @overload
    def all(
        self, axis: Axis = 0, bool_only: bool = False, skipna: bool = True, **kwargs: Any,
    ) -> Series[bool]: ...  # fmt: skip
    @overload
    def any(self, *, axis: None, bool_only: bool = False, skipna: bool = True, **kwargs: Any) -> np.bool: ...
    @overload
    def any(
        self, *, axis: Axis = 0, bool_only: bool = False, skipna: bool = True, **kwargs: Any,
    ) -> Series[bool]: ...  # fmt: skip
    def count(self, axis: Axis = 0, numeric_only: bool = False) -> Series: ...
    def div(
        self, other: Any, axis: Axis = 'columns', level: Label | Sequence[Label] | None = None,
        fill_value: Any = None,
    ) -> Self: ...  # fmt: skip
    def divide(
        self, other: Any, axis: Axis = 'columns', level: Label | Sequence[Label] | None = None,
        fill_value: Any = None,
    ) -> Self: ...  # fmt: skip
    @overload
    def dot(self, other: Series) -> Series: ...
    @overload
    def dot(self, other: DataFrame | Sequence[Any] | Index | np.ndarray[Any, Any] | ndarray) -> DataFrame: ...
    def eq(self, other: Any, axis: Axis = "columns", level: Label | Sequence[Label] | None = None) -> Self: ...
    def floordiv(
        self, other: Any, axis: Axis = 'columns', level: Label | Sequence[Label] | None = None,
        fill_value: Any = None,
    ) -> Self: ...  # fmt: skip
    def ge(self, other: Any, axis: Axis = "columns", level: Label | Sequence[Label] | None = None) -> Self: ...
    def gt(self, other: Any, axis: Axis = "columns", level: Label | Sequence[Label] | None = None) -> Self: ...
    @overload
    def kurt(self, *, axis: None, skipna: bool = True, numeric_only: bool = False, **kwargs: Any) -> Scalar: ...
    @overload
    def kurt(
        self, *, axis: Axis = 0, skipna: bool = True, numeric_only: bool = False, **kwargs: Any,
    ) -> Series: ...  # fmt: skip
    @overload
    def kurtosis(
        self, *, axis: None, skipna: bool = True, numeric_only: bool = False, **kwargs: Any,
    ) -> Scalar: ...  # fmt: skip
    @overload
    def kurtosis(
        self, *, axis: Axis = 0, skipna: bool = True, numeric_only: bool = False, **kwargs: Any,
    ) -> Series: ...  # fmt: skip
    def le(self, other: Any, axis: Axis = "columns", level: Label | Sequence[Label] | None = None) -> Self: ...
    def lt(self, other: Any, axis: Axis = "columns", level: Label | Sequence[Label] | None = None) -> Self: ...
    @overload
    def max(self, *, axis: None, skipna: bool = True, numeric_only: bool = False, **kwargs: Any) -> Any: ...
    @overload
    def max(
        self, *, axis: Axis = 0, skipna: bool = True, numeric_only: bool = False, **kwargs: Any,
    ) -> Series: ...  # fmt: skip
    @overload
    def mean(self, *, axis: None, skipna: bool = True, numeric_only: bool = False, **kwargs: Any) -> Scalar: ...
    @overload
    def mean(
        self, *, axis: Axis = 0, skipna: bool = True, numeric_only: bool = False, **kwargs: Any,
    ) -> Series: ...  # fmt: skip
    @overload
    def median(
        self, *, axis: None, skipna: bool = True, numeric_only: bool = False, **kwargs: Any,
    ) -> Scalar: ...  # fmt: skip
    @overload
    def median(
        self, *, axis: Axis = 0, skipna: bool = True, numeric_only: bool = False, **kwargs: Any,
    ) -> Series: ...  # fmt: skip
    @overload
    def min(self, *, axis: None, skipna: bool = True, numeric_only: bool = False, **kwargs: Any) -> Any: ...
    @overload
    def min(
        self, *, axis: Axis = 0, skipna: bool = True, numeric_only: bool = False, **kwargs: Any,
    ) -> Series: ...  # fmt: skip
    def mod(
        self, other: Any, axis: Axis = 'columns', level: Label | Sequence[Label] | None = None,
        fill_value: Any = None,
    ) -> Self: ...  # fmt: skip
    def mul(
        self, other: Any, axis: Axis = 'columns', level: Label | Sequence[Label] | None = None,
        fill_value: Any = None,
    ) -> Self: ...  # fmt: skip
    def multiply(
        self, other: Any, axis: Axis = 'columns', level: Label | Sequence[Label] | None = None,
        fill_value: Any = None,
    ) -> Self: ...  # fmt: skip
    def ne(self, other: Any, axis: Axis = "columns", level: Label | Sequence[Label] | None = None) -> Self: ...
    def nunique(self, axis: Axis = 0, dropna: bool = True) -> Series: ...
    def pow(
        self, other: Any, axis: Axis = 'columns', level: Label | Sequence[Label] | None = None,
        fill_value: Any = None,
    ) -> Self: ...  # fmt: skip
    @overload
    def prod(
        self, *, axis: None, skipna: bool = True, numeric_only: bool = False, min_count: int = 0, **kwargs: Any,
    ) -> Any: ...  # fmt: skip
    @overload
    def prod(
        self, *, axis: Axis = 0, skipna: bool = True, numeric_only: bool = False, min_count: int = 0, **kwargs: Any,
    ) -> Series: ...  # fmt: skip
    @overload
    def product(
        self, *, axis: None, skipna: bool = True, numeric_only: bool = False, min_count: int = 0, **kwargs: Any,
    ) -> Any: ...  # fmt: skip
    @overload
    def product(
        self, *, axis: Axis = 0, skipna: bool = True, numeric_only: bool = False, min_count: int = 0, **kwargs: Any,
    ) -> Series: ...  # fmt: skip
    @overload
    def quantile(
        self, q: float = 0.5, axis: Axis = 0, numeric_only: bool = False, interpolation: Literal['linear', 'lower',
        'higher', 'midpoint', 'nearest'] = 'linear', method: Literal['single', 'table'] = 'single',
    ) -> Series: ...  # fmt: skip
    @overload
    def quantile(
        self, q: Sequence[float] | np.ndarray[Any, Any] | Index | Series, axis: Axis = 0,
        numeric_only: bool = False, interpolation: Literal['linear', 'lower', 'higher', 'midpoint',
        'nearest'] = 'linear', method: Literal['single', 'table'] = 'single',
    ) -> DataFrame: ...  # fmt: skip
    def radd(
        self, other: Any, axis: Axis = 'columns', level: Label | Sequence[Label] | None = None,
        fill_value: Any = None,
    ) -> Self: ...  # fmt: skip
    def rdiv(
        self, other: Any, axis: Axis = 'columns', level: Label | Sequence[Label] | None = None,
        fill_value: Any = None,
    ) -> Self: ...  # fmt: skip
    def rfloordiv(
        self, other: Any, axis: Axis = 'columns', level: Label | Sequence[Label] | None = None,
        fill_value: Any = None,
    ) -> Self: ...  # fmt: skip
    def rmod(
        self, other: Any, axis: Axis = 'columns', level: Label | Sequence[Label] | None = None,
        fill_value: Any = None,
    ) -> Self: ...  # fmt: skip
    def rmul(
        self, other: Any, axis: Axis = 'columns', level: Label | Sequence[Label] | None = None,
        fill_value: Any = None,
    ) -> Self: ...  # fmt: skip
    def rpow(
        self, other: Any, axis: Axis = 'columns', level: Label | Sequence[Label] | None = None,
        fill_value: Any = None,
    ) -> Self: ...  # fmt: skip
    def rsub(
        self, other: Any, axis: Axis = 'columns', level: Label | Sequence[Label] | None = None,
        fill_value: Any = None,
    ) -> Self: ...  # fmt: skip
    def rtruediv(
        self, other: Any, axis: Axis = 'columns', level: Label | Sequence[Label] | None = None,
        fill_value: Any = None,
    ) -> Self: ...  # fmt: skip
    @overload
    def sem(
        self, *, axis: None, skipna: bool = True, ddof: int = 1, numeric_only: bool = False, **kwargs: Any,
    ) -> Scalar: ...  # fmt: skip
    @overload
    def sem(
        self, *, axis: Axis = 0, skipna: bool = True, ddof: int = 1, numeric_only: bool = False, **kwargs: Any,
    ) -> Series: ...  # fmt: skip
    @overload
    def skew(self, *, axis: None, skipna: bool = True, numeric_only: bool = False, **kwargs: Any) -> Scalar: ...
    @overload
    def skew(
        self, *, axis: Axis = 0, skipna: bool = True, numeric_only: bool = False, **kwargs: Any,
    ) -> Series: ...  # fmt: skip
    @overload
    def std(
        self, *, axis: None, skipna: bool = True, ddof: int = 1, numeric_only: bool = False, **kwargs: Any,
    ) -> Scalar: ...  # fmt: skip
    @overload
    def std(
        self, *, axis: Axis = 0, skipna: bool = True, ddof: int = 1, numeric_only: bool = False, **kwargs: Any,
    ) -> Series: ...  # fmt: skip
    def sub(
        self, other: Any, axis: Axis = 'columns', level: Label | Sequence[Label] | None = None,
        fill_value: Any = None,
    ) -> Self: ...  # fmt: skip
    def subtract(
        self, other: Any, axis: Axis = 'columns', level: Label | Sequence[Label] | None = None,
        fill_value: Any = None,
    ) -> Self: ...  # fmt: skip
    @overload
    def sum(
        self, *, axis: None, skipna: bool = True, numeric_only: bool = False, min_count: int = 0, **kwargs: Any,
    ) -> Any: ...  # fmt: skip
    @overload
    def sum(
        self, *, axis: Axis = 0, skipna: bool = True, numeric_only: bool = False, min_count: int = 0, **kwargs: Any,
    ) -> Series: ...  # fmt: skip
    def truediv(
        self, other: Any, axis: Axis = 'columns', level: Label | Sequence[Label] | None = None,
        fill_value: Any = None,
    ) -> Self: ...  # fmt: skip
    @overload
    def var(
        self, *, axis: None, skipna: bool = True, ddof: int = 1, numeric_only: bool = False, **kwargs: Any,
    ) -> Scalar: ...  # fmt: skip
    @overload
    def var(
        self, *, axis: Axis = 0, skipna: bool = True, ddof: int = 1, numeric_only: bool = False, **kwargs: Any,
    ) -> Series: ...  # fmt: skip
