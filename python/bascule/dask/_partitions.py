"""Hooks of Dask for a partition: meta, size, splitting, joining, serialization, and the tables where Dask looks these up."""

from __future__ import annotations

import functools
import pickle
from typing import Any

import numpy as np
import pandas
from dask.dataframe import backends as _theirs
from dask.sizeof import sizeof as _their_size

from .. import _core
from .. import pandas as pd
from ..interop import mode
from ..pandas import _fallback, _hashing
from ..pandas._base import Rows
from ..pandas._columns.column import Column, HostColumn, plain
from ..pandas._io.arrow import from_table, to_table
from ..pandas._reshape import concat as _concat
from . import _memory

ndarray = _core.ndarray
ROWS = (pd.DataFrame, pd.Series)
INDEXES = (pd.Index, pd.RangeIndex, pd.DatetimeIndex, pd.TimedeltaIndex, pd.MultiIndex)
ALL = (*ROWS, *INDEXES)


# ---- meta


_Made = dict[Any, Any]
_empty: _Made = {}
_two: _Made = {}
_MOST = 1024  # descriptions remembered


def _plain_type(dtype: Any) -> bool:
    """Whether sample values of a type depend on nothing but the type."""
    return dtype.kind in "biuf" if isinstance(dtype, np.dtype) else isinstance(dtype, pandas.StringDtype)


def _index_description(index: Any) -> Any:
    if isinstance(index, pd.RangeIndex):
        return pd.RangeIndex, index.name
    kinds = tuple(c.dtype for c in index._columns)
    if type(index) not in (pd.Index, pd.MultiIndex) or not all(map(_plain_type, kinds)):
        return None
    return type(index), kinds, tuple(index.names)


def _description(x: Any) -> Any:
    """The key by which the meta of x is cached; None where it depends on more than labels and types."""
    if isinstance(x, pd.Index):
        return _index_description(x)
    kinds = tuple(c.dtype for c in x._all_columns())
    times = [k for k in kinds if isinstance(k, np.dtype) and k.kind in "mM"]
    if not all(k in times or _plain_type(k) for k in kinds):
        return None
    index = _index_description(x._index)
    if index is None:
        return None
    if isinstance(x, pd.Series):
        return pd.Series, kinds, x._name, type(x._name), index
    names = x._names
    if not isinstance(names, (pandas.Index, pandas.MultiIndex)) or names.dtype.kind == "M":
        return None
    return pd.DataFrame, kinds, tuple(names), tuple(map(type, names)), names.dtype, tuple(names.names), index


def _remembered(table: _Made, x: Any, make: Any) -> Any:
    """The result of `make` for x, cached by its description: Dask asks for it at every step of every plan."""
    try:
        what = None if len(x) and table is _two else _description(x)
        found = None if what is None else table.get(what)
    except TypeError:  # a name that has no hash
        what = found = None
    if found is None:
        found = make(x)
        if what is not None:
            if len(table) >= _MOST:
                table.clear()
            table[what] = found
    if what is None:
        return found
    own = found.copy()
    if isinstance(own, Rows):
        own._index = own._index.copy()  # whose name may be set
    return own


def empty_like(x: Any, index: Any = None) -> Any:
    """An empty partition with the types and labels of x, in memory of its own."""
    return _remembered(_empty, x, _new_empty)


def _new_empty(x: Any) -> Any:
    return _fallback.from_pandas(
        _theirs.make_meta_dispatch((x[0:0] if isinstance(x, pd.Index) else x.iloc[:0]).to_pandas())
    )


def two_rows(x: Any) -> Any:
    """Two rows of sample values with the types and labels of x."""
    return _remembered(_two, x, lambda x: _fallback.from_pandas(_theirs.meta_nonempty(x.to_pandas())))


def meta_of(x: Any, index: Any = None) -> Any:
    """Meta of a description: a dict or list of names and dtypes, a name and a dtype, a dtype, a scalar."""
    if type(x) is ndarray:
        return x[:0]
    return _fallback.from_pandas(_theirs.make_meta_object(_fallback.to_pandas(x), index=_fallback.to_pandas(index)))


# ---- rows


