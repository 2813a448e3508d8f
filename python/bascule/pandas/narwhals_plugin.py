"""What narwhals, and libraries that are written with it, make of frames and series of bascule's.

narwhals finds this by the entry point `narwhals.plugins` when it is given an object that it does not know. A frame is to it
what pandas' is, with all of pandas' methods; results are of the class that these methods give.
"""

from __future__ import annotations

from typing import Any

NATIVE_PACKAGE = "bascule"


def is_native(native_object: object, /) -> bool:
    """Whether an object is a frame or series of bascule's."""
    from ._base import Rows

    return isinstance(native_object, Rows)


def __narwhals_namespace__(version: Any) -> Any:
    """What makes narwhals' objects of frames and series."""
    from narwhals import Implementation
    from narwhals._pandas_like.namespace import PandasLikeNamespace

    class Namespace(PandasLikeNamespace):
        def is_native(self, obj: Any, /) -> bool:
            return is_native(obj)

        def from_native(self, data: Any, /) -> Any:
            kind = self._dataframe if data.ndim == 2 else self._series
            return kind.from_native(data, context=self)

    return Namespace(Implementation.PANDAS, version)
