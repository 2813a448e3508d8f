"""How much memory values and labels take, as pandas counts it."""

from __future__ import annotations

from typing import Any

from ._fallback import presented


def bytes_of_labels(index: Any, deep: bool) -> int:
    """Bytes that pandas keeps for labels in which nothing has been looked up."""
    if index._own is not None and index.nlevels == 1:
        return (
            index.nbytes if index._own.as_range is not None and hasattr(index, "start") else index._column.memory(deep)
        )
    with presented():
        return index.to_pandas().memory_usage(deep=deep)
