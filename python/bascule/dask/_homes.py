"""Where chunks are made for which nobody has named a device: on the worker's, whose default wins over the client's."""

from __future__ import annotations

import sys

from .. import _core


class Home(str):
    """The CPU, the default that nobody chose; where a worker reads it, the default device of the worker."""

    def __reduce__(self) -> tuple:
        return arrived, (str(self),)


def home(device: str) -> str:
    """A device as it is written into a graph: by its name if somebody chose it."""
    return Home(device) if device == "cpu" else device


def arrived(device: str) -> str:
    """What was sent to this process; a scheduler only passes it on."""
    worker = sys.modules.get("distributed.worker")
    is_worker = worker is not None and len(worker.Worker._instances) > 0
    return Home(_core.get_default_device() if is_worker else device)
