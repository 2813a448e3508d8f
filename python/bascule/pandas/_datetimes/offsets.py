"""Frequencies that a user names."""

from __future__ import annotations

from typing import Any

from pandas.tseries import frequencies

from ..._array.caller_warnings import at_users_line


def to_offset(freq: Any) -> Any:
    """pandas' offset of a text, of which it may warn at the user's line."""
    return at_users_line(frequencies.to_offset, freq) if isinstance(freq, str) else frequencies.to_offset(freq)
