"""Calls of other libraries that release the interpreter, run block by block on all threads."""

from __future__ import annotations

import contextvars
from collections.abc import Callable

from . import _core


def in_blocks(n: int, step: int, work: Callable[[int, int, int], None]) -> int:
    """Call work(k, begin, end) for each k-th block of n rows, on all threads, and return the number of blocks.

    New threads are started for each call: those of a pool would not exist in a forked child.
    """
    import threading  # `import bascule` does not need it

    count = -(-n // step)
    failed: list[BaseException] = []
    turn = iter(range(count))
    lock = threading.Lock()

    def run() -> None:
        try:
            while not failed:
                with lock:
                    k = next(turn, None)
                if k is None:
                    return
                work(k, k * step, min(n, (k + 1) * step))
        except BaseException as error:
            failed.append(error)

    helpers = [
        threading.Thread(target=contextvars.copy_context().run, args=(run,))  # with the caller's errstate
        for _ in range(min(_core.get_num_threads(), count) - 1)
    ]
    for t in helpers:
        t.start()
    run()
    for t in helpers:
        t.join()
    if failed:
        raise failed[0]
    return count
