"""`bascule.special` with arrays as results."""

from __future__ import annotations

from typing import Any

from .. import special as _special
from ._arrays import giving_arrays

__all__ = list(_special.__all__)
globals().update({name: giving_arrays(getattr(_special, name)) for name in __all__})


def __getattr__(name: str) -> Any:
    return giving_arrays(getattr(_special, name))


def __dir__() -> list[str]:
    return sorted(__all__)
