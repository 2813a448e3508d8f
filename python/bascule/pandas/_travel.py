"""Copies and pickles of the objects between rows and a result: groups, windows, bins and accessors."""

from __future__ import annotations

import copy
import copyreg
import sys
from typing import Any

from ..interop import mode

_KINDS: dict[str, type] = {}  # by name: they are no members of the module that they seem to be in


def _bare(name: str) -> Any:
    if name not in _KINDS:
        _ = sys.modules[__package__].DataFrame  # the package loads its classes on first use
    return object.__new__(_KINDS[name])


class Travel:
    """Objects that are copied and pickled by their rows and options."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        _KINDS[cls.__name__] = cls

    def _as_theirs(self: Any) -> Any:
        """The same for pandas' rows."""
        return self.__bascule_to_pandas__()

    def __reduce_ex__(self, protocol: Any) -> Any:
        if mode.pickles_are_theirs():  # as the rows are
            from . import _fallback

            with _fallback.in_pandas(f"{type(self).__name__}.__reduce__", "it is pickled as pandas' own"):
                there = self._as_theirs()
            return copyreg._reconstructor, (type(there), object, None), dict(there.__dict__)  # type: ignore[attr-defined]
        return self.__reduce__()

    def __copy__(self) -> Any:
        made = _bare(type(self).__name__)
        made.__dict__.update(self.__dict__)
        return made

    def __deepcopy__(self, memo: dict) -> Any:
        made = memo[id(self)] = _bare(type(self).__name__)
        made.__dict__.update(copy.deepcopy(self.__dict__, memo))
        return made

    def __reduce__(self) -> tuple:
        return _bare, (type(self).__name__,), dict(self.__dict__)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
