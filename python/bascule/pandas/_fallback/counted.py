"""Calls that run in pandas: counted, timed, and reported once for each call site; pandas' warnings point at the user's line."""

from __future__ import annotations

import threading
import time
from typing import Any

from ... import fallback
from ..._array.caller_warnings import warn_at_site
from ...config import config
from ...fallback import refuse_on_gpu

UNSAID = "not implemented natively"


class _Now(threading.local):
    depth = 0  # number of nested calls of this thread that are in pandas
    nbytes = 0  # bytes that this thread has converted for them


NOW = _Now()


class in_pandas:
    """A context in which code runs in pandas.

    Parameters
    ----------
    name : str
        Name of the called function.
    reason : str
        Reason why it runs in pandas.
    device : str
        Device of the data: they are not moved off a GPU.
    later : bool
        Count only when `count` is called, since earlier steps may refuse the call.
    """

    def __init__(self, name: str, reason: str = UNSAID, device: str = "cpu", later: bool = False):
        refuse_on_gpu(name, reason, device)
        self.name, self.reason, self.later, self.warns = name, reason, later, True

    def __enter__(self) -> in_pandas:
        if not self.later:
            self.count()
        self.nbytes, self.start = NOW.nbytes, time.perf_counter()
        NOW.depth += 1
        return self

    def count(self) -> None:
        """Count the call; raise where the configuration forbids it."""
        fallback.note(self.name, self.reason, "pandas")

    def __exit__(self, kind: Any, *_: Any) -> None:
        NOW.depth -= 1
        if kind is None and self.warns and config.fallback == "warn":
            spent = _seconds(time.perf_counter() - self.start)
            said = f"{self.name} ran in pandas: {self.reason}"
            warn_at_site(said, f" ({spent}, {_bytes(NOW.nbytes - self.nbytes)})", fallback.FallbackWarning)


class presented:
    """A context in which pandas formats text or plots, which is no fallback."""

    def __enter__(self) -> None:
        NOW.depth += 1

    def __exit__(self, *_: Any) -> None:
        NOW.depth -= 1


def converted(nbytes: int) -> None:
    """Add the bytes of an object that was converted for pandas."""
    NOW.nbytes += nbytes


def _seconds(s: float) -> str:
    return f"{s:.2g} s" if s >= 1 else f"{s * 1e3:.2g} ms"


def _bytes(n: int) -> str:
    return next(f"{n / size:.3g} {unit}" for size, unit in ((1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1, "B")) if n >= size or size == 1)  # fmt: skip
