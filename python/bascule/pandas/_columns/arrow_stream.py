"""Values of one axis as a stream of Arrow arrays."""

from __future__ import annotations

from typing import Any


class ArrowStream:
    """Of series and indexes."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """The values as a stream of Arrow arrays (the PyCapsule interface), of the requested type."""
        import pyarrow

        wanted = None if requested_schema is None else pyarrow.DataType._import_from_c_capsule(requested_schema)
        made = self.__arrow_array__(wanted)  # type: ignore[attr-defined]
        return (made if isinstance(made, pyarrow.ChunkedArray) else pyarrow.chunked_array([made])).__arrow_c_stream__()
