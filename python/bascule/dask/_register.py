"""Registers bascule's classes with Dask, in any process and in any order of imports.

A worker never loads the entry point of a backend, and its first call on a chunk may come before any chunk was unpickled. So
every table of Dask is filled when its module is imported, or at once if it is there already.
"""

from __future__ import annotations

import importlib
import threading
from typing import Any

from .. import _core
from ..interop import after_import
from ..lib import creation, manipulation, selection
from ..linalg import contractions, einstein
from . import _chunks, _following, _frame_patches, _patches, _rechunking, _tables

ndarray = _core.ndarray


def add_sizeof(sizeof: Any) -> None:
    """Fill the table of ``dask.sizeof``."""
    sizeof.register(ndarray, _chunks.sizeof)
    sizeof.register_lazy("bascule", lambda: _of_frames().fill_sizeof(sizeof))


def _of_frames() -> Any:
    """The functions for frames, which bring pandas and Dask's frames with them: only where a frame is there."""
    return importlib.import_module("bascule.dask._partitions")


def _sizeof(module: Any) -> None:
    add_sizeof(module.sizeof)


def _percentile(a: Any, q: Any, method: str = "linear") -> Any:
    from dask.array.backends import percentile

    return percentile(a, q, method)


def _numel(x: Any, **kwargs: Any) -> Any:
    from dask.array.backends import _numel_arraylike

    return _numel_arraylike(x, **kwargs)


def _nannumel(x: Any, **kwargs: Any) -> Any:
    from dask.array.backends import _nannumel

    return _nannumel(x, **kwargs)


def _divide(*args: Any, **kwargs: Any) -> Any:
    from dask.array.numpy_compat import divide

    return divide(*args, **kwargs)


def _array_functions(module: Any) -> None:
    for table, own in (
        (module.concatenate_lookup, manipulation.concatenate),
        (module.tensordot_lookup, contractions.tensordot),
        (module.divide_lookup, _divide),
    ):
        table.register(ndarray, _chunks.alongside_others(table, own))
    module.take_lookup.register(ndarray, selection.take)
    module.einsum_lookup.register(ndarray, einstein.einsum)
    module.empty_lookup.register(ndarray, creation.empty)
    module.percentile_lookup.register(ndarray, _percentile)
    module.numel_lookup.register(ndarray, _numel)
    module.nannumel_lookup.register(ndarray, _nannumel)
    module.to_numpy_dispatch.register(ndarray, _chunks.to_numpy)
    module.percentile_lookup.register_lazy("bascule", lambda: _of_frames().fill_percentile(module.percentile_lookup))


def _chunk_type(module: Any) -> None:
    module.register_chunk_type(ndarray)


def _frame_functions(module: Any) -> None:
    _frame_patches.parts_of_both_kinds(module)
    module.tolist_dispatch.register(ndarray, ndarray.tolist)
    module.meta_lib_from_array.register(ndarray, lambda x: importlib.import_module("bascule.pandas"))
    for table in [t for t in vars(module).values() if type(t).__name__ == "Dispatch"]:
        table.register_lazy("bascule", lambda: _of_frames().fill(module))


def _collections(module: Any) -> None:
    module.get_collection_type.register(ndarray, lambda x: _of_frames().array_collection)
    module.get_collection_type.register_lazy(
        "bascule", lambda: _of_frames().fill_collections(module.get_collection_type)
    )


def _serialisers(module: Any) -> None:
    module.dask_serialize.register(ndarray, _chunks.serialize)
    module.dask_deserialize.register(ndarray, _chunks.deserialize)
    for table in (module.dask_serialize, module.dask_deserialize):
        table.register_lazy("bascule", lambda: _of_frames().fill_serialisers(module))


def _namespace(module: Any) -> None:
    _patches.namespace(module)
    _following.arrays(module)


def _versions(module: Any) -> None:
    """Dask compares the versions of a client and its workers when they meet, and warns."""
    if "bascule" not in module.optional_packages:
        module.optional_packages.append("bascule")


def _get(dsk: Any, keys: Any, **kwargs: Any) -> Any:
    """``scheduler="bascule"``"""
    return importlib.import_module("bascule.dask._scheduler").get(dsk, keys, **kwargs)


def _schedulers(module: Any) -> None:
    module.named_schedulers["bascule"] = _get


_TABLES = {
    "dask._dispatch": _collections,
    "dask.base": _schedulers,
    "dask.highlevelgraph": _patches.graphs,
    "dask.sizeof": _sizeof,
    "dask.array.chunk_types": _chunk_type,
    "dask.array.core": _patches.core,
    "dask.array.dispatch": _array_functions,
    "dask.array.linalg": _patches.linalg,
    "dask.array.optimization": _patches.optimization,
    "dask.array.reductions": _patches.reductions,
    "dask.array.reshape": _patches.shapes,
    "dask.array.routines": _patches.routines,
    "dask.array": _namespace,  # behind the modules whose functions it has
    "dask.dataframe": _following.frames,
    "dask.dataframe._pyarrow": _frame_patches.strings,
    "dask.dataframe.backends": _frame_patches.backends,
    "dask.dataframe.core": _frame_patches.pandas_functions,
    "dask.dataframe.dispatch": _frame_functions,
    "dask.dataframe.utils": _frame_patches.pandas_functions,
    "dask.dataframe.groupby": _frame_patches.groupby,
    "dask.dataframe.indexing": _frame_patches.indexing,
    "dask.dataframe.multi": _frame_patches.merges_of_partitions,
    "dask.dataframe.hyperloglog": _frame_patches.hyperloglog,
    "dask.dataframe.io.io": _frame_patches.bags,
    "dask.dataframe.methods": _frame_patches.methods,
    "dask.dataframe.dask_expr._backends": _frame_patches.backends_of_expressions,
    "dask.dataframe.dask_expr._categorical": _frame_patches.pandas_functions,
    "dask.dataframe.dask_expr._collection": _frame_patches.collections,
    "dask.dataframe.dask_expr._cumulative": _frame_patches.pandas_functions,
    "dask.dataframe.dask_expr._describe": _frame_patches.descriptions,
    "dask.dataframe.dask_expr._dummies": _frame_patches.collections,
    "dask.dataframe.dask_expr._expr": _frame_patches.expressions,
    "dask.dataframe.dask_expr._groupby": _frame_patches.expressions_of_groups,
    "dask.dataframe.dask_expr._indexing": _frame_patches.indexing,
    "dask.dataframe.dask_expr._merge": _frame_patches.merges,
    "dask.dataframe.dask_expr._merge_asof": _frame_patches.pandas_functions,
    "dask.dataframe.dask_expr._reductions": _frame_patches.reductions,
    "dask.dataframe.dask_expr.io.bag": _frame_patches.bags,
    "dask.dataframe.dask_expr.io.io": _frame_patches.strings,
    "dask.dataframe.dask_expr.io.parquet": _frame_patches.parquet,
    "dask.utils": _tables.by_name,
    "distributed.protocol.serialize": _serialisers,
    "distributed.shuffle._rechunk": _rechunking.pieces,
    "distributed.versions": _versions,
}


_lock = threading.Lock()
_installed = False


def install() -> None:
    """Fill the tables that are loaded, and see to it that the others are filled when they are."""
    global _installed
    with _lock:
        if _installed:
            return
        _installed = True
    after_import.fill(_TABLES)
