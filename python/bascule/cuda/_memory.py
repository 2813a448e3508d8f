"""Memory pools and addresses."""

from __future__ import annotations

import ctypes
import importlib
import os
from typing import Any

import numpy as np

from .. import _core
from ..config import config


class MemoryPointer:
    """An address on a device: `ptr`, and the number of bytes there."""

    def __init__(self, ptr: int, size: int, device: str, owner: Any) -> None:
        self.ptr, self.size, self.device, self._owner = ptr, size, device, owner

    def __reduce__(self) -> Any:
        raise TypeError("[MemoryPointer] an address is its process's own")

    def __int__(self) -> int:
        return self.ptr

    def __bascule_array__(self, shape: Any, dtype: Any, strides: Any = None) -> Any:
        """An array over this memory."""
        if strides is not None and any(s < 0 for s in strides):
            raise ValueError("[MemoryPointer] strides are not negative")
        dtype = np.dtype(dtype)
        extents = tuple(shape) if isinstance(shape, (tuple, list)) else (int(shape),)
        last = sum((n - 1) * abs(s) for n, s in zip(extents, strides, strict=True)) if strides else 0
        reach = (last if strides else (int(np.prod(extents, dtype=np.int64)) - 1) * dtype.itemsize) + dtype.itemsize
        if reach > self.size:
            raise ValueError(f"[ndarray] {reach} bytes are asked for, and the variable has {self.size}")
        return _core.from_address(self, self.ptr, extents, strides, dtype, True, self.device)


class MemoryPool:
    """The memory that a device keeps for new arrays; there is one pool per device."""

    def used_bytes(self) -> int:
        """Bytes in arrays."""
        return _core.memory(config.device)["in_use"]

    def total_bytes(self) -> int:
        """Bytes allocated from the device: those in arrays, and those kept for new ones."""
        return _core.memory(config.device)["held"]

    def free_bytes(self) -> int:
        """Bytes that are kept for new arrays."""
        return self.total_bytes() - self.used_bytes()

    def n_free_blocks(self) -> int:
        """Number of blocks of memory that are kept for new arrays."""
        return _core.memory(config.device)["free_blocks"]

    def malloc(self, size: int) -> MemoryPointer:
        """Allocate so many bytes of uninitialized memory."""
        return alloc(size)

    def free_all_blocks(self, stream: Any = None) -> None:
        """Free the memory that is kept for new arrays, except blocks that arrays still use in part."""
        _core.trim(config.device)

    def free_all_free(self) -> None:
        """The same as `free_all_blocks`."""
        self.free_all_blocks()

    def spilled(self) -> dict[str, int]:
        """Data moved by `config.spill`: bytes in the host's memory and on disk now, and the number of moves so far."""
        return _core.spilling()

    def set_limit(self, size: int | None = None, fraction: float | None = None) -> None:
        """Limit the pool to so many bytes, or to such a fraction of the device's memory; 0 is no limit."""
        if (size is None) == (fraction is None):
            raise ValueError("[set_limit] expected exactly one of size and fraction")
        if fraction is not None:
            if not 0 <= fraction <= 1:
                raise ValueError(f"[set_limit] the fraction must be between 0 and 1, not {fraction}")
            from ._devices import memory_info

            size = int(memory_info(config.device)[1] * fraction)
        if size is None or size < 0:
            raise ValueError(f"[set_limit] a size is not negative, not {size}")
        _core.set_memory_limit(config.device, int(size))

    def get_limit(self) -> int:
        """The limit in bytes; 0 if there is none."""
        return _core.memory(config.device)["limit"]


class PinnedMemoryPool:
    """The pinned memory of the host that a device keeps for copies."""

    def n_free_blocks(self) -> int:
        """Number of unused blocks."""
        return _core.host_memory(config.device)["free_blocks"]

    def malloc(self, size: int) -> Any:
        """Allocate so many bytes of pinned memory."""
        return alloc_pinned_memory(size)

    def free_all_blocks(self) -> None:
        """Free the unused blocks."""
        _core.trim_host(config.device)


def alloc(size: int) -> MemoryPointer:
    """Allocate memory of the default device.

    Parameters
    ----------
    size : int
        Number of bytes, which are not initialized.

    Returns
    -------
    MemoryPointer
        The memory is freed with this object.

    Raises
    ------
    ValueError
        `size` is negative.
    MemoryError
        The device has not enough memory.

    Examples
    --------
    >>> import bascule as bc
    >>> memory = bc.cuda.alloc(64)
    >>> x = bc.ndarray((8,), "f8", memory)
    >>> x[:] = 1
    >>> x.sum()
    np.float64(8.0)
    """
    from .. import empty

    if size < 0:
        raise ValueError(f"[alloc] a size is not negative, not {size}")
    memory = empty(int(size), np.uint8)
    return MemoryPointer(_core.begin_export(memory), int(size), config.device, _Exported(memory))


