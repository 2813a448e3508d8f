"""Execution of a graph's task: its node is evaluated, or the program runs that was recorded of tasks of the same form.

Blocks that were fused share one inner graph, whose order is found once for all of them. Where its functions are known to
depend on nothing but their arguments, the first block is recorded, and blocks of the same shapes run as one native
expression without the GIL; so do the nodes of a tree reduction.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import partial
from operator import attrgetter, itemgetter, methodcaller
from types import FunctionType
from typing import Any

import numpy as np
from dask._task_spec import GraphNode, NestedContainer, Task, TaskRef, _execute_subgraph
from dask.utils import methodcaller as _dasks_methodcaller
from toolz.functoolz import Compose, curry

from .. import _core
from ..sched._record import Function, held

ndarray = _core.ndarray

_MODULES = ("operator", "_operator", "numpy", "bascule", "dask.array", "dask.utils")
_BUT = ("numpy.random", "bascule.random", "dask.array.random", "bascule.dask._random")
_CALLS = (attrgetter, itemgetter, methodcaller, _dasks_methodcaller)
_GETTERS = {"getter", "getter_nofancy", "getter_inline"}  # for data that may be in a file


def argument(a: Any, values: Mapping) -> Any:
    if isinstance(a, TaskRef):
        return values[a.key]
    if isinstance(a, GraphNode):
        return a({k: values[k] for k in a.dependencies})
    return a


def run(node: Any, values: Mapping, plans: dict) -> Any:
    """The result of a node, from the results that it depends on."""
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
            tree = plans[id(node.func)] = of_tree(node.func)
        return tree(args)
    return node.func(*args, **{k: argument(a, values) for k, a in node.kwargs.items()})


def is_known(f: Any) -> bool:
    """Whether a function is one of NumPy's, Dask's or ours that computes with its arguments and does nothing else.

    The function itself decides: another one may have the same name and module.
    """
    if isinstance(f, (partial, curry)):
        return is_known(f.func) and _are_known((*f.args, *f.keywords.values()))
    if isinstance(f, Compose):
        return is_known(f.first) and all(is_known(g) for g in f.funcs)
    if isinstance(f, (np.ufunc, _core.ufunc)):
        return True
    module = getattr(f, "__module__", None) or ""
    if not _is_in(module, _MODULES) or _is_in(module, _BUT) or _is_getter(f):
        return False
    if isinstance(f, FunctionType):
        home = f.__globals__.get("__name__", "")
        return _is_in(home, _MODULES) and not _is_in(home, _BUT)
    if isinstance(f, (type, *_CALLS)):
        return True
    return f is _member(module, getattr(f, "__qualname__", None) or getattr(f, "__name__", ""))


def _member(module: str, name: str) -> Any:
    """The member of a module, or of the package that it belongs to, by its name."""
    try:
        return attrgetter(name)(sys.modules[module])
    except (AttributeError, KeyError):
        return None


def _is_getter(f: Any) -> bool:
    return any(f is _member("dask.array.core", name) for name in _GETTERS)


def _is_in(module: str, packages: tuple[str, ...]) -> bool:
    return any(module == p or module.startswith(p + ".") for p in packages)


def _are_known(args: Any) -> bool:
    """Whether all functions among the arguments are known."""
    for a in args:
        if isinstance(a, (list, tuple)):
            known = _are_known(a)
        elif isinstance(a, dict):
            known = _are_known(a.values())
        elif isinstance(a, NestedContainer):
            known = _are_known((*a.args, *a.kwargs.values()))
        else:
            known = not callable(a) or isinstance(a, (type, np.dtype, GraphNode, TaskRef, ndarray)) or is_known(a)
        if not known:
            return False
    return True


def _is_known_task(n: Any) -> bool:
    known = type(n) is Task and n.func is not _execute_subgraph and is_known(n.func)
    return known and _are_known((*n.args, *n.kwargs.values()))


def of_tree(function: Callable) -> Function:
    """The function of a node of a tree reduction, applied to its nested lists."""
    return Function(function, is_known(function))


class Plan(Function):
    """A fused block. Functions of unknown effect run first, with all that they need; the rest may be recorded."""

    def __init__(self, inner: dict, outkey: Any, inkeys: tuple, plans: dict):
        self.inner, self.outkey, self.inkeys, self.plans = inner, outkey, inkeys, plans
        given = set(inkeys)
        nodes = list(depth_first([outkey], lambda k: inner[k].dependencies - given))
        early: set = set()
        for key in reversed(nodes):
            if key in early or not _is_known_task(inner[key]):
                early |= {key, *inner[key].dependencies}
        self.early = [(k, inner[k]) for k in nodes if k in early]
        late = [k for k in nodes if k not in early]
        last = {d: k for k in late for d in inner[k].dependencies}
        self.late = [(k, inner[k], [d for d in inner[k].dependencies if last[d] == k]) for k in late]
        self.needed = [k for k in last if k in early or k in given]
        super().__init__(self.plain, bool(late))

    def __call__(self, args: list) -> Any:
        values = dict(zip(self.inkeys, args))
        args.clear()
        for key, node in self.early:
            values[key] = run(node, values, self.plans)
        if not self.late:
            return values[self.outkey]
        args = [values[k] for k in self.needed]
        del values
        return super().__call__(args)

    def noted(self, args: list, program: _core.BlockProgram) -> Any:
        values = dict(zip(self.needed, args))
        for key, node, _ in self.late:
            x = run(node, values, {})
            # A node that depends on no array is evaluated once, and each block computes with its result.
            values[key] = held(x, program) if type(x) is ndarray else x
        return values[self.outkey]

    def expected(self, args: list) -> Any:
        return self.plain(args)

    def plain(self, args: list) -> Any:
        values = dict(zip(self.needed, args))
        args.clear()
        for key, node, ends in self.late:
            values[key] = run(node, values, self.plans)
            for k in ends:
                del values[k]
        return values[self.outkey]


class Block:
    """A task without a node of Dask's: a known function of results, by their keys, and of other arguments."""

    __slots__ = ("function", "arguments", "needs")

    def __init__(self, function: Function, arguments: Any, needs: list):
        self.function, self.arguments, self.needs = function, arguments, needs

    @property
    def dependencies(self) -> list:
        return self.needs

    def run(self, values: Mapping) -> Any:
        return self.function(self.arguments(values))


def depth_first(wanted: list, dependencies: Any) -> dict:
    """The keys that the wanted ones need, each after those that it depends on, as the keys of a dict."""
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
