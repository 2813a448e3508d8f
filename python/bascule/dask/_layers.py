"""Graphs of layers, taken before Dask makes a task object of each block.

One task stands for all blocks of an array's layer, with a rule for the blocks that it reads. Collections of bascule's
chunks need no more of Dask's optimisation than the fusion of these layers: their chunks are lazy until a reduction or the
caller asks for them, so operations across two layers are fused there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from dask import config
from dask._expr import HLGExpr, _HLGExprSequence
from dask._task_spec import DataNode, GraphNode, Task, TaskRef, _execute_subgraph, convert_legacy_task
from dask.array import optimization
from dask.array.optimization import GETTERS
from dask.blockwise import Blockwise, optimize_blockwise
from dask.highlevelgraph import HighLevelGraph
from toolz.functoolz import Compose

from .. import _core
from ..sched._record import Function
from ._plans import Block, Plan, of_tree

ndarray = _core.ndarray

_PLACE = "__dask_blockwise__"  # and a number: what stands for an argument in the task of a layer


class _BlockLayer:
    """A layer of blocks whose tasks are created on demand."""

    def __init__(self, layer: Blockwise, plans: dict):
        func, args, kwargs = layer.task.func, list(layer.task.args), layer.task.kwargs
        if func is not _execute_subgraph or kwargs:
            raise _Unknown
        inner, outkey, inkeys, *refs = args
        if not all(isinstance(r, TaskRef) and str(r.key).startswith(_PLACE) for r in refs):
            raise _Unknown
        if any(node.dependencies - set(inkeys) - inner.keys() for node in inner.values()):
            raise _Unknown  # it needs a result from outside the layers of blocks
        order = [int(r.key.removeprefix(_PLACE)) for r in refs]
        self.function = Plan(inner, outkey, inkeys, plans)
        # Of each argument the blocks along which axes of the output it is read by; None: the same for all blocks.
        self.sources: list[tuple[Any, list[int | None]] | None] = []
        self.fixed: list[Any] = []
        for n in order:
            source, axes = layer.indices[n]
            if axes is None:
                if isinstance(source, GraphNode) and not isinstance(source, TaskRef):
                    raise _Unknown
                is_result = isinstance(source, TaskRef)
                self.sources.append((source, []) if is_result else None)
                self.fixed.append(None if is_result else source)
                continue
            if set(axes) - set(layer.output_indices):
                raise _Unknown  # a contraction
            counts = layer.numblocks[source]
            self.sources.append((layer.io_deps.get(source, source), [None if c == 1 else layer.output_indices.index(i) for i, c in zip(axes, counts)]))  # fmt: skip
            self.fixed.append(None)

    def block(self, key: tuple) -> Block:
        at, args, needs = key[1:], list(self.fixed), []
        read = []
        for k, source in enumerate(self.sources):
            if source is None:
                continue
            of, axes = source
            if isinstance(of, TaskRef):
                needs.append(of.key)
                read.append((k, of.key))
                continue
            where = tuple([0 if a is None else at[a] for a in axes])
            if isinstance(of, str):
                needs.append((of, *where))
                read.append((k, needs[-1]))
            else:
                args[k] = of[where]

        def arguments(values: Mapping) -> list:
            given = list(args)
            for k, name in read:
                given[k] = values[name]
            return given

        return Block(self.function, arguments, needs)


class _Unknown(Exception):
    """A layer for which Dask has to create tasks."""


class Layers:
    """The graph of some collections, whose blocks become tasks on demand: its keys are never listed."""

    __iter__ = None  # else Python would look for the keys 0, 1, ...

    def __init__(self, graph: HighLevelGraph):
        self.plans: dict = {}
        self.blocks: dict[str, _BlockLayer] = {}
        self.tasks: dict = {}
        self.functions: dict[int, Function] = {}
        self.nodes: dict = {}
        for name, layer in graph.layers.items():
            try:
                if not isinstance(layer, Blockwise) or layer.is_materialized():
                    raise _Unknown
                self.blocks[name] = _BlockLayer(_as_subgraph(layer), self.plans)
            except _Unknown:
                self.tasks.update(layer)

    def __getitem__(self, key: Any) -> Any:
        node = self.nodes.get(key)
        if node is None:
            node = self.nodes[key] = self._node(key)
        return node

    def _node(self, key: Any) -> Any:
        if key in self.tasks:
            task = self.tasks[key]
            if type(task) is tuple and len(task) == 2 and type(task[1]) is list and isinstance(task[0], Compose):
                return self._of_tree(*task)
            node = convert_legacy_task(key, task, self)
            return node if isinstance(node, GraphNode) else DataNode(key, node)
        return self.blocks[key[0]].block(key)

    def _of_tree(self, function: Callable, keys: list) -> Block:
        known = self.functions.get(id(function))
        if known is None:
            known = self.functions[id(function)] = of_tree(function)
        needs: list = []
        _flatten(keys, needs)
        return Block(known, lambda values: [_look_up(keys, values)], needs)

    def __contains__(self, key: Any) -> bool:
        try:
            return key in self.tasks or (type(key) is tuple and bool(key) and key[0] in self.blocks)
        except TypeError:
            return False


def _flatten(keys: list, into: list) -> None:
    for k in keys:
        if type(k) is list:
            _flatten(k, into)
        else:
            into.append(k)


def _look_up(keys: list, values: Mapping) -> list:
    return [_look_up(k, values) if type(k) is list else values[k] for k in keys]


def _as_subgraph(layer: Blockwise) -> Blockwise:
    """A layer of one function as one of a graph that holds only it, the way layers that were fused come."""
    task = layer.task
    if task.func is _execute_subgraph:
        return layer
    names = tuple(f"{_PLACE}{i}" for i in range(len(layer.indices)))
    task = Task(layer.output, _execute_subgraph, {layer.output: task}, layer.output, names, *map(TaskRef, names))
    return Blockwise(layer.output, layer.output_indices, task, layer.indices, layer.numblocks, layer.concatenate, layer.new_axes, io_deps=layer.io_deps)  # fmt: skip


def layers_of(expression: Any, keys: list) -> Layers | None:
    """The graph of collections of bascule's chunks; None where a layer is unknown, so that Dask creates the tasks."""
    if not isinstance(expression, _HLGExprSequence) or config.get("optimization.fuse.active", None) is not None:
        return None
    graphs = []
    for part in expression.operands:
        if not isinstance(part, HLGExpr) or part.low_level_optimizer is not optimization.optimize:
            return None
        if not _is_ours(part.hlg):
            return None
        graphs.append(part.hlg)
    graph = HighLevelGraph.merge(*graphs)
    if any(layer.annotations or _reads_files(layer, graph) for layer in graph.layers.values()):
        return None
    taken = Layers(optimize_blockwise(graph, keys=keys))
    return taken if taken.blocks else None


