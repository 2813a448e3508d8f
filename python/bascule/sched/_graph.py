"""Task graphs for users' programs, and block-by-block reductions of arrays that are larger than memory."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Hashable, Sequence
from contextlib import ExitStack
from typing import Any

import numpy as np

from .. import _core
from ._record import Function, Recording, signature
from ._run import run_tasks
from ._spill import Spill

__all__ = ["Graph", "Handle", "native", "reduce_blocks"]


class Handle:
    """A task of a `Graph`, used as a dependency of other tasks and as an output of ``run``.

    Attributes
    ----------
    key : hashable
        Name of the task in errors.

    Examples
    --------
    >>> import bascule as bc
    >>> graph = bc.sched.Graph()
    >>> graph.add(abs, -3, key="three").key
    'three'
    """

    __slots__ = ("_number", "_owner", "key")

    def __init__(self, owner: Graph, number: int, key: Hashable):
        self._owner, self._number, self.key = owner, number, key

    def __repr__(self) -> str:
        return f"<task {self.key!r}>"


class Graph:
    """Tasks that depend on the outputs of other tasks.

    Examples
    --------
    >>> import bascule as bc
    >>> g = bc.sched.Graph()
    >>> parts = [g.add(lambda i: bc.arange(4.0) + i, i, key=f"part {i}") for i in range(3)]
    >>> total = g.add(lambda xs: float(sum(x.sum() for x in xs)), parts, key="total")
    >>> g.run(total)
    30.0
    """

    def __init__(self) -> None:
        self._graph = _core.TaskGraph()
        self._tasks: list[tuple[Callable, tuple]] = []
        self._keys: dict[Hashable, int] = {}

    def __len__(self) -> int:
        return len(self._tasks)

    def add(self, function: Callable, /, *dependencies: Any, key: Hashable = None, priority: int = 0, size: int | None = None) -> Handle:  # fmt: skip
        """Add a task.

        Parameters
        ----------
        function : callable
            Called with the outputs of the dependencies. A function decorated with `native` runs without the GIL.
        *dependencies
            Tasks of this graph, which are replaced by their outputs, also in lists and tuples; other objects are passed
            as they are.
        key : hashable, optional
            Name of the task in errors; by default its number.
        priority : int, optional
            Tasks with lower numbers start first; those with the same number in depth-first order of the outputs.
        size : int, optional
            Bytes of the output, if known beforehand.

        Returns
        -------
        Handle
            The task.

        Raises
        ------
        ValueError
            The key exists already, a dependency belongs to another graph, or the size is negative.
        TypeError
            `function` is not callable.
        """
        if not callable(function):
            raise TypeError(f"[sched] a task is a function, got {type(function).__name__}")
        key = len(self._tasks) if key is None else key
        if key in self._keys:
            raise ValueError(f"[sched] there is a task {key!r} already")
        if size is not None and size < 0:
            raise ValueError(f"[sched] the size of an output is not negative, got {size}")
        needs: list[int] = []
        self._collect(dependencies, needs)
        number = self._graph.add(needs, priority, -1 if size is None else size)
        self._tasks.append((function, dependencies))
        self._keys[key] = number
        return Handle(self, number, key)

    def _collect(self, x: Any, into: list[int]) -> None:
        if isinstance(x, Handle):
            if x._owner is not self:
                raise ValueError(f"[sched] task {x.key!r} is one of another graph")
            into.append(x._number)
        elif type(x) in (list, tuple):
            for y in x:
                self._collect(y, into)

    def run(self, outputs: Any, *, memory_limit: int | None = None, spill_directory: Any = None, progress: Callable[[int, int], object] | None = None, threads: int | None = None) -> Any:  # fmt: skip
        """Run the tasks that the outputs depend on and return the outputs.

        The calling thread runs tasks, and other threads help if the tasks are long enough. Ctrl-C ends the run; an
        error of a task is raised as it is, with a note that names the task's key. Outputs that no task needs any more
        are dropped at once. A task may run other graphs.

        Parameters
        ----------
        outputs : Handle or list or tuple
            The tasks whose outputs are returned, nested in any way.
        memory_limit : int, optional
            Bytes of outputs beyond which tasks that add more wait for tasks that free some. The limit may be exceeded
            if no other task can run and nothing can be spilled.
        spill_directory : str or path, optional
            A folder on disk: outputs beyond the limit are written to files in it (arrays and frames, also in lists,
            tuples and dicts), read back by the tasks that use them, and deleted at the end of the run.
        progress : callable, optional
            Called as ``progress(done, all)`` after each task, on the thread that ran it.
        threads : int, optional
            Number of tasks that may run at a time; by default that of `get_num_threads`.

        Returns
        -------
        object
            The outputs, nested like `outputs`.

        Raises
        ------
        ValueError
            An output belongs to another graph, or a limit is not positive.
        OSError
            Writing to the disk fails.
        """
        wanted: list[int] = []
        self._collect(outputs, wanted)
        for name, limit in (("memory_limit", memory_limit), ("threads", threads)):
            if limit is not None and limit < 1:
                raise ValueError(f"[sched] {name} must be positive, got {limit}")
        results: dict[int, Any] = {}
        names = list(self._keys)

        stack = ExitStack()
        spill = None
        if spill_directory is not None:
            spill = stack.enter_context(Spill(results, spill_directory, names.__getitem__))

        def step(number: int) -> int | None:
            function, dependencies = self._tasks[number]
            try:
                read = results if spill is None else self._fetched(dependencies, spill)
                result = function(*_looked_up(dependencies, read))
            except BaseException as error:
                if not any(note.startswith("[sched]") for note in getattr(error, "__notes__", ())):
                    error.add_note(f"[sched] while running task {names[number]!r}")
                raise
            results[number] = result
            return _bytes(result) if memory_limit else None

        def release(numbers: list[int]) -> None:
            for n in numbers:
                del results[n]

        finished = None if progress is None else lambda _, done, total: progress(done, total)
        with stack:
            run_tasks(self._graph, wanted, step, spill.release if spill else release, finished, threads or _core.get_num_threads(),
                      memory_limit or 0, spill=spill and spill.spill)  # fmt: skip
            return _looked_up(outputs, self._fetched(outputs, spill) if spill else results)

    def _fetched(self, x: Any, spill: Spill) -> dict[int, Any]:
        """The outputs of the tasks in x, read back if they were spilled."""
        needs: list[int] = []
        self._collect(x, needs)
        return {n: spill.fetch(n) for n in needs}


def _bytes(x: Any) -> int | None:
    """Bytes of an output; None if they are not known."""
    if type(x) in (list, tuple, dict):
        return sum(_bytes(y) or 0 for y in (x.values() if type(x) is dict else x))
    if hasattr(type(x), "memory_usage") and hasattr(type(x), "index"):  # a frame or a series
        used = x.memory_usage(index=True)
        return int(used if np.ndim(used) == 0 else used.sum())
    size = getattr(x, "nbytes", None)
    return size if isinstance(size, int) else None


def _looked_up(x: Any, results: dict[int, Any]) -> Any:
    if isinstance(x, Handle):
        return results[x._number]
    return type(x)(_looked_up(y, results) for y in x) if type(x) in (list, tuple) else x


class native(Function):
    """Decorate a function of arrays to run as one native expression per kind of block, without the GIL.

    The function is called once for each combination of shapes and types, with stand-ins that record the operations on
    them: ufuncs, basic indexing, casts, reshaping, ``concatenate``, and sums, products, extrema, ``any`` and ``all``.
    It must depend on its arguments only; its side effects happen once.

    Parameters
    ----------
    function : callable
        Takes arrays, numbers, and lists of arrays; returns an array or a dict of arrays.

    Raises
    ------
    TypeError
        At the call: the function does something that cannot be recorded.

    Examples
    --------
    >>> import bascule as bc
    >>> step = bc.sched.native(lambda x: (x * 2 + 1).sum())
    >>> [float(step(bc.full(100_000, v))) for v in (0.0, 1.0)]
    [100000.0, 300000.0]
    """

    def __init__(self, function: Callable):
        if not callable(function):
            raise TypeError(f"[sched] native takes a function, got {type(function).__name__}")
        super().__init__(function)

    def __call__(self, *args: Any) -> Any:
        return super().__call__(list(args))

    def plain(self, args: list) -> Any:
        name = getattr(self.function, "__name__", repr(self.function))
        raise TypeError(f"[sched] {name} does something that is no native expression; call it without native")

    def recorded(self, *args: Any) -> Recording:
        """The program for arguments of these kinds."""
        key = signature(list(args), [])
        if key not in self.recordings:
            self(*args)
        found = self.recordings[key]
        assert found is not None
        return found

    def first(self, key: Any, args: list) -> Any:
        result = super().first(key, args)
        self.recordable = True
        return result


def reduce_blocks(block: Callable[[tuple[slice, ...]], Any], shape: Sequence[int], chunks: Sequence[int], combine: Callable[[list], Any], *,
                  group: int = 8, memory_limit: int | None = None, progress: Callable[[int, int], object] | None = None, threads: int | None = None) -> Any:  # fmt: skip
    """Tree reduction of an array that need not fit into memory, block by block.

    It covers reductions with one small result for each block (sums, moments, extrema, histograms), of blocks that are
    computed or read when they are needed. It does not cover operations on several blocks at a time, such as sorting or
    matrix products.

    Parameters
    ----------
    block : callable
        ``block(where)``: the contribution of the block at a tuple of slices.
    shape : sequence of int
        Shape of the whole array.
    chunks : sequence of int
        Shape of a block; the last ones may be shorter.
    combine : callable
        ``combine(list)``: combines several contributions, in the order of the blocks.
    group : int, optional
        Number of contributions that are combined at a time.
    memory_limit, progress, threads
        As for `Graph.run`.

    Returns
    -------
    object
        The last combination.

    Raises
    ------
    ValueError
        There is no block, lengths differ, or `group` is less than 2.

    Examples
    --------
    The mean of every other element of an array of 2 GB, of which a block at a time exists at most:

    >>> import bascule as bc
    >>> def total(where):
    ...     rng = bc.random.default_rng([s.start for s in where])
    ...     x = rng.normal(10, 1, tuple(s.stop - s.start for s in where))
    ...     return (x + 1)[::2, ::2].sum()
    >>> shape = (16_000, 16_000)
    >>> round(float(bc.sched.reduce_blocks(total, shape, (2000, 2000), sum)) / (8000 * 8000), 2)
    11.0
    """
    shape, chunks = tuple(shape), tuple(chunks)
    if len(shape) != len(chunks) or any(c < 1 for c in chunks) or math.prod(shape) < 1:
        raise ValueError(f"[sched] blocks of {chunks} do not divide an array of {shape}")
    if group < 2:
        raise ValueError(f"[sched] at least two contributions are combined at a time, got {group}")
    graph = Graph()
    axes = [[slice(k, min(k + c, n)) for k in range(0, n, c)] for n, c in zip(shape, chunks)]
    level = [graph.add(_computed, block, where, key=("block", *(s.start for s in where))) for where in itertools.product(*axes)]  # fmt: skip
    for depth in itertools.count(1):
        level = [graph.add(_computed, combine, level[k : k + group], key=("combined", depth, k // group)) for k in range(0, len(level), group)]  # fmt: skip
        if len(level) == 1:
            return graph.run(level[0], memory_limit=memory_limit, progress=progress, threads=threads)
    raise AssertionError


def _computed(function: Callable, argument: Any) -> Any:
    """The result, fully computed, so that its operands can be freed."""
    result = function(argument)
    if isinstance(result, _core.ndarray):
        _core.evaluate(result)
    return result
