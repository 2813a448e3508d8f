"""NumPy's and SciPy's BLAS on one thread while many small products and factors are computed.

Their threads look for more work in a loop after each product. On a busy machine that takes up to a hundred times as long as
the product of a small block of rows.
"""

from __future__ import annotations

import functools
import threading
from typing import Any


class OneThread:
    """A context in which NumPy's and SciPy's BLAS have one thread; contexts of several threads may overlap."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside = 0
        self._limit: Any = None

    def __enter__(self) -> None:
        with self._lock:
            if self._inside == 0:
                self._limit = _libraries().limit(limits=1)
            self._inside += 1

    def __exit__(self, *error: object) -> None:
        with self._lock:
            self._inside -= 1
            if self._inside == 0:
                self._limit.restore_original_limits()


@functools.cache
def _libraries() -> Any:
    """The libraries of NumPy and SciPy; that of the core sets its threads by itself."""
    from threadpoolctl import ThreadpoolController

    found = ThreadpoolController()
    theirs = [f["filepath"] for f in found.info() if f["user_api"] == "blas" and "openblas32" not in f["filepath"]]
    return found.select(filepath=theirs)


one_thread = OneThread()
