"""Functions of Dask that only know pandas' frames, replaced by functions that check the partitions first.

The replacements only change bascule's own classes; `_patches.undo` restores the old functions.
"""

from __future__ import annotations

import functools
from types import SimpleNamespace
from typing import Any

from . import _kinds, _libraries
from ._own_frames import is_ours, module_of_frames, to_pyarrow_string
from ._patches import replace


def libraries(module: Any) -> None:
    """Dask looks for ``get_dummies`` and the like in the first part of a class's module; ours are in the second."""
    old = module.get_meta_library

    @functools.wraps(old)
    def get_meta_library(like: Any) -> Any:
        return module_of_frames() if is_ours(getattr(like, "_meta", like)) else old(like)

    replace(module, "get_meta_library", get_meta_library)


def strings(module: Any) -> None:
    """Patch ``dask.dataframe._pyarrow`` and what imports from it."""
    if not hasattr(to_pyarrow_string, "__wrapped__"):
        to_pyarrow_string.__wrapped__ = module.to_pyarrow_string  # type: ignore[attr-defined]
    replace(module, "to_pyarrow_string", to_pyarrow_string)


def expressions(module: Any) -> None:
    """Patch ``dask.dataframe.dask_expr._expr``."""
    pandas_functions(module)
    _kinds.expressions(module)
    libraries(module)
    strings(module)
    replace(module.ArrowStringConversion, "operation", staticmethod(to_pyarrow_string))
    replace(module.ToNumeric, "operation", staticmethod(_libraries.to_numeric))
    replace(module.ToTimedelta, "operation", staticmethod(_libraries.to_timedelta))


def parquet(module: Any) -> None:
    """Choose the engine of ``to_parquet`` by the partitions."""
    old = module._set_parquet_engine

    @functools.wraps(old)
    def _set_parquet_engine(engine: Any = None, meta: Any = None) -> Any:
        if engine in (None, "pyarrow") and is_ours(meta):
            from ._frame_io import ParquetEngine

            return ParquetEngine
        return old(engine, meta)

    replace(module, "_set_parquet_engine", _set_parquet_engine)


def _merge_of_both_kinds(old: Any) -> Any:
    @functools.wraps(old)
    def merge_chunk(lhs: Any, rhs: Any, *args: Any, **kwargs: Any) -> Any:
        if is_ours(lhs) != is_ours(rhs):  # a meta that a user gave may be of another kind than the partitions
            lhs, rhs = (x if is_ours(x) else module_of_frames().from_pandas(x) for x in (lhs, rhs))
        return old(lhs, rhs, *args, **kwargs)

    return merge_chunk


def merges_of_partitions(module: Any) -> None:
    """Patch ``dask.dataframe.multi`` and what imports from it."""
    from dask.dataframe import multi as theirs

    _everywhere(module, theirs, "merge_chunk", _merge_of_both_kinds)
    if module is theirs:
        pandas_functions(module)


def merges(module: Any) -> None:
    """Patch ``dask.dataframe.dask_expr._merge``."""
    merges_of_partitions(module)
    _kinds.merges(module)


def _hll(old: Any) -> Any:
    @functools.wraps(old)
    def compute_hll_array(obj: Any, b: int) -> Any:
        if not is_ours(obj):
            return old(obj, b)
        from ..pandas import _fallback

        _fallback.count("dask.dataframe.hyperloglog.compute_hll_array", device=obj._device())
        return old(obj.to_pandas(), b)

    return compute_hll_array


def hyperloglog(module: Any) -> None:
    """Patch ``dask.dataframe.hyperloglog``."""
    replace(module, "compute_hll_array", _hll(module.compute_hll_array))


def _unique(old: Any) -> Any:
    @functools.wraps(old)
    def unique(x: Any, series_name: Any = None) -> Any:
        if not is_ours(x):
            return old(x, series_name)
        found = x.unique()
        return found if is_ours(found) else module_of_frames().Series(found, name=series_name)

    return unique


def pandas_functions(module: Any) -> None:
    """Patch a module of Dask that calls functions of pandas with partitions."""
    replace(module, "pd", _libraries)


def collections(module: Any) -> None:
    """Patch a module that looks at eager frames and chooses a library by partitions."""
    libraries(module)
    pandas_functions(module)


def backends(module: Any) -> None:
    """Patch ``dask.dataframe.backends``, where pandas' frames alone need no conversion to pandas."""
    kind = module.PandasBackendEntrypoint
    old = kind.to_backend.__func__

    @functools.wraps(old)
    def to_backend(cls: Any, data: Any, **kwargs: Any) -> Any:
        return (
            data.map_partitions(cls.to_backend_dispatch(), **kwargs)
            if is_ours(data._meta)
            else old(cls, data, **kwargs)
        )

    replace(kind, "to_backend", classmethod(to_backend))


def backends_of_expressions(module: Any) -> None:
    """Patch ``dask.dataframe.dask_expr._backends``."""
    old = module.ToPandasBackend._simplify_down

    @functools.wraps(old)
    def _simplify_down(self: Any) -> Any:
        return None if is_ours(self.frame._meta) else old(self)

    replace(module.ToPandasBackend, "_simplify_down", _simplify_down)


def _everywhere(module: Any, home: Any, name: str, make: Any) -> None:
    """Replace a function in the module that defines it or in one that has imported it."""
    now = getattr(home, name)
    replace(module, name, now if hasattr(now, "__wrapped__") else make(now))


