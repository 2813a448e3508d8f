"""The array backend: how Dask makes collections of bascule chunks."""

from __future__ import annotations

from functools import partial
from typing import Any

import dask.array as da
import numpy as np
from dask import config
from dask._task_spec import Task
from dask.array import chunk
from dask.array.backends import ArrayBackendEntrypoint
from dask.base import tokenize
from dask.utils import Dispatch, key_split

from .. import _core
from ..lib import creation
from . import _random
from ._homes import home

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
        # Of no axes, as the shape is the collection's; of known contents, as the name of the collection hashes them.
        meta = creation.zeros(()) if meta is None else meta
        kwargs.setdefault("device", home(meta.device))  # in the graph, since a scheduler may lack the device
        with config.set({"array.backend": "numpy"}):
            return getattr(da, name)(*args, meta=meta, **kwargs)

    create.__name__ = create.__qualname__ = name
    create.__doc__ = f"``da.{name}`` with chunks on the device that is the default now, or is that of the worker."
    return staticmethod(create)


def range_of(start: Any, stop: Any, step: Any, length: int, dtype: Any, device: str) -> ndarray:
    """A chunk of ``da.arange``."""
    made = creation.arange(start, stop, step, dtype, device=device)
    return made[:-1] if len(made) > length else made


def _on(task: Any, device: str) -> Any:
    """A task of a range on a device, which Dask creates like its meta."""
    if not (isinstance(task, Task) and isinstance(task.func, partial) and task.func.func is chunk.arange):
        return task
    return Task(task.key, partial(range_of, device=device), *task.args, **task.kwargs)


def _apart(made: da.Array, device: str | None) -> da.Array:
    """The collection with task names of its own.

    Dask names a range alike for all kinds of chunks; in one graph, or on one cluster, one kind would replace the other.
    """
    graph = dict(made.__dask_graph__())
    old = {key[0] for key in graph}
    apart = made._meta.device if device is None else device
    new = {name: f"{key_split(name)}-{tokenize(name, apart)}" for name in old}
    keys = {key: (new[key[0]], *key[1:]) for key in graph}
    tasks = {keys[key]: task.substitute(keys, key=keys[key]) for key, task in graph.items()}
    if device is not None:
        tasks = {key: _on(task, device) for key, task in tasks.items()}
    return da.Array(tasks, new[made.name], made.chunks, meta=made._meta)


class ArrayEntry(ArrayBackendEntrypoint):
    """Entry point ``dask.array.backends``: what ``dask.config.set({"array.backend": "bascule"})`` chooses."""

    ones = _creation("ones")
    zeros = _creation("zeros")
    empty = _creation("empty")
    full = _creation("full")

    @staticmethod
    def arange(*args: Any, like: Any = None, **kwargs: Any) -> Any:
        """``da.arange`` with chunks on the device that is the default now, or is that of the worker."""
        meta = creation.empty(0) if like is None else like
        with config.set({"array.backend": "numpy"}):
            return _apart(da.arange(*args, like=meta, **kwargs), home(meta.device) if like is None else None)

    @property
    def RandomState(self) -> _random.LegacyStreams:
        """Makes the legacy generator of a chunk."""
        return _random.LegacyStreams(home(_core.get_default_device()))

    @property
    def default_bit_generator(self) -> Any:
        """Makes the bit generator of ``da.random.default_rng``."""
        return _random.bit_generator

    @classmethod
    def to_backend_dispatch(cls) -> Dispatch:
        """The function by which ``to_backend("bascule")`` converts a chunk."""
        return _dispatch

    @classmethod
    def to_backend(cls, data: Any, **kwargs: Any) -> Any:
        """A collection whose chunks are bascule arrays, on the device that is the default now, or is that of the worker."""
        if type(data._meta) is ndarray and "device" not in kwargs:
            return data
        kwargs.setdefault("device", home(_core.get_default_device()))
        return data.map_blocks(to_bascule, **kwargs)
