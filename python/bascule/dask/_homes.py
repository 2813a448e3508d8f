"""The device of chunks without an explicit one: the worker's default device, which wins over the client's."""

from __future__ import annotations

import sys

from .. import _core


class Home(str):
    """The CPU as the default without any choice; a worker that reads it uses its own default device."""

    def __reduce__(self) -> tuple:
        return arrived, (str(self),)

    def __repr__(self) -> str:
        """Dask hashes it for names of collections: one on the default device is not one on a CPU that a user chose."""
        return f"Home({super().__repr__()})"


def home(device: str) -> str:
    """A device as it is written into a graph: by its name if a user chose it."""
    return Home(device) if device == "cpu" else device


def arrived(device: str) -> str:
    """The device that was sent to this process; a scheduler only passes it on."""
    worker = sys.modules.get("distributed.worker")
    is_worker = worker is not None and len(worker.Worker._instances) > 0
    return Home(_core.get_default_device() if is_worker else device)
