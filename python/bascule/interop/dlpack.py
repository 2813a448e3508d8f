"""Sharing memory with other libraries by DLPack and ``__cuda_array_interface__``; the protocols of JAX and Arrow."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from .. import _core
from .._array import conversion
from .._array.numpy_versions import since

ndarray = _core.ndarray

_VERSION = (1, 1)  # of DLPack
_CPU, _CUDA, _CUDA_HOST, _CUDA_MANAGED = 1, 2, 3, 13
_LEGACY_STREAM = 1  # CUDA's default stream, which other streams wait for
_WITHOUT_TIMING = 2  # a flag of events


# ---- DLPack


def _dlpack_device(self: Any) -> tuple[int, int]:
    return _core.dlpack_device(self)


def _dlpack(
    self: Any,
    *,
    stream: Any = None,
    max_version: tuple[int, int] | None = None,
    dl_device: tuple[int, int] | None = None,
    copy: bool | None = None,
) -> Any:
    if max_version is not None and not (isinstance(max_version, tuple) and len(max_version) == 2):
        raise TypeError("max_version must be None or a tuple with two elements.")
    on_cpu = _core.dlpack_device(self)[0] == _CPU
    if on_cpu and stream is not None:
        refused = ValueError if since("streams of dlpack are refused by value") else RuntimeError
        raise refused("bascule on the CPU only supports stream=None.")
    a = self
    if dl_device is not None and tuple(map(operator.index, dl_device)) != _core.dlpack_device(self):
        if tuple(dl_device) != (_CPU, 0) or copy is False:
            raise BufferError("unsupported device requested")
        a = _core.to_device(self, "cpu")
    elif copy:
        a = _core.astype(self, self.dtype, True, "K")
    consumer = 0 if on_cpu or stream in (None, -1) else stream
    capsule = _core.to_dlpack(a, max_version is not None and max_version[0] >= 1, a is not self, consumer)
    if not on_cpu and stream != -1:
        _let_wait(_LEGACY_STREAM if stream is None else stream, self.device)
    return capsule


def _let_wait(stream: int, device: str) -> None:
    """Make a consumer's stream wait for the work that the device has been given; the host does not wait."""
    if stream == 0:
        raise BufferError("stream 0 is not allowed in DLPack for CUDA: 1 is the default stream, 2 the thread's")
    own = _core.own_stream(device)
    if stream == own:
        return
    event = _core.make_event(device, _WITHOUT_TIMING)
    try:
        _core.record_event(device, event, own)
        _core.stream_waits_for(device, stream, event)
    finally:
        _core.drop_event(device, event)


def _take(x: Any, source: tuple[int, int], target: tuple[int, int] | None, copy: bool | None) -> tuple[Any, bool]:
    """The producer's array over its own memory or, if it can, over a copy; and whether it has handled `copy`."""
    stream = {}
    if source[0] not in (_CPU, _CUDA_HOST):  # the producer makes our stream wait for its pending work
        stream = {"stream": _core.own_stream(f"cuda:{source[1]}")}
    wishes: dict[str, Any] = {"max_version": _VERSION}
    if copy is not None:
        wishes["copy"] = copy
    if target is not None and target != source:
        wishes["dl_device"] = target
    try:
        capsule, understood = x.__dlpack__(**stream, **wishes), True
    except TypeError:  # an older protocol, without these arguments
        capsule, understood = x.__dlpack__(**stream), False
    except BufferError:  # the producer does not copy between devices: then we do
        if "dl_device" not in wishes or copy is False:
            raise
        capsule, understood = x.__dlpack__(**stream, max_version=_VERSION), False
    return _core.from_dlpack(capsule), understood


def from_dlpack(x: Any, /, *, device: str | None = None, copy: bool | None = None) -> ndarray:
    """Create an array from another library's array with DLPack.

    Parameters
    ----------
    x : object
        An object with ``__dlpack__`` and ``__dlpack_device__``.
    device : str, optional
        Device of the result; by default that of x.
    copy : bool, optional
        True copies. By default the memory is shared if it is on that device, and operations on it are then never
        deferred. False raises if it cannot be shared.

    Returns
    -------
    ndarray
        Read-only if x is, or if x cannot say so: the protocol before version 1 has no flag for it.

    Raises
    ------
    BufferError
        The memory is neither on a CPU nor on a CUDA device, or cannot be shared although `copy` is False.

    Examples
    --------
    >>> import numpy as np
    >>> import bascule as bc
    >>> there = np.zeros(2)
    >>> bc.from_dlpack(there)[0] = 5.0
    >>> there.tolist()
    [5.0, 0.0]
    """
    if device is not None:
        device = _core.check_device(device)
    kind, index = map(operator.index, x.__dlpack_device__())
    if kind not in (_CPU, _CUDA, _CUDA_HOST, _CUDA_MANAGED):
        raise BufferError(f"[from_dlpack] expected memory of a CPU or of CUDA, got DLPack's device {kind}")
    target = None
    if device is not None:
        target = (_CUDA, int(device.partition(":")[2] or 0)) if device.startswith("cuda") else (_CPU, 0)
    a, understood = _take(x, (kind, index), target, copy)
    if device is not None and a.device != device:
        if copy is False:
            raise ValueError(f"[from_dlpack] an array on {a.device} cannot be shared with {device}")
        return _core.to_device(a, device)
    return _core.astype(a, a.dtype, True, "K") if copy and not understood else a


