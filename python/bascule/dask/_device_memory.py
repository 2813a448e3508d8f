"""Results of a worker on its device; those beyond the limit go to the host, and from there to disk."""

from __future__ import annotations

import ctypes
import errno
import os
import threading
from collections import OrderedDict
from collections.abc import Iterator, MutableMapping
from typing import Any
from zlib import crc32

from dask.sizeof import sizeof
from dask.utils import parse_bytes
from distributed.protocol.serialize import dask_deserialize, dask_serialize, deserialize, serialize
from distributed.spill import AnyKeyFile, SpillBuffer
from distributed.system import MEMORY_LIMIT

from .. import _core, device_libraries

ndarray = _core.ndarray


class OnHost:
    """A value on a device, as bytes on the host."""

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
    """The device of a result; for a list or dict, the device of the first item that is not on the CPU."""
    if type(x) is ndarray:
        return x.device
    if type(x).__module__.startswith("bascule.pandas") and hasattr(type(x), "_device"):
        return str(x._device() or "cpu")
    if isinstance(x, (list, tuple, dict)):
        return next((d for d in map(device_of, x.values() if isinstance(x, dict) else x) if d != "cpu"), "cpu")
    return "cpu"


class CheckedFile(AnyKeyFile):
    """Files of results, one for each key, with a checksum of the written data; errors name the key and the file."""

    def __init__(self, directory: str):
        super().__init__(directory)
        self.checksums: dict[Any, int] = {}

    def __setitem__(self, key: Any, value: Any) -> None:
        pieces = value if isinstance(value, (list, tuple)) else [value]
        checksum = size = 0
        for piece in pieces:
            checksum = crc32(piece, checksum)
            size += memoryview(piece).nbytes
        self.checksums[key] = checksum
        try:
            super().__setitem__(key, value)
        except OSError as error:
            said = error.strerror or error
            reported = f"[dask] cannot spill {key!r} ({size / 1e6:.1f} MB) to {self.directory}: {said}"
            raise type(error)(error.errno, reported, self.directory) from error

    def __getitem__(self, key: Any) -> Any:
        path = os.path.join(self.directory, self.filenames[key])
        try:
            found = super().__getitem__(key)
        except OSError as error:
            reported = f"[dask] cannot read {key!r} back: {path}: {error.strerror or error}"
            raise type(error)(error.errno, reported, path) from error
        if crc32(found) != self.checksums.get(key):
            reported = (
                f"[dask] cannot read {key!r} back: {path} differs from the data written to it: a checksum differs"
            )
            raise OSError(errno.EIO, reported, path)
        return found

    def __delitem__(self, key: Any) -> None:
        try:
            super().__delitem__(key)
        except FileNotFoundError:  # nothing is left to delete
            pass
        self.checksums.pop(key, None)


class DeviceHostFile(MutableMapping):
    """The results of a worker: on the device up to a limit, then as bytes on the host, then on disk.

    A result that is read back from disk must be the one that was written: a damaged file raises `OSError`.

    Parameters
    ----------
    device_memory_limit : int or float or str
        Bytes of results on the device, or a fraction of the device's memory.
    memory_limit : int
        Limit of the worker's process; results on the host go to disk beyond Dask's ``distributed.worker.memory.target`` of it.
    worker_local_directory : str
        Directory of the folder ``storage`` with the files; errors of the disk name it.
    """

    def __init__(self, device_memory_limit: Any, memory_limit: int, worker_local_directory: str):
        from dask import config

        share = config.get("distributed.worker.memory.target") or config.get("distributed.worker.memory.spill") or 1.0
        target = int((memory_limit or MEMORY_LIMIT) * share)
        folder = os.path.join(worker_local_directory, "storage")
        self.host = SpillBuffer(folder, target)
        self.host._slow_uncached.d = CheckedFile(folder)  # for files without a stored checksum
        self.device: OrderedDict[Any, tuple[Any, int]] = OrderedDict()  # the most recently used one at the end
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
        """Move the least recently used result to the host; a single result may be larger than the limit."""
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

    # Hooks of the worker's memory monitor, which only knows the memory of the host.

    @property
    def fast(self) -> Any:
        """The results in the memory of the host."""
        return self.host.fast

    def evict(self) -> int:
        """Write one result of the host to disk; its bytes, or -1 where there is none."""
        return self.host.evict() if self.host.fast else -1


def bytes_of(limit: Any) -> int:
    """Bytes of a limit that may be a fraction of the memory of this process's device."""
    if isinstance(limit, float) and 0 < limit <= 1:
        return int((_memory_of_gpu() or MEMORY_LIMIT) * limit)
    n = int(parse_bytes(limit))
    if n <= 0:
        raise ValueError(f"[dask] device_memory_limit is a positive number of bytes or a share, not {limit!r}")
    return n


def _memory_of_gpu() -> int:
    """Memory of the first GPU in bytes, without creating a context there; 0 without a GPU."""
    if not _core.get_default_device().startswith("cuda"):
        return 0
    try:
        driver = ctypes.CDLL(device_libraries.driver())
        device, total = ctypes.c_int(), ctypes.c_size_t()
        if driver.cuInit(0) or driver.cuDeviceGet(ctypes.byref(device), 0):
            return 0
        return 0 if driver.cuDeviceTotalMem_v2(ctypes.byref(total), device) else total.value
    except (OSError, AttributeError):
        return 0
