"""Python tasks in the core's executor: the threads that help, and their context."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextvars import copy_context

from .. import _core

MOST_THREADS = 256

_pool: Executor | None = None
_lock = threading.Lock()


def _forget_pool() -> None:
    global _pool, _lock
    _pool, _lock = None, threading.Lock()


os.register_at_fork(after_in_child=_forget_pool)  # a forked child has none of the threads


def helpers() -> Executor:
    """Threads that run Python tasks, started when none is idle."""
    global _pool
    with _lock:
        if _pool is None:
            _pool = ThreadPoolExecutor(MOST_THREADS, "bascule-tasks")
        return _pool


def run_tasks(
    graph: _core.TaskGraph,
    wanted: Sequence[int],
    run: Callable[[int], int | None],
    release: Callable[[list[int]], object],
    finished: Callable[[int, int, int], object] | None = None,
    threads: int = 1,
    memory_limit: int = 0,
    pool: Executor | None = None,
    spill: Callable[[int], bool] | None = None,
) -> int:
    """Run the tasks that the wanted ones depend on, on this thread and, if it is worthwhile, on those of a pool.

    Parameters
    ----------
    graph : TaskGraph
        The dependencies of the tasks.
    wanted : sequence of int
        Tasks whose outputs are kept.
    run : callable
        ``run(task)`` runs the task and returns the bytes of its output, or None if they are not known.
    release : callable
        ``release(tasks)`` is called when no task needs their outputs any more.
    finished : callable, optional
        ``finished(task, done, all)`` is called after each task.
    threads : int, optional
        Number of tasks that may run at a time.
    memory_limit : int, optional
        Bytes of outputs beyond which tasks that add more wait; 0 for none.
    pool : Executor, optional
        Threads that help, in place of those of this module.
    spill : callable, optional
        ``spill(task)`` moves the output of a task out of memory and returns whether it did. It is called if the limit
        would be exceeded although tasks wait; without it the limit is exceeded.

    Returns
    -------
    int
        The largest number of bytes of outputs at a time.
    """
    contexts = [copy_context() for _ in range(threads - 1)]

    def call(n: int, help_out: Callable[[], None]) -> None:
        for _ in range(n):
            try:
                (pool or helpers()).submit(contexts.pop().run, help_out)
            except RuntimeError:  # the interpreter is shutting down and starts no more threads
                return

    return graph.run(wanted, run, release, finished, call if threads > 1 else None, threads, memory_limit, spill)
