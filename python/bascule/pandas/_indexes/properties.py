"""Properties of an index, and methods that return it unchanged."""

from __future__ import annotations

import sys
from collections.abc import Collection
from typing import Any

import numpy as np

from .._columns.column import ndarray
from .._fallback.native import NotNative, native
from .._questions import is_integer
from .._stand_ins import STR
from .._theirs import is_loaded
from .arguments import own_column


class IndexFacts:
    """Properties of an index, and methods that return the index itself or a view."""

    _columns: list
    nlevels: int
    _identity: Any = None
    # The constructor of an index of the same kind, which pandas' extensions and Dask look up.
    _constructor: Any = property(lambda self: type(self))

    def _refuse_slice(self: Any, key: slice) -> None:
        """TypeError for a slice with ends that are not integers, where the labels are integers."""
        if self.nlevels > 1 or getattr(self.dtype, "kind", "") not in ("i", "u"):
            return
        for v in (key.start, key.stop, key.step):
            if v is not None and not is_integer(v):
                kind, what = type(self).__name__, type(v).__name__
                raise TypeError(f"cannot do slice indexing on {kind} with these indexers [{v}] of type {what}")

    def _array_without_pandas(self: Any) -> np.ndarray | None:
        """The labels as an array of NumPy where pandas is neither there nor needed for it; None for others."""
        if is_loaded() or self.nlevels > 1:
            return None
        c = self._column
        if c.dtype == STR:
            return c.to_numpy()
        if c.plain not in "iufbmM" or c.device != "cpu":
            return None
        made = c.to_numpy().view()
        made.flags.writeable = False  # labels never change
        return made

    def to_numpy(self: Any, *args: Any, **kwargs: Any) -> np.ndarray:
        """The labels as a NumPy array."""
        made = None if args or kwargs else self._array_without_pandas()
        return self._there().to_numpy(*args, **kwargs) if made is None else made

    def __array__(self: Any, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        there = self._array_without_pandas() if copy is not False else None
        made = np.array(self._there() if there is None else there, dtype=dtype, copy=copy)
        if there is not None and there.flags.writeable:
            return made  # strings, which are made for it
        if copy is not True:
            made = made.view()
            made.flags.writeable = False  # labels never change
        return made

    def _as_values(self: Any) -> Any:
        """The labels as the values of a series."""
        return self._columns[0]

    def notna(self: Any) -> ndarray:
        """Boolean array: which labels are not missing."""
        return ~self.isna()

    notnull = notna

    @property
    def array(self: Any) -> Any:
        """The labels as pandas' extension array, for reading only: it has memory of its own."""
        return self._there().array

    @property
    def T(self: Any) -> Any:
        """The index itself: it has one axis."""
        return self._view()

    def transpose(self: Any, *args: Any, **kwargs: Any) -> Any:
        """The index itself: it has one axis."""
        if any(a is not None for a in (*args, *kwargs.values())):
            raise ValueError("the 'axes' parameter is not supported in the pandas implementation of transpose()")
        return self._view()

    def ravel(self: Any, order: str = "C") -> Any:
        """The index itself: it has one axis."""
        return self._view()

    def to_flat_index(self: Any) -> Any:
        """The index itself: it has one level."""
        return self

    @native
    def infer_objects(self: Any, copy: bool = True) -> Any:
        """Infer a better type for labels that are objects."""
        if self.nlevels > 1:
            raise NotImplementedError(  # pandas lacks it too
                "infer_objects is not implemented for MultiIndex. Use index.to_frame().infer_objects() instead."
            )
        if self.dtype == object:
            raise NotNative("objects")
        return self._view() if copy else self

    def item(self: Any) -> Any:
        """The only label."""
        if len(self) != 1:
            raise ValueError("can only convert an array of size 1 to a Python scalar")
        return self[0] if self._columns[0].is_masked else self.tolist()[0]

    @native(cls=None)
    def view(self: Any, cls: Any = None) -> Any:
        """A view of the same labels."""
        if self._identity is None:
            self._identity = object()
        made = self._view()
        made._identity = self._identity
        return made

    def is_(self: Any, other: Any) -> bool:
        """Whether the other is this object or a view of it."""
        return self is other or (self._identity is not None and self._identity is getattr(other, "_identity", None))

    @property
    def inferred_type(self: Any) -> str:
        """A string for the kind of the labels."""
        c = self._columns[0]
        if self.nlevels > 1:
            return "mixed"
        return self._asked("inferred_type") if c.inferred_type is None else c.inferred_type

    @property
    def nbytes(self: Any) -> int:
        """Bytes of the labels, as pandas counts them."""
        even = None if self._own is None else self._own.as_range
        if even is not None and hasattr(self, "start"):
            steps = range(self.start, self.stop, self.step)
            return sum(sys.getsizeof(x, 24) for x in (steps, steps.start, steps.stop, steps.step))
        c = self._columns[0]
        return self._asked("nbytes") if self.nlevels > 1 or c.letter in "tCZO" else c.nbytes

    def _boolean(self: Any, name: str, args: tuple, kwargs: dict) -> np.bool_:
        c = own_column(self)
        values = c.plain_values("" if args or kwargs else "biuf", "options, or labels without truth")
        return np.bool_(getattr(values, name)())

    @native
    def any(self: Any, *args: Any, **kwargs: Any) -> Any:
        """Whether any label is true."""
        return self._boolean("any", args, kwargs)

    @native
    def all(self: Any, *args: Any, **kwargs: Any) -> Any:
        """Whether all labels are true."""
        return self._boolean("all", args, kwargs)

    @native
    def droplevel(self: Any, level: Any = 0) -> Any:
        """The labels without some of their levels."""
        levels = level if isinstance(level, (list, tuple)) else [level]
        gone = [self._level_number(i) for i in levels]
        if len(set(gone)) < len(gone):
            raise NotNative("a level given twice")
        return self._without_levels(gone)

    def _without_levels(self: Any, gone: Collection[int]) -> Any:
        """The labels without the levels of these numbers, which keep a level's own order and frequency.

        Raises
        ------
        ValueError
            When no level would remain.
        """
        if not gone:
            return self._view()
        if len(gone) >= self.nlevels:
            raise ValueError(
                f"Cannot remove {len(gone)} levels from an index with {self.nlevels} levels: at least one level must be left."
            )
        kept = [i for i in range(self.nlevels) if i not in gone]
        return self._one_level(kept[0]) if len(kept) == 1 else self._levels_at(kept)
