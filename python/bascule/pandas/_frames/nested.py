"""The accessors `.list` and `.struct` of a series of Arrow's lists and structs, by Arrow's kernels."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _classes
from .._columns.kinds.of_arrow import OfArrow
from .._questions import is_integer
from .._stand_ins import labels_of
from .._strings.methods import Accessor
from .._theirs import pc, pyarrow


class ListMethods(Accessor):
    """Lists: their lengths, elements and slices."""

    name = "list"

    def len(self) -> Any:
        """The length of each list."""
        return self._series._like(OfArrow.of_arrow(pc.list_value_length(self._series._column.to_arrow())))

    def __getitem__(self, key: int | slice) -> Any:
        """The element of each list at a position, or a slice of each list."""
        a = self._series._column.to_arrow()
        if is_integer(key) and key >= 0:
            return self._series._like(OfArrow.of_arrow(pc.list_element(a, int(key))))
        if isinstance(key, slice) and all(x is None or x >= 0 for x in (key.start, key.stop)) and key.step in (None, 1):
            return self._series._like(OfArrow.of_arrow(pc.list_slice(a, key.start or 0, key.stop)))
        return self._in_pandas("__getitem__", "positions from the end, or a step")(key)

    def __iter__(self) -> Any:
        raise TypeError("'ListAccessor' object is not iterable")

    def flatten(self) -> Any:
        """The elements of all lists, each with the label of its row."""
        series, a = self._series, self._series._column.to_arrow()
        counts = np.asarray(pc.list_value_length(a).fill_null(0), np.int64)
        return series._with([OfArrow.of_arrow(pc.list_flatten(a))], series._index.repeat(counts))


class StructMethods(Accessor):
    """Structs: their fields as series."""

    name = "struct"

    @property
    def dtypes(self) -> Any:
        """The type of each field, as pandas' series."""
        return self.explode().dtypes

    def field(self, name_or_index: Any) -> Any:
        """The values of a field, by its name or position; a list goes into structs of structs."""
        a, name = self._series._column.to_arrow(), name_or_index
        for part in name if type(name) is list and name else [name]:
            if not isinstance(part, (str, int)) or not pyarrow.types.is_struct(a.type):
                return self._in_pandas("field", "a field that is not named")(name)
            at = a.type.get_field_index(part) if isinstance(part, str) else part
            if not 0 <= at < a.type.num_fields:
                return self._refused("field", (name_or_index,), {})
            name, a = a.type.field(at).name, pc.struct_field(a, [at])
        made = self._series._like(OfArrow.of_arrow(a))
        made.name = name
        return made

    def explode(self) -> Any:
        """A frame of all fields."""
        a = self._series._column.to_arrow()
        names = [field.name for field in a.type]
        columns = [OfArrow.of_arrow(pc.struct_field(a, [i])) for i in range(len(names))]
        return _classes.DataFrame._new(columns, labels_of(names), self._series._index)
