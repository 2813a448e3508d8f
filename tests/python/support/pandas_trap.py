"""A trap for pandas code that bascule.pandas runs without counting it as a fallback."""

from __future__ import annotations

import dis
import functools
import inspect
import os
import sys
from types import CodeType, FrameType
from typing import Any

import bascule.pandas.api  # its import of pandas happens before the recording
import pandas
from bascule.pandas._fallback.counted import NOW

THEIRS = os.path.dirname(pandas.__file__) + os.sep
OURS = os.path.dirname(bascule.pandas.__file__) + os.sep

# Code of pandas that may run uncounted, by the beginning of "file:function" there, and the reason.
ALLOWED = {
    "core/dtypes/": "types, and what is of them",
    "core/indexes/": "labels of columns, which are pandas' indexes; labels of rows are seen where they are converted",
    "core/base.py:IndexOpsMixin.__iter__": "labels of columns, one by one",
    "core/arrays/arrow/array.py:ArrowExtensionArray.__iter__": "labels of columns, one by one",
    "core/arrays/datetimelike.py:TimelikeOps.__iter__": "labels of columns, one by one",
    "core/generic.py:NDFrame.__getattr__": "whether a given object has an attribute",
    "core/series.py:Series.name": "the name of a given object",
    "core/base.py:IndexOpsMixin.ndim": "the shape of a given object",
    "core/arrays/base.py:ExtensionArray.ndim": "the shape of a given object",
    "core/arrays/masked.py:BaseMaskedArray.ndim": "the shape of a given object",
    "core/arrays/masked.py:BaseMaskedArray.__": "the shape of a given object, and its values one by one",
    "core/arrays/string_arrow.py:ArrowStringArray.__len__": "the shape of a given object",
    "core/arrays/arrow/extension_types.py": "types, and what is of them",
    "_config/": "options",
    "errors/": "classes of errors",
    "io/formats/": "presentation",
    "io/common.py": "opens files",
    "compat/": "versions",
    "util/": "decorators of what is called",
}
# Our functions that may call pandas, and the reason: a file, or a name in it with all that it contains.
CALLING = {
    "makes pandas' objects; who asks for them is looked at":
        "_base.py:Rows.to_pandas _frames/series.py:Series.to_pandas _frames/frame.py:DataFrame.to_pandas "
        "_indexes/index.py:Index.to_pandas _fallback/calls.py:to_pandas _indexes/kinds.py:EvenTimes._to_pandas "
        "_indexes/index.py:Index._to_pandas _indexes/index.py:RangeIndex._to_pandas _indexes/multi.py:MultiMethods._to_pandas "
        "_indexes/multi.py:MultiMethods._in_pandas _indexes/kept.py "
        "_indexes/names.py:IndexNames._there _indexes/index.py:Index._there _columns/column.py:Column.to_pandas_array "
        "_columns/kinds/masked.py:Masked.to_pandas_array _columns/kinds/pandas_types.py:Strings.to_pandas_array",
    "takes pandas' objects over":
        "_indexes/index.py:from_pandas _fallback/calls.py:from_pandas _frames/series.py:Series._from_pandas "
        "_frames/frame.py:DataFrame._from_pandas _indexes/index.py:Index._from_pandas _columns/column.py:from_pandas_object "
        "_columns/column.py:Column.of_array _columns/kinds/masked.py:Masked.of_array _columns/kinds/pandas_types.py:Strings.of_array",
    "no rows, for the words of pandas' errors": "_frames/accessors.py:_accessor _strings/methods.py:Accessor",
    "rows of types that only pandas has, moved":
        "_columns/column.py:HostColumn _strings/lists.py:Lists "
        "_columns/column.py:OnDevice _columns/column.py:Numbered _columns/column.py:Timestamps "
        "_columns/kinds/pandas_types.py:Objects _columns/kinds/pandas_types.py:Categories _columns/kinds/pandas_types.py:NumberedCategories "
        "_columns/kinds/pandas_types.py:Zoned _columns/kinds/pandas_types.py:ZonedOnDevice _columns/kinds/periods.py:Periods "
        "_columns/kinds/of_arrow.py:OfArrow.of_arrow",
    "one value, as pandas' scalar":
        "_frames/indexing/series.py:SeriesIndexing.item _columns/column.py:Column.item _indexes/lookup.py:IndexLookup._label "
        "_indexes/index.py:MultiIndex._label _columns/kinds/numpys.py:Times.sought_label _datetimes/to_datetime.py:_one_time "
        "_frames/accessors.py:_one_duration",
    "an expression of pandas', which calls methods of the frame that it is given": "_pipe.py:apply_if_callable",
    "a view of what is handed out": "_frames/series.py:_for_reading _frames/series.py:Series._values _frames/series.py:Series._pass_on",
    "values as Python's or NumPy's objects":
        ""
        "_columns/column.py:HostColumn.iterated _columns/kinds/pandas_types.py:Categories.iterated _columns/kinds/pandas_types.py:Categories.objects _frames/indexing/frame.py:FrameIndexing.__iter__ "
        "_frames/indexing/frame.py:FrameIndexing.items _frames/series.py:Series.__array__ _frames/frame.py:DataFrame.__array__ "
        "_indexes/properties.py:IndexFacts.__array__ _frames/series.py:Series.to_numpy _frames/frame.py:DataFrame.to_numpy "
        "_columns/column.py:Column.to_numpy _columns/kinds/masked.py:Masked.to_numpy _columns/kinds/pandas_types.py:Strings.to_numpy "
        "_indexes/properties.py:IndexFacts.to_numpy _frames/io.py:FrameIO.to_arrow "
        "_columns/column.py:Column.to_arrow _columns/kinds/pandas_types.py:Strings.to_arrow _frames/series.py:Series.array _frames/series.py:Series.values "
        "_frames/frame.py:DataFrame.values _indexes/index.py:Index.values _indexes/index.py:MultiIndex.values "
        "_columns/operators.py:_values _fallback/as_pandas.py "
        "_indexes/properties.py:IndexFacts.array _frames/unique.py:unique",
    "pandas' own arrays, which are asked for as such": "_namespace.py:array _reshape/bins.py:_of_array",
    "types": "_frames/frame.py:DataFrame.dtypes _indexes/multi.py:MultiMethods.dtypes",
    "presentation": "_plot.py _frames/display.py _fallback/calls.py:Helper.__repr__ _indexes/index.py:Index.__repr__",
    "puts found codes or values into pandas' array":
        "_columns/column.py:categories _columns/column.py:in_zone _columns/column.py:to_extension_array "
        "_columns/by_numbers.py:category_type _io/between_devices.py:moved "
        "_frames/accessors.py:_category_method _reshape/bins.py:as_categories",
    "takes Arrow's values over that only pandas has types for": "_io/arrow.py:_by_pandas",
    "labels that are not there, for the words of an error": "_frames/indexing/indexers.py:ByLabel._several",
    "what an array of pandas says of itself":
        "_frames/indexing/frame.py:FrameIndexing._part _indexes/kinds.py:_part _frames/accessors.py:CategoryMethods "
        "_frames/accessors.py:_category_method _io/to_csv.py:Writer._categories",
    "notes and flags, which are no rows": "_fallback/carried.py",
    "words of warnings": "_fallback/deprecations.py",
    "accessors that another library has registered, or that are": "_fallback/as_pandas.py api/extensions.py",
    "no rows, for the columns of some types": "_frames/frame.py:DataFrame.select_dtypes",
    "labels of columns":
        "_frames/indexing/frame.py:FrameIndexing._positions_of _frames/indexing/frame.py:FrameIndexing._numbered _io/arrow.py:_numbered",
    "the type of labels where one side has none": "_frames/arithmetic.py:_aligned",
    "a time that its unit cannot say, for the words of an error": "_columns/time_limits.py",
    "the edges of bins, which are found from the first and the last time": "_groupby/bins.py",
    "pickles that a program without bascule reads": "_base.py:Rows._reduced_as_theirs _pickle.py:IndexTravel",
    "values of pandas' own types, on disk": "_parts/store.py:Store",
}  # fmt: skip
# Our functions that may create pandas' objects from rows, and the reason.
CONVERTING = {
    "presentation": CALLING["presentation"],
    "puts found codes or values into pandas' array": CALLING["puts found codes or values into pandas' array"],
    "the type of labels where one side has none": "_frames/arithmetic.py:_aligned",
    "no rows, for the words of pandas' errors": CALLING["no rows, for the words of pandas' errors"],
    "one row, for pandas' note of its types": "_io/arrow.py:to_table",
    "labels that are not there, for the words of an error": "_frames/indexing/indexers.py:ByLabel._several",
    "labels that are compared with those of columns": "_frames/arithmetic.py:Arithmetic._with_rows",
    "labels that become those of columns": "_reshape/unstack.py:unstacked _reshape/unstack.py:_under _stand_ins.py:of_rows",
    "one value, as pandas' scalar": CALLING["one value, as pandas' scalar"],
    "values as Python's or NumPy's objects":
        CALLING["values as Python's or NumPy's objects"] + " _columns/column.py:HostColumn _columns/column.py:OnDevice _strings/lists.py:Lists",
    "no rows, for the columns of some types": "_frames/frame.py:DataFrame.select_dtypes",
    "labels that repeat, for the words of an error": "_frames/indexing/frame.py:FrameIndexing.set_index _reshape/merge.py:_repeated",
    "another library takes an object apart":
        "_frames/series.py:Series.axes _frames/frame.py:DataFrame.axes _base.py:Rows._index_shown _fallback/as_pandas.py",
    "pickles that a program without bascule reads": CALLING["pickles that a program without bascule reads"],
    "no rows, for which names belong where; labels that repeat, for the words of an error":
        "_indexes/names.py:IndexNames _indexes/multi.py:MultiMethods.copy",
    "an array that is handed out, and what it is told": "_frames/series.py:Series._values _frames/series.py:Series._pass_on",
    "pandas' own arrays, which are asked for as such": CALLING["pandas' own arrays, which are asked for as such"],
    "somebody else asked, and is looked at":
        "_base.py:Rows.to_pandas _base.py:Rows.__bascule_to_pandas__ _frames/series.py:Series.to_pandas "
        "_frames/frame.py:DataFrame.to_pandas _indexes/index.py:Index.to_pandas _indexes/index.py:Index.__bascule_to_pandas__ "
        "_fallback/calls.py:to_pandas _fallback/calls.py:Helper.__bascule_to_pandas__ _indexes/kinds.py:EvenTimes._to_pandas "
        "_indexes/index.py:Index._to_pandas _indexes/index.py:RangeIndex._to_pandas _indexes/multi.py:MultiMethods._to_pandas "
        "_indexes/multi.py:MultiMethods._in_pandas _indexes/kept.py "
        "_indexes/names.py:IndexNames._there _indexes/index.py:Index._there _groupby/rows.py:Nth.__bascule_to_pandas__ "
        "_groupby/groupby.py:GroupBy.__bascule_to_pandas__",
}  # fmt: skip

