"""`.str` of mostly distinct strings, computed from bytes and offsets on their device.

Characters are counted where some take several bytes; methods that depend on the class of non-ASCII letters raise NotNative.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from ... import _core, cumsum
from ..._array.ufuncs import rows as _ufuncs
from .._columns.column import AnyColumn, Column, Core, ndarray, plain, text_of
from .._columns.where import choose
from .._fallback.native import NotNative
from .._questions import is_integer
from .._theirs import UNSET, pandas, seen, unset
from .kernels import check_string, padding, whole

_select = _ufuncs["where"]["ufunc"]
_INT64 = np.dtype(np.int64)
_WHITE = " \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f"


class Strings:
    """A column of strings as one buffer of bytes and the offset of each string."""

    def __init__(self, c: Column):
        self.column = c
        self.core = c.core.decoded()
        self.bytes, self.offsets = self.core.values, self.core.offsets

    def __len__(self) -> int:
        return len(self.core)

    @cached_property
    def is_ascii(self) -> bool:
        return not len(self.bytes) or int(self.bytes.max()) < 128

    @cached_property
    def sizes(self) -> ndarray:
        """Number of bytes of each row."""
        return self.offsets[1:] - self.offsets[:-1]

    def need_ascii(self) -> None:
        if not self.is_ascii:
            raise NotNative("mostly distinct strings that are not ASCII")

    def one(self, text: str) -> Any:
        """A string as a column of one row."""
        return text_of([text], self.column.dtype, self.core.device).core

    # ---- characters and bytes
    @cached_property
    def _begins(self) -> ndarray:
        """Mask of the bytes that begin a character."""
        return (self.bytes & np.uint8(0xC0)) != np.uint8(0x80)

    @cached_property
    def _before(self) -> ndarray:
        """Number of characters that begin before each byte, and before the end."""
        return _before_each(self._begins)

    def characters_before(self, positions: ndarray) -> ndarray:
        """Number of characters before a byte position in each row."""
        if self.is_ascii:
            return positions
        begin = self.offsets[:-1]
        return _core.take(self._before, begin + positions, 0) - _core.take(self._before, begin, 0)

    @cached_property
    def lengths(self) -> ndarray:
        """Number of characters of each row."""
        return self.characters_before(self.sizes)

    def bytes_before(self, characters: ndarray) -> ndarray:
        """Byte position of the n-th character of each row; n is from 0 to the length."""
        if self.is_ascii:
            return characters
        begins = _core.nonzero(self._begins)[0].astype(_INT64)
        end = _core.full((1,), len(self.bytes), _INT64, self.core.device)
        begins = _core.concat_columns([Core.plain(begins), Core.plain(end)]).values
        first = _core.take(self._before, self.offsets[:-1], 0)
        at = _core.take(begins, first + characters, 0)
        last = self.offsets[1:]  # the position after the last character belongs to the next row
        return _select(at < last, at, last) - self.offsets[:-1]

    # ---- results
    def numbers(self, values: ndarray) -> Column:
        """An integer for each row, in the type that pandas has for these strings."""
        return self._alongside(values, "Int64", lambda v, gone: _select(gone, np.nan, v.astype(np.float64)))

    def booleans(self, values: ndarray, na: Any = UNSET) -> Column:
        """A boolean for each row; missing rows are false, or `na`."""
        if not unset(na) and not pandas.isna(na):
            valid = self.core.valid
            return self._flagged(values if valid is None else _select(valid, values, bool(na)), None)
        if self.column.dtype.na_value is seen.NA:
            return self._flagged(values, self.core.valid)
        return self._flagged(values if self.core.valid is None else values & self.core.valid, None)

    def _flagged(self, values: ndarray, valid: ndarray | None) -> Column:
        nullable = self.column.dtype.na_value is seen.NA
        return Column(Core.plain(values, valid), pandas.BooleanDtype() if nullable else np.dtype(bool))

    def _alongside(self, values: ndarray, masked: str, with_nulls: Callable[..., ndarray]) -> Column:
        valid = self.core.valid
        if self.column.dtype.na_value is seen.NA:
            return Column(Core.plain(values, valid), pandas.api.types.pandas_dtype(masked))
        return plain(values if valid is None or not self.column.has_missing() else with_nulls(values, ~valid))

    def made(self, core: Any) -> Column:
        return Column(core, self.column.dtype)

    def of_bytes(self, values: ndarray) -> Column:
        """Strings of other bytes at the same offsets."""
        return self.made(Core.text(values, self.offsets, self.core.valid))

    def part(self, begin: ndarray, end: ndarray) -> Column:
        """The bytes of each row between two positions; none where the second comes first."""
        size = end - begin
        return self.assembled((self.core, begin, _select(size > 0, size, 0)))

    def assembled(self, *parts: tuple[Any, ndarray | None, ndarray | None]) -> Column:
        return self.made(_core.assemble_text(list(parts), len(self)))

    def find(self, what: str, how: str, start: ndarray | None = None) -> ndarray:
        return _core.find_text(self.core, self.one(what), how, start)


def _before_each(flags: ndarray) -> ndarray:
    """Number of true values before each position, and before the end."""
    zero = _core.full((1,), 0, _INT64, flags.device)
    return _core.concat_columns([Core.plain(zero), Core.plain(cumsum(flags.astype(_INT64)))]).values


def _cased(*classes: str) -> Callable:
    """Convert the case of letters of some classes."""

    def kernel(t: Strings) -> Column:
        t.need_ascii()
        return t.of_bytes(_select(_within(t.bytes, *classes), t.bytes ^ np.uint8(32), t.bytes))

    return kernel


def _is(*classes: str) -> Callable:
    """Whether each string is not empty and all its characters are in some ASCII ranges."""

    def kernel(t: Strings) -> Column:
        t.need_ascii()
        before = _before_each(_within(t.bytes, *classes))
        count = _core.take(before, t.offsets[1:], 0) - _core.take(before, t.offsets[:-1], 0)
        return t.booleans((count == t.sizes) & (count > 0))

    return kernel


def _within(values: ndarray, *classes: str) -> ndarray:
    """Mask of the bytes in the range of a pair of characters."""
    found = None
    for low, high in classes:
        here = (values >= np.uint8(ord(low))) & (values <= np.uint8(ord(high)))
        found = here if found is None else found | here
    return found


def _headed(every_word: bool) -> Callable:
    """Lower case, with capital letters at the start of each string or of each word."""

    def kernel(t: Strings) -> Column:
        t.need_ascii()
        letters, size = _within(t.bytes, "az", "AZ"), len(t.bytes)
        heads = _core.full((size,), False, np.dtype(bool), t.core.device)
        heads[t.offsets[:-1][t.sizes > 0]] = True
        if every_word and size > 1:
            no = _core.full((1,), False, np.dtype(bool), t.core.device)
            heads = heads | ~_core.concat_columns([Core.plain(no), Core.plain(letters[:-1])]).values
        small = _select(letters, t.bytes | np.uint8(32), t.bytes)
        return t.of_bytes(_select(letters & heads, small ^ np.uint8(32), small))

    return kernel


def _literal(pat: Any, regex: bool) -> str:
    check_string(pat)
    if regex and any(c in r"\.^$*+?{}[]|()" for c in pat):
        raise NotNative("regular expressions on mostly distinct strings")
    return pat


def _contains(t: Strings, pat: Any, case: bool = True, flags: int = 0, na: Any = UNSET, regex: bool = True) -> Column:
    if flags or not case:
        raise NotNative("case=False or flags= on mostly distinct strings")
    parts = pat.split(".*") if regex and isinstance(pat, str) else [pat]
    literals = [_literal(p, regex) for p in parts]
    if len(parts) == 1:
        return t.booleans(t.find(pat, "first") >= 0, na)
    if not all(literals) or bool((t.bytes == np.uint8(ord("\n"))).any()):  # a dot does not match the end of a line
        raise NotNative("regular expressions on mostly distinct strings")
    at = t.find(literals[0], "first")
    found = at >= 0
    for before, p in itertools.pairwise(literals):
        at = t.find(p, "first", _select(at < 0, t.sizes, at + len(before.encode())))
        found = found & (at >= 0)
    return t.booleans(found, na)


def _ends(how: str) -> Callable:
    def of(t: Strings, pat: Any, na: Any = UNSET) -> Column:
        if not isinstance(pat, (str, tuple)):
            raise TypeError(f"expected a string or tuple, not {type(pat).__name__}")
        if not all(isinstance(p, str) for p in pat):
            raise NotNative("a tuple of values that are not all text")
        found = _core.full((len(t),), False, np.dtype(bool), t.core.device)
        for p in (pat,) if isinstance(pat, str) else pat:
            found = found | (t.find(p, how) > 0)
        return t.booleans(found, na)

    return of


def _find(t: Strings, sub: Any, start: Any = 0, end: Any = None, how: str = "first") -> Column:
    if not isinstance(sub, str):
        raise TypeError(f"expected a string object, not {type(sub).__name__}")
    if (start or 0) != 0 or end is not None:
        raise NotNative("start= or end=")
    at = t.find(sub, how)
    return t.numbers(_select(at < 0, -1, t.characters_before(_select(at < 0, 0, at))))


def _rfind(t: Strings, sub: Any, start: Any = 0, end: Any = None) -> Column:
    return _find(t, sub, start, end, "last")


def _count(t: Strings, pat: Any, flags: int = 0) -> Column:
    pat = _literal(pat, True)
    if flags or not pat:
        raise NotNative("flags=, or an empty pattern")
    return t.numbers(t.find(pat, "count"))


def _place(t: Strings, x: int | None, default: int) -> ndarray:
    """The character that a slice selects in each row."""
    lengths = t.lengths
    x = default if x is None else int(x)
    if x < 0:
        return _select(lengths + x > 0, lengths + x, 0)
    return _select(lengths < x, lengths, x)


def _slice(t: Strings, start: int | None = None, stop: int | None = None, step: int | None = None) -> Column:
    if step not in (None, 1):
        raise NotNative("slices with a step on mostly distinct strings")
    begin = t.bytes_before(_place(t, start, 0))
    end = t.sizes if stop is None else t.bytes_before(_place(t, stop, 0))
    return t.part(begin, end)


def _get(t: Strings, i: Any) -> Column:
    if isinstance(i, slice):
        return _slice(t, i.start, i.stop, i.step)
    if not is_integer(i):
        raise NotNative("unsupported keys")
    lengths = t.lengths
    inside = lengths > i if i >= 0 else lengths >= -i
    return choose(inside, _slice(t, i, i + 1 if i != -1 else None), None)


def _slice_replace(t: Strings, start: int | None = None, stop: int | None = None, repl: str | None = None) -> Column:
    begin, end = _place(t, start, 0), t.lengths if stop is None else _place(t, stop, 0)
    begin, end = t.bytes_before(begin), t.bytes_before(_select(end < begin, begin, end))
    return t.assembled((t.core, None, begin), (t.one(repl or ""), None, None), (t.core, end, None))


def _stripped(left: bool, right: bool) -> Callable:
    def kernel(t: Strings, to_strip: str | None = None) -> Column:
        if to_strip is not None and not to_strip.isascii():
            t.need_ascii()
        among = _WHITE if to_strip is None else to_strip
        sizes = t.sizes
        begin = t.find(among, "past_set") if left else _zeros(t)
        end = t.find(among, "up_to_set") if right else sizes
        if to_strip is None:
            _check_edges(t, begin, end, left, right)
        return t.part(begin, end)

    return kernel


def _check_edges(t: Strings, begin: ndarray, end: ndarray, left: bool, right: bool) -> None:
    """Leave strings that begin or end with non-ASCII characters to the host: these may be white space."""
    if t.is_ascii or not len(t):
        return
    size, front = len(t.bytes), t.offsets[:-1]
    for at, wanted in ((begin, left), (end - 1, right)):
        byte = _core.take(t.bytes, _select((front + at < 0) | (front + at >= size), 0, front + at), 0)
        if wanted and bool(((byte >= np.uint8(128)) & (begin < end)).any()):
            t.need_ascii()


def _replace(
    t: Strings, pat: Any, repl: Any = None, n: int = -1, case: bool | None = None, flags: int = 0, regex: bool = False
) -> Column:
    if isinstance(pat, dict) and repl is None:
        for key, value in pat.items():
            t = Strings(_replace(t, key, value, n, case, flags, regex))
        return t.made(t.core)
    if not isinstance(repl, str) and not callable(repl):
        raise TypeError("repl must be a string or callable")
    if not isinstance(repl, str) or case is False or flags or not pat:
        raise NotNative("an empty pattern, a function as repl=, case=False or flags= on mostly distinct strings")
    if regex and "\\" in repl:
        raise NotNative("regular expressions on mostly distinct strings")
    pat = _literal(pat, regex)
    return t.made(_core.replace_text(t.core, t.one(pat), t.one(repl), -1 if n < 0 else int(n)))


def _padded(t: Strings, width: Any, side: str = "left", fillchar: str = " ") -> Column:
    width = padding(width, side, fillchar)
    lacking = width - t.lengths
    lacking = _select(lacking > 0, lacking, 0)
    each = len(fillchar.encode())
    fill = t.one(fillchar * max(width, 1))
    if side == "left":
        return t.assembled((fill, None, lacking * each), (t.core, None, None))
    if side == "right":
        return t.assembled((t.core, None, None), (fill, None, lacking * each))
    before = (lacking + (0 if width % 2 == 0 else 1)) // 2  # as Python centers
    return t.assembled((fill, None, before * each), (t.core, None, None), (fill, None, (lacking - before) * each))


def _zfill(t: Strings, width: Any) -> Column:
    width = max(whole(width), 0)
    lacking = width - t.lengths
    lacking = _select(lacking > 0, lacking, 0)
    sign = (t.find("-", "at_begin") + t.find("+", "at_begin")) > 0
    sign = _select(sign, 1, 0).astype(_INT64)
    zeros = t.one("0" * max(width, 1))
    return t.assembled((t.core, None, sign), (zeros, None, lacking), (t.core, sign, None))


def _without(t: Strings, affix: str, how: str) -> Column:
    has = t.find(affix, how) * len(affix.encode())
    return t.part(has, t.sizes) if how == "at_begin" else t.part(_zeros(t), t.sizes - has)


def _repeat(t: Strings, repeats: Any) -> Column:
    if not is_integer(repeats) or not 1 <= repeats <= 8:
        raise NotNative("more than 8 repeats, or a number for each row")
    return t.assembled(*[(t.core, None, None)] * int(repeats))


def _split(t: Strings, pat: Any = None, n: Any = -1, expand: bool = True, regex: bool | None = None) -> list[Column]:
    """The parts of each row between separators, one column for each part; missing where a row has fewer."""
    if pat is None or pat == "":
        raise NotNative("splitting at white space on mostly distinct strings")
    check_string(pat)
    pat = _literal(pat, regex is True or (regex is None and len(pat) > 1))
    counts = t.find(pat, "count")
    if t.core.valid is not None:
        counts = _select(t.core.valid, counts, -1)
    most = int(counts.max()) + 1 if len(t) else 0
    ends = n is not None and n > 0 and n < most - 1
    most = n + 1 if ends else most
    if most == 0:
        raise NotNative("no parts at all")
    begin, parts = _zeros(t), []
    for k in range(most):
        found = t.find(pat, "first", begin)
        end = t.sizes if ends and k == n else _select(found < 0, t.sizes, found)
        parts.append(choose(counts >= k, t.part(begin, end), None))
        begin = _select(found < 0, t.sizes, found + len(pat.encode()))
    return parts


def _partition(t: Strings, sep: Any = " ", expand: bool = True) -> list[Column]:
    """The parts before, at and behind a separator; the whole string and two empty ones where it does not occur."""
    if not isinstance(sep, str):
        raise NotNative("tuples")
    if sep == "":
        raise ValueError("empty separator")
    found, size = t.find(sep, "first"), len(sep.encode())
    end = _select(found < 0, t.sizes, found)
    behind = _select(found < 0, t.sizes, found + size)
    return [t.part(_zeros(t), end), t.part(end, behind), t.part(behind, t.sizes)]


def _zeros(t: Strings) -> ndarray:
    return _core.full((len(t),), 0, _INT64, t.core.device)


KERNELS: dict[str, Callable[..., AnyColumn]] = {
    "len": lambda t: t.numbers(t.lengths),
    "upper": _cased("az"), "lower": _cased("AZ"), "swapcase": _cased("az", "AZ"), "casefold": _cased("AZ"),
    "title": _headed(True), "capitalize": _headed(False), "isascii": lambda t: t.booleans(t.lengths == t.sizes),
    "isdigit": _is("09"), "isdecimal": _is("09"), "isnumeric": _is("09"), "isalpha": _is("az", "AZ"),
    "isalnum": _is("az", "AZ", "09"), "isspace": _is("\t\r", "\x1c "),
    "contains": _contains, "startswith": _ends("at_begin"), "endswith": _ends("at_end"),
    "find": _find, "rfind": _rfind, "count": _count, "slice": _slice, "get": _get, "__getitem__": lambda t, key: _get(t, key),
    "slice_replace": _slice_replace, "strip": _stripped(True, True), "lstrip": _stripped(True, False),
    "rstrip": _stripped(False, True), "replace": _replace, "pad": _padded, "zfill": _zfill, "repeat": _repeat,
    "center": lambda t, width, fillchar=" ": _padded(t, width, "both", fillchar),
    "ljust": lambda t, width, fillchar=" ": _padded(t, width, "right", fillchar),
    "rjust": lambda t, width, fillchar=" ": _padded(t, width, "left", fillchar),
    "removeprefix": lambda t, prefix: _without(t, prefix, "at_begin"),
    "removesuffix": lambda t, suffix: _without(t, suffix, "at_end"),
}  # fmt: skip
# Methods that give several columns.
PARTS: dict[str, Callable[..., list[Column]]] = {"split": _split, "partition": _partition}


def is_faster(name: str, c: Column) -> bool:
    """Whether the byte-based method is faster than Arrow's, on the CPU too."""
    return name in ("contains", "startswith", "endswith", "find", "count") or (name == "len" and Strings(c).is_ascii)
