"""pandas' utilities, of which hashing knows our objects."""

from typing import Any

import pandas.util as _theirs

from ._hashing import hash_array, hash_pandas_object

__all__ = ["hash_array", "hash_pandas_object"]


def __getattr__(name: str) -> Any:
    return getattr(_theirs, name)
