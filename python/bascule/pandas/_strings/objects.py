"""`.str` of objects that are strings: computed as for strings, and returned as objects, as pandas does."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _core
from .. import _classes
from .._columns.arrow_bits import are_valid
from .._columns.column import AnyColumn, Column, HostColumn, plain, text_from_arrow
from .._columns.infer import as_arrow_strings
from .._fallback.native import NotNative
from .._theirs import pandas, pc, unset
from .lists import Lists

_NONE = type(None)
_OF_LETTERS = frozenset(
    "upper lower title capitalize swapcase isalnum isalpha isdecimal isdigit islower isnumeric istitle isupper".split()
)


def are_objects(c: AnyColumn) -> bool:
    """Whether values are Python's objects."""
    return c.dtype == object and not isinstance(c, Lists)


def are_strings(values: np.ndarray) -> bool:
    """Whether objects are strings or one kind of missing value; some are strings, unless there are no objects."""
    kinds = set(map(type, values))
    return (kinds <= {str, _NONE} or kinds <= {str, float}) and (str in kinds or not kinds)


class ObjectStrings:
    """Objects, all of them strings or missing.

    Attributes
    ----------
    column : Column
        The strings.
    missing : object
        Value of the missing rows: None or NaN.
    gone : numpy bool array
        Mask of the missing rows.

    Raises
    ------
    NotNative
        When there are other objects, or missing values of several kinds.
    """

    def __init__(self, values: np.ndarray):
        found = as_arrow_strings(values) if are_strings(values) else None
        if found is None:
            raise NotNative("objects that are not strings")
        self.column: Column = text_from_arrow(found)
        self.gone = ~are_valid(found)
        self.missing = values[int(self.gone.argmax())] if self.gone.any() else np.nan

    def check(self, name: str) -> None:
        """NotNative for methods where Python and Arrow differ for letters that are not ASCII."""
        if name in _OF_LETTERS and not pc.all(pc.string_is_ascii(self.column.to_arrow()), min_count=0).as_py():
            raise NotNative("cases or kinds of letters that are not ASCII, in objects")

    def objects(self, found: Any, name: str, na: Any) -> Any:
        """Convert a result for strings to the result for objects."""
        if found.ndim == 2:
            absent = np.nan if name == "extract" else None
            columns = [self._strings(c, absent, absent if name == "extract" else self.missing) for c in found._columns]
            return _classes.DataFrame._new(columns, found._names, found._index)
        return found._like(self._column(found._column, name, na))

    def _strings(self, c: AnyColumn, absent: Any, missing: Any) -> HostColumn:
        strings = c.to_arrow()
        values = np.array(strings.to_numpy(zero_copy_only=False), dtype=object)
        values[np.asarray(strings.is_null())] = absent
        values[self.gone] = missing
        return HostColumn(values)

    def _column(self, c: AnyColumn, name: str, na: Any) -> AnyColumn:
        if isinstance(c, Lists):
            return Lists(c.lists, self.missing)
        if c.is_text:
            if name != "extract" and len(c) and c.to_arrow().null_count == len(c):
                return plain(_core.full((len(c),), np.nan, np.dtype(np.float64)))
            return self._strings(c, np.nan, self.missing)
        if c.dtype == bool and self.gone.any() and (unset(na) or pandas.isna(na)):
            values = c.to_numpy().astype(object)
            values[self.gone] = self.missing
            return HostColumn(values)
        return c
