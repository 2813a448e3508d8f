"""Ranges that NVIDIA's profilers show, where the library libnvToolsExt is; without it they do nothing."""

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
    """Begin a range inside of the one that is open."""
    if (library := _loaded()) is not None:
        library.nvtxRangePushA(message.encode())


def RangePop() -> None:
    """End the range that was begun last."""
    if (library := _loaded()) is not None:
        library.nvtxRangePop()


def Mark(message: str, id_color: int = -1) -> None:
    """Mark a moment."""
    if (library := _loaded()) is not None:
        library.nvtxMarkA(message.encode())
