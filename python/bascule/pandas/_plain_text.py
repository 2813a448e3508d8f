"""The text of frames, series and indexes, as pandas formats them.

Some values, labels and widths are left to pandas: the functions return None then.
"""

from __future__ import annotations

import builtins
import datetime
import re
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from . import _indexes
from ._columns.by_numbers import categories_of
from ._columns.column import AnyColumn
from ._fallback.options import value as option
from ._intervals import EdgeIntervals
from ._stand_ins import STR, CategoryType, TextType
from ._text_array import TextArray
from ._theirs import pandas, seen

_ITEMS = 100  # labels of an index
_DEPTH = 2  # of lists in lists; pandas shows three
_KINDS = 8  # categories of a type; of more, the first and the last ones are shown
_WIDTH = 80
_FORMAT = re.compile(r"%[+ 0-9]*(\.\d+)?[feg]")
_ESCAPES = str.maketrans({"\t": r"\t", "\r": r"\r", "\n": r"\n"})
_NUMBER = re.compile(r"^\s*[+-]?[0-9]+\.[0-9]*$")
_PLAIN = (str, int, float, bool, datetime.date, datetime.time, np.generic, np.dtype)
_TIME_UNITS = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}


class _Other(Exception):
    """Raised for a text that is pandas' own."""


def _longest() -> int:
    """The characters of a value that are shown; pandas shortens longer ones."""
    most = option("max_colwidth")
    return sys.maxsize if most is None else most


def _edge(n: int) -> int | None:
    """How many of so many rows are shown at either end; None for all of them."""
    most, fewest = option("max_rows"), option("min_rows")
    if most is None or (n <= most and most > 0):
        return None
    shown = min(fewest, most) if fewest else most
    if shown < 2:
        raise _Other
    return shown // 2


def _widest(strings: Sequence[str]) -> int:
    return max(map(len, strings))


def _right(strings: Sequence[str]) -> list[str]:
    width = _widest(strings)
    return [t.rjust(width) for t in strings]


def _justified(strings: Sequence[str], width: int, longest: int) -> list[str]:
    """Strings at the right of a column at least so wide; those that are too long are shortened."""
    width = min(max(width, _widest(strings)), longest)
    return [(t if len(t) <= width else t[: width - 3] + "...").rjust(width) for t in strings]


def _of_object(x: Any, depth: int = 0) -> str:
    """An object in a cell."""
    if isinstance(x, str):
        return x.translate(_ESCAPES)
    if type(x) in (list, tuple) and len(x) <= _ITEMS and depth < _DEPTH:
        inner = ", ".join([_of_object(i, depth + 1) for i in x])
        return f"[{inner}]" if type(x) is list else f"({inner}{',' if len(x) == 1 else ''})"
    others = (TextType, CategoryType, pandas.Interval, pandas.Period, pandas.Timedelta)
    types = (pandas.DatetimeTZDtype, pandas.PeriodDtype, pandas.IntervalDtype, pandas.CategoricalDtype)
    if x is None or isinstance(x, _PLAIN) or x is seen.NA or type(x) in others or isinstance(x, types):
        return str(x)
    raise _Other


# ---- values, with the space in front that pandas leaves for a sign


def _trimmed(strings: list[str]) -> list[str]:
    """Numbers without the zeros at the end that all of them have."""
    numbers = [bool(_NUMBER.match(t)) for t in strings]
    while any(numbers) and all(t.endswith("0") for t, n in zip(strings, numbers) if n):
        strings = [t[:-1] if n else t for t, n in zip(strings, numbers)]
    return [t + "0" if n and t.endswith(".") else t for t, n in zip(strings, numbers)]


def _floats(values: np.ndarray, missing: str = "NaN", space: str = " ") -> list[str]:
    """Six digits, or powers of ten where a number would lose them or is too long."""
    sizes, digits = np.abs(values), _digits()
    numbers = values.tolist()
    strings = _trimmed([missing if v != v else f"{v:{space}.{digits}f}" for v in numbers])
    is_small = ((sizes < 10.0**-digits) & (sizes > 0)).any()
    if is_small or ((sizes > 1e6).any() and _widest(strings) > digits + 6):
        strings = _trimmed([missing if v != v else f"{v:{space}.{digits}e}" for v in numbers])
    return strings


