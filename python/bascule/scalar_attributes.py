"""What NumPy's scalars have and its arrays have not, on the arrays that stand for scalars (rule 16)."""

from __future__ import annotations

from typing import Any

from . import _core

ndarray = _core.ndarray
_NAMES = ("as_integer_ratio", "bit_count", "denominator", "hex", "is_integer", "numerator")


class _OfScalars:
    """An attribute that is there where NumPy's scalar of the same type has it; the scalar itself answers."""

    def __init__(self, name: str):
        self._name = name

    def __get__(self, array: Any, owner: type | None = None) -> Any:
        if array is None:
            return self
        kind = array.dtype.type
        if not _core.is_scalar(array) or not hasattr(kind, self._name):
            raise AttributeError(
                f"'{type(array).__name__}' object has no attribute {self._name!r}", name=self._name, obj=array
            )
        return getattr(kind(array.item()), self._name)


def _trunc(self: Any, /) -> Any:
    if not _core.is_scalar(self) or not hasattr(self.dtype.type, "__trunc__"):
        raise TypeError(f"type {type(self).__name__} doesn't define __trunc__ method")
    return self.dtype.type(self.item()).__trunc__()


def install() -> None:
    """Put the attributes on the type."""
    for name in _NAMES:
        setattr(ndarray, name, _OfScalars(name))
    ndarray.__trunc__ = _trunc
