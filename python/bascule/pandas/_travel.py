"""Copies and pickles of what stands between rows and a result: groups, windows, bins and accessors."""

from __future__ import annotations

import sys
from typing import Any

_KINDS: dict[str, type] = {}  # by name: they are no members of the module under whose name they are shown


def _bare(name: str) -> Any:
    if name not in _KINDS:
        _ = sys.modules[__package__].DataFrame  # the package loads its classes when one is asked for
    return object.__new__(_KINDS[name])


class Travel:
    """Objects that are copied and pickled as the rows and options that they hold."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        _KINDS[cls.__name__] = cls

    def __reduce__(self) -> tuple:
        return _bare, (type(self).__name__,), dict(self.__dict__)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