def _digits() -> int:
    """The digits after the point."""
    digits = option("precision")
    if not digits:
        raise _Other
    return digits


def _float(x: float) -> str:
    text = f"{x: .{_digits()}f}".rstrip("0")
    return text + "0" if text.endswith(".") else text


def _objects(c: AnyColumn, space: str) -> list[str]:
    strings = []
    for x in c.objects():
        is_float = isinstance(x, (float, np.floating))
        if x is seen.NaT or isinstance(x, (np.datetime64, np.timedelta64)):
            raise _Other
        strings.append((_float(x) if x == x else f"{space}NaN") if is_float else f"{space}{_of_object(x)}")
    return strings


def _times(values: np.ndarray) -> list[str]:
    """Days, or as many digits of a second as one of them needs."""
    there = values[~np.isnat(values)]
    if not len(there):
        return ["NaT"] * len(values)
    years = there.astype("M8[Y]").astype(np.int64) + 1970
    if years.min() < 1000 or years.max() > 9999:
        raise _Other
    unit = next(u for u in ("D", "s", "ms", "us", "ns") if (there == there.astype(f"M8[{u}]")).all())
    strings = np.datetime_as_string(values.astype(f"M8[{unit}]")).tolist()
    return [t if t == "NaT" else t.replace("T", " ") for t in strings]


def _durations(values: np.ndarray) -> list[str]:
    per_second = _TIME_UNITS[np.datetime_data(values.dtype)[0]]
    missing, counts = np.isnat(values).tolist(), values.astype(np.int64)
    there = counts[~np.isnat(values)]
    if not (there % (86400 * per_second)).any():
        return ["NaT" if gone else f"{n // (86400 * per_second)} days" for n, gone in zip(counts.tolist(), missing)]
    digits = 0
    if (there % per_second).any():
        digits = 9 if per_second == 10**9 and (there % 1000).any() else 6

    def text(n: int) -> str:
        days, rest = divmod(n, 86400 * per_second)
        seconds, part = divmod(rest, per_second)
        clock = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
        fraction = f".{part * 10**9 // per_second:09}"[: digits + 1] if digits else ""
        return f"{days} days {'+' if days < 0 else ''}{clock}{fraction}"

    return ["NaT" if gone else text(n) for n, gone in zip(counts.tolist(), missing)]


def _strings(c: AnyColumn, space: str) -> list[str]:
    return [f"{space}NaN" if type(x) is float else f"{space}{x.translate(_ESCAPES)}" for x in c.objects()]


def _whole(c: AnyColumn, space: str) -> list[str]:
    return [f"{v:{space}d}" for v in c.to_numpy().tolist()]


_BY_KIND: dict[str, Callable[[Any, str], list[str]]] = {
    "i": _whole,
    "u": _whole,
    "b": lambda c, space: [f"{space}{v}" for v in c.to_numpy().tolist()],
    "f": lambda c, space: _floats(c.to_numpy(), space=space),
    "M": lambda c, space: _times(c.to_numpy()),
    "m": lambda c, space: _durations(c.to_numpy()),
    "t": _strings,
    "Z": lambda c, space: list(map(str, c.objects())),  # each with the digits that it needs
    "O": _objects,
    "P": lambda c, space: [f"{space}{p}" for p in c.objects()],
}


def _kind(c: AnyColumn) -> str:
    """The letter of values that are formatted here, "-" of others."""
    if c.inferred_type == "period":
        return "P"
    return c.letter if c.plain == "-" and (c.dtype in (object, STR) or c.zone is not None) else c.plain


def _values(c: AnyColumn, space: str = " ") -> list[str]:
    """The values as strings, with the space in front that pandas leaves for a sign."""
    c = c.as_read()
    if c.device != "cpu" or not len(c) or _kind(c) not in _BY_KIND:
        raise _Other
    return _BY_KIND[_kind(c)](c, space)


# ---- labels


