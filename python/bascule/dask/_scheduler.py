"""Dask's graphs on one machine: ``scheduler="bascule"``.

The executor of the core decides which task is next. The calling thread runs tasks itself; where they are long enough to
be worth it, threads of a pool help. So it only waits while another thread runs a task, and a task that computes a
collection of its own needs no free thread. Tasks run depth first, so that what a reduction takes is gone before more is
made; only a graph in which results are shared is ordered by Dask. Layers of blocks are taken before Dask makes tasks of
them (`_layers`), and blocks that do the same run as one native expression (`_plans`).
"""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Iterable, Mapping
from concurrent.futures import Executor
from contextlib import ExitStack
from itertools import chain
from typing import Any

from dask import config
from dask._task_spec import DataNode, convert_legacy_graph
from dask.callbacks import local_callbacks, unpack_callbacks
from dask.core import flatten
from dask.local import finish_task, nested_get, start_state_from_dask
from dask.order import order
from dask.sizeof import sizeof
from dask.system import CPU_COUNT
from dask.utils import parse_bytes

from .. import _core
from ..sched._run import run_tasks
from ..sched._spill import Spill
from ._layers import Layers, layers_of
from ._plans import depth_first, run


class _Computation:
    """One call: the tasks in a valid order, the results so far, and the results that later tasks or the caller need."""

    def __init__(self, graph: Mapping | Layers, wanted: list, measure: bool, spill_to: Any = None):
        keys = depth_first(wanted, lambda k: graph[k].dependencies)
        self.values = {k: graph[k].value for k in keys if type(graph[k]) is DataNode}
        self.keys = [k for k in keys if k not in self.values]
        self.nodes = [graph[k] for k in self.keys]
        self.measure = measure
        self.plans: dict = {}
        numbers = {k: i for i, k in enumerate(self.keys)}
        users = [0] * len(self.keys)
        self.tasks = _core.TaskGraph()
        needs = [[numbers[d] for d in node.dependencies if d in numbers] for node in self.nodes]
        for d in chain.from_iterable(needs):
            users[d] += 1
        if any(n > 1 for n in users) and not isinstance(graph, Layers):  # no tree
            rank = order({k: graph[k] for k in keys})
            self.tasks.extend(needs, [rank[k] for k in self.keys])
        else:
            self.tasks.extend(needs)
        self.wanted = list({numbers[k] for k in wanted if k in numbers})
        self.spill = Spill(self.values, spill_to) if spill_to else None

    def evaluate(self, i: int) -> Any:
        values = self.values
        try:
            if self.spill is not None:
                values = {k: self.spill.fetch(k) for k in self.nodes[i].dependencies}
            return run(self.nodes[i], values, self.plans)
        except BaseException as error:
            if isinstance(error, Exception) and config.get("rerun_exceptions_locally", False):
                run(self.nodes[i], values, self.plans)
            if not any(note.startswith("[bascule.dask]") for note in getattr(error, "__notes__", ())):
                error.add_note(f"[bascule.dask] while computing {self.keys[i]!r}")
            raise

    def step(self, i: int) -> int | None:
        result = self.values[self.keys[i]] = self.evaluate(i)
        return sizeof(result) if self.measure else None

    def release(self, tasks: list[int]) -> None:
        keys = [self.keys[i] for i in tasks]
        if self.spill is not None:
            self.spill.release(keys)
        else:
            for k in keys:
                del self.values[k]

    def spill_output(self, task: int) -> bool:
        assert self.spill is not None
        return self.spill.spill(self.keys[task])

    def run(self, keys: Any, **options: Any) -> Any:
        """The results of the keys."""
        with self.spill or ExitStack():
            run_tasks(
                self.tasks, self.wanted, self.step, self.release, spill=self.spill and self.spill_output, **options
            )
            if self.spill is not None:
                for i in self.wanted:
                    self.spill.fetch(self.keys[i])
            return nested_get(keys, self.values)


