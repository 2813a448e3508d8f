"""Deprecations of pandas: warned of where a program uses them, and not again when the call is passed on to pandas."""

from __future__ import annotations

import functools
import inspect
import types
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas
from pandas.core.groupby.indexing import GroupByNthSelector

from ..._array.caller_warnings import at_users_line, warn

_UNSET = pandas.api.extensions.no_default
_Soon = pandas.errors.Pandas4Warning
_RENAMED = {
    "weekday": "day_of_week",
    "dayofweek": "day_of_week",
    "dayofyear": "day_of_year",
    "daysinmonth": "days_in_month",
}


def _inplace(name: str, method: str) -> None:
    """The installed pandas' warning of `inplace`, which names the class of the object."""
    at_users_line(lambda: pandas.DataFrame._check_inplace_deprecation(type(name, (), {})(), True, method))  # type: ignore[attr-defined]


def _copy(name: str, method: str) -> None:
    at_users_line(lambda: pandas.DataFrame._check_copy_deprecation(True))  # type: ignore[attr-defined]


def _in_words(text: str) -> Callable[[str, str], None]:
    return lambda name, method: warn(text, _Soon)


_CHECKS = {"_check_inplace_deprecation": ("inplace", _inplace), "_check_copy_deprecation": ("copy", _copy)}
_SUFFIXES = _in_words(
    "The 'lsuffix' and 'rsuffix' keywords in DataFrame.join are deprecated and will be removed in a future version. "
    "Use the 'suffixes' keyword instead."
)
# Keywords of single methods, which pandas warns of where it has no default for them any more.
_SINGLE = {
    ("DataFrame", "set_index"): {
        "verify_integrity": _in_words(
            "The 'verify_integrity' keyword in DataFrame.set_index is deprecated and will be removed in a future version. "
            "Directly check the result.index.is_unique instead."
        )
    },
    ("DataFrame", "join"): {"lsuffix": _SUFFIXES, "rsuffix": _SUFFIXES},
    ("DataFrame", "to_parquet"): {
        "engine": _in_words(
            "engine='auto' is deprecated and will be removed in a future version. Pass engine='pyarrow' or do not pass "
            "'engine' to use the default."
        )
    },
}
_BEFORE_SUFFIXES = ("lsuffix", "rsuffix")
_ONLY = {"engine": "auto"}  # keywords of which only one value is deprecated


@functools.cache
def _kept(kind: type, name: str) -> dict[str, Any]:
    """The keywords of a method of pandas that have no default any more, and the value that a program without them means."""
    member = getattr(getattr(pandas, kind.__name__, None), name, None)
    if not callable(member):
        return {}
    try:
        parameters = inspect.signature(member).parameters.values()
    except (TypeError, ValueError):
        return {}
    return {p.name: False for p in parameters if p.default is _UNSET and p.name in ("inplace", "verify_integrity")} | {
        p.name: "" for p in parameters if p.default is _UNSET and p.name in ("lsuffix", "rsuffix")
    }


def keywords_for_pandas(kind: type, name: str, kwargs: dict[str, Any]) -> dict[str, Any]:
    """The keywords of a call without those that have no effect, which pandas would warn of."""
    if not kwargs:
        return kwargs
    means = next((m for c in kind.__mro__ if (m := _kept(c, name))), {})
    return {k: v for k, v in kwargs.items() if not (v is _UNSET or (k in means and means[k] == v))}


def quietly(function: Callable[..., Any], kwargs: dict[str, Any]) -> Any:
    """A call of pandas without its warnings of those deprecated keywords that the program was already warned of."""
    if _TOLD.isdisjoint(kwargs):
        return function()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", r"The .*keyword", _Soon)
        warnings.filterwarnings("ignore", r"engine='auto'", _Soon)
        return function()


def _telling(f: Callable[..., Any], name: str, told: dict[str, Callable[[str, str], None]]) -> Callable[..., Any]:
    @functools.wraps(f)
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        said = set()
        for k in told.keys() & kwargs.keys():
            if k in _BEFORE_SUFFIXES and kwargs.get("suffixes", _UNSET) is not _UNSET:
                continue  # an error
            if kwargs[k] is not _UNSET and _ONLY.get(k, kwargs[k]) is kwargs[k] and told[k] not in said:
                said.add(told[k])
                told[k](type(self).__name__, name)
        return f(self, *args, **kwargs)

    return method


