"""Objects between forked processes, which all have bascule: they stay bascule's, in the accelerated mode, too."""

from __future__ import annotations

import sys
from typing import Any

from . import mode


def _among_forks() -> bool:
    """Whether this process was forked, or has forked all of its processes; spawned ones run plain Python."""
    processes = sys.modules["multiprocessing.process"]
    started = list(processes._children)  # type: ignore[attr-defined]
    return bool({type(p).__name__ for p in (started or [processes.current_process()])} == {"ForkProcess"})


def send_own(module: Any, changes: Any) -> None:
    """Let `multiprocessing` pickle objects for forked processes as they are."""
    pickler = module.ForkingPickler
    usual = pickler.dumps

    def dumps(obj: Any, protocol: Any = None) -> Any:
        if not _among_forks():
            return usual(obj, protocol)
        with mode.keeping_classes():
            return usual(obj, protocol)

    changes.attribute(pickler, "dumps", staticmethod(dumps))
