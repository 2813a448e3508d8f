"""Floating-point errors: NumPy's own switches, which govern both libraries.

`errstate`, `seterr`, `geterr`, `seterrcall` and `geterrcall` are NumPy's: their settings apply to NumPy's arrays and to
bascule's alike, in the same thread and the same asynchronous task.

The settings at the time of the call apply to an operation. With any action other than a warning (raise, print, log,
call a function) errors are reported at the call, which then computes at once. Warnings of a lazy operation come when it
is computed, one per operation in the order of the calls, under the warning filters of the call, and name its line.
While a program records warnings (`warnings.catch_warnings(record=True)`, pytest) or a filter turns them into errors,
they come at the call too. ``config.fp_warnings`` overrides this.
"""

from numpy import errstate, geterr, geterrcall, seterr, seterrcall

__all__ = ["errstate", "geterr", "geterrcall", "seterr", "seterrcall"]
