"""`.str` of series: strings, and lists of strings."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable
from contextlib import nullcontext, suppress
from typing import Any

import numpy as np

from ... import _core
from ..._array.caller_warnings import at_users_line
from ...config import config
from ...fallback import report_fallback
from .. import _classes, _fallback
from .._columns import arrow_bits
from .._columns.column import AnyColumn, Column, HostColumn, plain
from .._columns.infer import inferred
from .._columns.operators import compute
from .._fallback.carried import finish
from .._fallback.native import NotNative
from .._indexes.index import MultiIndex, from_column
from .._io.arrow import column_from_arrow
from .._io.between_devices import moved_rows
from .._pending import objects as pending
from .._theirs import UNSET, is_loaded, pandas, pc, pyarrow, seen, unset
from .._travel import Travel
from . import on_device
from .kernels import KERNELS, as_column, objects, widened
from .lists import Lists, element
from .objects import ObjectStrings, are_objects, are_strings
from .threads import of_column

# The parameters of pandas' methods: `=` marks those with a default, and those behind `*` are given by keyword.
PARAMETERS = dict.fromkeys(("strip", "lstrip", "rstrip"), "to_strip=") | {
    "pad": "width side= fillchar=", "zfill": "width", "center": "width fillchar=", "ljust": "width fillchar=", "rjust": "width fillchar=",
    "slice": "start= stop= step=", "get": "i", "__getitem__": "key", "slice_replace": "start= stop= repl=", "startswith": "pat na=",
    "endswith": "pat na=", "contains": "pat case= flags= na= regex=", "match": "pat case= flags= na=", "fullmatch": "pat case= flags= na=",
    "replace": "pat repl= n= case= flags= regex=", "removeprefix": "prefix", "removesuffix": "suffix", "repeat": "repeats",
    "count": "pat flags=", "find": "sub start= end=", "index": "sub start= end=", "normalize": "form", "split": "pat= * n= expand= regex=",
    "rsplit": "pat= * n= expand=", "partition": "sep= expand=", "rpartition": "sep= expand=", "extract": "pat flags= expand=",
    "rfind": "sub start= end=", "rindex": "sub start= end=", "join": "sep", "findall": "pat flags=", "translate": "table",
}  # fmt: skip
_WORTH_CODES = 1000  # rows; below, encoding the strings costs more than it saves
_MOST_BYTES = 1 << 16  # of the distinct strings that are copied from a GPU
_OF_ALL = {"index", "rindex", "split", "rsplit", "findall"}  # the shape of their results may depend on every row
_OF_ONE_TYPE = {"contains", "startswith", "endswith", "match", "fullmatch", "upper", "lower", "strip", "lstrip", "rstrip",
                "slice", "replace", "len", "count", "title", "capitalize"}  # fmt: skip
_OF_PATTERNS = {
    "contains",
    "match",
    "fullmatch",
    "replace",
    "extract",
    "count",
}  # which take longer than numbering strings
_OF_LISTS_ONLY = {"split", "rsplit", "findall"}  # without a list among them they are NaN, and no objects


@functools.cache
def signature(name: str) -> inspect.Signature:
    """The parameters of a method of strings, with any default."""
    one, kind = inspect.Parameter, inspect.Parameter.POSITIONAL_OR_KEYWORD
    made = []
    for word in PARAMETERS.get(name, "").split():
        if word == "*":
            kind = one.KEYWORD_ONLY
            continue
        made.append(one(word.rstrip("="), kind, default=None if word[-1] == "=" else one.empty))
    return inspect.Signature(made)


def _theirs(own: type) -> type:
    """The class of pandas' methods of strings: isinstance(s.str, that class) is true, as programs expect."""
    return pandas.core.strings.accessor.StringMethods if is_loaded() else own


