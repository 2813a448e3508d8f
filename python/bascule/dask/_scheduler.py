"""Dask's graphs on one machine: ``scheduler="bascule"``.

The calling thread runs tasks itself; where they are long enough to be worth it, threads of a pool help. So it never waits
unless somebody else runs a task, and a task that computes a collection of its own needs no free thread. Tasks run depth
first, so that what a reduction takes is gone before more is made; only a graph in which results are shared is ordered by
Dask. Blocks that were fused share one inner graph, whose order is found once for all of them.
"""

from __future__ import annotations

import heapq
import os
import threading
import time
from collections.abc import Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from contextvars import copy_context
from typing import Any

from dask import config, threaded
from dask._task_spec import DataNode, GraphNode, Task, TaskRef, _execute_subgraph, convert_legacy_graph
from dask.callbacks import Callback
from dask.core import flatten
from dask.local import nested_get
from dask.order import order
from dask.system import CPU_COUNT

_LONG = 1e-4  # seconds of a task from which on others may help: waking a thread takes a good part of that
_SHORT = 3e-5  # seconds of tasks below which threads only wait for each other
_LOOK = 5e-3  # seconds after which somebody looks whether the first thread is still at the same task
_MOST_THREADS = 256

_pool: Executor | None = None
_lock = threading.Lock()


def _forget_pool() -> None:
    global _pool, _lock
    _pool, _lock = None, threading.Lock()


os.register_at_fork(after_in_child=_forget_pool)  # a child has none of the threads


def _threads() -> Executor:
    global _pool
    with _lock:
        if _pool is None:
            _pool = ThreadPoolExecutor(_MOST_THREADS, "bascule-dask")  # which starts threads when none is idle
        return _pool


def _argument(a: Any, values: Mapping) -> Any:
    if isinstance(a, TaskRef):
        return values[a.key]
    if isinstance(a, GraphNode):
        return a({k: values[k] for k in a.dependencies})
    return a


def _run(node: GraphNode, values: Mapping, plans: dict) -> Any:
    """What a node makes of the results that it depends on."""
    if type(node) is not Task:
        return _argument(node, values)
    args = [_argument(a, values) for a in node.args]
    if node.func is _execute_subgraph and not node.kwargs:
        inner, outkey, inkeys = args[:3]
        plan = plans.get((id(inner), outkey))
        if plan is None or plan.inkeys != inkeys:
            plan = plans[id(inner), outkey] = _Plan(inner, outkey, inkeys)
        return plan(args[3:], plans)
    return node.func(*args, **{k: _argument(a, values) for k, a in node.kwargs.items()})


class _Plan:
    """A fused block, whose inner graph all blocks of a layer have as one object: its nodes in order, each with what ends there."""

    def __init__(self, inner: dict, outkey: Any, inkeys: tuple):
        self.inner, self.outkey, self.inkeys = inner, outkey, inkeys
        given = set(inkeys)
        nodes = _depth_first([outkey], lambda k: inner[k].dependencies - given)
        last = {d: k for k in nodes for d in inner[k].dependencies}
        self.steps = [(k, inner[k], [d for d in inner[k].dependencies if last[d] == k]) for k in nodes]

    def __call__(self, given: list, plans: dict) -> Any:
        values = dict(zip(self.inkeys, given))
        given.clear()
        for key, node, ends in self.steps:
            values[key] = _run(node, values, plans)
            for k in ends:
                del values[k]
        return values[self.outkey]


def _depth_first(wanted: list, dependencies: Any) -> dict:
    """Keys that the wanted ones need, each behind what it depends on, as the keys of a dict."""
    done: dict[Any, None] = {}
    open_: set = set()
    stack = list(reversed(wanted))
    while stack:
        key = stack[-1]
        if key in done:
            stack.pop()
        elif key in open_:
            stack.pop()
            open_.discard(key)
            done[key] = None
        else:
            open_.add(key)
            for d in dependencies(key):
                if d in open_:
                    raise RuntimeError(f"Cycle detected in Dask: {d!r}->{key!r}")
                if d not in done:
                    stack.append(d)
    return done


