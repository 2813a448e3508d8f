"""Warnings that depend on values in the memory of a device. A call does not wait for the device to issue them: they
come when the program next waits for it, or at the call if warnings are recorded or errors are asked for.
"""

from __future__ import annotations

from typing import Any

from .. import _core
from .caller_warnings import warn
from .conversion import device_of

_BITS = {"divide": 1, "over": 2, "invalid": 8}  # the bits of ops::fp


def is_apart(x: Any) -> bool:
    """Whether x is in memory of a device's own, which the host cannot read without waiting."""
    return (device_of(x) or "cpu").startswith("cuda")


def warn_where(condition: Any, text: str) -> bool:
    """Warn if an element of booleans is true. Returns whether one may be: in a device's own memory that is not known."""
    if is_apart(condition):
        _core.warn_where(condition, text)
        return True
    found = bool(condition.any())
    if found:
        warn(text)
    return found


def report_fp_errors_where(op: int, **found: Any) -> None:
    """Report for an op the floating-point errors of NumPy's loop where elements of booleans are true: `divide`, `over`
    or `invalid`."""
    conditions = [(_BITS[name], x) for name, x in found.items() if x is not None]
    if any(is_apart(x) for _, x in conditions):
        _core.report_fp_errors_where(op, conditions)
    else:
        _core.report_fp_errors(op, sum(bits for bits, x in conditions if bool(x.any())))
