"""Which frames are bascule's, without an import of them, and how their text becomes Arrow's."""

from __future__ import annotations

import sys
from typing import Any


def module_of_frames() -> Any:
    """``bascule.pandas`` if anything has imported it; without it there are no frames of ours."""
    return sys.modules.get("bascule.pandas")


def is_ours(x: Any) -> bool:
    return type(x).__module__ == "bascule.pandas"


def _is_text(index: Any) -> bool:
    from dask.dataframe import _pyarrow as theirs

    return not hasattr(index, "levels") and theirs.is_object_string_dtype(index.dtype)


def to_pyarrow_string(df: Any) -> Any:
    """``dask.dataframe._pyarrow.to_pyarrow_string``, whose look at labels knows pandas' indexes only."""
    from dask.dataframe import _pyarrow as theirs

    of_index = _is_text if is_ours(df) else theirs.is_object_string_index
    return theirs._to_string_dtype(df, theirs.is_object_string_dtype, of_index, "pyarrow")
