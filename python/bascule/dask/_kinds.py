"""One kind of partitions in each expression: where pandas' and bascule's meet, pandas' are converted to bascule first.

A backend is chosen for what Dask reads, while ``dd.from_pandas`` and eager operands keep the kind that they have: so both kinds
come together in programs that ask for neither.
"""

from __future__ import annotations

import functools
from typing import Any

from ._own_frames import is_ours, module_of_frames
from ._patches import replace


def _kind(x: Any) -> str | None:
    """The kind of an operand's partitions, or of an eager operand; None where it is neither."""
    lazy = hasattr(type(x), "_meta")
    try:
        there = x._meta if lazy else x
    except Exception:  # an expression without partitions, or one that says what they are when it runs
        return None
    if is_ours(there):
        return "bascule" if lazy or hasattr(type(there), "iloc") else "labels"
    theirs = type(there).__module__.partition(".")[0] == "pandas"
    rows = hasattr(type(there), "iloc") or (lazy and hasattr(type(there), "nlevels"))
    return "pandas" if theirs and rows else None


def _as_bascule(x: Any) -> Any:
    if _kind(x) != "pandas":
        return x
    if not hasattr(type(x), "_meta"):
        return module_of_frames().from_pandas(x)
    from ._frame import ToBasculeBackend

    return ToBasculeBackend(getattr(x, "expr", x) if hasattr(type(x), "expr") else x, {})


def _as_pandas(x: Any) -> Any:
    return x.to_pandas() if _kind(x) == "labels" else x


def _parts(x: Any) -> Any:
    """The parts of an operand: itself, or the items of a list or dict."""
    return x if type(x) in (list, tuple) else x.values() if type(x) is dict else (x,)


def _each(change: Any, x: Any) -> Any:
    if type(x) is dict:
        return {k: change(v) for k, v in x.items()}
    return type(x)(map(change, x)) if type(x) in (list, tuple) else change(x)


def _of_one_kind(made: Any) -> list | None:
    """The operands of an expression, converted to one kind; None where they have one kind."""
    names = [*made._parameters, *("" for _ in made.operands[len(made._parameters) :])]
    kinds = {_kind(x) for name, y in zip(names, made.operands) if "meta" not in name for x in _parts(y)}
    if "pandas" not in kinds or not kinds & {"bascule", "labels"}:
        return None
    change = _as_bascule if "bascule" in kinds else _as_pandas
    return [y if "meta" in name else _each(change, y) for name, y in zip(names, made.operands)]


def expressions(module: Any) -> None:
    """Patch the class of all expressions of frames in ``dask.dataframe.dask_expr._expr``."""
    base, fused = module.Expr, module.Fused  # what is fused stands for expressions of one kind each
    old = base.__new__

    @functools.wraps(old)
    def __new__(cls: Any, *args: Any, _determ_token: Any = None, **kwargs: Any) -> Any:
        made = old(cls, *args, _determ_token=_determ_token, **kwargs)
        if _determ_token is not None or module_of_frames() is None or issubclass(cls, fused):
            return made
        operands = _of_one_kind(made) if made.dependencies() or "frames" in cls._parameters else None
        return made if operands is None else old(cls, *operands)

    replace(base, "__new__", staticmethod(__new__))
    conditions(module)


def conditions(module: Any) -> None:
    """Patch the conversion of partitions to a backend: Dask takes a converted condition for the frame that it filters."""
    old = module.ToBackend._simplify_up

    @functools.wraps(old)
    def _simplify_up(self: Any, parent: Any, dependents: Any) -> Any:
        filters = isinstance(parent, module.Filter) and parent.frame._name != self._name
        return None if filters else old(self, parent, dependents)

    replace(module.ToBackend, "_simplify_up", _simplify_up)


def merges(module: Any) -> None:
    """Patch the merges of ``dask.dataframe.dask_expr._merge``, whose keys may differ in type."""
    lower, sent = module.Merge._lower, module.Merge.unique_partition_mapping_columns_from_shuffle

    def of_ours(merge: Any) -> Any:
        """The module for merges of bascule's partitions; None where not both sides are."""
        if not (is_ours(merge.left._meta) and is_ours(merge.right._meta)):
            return None
        from . import _merges

        return _merges

    @functools.wraps(lower)
    def _lower(self: Any) -> Any:
        ours = of_ours(self)
        made = None if ours is None else ours.lowered(self)
        return lower(self) if made is None else made

    def unique_partition_mapping_columns_from_shuffle(self: Any) -> Any:
        ours = of_ours(self)
        return sent.fget(self) if ours is None or ours.needed(self) is None else set()

    replace(module.Merge, "_lower", _lower)
    replace(module.Merge, sent.fget.__name__, property(unique_partition_mapping_columns_from_shuffle))