def _concat(old: Any) -> Any:
    @functools.wraps(old)
    def concat(dfs: Any, *args: Any, **kwargs: Any) -> Any:
        ours = [x for x in dfs if is_ours(x)]
        if ours and len(ours) < len(dfs):  # Dask goes by the first one
            dfs = [x if is_ours(x) else module_of_frames().from_pandas(x) for x in dfs]
        return old(dfs, *args, **kwargs)

    return concat


def parts_of_both_kinds(module: Any) -> None:
    """Patch ``dask.dataframe.dispatch`` or what imports from it."""
    from dask.dataframe import dispatch as theirs

    _everywhere(module, theirs, "concat", _concat)


def _description(old: Any) -> Any:
    @functools.wraps(old)
    def describe_nonnumeric_aggregate(stats: Any, name: Any) -> Any:
        made = old(stats, name)
        return module_of_frames().Series(made) if any(map(is_ours, stats)) else made

    return describe_nonnumeric_aggregate


def methods(module: Any) -> None:
    """Patch ``dask.dataframe.methods``, whose distinct values and descriptions would be series of pandas."""
    pandas_functions(module)
    parts_of_both_kinds(module)
    replace(module, "unique", _unique(module.unique))
    replace(module, "describe_nonnumeric_aggregate", _description(module.describe_nonnumeric_aggregate))


def descriptions(module: Any) -> None:
    """Patch ``dask.dataframe.dask_expr._describe``."""
    from dask.dataframe import methods as theirs

    _everywhere(module, theirs, "describe_nonnumeric_aggregate", _description)


def _time_strings(old: Any) -> Any:
    @functools.wraps(old)
    def _maybe_partial_time_string(index: Any, indexer: Any, unit: str = "ns") -> Any:
        return old(index.to_pandas() if is_ours(index) else index, indexer, unit)  # which has two made-up labels

    return _maybe_partial_time_string


def indexing(module: Any) -> None:
    """Patch ``dask.dataframe.indexing`` and what imports from it."""
    pandas_functions(module)
    from dask.dataframe import indexing as theirs

    _everywhere(module, theirs, "_maybe_partial_time_string", _time_strings)


def _bag(old: Any) -> Any:
    @functools.wraps(old)
    def _df_to_bag(df: Any, *args: Any, **kwargs: Any) -> Any:
        return old(df.to_pandas() if is_ours(df) else df, *args, **kwargs)  # a list of Python's objects

    return _df_to_bag


def bags(module: Any) -> None:
    """Patch ``dask.dataframe.io.io`` and what imports from it."""
    from dask.dataframe.io import io as theirs

    _everywhere(module, theirs, "_df_to_bag", _bag)


def _pivot_meta(old: Any) -> Any:
    """The meta of a table is put together of pandas' parts."""

    def _meta(self: Any) -> Any:
        frame = self.frame._meta
        if not is_ours(frame):
            return old.func(self)
        return module_of_frames().from_pandas(
            old.func(SimpleNamespace(frame=SimpleNamespace(_meta=frame.to_pandas()), operand=self.operand))
        )

    made = functools.cached_property(functools.wraps(old.func)(_meta))
    made.__set_name__(None, "_meta")
    return made


def reductions(module: Any) -> None:
    """Patch the expressions of reductions, which keep functions as members."""
    from dask.dataframe import hyperloglog as theirs
    from dask.dataframe import methods as distinct

    replace(module.PivotTable, "_meta", _pivot_meta(vars(module.PivotTable)["_meta"]))
    replace(module.NuniqueApprox, "reduction_chunk", theirs.compute_hll_array)
    replace(module.Unique, "chunk", staticmethod(distinct.unique))
    replace(module.Unique, "aggregate_func", staticmethod(distinct.unique))


def _pandas_groups(old: Any) -> Any:
    """A function over groups that puts pandas objects together, on a copy of the groups in pandas."""

    @functools.wraps(old)
    def over_groups(grouped: Any, *args: Any, **kwargs: Any) -> Any:
        if not is_ours(grouped):
            return old(grouped, *args, **kwargs)
        from ..pandas import _fallback

        _fallback.count(f"dask.dataframe.groupby.{old.__name__}", device=grouped._device())
        return _fallback.from_pandas(old(_fallback.to_pandas(grouped), *args, **kwargs))

    return over_groups


_OVER_GROUPS = ("_value_counts", "_value_counts_aggregate", "_head_chunk", "_tail_chunk")


def groupby(module: Any) -> None:
    """Patch ``dask.dataframe.groupby``."""
    pandas_functions(module)
    parts_of_both_kinds(module)
    for name in _OVER_GROUPS:
        replace(module, name, _pandas_groups(getattr(module, name)))


def expressions_of_groups(module: Any) -> None:
    """Patch the expressions of group-by, which keep functions of ``dask.dataframe.groupby`` as members and under their names."""
    from dask.dataframe import groupby as theirs

    parts_of_both_kinds(module)
    new = {f.__wrapped__: f for f in (getattr(theirs, name) for name in _OVER_GROUPS)}
    for kind in [k for k in vars(module).values() if isinstance(k, type)]:
        for member, value in list(vars(kind).items()):
            function = getattr(value, "__func__", None) if isinstance(value, staticmethod) else None
            found = next((by for old, by in new.items() if function in (old, by)), None)
            if found is not None:
                replace(kind, member, staticmethod(found))
    for name in _OVER_GROUPS:
        if name in vars(module):
            replace(module, name, getattr(theirs, name))
