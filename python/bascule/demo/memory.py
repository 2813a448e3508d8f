"""Growth of the process while a step runs: the system's high-water mark, which Linux lets a process reset."""

from __future__ import annotations

import gc
from pathlib import Path

import bascule as bc

_MARK, _STATUS = Path("/proc/self/clear_refs"), Path("/proc/self/status")


def _kilobytes(name: str) -> int | None:
    try:
        lines = _STATUS.read_text().splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) for line in lines if line.startswith(name + ":")), None)


class Growth:
    """A context manager; afterwards `bytes` is the largest growth beyond the memory in use before, None if the system
    does not report it."""

    def __init__(self) -> None:
        self.bytes: int | None = None
        self._before: int | None = None

    def __enter__(self) -> Growth:
        gc.collect()
        bc.trim("cpu")  # cached memory would otherwise be reused without being counted
        try:
            _MARK.write_text("5")
        except OSError:
            return self
        self._before = _kilobytes("VmRSS")
        return self

    def __exit__(self, *error: object) -> None:
        peak = _kilobytes("VmHWM")
        if self._before is not None and peak is not None:
            self.bytes = max(peak - self._before, 0) * 1024
