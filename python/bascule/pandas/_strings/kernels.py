"""Kernels of `.str`: from Arrow's strings to Arrow's strings, numbers, booleans and lists, with pandas' semantics."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from ... import _core
from .._columns import arrow_bits
from .._columns.arrow_bits import are_valid, booleans_of
from .._columns.column import AnyColumn, Column, HostColumn, from_pandas_array, text_from_arrow
from .._fallback.native import NotNative, integer
from .._io.arrow import column_from_arrow
from .._questions import is_integer
from .._theirs import UNSET, pandas, pc, pyarrow, seen, unset
from .lists import Lists, element
from .regex import anchored, compiled, groups_of, has_groups, in_re2, in_words_of_re2


def _arrow(name: str) -> Callable:
    """A function of Arrow."""
    return lambda strings, **options: getattr(pc, name)(strings, **options)


def _trim(which: str) -> Callable:
    def kernel(strings: Any, to_strip: str | None = None) -> Any:
        if to_strip is None:
            return getattr(pc, f"utf8_{which}_whitespace")(strings)
        return getattr(pc, f"utf8_{which}")(strings, characters=to_strip)

    return kernel


def padding(width: Any, side: str, fillchar: Any) -> int:
    """The width that strings are padded to; the arguments of `pad` are checked."""
    if not isinstance(fillchar, str):
        raise TypeError(f"fillchar must be a character, not {type(fillchar).__name__}")
    if len(fillchar) != 1:
        raise TypeError("fillchar must be a character, not str")
    width = whole(width)
    if side not in ("left", "right", "both"):
        raise ValueError(f"Invalid side: {side}. Side must be one of 'left', 'right', 'both'")
    return max(width, 0)


def _pad(strings: Any, width: int, side: str = "left", fillchar: str = " ") -> Any:
    width = padding(width, side, fillchar)
    if side == "both":
        return pc.utf8_center(strings, width=width, padding=fillchar, lean_left_on_odd_padding=width % 2 == 0)
    return (pc.utf8_lpad if side == "left" else pc.utf8_rpad)(strings, width=width, padding=fillchar)


def whole(width: Any) -> int:
    """The width that strings are filled to."""
    if not is_integer(width):
        raise TypeError(f"width must be of integer type, not {type(width).__name__}")
    return int(width)


def _zfill(strings: Any, width: int) -> Any:
    width = max(whole(width), 0)
    if not hasattr(pc, "utf8_zfill"):
        raise NotNative("an older pyarrow has no zfill")
    return pc.utf8_zfill(strings, width)


def _slice(strings: Any, start: int | None = None, stop: int | None = None, step: int | None = None) -> Any:
    step = 1 if step is None else step
    first = (-1 if step < 0 else 0) if start is None else start
    return pc.utf8_slice_codeunits(strings, start=first, stop=stop, step=step)


def _get(strings: Any, i: Any) -> Any:
    if isinstance(i, slice):
        return _slice(strings, i.start, i.stop, i.step)
    if not is_integer(i):
        raise NotNative("unsupported keys")
    lengths = pc.utf8_length(strings)
    inside = pc.less(i, lengths) if i >= 0 else pc.less_equal(-i, lengths)
    found = pc.utf8_slice_codeunits(strings, i, i + 1) if i >= 0 else pc.utf8_slice_codeunits(strings, i, i - 1, -1)
    return pc.if_else(inside, found, pyarrow.nulls(1, pyarrow.large_string())[0])


def _slice_replace(strings: Any, start: int | None = None, stop: int | None = None, repl: str | None = None) -> Any:
    last = np.iinfo(np.int64).max if stop is None else stop
    return pc.utf8_replace_slice(strings, start or 0, last, "" if repl is None else repl)


def _ends(kernel: Any) -> Callable:
    def of(strings: Any, pat: Any, na: Any = UNSET) -> Any:
        if not isinstance(pat, (str, tuple)):
            raise TypeError(f"expected a string or tuple, not {type(pat).__name__}")
        found = pc.if_else(strings.is_null(), None, False) if pat == () else None
        for p in (pat,) if isinstance(pat, str) else pat:
            here = kernel(strings, pattern=p)
            found = here if found is None else pc.or_(found, here)
        return found

    return of


def _contains(strings: Any, pat: Any, case: bool = True, flags: int = 0, na: Any = UNSET, regex: bool = True) -> Any:
    if not regex:
        if flags or not isinstance(pat, str):
            raise NotNative("flags= or a compiled pattern with regex=False")
        return pc.match_substring(strings, pat, ignore_case=not case)
    if has_groups(pat):
        from ..._array.caller_warnings import warn

        text = "This pattern is interpreted as a regular expression, and has match groups. To actually get the groups, use str.extract."
        warn(text, UserWarning)
    pattern, ignore = in_re2(pat, strings, case, flags)
    return pc.match_substring_regex(strings, pattern, ignore_case=ignore)


def _match(strings: Any, pat: Any, case: Any = UNSET, flags: Any = UNSET, na: Any = UNSET) -> Any:
    if not isinstance(pat, str) or not unset(flags):
        raise NotNative("flags= or a compiled pattern")
    pattern, ignore = in_re2(pat, strings, unset(case) or bool(case), 0)
    return pc.match_substring_regex(strings, f"^({pattern.removeprefix('^')})", ignore_case=ignore)


def check_string(pat: Any) -> None:
    """NotNative for a pattern that is compiled."""
    if not isinstance(pat, str):
        raise NotNative("a compiled pattern")


def _fullmatch(strings: Any, pat: Any, case: bool = True, flags: int = 0, na: Any = UNSET) -> Any:
    check_string(pat)
    pattern, ignore = in_re2(pat, strings, case, flags)
    return pc.match_substring_regex(strings, rf"\A(?:{pattern})\z", ignore_case=ignore)


def _replace(
    strings: Any, pat: Any, repl: Any = None, n: int = -1, case: bool | None = None, flags: int = 0, regex: bool = False
) -> Any:
    if isinstance(pat, dict) and repl is None:
        for key, value in pat.items():
            strings = _replace(strings, key, value, n, case, flags, regex)
        return strings
    if not isinstance(repl, str) and not callable(repl):
        raise TypeError("repl must be a string or callable")
    if isinstance(pat, re.Pattern):
        if not regex or case is not None or flags:
            raise NotNative("pat= that is compiled, with other options")
        pat, flags = pat.pattern, pat.flags & ~re.UNICODE
    if not isinstance(pat, str) or not isinstance(repl, str) or pat == "":
        raise NotNative("empty patterns, or a function")
    most = None if n < 0 else n
    if not regex and case is not False and not flags:
        return pc.replace_substring(strings, pattern=pat, replacement=repl, max_replacements=most)
    if not regex:
        pat = re.escape(pat)
    own = compiled(pat)
    if own.search(""):
        raise NotNative("a pattern that matches the empty string")
    pattern, ignore = in_re2(pat, strings, case is not False, flags)
    pattern, repl = "(?i)" * ignore + pattern, in_words_of_re2(repl, own)
    return pc.replace_substring_regex(strings, pattern=pattern, replacement=repl, max_replacements=most)


def _without(strings: Any, kernel: Any, there: str, start: int, stop: int | None) -> Any:
    if not there:
        return strings
    return pc.if_else(kernel(strings, pattern=there), pc.utf8_slice_codeunits(strings, start, stop=stop), strings)


def _repeat(strings: Any, repeats: Any) -> Any:
    if not is_integer(repeats):
        raise NotNative("a number for each row")
    return pc.binary_repeat(strings, int(repeats))


def _count(strings: Any, pat: Any, flags: int = 0) -> Any:
    check_string(pat)
    if compiled(pat).search(""):
        raise NotNative("a pattern that matches the empty string")
    pattern, ignore = in_re2(pat, strings, True, flags)
    return pc.count_substring_regex(strings, pattern, ignore_case=ignore).cast(pyarrow.int64())


def _find(strings: Any, sub: Any, start: Any = 0, end: Any = None) -> Any:
    if not isinstance(sub, str):
        raise TypeError(f"expected a string object, not {type(sub).__name__}")
    if (start or 0) != 0 or end is not None:
        raise NotNative("start= or end=")
    at = pc.find_substring(strings, sub).cast(pyarrow.int64())
    if pc.all(pc.string_is_ascii(strings), min_count=0).as_py():
        return at
    # Arrow counts bytes, pandas characters: count those before the match
    front = pc.if_else(pc.greater(at, 0), at, 0)
    values, offsets = _bytes_of(strings)
    starts = offsets[:-1] - offsets[0]
    ends = starts + arrow_bits.values_of(pc.coalesce(front, 0))
    starts_of_characters = np.concatenate([[0], np.cumsum((values[offsets[0] : offsets[-1]] & 0xC0) != 0x80)])
    characters = starts_of_characters[ends] - starts_of_characters[starts]
    return pc.if_else(pc.greater_equal(at, 0), arrow_bits.numbers(characters), at)


def _bytes_of(strings: Any) -> tuple[np.ndarray, np.ndarray]:
    _, offsets, data = strings.buffers()
    bounds = np.frombuffer(offsets, np.int64, len(strings) + 1, 8 * strings.offset)
    return np.frombuffer(data, np.uint8) if data is not None and data.size else np.zeros(0, np.uint8), bounds


def _index(strings: Any, sub: Any, start: Any = 0, end: Any = None) -> Any:
    found = _find(strings, sub, start, end)
    if pc.any(pc.equal(found, -1), min_count=0).as_py():
        raise ValueError("substring not found")
    return found


def _normalize(strings: Any, form: str) -> Any:
    if form not in ("NFC", "NFD", "NFKC", "NFKD"):
        raise ValueError("invalid normalization form")
    if form in ("NFC", "NFKC"):
        if not pc.all(pc.string_is_ascii(strings), min_count=0).as_py():
            raise NotNative("normalization of non-ASCII characters")
        return strings
    return pc.utf8_normalize(strings, form=form)


def _casefold(strings: Any) -> Any:
    if not pc.all(pc.string_is_ascii(strings), min_count=0).as_py():
        raise NotNative("non-ASCII characters")
    return pc.utf8_lower(strings)


def _split(strings: Any, pat: Any = None, n: Any = -1, expand: bool = False, regex: bool | None = None) -> Any:
    if n is not None:
        integer(n, "n=")
    n = -1 if not n or n < 0 else n
    if pat is None or pat == "":
        if n != -1 or pat == "":
            raise NotNative("n= without a pattern, or an empty one")
        return pc.utf8_split_whitespace(pc.utf8_trim_whitespace(strings)), True
    check_string(pat)
    most = None if n == -1 else n
    if regex is False or (regex is None and len(pat) == 1):
        return pc.split_pattern(strings, pat, max_splits=most), False
    if compiled(pat).groups or compiled(pat).search("") or anchored(pat):
        raise NotNative("a pattern with groups or assertions, or one that matches the empty string")
    return pc.split_pattern_regex(strings, in_re2(pat, strings, True, 0)[0], max_splits=most), False


def _rsplit(strings: Any, pat: Any = None, n: Any = -1, expand: bool = False) -> Any:
    if n is not None:
        integer(n, "n=")
    if n in (-1, 0, None) and pat is None:
        return _split(strings)
    if not isinstance(pat, str) or pat == "":
        raise NotNative("n= without a pattern, or an empty one")
    return pc.split_pattern(strings, pat, max_splits=None if n is None or n < 1 else n, reverse=True), False


def _parted(strings: Any, sep: str, expand: bool, reverse: bool) -> list[Any]:
    if sep == "":
        raise ValueError("empty separator")
    if not isinstance(sep, str) or not expand:
        raise NotNative("tuples")
    parts = pc.split_pattern(strings, sep, max_splits=1, reverse=reverse)
    first, second = element(parts, 0), element(parts, 1)
    whole = pc.coalesce(pc.and_(second.is_null(), strings.is_valid()), False)
    empty = pc.if_else(strings.is_valid(), "", pyarrow.nulls(1, pyarrow.large_string())[0]).cast(pyarrow.large_string())
    middle = pc.if_else(
        whole,
        empty,
        pc.if_else(strings.is_valid(), sep, pyarrow.nulls(1, pyarrow.large_string())[0]).cast(pyarrow.large_string()),
    )
    if reverse:
        return [pc.if_else(whole, empty, first), middle, pc.if_else(whole, first, second)]
    return [first, middle, pc.if_else(whole, empty, second)]


def _extract(strings: Any, pat: Any, flags: int = 0, expand: bool = True) -> list[Any]:
    if not isinstance(expand, bool):
        raise ValueError("expand must be True or False")
    own = re.compile(pat, flags=flags)
    if own.groups == 0:
        raise ValueError("pattern contains no capture groups")
    if isinstance(pat, re.Pattern):
        pat, flags = pat.pattern, pat.flags & ~re.UNICODE
    groups = groups_of(pat, flags)
    if any(optional and may_be_empty for _, optional, may_be_empty in groups):
        raise NotNative("groups of which nobody knows whether they are empty or absent")
    names = {number: name for name, number in own.groupindex.items()}
    pattern, ignore = in_re2(pat, strings, True, flags, named=True)
    found = pc.extract_regex(strings, "(?i)" * ignore + pattern)
    parts = [pc.struct_field(found, i).cast(pyarrow.large_string()) for i in range(own.groups)]
    for number, optional, _ in groups:
        if optional:
            part = parts[number - 1]
            parts[number - 1] = pc.if_else(pc.equal(part, ""), pyarrow.nulls(1, pyarrow.large_string())[0], part)
    return [(names.get(i + 1, i), part) for i, part in enumerate(parts)]


def _rfind(strings: Any, sub: Any, start: Any = 0, end: Any = None) -> Any:
    if not isinstance(sub, str):
        raise TypeError(f"expected a string object, not {type(sub).__name__}")
    if (start or 0) != 0 or end is not None or not sub:
        raise NotNative("start= or end=, or an empty string")
    parts = pc.split_pattern(strings, sub, max_splits=1, reverse=True)
    front = pc.utf8_length(element(parts, 0)).cast(pyarrow.int64())
    return pc.if_else(pc.greater(pc.list_value_length(parts), 1), front, -1)


def _rindex(strings: Any, sub: Any, start: Any = 0, end: Any = None) -> Any:
    found = _rfind(strings, sub, start, end)
    if pc.any(pc.equal(found, -1), min_count=0).as_py():
        raise ValueError("substring not found")
    return found


def _joined(strings: Any, sep: Any) -> Any:
    """The characters of each string, joined by a separator."""
    if not isinstance(sep, str):
        raise NotNative("a separator that is not a string")
    if not sep:
        return strings
    spread = pc.replace_substring_regex(strings, pattern="(?s)(.)", replacement="\\1" + sep.replace("\\", "\\\\"))
    return pc.utf8_slice_codeunits(spread, 0, stop=-len(sep))


_HERE, _DONE = "\x02", "\x03"  # marks around each match, in strings that have no such characters


def _findall(strings: Any, pat: Any, flags: int = 0) -> Any:
    """All strings that a pattern, or its one group, matches, in lists."""
    own = re.compile(pat, flags=flags)
    if own.groups > 1:
        raise NotNative("a pattern with groups or assertions, or one that matches the empty string")
    found = None if own.search("") or anchored(own.pattern) else _in_arrow(own, strings)
    if found is None:
        return _lists([None if t is None else own.findall(t) for t in strings.to_pylist()])
    pattern, ignore = found
    pattern = "(?i)" * ignore + (pattern if own.groups else f"({pattern})")
    marked = pc.replace_substring_regex(strings, pattern=pattern, replacement=f"{_HERE}\\1{_DONE}")
    counts = pc.coalesce(pc.count_substring(marked, _DONE), 0).cast(pyarrow.int64())
    flat = pc.list_flatten(pc.split_pattern(marked, _DONE))
    flat = flat.filter(pc.match_substring(flat, _HERE))
    flat = pc.replace_substring_regex(flat, pattern=f"(?s)^.*{_HERE}", replacement="")
    return _list_array(arrow_bits.values_of(counts), flat, are_valid(strings))


def _in_arrow(own: re.Pattern, strings: Any) -> tuple[str, bool] | None:
    """The pattern in Arrow's words, and whether case is ignored; None where Arrow does not find the same."""
    try:
        if any(optional for _, optional, _ in groups_of(own.pattern)):
            return None
        found = in_re2(own.pattern, strings, True, own.flags & ~re.UNICODE)
    except NotNative:
        return None
    marked = pc.any(pc.match_substring_regex(strings, f"[{_HERE}{_DONE}]"), min_count=0).as_py()
    return None if marked else found


