"""Extending our frames, series and indexes as pandas' own are extended."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pandas.api.extensions import *  # noqa: F403
from pandas.core.accessor import _register_accessor

from .._frames.frame import DataFrame
from .._frames.series import Series
from .._indexes.index import Index


def register_dataframe_accessor(name: str) -> Callable[[Any], Any]:
    """Decorator: make a class an accessor of that name of our frames."""
    return _register_accessor(name, DataFrame)  # type: ignore[arg-type]


def register_series_accessor(name: str) -> Callable[[Any], Any]:
    """Decorator: make a class an accessor of that name of our series."""
    return _register_accessor(name, Series)  # type: ignore[arg-type]


def register_index_accessor(name: str) -> Callable[[Any], Any]:
    """Decorator: make a class an accessor of that name of our indexes."""
    return _register_accessor(name, Index)  # type: ignore[arg-type]