def _without_front(strings: list[str]) -> list[str]:
    space = min(len(t) - len(t.lstrip()) for t in strings)
    return [t[space:] for t in strings] if space else strings


def _of_level(c: AnyColumn) -> list[str]:
    """The labels of one level."""
    kind = _kind(c)
    if kind == "-" and _kind(c.as_read()) not in "tO":
        raise _Other
    if kind == "f" and option("float_format") is not None:
        raise _Other
    if kind == "f":  # stand at the left of their column
        shown = _floats(c.to_numpy(), " NaN")
        return _without_front([t.ljust(_widest(shown)) for t in shown])
    strings = _values(c) if kind in "mM" else _without_front(_values(c))
    return _left(strings) if kind in "iub" else strings


def _sparse(levels: list[list[str]]) -> list[list[str]]:
    """The labels of levels without those that repeat the row above, except in the last level."""
    rows = list(zip(*levels))
    shown = [list(rows[0])]
    for before, row in zip(rows, rows[1:]):
        same = next((i for i, (a, b) in enumerate(zip(before, row)) if a != b), len(row) - 1)
        same = min(same, len(row) - 1)
        shown.append([""] * same + list(row[same:]))
    return [list(level) for level in zip(*shown)]


def _name(x: Any) -> str:
    if x is None:
        return ""
    if isinstance(x, tuple) and all(isinstance(i, (str, int)) for i in x):
        return f"({', '.join(map(_of_object, x))}{',' if len(x) == 1 else ''})"
    return _of_object(x)


def _levels(index: Any) -> list[list[str]]:
    """The labels of each level of the rows."""
    if type(index) is _indexes.RangeIndex:
        strings = [str(v) for v in index.tolist()]
        width = _widest([strings[0], strings[-1]]) if strings else 0
        return [[t.ljust(width) for t in strings]]
    if index.nlevels > 1:
        if any(c.has_missing() for c in index._columns):
            raise _Other
        return _sparse([_of_level(c) for c in index._columns])
    return [_of_level(index._columns[0])]


def _named(index: Any, always: bool) -> list[list[str]]:
    """The labels of each level, under the name of the level where there is a name or `always`."""
    there = always or any(n is not None for n in index._names)
    return [[_name(n), *level] if there else level for n, level in zip(index._names, _levels(index))]


def _left(strings: Sequence[str]) -> list[str]:
    width = _widest(strings)
    if width > _longest():
        raise _Other
    return [t.ljust(width) for t in strings]


def _joined(columns: list[list[str]], space: int) -> list[str]:
    """Columns next to each other, each as wide as its widest text."""
    *first, last = columns
    padded = [[t.ljust(width) for t in column] for column, width in ((c, _widest(c) + space) for c in first)]
    padded.append([t.ljust(_widest(last)) for t in last])
    return ["".join(line) for line in zip(*padded)]


def _shown(x: Any) -> tuple[Any, int | None]:
    """The rows that are shown, and the row before which some are left out."""
    n = len(x)
    edge = _edge(n)
    return (x, None) if edge is None else (x._take_rows([*range(edge), *range(n - edge, n)]), edge)


# ---- frames


def _heads(frame: Any) -> list[list[str]]:
    """The lines over each column."""
    index = _indexes.from_pandas(frame._names)
    if index.nlevels > 1:
        return [list(t) for t in zip(*_levels(index))]
    (strings,) = _levels(index)
    return [[f" {t}" if c.is_numeric else t] for t, c in zip(strings, frame._columns)]


def _without_columns(columns: list[list[str]], height: int) -> tuple[list[list[str]], bool]:
    """The columns that a terminal has room for, and whether some are left out between them."""
    from shutil import get_terminal_size  # imported here because it takes milliseconds

    widths = [_widest(c) for c in columns]
    over = sum(widths) + len(widths) - get_terminal_size().columns
    if over <= 0:
        return columns, False
    over += 5  # of the dots
    while over > 0 and len(widths) > 1:
        over -= widths.pop(round(len(widths) / 2)) + 1
    fit = max(len(widths) - 1, 2)
    if fit >= len(columns) - 1:
        return columns, False
    half = fit // 2
    return [*columns[: half + 1], [" ..."] * height, *columns[-half:]], True


