"""Streams and events. On the CPU device all work is done when a call returns, so they have nothing to wait for."""

from __future__ import annotations

import threading
import time
from typing import Any

from .. import _core
from ..config import config

_BLOCKING, _WITHOUT_TIMING = 1, 2  # flags of CUDA's events


def _here() -> str:
    return config.device


class _Current(threading.local):
    """The stream that a thread has selected, by device."""

    def __init__(self) -> None:
        self.streams: dict[str, BaseStream] = {}


_current = _Current()


class BaseStream:
    """The base class of streams. `ptr` is the handle for other libraries."""

    device: str
    ptr: int

    @property
    def device_id(self) -> int:
        """Number of the stream's device."""
        return int(self.device.partition(":")[2] or 0)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, BaseStream) and (self.ptr, self.device) == (other.ptr, other.device)

    def __hash__(self) -> int:
        return hash((self.ptr, self.device))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.ptr:#x} (device {self.device})>"

    def __reduce__(self) -> Any:
        raise TypeError(f"[{type(self).__name__}] a stream is its process's own, and has one owner")

    def _choose(self) -> BaseStream:
        """Make this stream the thread's current one, and return the previous one."""
        before = get_current_stream(self.device)
        _set_current(self)
        return before

    def __enter__(self) -> BaseStream:
        self._before.append(self._choose())
        return self

    def __exit__(self, *error: object) -> None:
        _set_current(self._before.pop())

    @property
    def _before(self) -> list[BaseStream]:
        stacks = _current.__dict__.setdefault("stacks", {})
        return stacks.setdefault(id(self), [])

    def use(self) -> BaseStream:
        """Make this stream the thread's current one."""
        self._choose()
        return self

    @property
    def done(self) -> bool:
        """Whether all submitted work is done. Pending arrays are not submitted yet."""
        return not _core.has_streams(self.device) or _core.stream_is_done(self.device, self.ptr)

    def synchronize(self) -> None:
        """Run the device's pending operations and wait for the stream; errors that occurred are raised here."""
        _core.evaluate_waiting(self.device)
        if _core.has_streams(self.device):
            _core.synchronize_stream(self.device, self.ptr)
        _core.synchronize(self.device)

    def record(self, event: Event | None = None) -> Event:
        """Record an event, or a new one, after the work that has been submitted to the stream."""
        event = Event() if event is None else event
        event.record(self)
        return event

    def wait_event(self, event: Event) -> None:
        """Make later work of the stream wait for the event."""
        if event._handle is not None:
            _core.stream_waits_for(self.device, self.ptr, event._handle)

    def is_capturing(self) -> bool:
        """Whether the stream's work is recorded instead of run."""
        return self in _captures

    def begin_capture(self, mode: int | None = None) -> None:
        """Record the work that this thread submits to the stream until `end_capture`, instead of running it.

        ``with stream:`` submits operations of arrays to the stream. During the capture each operation is a separate
        kernel, assignments write to the existing memory, and floating-point warnings are off. Reading a value is an
        error.

        Parameters
        ----------
        mode : int, optional
            CUDA's capture mode. Other threads may work in any mode.

        Raises
        ------
        NotImplementedError
            The device has no streams that can record; on the CPU all work is done when a call returns.
        ValueError
            The stream is the device's own, or is recording already.
        """
        _core.evaluate_waiting(self.device)
        _core.begin_capture(self.device, self.ptr)
        from .. import errstate

        quiet, fusion = errstate(all="ignore"), config.set(fusion="off")
        quiet.__enter__()
        _core.set_writes_in_place(True)
        _captures[self] = (quiet, fusion)

    def end_capture(self) -> Graph:
        """End the recording.

        Returns
        -------
        Graph
            The recorded work.

        Raises
        ------
        ValueError
            The stream is not being recorded.
        DeviceError
            An operation could not be recorded.
        """
        if self not in _captures:
            raise ValueError("[end_capture] this stream is not being recorded")
        quiet, fusion = _captures.pop(self)
        try:
            with self:
                _core.evaluate_waiting(self.device)
        finally:
            _core.set_writes_in_place(False)
            fusion.__exit__()
            quiet.__exit__(None, None, None)
            handle = _core.end_capture(self.device, self.ptr)
        return Graph(self.device, handle)

    def launch_host_func(self, callback: Any, arg: Any) -> None:
        """Wait until the submitted work is done, then call ``callback(arg)``."""
        self.synchronize()
        callback(arg)

    def add_callback(self, callback: Any, arg: Any) -> None:
        """Wait until the submitted work is done, then call ``callback(stream, 0, arg)``."""
        self.synchronize()
        callback(self, 0, arg)