class _Exported:
    """An array whose address is known to other libraries as long as this object lives."""

    def __init__(self, memory: Any) -> None:
        self._memory = memory

    def __del__(self) -> None:
        _core.end_export(self._memory)


def alloc_pinned_memory(size: int) -> Any:
    """Allocate pinned memory of the host, from and to which copies are fastest and can run asynchronously.

    Parameters
    ----------
    size : int
        Number of bytes, which are not initialized.

    Returns
    -------
    buffer
        `numpy.frombuffer` makes an array of it; `ptr` and `size` are its address and its number of bytes. It is freed
        with the last array over it. On the CPU device it is ordinary memory.

    Raises
    ------
    ValueError
        `size` is negative.

    Examples
    --------
    >>> import bascule as bc
    >>> import numpy as np
    >>> memory = bc.cuda.alloc_pinned_memory(32)
    >>> host = np.frombuffer(memory, np.float64, 4)
    >>> bc.arange(4.0).get(out=host)
    array([0., 1., 2., 3.])
    """
    return _core.HostMemory(config.device, int(size))


_Allocator = str | tuple[str, str, str] | None
_allocator: _Allocator = None
_libraries: list[ctypes.CDLL] = []  # of the functions that were set: what they allocated is released by them


def set_allocator(allocator: _Allocator = None) -> None:
    """Choose where the memory of CUDA devices comes from, for everything that is allocated from now on.

    Parameters
    ----------
    allocator : None, "driver", "rmm" or (str, str, str)
        None is bascule's own pool, which calls the driver only when it grows. "driver": the driver's pool, in the order of
        streams (``cuMemAllocFromPoolAsync``), which other libraries of the process share. "rmm": RMM's current device
        resource. Otherwise the path of a library and the names of two functions of it, with the signatures of PyTorch's
        ``CUDAPluggableAllocator``: ``void* allocate(size_t bytes, int device, void* stream)`` and
        ``void release(void* p, size_t bytes, int device, void* stream)``.

    Raises
    ------
    ValueError
        The allocator is none of these.
    OSError
        The library cannot be opened.
    AttributeError
        The library lacks a function.
    NotImplementedError
        The default device has no other memory than its own.

    Examples
    --------
    >>> import bascule as bc
    >>> with bc.device("cuda"):  # doctest: +SKIP
    ...     bc.cuda.set_allocator("rmm")
    """
    global _allocator
    functions, origin = (0, 0), "pool" if allocator is None else allocator
    if allocator == "rmm":
        folder = os.path.dirname(importlib.import_module("rmm.librmm").__file__ or "")
        allocator = os.path.join(folder, "_torch_allocator.so"), "allocate", "deallocate"
    if isinstance(allocator, tuple) and len(allocator) == 3:
        library = ctypes.CDLL(allocator[0])
        functions = tuple(ctypes.cast(getattr(library, name), ctypes.c_void_p).value or 0 for name in allocator[1:])
        _libraries.append(library)
        origin = "functions"
    elif origin not in ("pool", "driver"):
        raise ValueError(
            f"[set_allocator] expected None, 'driver', 'rmm' or (library, allocate, release), not {allocator!r}"
        )
    if not _core.set_memory_origin(config.device, origin, *functions):
        raise NotImplementedError(f"[set_allocator] memory of the device {config.device} comes from its own pool alone")
    _allocator = allocator


def get_allocator() -> _Allocator:
    """Where the memory of CUDA devices comes from, as `set_allocator` takes it.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.cuda.get_allocator() is None
    True
    """
    return _allocator


_pool, _pinned = MemoryPool(), PinnedMemoryPool()


def get_default_memory_pool() -> MemoryPool:
    """Return the memory pool of the default device.

    Examples
    --------
    >>> import bascule as bc
    >>> pool = bc.get_default_memory_pool()
    >>> x = bc.evaluate(bc.ones(100_000) + 1)
    >>> pool.used_bytes() >= 800_000 and pool.total_bytes() >= pool.used_bytes()
    True
    >>> del x
    >>> pool.free_all_blocks()
    """
    return _pool


def get_default_pinned_memory_pool() -> PinnedMemoryPool:
    """Return the pool of pinned host memory.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.get_default_pinned_memory_pool().free_all_blocks()
    >>> bc.get_default_pinned_memory_pool().n_free_blocks()
    0
    """
    return _pinned