def _of_method(theirs: type, name: str) -> dict[str, Callable[[str, str], None]]:
    """The keywords of a method of pandas that it warns of."""
    there = getattr(theirs, name)
    members = [vars(c)[name] for c in theirs.__mro__ if isinstance(vars(c).get(name), types.FunctionType)]
    used = {word for m in members for word in inspect.unwrap(m).__code__.co_names}
    found = {keyword: tell for check, (keyword, tell) in _CHECKS.items() if check in used}
    single = _SINGLE.get((theirs.__name__, name))
    if single is None:
        return found
    parameters = inspect.signature(there).parameters
    return found | {k: tell for k, tell in single.items() if k in parameters and parameters[k].default is _UNSET}


def tell_of_keywords(own: type, theirs: type) -> None:
    """Let the methods of a class warn of the keywords that those of pandas' class warn of."""
    for name in dir(theirs):
        there = None if name.startswith("_") else getattr(theirs, name)
        f = getattr(own, name, None)
        if isinstance(there, types.FunctionType) and isinstance(f, types.FunctionType):
            told = _of_method(theirs, name)
            if told:
                setattr(own, name, _telling(f, name, told))


_TOLD = frozenset(("inplace", "copy", "verify_integrity", "lsuffix", "rsuffix", "engine"))


def of_field(owner: str, theirs: type, name: str) -> None:
    """Warn of a renamed field of timestamps, where the installed pandas does."""
    if name not in _RENAMED:
        return
    member = inspect.getattr_static(theirs, name, None)
    if isinstance(member, property) and member.fget is not None and _Soon.__name__ in member.fget.__code__.co_names:
        warn(
            f"{owner}.{name} is deprecated and will be removed in a future version. Use {owner}.{_RENAMED[name]} instead.",
            _Soon,
        )


def of_new_label(ndim: int) -> None:
    """Warn that `.at` has added a label, where the installed pandas does."""
    if hasattr(pandas.core.indexing._AtIndexer, "_warn_if_expanding"):
        kind = "DataFrame" if ndim == 2 else "Series"
        warn(
            f"Setting a value on a {kind} via .at with a key that does not exist in the index is deprecated and will "
            "raise a KeyError in a future version. Use .loc instead.",
            _Soon,
        )


def of_nth() -> None:
    """Warn of `nth` as a property rather than a call, where the installed pandas does."""
    if _Soon.__name__ in GroupByNthSelector.__getitem__.__code__.co_names:
        warn(
            "GroupBy.nth[...] is deprecated and will be removed in a future version of pandas. Use GroupBy.nth(...) instead.",
            _Soon,
        )


def of_numeric_only(given: Any) -> None:
    """Warn of a numeric_only= that is not boolean, where the installed pandas does."""
    if not isinstance(given, (bool, np.bool_)):
        if _Soon.__name__ in pandas.DataFrame._stat_function.__code__.co_names:  # type: ignore[attr-defined]
            text = "Passing non-boolean values for 'numeric_only' is deprecated and will raise in a future version of pandas."
            warn(text, _Soon)


def of_groups(by: Any) -> None:
    """Warn that groups by a list of one key will have tuples as labels, where the installed pandas does."""
    if isinstance(by, list) and len(by) == 1 and _Soon.__name__ in _groups_of_pandas().co_names:
        warn(
            "In a future version, the keys of `groups` will be a "
            f"tuple with a single element, e.g. ({by[0]},) , instead of a scalar, e.g. {by[0]}, when grouping "
            "by a list with a single element. Use ``df.groupby(by='a').groups`` instead of ``df.groupby(by=['a']).groups`` "
            "to avoid this warning",
            _Soon,
        )


def _groups_of_pandas() -> types.CodeType:
    return inspect.getattr_static(pandas.api.typing.DataFrameGroupBy, "groups").fget.__code__
