"""Deprecations of pandas: warned of where a program uses them, and not again when the call is passed on to pandas."""

from __future__ import annotations

import functools
import inspect
import operator
import types
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from ..._array.caller_warnings import at_users_line, warn
from ...supported_versions import numbers
from .._theirs import UNSET, is_loaded, pandas, unset

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
    return lambda name, method: warn(text, pandas.errors.Pandas4Warning)


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
    return {p.name: False for p in parameters if unset(p.default) and p.name in ("inplace", "verify_integrity")} | {
        p.name: "" for p in parameters if unset(p.default) and p.name in ("lsuffix", "rsuffix")
    }


def keywords_for_pandas(kind: type, name: str, kwargs: dict[str, Any]) -> dict[str, Any]:
    """The keywords of a call without those that have no effect, which pandas would warn of."""
    if not kwargs:
        return kwargs
    means = next((m for c in kind.__mro__ if (m := _kept(c, name))), {})
    return {k: v for k, v in kwargs.items() if not (unset(v) or (k in means and means[k] == v))}


def quietly(function: Callable[..., Any], kwargs: dict[str, Any]) -> Any:
    """A call of pandas without its warnings of those deprecated keywords that the program was already warned of."""
    if DEPRECATED.isdisjoint(kwargs):
        return function()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", r"The .*keyword", pandas.errors.Pandas4Warning)
        warnings.filterwarnings("ignore", r"engine='auto'", pandas.errors.Pandas4Warning)
        return function()


def of_keywords(x: Any, name: str, kwargs: dict[str, Any]) -> None:
    """Warn of those keywords of a call of a frame's or series' method that pandas warns of."""
    reported, said = _of_method(pandas.DataFrame if x.ndim == 2 else pandas.Series, name), set()
    for k in reported.keys() & kwargs.keys():
        if k in _BEFORE_SUFFIXES and not unset(kwargs.get("suffixes", UNSET)):
            continue  # an error
        if not unset(kwargs[k]) and _ONLY.get(k, kwargs[k]) is kwargs[k] and reported[k] not in said:
            said.add(reported[k])
            reported[k](type(x).__name__, name)


@functools.cache
def _of_method(theirs: type, name: str) -> dict[str, Callable[[str, str], None]]:
    """The keywords of a method of pandas that it warns of."""
    there = getattr(theirs, name, None)
    if not isinstance(there, types.FunctionType):
        return {}
    members = [vars(c)[name] for c in theirs.__mro__ if isinstance(vars(c).get(name), types.FunctionType)]
    used = {word for m in members for word in inspect.unwrap(m).__code__.co_names}
    found = {keyword: message for check, (keyword, message) in _CHECKS.items() if check in used}
    single = _SINGLE.get((theirs.__name__, name))
    if single is None:
        return found
    parameters = inspect.signature(there).parameters
    return found | {k: message for k, message in single.items() if k in parameters and unset(parameters[k].default)}


DEPRECATED = frozenset(("inplace", "copy", "verify_integrity", "lsuffix", "rsuffix", "engine"))


def _warns(path: str, name: str) -> bool:
    """Whether the installed pandas warns of a renamed field; before it is imported, by its version."""
    if not is_loaded():
        import importlib.metadata  # imported here because it takes milliseconds

        return numbers(importlib.metadata.version("pandas")) >= (3, 1)
    member = inspect.getattr_static(operator.attrgetter(path)(pandas), name, None)
    return (
        isinstance(member, property) and member.fget is not None and "Pandas4Warning" in member.fget.__code__.co_names
    )


def of_field(owner: str, path: str, name: str) -> None:
    """Warn of a renamed field of timestamps, where the installed pandas does."""
    if name in _RENAMED and _warns(path, name):
        warn(
            f"{owner}.{name} is deprecated and will be removed in a future version. Use {owner}.{_RENAMED[name]} instead.",
            pandas.errors.Pandas4Warning,
        )


def of_new_label(ndim: int) -> None:
    """Warn that `.at` has added a label, where the installed pandas does."""
    if hasattr(pandas.core.indexing._AtIndexer, "_warn_if_expanding"):
        kind = "DataFrame" if ndim == 2 else "Series"
        warn(
            f"Setting a value on a {kind} via .at with a key that does not exist in the index is deprecated and will "
            "raise a KeyError in a future version. Use .loc instead.",
            pandas.errors.Pandas4Warning,
        )


def of_nth() -> None:
    """Warn of `nth` as a property rather than a call, where the installed pandas does."""
    if "Pandas4Warning" in pandas.core.groupby.indexing.GroupByNthSelector.__getitem__.__code__.co_names:
        warn(
            "GroupBy.nth[...] is deprecated and will be removed in a future version of pandas. Use GroupBy.nth(...) instead.",
            pandas.errors.Pandas4Warning,
        )


def of_numeric_only(given: Any) -> None:
    """Warn of a numeric_only= that is not boolean, where the installed pandas does."""
    if not isinstance(given, (bool, np.bool_)):
        if "Pandas4Warning" in pandas.DataFrame._stat_function.__code__.co_names:  # type: ignore[attr-defined]
            text = "Passing non-boolean values for 'numeric_only' is deprecated and will raise in a future version of pandas."
            warn(text, pandas.errors.Pandas4Warning)


def of_groups(by: Any) -> None:
    """Warn that groups by a list of one key will have tuples as labels, where the installed pandas does."""
    if isinstance(by, list) and len(by) == 1 and "Pandas4Warning" in _groups_of_pandas().co_names:
        warn(
            "In a future version, the keys of `groups` will be a "
            f"tuple with a single element, e.g. ({by[0]},) , instead of a scalar, e.g. {by[0]}, when grouping "
            "by a list with a single element. Use ``df.groupby(by='a').groups`` instead of ``df.groupby(by=['a']).groups`` "
            "to avoid this warning",
            pandas.errors.Pandas4Warning,
        )


def _groups_of_pandas() -> types.CodeType:
    return inspect.getattr_static(pandas.api.typing.DataFrameGroupBy, "groups").fget.__code__