def _empty_text(frame: Any) -> str:
    def items(labels: Any) -> str:
        listed = list(labels)
        if len(listed) > _ITEMS or not all(isinstance(k, (str, int)) for k in listed):
            raise _Other
        return f"[{', '.join(map(str, listed))}]"

    return f"Empty DataFrame\nColumns: {items(frame._names)}\nIndex: {items(frame._index)}"


def _in_format(c: AnyColumn, space: str = " ", form: str | None = None) -> list[str]:
    """As `_values`, with floats by a format that a program gives, here or as an option."""
    by = option("float_format") if form is None else form.__mod__
    if by is None or _kind(c) not in "fO":
        return _values(c, space)
    if _kind(c) == "O":
        raise _Other
    strings = ["NaN" if v != v else by(v) for v in c.to_numpy()]
    if not all(isinstance(t, str) for t in strings):
        raise _Other
    return strings


def _frame_columns(
    frame: Any, index: bool = True, longest: int = sys.maxsize, float_format: str | None = None
) -> list[list[str]]:
    """The columns of the text, that of the labels first, each with its lines over the rows."""
    names = frame._names
    named = index and any(n is not None for n in frame._index._names)
    columns = []
    if index:
        labels = _joined([_left(level) for level in _named(frame._index, False)], 1)
        called = any(n is not None for n in names.names)
        columns.append([*([_name(n) for n in names.names] if called else [""] * names.nlevels), *labels])
    for head, c in zip(_heads(frame), frame._columns):
        width = _widest(head)
        if width > _longest():
            raise _Other
        strings = _in_format(c, " " if index else "", float_format)
        values = _justified(_justified(strings, 0, longest), width, longest)
        columns.append([t.rjust(len(values[0])) for t in [*head, *([""] if named else [])]] + values)
    return columns


def _in_parts(columns: list[list[str]]) -> str:
    """Columns below each other, where they are wider than the width that the program has given."""
    labels, *others = columns
    width = option("width") if option("expand_frame_repr") else sys.maxsize
    if not width:
        raise _Other
    room = width - _widest(labels) - 1
    parts: list[list[list[str]]] = [[]]
    taken = 0
    for i, column in enumerate(others):
        wide = _widest(column) + 1
        if parts[-1] and taken + wide + (1 if i == len(others) - 1 else 2) > room:
            parts.append([])
            taken = 0
        parts[-1].append(column)
        taken += wide
    lines = len(labels)
    ends = [*([[" \\"] + ["  "] * (lines - 1)] * (len(parts) - 1)), [" "] * lines] if len(parts) > 1 else [[]]
    return "\n\n".join("\n".join(_joined([labels, *p, *([e] if e else [])], 1)) for p, e in zip(parts, ends))


def _frame_text(frame: Any) -> str:
    if type(frame).__name__ != "DataFrame":
        raise _Other
    if not frame.size:
        return _empty_text(frame)
    count, most = frame.shape[1], option("max_columns")
    if (most == 0 and count > _WIDTH) or most == 1:
        raise _Other
    shown, edge = _shown(frame)
    narrow = bool(most) and count > most
    if narrow:
        half = most // 2
        shown = shown.iloc[:, [*range(half), *range(count - half, count)]]
    columns = _frame_columns(shown, longest=_longest())
    if narrow:
        columns.insert(half + 1, [" ..."] * len(columns[0]))
    if edge is not None:
        over = len(columns[0]) - len(shown)
        for i, column in enumerate(columns):
            width = len(column[edge])
            dots = "..." if width > 3 else ".."
            column.insert(edge + over, dots.rjust(width) if i else dots.ljust(width))
    if most == 0 and option("expand_frame_repr"):
        columns, narrow = _without_columns(columns, len(columns[0]))
        text = "\n".join(_joined(columns, 1))
    else:
        text = _in_parts(columns)
    return text + (f"\n\n[{len(frame)} rows x {count} columns]" if edge is not None or narrow else "")