_kinds: dict[str, int] = {}
_CONVERSIONS = frozenset(("to_pandas", "to_pandas_array", "_to_pandas", "_there"))
_CALLING = frozenset(" ".join(CALLING.values()).split())
_CONVERTING = frozenset(" ".join(CONVERTING.values()).split())


def _kind(file: str) -> int:
    """1 for a file of pandas, 2 for one of bascule.pandas, 0 for another."""
    found = _kinds.get(file)
    if found is None:
        tests = file.startswith(THEIRS + "tests" + os.sep)
        found = _kinds[file] = 1 if file.startswith(THEIRS) and not tests else 2 if file.startswith(OURS) else 0
    return found


class Trap:
    """Between `start` and `stop`, `found` collects uncounted calls into pandas: callers and functions."""

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
            # A generator's function has been called before to create it; the garbage collector may close a started
            # generator during any other call.
            is_closed = name.endswith("<genexpr>") or (
                code.co_flags & inspect.CO_GENERATOR and frame.f_lasti > _entry(code)
            )
            if (
                not of_types
                and not is_closed
                and not called.startswith(tuple(ALLOWED))
                and _CALLING.isdisjoint(_words(back))
            ):
                self.found.add(f"{_place(back)} -> pandas/{called}")
        elif code.co_name in _CONVERSIONS and "." in code.co_qualname and _CONVERTING.isdisjoint(_words(back)):
            self.found.add(f"{_place(back)} -> {code.co_qualname}")


@functools.cache
def _entry(code: CodeType) -> int:
    """The offset at which a generator starts; resuming or closing one happens after it."""
    return next(i.offset for i in dis.get_instructions(code) if i.opname == "RESUME")


@functools.cache
def _of_code(file: str, qualname: str) -> frozenset[str]:
    parts = qualname.split(".")
    return frozenset([file, *(f"{file}:{'.'.join(parts[: i + 1])}" for i in range(len(parts)))])


def _words(frame: FrameType) -> frozenset[str]:
    """The file of a frame, also combined with the classes and functions that contain its code."""
    return _of_code(frame.f_code.co_filename.removeprefix(OURS), frame.f_code.co_qualname)


def _place(frame: FrameType) -> str:
    return f"{frame.f_code.co_filename.removeprefix(OURS)}:{frame.f_code.co_qualname}"
