"""pandas' public interfaces besides its top level."""

from . import extensions, types, typing

__all__ = ["extensions", "types", "typing"]
