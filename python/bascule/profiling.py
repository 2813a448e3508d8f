"""Recordings of the calls that devices ran: `profile`, its table, and traces for Chrome and Perfetto."""

from __future__ import annotations

import html
import json
import os
import threading
import time
from collections import defaultdict
from pathlib import Path
from typing import Any, NamedTuple

from . import _core

__all__ = ["profile"]

_LANE_OF_A_STREAM = 1  # the lane of a device's own stream within its process of the trace
SHORTEST_LINE = 20_000  # nanoseconds; shorter times in a line are left out of traces, but not of tables


class Call(NamedTuple):
    """A call of a device; with `kind` "part", the share of call number `call` that another thread of the pool ran."""

    kind: str
    name: str
    device: str
    call: int
    thread: int
    begin: int
    end: int
    bytes: int
    elements: int

    @property
    def seconds(self) -> float:
        """Duration of the call."""
        return (self.end - self.begin) / 1e9


class Row(NamedTuple):
    """Calls of one name on one device."""

    name: str
    kind: str
    device: str
    calls: int
    seconds: float
    bytes: int


class Profile:
    """The recording that `profile` returns; see there.

    Attributes
    ----------
    calls : list of Call
        The calls in the order in which they ended.
    dropped : int
        Number of calls left out after the first million.
    """

    def __init__(self, path: Any = None) -> None:
        self.path = path
        self.calls: list[Call] = []
        self.dropped = 0
        self._lines: list[tuple[str, int, int, int]] = []
        self._begun: int | None = None
        self._since = self._until = 0

    def __enter__(self) -> Profile:
        if self._begun is not None:
            raise RuntimeError("[profile] records already; make another one")
        self.calls, self._lines, self.dropped = [], [], 0
        self._since = time.perf_counter_ns()
        self._begun = _core.begin_recording()
        return self

    def __exit__(self, *error: object) -> None:
        try:
            _core.synchronize(_core.get_default_device())
        finally:
            spans, self.dropped = _core.end_recording(self._begun)
            self._begun, self._until = None, time.perf_counter_ns()
            self.calls = [Call(*span) for span in spans]
        if self.path is not None:
            self.save(self.path)

    def add_line(self, name: str, begin: int, end: int) -> None:
        """Add the time that this thread spent in a line of a program to the trace; times of `time.perf_counter_ns`."""
        self._lines.append((name, threading.get_native_id(), begin, end))

    @property
    def rows(self) -> list[Row]:
        """Calls summed by name, kind and device, the longest total first."""
        found: dict[tuple[str, str, str], list[Call]] = defaultdict(list)
        for call in self.calls:
            if call.kind != "part":
                found[call.name, call.kind, call.device].append(call)
        rows = [Row(*k, len(c), sum(x.seconds for x in c), sum(x.bytes for x in c)) for k, c in found.items()]
        return sorted(rows, key=lambda r: -r.seconds)

    @property
    def seconds(self) -> float:
        """Duration of the recording."""
        return (self._until - self._since) / 1e9

    def _cells(self) -> list[list[str]]:
        return [
            [r.name, r.kind, r.device, f"{r.calls}", f"{r.seconds * 1e3:.2f}", f"{r.bytes / 1e6:.1f}",
             f"{r.bytes / r.seconds / 1e9:.1f}" if r.seconds else ""]
            for r in self.rows
        ]  # fmt: skip

    def __str__(self) -> str:
        from .text_table import table

        busy = sum(r.seconds for r in self.rows)
        said = [table(_HEAD, self._cells()), f"{busy * 1e3:.2f} ms of {self.seconds * 1e3:.2f} ms"]
        if self.dropped:
            said.append(f"{self.dropped} more were not kept")
        return "\n".join(said)

    def __repr__(self) -> str:
        return str(self) if self.calls else f"<bascule profile: {'records' if self._begun is not None else 'nothing'}>"

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{html.escape(h)}</th>" for h in _HEAD)
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(c)}</td>" for c in cells) + "</tr>" for cells in self._cells()
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

    def trace(self) -> dict[str, Any]:
        """The recording in Chrome's trace event format.

        Returns
        -------
        dict
            The trace that `save` writes: one complete event per call, on its thread, or on the stream of a device with
            memory of its own; the parts run by other threads; the lines of a program, if `bascule profile` ran it.
        """
        events = [_event(name, "line", os.getpid(), thread, begin, end, self._since, {})
                  for name, thread, begin, end in self._lines]  # fmt: skip
        names = {c.call: c.name for c in self.calls if c.kind != "part"}
        devices = sorted({c.device for c in self.calls if _of_a_device(c.device)})
        for c in self.calls:
            about = {"call": c.call} if c.kind == "part" else _about(c)
            process, lane = os.getpid(), c.thread
            if _of_a_device(c.device):
                process, lane = -1 - devices.index(c.device), _LANE_OF_A_STREAM
            events.append(_event(c.name or names.get(c.call, "part"), c.kind, process, lane, c.begin, c.end, self._since, about))  # fmt: skip
        lanes = {e["tid"] for e in events if e["pid"] == os.getpid()}
        return {
            "traceEvents": [*_names(lanes, devices), *sorted(events, key=lambda e: (e["ts"], -e["dur"]))],
            "displayTimeUnit": "ms",
            "otherData": {"program": "bascule", "left out": self.dropped},
        }

    def save(self, path: Any) -> None:
        """Write `trace` as JSON, which chrome://tracing and https://ui.perfetto.dev open.

        Parameters
        ----------
        path : str or path
        """
        Path(path).write_text(json.dumps(self.trace()), encoding="utf-8")


