"""`to_numeric`: strings as numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _core
from .. import _classes
from .._fallback.carried import unnoted
from .._fallback.native import NotNative, native_function
from .._theirs import UNSET, pc, pyarrow, unset
from . import arrow_bits
from .column import STR, Column, adopt, plain

# Numbers that every parser reads alike, to the last bit; pandas parses more digits, exponents and words.
_INTEGER = r"^[+-]?[0-9]{1,18}$"
_DECIMAL = r"^[+-]?(?:[0-9]{1,8}(?:\.[0-9]{0,7})?|\.[0-9]{1,15})$"
_MAY_BE_NUMBER = r"(?i)^\s*[+-]?(?:\.?[0-9].*|inf.*)$"


def _parsed(c: Column, coerce: bool) -> Column:
    """Strings as int64, or as float64 where some are missing or not integers."""
    text = c.to_arrow()
    empty = pc.equal(text, "")
    integer, decimal = pc.match_substring_regex(text, _INTEGER), pc.match_substring_regex(text, _DECIMAL)
    number = pc.or_(integer, decimal)
    other = pc.and_not(pc.invert(number), empty)
    if pc.any(other).as_py():
        unsure = pc.and_(other, pc.match_substring_regex(text, _MAY_BE_NUMBER))
        if not coerce or pc.any(unsure).as_py():
            raise NotNative("strings that are not plain decimal numbers")
    whole = text.null_count == 0 and pc.all(integer, min_count=0).as_py()
    if whole:
        text = pc.utf8_ltrim(text, "+")
        return plain(adopt(arrow_bits.values_of(pc.cast(text, pyarrow.int64()))))
    known = pc.if_else(number, pc.utf8_ltrim(text, "+"), pyarrow.nulls(1, text.type)[0])
    return plain(adopt(arrow_bits.values_of(pc.cast(known, pyarrow.float64()))))


def _narrowed(c: Column, downcast: str | None) -> Column:
    """Integers in the smallest type that holds them all."""
    if downcast is None:
        return c
    c.plain_values("iu" if downcast != "float" and len(c) else "", "downcast= to anything but integers")
    low, high = int(c.values.min()), int(c.values.max())
    if downcast == "unsigned" and low < 0:
        return c
    kind = "uint" if downcast == "unsigned" else "int"
    for bits in (8, 16, 32, 64):
        limits = np.iinfo(f"{kind}{bits}")
        if bits // 8 <= c.values.dtype.itemsize and limits.min <= low and high <= limits.max:
            return plain(_core.astype(c.values, limits.dtype, False, "K"))
    return c


@native_function(
    "to_numeric", errors=("raise", "coerce"), downcast=(None, "integer", "signed", "unsigned", "float"), dtype_backend=unset
)  # fmt: skip
def to_numeric(arg: Any, errors: str = "raise", downcast: str | None = None, dtype_backend: Any = UNSET) -> Any:
    """Convert strings, or numbers of any dtype, to numbers.

    Parameters
    ----------
    arg : Series; scalar, list, array or index in pandas
    errors : {"raise", "coerce"}
        Handling of strings that are not numbers: an error, or NaN.
    downcast : {"integer", "signed", "unsigned", "float"}, optional
        Use the smallest type of that kind.
    dtype_backend : optional
        Effective in pandas only.

    Returns
    -------
    Series, or what pandas makes of others

    Raises
    ------
    ValueError
        When a string is not a number and `errors` is "raise".

    Examples
    --------
    >>> import bascule.pandas as pd
    >>> pd.to_numeric(pd.Series(["1", "2.5", "x"]), errors="coerce").tolist()
    [1.0, 2.5, nan]
    """
    if not isinstance(arg, _classes.Series):
        raise NotNative("an argument that is not a series")
    c = arg._column
    if c.device.startswith("cuda"):
        raise NotNative(f"values of type {c.dtype}")
    if c.dtype == STR:
        c = _parsed(c, errors == "coerce")
    else:
        c.plain_values()
        c = plain(c.as_numbers())
    return unnoted(arg._like(_narrowed(c, downcast)))
