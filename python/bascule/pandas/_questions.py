"""Questions about any object, answered as pandas' `api.types` answers them."""

from __future__ import annotations

import datetime
import functools
import numbers
import types
import typing
from collections.abc import Iterator, Set
from typing import Any

import numpy as np

from ._theirs import is_loaded, pandas

PLAIN = frozenset((str, int, float, bool, type(None), np.int64, np.float64))  # the usual types of labels and values
_GENERIC = (types.GenericAlias, type(typing.List[int]))  # noqa: UP006  (the class of typing's own aliases)
_VALUES = (
    str, bytes, np.generic, numbers.Number, datetime.date, datetime.timedelta, datetime.time, type(None)
)  # fmt: skip


def is_list_like(x: Any, allow_sets: bool = True) -> bool:
    """Whether an object is a collection of values: it can be iterated, and is no string, class or scalar."""
    kind = type(x)
    if kind is list:
        return True
    if kind in PLAIN or isinstance(x, type) or getattr(x, "__iter__", None) is None:
        return False
    if isinstance(x, np.ndarray):
        return x.ndim > 0
    if isinstance(x, (pandas.Series, pandas.DataFrame, pandas.Index)):
        return True
    if isinstance(x, (str, bytes, *_GENERIC)) or (hasattr(x, "ndim") and x.ndim == 0):
        return False
    return allow_sets or not isinstance(x, Set)


def ndim_of(x: Any) -> int:
    """The number of dimensions of an array, or of nested lists; 1 of lists of unequal lengths, as pandas takes them."""
    try:
        return np.ndim(x)
    except ValueError:
        return 1


def lists_labels(x: Any) -> bool:
    """Whether an object is a list, an array, an index or a series, of either library."""
    return isinstance(x, list) or getattr(x, "ndim", 0) == 1


def labels_in(x: Any) -> list[Any]:
    """The labels of such an object, or of a tuple, in a list."""
    return x.tolist() if hasattr(x, "_column") else list(x)


def listed(x: Any, kind: Any = Iterator) -> Any:
    """The values of an iterator in a list, since it gives them once only; other objects unchanged."""
    return list(x) if isinstance(x, kind) else x


_OF_DICTS = ("__getitem__", "keys", "__contains__")


def is_dict_like(x: Any) -> bool:
    """Whether an object has keys and values."""
    if isinstance(x, type):
        return False
    if type(x).__module__.startswith("bascule."):
        return _is_dict_like_class(type(x))
    return all(hasattr(x, name) for name in _OF_DICTS)


@functools.cache
def _is_dict_like_class(kind: type) -> bool:
    """Whether a class has the names, without asking its objects, whose `__getattr__` may ask pandas."""
    return all(any(name in vars(one) for one in kind.__mro__) for name in _OF_DICTS)


def is_scalar(x: Any) -> bool:
    """Whether an object is one value: a number, text, time, missing value, or one of pandas' scalars."""
    return type(x) in PLAIN or isinstance(x, _VALUES) or (is_loaded() and pandas.api.types.is_scalar(x))


def is_integer(x: Any) -> bool:
    """Whether an object is an integer of Python or NumPy."""
    return isinstance(x, (int, np.integer)) and not isinstance(x, (bool, np.timedelta64))


def is_bool(x: Any) -> bool:
    """Whether an object is a bool of Python or NumPy."""
    return isinstance(x, (bool, np.bool_))
