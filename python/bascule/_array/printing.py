"""String representations of arrays, equal to NumPy's: NumPy's printing reads the array's own memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, SupportsIndex

import numpy as np

from .. import _core
from . import conversion

if TYPE_CHECKING:
    from collections.abc import Callable

    from .types import _ArrayLike, _Casting, _Number

__all__ = [
    "array2string",
    "array_repr",
    "array_str",
    "datetime_as_string",
    "format_float_positional",
    "format_float_scientific",
    "get_printoptions",
    "printoptions",
    "set_printoptions",
]


get_printoptions, printoptions, set_printoptions = np.get_printoptions, np.printoptions, np.set_printoptions


def _host(x: Any) -> Any:
    if not conversion.is_array(x):
        return x
    return conversion.to_numpy(x) if x.device.startswith("cuda") else conversion.host_view(x)


def _number(x: Any) -> Any:
    return _host(x)[()] if conversion.is_array(x) else x


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
) -> str:
    """Return a string representation of an array.

    Parameters
    ----------
    a : array_like
    max_line_width, precision, suppress_small, separator, prefix, formatter, threshold, edgeitems, sign, floatmode, suffix, legacy
        As in NumPy; those not given have the values of `set_printoptions`.

    Returns
    -------
    str

    Examples
    --------
    >>> import bascule as bc
    >>> bc.array2string(bc.arange(3), separator=",")
    '[0,1,2]'
    """
    return np.array2string(
        _host(a), max_line_width, precision, suppress_small, separator, prefix, formatter=formatter, threshold=threshold,
        edgeitems=edgeitems, sign=sign, floatmode=floatmode, suffix=suffix, legacy=legacy,
    )  # fmt: skip


def array_repr(
    arr: _ArrayLike,
    max_line_width: int | None = None,
    precision: SupportsIndex | None = None,
    suppress_small: bool | None = None,
) -> str:
    """Return a string like ``array([1, 2, 3])``.

    Parameters
    ----------
    arr : array_like
    max_line_width, precision, suppress_small
        As in NumPy.

    Returns
    -------
    str

    Examples
    --------
    >>> import bascule as bc
    >>> bc.array_repr(bc.arange(3))
    'array([0, 1, 2])'
    """
    return np.array_repr(_host(arr), max_line_width, precision, suppress_small)


def shown(a: Any) -> str:
    """The text that the prompt, lists and dictionaries show; scalars look like NumPy's, ``np.float64(6.0)``."""
    return repr(_number(a)) if _core.is_scalar(a) else array_repr(a)


def array_str(
    a: _ArrayLike,
    max_line_width: int | None = None,
    precision: SupportsIndex | None = None,
    suppress_small: bool | None = None,
) -> str:
    """Return a string like ``[1 2 3]``.

    Parameters
    ----------
    a : array_like
    max_line_width, precision, suppress_small
        As in NumPy.

    Returns
    -------
    str

    Examples
    --------
    >>> import bascule as bc
    >>> bc.array_str(bc.arange(3))
    '[0 1 2]'
    """
    return np.array_str(_host(a), max_line_width, precision, suppress_small)


def as_text(a: Any) -> str:
    """The text that str() returns; for a scalar that of NumPy's own, which ignores print options."""
    if not _core.is_scalar(a) or a.dtype.kind in "mM":
        return array_str(a)
    return str(a.dtype.type(_core.item(a, 0)))


def array_format(self: Any, spec: str) -> str:
    """Format an array without axes as its value."""
    if self.ndim == 0:
        return format(_number(self) if self.dtype.kind in "mM" else _core.item(self, 0), spec)
    if spec:
        raise TypeError("unsupported format string passed to bascule.ndarray.__format__")
    return array_str(self)


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
) -> str:
    """Format a number with all its digits, without an exponent.

    Parameters
    ----------
    x : scalar
    precision, unique, fractional, trim, sign, pad_left, pad_right, min_digits
        As in NumPy.

    Returns
    -------
    str

    Examples
    --------
    >>> import bascule as bc
    >>> bc.format_float_positional(1e-3)
    '0.001'
    """
    return np.format_float_positional(
        _number(x), precision, unique, fractional, trim, sign, pad_left, pad_right, min_digits
    )


def format_float_scientific(
    x: _Number,
    precision: SupportsIndex | None = None,
    unique: bool = True,
    trim: Literal["k", ".", "0", "-"] = "k",
    sign: bool = False,
    pad_left: int | None = None,
    exp_digits: int | None = None,
    min_digits: int | None = None,
) -> str:
    """Format a number with an exponent.

    Parameters
    ----------
    x : scalar
    precision, unique, trim, sign, pad_left, exp_digits, min_digits
        As in NumPy.

    Returns
    -------
    str

    Examples
    --------
    >>> import bascule as bc
    >>> bc.format_float_scientific(1000.0)
    '1.e+03'
    """
    return np.format_float_scientific(_number(x), precision, unique, trim, sign, pad_left, exp_digits, min_digits)


def datetime_as_string(
    arr: _ArrayLike, unit: str | None = None, timezone: Any = "naive", casting: _Casting = "same_kind"
) -> np.ndarray[Any, np.dtype[np.str_]] | str:
    """Return datetimes as ISO 8601 strings.

    Parameters
    ----------
    arr : array_like of datetime64
    unit, timezone, casting
        As in NumPy.

    Returns
    -------
    numpy.ndarray of str, or str
        Arrays of strings are NumPy's.

    Raises
    ------
    TypeError
        `arr` holds no dates.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.datetime_as_string(bc.array(["2001-02-03"], dtype="M8[D]")).tolist()
    ['2001-02-03']
    """
    return np.datetime_as_string(_host(arr), unit, timezone, casting)