def _columns_of(x: Any) -> list:
    return x._columns if isinstance(x, pd.Index) else [*x._all_columns(), *x._index._columns]


def _has_categories(x: Any) -> bool:
    return any(isinstance(c.dtype, pandas.CategoricalDtype) for c in _columns_of(x))


def _one_set_of_categories(columns: list, ignore_order: bool) -> list | None:
    """Columns with the categories of all of them; None where some have none at all."""
    kinds = [c.dtype for c in columns]
    if not any(isinstance(k, pandas.CategoricalDtype) for k in kinds):
        return columns
    if not all(isinstance(k, pandas.CategoricalDtype) for k in kinds):
        return None
    first = kinds[0]
    if all(k.ordered == first.ordered and k.categories.equals(first.categories) for k in kinds):
        return columns
    arrays = [c.to_pandas_array() for c in columns]
    kind = pandas.api.types.union_categoricals(arrays, ignore_order=ignore_order).dtype
    return [HostColumn(a.set_categories(kind.categories, ordered=kind.ordered)) for a in arrays]


def _with_one_set_of_categories(dfs: list, ignore_order: bool) -> list | None:
    """Concatenated partitions whose columns have the same categories; None where labels have categories, too."""
    first = dfs[0]
    if isinstance(first, pd.Index) or any(type(x) is not type(first) or _has_categories(x._index) for x in dfs):
        return None
    if isinstance(first, pd.DataFrame) and not all(x._names.equals(first._names) for x in dfs):
        return None
    united = [_one_set_of_categories(list(same), ignore_order) for same in zip(*(x._all_columns() for x in dfs))]
    if any(same is None for same in united):
        return None
    if isinstance(first, pd.Series):
        made = [x._like(c) for x, c in zip(dfs, united[0])]  # type: ignore[arg-type]
    else:
        made = [pd.DataFrame._new([same[i] for same in united], x._names, x._index) for i, x in enumerate(dfs)]  # type: ignore[index]
    types = [[c.dtype for c in _columns_of(x)] for x in made]
    alike = all(t == types[0] for t in types)  # then parts without rows have no say in a type
    return ([x for x in made if len(x)] or made[:1]) if alike else made


def concat(
    dfs: Any, axis: Any = 0, join: str = "outer", uniform: bool = False, filter_warning: bool = True, ignore_index: bool = False, **kwargs: Any
) -> Any:  # fmt: skip
    """Partitions concatenated along rows or columns; categories are united."""
    dfs = [_fallback.from_pandas(x) for x in dfs]
    categories = any(_has_categories(x) for x in dfs)
    if categories and axis in (0, "index") and join == "outer":
        same = _with_one_set_of_categories(dfs, kwargs.get("ignore_order", False))
        if same is not None and len(same) == 1:
            return same[0]
        dfs, categories = (dfs, True) if same is None else (same, False)
    if categories:
        device = next((d for d in (x._device() for x in dfs) if d != "cpu"), "cpu")
        _fallback.count("dask.dataframe.concat", "categories are united by pandas", device)
        there = _theirs.concat_pandas(
            _fallback.to_pandas(dfs), axis=axis, join=join, uniform=uniform, filter_warning=filter_warning, ignore_index=ignore_index, **kwargs
        )  # fmt: skip
        return _fallback.from_pandas(there)
    if isinstance(dfs[0], pd.Index):
        return dfs[0].append(dfs[1:])
    if axis in (1, "columns"):
        kwargs.pop("ignore_order", None)  # of categories, and there are none
        return _concat.concat(dfs, axis=1, join=join, **kwargs)
    # Like Dask with pandas' partitions: the labels of rows are kept, and columns stay in the order in which they are met.
    return _concat.concat(dfs, join=join)


