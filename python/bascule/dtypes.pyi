# Types, constants and what works on any library's arrays are NumPy's own.
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy import (
    False_,
    ScalarType,
    True_,
    base_repr,
    binary_repr,
    bool,
    bool_,
    broadcast,
    broadcast_shapes,
    byte,
    bytes_,
    cdouble,
    character,
    clongdouble,
    complex64,
    complex128,
    complex256,
    complexfloating,
    csingle,
    datetime64,
    datetime_data,
    double,
    dtype,
    dtypes,
    e,
    errstate,
    euler_gamma,
    flatiter,
    flexible,
    float16,
    float32,
    float64,
    float128,
    floating,
    generic,
    get_include,
    get_printoptions,
    getbufsize,
    geterr,
    geterrcall,
    half,
    inexact,
    inf,
    info,
    int8,
    int16,
    int32,
    int64,
    int_,
    intc,
    integer,
    intp,
    issubdtype,
    iterable,
    little_endian,
    long,
    longdouble,
    longlong,
    mintypecode,
    nan,
    ndenumerate,
    ndindex,
    newaxis,
    number,
    object_,
    pi,
    poly1d,
    printoptions,
    sctypeDict,
    set_printoptions,
    setbufsize,
    seterr,
    seterrcall,
    short,
    show_config,
    show_runtime,
    signedinteger,
    single,
    str_,
    timedelta64,
    typecodes,
    typename,
    ubyte,
    uint,
    uint8,
    uint16,
    uint32,
    uint64,
    uintc,
    uintp,
    ulong,
    ulonglong,
    unsignedinteger,
    ushort,
    void,
)  # fmt: skip
from numpy.typing import DTypeLike

from ._core import _ArrayLike, _Casting

__all__ = [
    "False_", "ScalarType", "True_", "__array_api_version__", "__array_namespace_info__", "base_repr",
    "binary_repr", "bool", "bool_", "broadcast", "broadcast_shapes", "byte", "bytes_", "can_cast", "cdouble",
    "character", "clongdouble", "common_type", "complex128", "complex256", "complex64", "complexfloating",
    "csingle", "datetime64", "datetime_data", "double", "dtype", "dtypes", "e", "errstate", "euler_gamma",
    "finfo", "flatiter", "flexible", "float128", "float16", "float32", "float64", "floating",
    "generic", "get_include", "get_printoptions", "getbufsize", "geterr", "geterrcall", "half", "iinfo",
    "inexact", "inf", "info", "int16", "int32", "int64", "int8", "int_", "intc", "integer", "intp", "isdtype",
    "isscalar", "issubdtype", "iterable", "little_endian", "long", "longdouble", "longlong", "min_scalar_type",
    "mintypecode", "nan", "ndenumerate", "ndindex", "newaxis", "number", "object_", "pi", "poly1d",
    "printoptions", "promote_types", "result_type", "sctypeDict", "set_printoptions", "setbufsize", "seterr",
    "seterrcall", "short", "show_config", "show_runtime", "signedinteger", "single", "str_",
    "timedelta64", "typecodes", "typename", "ubyte", "uint", "uint16", "uint32", "uint64", "uint8",
    "uintc", "uintp", "ulong", "ulonglong", "unsignedinteger", "ushort", "void",
]  # fmt: skip

def finfo(type: Any) -> np.finfo[Any]: ...
def iinfo(type: Any) -> np.iinfo[Any]: ...
def result_type(*arrays_and_dtypes: _ArrayLike | DTypeLike) -> np.dtype[Any]: ...
def can_cast(from_: _ArrayLike | DTypeLike, to: DTypeLike, casting: _Casting = "safe") -> bool: ...
def promote_types(type1: DTypeLike, type2: DTypeLike, /) -> np.dtype[Any]: ...
def isdtype(dtype: np.dtype[Any] | type[np.generic], kind: DTypeLike | str | tuple[Any, ...]) -> bool: ...
def isscalar(element: _ArrayLike) -> bool: ...
def min_scalar_type(a: _ArrayLike, /) -> np.dtype[Any]: ...
def common_type(*arrays: Iterable[_ArrayLike]) -> type[Any]: ...

__array_api_version__: str

def __array_namespace_info__() -> Any: ...
