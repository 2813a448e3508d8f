"""Files that are held open for columns that have not been read yet; what is written to one of them is read before."""

from __future__ import annotations

import os
import resource
import stat
import threading
import weakref
from abc import ABC, abstractmethod
from typing import Any

_ALLOWED = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
MOST = 256 if _ALLOWED == resource.RLIM_INFINITY else min(256, _ALLOWED // 4)  # files at a time; a program needs others
_files: weakref.WeakSet[HeldFile] = weakref.WeakSet()
_lock = threading.Lock()  # of the set of files


class HeldFile(ABC):
    """A file of which some columns may not have been read.

    Attributes
    ----------
    path : str
        As it was given.
    identity : tuple
        The numbers of its device and inode.
    lock : threading.RLock
        Of the pending columns.
    """

    path: str
    identity: tuple[int, int]
    lock: Any

    def hold(self) -> bool:
        """Keep the file open for its columns; False where too many are."""
        with _lock:
            if len(_files) >= MOST:
                return False
            _files.add(self)
        return True

    @abstractmethod
    def read_all(self) -> None:
        """Read the pending columns."""


def _after_fork() -> None:
    """New locks in a forked child, where the threads that may have had the old ones do not run."""
    global _lock
    _lock = threading.Lock()
    for file in list(_files):
        file.lock = threading.RLock()


os.register_at_fork(after_in_child=_after_fork)


def held_files() -> list[HeldFile]:
    """The files that are held open."""
    with _lock:
        return list(_files)


def before_write(target: Any) -> None:
    """Read the pending columns of the file of a path, or of the files in a folder, which is about to be written to.

    Parameters
    ----------
    target : path or object
        Any object that is no path is left alone.
    """
    if not _files or not isinstance(target, (str, os.PathLike)):
        return
    try:
        about = os.stat(os.path.expanduser(target))
    except (OSError, ValueError):
        return
    folder = os.path.join(os.path.realpath(target), "") if stat.S_ISDIR(about.st_mode) else None
    for file in held_files():
        inside = folder is not None and os.path.realpath(file.path).startswith(folder)
        if inside or file.identity == (about.st_dev, about.st_ino):
            file.read_all()
