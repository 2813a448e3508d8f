"""The results of a Python function for each value or row, as a column of the type that pandas infers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ... import _core
from .._fallback import in_pandas
from .._fallback.native import NotNative
from .._theirs import pandas
from .column import AnyColumn, HostColumn, from_pandas_array, from_pandas_object, has_own_form, ndarray
from .infer import inferred, object_array, stay_objects


def of_results(values: list[Any]) -> AnyColumn:
    """The column of Python objects, as pandas' ``map_infer`` and its constructors give it.

    Parameters
    ----------
    values : list

    Returns
    -------
    Column or HostColumn
    """
    kinds = set(map(type, values))
    if np.ndarray in kinds or ndarray in kinds:
        arrays = (np.ndarray, ndarray)
        values = [v.item() if type(v) in arrays and v.ndim == 0 else v for v in values]
    found = inferred(values)
    return of_objects(object_array(values)) if found is None else found


def of_objects(objects: np.ndarray) -> AnyColumn:
    """The column of an array of objects of NumPy, in the type that all of them have."""
    numbers = pandas._libs.lib.maybe_convert_objects(objects)
    if numbers.dtype != object:
        return from_pandas_array(numbers) if has_own_form(numbers.dtype) else HostColumn(numbers)
    if stay_objects(objects, set(map(type, objects))):
        return HostColumn(objects)
    found = inferred(objects.tolist())
    if found is not None:
        return found
    with in_pandas("Series", "results of a function of a type that only pandas infers"):
        return from_pandas_object(pandas.Series(objects))


def called(c: AnyColumn, function: Callable[[Any], Any], skip_missing: bool = False) -> list[Any]:
    """The results of a function for each value; with `skip_missing`, missing values are not passed to it.

    Raises
    ------
    NotNative
        For columns whose array of pandas has a `map` of its own: categories, and types with NA.
    """
    if not c.maps_objects:
        raise NotNative(f"a Python function over values of type {c.dtype}")
    values = c.objects()
    if not skip_missing:
        return list(map(function, values))
    missing = _core.to_numpy(c.missing()).tolist()
    return [v if gone else function(v) for v, gone in zip(values, missing)]


def mapped(c: AnyColumn, function: Callable[[Any], Any], skip_missing: bool = False) -> AnyColumn:
    """A column of what `called` returns; without rows, in the type of the values."""
    found = called(c, function, skip_missing)
    return of_results(found) if found else c