# ---- CUDA array interface


def _cuda_array_interface(self: Any) -> dict[str, Any]:
    if _core.dlpack_device(self)[0] != _CUDA:
        raise AttributeError(
            f"the array is on {self.device} and has no __cuda_array_interface__: move it by .to_device('cuda')"
        )
    # The dictionary has no destructor, so the memory stays shared as long as the array lives. Not every consumer looks
    # at the stream; those that do not work on the legacy one.
    address = _core.begin_export(self)
    _let_wait(_LEGACY_STREAM, self.device)
    dense = self.flags.c_contiguous
    return {
        "shape": self.shape, "typestr": self.dtype.str, "descr": [("", self.dtype.str)], "version": 3,
        "stream": _core.own_stream(self.device), "strides": None if dense else self.strides, "data": (address if self.size else 0, not _core.is_writeable(self)),
    }  # fmt: skip


def has_cuda_memory(x: Any) -> bool:
    """Whether x is another library's array in the memory of a GPU."""
    return not isinstance(x, (np.ndarray, ndarray)) and hasattr(x, "__cuda_array_interface__")


def from_cuda_array_interface(x: Any, device: str = "cuda") -> ndarray:
    """An array over the memory of x by ``__cuda_array_interface__``; x is kept alive and its stream synchronized."""
    shown = x.__cuda_array_interface__
    if shown.get("mask") is not None:
        raise NotImplementedError(f"[asarray] the mask of {type(x).__name__} is not supported")
    device = _core.check_device(device)
    stream = shown.get("stream")
    if stream == 0:
        raise ValueError(
            "[asarray] stream 0 is not allowed in __cuda_array_interface__: 1 is the default stream, 2 the thread's"
        )
    address, read_only = shown["data"]
    return _core.from_address(
        x,
        address or 0,
        tuple(shown["shape"]),
        shown.get("strides"),
        np.dtype(shown["typestr"]),
        not read_only,
        device,
        stream or 0,
    )


# ---- the protocols of JAX and Arrow


def _arrow_array(self: Any, type: Any = None) -> Any:
    import pyarrow

    return pyarrow.array(conversion.host_view(self), type=type)


def _arrow_c_array(self: Any, requested_schema: Any = None) -> tuple[Any, Any]:
    """The elements of one axis by Arrow's PyCapsule interface, which all dataframe libraries read."""
    import pyarrow

    wanted = None if requested_schema is None else pyarrow.DataType._import_from_c_capsule(requested_schema)
    return _arrow_array(self, wanted).__arrow_c_array__()


def arrow_c_stream(self: Any, requested_schema: Any = None) -> Any:
    """The values of one axis as a stream of Arrow arrays (the PyCapsule interface), of the requested type."""
    import pyarrow

    wanted = None if requested_schema is None else pyarrow.DataType._import_from_c_capsule(requested_schema)
    made = self.__arrow_array__(wanted)
    return (made if isinstance(made, pyarrow.ChunkedArray) else pyarrow.chunked_array([made])).__arrow_c_stream__()


def _jax_array(self: Any) -> Any:
    from jax import numpy as jnp

    if _core.dlpack_device(self)[0] != _CPU:
        return jnp.from_dlpack(self)
    return jnp.asarray(conversion.host_view(self))


def install() -> None:
    """Put the protocols on the type."""
    ndarray.__dlpack__ = _dlpack
    ndarray.__dlpack_device__ = _dlpack_device
    ndarray.__arrow_array__ = _arrow_array
    ndarray.__arrow_c_array__ = _arrow_c_array
    ndarray.__arrow_c_stream__ = arrow_c_stream
    ndarray.__jax_array__ = _jax_array
    ndarray.__cuda_array_interface__ = property(_cuda_array_interface)