def group_split(df: Any, c: Any, k: int, ignore_index: bool = False) -> Any:
    """The rows of each of k groups, in their order, by the number of the group."""
    groups = (
        c._column.values if isinstance(c, pd.Series) else c if type(c) is ndarray else _core.from_numpy(np.asarray(c))
    )
    groups = _core.astype(groups, np.dtype(np.int64), False, "K")
    rows = _core.order_columns([plain(groups).core], [True], False)
    ends = np.cumsum(np.bincount(_core.to_numpy(groups), minlength=k))
    there = df._take(rows) if isinstance(df, pd.Index) else df._take_rows(rows)
    parts = _theirs.ShuffleGroupResult()
    for i, (a, b) in enumerate(zip([0, *ends[:-1]], ends)):
        part = there[int(a) : int(b)] if isinstance(df, pd.Index) else there._slice_rows(slice(int(a), int(b)))
        parts[i] = part.reset_index(drop=True) if ignore_index and not isinstance(df, pd.Index) else part
    return parts


def percentile(a: Any, q: Any, interpolation: str = "linear") -> Any:
    """Dask's percentiles of a column, for divisions, and the number of its values."""
    c = a._column
    if isinstance(c, Column) and isinstance(c.dtype, np.dtype) and c.dtype.kind in "iufM" and len(c):
        from .. import percentile

        times = c.dtype.kind == "M"
        shares = _core.from_numpy(np.asarray(list(q) if not hasattr(q, "__len__") else q, np.float64), c.device)
        found = percentile(c.values.view(np.dtype(np.int64)) if times else c.values, shares, method=interpolation)
        found = _core.to_numpy(found)
        return found.astype(np.int64).view(c.dtype) if times else found, len(c)
    return _fallback.run("dask.array.percentile", _fallback.UNSAID, _theirs.percentile, a, q, interpolation)


def is_categorical(x: Any) -> bool:
    """Whether the values are categories."""
    return isinstance(x.dtype, pandas.CategoricalDtype)


def categorical_dtype(categories: Any = None, ordered: bool = False) -> pandas.CategoricalDtype:
    """The dtype of categories."""
    return pandas.CategoricalDtype(_fallback.to_pandas(categories), ordered)


def union_categoricals(to_union: Any, sort_categories: bool = False, ignore_order: bool = False) -> Any:
    """One categorical of several."""
    options = {"sort_categories": sort_categories, "ignore_order": ignore_order}
    function = pandas.api.types.union_categoricals
    return _fallback.run("pandas.api.types.union_categoricals", _fallback.UNSAID, function, list(to_union), **options)


# ---- Arrow and pandas


def arrow_schema(df: Any, preserve_index: Any = None) -> Any:
    """Schema of the table of a frame."""
    return to_table(df, preserve_index).schema


def arrow_table(df: Any, preserve_index: Any = None, nthreads: Any = None) -> Any:
    """The table of a frame; the pool decides about the threads."""
    return to_table(df, preserve_index)


def from_arrow(meta: Any, table: Any, self_destruct: bool = False) -> Any:
    """The frame of a table. Its memory is shared with the table, so nothing is gained by destroying that."""
    return from_table(table)


def to_pandas(x: Any) -> Any:
    """A partition as pandas' object."""
    return x.to_pandas()


def to_bascule(x: Any) -> Any:
    """A partition of pandas, or of bascule, converted to bascule's."""
    return _fallback.from_pandas(x)


# ---- memory and the wire


def _column_size(c: Any) -> int:
    if isinstance(c, HostColumn):
        return int(_their_size(c.array)) if c.dtype == object else int(c.array.nbytes)
    if c.core.form == "text":
        offsets = c.core.offsets
        text = int(offsets[-1]) - int(offsets[0]) if len(offsets) else 0
        return text + offsets.nbytes + (0 if c.core.valid is None else c.core.valid.nbytes)
    own = c.core.values.nbytes + (0 if c.core.valid is None else c.core.valid.nbytes)
    return own + (_column_size(Column(c.core.dictionary, c.dtype)) if c.core.form == "coded" else 0)


def sizeof(x: Any) -> int:
    """Bytes of the columns and labels of a partition.

    A worker asks this in the thread of the task when the task is done: pending operations of the columns run there.
    """
    _memory.attend()
    columns = [*x._all_columns()] if isinstance(x, Rows) else []
    index = x._index if isinstance(x, Rows) else x
    if not isinstance(index, pd.RangeIndex):
        columns += index._columns
    waiting = [b for c in columns if isinstance(c, Column) for b in (c.core.values, c.core.valid) if b is not None]
    if waiting:
        _core.evaluate(*waiting)
    return sum(_column_size(c) for c in columns)