def _list_array(counts: np.ndarray, flat: Any, valid: np.ndarray) -> Any:
    """Lists of so many of the strings each; null where not `valid`."""
    offsets = arrow_bits.numbers(np.concatenate([[0], np.cumsum(counts)]).astype(np.int64))
    if not valid.all():  # a null offset is a null list
        offsets = pc.if_else(arrow_bits.booleans(np.append(valid, True)), offsets, pyarrow.nulls(1, pyarrow.int64())[0])
    return pyarrow.LargeListArray.from_arrays(offsets, flat)


def _lists(found: list[Any]) -> Any:
    """Python's lists of strings, None for a missing one."""
    counts = np.array([len(x) if x else 0 for x in found], np.int64)
    flat = arrow_bits.strings([t for x in found if x for t in x])
    return _list_array(counts, flat, np.array([x is not None for x in found], bool))


def _translate(strings: Any, table: Any) -> Any:
    return arrow_bits.strings([None if t is None else t.translate(table) for t in strings.to_pylist()])


KERNELS: dict[str, Callable] = {
    **{n: _arrow(f"utf8_{n}") for n in ("upper", "lower", "title", "capitalize", "swapcase")},
    **{f"is{n}": _arrow(f"utf8_is_{n}") for n in "alnum alpha decimal digit lower numeric space title upper".split()},
    "isascii": _arrow("string_is_ascii"), "len": lambda strings: pc.utf8_length(strings).cast(pyarrow.int64()),
    "strip": _trim("trim"), "lstrip": _trim("ltrim"), "rstrip": _trim("rtrim"), "pad": _pad, "zfill": _zfill,
    "center": lambda strings, width, fillchar=" ": _pad(strings, width, "both", fillchar),
    "ljust": lambda strings, width, fillchar=" ": _pad(strings, width, "right", fillchar),
    "rjust": lambda strings, width, fillchar=" ": _pad(strings, width, "left", fillchar),
    "slice": _slice, "get": _get, "__getitem__": lambda strings, key: _get(strings, key), "slice_replace": _slice_replace, "startswith": _ends(_arrow("starts_with")),
    "endswith": _ends(_arrow("ends_with")), "contains": _contains, "match": _match, "fullmatch": _fullmatch, "replace": _replace,
    "removeprefix": lambda strings, prefix: _without(strings, pc.starts_with, prefix, len(prefix), None),
    "removesuffix": lambda strings, suffix: _without(strings, pc.ends_with, suffix, 0, -len(suffix)), "repeat": _repeat,
    "count": _count, "find": _find, "index": _index, "normalize": _normalize, "casefold": _casefold, "split": _split,
    "rsplit": _rsplit, "partition": lambda strings, sep=" ", expand=True: _parted(strings, sep, expand, False),
    "rpartition": lambda strings, sep=" ", expand=True: _parted(strings, sep, expand, True), "extract": _extract,
    "rfind": _rfind, "rindex": _rindex, "join": _joined, "findall": _findall,
    "translate": _translate,
}  # fmt: skip