def _whole_frame_text(frame: Any, index: bool = True, float_format: str | None = None) -> str:
    """All rows and columns."""
    if type(frame).__name__ != "DataFrame":
        raise _Other
    if not frame.size:
        return _empty_text(frame)
    return "\n".join(_joined(_frame_columns(frame, index, float_format=float_format), 1))


# ---- series


def _freq(index: Any) -> str | None:
    """The frequency of labels, as text."""
    if type(index).__name__ == "PeriodIndex":
        return index.dtype._freqstr
    freq = getattr(index, "_freq", None)
    return freq and freq.freqstr


def _footer(series: Any, cut: bool) -> str:
    freq = _freq(series._index)
    parts = [] if freq is None else [f"Freq: {freq}"]
    parts += [] if series._name is None else [f"Name: {_name(series._name)}"]
    parts += [f"Length: {len(series)}"] if cut else []
    return ", ".join([*parts, f"dtype: {series._column.dtype.name}"])


def _whole_series_text(series: Any) -> str:
    """All rows, without what stands below them."""
    if not len(series):
        raise _Other
    freq = _freq(series._index)
    below = [] if freq is None else [f"Freq: {freq}"]
    below += [_of_categories(series._column)] if series._column.has_categories else []
    return "\n".join([*_series_lines(series, series, None), *below])


