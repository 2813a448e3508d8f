"""Reading and writing on the CPU device for another one: each column is copied once, which `bascule.fallbacks` counts."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from ... import _core, fallback
from ...config import config
from .. import _classes, _indexes
from .._columns.column import AnyColumn, Column, from_pandas_array, moved_core


def moved(c: AnyColumn, device: str) -> AnyColumn:
    """A copy of a column in the memory of a device."""
    if not c.has_core:
        with config.set(device=device):
            return from_pandas_array(c.to_pandas_array())
    return Column(moved_core(c.core, device), c.dtype)


def _moved_labels(index: Any, device: str) -> Any:
    if isinstance(index, _indexes.RangeIndex):  # its labels are made on first use
        return _indexes.RangeIndex._of(index.start, index.step, len(index), index.name)
    return _classes.Index._of_columns([moved(c, device) for c in index._columns], index._names)


def moved_rows(x: Any, device: str) -> Any:
    """A copy of a frame or series in the memory of a device."""
    return x._with([moved(c, device) for c in x._all_columns()], _moved_labels(x._index, device))


def by_cpu(name: str, why: str, device: str, read: Callable[[], Any]) -> Any:
    """Read on the CPU device, and copy a frame to another one; counted for a function, with a reason if there is one."""
    with config.set(device="cpu"):
        found = read()
    begin = f"{why}: " if why else ""
    fallback.report_fallback(name, f"{begin}read by the CPU device, its columns copied to {device}")
    return moved_rows(found, device) if isinstance(found, _classes.DataFrame) else found


def read_by_cpu(f: Callable[..., Any]) -> Callable[..., Any]:
    """A function that reads a frame on the CPU device, and then copies it to the default device."""

    @wraps(f)
    def read(*args: Any, **kwargs: Any) -> Any:
        device = _core.get_default_device()
        if not device.startswith("cuda"):
            return f(*args, **kwargs)
        return by_cpu(f.__name__, "", device, lambda: f(*args, **kwargs))

    return read


def written_by_cpu(f: Callable[..., Any]) -> Callable[..., Any]:
    """A method that writes rows on the CPU device, from any device."""

    @wraps(f)
    def write(self: Any, *args: Any, **kwargs: Any) -> Any:
        device = self._device()
        if not device.startswith("cuda") and not _core.get_default_device().startswith("cuda"):
            return f(self, *args, **kwargs)
        with config.set(device="cpu"):
            if device.startswith("cuda"):
                fallback.report_fallback(f.__name__, f"written by the CPU device, its columns copied from {device}")
                self = moved_rows(self, "cpu")
            return f(self, *args, **kwargs)

    return write