class _Computation:
    """One call: which tasks are left, which can start, what is known so far."""

    def __init__(self, graph: dict, wanted: list):
        self.wanted = set(wanted)
        keys = _depth_first(wanted, lambda k: graph[k].dependencies)
        self.values = {k: graph[k].value for k in keys if type(graph[k]) is DataNode}
        tasks = [k for k in keys if k not in self.values]
        self.users: dict[Any, int] = dict.fromkeys(keys, 0)
        for k in tasks:
            for d in graph[k].dependencies:
                self.users[d] += 1
        if any(self.users[k] > 1 for k in tasks):  # no tree
            rank = order({k: graph[k] for k in keys})
            tasks.sort(key=rank.__getitem__)
        self.keys, self.nodes = tasks, [graph[k] for k in tasks]
        self.waits = [sum(d not in self.values for d in node.dependencies) for node in self.nodes]
        self.dependents: dict[Any, list[int]] = {k: [] for k in keys}
        for i, node in enumerate(self.nodes):
            for d in node.dependencies:
                self.dependents[d].append(i)
        self.ready = [i for i, n in enumerate(self.waits) if not n]  # in order, so a heap
        self.left = len(tasks)
        self.plans: dict[tuple, _Plan] = {}
        self.failure: BaseException | None = None
        self.stopped = False
        self.began = time.perf_counter()  # when the calling thread took its task
        self.changed, self.over = threading.Condition(threading.Lock()), threading.Event()
        self.idle: list = []  # contexts of threads that may help and do not

    def evaluate(self, i: int) -> Any:
        try:
            return _run(self.nodes[i], self.values, self.plans)
        except BaseException as error:
            if isinstance(error, Exception) and config.get("rerun_exceptions_locally", False):
                _run(self.nodes[i], self.values, self.plans)
            if not any(note.startswith("[bascule.dask]") for note in getattr(error, "__notes__", ())):
                error.add_note(f"[bascule.dask] while computing {self.keys[i]!r}")
            raise

    def finish(self, i: int, result: Any) -> None:
        """Keep a result, let go of what nobody needs any more, and see what can start now."""
        key = self.keys[i]
        self.values[key] = result
        for d in self.nodes[i].dependencies:
            self.users[d] -= 1
            if not self.users[d] and d not in self.wanted:
                del self.values[d]
        for j in self.dependents.pop(key):
            self.waits[j] -= 1
            if not self.waits[j]:
                heapq.heappush(self.ready, j)
        self.left -= 1

    def work(self, context: Any = None) -> None:
        """Run tasks beside other threads that do the same, until nothing is left or, for helpers, tasks are too short."""
        done, start = 0, time.perf_counter()
        with self.changed:
            while not self.stopped and self.left:
                if not self.ready:
                    self.changed.wait()
                    continue
                if context is not None and (done := done + 1) % 32 == 0:
                    now = time.perf_counter()
                    if now - start < 32 * _SHORT:
                        self.idle.append(context)
                        self.changed.notify()  # somebody else may take what it leaves
                        return
                    start = now
                i = heapq.heappop(self.ready)
                began = time.perf_counter()
                if context is None:
                    self.began = began
                self.changed.release()
                result, error = None, None
                try:
                    result = self.evaluate(i)
                except BaseException as raised:
                    error = raised
                finally:
                    self.changed.acquire()
                if error is not None:
                    self.failure, self.stopped = self.failure or error, True
                elif not self.stopped:
                    before = len(self.ready)
                    self.finish(i, result)
                    self.changed.notify(max(len(self.ready) - before - 1, 0))
                    if self.idle and self.ready and time.perf_counter() - began > _LONG:
                        self.ask_for_help()
                del result, error
            self.changed.notify_all()

    def ask_for_help(self) -> None:
        """Wake as many threads as there are tasks for; with the lock held."""
        for _ in range(min(len(self.idle), len(self.ready))):
            context = self.idle.pop()
            self.pool.submit(context.run, self.work, context)

    def watch(self) -> None:
        """Ask for help for a thread that is long at a task, so that it cannot do it itself."""
        while not self.over.wait(_LOOK):
            with self.changed:
                if time.perf_counter() - self.began > _LOOK:
                    self.ask_for_help()

    def run(self, helpers: int, pool: Executor | None) -> None:
        self.idle = [copy_context() for _ in range(min(helpers, self.left - 1))]
        self.pool = pool or _threads()
        if self.idle:
            _threads().submit(self.watch)
        try:
            self.work()
        finally:
            self.over.set()
            with self.changed:
                self.stopped = True
                self.changed.notify_all()
        if self.failure is not None:
            raise self.failure


def get(dsk: Any, keys: Any, *, num_workers: int | None = None, pool: Any = None, callbacks: Any = None, **kwargs: Any) -> Any:  # fmt: skip
    """Compute keys of a graph, as ``dask.threaded.get`` does.

    Parameters
    ----------
    dsk : Expr or Mapping
        The graph.
    keys : key or list
        What to compute; lists may be nested.
    num_workers : int, optional
        How many tasks may run at a time; by default Dask's ``num_workers``, else one a core.
    pool : Executor, optional
        Whose threads help; by default Dask's ``pool``, else the scheduler's own.
    callbacks : optional
        Dask's callbacks. Where there are any, Dask's own scheduler runs the graph, whose state they look at.
    **kwargs
        Left to schedulers that know them.

    Returns
    -------
    object or tuple
        The results, nested like `keys`.
    """
    if callbacks or Callback.active:
        return threaded.get(dsk, keys, num_workers=num_workers, pool=pool, callbacks=callbacks, **kwargs)
    pool = pool or config.get("pool", None)
    workers = num_workers or config.get("num_workers", None) or getattr(pool, "_max_workers", None) or CPU_COUNT
    graph = convert_legacy_graph(dsk if isinstance(dsk, Mapping) else dsk.__dask_graph__())
    computation = _Computation(graph, list(flatten([keys])))
    del dsk, graph
    computation.run(workers - 1, pool if isinstance(pool, Executor) else None)
    return nested_get(keys, computation.values)
