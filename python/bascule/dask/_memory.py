"""Limit of the CPU's memory pool in a worker of Dask, whose limits are those of the process.

A worker spills and pauses by the memory of its process, which includes the free blocks of the pool: it would write
everything to disk and wait for ever for memory that is unused. So the pool gets as its limit the part of the worker's
target that the rest of the process leaves. Above that, released blocks go back to the system at once, those of spilled
results too. Freed memory that Arrow keeps goes back as well: the shards of a p2p shuffle are Arrow's tables, and a worker
that paused because of them would never go on.
"""

from __future__ import annotations

import sys
import weakref
from typing import Any

from .. import _core

_attended: weakref.WeakSet = weakref.WeakSet()
_limited = False


def _targets() -> list[tuple[Any, float]]:
    """The workers of this process that have a memory limit, each with the bytes at which it stops spilling."""
    module = sys.modules.get("distributed.worker")
    found = []
    for worker in [] if module is None else list(module.Worker._instances):
        manager = getattr(worker, "memory_manager", None)
        fraction = manager and (manager.memory_target_fraction or manager.memory_spill_fraction)
        if fraction and manager.memory_limit and worker.status.name not in ("closing", "closed", "failed"):
            found.append((worker, manager.memory_limit * fraction))
    return found


def obey() -> None:
    """Set the pool's limit to what the workers' targets leave, and release its free blocks where they are exceeded."""
    global _limited
    targets = _targets()
    if not targets:
        if _limited:
            _limited = False
            _core.set_cache_limit(0)
        return
    _limited = True
    worker, target = min(targets, key=lambda found: found[1])
    used = worker.monitor.get_process_memory()
    _core.set_cache_limit(max(int(target) - (used - _core.memory("cpu")["held"]), 1))
    if used > target:
        _core.trim("cpu")
        arrow = sys.modules.get("pyarrow")
        if arrow is not None:
            arrow.default_memory_pool().release_unused()


def _start(worker: Any) -> None:
    """A periodic task in the worker's event loop."""
    from tornado.ioloop import PeriodicCallback

    callback = PeriodicCallback(obey, worker.memory_manager.memory_monitor_interval * 1000)
    worker.periodic_callbacks["bascule_memory"] = callback  # it stops with the worker
    callback.start()


def attend() -> None:
    """Keep the workers of this process to their targets from now on, whether tasks run or not."""
    if "distributed.worker" not in sys.modules:
        return
    for worker, _ in _targets():
        if worker not in _attended:
            _attended.add(worker)
            worker.loop.add_callback(_start, worker)
            weakref.finalize(worker, obey).atexit = False
            obey()
