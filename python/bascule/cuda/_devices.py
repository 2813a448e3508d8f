"""Devices by their numbers. They count the devices of the default device's kind: CUDA devices, or the one CPU."""

from __future__ import annotations

import os
from typing import Any

from .. import _core
from ..config import config
from ..config import device as on_device

# Numbers of CUDA's device attributes, by their names in the runtime.
_ATTRIBUTES = {
    "MaxThreadsPerBlock": 1, "MaxBlockDimX": 2, "MaxBlockDimY": 3, "MaxBlockDimZ": 4, "MaxGridDimX": 5, "MaxGridDimY": 6,
    "MaxGridDimZ": 7, "MaxSharedMemoryPerBlock": 8, "TotalConstantMemory": 9, "WarpSize": 10, "MaxPitch": 11,
    "MaxRegistersPerBlock": 12, "ClockRate": 13, "TextureAlignment": 14, "MultiProcessorCount": 16,
    "KernelExecTimeout": 17, "Integrated": 18, "CanMapHostMemory": 19, "ComputeMode": 20, "ConcurrentKernels": 31,
    "EccEnabled": 32, "PciBusId": 33, "PciDeviceId": 34, "MemoryClockRate": 36, "GlobalMemoryBusWidth": 37,
    "L2CacheSize": 38, "MaxThreadsPerMultiProcessor": 39, "AsyncEngineCount": 40, "UnifiedAddressing": 41,
    "ComputeCapabilityMajor": 75, "ComputeCapabilityMinor": 76, "MaxSharedMemoryPerMultiprocessor": 81,
    "MaxRegistersPerMultiprocessor": 82, "ManagedMemory": 83, "MaxSharedMemoryPerBlockOptin": 97,
}  # fmt: skip
# Properties that kernels see where the CPU runs them.
_OF_THE_EMULATION = {
    "MaxThreadsPerBlock": 1024, "MaxBlockDimX": 1024, "MaxBlockDimY": 1024, "MaxBlockDimZ": 64,
    "MaxGridDimX": 2**31 - 1, "MaxGridDimY": 65535, "MaxGridDimZ": 65535, "MaxSharedMemoryPerBlock": 49152,
    "WarpSize": 32, "MultiProcessorCount": 1, "MaxSharedMemoryPerBlockOptin": 232448,
}  # fmt: skip


def _kind() -> str:
    return config.device.partition(":")[0]


def name_of(number: int) -> str:
    """The name of the device with a number."""
    kind = _kind()
    count = device_count()
    if not 0 <= number < count:
        raise ValueError(f"[Device] expected a number below {count}, got {number}")
    return f"{kind}:{number}" if number else kind


def device_count() -> int:
    """Number of devices of the default device's kind."""
    return _core.device_count(_kind())


def memory_info(device: str) -> tuple[int, int]:
    """Free and total bytes of a device's memory."""
    if _core.has_streams(device):
        return _core.device_memory(device)
    page = os.sysconf("SC_PAGE_SIZE")
    return os.sysconf("SC_AVPHYS_PAGES") * page, os.sysconf("SC_PHYS_PAGES") * page


class Device:
    """A device by its number. As a context manager, it is the default device until the end of the block.

    Numbers count the devices of the default device's kind: with ``bc.config.device = "cuda"`` those of CUDA; with "cpu"
    device 0 is the CPU.

    Parameters
    ----------
    device : int or Device, optional
        By default the current one.

    Examples
    --------
    >>> import bascule as bc
    >>> with bc.cuda.Device(0) as device:
    ...     x = bc.ones(3) + 1
    >>> device.synchronize()
    >>> device.id, x.tolist()
    (0, [2.0, 2.0, 2.0])
    """

    def __init__(self, device: int | Device | None = None) -> None:
        if device is None:
            self.name = config.device
        else:
            self.name = device.name if isinstance(device, Device) else name_of(int(device))
        self._restore: list[Any] = []

    @property
    def id(self) -> int:
        """Number of the device."""
        return int(self.name.partition(":")[2] or 0)

    def __int__(self) -> int:
        return self.id

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Device) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"<bascule.cuda.Device {self.id}: {self.name}>"

    def __enter__(self) -> Device:
        change = on_device(self.name)
        change.__enter__()
        self._restore.append(change)
        return self

    def __exit__(self, *error: Any) -> None:
        self._restore.pop().__exit__(*error)

    def use(self) -> None:
        """Make it the default device."""
        config.device = self.name

    def synchronize(self) -> None:
        """Run the pending operations of this device and wait for it; errors that occurred are raised here."""
        _core.evaluate_waiting(self.name)
        _core.synchronize(self.name)

    @property
    def attributes(self) -> dict[str, int]:
        """The device's properties by their names in CUDA's runtime; for the CPU those that kernels see there."""
        if not _core.has_streams(self.name):
            return dict(_OF_THE_EMULATION)
        return {name: _core.device_attribute(self.name, number) for name, number in _ATTRIBUTES.items()}

    @property
    def compute_capability(self) -> str:
        """Major and minor number, as in "90"."""
        if not _core.has_streams(self.name):
            raise NotImplementedError(f"[Device] the device {self.name} has no compute capability")
        return f"{_core.device_attribute(self.name, 75)}{_core.device_attribute(self.name, 76)}"

    @property
    def mem_info(self) -> tuple[int, int]:
        """Free and total bytes of the device's memory."""
        return memory_info(self.name)


def get_device_id() -> int:
    """Number of the default device."""
    return Device().id


def is_available() -> bool:
    """Test whether there is a CUDA device, regardless of the default device.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.cuda.is_available() in (True, False)
    True
    """
    return _core.why_no_cuda() == ""
