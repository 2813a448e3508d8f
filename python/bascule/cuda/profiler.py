"""Ranges in NVIDIA's profilers, and timing of calls."""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING, Any

import numpy as np

from . import nvtx
from ._devices import Device
from ._streams import Event, get_elapsed_time

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@contextlib.contextmanager
def time_range(
    message: str, color_id: int | None = None, argb_color: int | None = None, sync: bool = False
) -> Iterator[None]:
    """Show the block as a range, if NVTX is installed; `sync` waits for the device at its end."""
    nvtx.RangePush(message)
    try:
        yield
    finally:
        if sync:
            Device().synchronize()
        nvtx.RangePop()


class Times:
    """Seconds of each call: `cpu_times`, and `gpu_times` of each device (one row)."""

    def __init__(self, name: str, cpu: list[float], gpu: list[float]) -> None:
        self.name, self.cpu_times, self.gpu_times = name, np.asarray(cpu), np.asarray([gpu])

    def to_str(self, show_gpu: bool = True) -> str:
        """The mean and the extremes, in microseconds."""
        rows = [("CPU", self.cpu_times), *([("GPU-0", self.gpu_times[0])] if show_gpu else [])]
        text = "  ".join(
            f"{name}: {1e6 * t.mean():.3f} us +/- {1e6 * t.std():.3f} (min {1e6 * t.min():.3f} / max {1e6 * t.max():.3f})"
            for name, t in rows
        )
        return f"{self.name}: {text}"

    __str__ = __repr__ = lambda self: self.to_str()


def benchmark(
    func: Callable[..., Any], args: tuple = (), kwargs: dict[str, Any] | None = None, n_repeat: int = 10000, *,
    name: str | None = None, n_warmup: int = 10, max_duration: float = float("inf"),
) -> Times:  # fmt: skip
    """Call a function repeatedly and time it, including its pending operations."""
    kwargs = kwargs or {}
    device = Device()
    for _ in range(n_warmup):
        func(*args, **kwargs)
    device.synchronize()
    cpu, gpu, left = [], [], max_duration
    for _ in range(n_repeat):
        start, end = Event(), Event()
        start.record()
        begin = time.perf_counter()
        kept = func(*args, **kwargs)
        cpu.append(time.perf_counter() - begin)
        end.record()
        end.synchronize()
        del kept
        gpu.append(get_elapsed_time(start, end) * 1e-3)
        left -= time.perf_counter() - begin
        if left <= 0:
            break
    return Times(name or getattr(func, "__name__", "function"), cpu, gpu)
