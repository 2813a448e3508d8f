"""A trap for pandas' code that runs for bascule.pandas without being counted as a fallback."""

from __future__ import annotations

import os
import sys
from types import FrameType
from typing import Any

import bascule.pandas.api  # what loading it asks of pandas lies before anything is watched
import pandas
from bascule.pandas._fallback.counted import NOW

THEIRS = os.path.dirname(pandas.__file__) + os.sep
OURS = os.path.dirname(bascule.pandas.__file__) + os.sep

# What may run in pandas uncounted, by the beginning of "file:function" there, and why.
ALLOWED = {
    "core/dtypes/": "types, and what is of them",
    "core/indexes/": "labels of columns, which are pandas' indexes; labels of rows are seen where they are converted",
    "core/base.py:IndexOpsMixin.__iter__": "labels of columns, one by one",
    "core/arrays/arrow/array.py:ArrowExtensionArray.__iter__": "labels of columns, one by one",
    "core/generic.py:NDFrame.__getattr__": "whether a given object has an attribute",
    "core/series.py:Series.name": "the name of a given object",
    "core/base.py:IndexOpsMixin.ndim": "the shape of a given object",
    "core/arrays/base.py:ExtensionArray.ndim": "the shape of a given object",
    "_config/": "options",
    "errors/": "classes of errors",
    "io/formats/": "presentation",
    "compat/": "versions",
    "util/": "decorators of what is called",
}
# The functions of ours that may call pandas, and why.
CALLING = {
    "to_pandas _to_pandas _there to_pandas_array": "makes pandas' objects; who asks for them is looked at",
    "from_pandas _from_pandas held_by from_pandas_array _of_pandas from_series": "takes pandas' objects over",
    "_accessor Accessor _refused": "no rows, for the words of pandas' errors",
    "HostColumn Lists": "rows of types that only pandas has, moved",
    "item _label _in_unit": "one value, as pandas' scalar",
    "as_mask": "bools that only pandas has a type for, as NumPy's",
    "_for_reading": "a view of what is handed out",
    "tolist __iter__ items __array__ to_numpy to_arrow array values values_of _values": "values as Python's or NumPy's objects",
    "dtypes": "types",
    "_frames/display.py __repr__": "presentation",
    "_origin as_categories to_extension_array _category_method": "puts found codes or values into pandas' array",
    "_by_pandas": "takes Arrow's values over that only pandas has types for",
    "_several": "labels that are not there, for the words of an error",
    "_part CategoryMethods _coded _category_method": "what an array of pandas says of itself",
    "_fallback/carried.py": "notes and flags, which are no rows",
    "_fallback/as_pandas.py api/extensions.py": "accessors that another library has registered, or that are",
    "select_dtypes": "no rows, for the columns of some types",
    "_positions_of _numbered": "labels of columns",
    "_aligned": "the type of labels where one side has none",
    "_joined_categories": "puts found codes into pandas' array",
    "_texts": "labels that a program lists, made texts",
    "_columns/time_limits.py": "a time that its unit cannot say, for the words of an error",
}
# The functions of ours that may make pandas' objects of rows, and why.
CONVERTING = {
    "_frames/display.py __repr__": "presentation",
    "_origin as_categories to_extension_array _category_method": "puts found codes or values into pandas' array",
    "_aligned": "the type of labels where one side has none",
    "_joined_categories": "puts found codes into pandas' array",
    "_texts": "labels that a program lists, made texts",
    "_accessor Accessor _refused": "no rows, for the words of pandas' errors",
    "to_table": "one row, for pandas' note of its types",
    "_several": "labels that are not there, for the words of an error",
    "_with_rows": "labels that are compared with those of columns",
    "unstacked column_labels": "labels that become those of columns",
    "item": "one value, as pandas' scalar",
    "_wanted tolist __iter__ items __array__ to_numpy array values _values to_arrow": "values as Python's or NumPy's objects",
    "select_dtypes": "no rows, for the columns of some types",
    "set_index": "labels that repeat, for the words of an error",
    "axes index AsPandas": "another library takes an object apart",
    "IndexNames": "no rows, for which names belong where; labels that repeat, for the words of an error",
    "to_pandas _to_pandas _there __bascule_to_pandas__": "somebody else asked, and is looked at",
}

_kinds: dict[str, int] = {}
_CONVERSIONS = frozenset(("to_pandas", "to_pandas_array", "_to_pandas", "_there"))
_CALLING = frozenset(" ".join(CALLING).split())
_CONVERTING = frozenset(" ".join(CONVERTING).split())


def _kind(file: str) -> int:
    """1: a file of pandas', 2: one of bascule.pandas, 0: another."""
    found = _kinds.get(file)
    if found is None:
        tests = file.startswith(THEIRS + "tests" + os.sep)
        found = _kinds[file] = 1 if file.startswith(THEIRS) and not tests else 2 if file.startswith(OURS) else 0
    return found


class Trap:
    """Between `start` and `stop`, `found` gathers what ran in pandas uncounted: who called what."""

    def __init__(self) -> None:
        self.found: set[str] = set()
        self._before: Any = None

    def start(self) -> None:
        self._before = sys.getprofile()
        sys.setprofile(self._look)

    def stop(self) -> None:
        sys.setprofile(self._before)

    def _look(self, frame: FrameType, event: str, _: Any) -> None:
        if event != "call" or NOW.depth:
            return
        kind = _kind(frame.f_code.co_filename)
        back = frame.f_back
        if not kind or back is None or _kind(back.f_code.co_filename) != 2:
            return
        code = frame.f_code
        if kind == 1:
            name = code.co_qualname
            called = f"{code.co_filename.removeprefix(THEIRS)}:{name}"
            of_types = "Dtype." in name or name.endswith(".dtype")
            if not of_types and not called.startswith(tuple(ALLOWED)) and _CALLING.isdisjoint(_words(back)):
                self.found.add(f"{_place(back)} -> pandas/{called}")
        elif code.co_name in _CONVERSIONS and "." in code.co_qualname and _CONVERTING.isdisjoint(_words(back)):
            self.found.add(f"{_place(back)} -> {code.co_qualname}")


def _words(frame: FrameType) -> list[str]:
    """The file of a frame, and the classes and functions that its code stands in."""
    return [frame.f_code.co_filename.removeprefix(OURS), *frame.f_code.co_qualname.split(".")]


def _place(frame: FrameType) -> str:
    return f"{frame.f_code.co_filename.removeprefix(OURS)}:{frame.f_code.co_qualname}"
