"""Ranges in NVIDIA's profilers; without the library libnvToolsExt these functions do nothing."""

from __future__ import annotations

import ctypes

_library: list = []


def _loaded() -> ctypes.CDLL | None:
    if not _library:
        try:
            _library.append(ctypes.CDLL("libnvToolsExt.so.1"))
        except OSError:
            _library.append(None)
    return _library[0]


def RangePush(message: str, id_color: int = -1) -> None:
    """Begin a range nested in the current one."""
    if (library := _loaded()) is not None:
        library.nvtxRangePushA(message.encode())


def RangePop() -> None:
    """End the innermost range."""
    if (library := _loaded()) is not None:
        library.nvtxRangePop()


def Mark(message: str, id_color: int = -1) -> None:
    """Mark a point in time."""
    if (library := _loaded()) is not None:
        library.nvtxMarkA(message.encode())
