"""The array backend: how Dask makes collections of bascule chunks."""

from __future__ import annotations

from typing import Any

import dask.array as da
import numpy as np
from dask import config
from dask.array.backends import ArrayBackendEntrypoint
from dask.base import tokenize
from dask.utils import Dispatch, key_split

from .. import _core
from ..lib import creation
from . import _random

ndarray = _core.ndarray


def to_bascule(data: Any, *, device: str | None = None, **kwargs: Any) -> ndarray:
    """A chunk of NumPy, or of bascule, as a chunk of bascule on a device."""
    if type(data) is ndarray:
        return data if device is None else _core.to_device(data, device)
    return _core.from_numpy(data, device)


_dispatch = Dispatch("to_bascule")
_dispatch.register((np.ndarray, ndarray), to_bascule)


def _creation(name: str) -> Any:
    def create(*args: Any, meta: Any = None, **kwargs: Any) -> Any:
        meta = creation.empty(()) if meta is None else meta  # of no rank, that of the collection being its shape's
        kwargs.setdefault(
            "device", meta.device
        )  # said in the graph, as a scheduler without that device could not say it
        with config.set({"array.backend": "numpy"}):
            return getattr(da, name)(*args, meta=meta, **kwargs)

    create.__name__ = create.__qualname__ = name
    create.__doc__ = f"``da.{name}`` with chunks on the device that is the default now."
    return staticmethod(create)


def _apart(made: da.Array) -> da.Array:
    """The collection under names of its own.

    Dask names a range the same whatever its chunks are; in one graph, or on one cluster, one kind would stand for the other.
    """
    graph = dict(made.__dask_graph__())
    old = {key[0] for key in graph}
    new = {name: f"{key_split(name)}-{tokenize(name, made._meta.device)}" for name in old}
    keys = {key: (new[key[0]], *key[1:]) for key in graph}
    tasks = {keys[key]: task.substitute(keys, key=keys[key]) for key, task in graph.items()}
    return da.Array(tasks, new[made.name], made.chunks, meta=made._meta)


class ArrayEntry(ArrayBackendEntrypoint):
    """Entry point ``dask.array.backends``: what ``dask.config.set({"array.backend": "bascule"})`` chooses."""

    ones = _creation("ones")
    zeros = _creation("zeros")
    empty = _creation("empty")
    full = _creation("full")

    @staticmethod
    def arange(*args: Any, like: Any = None, **kwargs: Any) -> Any:
        """``da.arange`` with chunks on the device that is the default now."""
        with config.set({"array.backend": "numpy"}):
            return _apart(da.arange(*args, like=creation.empty(0) if like is None else like, **kwargs))

    @property
    def RandomState(self) -> _random.LegacyStreams:
        """Makes the legacy generator of a chunk."""
        return _random.LegacyStreams(_core.get_default_device())

    @property
    def default_bit_generator(self) -> Any:
        """Makes the bit generator of ``da.random.default_rng``."""
        return _random.bit_generator

    @classmethod
    def to_backend_dispatch(cls) -> Dispatch:
        """What ``to_backend("bascule")`` does to a chunk."""
        return _dispatch

    @classmethod
    def to_backend(cls, data: Any, **kwargs: Any) -> Any:
        """A collection whose chunks are bascule arrays, on the device that is the default now."""
        if type(data._meta) is ndarray and "device" not in kwargs:
            return data
        kwargs.setdefault("device", _core.get_default_device())
        return data.map_blocks(to_bascule, **kwargs)
