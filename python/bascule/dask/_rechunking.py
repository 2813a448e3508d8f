"""Chunks of devices in Dask's rechunking from worker to worker, which keeps the pieces of chunks in files on the host."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from .. import _core
from ..lib import creation
from ._patches import replace


class PieceOfDevice(np.ndarray):
    """A piece of a chunk, on the host: what is put together of such pieces goes to the device of the worker."""


def _host_pieces(old: Any) -> Any:
    @functools.wraps(old)
    def _shard_partition(self: Any, data: Any, partition_id: Any) -> Any:
        if type(data) is _core.ndarray and data.device != "cpu":
            data = data.get().view(PieceOfDevice)
        return old(self, data, partition_id)

    return _shard_partition


def _on_device(old: Any) -> Any:
    @functools.wraps(old)
    def convert_chunk(shards: list[list[tuple[Any, Any]]]) -> Any:
        made = old(shards)
        of_device = any(isinstance(piece, PieceOfDevice) for some in shards for _, piece in some)
        return creation.asarray(made.view(np.ndarray)) if of_device else made

    return convert_chunk


def pieces(module: Any) -> None:
    """Patch ``distributed.shuffle._rechunk``."""
    run = module.ArrayRechunkRun
    replace(run, "_shard_partition", _host_pieces(run._shard_partition))
    replace(module, "convert_chunk", _on_device(module.convert_chunk))
