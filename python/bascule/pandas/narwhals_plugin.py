"""Support for narwhals, and for libraries that use it: frames and series of bascule are wrapped in its classes.

narwhals finds this by the entry point `narwhals.plugins` when it is given an object of an unknown class. It treats a frame
like one of pandas, with all of pandas' methods; results have the class that these methods return.
"""

from __future__ import annotations

import functools
from typing import Any

NATIVE_PACKAGE = "bascule"


def is_native(native_object: object, /) -> bool:
    """Whether an object is a frame or series of bascule's."""
    from ._base import Rows

    return isinstance(native_object, Rows)


def __narwhals_namespace__(version: Any) -> Any:
    """The namespace that wraps frames and series in narwhals' classes."""
    from narwhals import Implementation
    from narwhals._pandas_like.namespace import PandasLikeNamespace

    frame, series = _classes()

    class Namespace(PandasLikeNamespace):
        _dataframe = property(lambda self: frame)
        _series = property(lambda self: series)

        def is_native(self, obj: Any, /) -> bool:
            return is_native(obj)

        def from_native(self, data: Any, /) -> Any:
            kind = self._dataframe if data.ndim == 2 else self._series
            return kind.from_native(data, context=self)

    return Namespace(Implementation.PANDAS, version)


@functools.cache
def _classes() -> tuple[Any, Any]:
    """narwhals' frame and series for pandas, with bascule as their library.

    narwhals uses that library to make further columns: columns of pandas would align by labels, and not by position.
    """
    from narwhals._pandas_like.dataframe import PandasLikeDataFrame
    from narwhals._pandas_like.series import PandasLikeSeries

    import bascule.pandas as ours

    def made_ours(x: Any, context: Any) -> Any:
        return type(x).from_native(ours.from_pandas(x.native), context=context)

    class Series(PandasLikeSeries):
        def __native_namespace__(self) -> Any:
            return ours

        def to_frame(self) -> Any:
            return Frame.from_native(super().to_frame().native, context=self)

        @classmethod
        def from_iterable(cls, data: Any, *, context: Any, **options: Any) -> Any:
            return made_ours(super().from_iterable(data, context=context, **options), context)

        @classmethod
        def from_numpy(cls, data: Any, /, *, context: Any) -> Any:
            return made_ours(super().from_numpy(data, context=context), context)

    class Frame(PandasLikeDataFrame):
        def __native_namespace__(self) -> Any:
            return ours

        def get_column(self, name: str) -> Any:
            return Series.from_native(super().get_column(name).native, context=self)

        def iter_columns(self) -> Any:
            for x in super().iter_columns():
                yield Series.from_native(x.native, context=self)

        def to_dict(self, *, as_series: bool) -> Any:
            return {x.name: x for x in self.iter_columns()} if as_series else super().to_dict(as_series=False)

        @classmethod
        def from_dict(cls, data: Any, /, *, context: Any, schema: Any) -> Any:
            first = next((x.index for x in data.values() if is_native(x)), None)
            there = {k: x.set_axis(first) if is_native(x) and x.index is not first else x for k, x in data.items()}
            if schema:
                there = {k: x.to_numpy() if is_native(x) else x for k, x in there.items()}
                return made_ours(super().from_dict(there, context=context, schema=schema), context)
            return cls.from_native(ours.DataFrame(there), context=context)

        @classmethod
        def from_numpy(cls, data: Any, /, *, context: Any, schema: Any) -> Any:
            return made_ours(super().from_numpy(data, context=context, schema=schema), context)

    return Frame, Series