def _is_ours(graph: HighLevelGraph) -> bool:
    """Whether all arrays have bascule's chunks; zero-dimensional ones may be NumPy's scalars."""
    annotations = [layer.collection_annotations or {} for layer in graph.layers.values()]
    kinds = {a.get("chunk_type") for a in annotations if a.get("shape") != ()} - {None}
    return bool(kinds) and all(kind.startswith("bascule.") for kind in kinds)


def _reads_files(layer: Any, graph: HighLevelGraph) -> bool:
    """Whether slices of what a layer reads may be taken while it is read, which Dask sees to."""
    if isinstance(layer, Blockwise) and not layer.is_materialized():
        if layer.task.func not in GETTERS:
            return False
        return any(axes is None and not _is_in_memory(source, graph) for source, axes in layer.indices[:1])
    return any(
        t.func in GETTERS[:3] and not _is_in_memory(t.args[0], graph) for t in layer.values() if isinstance(t, Task)
    )


def _is_in_memory(source: Any, graph: HighLevelGraph) -> bool:
    key = getattr(source, "key", source)
    if isinstance(key, str) and key in graph.layers:
        source = graph.layers[key].get(key)
    return isinstance(getattr(source, "value", source), (np.ndarray, ndarray)) and not isinstance(source, np.memmap)
