"""Functions of CUDA's runtime that programs call by their names."""

from __future__ import annotations

import ctypes
import re
from typing import Any

from .. import _core, device_libraries
from ..config import config
from ._devices import Device, device_count, memory_info

is_hip = False
CUDARuntimeError = RuntimeError


def getDeviceCount() -> int:
    """Number of devices of the default device's kind."""
    return device_count()


def getDevice() -> int:
    """Number of the default device."""
    return Device().id


def setDevice(device: int) -> None:
    """Set the default device."""
    Device(device).use()


def deviceSynchronize() -> None:
    """Run all pending operations and wait for the device."""
    Device().synchronize()


def streamSynchronize(stream: int) -> None:
    """Run all pending operations and wait for a stream, given by its handle; 0 is the device's own."""
    device = config.device
    _core.evaluate_waiting(device)
    if stream and _core.has_streams(device):
        _core.synchronize_stream(device, stream)
    _core.synchronize(device)


def memGetInfo() -> tuple[int, int]:
    """Free and total bytes of the device's memory."""
    return memory_info(config.device)


def driverGetVersion() -> int:
    """The newest version of CUDA that the driver supports, 1000 * major + 10 * minor."""
    found = re.search(r"driver for CUDA (\d+)\.(\d+)", _core.describe_card(config.device))
    if found is None:
        raise NotImplementedError(f"[runtime] the device {config.device} has no driver of CUDA")
    return 1000 * int(found[1]) + 10 * int(found[2])


def runtimeGetVersion() -> int:
    """The version of CUDA that kernels are compiled for: the driver's."""
    return driverGetVersion()


def _profiler(name: str) -> None:
    driver = ctypes.CDLL(device_libraries.driver())
    _core.synchronize(config.device)  # the driver's context is that of the device
    if code := getattr(driver, name)():
        raise CUDARuntimeError(f"[runtime] {name}: CUDA error {code}")


def profilerStart() -> None:
    """Begin what a profiler records, if it was started with ``--capture-range=cudaProfilerApi``."""
    if _core.has_streams(config.device):
        _profiler("cuProfilerStart")


def profilerStop() -> None:
    """End what a profiler records."""
    if _core.has_streams(config.device):
        _profiler("cuProfilerStop")


def getDeviceProperties(device: int) -> dict[str, Any]:
    """Properties of a device by the names of ``cudaDeviceProp``."""
    d = Device(device)
    attributes = d.attributes
    text = _core.describe_card(d.name)
    name = text.removeprefix("cuda: ").partition(",")[0] if _core.has_streams(d.name) else text
    return {
        "name": name.encode(), "totalGlobalMem": d.mem_info[1], "warpSize": attributes["WarpSize"],
        "sharedMemPerBlock": attributes["MaxSharedMemoryPerBlock"], "maxThreadsPerBlock": attributes["MaxThreadsPerBlock"],
        "multiProcessorCount": attributes["MultiProcessorCount"],
        "maxThreadsDim": tuple(attributes[f"MaxBlockDim{a}"] for a in "XYZ"),
        "maxGridSize": tuple(attributes[f"MaxGridDim{a}"] for a in "XYZ"),
        **({"major": attributes["ComputeCapabilityMajor"], "minor": attributes["ComputeCapabilityMinor"]}
           if _core.has_streams(d.name) else {}),
    }  # fmt: skip
