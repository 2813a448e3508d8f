"""Attributes and methods of NumPy's scalars that its arrays lack, for the arrays that stand for scalars (rule 16)."""

from __future__ import annotations

from typing import Any

from .. import _core
from .._core import ndarray

# Name: (annotation of the type, summary).
_ATTRIBUTES = {
    "as_integer_ratio": (
        "Callable[[], tuple[int, int]]",
        "Return the value of a scalar as a ratio of two integers.",
    ),
    "bit_count": ("Callable[[], int]", "Return the number of set bits in the absolute value of an integer scalar."),
    "denominator": ("int", "Denominator of an integer scalar: 1."),
    "hex": ("Callable[[], str]", "Return the value of a float64 scalar as a hexadecimal string."),
    "is_integer": ("Callable[[], bool]", "Test whether the value of a scalar is a whole number."),
    "numerator": ("int", "Numerator of an integer scalar: its value."),
}


def _numpys(self: Any, name: str) -> Any:
    """The attribute of NumPy's scalar of the same type and value, or None."""
    kind = self.dtype.type
    return getattr(_core.to_numpy(self)[()], name) if _core.is_scalar(self) and hasattr(kind, name) else None


def _of_scalars(name: str, kind: str, summary: str) -> property:
    """An attribute that exists where NumPy's scalar has it."""

    def answer(self: Any) -> Any:
        found = _numpys(self, name)
        if found is None:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute {name!r}", name=name, obj=self)
        return found

    answer.__annotations__["return"] = kind
    return property(answer, doc=summary)


def _trunc(self: Any, /) -> Any:
    trunc = _numpys(self, "__trunc__")
    if trunc is None:
        raise TypeError(f"type {type(self).__name__} doesn't define __trunc__ method")
    return trunc()


def install() -> None:
    """Put the attributes on the type."""
    for name, (kind, summary) in _ATTRIBUTES.items():
        setattr(ndarray, name, _of_scalars(name, kind, summary))
    ndarray.__trunc__ = _trunc
