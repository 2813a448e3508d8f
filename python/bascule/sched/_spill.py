"""Spilling outputs of tasks: files in a temporary folder, which is deleted at the end of the run."""

from __future__ import annotations

import errno
import itertools
import os
import pickle
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterable
from typing import Any
from zlib import crc32

import numpy as np

from ..interop import mode

_PLAIN = (str, bytes, int, float, complex, bool, type(None), np.generic)


def _can_leave(x: Any) -> bool:
    """Whether an output is plain data, which pickle copies completely and whose identity does not matter."""
    kind = type(x)
    if kind is np.ndarray:
        return not x.dtype.hasobject
    package = kind.__module__.partition(".")[0]
    if package in ("bascule", "pandas"):
        return hasattr(kind, "dtype") or hasattr(kind, "dtypes")
    if kind in (list, tuple):
        return all(map(_can_leave, x))
    if isinstance(x, dict) and (kind is dict or package == "dask"):
        return all(map(_can_leave, x.values()))
    return isinstance(x, _PLAIN)


class _File:
    """An output on disk: the positions of its pickle's buffers in a file, each with its checksum."""

    __slots__ = ("path", "name", "pickled", "pieces", "lock")

    def __init__(self, path: str, name: Any, pickled: bytes, pieces: list[tuple[int, int]]):
        self.path, self.name, self.pickled, self.pieces = path, name, pickled, pieces
        self.lock = threading.Lock()

    def read(self) -> Any:
        buffers = []
        with open(self.path, "rb") as file:
            for n, checksum in self.pieces:
                buffers.append(np.empty(n, np.uint8))
                if file.readinto(buffers[-1]) != n:  # type: ignore[arg-type]
                    raise self.error("is shorter than the data written to it")
                if crc32(buffers[-1]) != checksum:
                    raise self.error("differs from the data written to it: a checksum differs")
        return pickle.loads(self.pickled, buffers=buffers)

    def error(self, what: str) -> OSError:
        return OSError(errno.EIO, f"[sched] cannot read {self.name!r} back: {self.path} {what}", self.path)


class Spill:
    """The outputs of a run, some of which are on disk.

    Parameters
    ----------
    outputs : dict
        The output of each task; spilled ones are replaced by their positions on disk.
    name : callable, optional
        Name of the output of a key in errors.
    folder : str or path, optional
        Where to create the folder for the files; by default the folder for temporary files.
    """

    def __init__(self, outputs: dict, folder: Any = None, name: Callable[[Any], Any] = lambda key: key):
        self.name = name
        self.outputs, self.parent = outputs, os.fspath(folder) if folder else tempfile.gettempdir()
        self.folder: str | None = None
        self.files: dict[Any, _File] = {}
        self.numbers = itertools.count()
        self.lock = threading.Lock()
        self.written = 0  # bytes

    def __enter__(self) -> Spill:
        return self

    def __exit__(self, *_: Any) -> None:
        with self.lock:
            folder, self.folder = self.folder, None
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)

    def _path(self) -> str:
        with self.lock:
            if self.folder is None:
                self.folder = tempfile.mkdtemp(prefix="bascule-spill-", dir=self.parent)
            return os.path.join(self.folder, str(next(self.numbers)))

    def spill(self, key: Any) -> bool:
        """Write the output of a key to disk, unless it has to stay; returns whether it was written.

        Raises
        ------
        OSError
            Writing fails; the error has the key, the size and the path.
        """
        x = self.outputs.get(key)
        if isinstance(x, _File) or x is None:
            return True
        file = self.files.get(key)
        if file is None:
            if not _can_leave(x):
                return False
            buffers: list[pickle.PickleBuffer] = []
            with mode.keeping_classes():
                pickled = pickle.dumps(x, protocol=5, buffer_callback=buffers.append)
            file = self._write(key, pickled, [b.raw() for b in buffers])
        with self.lock:
            if self.outputs.get(key) is x:
                self.outputs[key] = file
        return True

    def _write(self, key: Any, pickled: bytes, buffers: list[memoryview]) -> _File:
        size = sum(b.nbytes for b in buffers)
        where = self.folder or self.parent
        try:
            path = where = self._path()
            with open(path, "xb") as file:
                for b in buffers:
                    file.write(b)
            pieces = [(b.nbytes, crc32(b)) for b in buffers]
        except OSError as error:
            if self.folder is not None and where != self.folder:
                _remove(where)
            reported = (
                f"[sched] cannot spill {self.name(key)!r} ({size / 1e6:.1f} MB) to {where}: {error.strerror or error}"
            )
            raise type(error)(error.errno, reported, where) from error
        with self.lock:
            self.written += size
            made = self.files[key] = _File(path, self.name(key), pickled, pieces)
        return made

    def fetch(self, key: Any) -> Any:
        """The output of a key, read from disk if it is there."""
        x = self.outputs[key]
        if not isinstance(x, _File):
            return x
        with x.lock:
            there = self.outputs[key]
            if isinstance(there, _File):
                there = x.read()
                with self.lock:
                    self.outputs[key] = there
            return there

    def release(self, keys: Iterable) -> None:
        """Drop the outputs of the keys, which no task needs any more."""
        for key in keys:
            with self.lock:
                del self.outputs[key]
                file = self.files.pop(key, None)
            if file is not None:
                _remove(file.path)


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:  # it is deleted with the folder
        pass
