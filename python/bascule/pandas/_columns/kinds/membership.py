"""`isin`: which values are among given ones. How a kind of columns finds the values that it can hold is a method of the kind."""

from __future__ import annotations

import functools
import operator
from typing import Any

import numpy as np

from .... import _core
from ...._array.ufuncs import by_name, rows
from ..column import Column, ndarray, plain
from ..grouping import int64
from ..infer import column

_float64 = np.dtype(np.float64)
_select = rows["where"]["ufunc"]
_bool = np.dtype(bool)
FEW = 8  # values that are compared one by one; for more, a look-up in a table costs less
MANY = 1 << 14  # rows and values from which on a table of marks is made
ENTRIES_A_ROW = 8  # that such a table may have


def rows_among(c: Any, values: Any) -> Column:
    """Whether each row of a column in bascule's memory is among some values."""
    wanted = _wanted(c, values)
    if wanted is None:
        return plain(_core.full((len(c),), False, np.dtype(bool), c.device))
    if len(wanted) <= c.few_sought and not wanted.has_missing():
        return plain(functools.reduce(operator.or_, c.equal_to_each(wanted)))
    marked = _marked(c, wanted)
    if marked is not None:
        return marked
    _, first, _ = _core.factorize_columns([wanted.core], False, True)
    keys = _core.Labels([wanted.take(first).core])
    return plain(keys.positions_of(_core.Labels([c.core])) >= 0)


def _marked(c: Any, wanted: Any) -> Column | None:
    """The same by a table with an entry for each number from the least wanted one to the greatest; None where that is long."""
    total = len(c) + len(wanted)
    if total < MANY or not (c.in_ranges and wanted.in_ranges):
        return None
    values, there = (int64(x.as_numbers()) for x in (c, wanted))
    least, most = int(there.min()), int(there.max())
    if most - least >= ENTRIES_A_ROW * total:
        return None
    outside = most - least + 1
    marks = _core.full((outside + 1,), False, _bool, c.device)
    marks[there - least] = True
    inside = (values >= least) & (values <= most)
    return plain(_core.take(marks, _select(inside, values - least, outside), 0))


def _wanted(c: Any, values: Any) -> Column | None:
    """The values of a list that a column can hold, in its type; None where there are none."""
    if not hasattr(values, "dtype") and not hasattr(values, "_index") and not isinstance(values, (list, tuple, range)):
        values = list(values)
    if isinstance(values, (list, tuple)) and len(set(map(type, values))) > 1:
        return c.sought_of_list(list(values))  # an array would have one common type
    there = column(values)
    if there is None:
        return c.sought_of_list(list(values)) if len(values) else None
    return there.sought_in(c) if len(there) else None


def represented(values: ndarray, dtype: np.dtype) -> Column | None:
    """The numbers that a type represents exactly, in that type; None where there are none."""
    made = _represented(values, dtype)
    return plain(made) if len(made) else None


def _represented(values: ndarray, dtype: np.dtype) -> ndarray:
    if dtype.kind == "f":
        wide = values.astype(_float64)
        narrow = wide.astype(dtype)
        return narrow if dtype == _float64 else narrow[(narrow.astype(_float64) == wide) | (wide != wide)]
    limits = np.iinfo(dtype)
    if values.dtype.kind == "f":
        wide = values.astype(_float64)
        inside = (wide >= float(limits.min)) & (wide < float(limits.max) + 1)
        return wide[inside & (by_name["floor"](wide) == wide)].astype(dtype)
    there = np.iinfo(values.dtype)
    inside = (values >= max(limits.min, there.min)) & (values <= min(limits.max, there.max))
    return values[inside].astype(dtype)
