"""Every method and function of our own takes the arguments that pandas' takes, in the same order and with the same defaults."""

from __future__ import annotations

import inspect
from typing import Any

import bascule.pandas as pd
import pandas
import pytest

CLASSES = ["DataFrame", "Series", "Index", "RangeIndex", "DatetimeIndex", "TimedeltaIndex", "MultiIndex"]
GROUPS = {
    "DataFrameGroupBy": (type(pd.DataFrame({"a": [1]}).groupby("a")), pandas.core.groupby.DataFrameGroupBy),
    "SeriesGroupBy": (type(pd.Series([1]).groupby([1])), pandas.core.groupby.SeriesGroupBy),
}
PAIRS = {n: (getattr(pd, n), getattr(pandas, n)) for n in CLASSES} | GROUPS


# Parameters that differ, and why none is ignored: TypeError names the argument, or both defaults mean the same.
ALLOWED = {
    "axis=0 rather than None", "fill_value=nan rather than None", "lacks copy=", "lacks suffixes=", "lacks names=", "lacks level=",
    "lacks allow_duplicates=", "lacks union_categories=", "skipna by keyword only",
}  # fmt: skip


def parameters(f: Any) -> dict[str, inspect.Parameter] | None:
    try:
        return dict(inspect.signature(f).parameters)
    except (TypeError, ValueError):
        return None


def differences(ours: Any, theirs: Any) -> list[str]:
    have, wanted = parameters(ours), parameters(theirs)
    if have is None or wanted is None or getattr(ours, "__bascule_fallback__", False):
        return []
    open_ended = any(p.kind is p.VAR_KEYWORD for p in have.values())
    rest = any(p.kind is p.VAR_POSITIONAL for p in have.values())
    found = []
    for name, p in wanted.items():
        if p.kind in (p.VAR_KEYWORD, p.VAR_POSITIONAL):
            continue
        if name not in have:
            if not (open_ended or (rest and p.kind is p.POSITIONAL_ONLY)):
                found.append(f"lacks {name}=")
            continue
        mine = have[name]
        if p.kind is p.POSITIONAL_OR_KEYWORD and mine.kind is mine.KEYWORD_ONLY and not rest:
            found.append(f"{name} by keyword only")
        simple = (bool, int, float, str, type(None))
        if isinstance(p.default, simple) and isinstance(mine.default, simple) and repr(p.default) != repr(mine.default):
            found.append(f"{name}={mine.default!r} rather than {p.default!r}")
    return [d for d in found if d not in ALLOWED]


@pytest.mark.parametrize("kind", PAIRS)
def test_methods(kind):
    own, theirs = PAIRS[kind]
    bad = {}
    for name in dir(theirs):
        if name.startswith("_") or not callable(getattr(theirs, name, None)) or not hasattr(own, name):
            continue
        found = differences(getattr(own, name), getattr(theirs, name))
        if found:
            bad[name] = found
    assert not bad, bad


def test_functions():
    names = [n for n in pd.__all__ if not isinstance(getattr(pd, n), type) and hasattr(pandas, n)]
    bad = {n: d for n in names if (d := differences(getattr(pd, n), getattr(pandas, n)))}
    assert not bad, bad
