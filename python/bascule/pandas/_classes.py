"""The classes of frames, series and indexes, for the rooms below those that define them.

Each class enters itself where it is defined; what lies below makes results of it without importing it.
"""

from __future__ import annotations

from typing import Any, TypeVar

_Class = TypeVar("_Class", bound=type)

DataFrame: Any
Series: Any
Index: Any
RangeIndex: Any
MultiIndex: Any


def entered(cls: _Class) -> _Class:
    """Decorator: the class is found here by its name."""
    globals()[cls.__name__] = cls
    return cls