class Graph:
    """The work of a stream that `Stream.end_capture` returns, to be launched any number of times.

    It uses the addresses at the time of the capture: arrays that existed before are read and written in place, and have
    to live as long as the graph is launched. Arrays made during the capture have no values before the first launch.

    Examples
    --------
    >>> import bascule as bc
    >>> stream = bc.cuda.Stream(non_blocking=True)
    >>> x, y = bc.ones(4), bc.zeros(4)
    >>> if bc.config.device != "cpu":
    ...     with stream:
    ...         stream.begin_capture()
    ...         y += x * 2
    ...         graph = stream.end_capture()
    ...     graph.launch()
    ...     graph.launch()
    ...     assert y.tolist() == [4.0] * 4
    """

    def __init__(self, device: str, handle: int) -> None:
        self.device, self._handle = device, handle

    def __del__(self) -> None:
        if handle := getattr(self, "_handle", 0):
            _core.drop_graph(self.device, handle)

    def __reduce__(self) -> Any:
        raise TypeError("[Graph] a graph is its process's own, and has one owner")

    def _stream(self, stream: BaseStream | None) -> int:
        stream = get_current_stream(self.device) if stream is None else stream
        if stream.device != self.device:
            raise ValueError(f"[Graph] expected a stream of {self.device}, got one of {stream.device}")
        return stream.ptr

    def launch(self, stream: BaseStream | None = None) -> None:
        """Run the graph on a stream, by default the current one, after the pending operations of arrays.

        Raises
        ------
        ValueError
            The stream is recording, so that CUDA allows no launch, or belongs to another device.
        """
        handle = self._stream(stream)
        _core.evaluate_waiting(self.device)
        _core.launch_graph(self.device, self._handle, handle)

    def upload(self, stream: BaseStream | None = None) -> None:
        """Copy the graph to the device, so that the first launch is as fast as later ones."""
        _core.upload_graph(self.device, self._handle, self._stream(stream))


_captures: dict[BaseStream, tuple[Any, Any]] = {}


class _OwnStream(BaseStream):
    """The device's own stream, on which all work runs that is not submitted to another one."""

    def __init__(self, device: str | None = None) -> None:
        self._device = device

    @property
    def device(self) -> str:
        return self._device or _here()

    @property
    def ptr(self) -> int:
        return _core.own_stream(self.device) if _core.has_streams(self.device) else 0


class Stream(BaseStream):
    """A stream of the default device.

    Arrays can be used on several streams without synchronization. Work on a stream starts after the work submitted to the
    device's own stream before, and the own stream continues after it. Element-wise operations and copies on two streams
    of this class overlap: work waits for that on the other stream only where one writes memory that the other uses.
    Other operations wait for all work that was submitted before.

    Parameters
    ----------
    null, ptds : bool, optional
        True returns the device's own stream.
    non_blocking : bool, optional
        Do not synchronize with CUDA's default stream.
    priority : int, optional
        Lower numbers have priority.

    Examples
    --------
    >>> import bascule as bc
    >>> with bc.cuda.Stream() as stream:
    ...     x = bc.arange(4) * 2
    >>> stream.synchronize()
    >>> stream.done, x.tolist()
    (True, [0, 2, 4, 6])
    """

    null: BaseStream = _OwnStream()
    ptds: BaseStream = null

    def __init__(
        self, null: bool = False, non_blocking: bool = False, ptds: bool = False, priority: int | None = None
    ) -> None:
        self.device, self._owns, self.null_stream = _here(), False, null or ptds
        self.ptr = 0
        if not _core.has_streams(self.device):
            return
        if null or ptds:
            self.ptr = _core.own_stream(self.device)
            return
        self.ptr = _core.make_stream(self.device, non_blocking, priority or 0)
        self._owns = True

    def __del__(self) -> None:
        if getattr(self, "_owns", False):
            _core.drop_stream(self.device, self.ptr)


