"""Frequencies given by users."""

from __future__ import annotations

from typing import Any

from pandas.tseries import frequencies

from ..._array.caller_warnings import at_users_line


def to_offset(freq: Any) -> Any:
    """pandas' offset of a string, with its warnings at the user's line."""
    return at_users_line(frequencies.to_offset, freq) if isinstance(freq, str) else frequencies.to_offset(freq)