class _Watched(_Computation):
    """One call with Dask's callbacks, which see the state that Dask's own schedulers keep."""

    def __init__(self, graph: dict, wanted: list, measure: bool, spill_to: Any, callbacks: Iterable[tuple]):
        super().__init__(graph, wanted, measure, spill_to)
        self.graph, self.results, self.callbacks = graph, set(wanted), list(callbacks)
        self.before, self.after = unpack_callbacks(self.callbacks)[2:4]
        self.started: list[tuple] = []
        self.state: dict = {}
        self.lock = threading.RLock()  # a callback may compute something
        self.rank = order(graph).get

    def __enter__(self) -> _Watched:
        try:
            for callback in self.callbacks:
                if callback[0]:
                    callback[0](self.graph)
                self.started.append(callback)
            self.state = start_state_from_dask(self.graph, cache={}, sortkey=self.rank, keys=list(self.results))
            for callback in self.callbacks:
                if callback[1]:
                    callback[1](self.graph, self.state)
        except BaseException:
            self.end(True)
            raise
        return self

    def __exit__(self, kind: Any, *_: Any) -> None:
        self.end(kind is not None)

    def end(self, failed: bool) -> None:
        for callback in self.started:
            if callback[4]:
                callback[4](self.graph, self.state, failed)

    def step(self, i: int) -> int | None:
        key, state = self.keys[i], self.state
        with self.lock:
            state["ready"].remove(key)
            state["running"].add(key)
            for callback in self.before:
                callback(key, self.graph, state)
        size = super().step(i)
        with self.lock:
            result = state["cache"][key] = self.spill.fetch(key) if self.spill else self.values[key]
            finish_task(self.graph, key, state, self.results, self.rank)
            for callback in self.after:
                callback(key, result, self.graph, state, threading.get_ident())
        return size

    def spill_output(self, task: int) -> bool:
        gone = super().spill_output(task)
        key = self.keys[task]
        with self.lock:
            if gone and key in self.state["cache"] and key in self.values:
                self.state["cache"][key] = self.values[key]
        return gone


def get(dsk: Any, keys: Any, *, num_workers: int | None = None, pool: Any = None, callbacks: Any = None, memory_limit: int | str | None = None, spill_directory: Any = None, **kwargs: Any) -> Any:  # fmt: skip
    """Compute keys of a graph, as ``dask.threaded.get`` does.

    Parameters
    ----------
    dsk : Expr or Mapping
        The graph.
    keys : key or list
        Keys to compute; lists may be nested.
    num_workers : int, optional
        Number of tasks that run at once; by default Dask's ``num_workers``, else one for each core.
    pool : Executor, optional
        Executor whose threads help; by default Dask's ``pool``, else the scheduler's own.
    callbacks : optional
        Dask's callbacks, in addition to those that are registered.
    memory_limit : int or str, optional
        Bytes of results beyond which tasks that make more of them wait for tasks that free some, as a number or as
        Dask writes them ("2 GB"); by default Dask's setting ``bascule.memory-limit``, else there is none. Where waiting
        does not help, results that are read last (chunks, partitions, and lists and dicts of them) are spilled: written
        to files and read back by the tasks that take them.
    spill_directory : str or path or bool, optional
        Directory of those files until the call ends; by default Dask's setting ``bascule.spill-directory``, else its
        ``temporary-directory``, else the system's. False: nothing is spilled, and the limit is exceeded.
    **kwargs
        Left to schedulers that know them.

    Returns
    -------
    object or tuple
        The results, nested like `keys`.

    Raises
    ------
    OSError
        The disk is full or fails while results are spilled; the error names the path and the key.
    """
    pool = pool or config.get("pool", None)
    workers = num_workers or config.get("num_workers", None) or getattr(pool, "_max_workers", None) or CPU_COUNT
    limit = parse_bytes(memory_limit or config.get("bascule.memory-limit", None) or 0)
    spill_to = _folder(spill_directory) if limit else None
    wanted = list(flatten([keys]))
    with local_callbacks(callbacks) as active, ExitStack() as stack:
        graph = None if active else layers_of(dsk, wanted)
        if graph is None:
            graph = convert_legacy_graph(dsk if isinstance(dsk, Mapping) else dsk.__dask_graph__())
        c = stack.enter_context(_Watched(graph, wanted, bool(limit), spill_to, active)) if active else _Computation(graph, wanted, bool(limit), spill_to)  # fmt: skip
        del dsk, graph
        return c.run(keys, threads=workers, memory_limit=limit, pool=pool if isinstance(pool, Executor) else None)


def _folder(given: Any) -> Any:
    """Directory of spilled results; None: nowhere."""
    folder = config.get("bascule.spill-directory", None) if given is None else given
    if folder is False:
        return None
    return config.get("temporary-directory", None) or tempfile.gettempdir() if folder in (None, True) else folder
