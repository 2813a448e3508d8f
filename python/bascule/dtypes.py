"""Types, constants and functions on types: NumPy's own, which also take bascule arrays where NumPy takes arrays."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy import (
    base_repr,
    binary_repr,
    bool,
    byte,
    cdouble,
    csingle,
    datetime_data,
    dtype,
    get_include,
    getbufsize,
    info,
    int_,
    intc,
    issubdtype,
    iterable,
    longlong,
    mintypecode,
    ndindex,
    setbufsize,
    short,
    show_config,
    show_runtime,
    typename,
    ubyte,
    uint,
    uintc,
    ulonglong,
    ushort,
)  # fmt: skip

from . import _core

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from ._array.types import _ArrayLike, _Casting

__all__ = [
    "bool", "dtype", "base_repr", "binary_repr", "datetime_data", "get_include", "getbufsize", "info", "issubdtype",
    "iterable", "mintypecode", "ndindex", "setbufsize", "show_config", "show_runtime", "typename", "int_", "uint",
    "byte", "ubyte", "short", "ushort", "intc", "uintc", "longlong", "ulonglong", "cdouble", "csingle", "finfo",
    "iinfo", "result_type", "can_cast", "promote_types", "isdtype", "isscalar", "min_scalar_type", "common_type",
]  # fmt: skip


def _bare(x: Any) -> Any:
    return x.dtype if type(x) is _core.ndarray else x


def finfo(type: Any) -> np.finfo[Any]:
    """Return the machine limits of a floating-point dtype.

    Parameters
    ----------
    type : dtype, array or scalar
        A complex type stands for the type of its parts.

    Returns
    -------
    numpy.finfo

    Raises
    ------
    ValueError
        The type is not floating.

    Examples
    --------
    >>> import bascule as bc
    >>> float(bc.finfo(bc.zeros(3, "f4")).eps) == 2.0**-23
    True
    """
    return np.finfo(_bare(type))


def iinfo(type: Any) -> np.iinfo[Any]:
    """Return the machine limits of an integer dtype.

    Parameters
    ----------
    type : dtype, array or scalar

    Returns
    -------
    numpy.iinfo

    Raises
    ------
    ValueError
        The type is no integer type.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.iinfo(bc.int8).max
    127
    """
    return np.iinfo(_bare(type))


def result_type(*arrays_and_dtypes: _ArrayLike | DTypeLike) -> np.dtype[Any]:
    """Return the dtype that results from applying the type promotion rules to the arguments.

    Parameters
    ----------
    *arrays_and_dtypes : dtype, array or scalar
        A Python number takes the type of the other operands if it is of their kind or a lower one.

    Returns
    -------
    numpy.dtype

    Raises
    ------
    numpy.exceptions.DTypePromotionError
        No type holds both.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.result_type(bc.zeros(3, "f4"), 1), bc.result_type("i4", "f4")
    (dtype('float32'), dtype('float64'))
    """
    return np.result_type(*map(_bare, arrays_and_dtypes))


def can_cast(from_: _ArrayLike | DTypeLike, to: DTypeLike, casting: _Casting = "safe") -> bool:
    """Test whether a cast between dtypes is allowed by a casting rule.

    Parameters
    ----------
    from_ : dtype or array
    to : dtype
    casting : {"no", "equiv", "safe", "same_kind", "unsafe"}, optional
        The rule.

    Returns
    -------
    bool

    Raises
    ------
    TypeError
        `from_` is one of Python's numbers, whose type depends on the other operands.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.can_cast("i4", "f4"), bc.can_cast("i4", "f4", "same_kind")
    (False, True)
    """
    return np.can_cast(_bare(from_), to, casting)


def promote_types(type1: DTypeLike, type2: DTypeLike, /) -> np.dtype[Any]:
    """Return the smallest dtype to which both dtypes can be safely cast.

    Parameters
    ----------
    type1, type2 : dtype

    Returns
    -------
    numpy.dtype

    Raises
    ------
    numpy.exceptions.DTypePromotionError
        There is none.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.promote_types("i4", "u4")
    dtype('int64')
    """
    return np.promote_types(_bare(type1), _bare(type2))


def isdtype(dtype: np.dtype[Any] | type[np.generic], kind: DTypeLike | str | tuple[Any, ...]) -> bool:
    """Test whether a dtype is of a kind of the Array API.

    Parameters
    ----------
    dtype : dtype or array
    kind : str, dtype or tuple of them
        "bool", "signed integer", "unsigned integer", "integral", "real floating", "complex floating" or "numeric".

    Returns
    -------
    bool

    Raises
    ------
    ValueError
        There is no such kind.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.isdtype(bc.zeros(3).dtype, ("real floating", "bool"))
    True
    """
    return np.isdtype(_bare(dtype), kind)


def isscalar(element: _ArrayLike) -> bool:
    """Test whether the argument is a scalar: a number, or on CUDA a 0-d array flagged as a scalar.

    Parameters
    ----------
    element : object

    Returns
    -------
    bool
        True for results of full reductions and full integer indexing; False for arrays without axes.

    Examples
    --------
    >>> import bascule as bc
    >>> x = bc.arange(3)
    >>> bc.isscalar(x[0]), bc.isscalar(x), bc.isscalar(2.5)
    (True, False, True)
    """
    return _core.is_scalar(element) if type(element) is _core.ndarray else np.isscalar(element)


def min_scalar_type(a: _ArrayLike, /) -> np.dtype[Any]:
    """Return the smallest dtype that can hold a scalar.

    Parameters
    ----------
    a : scalar or array_like
        The value; for an array with axes its own type is returned.

    Returns
    -------
    numpy.dtype

    Examples
    --------
    >>> import bascule as bc
    >>> bc.min_scalar_type(300), bc.min_scalar_type(-1)
    (dtype('uint16'), dtype('int8'))
    """
    return np.min_scalar_type(_core.to_numpy(a) if type(a) is _core.ndarray else a)


def common_type(*arrays: Iterable[_ArrayLike]) -> type[Any]:
    """Return the floating-point scalar type common to all arguments.

    Parameters
    ----------
    *arrays : array

    Returns
    -------
    type
        float64 if an argument has integers.

    Raises
    ------
    TypeError
        An argument is neither numeric nor boolean.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.common_type(bc.zeros(2, "f4"), bc.zeros(2, "c8"))
    <class 'numpy.complex64'>
    """
    return np.common_type(*(np.empty(0, x.dtype) if type(x) is _core.ndarray else x for x in arrays))


class _Information:
    """The inspection functions of the Array API."""

    def capabilities(self) -> dict[str, Any]:
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}

    def default_device(self) -> str:
        return _core.get_default_device()

    def devices(self) -> list[str]:
        found = ["cpu"]
        if not _core.why_no_cuda():
            found += [f"cuda:{i}" for i in range(_core.device_count("cuda"))]
        return found

    def default_dtypes(self, *, device: str | None = None) -> dict[str, np.dtype]:
        return np.__array_namespace_info__().default_dtypes()

    def dtypes(self, *, device: str | None = None, kind: Any = None) -> dict[str, np.dtype]:
        return np.__array_namespace_info__().dtypes(kind=kind)


__array_api_version__ = "2024.12"


def __array_namespace_info__() -> _Information:
    """Return devices, types and capabilities, for the Array API.

    Returns
    -------
    object
        An object with the methods `capabilities`, `default_device`, `default_dtypes`, `devices` and `dtypes` of the
        standard.

    Examples
    --------
    >>> import bascule as bc
    >>> "cpu" in bc.__array_namespace_info__().devices()
    True
    """
    return _Information()


def __getattr__(name: str) -> Any:
    if name in np.dtypes.__all__:  # the classes of numpy.dtypes
        return getattr(np.dtypes, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
