"""Frequencies given by users."""

from __future__ import annotations

from typing import Any

from ..._array.caller_warnings import at_users_line
from .._theirs import pandas


def to_offset(freq: Any) -> Any:
    """pandas' offset of a string, with its warnings at the user's line."""
    find = pandas.tseries.frequencies.to_offset
    return at_users_line(find, freq) if isinstance(freq, str) else find(freq)
