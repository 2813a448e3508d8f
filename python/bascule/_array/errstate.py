"""Floating-point errors: NumPy's own switches, which govern both libraries.

`errstate`, `seterr`, `geterr`, `seterrcall` and `geterrcall` are NumPy's: what they set holds for NumPy's arrays and for
bascule's alike, in the same thread and the same asynchronous task.

An operation is checked for what was asked when it was called. Whatever is not merely warned of (raised, printed, logged,
given to a function) is reported at the call, which then computes at once. Warnings of a lazy operation come when it is
computed, one an operation in the order of the calls, under the warning filters of the call, and name its line; while
somebody records warnings (`warnings.catch_warnings(record=True)`, pytest) or a filter makes errors of them they come at
the call too. ``config.fp_warnings`` decides otherwise.
"""

from numpy import errstate, geterr, geterrcall, seterr, seterrcall

__all__ = ["errstate", "geterr", "geterrcall", "seterr", "seterrcall"]
