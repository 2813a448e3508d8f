"""Types, constants and questions about types: NumPy's own, with bascule arrays allowed where NumPy allows arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import bool as bool
from numpy import (
    dtype,
)  # fmt: skip

from . import _core

base_repr, binary_repr, datetime_data, get_include, getbufsize, info, issubdtype = (
    np.base_repr, np.binary_repr, np.datetime_data, np.get_include, np.getbufsize, np.info, np.issubdtype,
)  # fmt: skip
iterable, mintypecode, ndindex, setbufsize, show_config, show_runtime, typename = (
    np.iterable, np.mintypecode, np.ndindex, np.setbufsize, np.show_config, np.show_runtime, np.typename,
)  # fmt: skip

int_, uint, byte, ubyte, short, ushort, intc, uintc, longlong, ulonglong = (
    np.int_, np.uint, np.byte, np.ubyte, np.short, np.ushort, np.intc, np.uintc, np.longlong, np.ulonglong,
)  # fmt: skip
cdouble, csingle = np.cdouble, np.csingle


def _bare(x: Any) -> Any:
    return x.dtype if type(x) is _core.ndarray else x


def finfo(type: Any) -> np.finfo:
    """Limits of a floating type."""
    return np.finfo(_bare(type))


def iinfo(type: Any) -> np.iinfo:
    """Limits of an integer type."""
    return np.iinfo(_bare(type))


def result_type(*arrays_and_dtypes: Any) -> dtype:
    """Type that an operation on the arguments computes in."""
    return np.result_type(*map(_bare, arrays_and_dtypes))


def can_cast(from_: Any, to: Any, casting: str = "safe") -> bool:
    """Whether a cast is allowed by a rule."""
    return np.can_cast(_bare(from_), to, casting)


def promote_types(type1: Any, type2: Any, /) -> dtype:
    """Smallest type that both cast to safely."""
    return np.promote_types(_bare(type1), _bare(type2))


def isdtype(dtype: Any, kind: Any) -> bool:
    """Whether a type is of a kind of the Array API."""
    return np.isdtype(_bare(dtype), kind)


def isscalar(element: Any) -> bool:
    """Whether the argument is a scalar, a 0-d value of bascule included."""
    return _core.is_scalar(element) if type(element) is _core.ndarray else np.isscalar(element)


def min_scalar_type(a: Any, /) -> dtype:
    """Smallest type that holds a scalar."""
    return np.min_scalar_type(_core.to_numpy(a) if type(a) is _core.ndarray else a)


def common_type(*arrays: Any) -> type:
    """Floating type of scalars that holds all arguments."""
    return np.common_type(*(np.empty(0, x.dtype) if type(x) is _core.ndarray else x for x in arrays))


class _Information:
    """What the Array API asks of a namespace."""

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
    """Devices, types and capabilities, as the Array API asks."""
    return _Information()


__all__ = [n for n in globals() if not n.startswith("_") and n not in ("annotations", "Any", "np")]
