from collections.abc import Callable
from typing import Any, Literal, SupportsIndex

import numpy as np

from .._core import _ArrayLike, _Casting, _Number

def array2string(
    a: _ArrayLike,
    max_line_width: int | None = None,
    precision: SupportsIndex | None = None,
    suppress_small: bool | None = None,
    separator: str = " ",
    prefix: str = "",
    *,
    formatter: dict[str, Callable[[Any], str]] | None = None,
    threshold: int | None = None,
    edgeitems: int | None = None,
    sign: Literal["-", "+", " "] | None = None,
    floatmode: Literal["fixed", "unique", "maxprec", "maxprec_equal"] | None = None,
    suffix: str = "",
    legacy: Literal["1.13", "1.21", "1.25", "2.1", "2.2", False] | None = None,
) -> str: ...
def array_repr(
    arr: _ArrayLike,
    max_line_width: int | None = None,
    precision: SupportsIndex | None = None,
    suppress_small: bool | None = None,
) -> str: ...
def array_str(
    a: _ArrayLike,
    max_line_width: int | None = None,
    precision: SupportsIndex | None = None,
    suppress_small: bool | None = None,
) -> str: ...
def datetime_as_string(
    arr: _ArrayLike, unit: str | None = None, timezone: Any = "naive", casting: _Casting = "same_kind"
) -> np.ndarray[Any, np.dtype[np.str_]] | str: ...
def format_float_positional(
    x: _Number,
    precision: SupportsIndex | None = None,
    unique: bool = True,
    fractional: bool = True,
    trim: Literal["k", ".", "0", "-"] = "k",
    sign: bool = False,
    pad_left: int | None = None,
    pad_right: int | None = None,
    min_digits: int | None = None,
) -> str: ...
def format_float_scientific(
    x: _Number,
    precision: SupportsIndex | None = None,
    unique: bool = True,
    trim: Literal["k", ".", "0", "-"] = "k",
    sign: bool = False,
    pad_left: int | None = None,
    exp_digits: int | None = None,
    min_digits: int | None = None,
) -> str: ...