def as_column(found: Any, dtype: Any, na: Any = UNSET) -> AnyColumn:
    """The column of a kernel's result, for strings of a dtype; `na` replaces missing booleans."""
    found = found.combine_chunks() if isinstance(found, pyarrow.ChunkedArray) else found
    if pyarrow.types.is_large_string(found.type):
        return text_from_arrow(found, dtype)
    if pyarrow.types.is_list(found.type) or pyarrow.types.is_large_list(found.type):
        return Lists(found, dtype.na_value)
    nullable, booleans = dtype.na_value is seen.NA, pyarrow.types.is_boolean(found.type)
    if not nullable and not booleans:
        return column_from_arrow(found)
    gone = ~are_valid(found) if found.null_count else None
    if booleans:
        there = booleans_of(found)
        default = bool(na) if not unset(na) and not pandas.isna(na) else None if nullable else False
        if gone is not None:
            there[gone] = bool(default)
        gone = gone if default is None else None
    else:
        there = arrow_bits.values_of(pc.coalesce(found, 0))
    valid, values = None if gone is None else _core.from_numpy(~gone), _core.from_numpy(there)
    theirs = (pandas.Int64Dtype() if values.dtype.kind == "i" else pandas.BooleanDtype()) if nullable else values.dtype
    return Column(_core.Column.plain(values, valid), theirs)


def widened(lists: Any) -> list[Any]:
    """The columns of lists: the first strings, the second ones, and so on; null where a list is shorter."""
    most = pc.max(pc.list_value_length(lists)).as_py()
    if not most:
        raise NotNative("no parts at all")
    return [element(lists, i) for i in range(most)]


def objects(found: Any, among: Any, missing: Any) -> HostColumn:
    """Strings as pandas' objects: NaN where a list has none, `missing` where there is no list."""
    made = np.array([*found.to_pylist(), None], dtype=object)[:-1]
    made[~are_valid(found)] = np.nan
    nothing = found.null_count == len(found) and among.null_count < len(among)
    made[~are_valid(among)] = missing
    if nothing and (missing is np.nan or not among.null_count):
        return from_pandas_array(made.astype(np.float64))  # type: ignore[return-value]
    return HostColumn(made)
