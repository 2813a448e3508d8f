"""What a task of a graph does: evaluate its node, or run what was recorded of tasks of its form.

Blocks that were fused share one inner graph, whose order is found once for all of them. Where its functions are known to
look at nothing but their arguments, the first block is recorded, and blocks of the same shapes run as one native
expression without the GIL; so do the nodes of a tree reduction.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
from dask._task_spec import GraphNode, Task, TaskRef, _execute_subgraph
from toolz.functoolz import Compose

from .. import _core
from ..sched._record import Recorded, Recording, record, signature

ndarray = _core.ndarray

_MODULES = ("operator", "_operator", "numpy", "bascule", "dask.array", "dask.utils")
_BUT = ("numpy.random", "bascule.random", "dask.array.random", "bascule.dask._random")
_GETTERS = {"getter", "getter_nofancy", "getter_inline"}  # of what may lie in a file
_TRIES = 16  # recordings of one function that are made before somebody asks how often they are used


def argument(a: Any, values: Mapping) -> Any:
    if isinstance(a, TaskRef):
        return values[a.key]
    if isinstance(a, GraphNode):
        return a({k: values[k] for k in a.dependencies})
    return a


def run(node: Any, values: Mapping, plans: dict) -> Any:
    """What a node makes of the results that it depends on."""
    if type(node) is not Task:
        return node.run(values) if isinstance(node, Block) else argument(node, values)
    args = [argument(a, values) for a in node.args]
    if node.func is _execute_subgraph and not node.kwargs:
        inner, outkey, inkeys = args[:3]
        plan = plans.get((id(inner), outkey))
        if plan is None or plan.inkeys != inkeys:
            plan = plans[id(inner), outkey] = Plan(inner, outkey, inkeys, plans)
        del args[:3]
        return plan(args)
    if type(node.func) is Compose and not node.kwargs:
        tree = plans.get(id(node.func))
        if tree is None:
            tree = plans[id(node.func)] = Function(node.func)
        return tree(args)
    return node.func(*args, **{k: argument(a, values) for k, a in node.kwargs.items()})


def is_known(f: Any) -> bool:
    """Whether a function is one of NumPy's, Dask's or ours that computes with its arguments and does nothing else."""
    if isinstance(f, partial):
        return is_known(f.func) and _are_known((*f.args, *f.keywords.values()))
    if isinstance(f, Compose):
        return is_known(f.first) and all(is_known(g) for g in f.funcs)
    if isinstance(f, (np.ufunc, _core.ufunc)):
        return True
    module = getattr(f, "__module__", None) or ""
    return module.startswith(_MODULES) and not module.startswith(_BUT) and getattr(f, "__name__", "") not in _GETTERS


def _are_known(args: Any) -> bool:
    return all(is_known(a) for a in args if callable(a) and not isinstance(a, (type, np.dtype, TaskRef, GraphNode)))


class Function:
    """A function that many tasks call, with what was recorded of its calls."""

    def __init__(self, function: Callable):
        self.function = function
        self.recordings: dict[Any, Recording | None] = {}
        self.hits = 0
        self.recordable = self.is_known()

    def is_known(self) -> bool:
        return is_known(self.function)

    def recorded(self, args: list, program: _core.BlockProgram) -> Any:
        return self.function(*args)

    def plain(self, args: list) -> Any:
        return self.function(*args)

    def __call__(self, args: list) -> Any:
        if self.recordable:
            arrays: list[ndarray] = []
            try:
                key = signature(args, arrays)
                known = self.recordings.get(key, self)
            except TypeError:  # what cannot be a key
                return self.plain(args)
            if known is self:
                return self.first(key, args)
            if known is not None:
                self.hits += 1
                args.clear()
                return known(arrays)
        return self.plain(args)

    def first(self, key: Any, args: list) -> Any:
        recording, result = record(self.recorded, args)
        self.recordings[key] = recording
        self.recordable = len(self.recordings) < _TRIES or self.hits >= 4 * len(self.recordings)
        return self.plain(args) if recording is None else result


class Plan(Function):
    """A fused block: its nodes in order, each with what ends there."""

    def __init__(self, inner: dict, outkey: Any, inkeys: tuple, plans: dict):
        self.inner, self.outkey, self.inkeys, self.plans = inner, outkey, inkeys, plans
        given = set(inkeys)
        nodes = depth_first([outkey], lambda k: inner[k].dependencies - given)
        last = {d: k for k in nodes for d in inner[k].dependencies}
        self.steps = [(k, inner[k], [d for d in inner[k].dependencies if last[d] == k]) for k in nodes]
        super().__init__(self.plain)

    def is_known(self) -> bool:
        return all(
            type(n) is Task and n.func is not _execute_subgraph and is_known(n.func) and _are_known((*n.args, *n.kwargs.values()))
            for _, n, _ in self.steps
        )  # fmt: skip

    def recorded(self, args: list, program: _core.BlockProgram) -> Any:
        values = dict(zip(self.inkeys, args))
        for key, node, _ in self.steps:
            x = run(node, values, {})
            # What is made of no array is made once, and each block computes with it.
            values[key] = Recorded(x, program.constant(x), program, False) if type(x) is ndarray else x
        return values[self.outkey]

    def plain(self, args: list) -> Any:
        values = dict(zip(self.inkeys, args))
        args.clear()
        for key, node, ends in self.steps:
            values[key] = run(node, values, self.plans)
            for k in ends:
                del values[k]
        return values[self.outkey]


class Block:
    """A task that is known without a node of Dask's: a function of results, by their keys, and of other arguments."""

    __slots__ = ("function", "arguments", "needs")

    def __init__(self, function: Function, arguments: Any, needs: list):
        self.function, self.arguments, self.needs = function, arguments, needs

    @property
    def dependencies(self) -> list:
        return self.needs

    def run(self, values: Mapping) -> Any:
        return self.function(self.arguments(values))


def depth_first(wanted: list, dependencies: Any) -> dict:
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
