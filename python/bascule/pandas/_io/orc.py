"""Reading ORC."""

from __future__ import annotations

import os
from typing import Any

from .._fallback.native import NotNative, native_function
from .._theirs import UNSET
from .arrow import from_table_in, is_of_arrow


@native_function("read_orc", dtype_backend=is_of_arrow, filesystem=None)
def read_orc(
    path: Any, columns: list[str] | None = None, dtype_backend: Any = UNSET, filesystem: Any = None, **kwargs: Any
) -> Any:
    """Read an ORC file with pyarrow.

    Parameters
    ----------
    path : path or object with ``read``
    columns : list of str, optional
        Columns to read; they keep the order that they have in the file.
    dtype_backend, filesystem, **kwargs
        As pandas'.

    Examples
    --------
    >>> import io
    >>> import bascule.pandas as pd
    >>> file = io.BytesIO(pd.DataFrame({"x": [1, 2]}).to_orc())
    >>> pd.read_orc(file)["x"].sum().item()
    3
    """
    import pyarrow.orc

    if isinstance(path, str) and "://" in path:
        raise NotNative("an address")
    if isinstance(path, (str, os.PathLike)) and not os.path.exists(path):
        raise FileNotFoundError(2, "No such file or directory", os.fspath(path))
    return from_table_in(pyarrow.orc.read_table(path, columns=columns, **kwargs), dtype_backend)
