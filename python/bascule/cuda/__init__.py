"""CuPy's names for devices, streams, memory and user-defined kernels, so that programs for CuPy run with bascule.

>>> import bascule as bc
>>> square = bc.cuda.ElementwiseKernel("T x", "T y", "y = x * x", "square")
>>> square(bc.arange(4)).tolist()
[0, 1, 4, 9]
"""

from __future__ import annotations

from . import compiler, nvtx, profiler, runtime
from ._devices import Device, get_device_id, is_available
from ._elementwise import ElementwiseKernel
from ._interop import Fusion, asnumpy, fuse, get_array_module
from ._memory import (
    MemoryPointer,
    MemoryPool,
    PinnedMemoryPool,
    alloc,
    alloc_pinned_memory,
    get_allocator,
    get_default_memory_pool,
    get_default_pinned_memory_pool,
    set_allocator,
)
from ._programs import RawKernel, RawModule
from ._reduction import ReductionKernel
from ._streams import Event, ExternalStream, Graph, Stream, get_current_stream, get_elapsed_time
from .compiler import CompileException

__all__ = [
    "CompileException", "Device", "ElementwiseKernel", "Event", "ExternalStream", "Fusion", "Graph", "MemoryPointer", "MemoryPool",
    "PinnedMemoryPool", "RawKernel", "RawModule", "ReductionKernel", "Stream", "alloc", "alloc_pinned_memory", "asnumpy", "compiler", "fuse",
    "get_allocator", "get_array_module", "get_current_stream", "get_default_memory_pool", "get_default_pinned_memory_pool", "get_device_id",
    "get_elapsed_time", "is_available", "nvtx", "profiler", "runtime", "set_allocator",
]  # fmt: skip
