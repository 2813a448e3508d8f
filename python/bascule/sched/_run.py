"""Python's tasks in the executor of the core: which threads help, and with what context."""

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


os.register_at_fork(after_in_child=_forget_pool)  # a child has none of the threads


def helpers() -> Executor:
    """Threads that run Python's tasks, started when none is idle."""
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
    """Run the tasks that the wanted ones need, on this thread and, while they are worth it, on those of a pool.

    Parameters
    ----------
    graph : TaskGraph
        Which task needs what.
    wanted : sequence of int
        Tasks whose outputs are not released.
    run : callable
        ``run(task)`` does what the task is for and gives the bytes of its output, or None where they are not known.
    release : callable
        ``release(tasks)``: nobody needs their outputs any more.
    finished : callable, optional
        ``finished(task, done, all)`` after each task.
    threads : int, optional
        How many tasks may run at a time.
    memory_limit : int, optional
        Bytes of outputs beyond which tasks that make more of them wait; 0 for none.
    pool : Executor, optional
        Whose threads help, in place of those of this module.
    spill : callable, optional
        ``spill(task)`` takes the output of a task out of memory and tells whether that could be done. It is asked for
        where the limit would be passed though tasks wait; without it the limit is passed.

    Returns
    -------
    int
        The most bytes of outputs that were there at a time.
    """
    contexts = [copy_context() for _ in range(threads - 1)]

    def call(n: int, help_out: Callable[[], None]) -> None:
        for _ in range(n):
            try:
                (pool or helpers()).submit(contexts.pop().run, help_out)
            except RuntimeError:  # the interpreter is about to end: there are no more threads
                return

    return graph.run(wanted, run, release, finished, call if threads > 1 else None, threads, memory_limit, spill)