_HEAD = ["what ran", "kind", "device", "calls", "ms", "MB", "GB/s"]


def _of_a_device(name: str) -> bool:
    return name.startswith("cuda")


def _about(c: Call) -> dict[str, Any]:
    rate = {"GB/s": round(c.bytes / (c.end - c.begin), 2)} if c.end > c.begin else {}
    return {"call": c.call, "device": c.device, "bytes": c.bytes, "elements": c.elements, **rate}


def _event(
    name: str, category: str, process: int, lane: int, begin: int, end: int, since: int, about: dict[str, Any]
) -> dict[str, Any]:
    """A complete event; times in microseconds since the beginning."""
    return {"name": name, "cat": category, "ph": "X", "ts": (begin - since) / 1e3, "dur": max(end - begin, 0) / 1e3,
            "pid": process, "tid": lane, "args": about}  # fmt: skip


def _names(lanes: set[int], devices: list[str]) -> list[dict[str, Any]]:
    """Events that name processes and threads."""
    known = {t.native_id: t.name for t in threading.enumerate()}
    workers = sorted(lanes - set(known))
    known |= {n: f"bascule worker {k + 1}" for k, n in enumerate(workers)}
    named = [(os.getpid(), 0, "process_name", "host")]
    named += [(os.getpid(), n, "thread_name", known[n]) for n in sorted(lanes)]
    for k, device in enumerate(devices):
        named += [(-1 - k, 0, "process_name", device), (-1 - k, _LANE_OF_A_STREAM, "thread_name", "stream")]
    return [{"name": what, "ph": "M", "pid": p, "tid": t, "args": {"name": name}} for p, t, what, name in named]


def profile(path: Any = None) -> Profile:
    """Record the calls that run within a ``with`` block: fused passes, algorithms, copies between devices.

    Parameters
    ----------
    path : str or path, optional
        A file for the trace, which chrome://tracing and https://ui.perfetto.dev open, with a lane for each thread and
        each device's stream. It is written at the end of the block.

    Returns
    -------
    Profile
        The recording, which prints as a table, also in notebooks: calls, time, and bytes of operands and results, each
        counted once. ``.calls`` lists the calls, ``.save(path)`` writes the trace.

    Notes
    -----
    Operations still pending when the block ends have not run, so they are missing: `evaluate` them within. During a
    recording each call waits for the GPU, so that its time is that of its own work; a program that overlaps work of
    host and device is slower then. All threads of the process are recorded.

    Examples
    --------
    >>> import bascule as bc
    >>> x = bc.evaluate(bc.ones(1_000_000))
    >>> with bc.profile() as p:
    ...     y = bc.evaluate(bc.sin(x) * 2)
    >>> [(r.name, r.calls, r.bytes) for r in p.rows]
    [('sin, multiply', 1, 16000000)]
    """
    return Profile(path)