def _of_categories(c: AnyColumn) -> str:
    """The line that names the categories of a type."""
    if option("width") != _WIDTH:
        raise _Other
    found = c.dtype.categories
    kinds = found if type(found) is EdgeIntervals else categories_of(c.dtype)
    labels = kinds.tolist() if kinds is found else kinds.objects()
    if any(type(x) not in (str, int, pandas.Interval) for x in labels):
        raise _Other
    strings = [repr(x) if isinstance(x, str) else str(x) for x in labels]
    shown = strings if len(strings) <= _KINDS else [*strings[: _KINDS // 2], "...", *strings[-_KINDS // 2 :]]
    head, sep = f"Categories ({len(labels)}, {kinds.dtype}): ", " < " if c.dtype.ordered else ", "
    text, at = "", len(head)
    for i, word in enumerate(shown):
        if at + len(sep) + len(word) > _WIDTH:
            text, at = text + sep.rstrip() + "\n" + " " * (len(head) + 1), len(head) + 1
        elif i:
            text, at = text + sep, at + len(sep)
        text, at = text + word, at + len(word)
    return f"{head}[{text.replace(' < ... < ', ' ... ')}]"


def _series_text(series: Any) -> str:
    c = series._column
    if type(series).__name__ != "Series":
        raise _Other
    below = [_of_categories(c)] if c.has_categories else []
    if not len(series):
        return "\n".join([f"Series([], {_footer(series, False)}", *below]) + ")"
    shown, edge = _shown(series)
    return "\n".join([*_series_lines(series, shown, edge), _footer(series, edge is not None), *below])


def _series_lines(series: Any, shown: Any, edge: int | None) -> list[str]:
    if type(series).__name__ != "Series":
        raise _Other
    levels = _named(shown._index, True)
    head, *labels = _joined(levels, 2) if len(levels) > 1 else levels[0]
    values = _justified(_in_format(shown._column), 0, _longest())
    if edge is not None:
        width = len(values[edge - 1])
        values.insert(edge, ("..." if width > 3 else "..").center(width))
        labels.insert(edge, "")
    named = any(n is not None for n in series._index._names)
    return [*([head] if named else []), *_joined([labels, values], 3)]


def _items(index: Any) -> tuple[list[str], bool]:
    """The labels, and whether pandas aligns them."""
    c = index._columns[0]
    kind = _kind(c)
    if kind == "t" and not c.has_missing():
        return [f"'{t.translate(_ESCAPES)}'" for t in c.objects()], False
    if kind == "M":
        times = _times(c.to_numpy())
        if any(len(t) > len("2020-01-01 00:00:00") for t in times):
            raise _Other
        return [f"'{t}'" for t in times], True
    if kind not in "iufb":
        raise _Other
    return [str(x) for x in c.to_numpy()], True


def _lines(items: list[str], indent: int) -> str:
    """The labels in brackets, over as many lines as they need."""
    start = "\n" + " " * (indent + 1)
    done, line = "", start
    for i, item in enumerate(items):
        last = i == len(items) - 1
        word = item if last or item == "..." else f"{item}, "
        if item == "..." or len(line.rstrip()) + len(word.rstrip()) >= _WIDTH - 2 * last:
            done, line = done + line.rstrip(), start
        if item == "...":
            done, line = done + start + "...", start
        else:
            line += word
    text = f"{done}{line}],"
    return f"[{text[len(start) :]}" + (start[:-1] if len(text) > _WIDTH else " ")


def array_items(strings: list[Any]) -> str | None:
    """The items of an array of strings; None where only pandas writes them."""
    if len(strings) > _ITEMS or option("width") != _WIDTH or not all(type(x) is str for x in strings):
        return None
    items = [f"'{x.translate(_ESCAPES)}'" for x in strings]
    if len(items) <= 2:
        return f"[{', '.join(items)}]"
    if len(", ".join(items)) >= _WIDTH:
        items = _right(items)
    return _lines(items, 0).rstrip(", \n")


def _index_text(index: Any) -> str:
    kind, name = type(index).__name__, index._names[0]
    if index.nlevels > 1 or not (name is None or isinstance(name, str)) or option("width") != _WIDTH:
        raise _Other
    attributes = [] if name is None else [f"name='{name.translate(_ESCAPES)}'"]
    data, indent = "", len(kind) + 1
    if kind == "RangeIndex":
        attributes = [f"start={index.start}", f"stop={index.stop}", f"step={index.step}", *attributes]
    elif kind not in ("Index", "DatetimeIndex"):
        raise _Other
    else:
        attributes.insert(0, f"dtype='{index.dtype}'")
        n, edge = len(index), 10
        shown = index if n <= _ITEMS else index[[*range(edge), *range(n - edge, n)]]
        items, aligned = _items(shown) if n else ([], False)
        if aligned and n > 1 and (n > _ITEMS or len(", ".join(items)) >= _WIDTH):
            items = _right(items)
        if n > _ITEMS:
            items.insert(edge, "...")
            attributes.append(f"length={n}")
        data = f"[{', '.join(items)}], " if n < 2 else _lines(items, indent)
        if kind == "DatetimeIndex":
            freq = getattr(index, "_freq", None)
            attributes.append(f"freq={None if freq is None else repr(freq.freqstr)}")
    at = len(data.rpartition("\n")[2]) if "\n" in data else indent + len(data)
    text = ""
    for i, attribute in enumerate(attributes):
        between = ", " if i else ""
        if at + len(between) + len(attribute) + (i < len(attributes) - 1) > _WIDTH:
            text, at = text + between.rstrip() + "\n" + " " * indent + attribute, indent + len(attribute)
        else:
            text, at = text + between + attribute, at + len(between) + len(attribute)
    return f"{kind}({data.rstrip() if text.startswith(chr(10)) else data}{text})"


def _or_none(make: Callable[..., str]) -> Callable[..., str | None]:
    def text(x: Any, **options: Any) -> str | None:
        if hasattr(builtins, "get_ipython"):  # whose widths are others
            return None
        try:
            return make(x, **options)
        except _Other:
            return None

    return text


frame_text, series_text = map(_or_none, (_frame_text, _series_text))
_indexes.Index._own_text = _or_none(_index_text)  # type: ignore[method-assign]
TextArray._written = staticmethod(array_items)  # type: ignore[assignment]
_whole_frame, _whole_series = _or_none(_whole_frame_text), _or_none(_whole_series_text)


def whole_text(x: Any, options: dict[str, Any]) -> str | None:
    """All rows and columns of a frame or series, as `to_string` gives them."""
    if x.ndim == 1:
        return None if options else _whole_series(x)
    form = options.get("float_format")
    known = options.keys() <= {"index", "float_format"} and options.get("index", True) in (True, False)
    return _whole_frame(x, **options) if known and (form is None or _FORMAT.fullmatch(str(form))) else None
