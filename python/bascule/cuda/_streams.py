"""Streams and events. On the CPU device everything is done when its call returns, so there they have nothing to wait for."""

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
    """The stream that a thread has chosen, by device."""

    def __init__(self) -> None:
        self.streams: dict[str, BaseStream] = {}


_current = _Current()


class BaseStream:
    """What streams have in common. `ptr` is the handle that other libraries take."""

    device: str
    ptr: int

    @property
    def device_id(self) -> int:
        """The number of the stream's device."""
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
        """Make this stream the thread's; the one before."""
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
        """Whether all that it was given is done. Arrays that wait are not yet given to it."""
        return not _core.has_streams(self.device) or _core.stream_is_done(self.device, self.ptr)

    def synchronize(self) -> None:
        """Run what waits on the device, and wait until the stream has done all; errors it met are raised here."""
        _core.evaluate_waiting(self.device)
        if _core.has_streams(self.device):
            _core.synchronize_stream(self.device, self.ptr)
        _core.synchronize(self.device)

    def record(self, event: Event | None = None) -> Event:
        """Record an event, or a new one: it is over when what the stream holds now is."""
        event = Event() if event is None else event
        event.record(self)
        return event

    def wait_event(self, event: Event) -> None:
        """Let the stream go on when the event is over."""
        if event._handle is not None:
            _core.stream_waits_for(self.device, self.ptr, event._handle)

    def is_capturing(self) -> bool:
        """Whether what the stream is given is recorded and not run."""
        return self in _captures

    def begin_capture(self, mode: int | None = None) -> None:
        """Record what this thread gives the stream until `end_capture`, instead of running it.

        Arrays are given to the stream in ``with stream:``. Meanwhile each operation is a kernel of its own, assignments write
        into the memory that is there, and floating-point warnings are off. Reading a value is an error.

        Parameters
        ----------
        mode : int, optional
            CUDA's mode of capture. Other threads may work in any mode.

        Raises
        ------
        NotImplementedError
            The device has no streams that can be recorded: the CPU's work is done when a call returns.
        ValueError
            It is the device's own stream, or a stream is being recorded already.
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
            What was recorded.

        Raises
        ------
        ValueError
            The stream is not being recorded.
        DeviceError
            Something was asked for that cannot be recorded.
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
        """Call ``callback(arg)`` when what the stream holds is done, which is waited for."""
        self.synchronize()
        callback(arg)

    def add_callback(self, callback: Any, arg: Any) -> None:
        """Call ``callback(stream, 0, arg)`` when what the stream holds is done, which is waited for."""
        self.synchronize()
        callback(self, 0, arg)


class Graph:
    """What a stream was given while it was recorded, to be run as often as it is launched; `Stream.end_capture` makes it.

    It runs with the addresses that it was recorded with: arrays that were there before are read and written where they
    lie, and have to live as long as they are to be launched with. What was made meanwhile has no values before
    the first launch.

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
        """Run it on a stream, by default the current one, after what arrays wait for.

        Raises
        ------
        ValueError
            The stream is being recorded, where CUDA allows no launch, or it is another device's.
        """
        handle = self._stream(stream)
        _core.evaluate_waiting(self.device)
        _core.launch_graph(self.device, self._handle, handle)

    def upload(self, stream: BaseStream | None = None) -> None:
        """Send it to the device ahead, so that the first launch is as quick as others."""
        _core.upload_graph(self.device, self._handle, self._stream(stream))


_captures: dict[BaseStream, tuple[Any, Any]] = {}


class _OwnStream(BaseStream):
    """The device's own stream, where everything runs that is given to no other."""

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

    Work is ordered as the program gives it: a stream begins a piece of work after what the device's own stream holds then,
    and the own stream goes on after it. So arrays go from one stream to another without further thought, and two streams do
    not run beside each other unless other libraries give them work.

    Parameters
    ----------
    null, ptds : bool, optional
        True gives the device's own stream.
    non_blocking : bool, optional
        Whether it does without CUDA's default stream.
    priority : int, optional
        Lower numbers go first.

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
        The handle: a ``cudaStream_t``.
    device_id : int, optional
        The number of its device; by default that of new arrays.
    """

    def __init__(self, ptr: int, device_id: int = -1) -> None:
        self.device = _here() if device_id < 0 else _core.check_device(f"{_here().partition(':')[0]}:{device_id}")
        if not _core.has_streams(self.device):
            raise NotImplementedError(f"[ExternalStream] the device {self.device} has no streams")
        self.ptr = int(ptr)


def _set_current(stream: BaseStream) -> None:
    device = stream.device
    own = isinstance(stream, _OwnStream) or (_core.has_streams(device) and stream.ptr == _core.own_stream(device))
    if own:
        _current.streams.pop(device, None)
    else:
        _current.streams[device] = stream
    _core.set_current_stream(device, 0 if own else stream.ptr)


def get_current_stream(device_id: int | str | None = None) -> BaseStream:
    """The calling thread's current stream of a device, by default of the default device.

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
    """A point in a stream's work, to wait for and to measure time with.

    Parameters
    ----------
    block : bool, optional
        Whether `synchronize` sleeps rather than asks again and again.
    disable_timing : bool, optional
        Whether it measures no time, which is cheaper.
    interprocess : bool, optional
        Only False.

    Notes
    -----
    Arrays wait until they are asked for. `record` runs what waits on the device, so that what the program wrote down before
    it lies before the event.

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
        """The handle that other libraries take: a ``cudaEvent_t``; 0 on the CPU device."""
        return self._handle or 0

    @property
    def done(self) -> bool:
        """Whether what lay before it is done."""
        return self._handle is None or _core.event_is_done(self.device, self._handle)

    def record(self, stream: BaseStream | None = None) -> None:
        """Record it in a stream, by default the current one of its device."""
        stream = get_current_stream(self.device) if stream is None else stream
        _core.evaluate_waiting(self.device)
        if self._handle is not None:
            _core.record_event(self.device, self._handle, stream.ptr)
        self._recorded = time.perf_counter()

    def synchronize(self) -> None:
        """Wait until what lay before it is done."""
        if self._handle is not None:
            _core.wait_for_event(self.device, self._handle)


def get_elapsed_time(start_event: Event, end_event: Event) -> float:
    """The milliseconds between two events that are over.

    Raises
    ------
    ValueError
        One of them was not recorded, or measures no time.
    """
    for event in (start_event, end_event):
        if event._recorded is None or not event._timed:
            raise ValueError("[get_elapsed_time] both events are to be recorded, and made without disable_timing")
    if start_event._handle is None or end_event._handle is None:
        return (end_event._recorded - start_event._recorded) * 1e3  # type: ignore[operator]
    return _core.elapsed_milliseconds(start_event.device, start_event._handle, end_event._handle)
