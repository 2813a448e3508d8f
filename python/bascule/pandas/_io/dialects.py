"""Other formats of text files: encodings, dialects, decimal and thousands separators."""

from __future__ import annotations

import csv
import re
from typing import Any

import numpy as np

from ... import _core
from ..._array.caller_warnings import warn
from .._columns.column import AnyColumn, plain
from .._theirs import pandas, pc, pyarrow
from .arrow import column_from_arrow

_PLAIN = dict(doublequote=True, escapechar=None, skipinitialspace=False, quoting=csv.QUOTE_MINIMAL)


class NotHere(Exception):
    """Raised for text that pandas has to read or to write; the message is the reason."""


def numbers(c: AnyColumn, thousands: str | None, point: str) -> AnyColumn:
    """A column of strings as numbers, if all have that format; else unchanged."""
    if not c.is_text:
        if c.nan_is_missing and (point != "." or thousands == "."):
            raise NotHere("a point in a column where decimal= is another character")
        return c
    cells = c.to_arrow()
    between, dot = re.escape(thousands or ""), re.escape(point)
    digits = rf"[0-9][0-9{between}]*"
    spelling = rf"^\s*[+-]?(?:{digits}(?:{dot}[0-9]*)?|{dot}[0-9]+)(?:[eE][+-]?[0-9]+)?\s*$"
    if cells.null_count == len(cells) or not pc.all(pc.match_substring_regex(cells, spelling), min_count=0).as_py():
        return c
    cells = pc.ascii_trim_whitespace(cells)
    if thousands:
        cells = pc.replace_substring(cells, thousands, "")
    cells = pc.utf8_ltrim(pc.replace_substring(cells, point, "."), "+")
    whole = cells.null_count == 0 and not pc.any(pc.match_substring_regex(cells, r"[.eE]"), min_count=0).as_py()
    try:
        return column_from_arrow(pc.cast(cells, pyarrow.int64() if whole else pyarrow.float64()))
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


def as_plain(source: str | bytes, how: dict[str, Any], bad_lines: str) -> bytes:
    """Text with comments, several spaces between fields or rows of too many fields, as CSV.

    Parameters
    ----------
    source : str or bytes
        A path, or the content.
    how : dict
        Options of the core.
    bad_lines : {"error", "skip", "warn"}
    """
    if isinstance(source, str):
        with open(source, "rb") as file:
            source = file.read()
    if how.get("initial_spaces") and b"\t" in source:
        raise NotHere("skipinitialspace= with tabs")
    made, dropped, longer, is_open = _core.rewrite_csv(source, how)
    if is_open or (how.get("drop_long_rows") and longer):
        raise NotHere("rows with more fields than the header, or a quote that is not closed")
    if dropped and bad_lines == "warn":
        said = [f"Skipping line {line}: expected {wanted} fields, saw {fields}\n" for line, wanted, fields in dropped]
        warn("".join(said), pandas.errors.ParserWarning)
    return made


_TRUE, _FALSE = {"True", "TRUE", "true"}, {"False", "FALSE", "false"}


def booleans(c: AnyColumn, true_words: set[str], false_words: set[str]) -> AnyColumn:
    """A column of strings as booleans, if all are among these words or pandas' own; else unchanged."""
    if not c.is_text:
        return c
    codes, first, _ = _core.factorize_columns([c.core], False, False)
    words = [w for w in c.take(first).objects() if isinstance(w, str)]
    true = [w in true_words or w in _TRUE for w in words]
    if not words or not all(t or w in false_words or w in _FALSE for t, w in zip(true, words)):
        return c
    if c.has_missing():
        raise NotHere("missing values among true_values= and false_values=")
    return plain(_core.from_numpy(np.array(true)[_core.to_numpy(codes)]))


def boolean_words(true: Any, false: Any) -> tuple[set[str], set[str]] | None:
    """The words of `true_values` and `false_values`; None where neither is given."""
    if true is None and false is None:
        return None
    words = list(true or ()), list(false or ())
    made = set(words[0]), set(words[1])
    if not all(isinstance(w, str) for w in (*words[0], *words[1])) or made[0] & (made[1] | _FALSE) or made[1] & _TRUE:
        raise NotHere("true_values= and false_values= that are no words, or the same")
    return made


def of_dialect(x: Any) -> dict[str, str]:
    """The separator and the quote of a dialect that has no other options."""
    try:
        found = csv.get_dialect(x) if isinstance(x, str) else x
    except csv.Error:
        raise NotHere("an unknown dialect") from None
    if any(getattr(found, k, v) != v for k, v in _PLAIN.items()) or not hasattr(found, "delimiter"):
        raise NotHere("dialect=")
    return {"sep": found.delimiter, "quotechar": getattr(found, "quotechar", '"')}
