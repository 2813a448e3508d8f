"""Collections of other data use the configured backend too, where the user asks for it.

Dask asks the backend for ``ones``, ``zeros``, ``empty``, ``full``, ``arange`` and random numbers only. The names below are
replaced in the namespaces that users call; Dask's own modules keep calling the functions behind them.
"""

from __future__ import annotations

import functools
import importlib
from typing import Any

import numpy as np

from ._patches import replace

KEY = "bascule.follow-config"
_OF_ARRAYS = ("asanyarray", "asarray", "eye", "from_array", "from_delayed", "from_npy_stack", "from_tiledb", "from_zarr", "linspace", "tri")  # fmt: skip
_OF_FRAMES = ("from_array", "from_delayed", "from_map", "from_pandas", "read_fwf", "read_sql_query", "read_sql_table", "read_table", "repartition")  # fmt: skip


def _followed(made: Any, backend: str) -> Any:
    if isinstance(made, tuple):
        return tuple(_followed(x, backend) for x in made)
    meta = getattr(made, "_meta", None)
    if backend == "array":
        ours = type(meta) is np.ndarray and meta.dtype.kind in "biufcmM"
    else:
        ours = type(meta).__module__.partition(".")[0] == "pandas"
    return made.to_backend("bascule") if ours else made


def _brought(args: tuple, kwargs: dict) -> tuple[tuple, dict]:
    """The arguments of ``from_pandas`` or ``repartition`` with the rows converted to bascule's."""
    import pandas

    name = "data" if "data" in kwargs else "df"
    given = args[0] if args else kwargs.get(name)
    if type(given) not in (pandas.DataFrame, pandas.Series):
        return args, kwargs
    rows = importlib.import_module("bascule.pandas").from_pandas(given)
    return ((rows, *args[1:]), kwargs) if args else (args, {**kwargs, name: rows})


def _following(old: Any, backend: str) -> Any:
    @functools.wraps(old)
    def make(*args: Any, **kwargs: Any) -> Any:
        from dask import config

        follows = config.get(f"{backend}.backend", None) == "bascule" and config.get(KEY, False)
        if follows and old.__name__ in (
            "from_pandas",
            "repartition",
        ):  # converted once, not in a task of each partition
            args, kwargs = _brought(args, kwargs)
        made = old(*args, **kwargs)
        return _followed(made, backend) if follows else made

    return make


def arrays(module: Any) -> None:
    """Patch the namespace ``dask.array``."""
    for name in _OF_ARRAYS:
        if name in vars(module):
            replace(module, name, _following(vars(module)[name], "array"))


def frames(module: Any) -> None:
    """Patch the namespace ``dask.dataframe``."""
    for name in _OF_FRAMES:
        if name in vars(module):
            replace(module, name, _following(vars(module)[name], "dataframe"))
