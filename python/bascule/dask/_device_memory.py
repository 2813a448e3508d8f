"""Results of a worker on its device; what is too much goes to the host, and from there to disk."""

from __future__ import annotations

import ctypes
import os
import threading
from collections import OrderedDict
from collections.abc import Iterator, MutableMapping
from typing import Any

from dask.sizeof import sizeof
from dask.utils import parse_bytes
from distributed.protocol.serialize import dask_deserialize, dask_serialize, deserialize, serialize
from distributed.spill import SpillBuffer
from distributed.system import MEMORY_LIMIT

from .. import _core

ndarray = _core.ndarray


class OnHost:
    """A value of a device as its bytes on the host."""

    __slots__ = ("header", "frames", "size")

    def __init__(self, header: dict, frames: list, size: int):
        self.header, self.frames, self.size = header, frames, size

    def __sizeof__(self) -> int:
        return object.__sizeof__(self) + sum(memoryview(f).nbytes for f in self.frames)


@dask_serialize.register(OnHost)
def _send(x: OnHost) -> tuple[dict, list]:
    return {"header": x.header, "size": x.size}, x.frames


@dask_deserialize.register(OnHost)
def _receive(header: dict, frames: list) -> OnHost:
    return OnHost(header["header"], frames, header["size"])


def device_of(x: Any) -> str:
    """Where the memory of a result is; of a list or dict, of the first that is not on the CPU."""
    if type(x) is ndarray:
        return x.device
    if type(x).__module__.startswith("bascule.pandas") and hasattr(type(x), "_device"):
        return str(x._device() or "cpu")
    if isinstance(x, (list, tuple, dict)):
        return next((d for d in map(device_of, x.values() if isinstance(x, dict) else x) if d != "cpu"), "cpu")
    return "cpu"


class DeviceHostFile(MutableMapping):
    """The results of a worker: on the device up to a limit, then as bytes on the host, then on disk.

    Parameters
    ----------
    device_memory_limit : int or float or str
        Bytes of results on the device, or a share of the device's memory.
    memory_limit : int
        Of the worker's process; results on the host go to disk beyond Dask's ``distributed.worker.memory.target`` of it.
    worker_local_directory : str
        Where the files are.
    """

    def __init__(self, device_memory_limit: Any, memory_limit: int, worker_local_directory: str):
        from dask import config

        share = config.get("distributed.worker.memory.target") or config.get("distributed.worker.memory.spill") or 1.0
        target = int((memory_limit or MEMORY_LIMIT) * share)
        self.host = SpillBuffer(os.path.join(worker_local_directory, "storage"), target)
        self.device: OrderedDict[Any, tuple[Any, int]] = OrderedDict()  # the one that was asked for last at the end
        self.limit, self.used = bytes_of(device_memory_limit), 0
        self.lock = threading.RLock()

    def __setitem__(self, key: Any, value: Any) -> None:
        with self.lock:
            self.pop(key, None)
            if device_of(value) == "cpu":
                self.host[key] = value
                return
            size = sizeof(value)
            self.device[key] = value, size
            self.used += size
            self._make_room()

    def _make_room(self) -> None:
        """Bring to the host what was asked for longest ago; a single result may be larger than the limit."""
        while self.used > self.limit and len(self.device) > 1:
            key, (value, size) = next(iter(self.device.items()))
            header, frames = serialize(value, serializers=("dask", "pickle"), on_error="raise")
            self.host[key] = OnHost(header, frames, size)
            del self.device[key]
            self.used -= size

    def __getitem__(self, key: Any) -> Any:
        with self.lock:
            if key in self.device:
                self.device.move_to_end(key)
                return self.device[key][0]
            x = self.host[key]
            if not isinstance(x, OnHost):
                return x
            value = deserialize(x.header, x.frames)
            del self.host[key]
            self[key] = value
            return value

    def __delitem__(self, key: Any) -> None:
        with self.lock:
            if key in self.device:
                self.used -= self.device.pop(key)[1]
            else:
                del self.host[key]

    def __contains__(self, key: Any) -> bool:
        return key in self.device or key in self.host

    def __iter__(self) -> Iterator:
        with self.lock:
            return iter([*self.device, *self.host])

    def __len__(self) -> int:
        return len(self.device) + len(self.host)

    # What the worker's memory monitor asks, which knows the memory of the host alone.

    @property
    def fast(self) -> Any:
        """What lies in the memory of the host."""
        return self.host.fast

    def evict(self) -> int:
        """Write one result of the host to disk; its bytes, or -1 where there is none."""
        return self.host.evict() if self.host.fast else -1


def bytes_of(limit: Any) -> int:
    """Bytes of a limit that may be a share of the memory of this process's device."""
    if isinstance(limit, float) and 0 < limit <= 1:
        return int((_memory_of_gpu() or MEMORY_LIMIT) * limit)
    n = int(parse_bytes(limit))
    if n <= 0:
        raise ValueError(f"[dask] device_memory_limit is a positive number of bytes or a share, not {limit!r}")
    return n


def _memory_of_gpu() -> int:
    """Bytes of the first GPU, asked without making a context there; 0 without one."""
    if not _core.get_default_device().startswith("cuda"):
        return 0
    try:
        driver = ctypes.CDLL(os.environ.get("BASCULE_CUDA_DRIVER") or "libcuda.so.1")
        device, total = ctypes.c_int(), ctypes.c_size_t()
        if driver.cuInit(0) or driver.cuDeviceGet(ctypes.byref(device), 0):
            return 0
        return 0 if driver.cuDeviceTotalMem_v2(ctypes.byref(total), device) else total.value
    except (OSError, AttributeError):
        return 0
