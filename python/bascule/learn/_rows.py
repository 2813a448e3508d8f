"""A fit as an aggregation over rows: a state of each block, merged in one fixed tree.

An `Aggregation` has a function `leaf` of a block of rows, which returns a state (a dict of arrays), and a function `merge`
of two states. Blocks and tree depend on the shapes alone, so a result has the same bits for any number of threads. A
state of the rows of one fold is as cheap as one of all rows: `aggregate` returns one state for each range of rows.
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .. import _core
from ..sched._graph import Graph, native
from ._chunks import is_chunked
from ._chunks import states as of_chunks
from ._kinds import is_on_device, near, shared, to_host

State = dict[str, Any]

_BLOCK_BYTES = 1 << 19  # of X in a block: with its centred copy it stays in the L2 cache
_DEVICE_BYTES = 1 << 29  # of the widest array of a block on a device
_FEWEST = 64  # rows of a block
_PENDING_BYTES = 1 << 24  # of states that are not merged yet


def add(a: State, b: State) -> State:
    """Merge states that are sums."""
    return {k: a[k] + b[k] for k in a}


class Aggregation:
    """The state of rows, and how two states are merged.

    Parameters
    ----------
    leaf : callable
        ``leaf(*blocks, *fixed)`` returns a state: a dict of arrays; ``"weight"`` is the number of rows if it has none.
    merge : callable
        ``merge(a, b)``; both have the same leading axes, one element for each pair of states.
    recorded : bool, optional
        The leaf uses operations that `bascule.sched.native` records, so that blocks run without the GIL.
    columns : callable, optional
        ``columns(*rows, *fixed)``: of the widest array that a leaf makes, if that is wider than X.
    whole : callable, optional
        ``whole(*rows)``: the state of many rows in the host's memory by one call of the core, or None for those that it
        does not take. A leaf has few of them, which it sums as scikit-learn does.
    """

    def __init__(
        self,
        leaf: Callable[..., State],
        merge: Callable[[State, State], State],
        recorded: bool = True,
        columns: Callable[..., int] | None = None,
        whole: Callable[..., State | None] | None = None,
    ):
        self.leaf, self.merge, self.columns, self.whole = leaf, merge, columns, whole
        self.program = native(leaf) if recorded else None

    def __reduce__(self) -> tuple:
        """Recorded again where it is read."""
        return type(self), (self.leaf, self.merge, self.program is not None, self.columns, self.whole)

    def __call__(self, rows: Sequence[Any], fixed: Sequence[Any] = (), columns: int = 0) -> State:
        """The state of all rows."""
        return self.by_range(rows, [(0, len(rows[0]))], fixed, columns)[0]

    def by_range(
        self, rows: Sequence[Any], ranges: Sequence[tuple[int, int]], fixed: Sequence[Any] = (), columns: int = 0
    ) -> list[State]:
        """The state of each range of rows, in one pass over them.

        Parameters
        ----------
        rows : sequence of array
            Arrays of the same length, all NumPy's or all on one device.
        ranges : sequence of (int, int)
        fixed : sequence of array
            Arrays that every block reads as a whole.
        columns : int
            Of intermediate arrays, where there are more than columns of X.
        """
        if is_chunked(rows[0]):
            return [of_chunks(self, [x[i:j] for x in rows], fixed) for i, j in ranges]
        if is_on_device(rows[0]):
            return [self._on_device([x[i:j] for x in rows], fixed, columns) for i, j in ranges]
        if not columns and self.columns is not None:
            columns = self.columns(*rows, *fixed)
        step = block_rows(rows[0], columns)
        if all(j - i <= step for i, j in ranges):
            return [self._leaf([x[i:j] for x in rows], fixed) for i, j in ranges]
        if self.whole is not None and all(_is_dense(x) and x.dtype == rows[0].dtype for x in rows):
            found = [self.whole(*(x[i:j] for x in rows)) for i, j in ranges]
            if all(state is not None for state in found):
                return [s | {"weight": np.float64(j - i)} for s, (i, j) in zip(found, ranges)]  # type: ignore[operator]
        return [self._in_blocks([x[i:j] for x in rows], fixed, step) for i, j in ranges]

    def of_blocks(self, rows: Sequence[Any], step: int, count: int, fixed: Sequence[Any] = ()) -> State:
        """The states of the first blocks of `step` rows, which are in the host's memory, stacked."""
        states = self._plain(rows, fixed, step) if self.program is None else self._recorded(rows, fixed, step)
        return _on_all_threads(states, 0, count)

    def _leaf(self, blocks: Sequence[Any], fixed: Sequence[Any]) -> State:
        state = self.leaf(*blocks, *fixed)
        state.setdefault("weight", np.float64(len(blocks[0])))
        return state

    def _on_device(self, rows: Sequence[Any], fixed: Sequence[Any], columns: int) -> State:
        """Few blocks: the device's own reductions are its parallel tree. Only states are copied to the host."""
        moved = near(rows[0], *fixed)
        columns = max(columns, self.columns(*rows, *fixed) if self.columns is not None else 0)
        step = max(min(rows_there(rows[0], columns), len(rows[0])), 1)
        while True:
            try:
                return self._blocks_there(rows, moved, step)
            except MemoryError:
                if step <= _FEWEST:
                    raise
                step = max(step // 2, _FEWEST)

    def _blocks_there(self, rows: Sequence[Any], moved: Sequence[Any], step: int) -> State:
        n, found = rows[0].shape[0], []
        for begin in range(0, max(n, 1), step):
            state = evaluated(self.leaf(*(x[begin : begin + step] for x in rows), *moved))
            state.setdefault("weight", np.float64(min(step, n - begin)))
            found.append(state)
        return found[0] if len(found) == 1 else self._tree({name: np.stack([s[name] for s in found]) for name in found[0]})  # fmt: skip

    def _in_blocks(self, rows: Sequence[Any], fixed: Sequence[Any], step: int) -> State:
        n = len(rows[0])
        whole = n // step
        states = self._plain(rows, fixed, step) if self.program is None else self._recorded(rows, fixed, step)
        first = states(0, 1)
        group = max(2, _PENDING_BYTES // max(1, sum(x.nbytes for x in first.values())))
        merged = []
        for begin in range(0, whole, group):
            merged.append(self._tree(_on_all_threads(states, begin, min(begin + group, whole))))
        if n > whole * step:
            merged.append(self._leaf([x[whole * step :] for x in rows], fixed))
        return self._tree({name: np.stack([s[name] for s in merged]) for name in first})

    def _plain(self, rows: Sequence[Any], fixed: Sequence[Any], step: int) -> Callable[[int, int], State]:
        """The states of blocks, stacked, by the leaf itself."""

        def states(begin: int, end: int) -> State:
            found = [self._leaf([x[k * step : (k + 1) * step] for x in rows], fixed) for k in range(begin, end)]
            return {name: np.stack([s[name] for s in found]) for name in found[0]}

        return states

    def _recorded(self, rows: Sequence[Any], fixed: Sequence[Any], step: int) -> Callable[[int, int], State]:
        """The same by its program, without the GIL."""
        cut, held = (list(map(shared, arrays)) for arrays in (rows, fixed))
        assert self.program is not None
        recording = self.program.recorded(*(x[:step] for x in cut), *held)

        def states(begin: int, end: int) -> State:
            found = recording.rows(cut, held, step, begin, end - begin)
            weight = {"weight": np.full(end - begin, float(step))}
            return weight | {name: np.asarray(x) for name, x in found.items()}

        return states

    def _tree(self, states: State) -> State:
        """The state of all: neighbours are merged, then neighbours of the results."""
        count = len(states["weight"])
        while count > 1:
            half = count // 2
            a = {k: x[0 : 2 * half : 2] for k, x in states.items()}
            b = {k: x[1 : 2 * half : 2] for k, x in states.items()}
            merged = self.merge(a, b)
            if count % 2:
                merged = {k: np.concatenate([x, states[k][-1:]]) for k, x in merged.items()}
            states, count = merged, half + count % 2
        return {k: x[0] for k, x in states.items()}

    def without_each(self, states: Sequence[State]) -> list[State]:
        """For each state the merge of all others: the training sets of folds."""
        before, after = [states[0]], [states[-1]]
        for s in states[1:-1]:
            before.append(self.merge(before[-1], s))
        for s in states[-2:0:-1]:
            after.append(self.merge(s, after[-1]))
        after.reverse()
        return [after[0], *(self.merge(b, a) for b, a in zip(before, after[1:])), before[-1]]


MANY = 128  # columns of intermediate arrays for which blocks have the fewest rows


class RowFunction:
    """Arrays with a row for each row of the input, computed by blocks on all threads without the GIL.

    Parameters
    ----------
    function : callable
        ``function(*blocks, *fixed)`` returns a dict of arrays, whose first axis is the rows of the blocks. It uses
        operations that `bascule.sched.native` records.
    """

    def __init__(self, function: Callable[..., State]):
        self.function = function
        self.stacked = Aggregation(function, _no_merge)

    def __call__(self, rows: Sequence[Any], fixed: Sequence[Any] = (), columns: int = 0) -> State:
        """The arrays for all rows, which are NumPy's, or on the device of the rows and pending."""
        if is_on_device(rows[0]):
            return self.function(*rows, *near(rows[0], *fixed))
        found = self.blocks(rows, fixed, columns)
        return {name: joined(found, name) for name in found[0]}

    def blocks(self, rows: Sequence[Any], fixed: Sequence[Any] = (), columns: int = 0) -> list[State]:
        """The results for blocks of the same length, stacked, and those for the rest of the rows, stacked.

        Parameters
        ----------
        columns : int
            Of intermediate arrays, where there are more than columns of X.
        """
        if is_on_device(rows[0]):
            step = rows_there(rows[0], columns)
            moved = near(rows[0], *fixed)
            return [
                {k: x[None] for k, x in evaluated(self.function(*(x[i : i + step] for x in rows), *moved)).items()}
                for i in range(0, len(rows[0]), step)
            ]
        n, step = len(rows[0]), block_rows(rows[0], min(columns, MANY))
        whole = n // step
        found = []
        if whole > 1:
            found.append(self.stacked.of_blocks(rows, step, whole, fixed))
            del found[0]["weight"]
            rows = [x[whole * step :] for x in rows]
        if whole < 2 or len(rows[0]):
            found.append({k: np.asarray(x)[None] for k, x in self.function(*rows, *fixed).items()})
        return found


def joined(parts: list[State], name: str) -> np.ndarray:
    """An array with a row for each row of the input, from the results for blocks."""
    found = [part[name].reshape(-1, *part[name].shape[2:]) for part in parts]
    return found[0] if len(found) == 1 else np.concatenate(found)


def summed(parts: list[State], name: str) -> np.ndarray:
    """The sum over all blocks."""
    found = [part[name].sum(axis=0) for part in parts]
    return functools.reduce(operator.add, found)


def _no_merge(a: State, b: State) -> State:
    raise AssertionError("rows are not merged")


def block_rows(x: Any, columns: int = 0) -> int:
    """Rows in a block of X: a function of its columns alone, or of those of a wider array that is made of it. A state
    with a square of the columns costs no more than the block."""
    columns = max(columns, math.prod(x.shape[1:]), 1)
    return max(_BLOCK_BYTES // (8 * columns), 4 * columns, _FEWEST)


def rows_there(x: Any, columns: int = 0) -> int:
    """Rows of a block on a device, by the memory of the widest array that is made of it."""
    return max(_DEVICE_BYTES // (8 * max(columns, math.prod(x.shape[1:]), 1)), _FEWEST)


def evaluated(state: State) -> State:
    """A state of a device's rows as NumPy's arrays, all of them computed together."""
    _core.evaluate(*(x for x in state.values() if type(x) is _core.ndarray))
    return {k: to_host(x) for k, x in state.items()}


def _is_dense(x: Any) -> bool:
    """Whether the core's functions of rows read the array as it is."""
    return x.ndim == 2 and x.dtype in (np.float64, np.float32) and x.flags.c_contiguous


def _on_all_threads(states: Callable[[int, int], State], begin: int, end: int) -> State:
    found = in_parts(lambda i, j: states(begin + i, begin + j), end - begin)
    return found[0] if len(found) == 1 else {name: np.concatenate([s[name] for s in found]) for name in found[0]}


def in_parts(blocks: Callable[[int, int], Any], count: int) -> list[Any]:
    """``blocks(begin, end)`` of parts of `count` blocks, on all threads."""
    threads = _core.get_num_threads()
    if threads == 1 or count < 2:
        return [blocks(0, count)]
    part = -(-count // (4 * threads))
    graph = Graph()
    return graph.run([graph.add(blocks, k, min(k + part, count)) for k in range(0, count, part)])
