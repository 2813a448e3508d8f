"""What NumPy's scalars have and its arrays have not, on the arrays that stand for scalars (rule 16)."""

from __future__ import annotations

from typing import Any

from . import _core

ndarray = _core.ndarray
_SUMMARIES = {
    "as_integer_ratio": "Of a scalar: its value as two integers, whose quotient it is.",
    "bit_count": "Of an integer scalar: how many bits of its absolute value are set.",
    "denominator": "Of an integer scalar: 1.",
    "hex": "Of a float64 scalar: its value as hexadecimal text.",
    "is_integer": "Of a scalar: whether its value is a whole number.",
    "numerator": "Of an integer scalar: its value.",
}


def _of_scalars(name: str, summary: str) -> property:
    """An attribute that is there where NumPy's scalar of the same type has it; the scalar itself answers."""

    def answer(self: Any) -> Any:
        kind = self.dtype.type
        if not _core.is_scalar(self) or not hasattr(kind, name):
            raise AttributeError(f"'{type(self).__name__}' object has no attribute {name!r}", name=name, obj=self)
        return getattr(kind(self.item()), name)

    return property(answer, doc=summary)


def _trunc(self: Any, /) -> Any:
    if not _core.is_scalar(self) or not hasattr(self.dtype.type, "__trunc__"):
        raise TypeError(f"type {type(self).__name__} doesn't define __trunc__ method")
    return self.dtype.type(self.item()).__trunc__()


def install() -> None:
    """Put the attributes on the type."""
    for name, summary in _SUMMARIES.items():
        setattr(ndarray, name, _of_scalars(name, summary))
    ndarray.__trunc__ = _trunc