def serialize(x: Any, context: Any = None) -> tuple[dict[str, Any], list]:
    """A partition as a header and the buffers of its columns."""
    _memory.obey()
    found: list = []
    with mode.keeping_classes():
        text = pickle.dumps(x, protocol=5, buffer_callback=found.append)
    return {}, [text, *(b.raw() for b in found)]


def deserialize(header: dict[str, Any], frames: list) -> Any:
    """The partition of a header and its buffers."""
    return pickle.loads(frames[0], buffers=frames[1:])


def _joined(parts: list) -> Any:
    return concat(parts) if parts else pd.DataFrame()


def partd_encode(meta: Any) -> Any:
    """Makes the encoder of the disk shuffle."""
    import partd

    return functools.partial(partd.Encode, _dumps, pickle.loads, _joined)


def _dumps(x: Any) -> bytes:
    with mode.keeping_classes():
        return pickle.dumps(x, protocol=5)


# ---- collections


def array_collection(expr: Any) -> Any:
    """The Dask array of an expression whose partitions are arrays of bascule: ``Series.values``, ``to_dask_array``."""
    import dask.array as da
    from dask._task_spec import Alias

    made = expr.optimize()
    name, meta = made._name, made._meta
    blocks = len(made.divisions) - 1
    graph = dict(made.__dask_graph__())
    rest = (0,) * (meta.ndim - 1)
    if rest:
        graph.update({(name, i, *rest): Alias((name, i, *rest), (name, i)) for i in range(blocks)})
    return da.Array(graph, name=name, chunks=((np.nan,) * blocks, *((n,) for n in meta.shape[1:])), meta=meta)


def _collection(name: str) -> Any:
    def find(meta: Any) -> Any:
        from dask.dataframe.dask_expr import _collection

        return getattr(_collection, name)

    return find


COLLECTIONS = {pd.DataFrame: _collection("DataFrame"), pd.Series: _collection("Series"), **dict.fromkeys(INDEXES, _collection("Index"))}  # fmt: skip


def fill_collections(table: Any) -> None:
    """Register the collection of each class of partitions."""
    for kind, find in COLLECTIONS.items():
        table.register(kind, find)


def fill(tables: Any) -> None:
    """Fill the tables of ``dask.dataframe.dispatch``."""
    fill_collections(tables.get_parallel_type)
    tables.make_meta_dispatch.register(ALL, empty_like)
    tables.make_meta_obj.register(ALL, meta_of)
    tables.meta_nonempty.register(ALL, two_rows)
    tables.concat_dispatch.register(ALL, concat)
    tables.tolist_dispatch.register(ALL, lambda x: x.tolist())
    tables.hash_object_dispatch.register(ALL, _hashing.hash_pandas_object)
    tables.group_split_dispatch.register(ALL, group_split)
    tables.partd_encode_dispatch.register(pd.DataFrame, partd_encode)
    tables.is_categorical_dtype_dispatch.register(ALL, is_categorical)
    tables.categorical_dtype_dispatch.register(ALL, categorical_dtype)
    tables.union_categoricals_dispatch.register(ALL, union_categoricals)
    tables.grouper_dispatch.register(ROWS, lambda x: pandas.Grouper)
    tables.pyarrow_schema_dispatch.register(pd.DataFrame, arrow_schema)
    tables.to_pyarrow_table_dispatch.register(pd.DataFrame, arrow_table)
    tables.from_pyarrow_table_dispatch.register(pd.DataFrame, from_arrow)
    tables.to_pandas_dispatch.register(ALL, to_pandas)


def fill_sizeof(table: Any) -> None:
    """Fill the table of ``dask.sizeof``."""
    table.register(ALL, sizeof)


def fill_percentile(table: Any) -> None:
    """Fill ``dask.array``'s table of percentiles."""
    table.register((pd.Series, *INDEXES), percentile)


def fill_serialisers(module: Any) -> None:
    """Fill the tables of ``distributed``."""
    module.dask_serialize.register(ALL, serialize)
    module.dask_deserialize.register(ALL, deserialize)
