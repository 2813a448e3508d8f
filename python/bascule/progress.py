"""Progress bars for long operations, in terminals and notebooks: tqdm's if it is installed, else a line of text."""

from __future__ import annotations

import contextlib
import importlib
import sys
import threading
import time
from typing import Any

from . import _core
from .config import config

AFTER = 2.0  # seconds before a bar appears
_EVERY = 0.2
_SMALLEST = 32_000_000  # bytes; a smaller input is read before a bar could appear


def wanted() -> bool:
    """Whether bars are shown: set by the user, or a terminal or notebook shows the output."""
    if config.progress != "auto":
        return bool(config.progress == "on")
    return "ipykernel" in sys.modules or bool(getattr(sys.stderr, "isatty", lambda: False)())


def _bytes(n: float) -> str:
    return f"{n / 1e9:.1f} GB" if n >= 1e9 else f"{n / 1e6:.0f} MB"


class _Line:
    """The line of text that is shown if tqdm is not installed."""

    def __init__(self, name: str) -> None:
        self._name, self._width, self._since = name, 0, time.monotonic()

    def show(self, done: int, total: int) -> None:
        self._write(f"{100 * done // total:3} %, {_bytes(done)} of {_bytes(total)}" if total else "")

    def _write(self, part: str) -> None:
        text = f"{self._name} {part} ({AFTER + time.monotonic() - self._since:.0f} s)"
        self._width = max(self._width, len(text))
        sys.stderr.write("\r" + text.ljust(self._width))
        sys.stderr.flush()

    def close(self) -> None:
        sys.stderr.write("\r" + " " * self._width + "\r")
        sys.stderr.flush()


class _Tqdm:
    def __init__(self, name: str) -> None:
        self._bar: Any = importlib.import_module("tqdm").tqdm(
            desc=name, unit="B", unit_scale=True, leave=False, file=sys.stderr
        )

    def show(self, done: int, total: int) -> None:
        self._bar.total = total or None
        self._bar.n = done
        self._bar.refresh()

    def close(self) -> None:
        self._bar.close()


class _StepLine(_Line):
    """A line for an operation of several steps, each of a known number of tasks; the number of steps is not known."""

    def show_step(self, done: int, total: int, step: int) -> None:
        part = f"step {step}, {100 * min(done, total) // total:3} %" if total else ""
        self._write(part)


class _StepTqdm:
    def __init__(self, name: str) -> None:
        self._name = name
        self._bar: Any = importlib.import_module("tqdm").tqdm(desc=name, leave=False, file=sys.stderr)

    def show_step(self, done: int, total: int, step: int) -> None:
        self._bar.total = total or None
        self._bar.n = min(done, total) if total else 0
        self._bar.desc = f"{self._name}, step {step}" if step else self._name
        self._bar.refresh()

    def close(self) -> None:
        self._bar.close()


def _bar(name: str) -> _Line | _Tqdm:
    try:
        return _Tqdm(name)
    except ModuleNotFoundError:
        return _Line(name)


def _step_bar(name: str) -> _StepLine | _StepTqdm:
    try:
        return _StepTqdm(name)
    except ModuleNotFoundError:
        return _StepLine(name)


class Shown:
    """A context manager: an operation that counts its tasks in `progress` gets a bar after some seconds.

    Another thread draws the bar; it is not started for short operations or if no bar is wanted.
    """

    def __init__(self, name: str, size: int) -> None:
        self.progress: Any = _core.Progress() if size >= _SMALLEST and wanted() else None
        self._name, self._over = name, threading.Event()
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Any:
        if self.progress is not None:
            self._thread = threading.Thread(target=self._draw, name="bascule progress", daemon=True)
            self._thread.start()
        return self.progress

    def __exit__(self, *error: object) -> None:
        if self._thread is not None:
            self._over.set()
            self._thread.join()

    def _draw(self) -> None:
        if self._over.wait(AFTER):
            return
        show, close = self._drawn()
        while True:
            show()
            if self._over.wait(_EVERY):
                return close()

    def _drawn(self) -> tuple[Any, Any]:
        bar = _bar(self._name)
        return lambda: bar.show(self.progress.done, self.progress.total), bar.close


class _Counted(Shown):
    """A bar for an operation whose kernels count their tasks for the thread that calls them."""

    def __enter__(self) -> Any:
        self.progress.counts_tasks = True
        reported = super().__enter__()
        _core.report_progress(self.progress)
        return reported

    def __exit__(self, *error: object) -> None:
        _core.report_progress(None)
        super().__exit__(*error)

    def _drawn(self) -> tuple[Any, Any]:
        bar, reported = _step_bar(self._name), self.progress
        return lambda: bar.show_step(reported.done, reported.total, reported.steps), bar.close


_NONE = contextlib.nullcontext()


def of_tasks(name: str, size: int) -> Any:
    """A context manager for a sort, a join or a factorization: it shows a bar after some seconds.

    Parameters
    ----------
    name : str
    size : int
        Bytes of the input, or of an input that takes as long to read.

    Notes
    -----
    It counts the tasks of each kernel, one kernel after another; LAPACK's report nothing but the time. Operations
    within one that has a bar get none of their own.
    """
    if size < _SMALLEST or not wanted() or _core.reports_progress():
        return _NONE
    return _Counted(name, size)
