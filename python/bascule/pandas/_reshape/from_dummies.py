"""`from_dummies`: indicator columns back to categories."""

from __future__ import annotations

from typing import Any

import numpy as np

import bascule as bc

from .. import _classes
from .._columns.column import ndarray, text_of
from .._fallback.native import NotNative, native_function
from .._theirs import pandas

_INT64 = np.dtype(np.int64)


def _ones(c: Any) -> ndarray:
    """int64, 1 where an indicator is set."""
    values = c.plain_values("biuf", "columns that are not dummies")
    if not bool(((values == 0) | (values == 1)).all()):  # missing ones are neither
        raise NotNative("values other than 0 and 1")
    return values.astype(_INT64)


def _prefixes(names: Any, sep: Any) -> dict[str, list[int]]:
    """The positions of the columns of each variable."""
    if sep is None:
        return {"": list(range(len(names)))}
    found: dict[str, list[int]] = {}
    for i, name in enumerate(names):
        prefix = name.split(sep)[0]
        if len(prefix) == len(name):
            raise NotNative("labels without the separator")
        found.setdefault(prefix, []).append(i)
    return found


def _decoded(data: Any, sep: Any, default_category: Any) -> Any:
    if not isinstance(data, _classes.DataFrame) or not (sep is None or isinstance(sep, str)) or not len(data._columns):
        raise NotNative("an argument that is not a frame, or sep= that is not a string")
    names = data._names
    if names.nlevels > 1 or names.dtype != "str" or names.hasnans or not names.is_unique:
        raise NotNative("labels that are not distinct strings")
    variables = _prefixes(names, sep)
    if isinstance(default_category, str):
        default_category = dict.fromkeys(variables, default_category)
    if default_category is not None and (not isinstance(default_category, dict) or set(default_category) != set(variables) or not all(isinstance(v, str) for v in default_category.values())):  # fmt: skip
        raise NotNative("unsupported default_category=")
    columns = []
    for prefix, at in variables.items():
        kinds = [names[i] if sep is None else names[i][len(prefix + sep) :] for i in at]
        dummies = [_ones(data._columns[i]) for i in at]
        assigned, number = dummies[0], dummies[0] * 0
        for k, one in enumerate(dummies[1:], 1):
            assigned, number = assigned + one, number + one * k
        if len(data) and (int(assigned.max()) > 1 or (int(assigned.min()) == 0 and default_category is None)):
            raise NotNative("rows of no category or several")
        if default_category is not None:
            kinds.append(default_category[prefix])
            number = bc.where(assigned == 0, np.int64(len(at)), number)
        columns.append(text_of(kinds).take(number))
    return _classes.DataFrame._new(columns, pandas.Index(list(variables), dtype=names.dtype), data._index)


@native_function("from_dummies")
def from_dummies(data: Any, sep: str | None = None, default_category: Any = None) -> Any:
    """Convert indicator columns to categories.

    Parameters
    ----------
    data : DataFrame
    sep : str, optional
        Separator between the name of a variable and its category.
    default_category : str or dict of str, optional
        The category of rows without any indicator.

    Returns
    -------
    DataFrame
        A column for each variable.

    Raises
    ------
    ValueError, TypeError
        When a row has no category or several, or the values are no indicators.

    Examples
    --------
    >>> import bascule.pandas as pd
    >>> pd.from_dummies(pd.DataFrame({"c_a": [1, 0], "c_b": [0, 1]}), sep="_").c.tolist()
    ['a', 'b']
    """
    return _decoded(data, sep, default_category)