class Accessor(Travel):
    """Base of the groups of methods of a series, such as `.str`."""

    name = ""

    def __init__(self, series: Any):
        self._series = series

    def _as_theirs(self) -> Any:
        return getattr(self._series.to_pandas(), self.name)

    def _in_pandas(self, name: str, reason: str = _fallback.UNSAID) -> Any:
        """pandas' member of that name, for a copy of the series."""
        series, member = self._series, f"Series.{self.name}.{name}"
        there = getattr(series.head(0).to_pandas(), self.name)
        read = isinstance(inspect.getattr_static(there, name, None), property)
        like = None if read else getattr(there, name)  # AttributeError as pandas raises it

        def of(there: Any, *args: Any, **kwargs: Any) -> Any:
            found = at_users_line(getattr, getattr(there, self.name), name)
            return at_users_line(found, *args, **kwargs) if callable(like) else found

        if not callable(like):
            return finish(series, _fallback.run(member, reason, of, series))

        def method(*args: Any, **kwargs: Any) -> Any:
            return finish(series, _fallback.run(member, reason, of, series, *args, **kwargs))

        method.__name__ = name
        return method

    def _fall_back(self, name: str, args: tuple, kwargs: dict, reason: str) -> Any:
        """A call of a method of pandas' accessor, for `native`."""
        return self._in_pandas(name, reason)(*args, **kwargs)

    def _refused(self, name: str, args: tuple, kwargs: dict) -> Any:
        """Let pandas raise the error for wrong arguments: it is called without rows."""
        return at_users_line(getattr(getattr(self._series.head(0).to_pandas(), self.name), name), *args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        return self._in_pandas(name)

    def __dir__(self) -> list[str]:
        return sorted(
            {*object.__dir__(self), *(n for n in dir(getattr(pandas.Series, self.name)) if not n.startswith("_"))}
        )


class TextMethods(Accessor):
    """Methods of strings; each is computed once for every distinct string where there are few."""

    name = "str"
    __class__ = property(lambda self: _theirs(TextMethods))

    def __getattr__(self, name: str) -> Any:
        if name in pending.TEXT and "_plan" in self._series.__dict__:
            return functools.partial(self._later, name)
        column = self._series._column
        own = name in KERNELS and (column.is_text or are_objects(column))
        if not own and not (isinstance(column, Lists) and name in _OF_LISTS):
            return super().__getattr__(name)

        def method(*args: Any, **kwargs: Any) -> Any:
            return self._computed(name, args, kwargs)

        method.__name__ = name
        method.__doc__ = getattr(pandas.core.strings.accessor.StringMethods, name).__doc__ if is_loaded() else None
        return method

    def _later(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """A method of strings of rows that wait."""
        made = pending.text(self._series, name, args, kwargs)
        return self._computed(name, args, kwargs) if made is None else made

    def __getitem__(self, key: Any) -> Any:
        return self._computed("__getitem__", (key,), {})

    def __iter__(self) -> Any:
        raise TypeError("'StringMethods' object is not iterable")

    def _computed(self, name: str, args: tuple, kwargs: dict) -> Any:
        column = self._series._column
        try:
            given = signature(name).bind(*args, **kwargs).arguments
        except TypeError:
            return self._refused(name, args, kwargs)
        try:
            if isinstance(column, Lists):
                return self._series._like(_OF_LISTS[name](column, *given.values()))
            if isinstance(given.get("pat"), re.Pattern) and (given.get("flags") or given.get("case") is False):
                raise NotNative("pat= that is compiled, with other options")
            if are_objects(column):
                return finish(self._series, self._of_objects(name, given))
            if not column.is_text:
                raise NotNative(f"values of type {column.dtype}")
            if name in _OF_ONE_TYPE and unset(given.get("na", UNSET)):
                of = self._series._before_repeating(lambda s: TextMethods(s)._of_strings(name, given))
            else:
                of = self._of_strings(name, given)
            return finish(self._series, of)
        except NotNative as why:
            return self._in_pandas(name, str(why))(*args, **kwargs)
        except (pyarrow.ArrowInvalid, pyarrow.ArrowNotImplementedError, OverflowError):
            # a pattern, width or option that only pandas accepts, or refuses in its own words
            return self._in_pandas(name, "arguments that Arrow does not take")(*args, **kwargs)
        except TypeError as error:
            if "argument" not in str(error):
                raise
            return self._in_pandas(name, "arguments that Arrow does not take")(*args, **kwargs)

    def _of_objects(self, name: str, given: dict) -> Any:
        device = _core.get_default_device()
        with config.set(device="cpu"):  # only the host can check the objects
            values_as_strings = ObjectStrings(self._series._column.array)
            values_as_strings.check(name)
            found = TextMethods(self._series._like(values_as_strings.column))._of_strings(name, given)
            made = values_as_strings.objects(found, name, given.get("na", UNSET))
        return moved_rows(made, device) if device.startswith("cuda") else made

    def _of_strings(self, name: str, given: dict) -> Any:
        column = self._series._column
        na = given.get("na", UNSET)
        if not unset(na) and not (isinstance(na, bool) or pandas.isna(na)):
            raise NotNative("na= that is not a boolean")
        on_gpu = column.device.startswith("cuda")
        small = name in _OF_ALL or (not on_gpu and column.core.form == "text" and len(column) < _WORTH_CODES)
        core = None if small else column.core.encoded()
        if on_gpu and (core is None or core.dictionary.values.nbytes > _MOST_BYTES):
            try:
                return self._of_bytes(name, given)
            except NotNative as why:
                found = self._by_arrow(name, given, core)
                report_fallback(f"Series.str.{name}", f"{why}: the host reads the distinct strings, in pieces")
                return found
        if core is None and len(column) >= _WORTH_CODES and on_device.is_faster(name, column):
            with suppress(NotNative):  # where the bytes alone do not decide, Arrow computes it
                return self._of_bytes(name, given)
        if core is None and len(column) >= _WORTH_CODES and name in _OF_PATTERNS:
            core = column.in_codes()
        return self._by_arrow(name, given, core)

    def _by_arrow(self, name: str, given: dict, core: Any) -> Any:
        """The same result by Arrow's kernel, on the column's device: of each string, or of the dictionary of encoded ones."""
        device = self._series._column.device
        with nullcontext() if device == _core.get_default_device() else config.set(device=device):
            return self._from_arrow(name, given, core)

    def _from_arrow(self, name: str, given: dict, core: Any) -> Any:
        column = self._series._column
        kernel, na = KERNELS[name], given.get("na", UNSET)
        if core is None:
            found = of_column(kernel, column, given)
            return self._shaped(name, found, given, lambda a: as_column(a, column.dtype, na))
        distinct = Column(core.dictionary, column.dtype)
        positions = core.values
        if core.has_missing():  # a missing row has a text of its own, behind the dictionary
            from ... import where

            positions = where(positions < 0, len(distinct), positions)
        found = of_column(kernel, distinct, given, and_missing=core.has_missing())
        return self._shaped(name, found, given, lambda a: spread(as_column(a, column.dtype, na), positions))

    def _of_bytes(self, name: str, given: dict) -> Any:
        """The same result, computed from the bytes of all strings on their device."""
        column, series = self._series._column, self._series
        if name in ("split", "partition") and given.get("expand", name == "partition"):
            parts = on_device.PARTS[name](on_device.Strings(column), **given)
            return _classes.DataFrame._new(parts, pandas.RangeIndex(len(parts)), series._index)
        if name not in on_device.KERNELS:
            raise NotNative("strings on a GPU that are mostly distinct")
        return series._like(on_device.KERNELS[name](on_device.Strings(column), **given))

    def _shaped(self, name: str, found: Any, given: dict, column_of: Callable[[Any], AnyColumn]) -> Any:
        """The series or frame of a kernel's result."""
        series = self._series
        expand = given.get("expand", name in ("extract", "partition", "rpartition"))
        if name in ("split", "rsplit"):
            lists, whites = found
            if whites:
                nothing = pc.equal(pc.utf8_length(pc.utf8_trim_whitespace(series._column.to_arrow())), 0)
                lists = _emptied(lists, nothing)
            if not isinstance(expand, bool):
                raise ValueError("expand must be True or False")
            found = widened(lists) if expand else lists
        elif (
            name in ("partition", "rpartition") and series._column.core.missing().all()
        ):  # the number of parts is unknown
            found = found[:1] if len(series) else []
        if not expand and name == "extract" and len(found) == 1:
            made = series._like(column_of(found[0][1]))
            made._name = found[0][0] if isinstance(found[0][0], str) else series._name
            return made
        if not isinstance(found, list):
            all_missing = name in _OF_LISTS_ONLY and len(found) and found.null_count == len(found)
            if all_missing and not series._column.is_masked:
                return series._like(plain(_core.full((len(series),), np.nan, np.dtype(np.float64))))
            return series._like(column_of(found))

        if name == "extract":
            called = [label for label, _ in found]
            labels = pandas.RangeIndex(len(called)) if called == list(range(len(called))) else pandas.Index(called)
            index = series._index if len(series) else _classes.RangeIndex._of(0, 1, 0)  # as pandas without rows
            return _classes.DataFrame._new([column_of(a) for _, a in found], labels, index)
        return _classes.DataFrame._new([column_of(a) for a in found], pandas.RangeIndex(len(found)), series._index)

    def cat(self, others: Any = None, sep: str | None = None, na_rep: str | None = None, join: str = "left") -> Any:
        """Concatenate all strings, or the strings of each row with those of others.

        Parameters
        ----------
        others, sep, na_rep, join
            As pandas'.
        """
        column, index = self._series._column, self._series._index
        alongside = isinstance(others, _classes.Series) and na_rep is None and column.is_text and others._column.is_text
        if alongside and isinstance(sep, (str, type(None))) and (others._index is index or others._index.equals(index)):
            if others._column.dtype == column.dtype:
                front = compute("add", column, sep) if sep else column
                return self._series._like(compute("add", front, others._column))
        if others is not None or not column.is_text or not isinstance(sep, (str, type(None))):
            return self._in_pandas("cat")(others=others, sep=sep, na_rep=na_rep, join=join)
        _fallback.refuse_on_gpu("Series.str.cat", "one string of all rows", column.device)
        values_as_strings = column.to_arrow()
        if values_as_strings.null_count and not isinstance(na_rep, (str, type(None))):
            return self._in_pandas("cat", "na_rep= that is not a string")(sep=sep, na_rep=na_rep, join=join)
        na_rep = na_rep if values_as_strings.null_count else None
        values_as_strings = (
            values_as_strings.drop_null()
            if na_rep is None
            else pc.coalesce(values_as_strings, arrow_bits.scalar(na_rep, values_as_strings.type))
        )
        return pc.binary_join(
            pyarrow.LargeListArray.from_arrays(
                arrow_bits.numbers(np.array([0, len(values_as_strings)])), values_as_strings
            ),
            arrow_bits.scalar(sep or "", values_as_strings.type),
        )[0].as_py()


class LabelStrings(Travel):
    """Methods of labels that are strings: those of a series, with indexes and boolean arrays as results."""

    __class__ = property(lambda self: _theirs(type(self)))

    def __init__(self, index: Any):
        self._index, self._methods = index, TextMethods(index.to_series())

    def _as_theirs(self) -> Any:
        return self._index.to_pandas().str

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        column = self._index._column
        own = column.is_text or (are_objects(column) and are_strings(column.array))  # type: ignore[union-attr]
        if name not in KERNELS or not own or (name.endswith("partition") and not len(column)):
            return getattr(_fallback.run("Index.str", _fallback.UNSAID, getattr, self._index, "str"), name)
        found = getattr(self._methods, name)

        def method(*args: Any, **kwargs: Any) -> Any:
            made = found(*args, **kwargs)
            if name == "extract" and made.ndim == 2:
                return made.reset_index(drop=True)
            return self._labels(made)

        return method

    def __getitem__(self, key: Any) -> Any:
        return self._labels(self._methods[key])

    def _labels(self, found: Any) -> Any:
        if found.ndim == 2:
            return MultiIndex._make([_as_label(c) for c in found._columns], [None] * len(found._columns))
        column = _as_label(found._column)
        bools = column.selects_rows and not column.can_lack
        return column.values if bools else from_column(column, found._name)


def _as_label(c: AnyColumn) -> AnyColumn:
    """Objects that are strings, as the string column that an index makes of them."""
    made = inferred(c.array) if are_objects(c) and len(c) else None  # type: ignore[union-attr]
    return c if made is None else made


def _emptied(lists: Any, nothing: Any) -> Any:
    """The lists, empty where a string has only white space."""
    return pc.if_else(pc.coalesce(nothing, False), arrow_bits.no_lists(lists), lists)


def _element(column: Lists, key: Any) -> HostColumn:
    if (
        isinstance(key, slice)
        and (key.step or 1) == 1
        and (key.start or 0) >= 0
        and (key.stop is None or key.stop >= 0)
    ):
        return Lists(pc.list_slice(column.lists, key.start or 0, key.stop, return_fixed_size_list=False), column.na)
    if not isinstance(key, int):
        raise NotNative("unsupported keys")
    return objects(element(column.lists, key), column.lists, column.na)


def _length(column: Lists) -> AnyColumn:
    if column.na is seen.NA and column.has_missing():
        raise NotNative("lengths of missing lists")
    return column_from_arrow(pc.list_value_length(column.lists).cast(pyarrow.int64()))


def _join(column: Lists, sep: Any) -> HostColumn:
    if not isinstance(sep, str):
        raise NotNative("a separator that is not a string")
    return objects(
        pc.binary_join(column.lists, arrow_bits.scalar(sep, column.lists.type.value_type)), column.lists, column.na
    )


_OF_LISTS: dict[str, Callable] = {"get": _element, "__getitem__": _element, "len": _length, "join": _join}


def spread(few: AnyColumn, positions: Any) -> AnyColumn:
    """The rows of few values at many positions."""
    if few.is_text:
        codes = _core.astype(positions, np.dtype(np.int32), False, "K")
        return Column(_core.Column.recoded(codes, few.core), few.dtype)
    return few.take(_core.astype(positions, np.dtype(np.int64), False, "K"))