class ExternalStream(BaseStream):
    """Another library's stream, given by its handle, which must outlive this object.

    Parameters
    ----------
    ptr : int
        Handle of the stream: a ``cudaStream_t``.
    device_id : int, optional
        Number of its device; by default the default device.
    """

    def __init__(self, ptr: int, device_id: int = -1) -> None:
        self.device = _here() if device_id < 0 else _core.check_device(f"{_here().partition(':')[0]}:{device_id}")
        if not _core.has_streams(self.device):
            raise NotImplementedError(f"[ExternalStream] the device {self.device} has no streams")
        self.ptr = int(ptr)


_own_handles: dict[str, int] = {}


def _own_handle(device: str) -> int:
    """The handle of a device's own stream, to compare with: who asks the core may submit work, and waits for all other streams."""
    if device not in _own_handles:
        _own_handles[device] = _core.own_stream(device)
    return _own_handles[device]


def _set_current(stream: BaseStream) -> None:
    device = stream.device
    own = isinstance(stream, _OwnStream) or (_core.has_streams(device) and stream.ptr == _own_handle(device))
    if own:
        _current.streams.pop(device, None)
    else:
        _current.streams[device] = stream
    _core.set_current_stream(device, 0 if own else stream.ptr)


def get_current_stream(device_id: int | str | None = None) -> BaseStream:
    """Return the calling thread's current stream of a device, by default of the default device.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.cuda.get_current_stream() == bc.cuda.Stream.null
    True
    """
    device = _here() if device_id is None else device_id
    if isinstance(device, int):
        device = _core.check_device(f"{_here().partition(':')[0]}:{device}")
    return _current.streams.get(device) or _OwnStream(device)


class Event:
    """A point in a stream's work to wait for and to measure times from.

    Parameters
    ----------
    block : bool, optional
        Let `synchronize` sleep instead of polling.
    disable_timing : bool, optional
        Do not measure time, which is cheaper.
    interprocess : bool, optional
        False only.

    Notes
    -----
    Arrays are lazy. `record` runs the pending operations of the device first, so that all operations before it in the
    program come before the event.

    Examples
    --------
    >>> import bascule as bc
    >>> start, end = bc.cuda.Event(), bc.cuda.Event()
    >>> start.record()
    >>> x = bc.ones(100_000) * 3
    >>> end.record()
    >>> end.synchronize()
    >>> bc.cuda.get_elapsed_time(start, end) > 0
    True
    """

    def __reduce__(self) -> Any:
        raise TypeError("[Event] an event is its process's own, and has one owner")

    def __init__(self, block: bool = False, disable_timing: bool = False, interprocess: bool = False) -> None:
        if interprocess:
            raise NotImplementedError("[Event] interprocess=True is not supported")
        self.device, self._timed = _here(), not disable_timing
        self._recorded: float | None = None
        flags = (_BLOCKING if block else 0) | (_WITHOUT_TIMING if disable_timing else 0)
        self._handle = _core.make_event(self.device, flags) if _core.has_streams(self.device) else None

    def __del__(self) -> None:
        if getattr(self, "_handle", None) is not None:
            _core.drop_event(self.device, self._handle)

    @property
    def ptr(self) -> int:
        """The handle for other libraries: a ``cudaEvent_t``; 0 on the CPU device."""
        return self._handle or 0

    @property
    def done(self) -> bool:
        """Whether the work before the event is done."""
        return self._handle is None or _core.event_is_done(self.device, self._handle)

    def record(self, stream: BaseStream | None = None) -> None:
        """Record the event in a stream, by default the current one of its device."""
        stream = get_current_stream(self.device) if stream is None else stream
        _core.evaluate_waiting(self.device)
        if self._handle is not None:
            _core.record_event(self.device, self._handle, stream.ptr)
        self._recorded = time.perf_counter()

    def synchronize(self) -> None:
        """Wait until the work before the event is done."""
        if self._handle is not None:
            _core.wait_for_event(self.device, self._handle)


def get_elapsed_time(start_event: Event, end_event: Event) -> float:
    """Milliseconds between two completed events.

    Raises
    ------
    ValueError
        An event was not recorded, or does not measure time.
    """
    for event in (start_event, end_event):
        if event._recorded is None or not event._timed:
            raise ValueError("[get_elapsed_time] both events are to be recorded, and made without disable_timing")
    if start_event._handle is None or end_event._handle is None:
        return (end_event._recorded - start_event._recorded) * 1e3  # type: ignore[operator]
    return _core.elapsed_milliseconds(start_event.device, start_event._handle, end_event._handle)
