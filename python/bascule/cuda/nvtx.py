"""Ranges in NVIDIA's profilers; without the library of NVTX these functions do nothing."""

from __future__ import annotations

import ctypes
import os

from ..device_libraries import libraries

_library: list = []
# CUDA 13's library, and CUDA 12's.
_NAMES = ("libnvtx3interop.so.1", "libnvToolsExt.so.1")


def _loaded() -> ctypes.CDLL | None:
    if not _library:
        _library.append(_first(_NAMES))
    return _library[0]


def _first(names: tuple[str, ...]) -> ctypes.CDLL | None:
    """The first that can be opened, in the folders of NVIDIA's libraries or by the loader."""
    for path in (os.path.join(folder, name) for name in names for folder in (*libraries(), "")):
        try:
            return ctypes.CDLL(path)
        except OSError:
            continue
    return None


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
