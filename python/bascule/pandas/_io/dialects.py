"""Other formats of text files: encodings, dialects, decimal and thousands separators."""

from __future__ import annotations

import csv
import re
from typing import Any

import pyarrow
import pyarrow.compute as pc

from .._columns.column import AnyColumn, Column
from .arrow import column_from_arrow

_PLAIN = dict(doublequote=True, escapechar=None, skipinitialspace=False, quoting=csv.QUOTE_MINIMAL)


class NotHere(Exception):
    """Raised for a file that pandas has to read; the message is the reason."""


def numbers(c: AnyColumn, thousands: str | None, point: str) -> AnyColumn:
    """A column of strings as numbers, if all have that format; else unchanged."""
    if not isinstance(c, Column) or not c.is_text:
        if isinstance(c, Column) and c.dtype.kind == "f" and (point != "." or thousands == "."):
            raise NotHere("a point in a column where decimal= is another character")
        return c
    texts = c.to_arrow()
    between, dot = re.escape(thousands or ""), re.escape(point)
    digits = rf"[0-9][0-9{between}]*"
    spelling = rf"^\s*[+-]?(?:{digits}(?:{dot}[0-9]*)?|{dot}[0-9]+)(?:[eE][+-]?[0-9]+)?\s*$"
    if texts.null_count == len(texts) or not pc.all(pc.match_substring_regex(texts, spelling), min_count=0).as_py():
        return c
    texts = pc.ascii_trim_whitespace(texts)
    if thousands:
        texts = pc.replace_substring(texts, thousands, "")
    texts = pc.utf8_ltrim(pc.replace_substring(texts, point, "."), "+")
    whole = texts.null_count == 0 and not pc.any(pc.match_substring_regex(texts, r"[.eE]"), min_count=0).as_py()
    try:
        return column_from_arrow(pc.cast(texts, pyarrow.int64() if whole else pyarrow.float64()))
    except pyarrow.ArrowInvalid:
        raise NotHere("integers beyond 64 bits") from None


def as_utf8(source: str | bytes, encoding: str, errors: str) -> bytes:
    """A file, or its content, converted from another encoding to UTF-8."""
    if isinstance(source, str):
        with open(source, "rb") as file:
            source = file.read()
    try:
        return source.decode(encoding, errors).encode()
    except (LookupError, UnicodeError):
        raise NotHere("text that is not in its encoding") from None


def of_dialect(x: Any) -> dict[str, str]:
    """The separator and the quote of a dialect that has no other options."""
    try:
        found = csv.get_dialect(x) if isinstance(x, str) else x
    except csv.Error:
        raise NotHere("an unknown dialect") from None
    if any(getattr(found, k, v) != v for k, v in _PLAIN.items()) or not hasattr(found, "delimiter"):
        raise NotHere("dialect=")
    return {"sep": found.delimiter, "quotechar": getattr(found, "quotechar", '"')}
