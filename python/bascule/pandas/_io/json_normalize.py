"""Nested objects of JSON as the rows of a frame."""

from __future__ import annotations

import copy
from collections import abc, defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np

from .. import _classes
from .._columns.infer import object_array
from .._columns.where import is_missing_scalar


def _flat(x: dict[Any, Any], sep: str) -> dict[Any, Any]:
    """An object whose objects are taken apart: first what is none, then the others' values by their joined keys."""
    nested = {k: v for k, v in x.items() if isinstance(v, dict)}
    if not nested:
        return dict(x)
    made = {k: v for k, v in x.items() if not isinstance(v, dict)}
    for k, v in nested.items():
        made.update(_leaves(v, f"{sep}{k}".removeprefix(sep), sep))
    return made


def _leaves(x: dict[Any, Any], path: str, sep: str) -> Iterator[tuple[str, Any]]:
    for k, v in x.items():
        key = f"{path}{sep}{k}" if path else f"{sep}{k}".removeprefix(sep)
        if isinstance(v, dict):
            yield from _leaves(v, key, sep)
        else:
            yield key, v


def _flat_to(x: dict[Any, Any], sep: str, most: int | None, prefix: str = "", level: int = 0) -> dict[Any, Any]:
    """An object whose objects are taken apart down to a level, in the place of each."""
    made = copy.deepcopy(x) if level == 0 else dict(x)
    for key, value in x.items():
        k = key if isinstance(key, str) else str(key)
        name = k if level == 0 else prefix + sep + k
        if isinstance(value, dict) and (most is None or level < most):
            made.update(_flat_to(made.pop(k), sep, most, name, level + 1))
        elif level:
            made[name] = made.pop(k)
    return made


def _field(x: Any, path: Any, errors: str, of_records: bool = False) -> Any:
    """The value at a path of keys."""
    try:
        for key in path if isinstance(path, list) else [path]:
            if x is None and isinstance(path, list):
                raise KeyError(key)
            x = x[key]
    except KeyError as e:
        if of_records:
            raise KeyError(
                f"Key {e} not found. If specifying a record_path, all elements of data should have the path."
            ) from e
        if errors == "ignore":
            return np.nan
        raise KeyError(
            f"Key {e} not found. To replace missing values of {e} with np.nan, pass in errors='ignore'"
        ) from e
    return x


def _records(x: Any, path: Any) -> list[Any]:
    found = _field(x, path, "raise", of_records=True)
    if isinstance(found, list):
        return found
    if not is_missing_scalar(found):
        raise TypeError(f"Path must contain list or null, but got {type(found).__name__} at {path!r}")
    return []


def _check_meta(meta: Any) -> None:
    for item in () if meta is None or isinstance(meta, str) else meta:
        for part in item if isinstance(item, list) else ():
            if not isinstance(part, str):
                raise TypeError(
                    f"All elements in nested meta paths must be strings. Found {type(part).__name__}: {part!r}"
                )
        if not isinstance(item, (list, str)):
            raise TypeError(
                f"All elements in 'meta' must be strings or lists of strings. Found {type(item).__name__}: {item!r}"
            )


def _objects(data: Any) -> list[dict[Any, Any]]:
    if isinstance(data, dict):
        return [data]
    if not isinstance(data, abc.Iterable) or isinstance(data, str):
        raise NotImplementedError  # as pandas
    made = list(data)
    for i, item in enumerate(made):
        if not isinstance(item, dict):
            if not is_missing_scalar(item):
                raise TypeError(f"All items in data must be of type dict or NA-like, found {type(item).__name__}")
            made[i] = {}
    return made


class _Extraction:
    """The records at a path, and the fields around them for each."""

    def __init__(self, meta: list[list[str]], sep: str, errors: str, most: int | None):
        self.meta, self.sep, self.errors, self.most = meta, sep, errors, most
        self.records: list[Any] = []
        self.lengths: list[int] = []
        self.values: dict[str, list[Any]] = defaultdict(list)
        self.keys = [sep.join(path) for path in meta]

    def extract(self, data: Any, path: list[Any], around: dict[str, Any], level: int = 0) -> None:
        for x in [data] if isinstance(data, dict) else data:
            if len(path) > 1:
                for field, key in zip(self.meta, self.keys):
                    if level + 1 == len(field):
                        around[key] = _field(x, field[-1], self.errors)
                self.extract(x[path[0]], path[1:], around, level + 1)
                continue
            found = _records(x, path[0])
            self.records += [_flat_to(r, self.sep, self.most) if isinstance(r, dict) else r for r in found]
            self.lengths.append(len(found))
            for field, key in zip(self.meta, self.keys):
                inner = level + 1 > len(field)
                self.values[key].append(around[key] if inner else _field(x, field[level:], self.errors))


def json_normalize(
    data: Any, record_path: Any = None, meta: Any = None, meta_prefix: str | None = None, record_prefix: str | None = None,
    errors: str = "raise", sep: str = ".", max_level: int | None = None,
) -> Any:  # fmt: skip
    """Rows of nested objects, with a column for each path of keys.

    Parameters
    ----------
    data : dict, list of dicts, or Series of dicts
    record_path, meta, meta_prefix, record_prefix, errors, sep, max_level
        As pandas'.

    Returns
    -------
    DataFrame

    Raises
    ------
    KeyError, TypeError, ValueError

    Examples
    --------
    >>> import bascule.pandas as pd
    >>> pd.json_normalize([{"id": 1, "name": {"first": "Ada", "last": "L."}}]).columns.tolist()
    ['id', 'name.first', 'name.last']
    """
    _check_meta(meta)
    index = data.index if isinstance(data, _classes.Series) else None
    if isinstance(data, list) and not data:
        return _classes.DataFrame()
    objects = _objects(data)
    if record_path is None:
        if meta is None and meta_prefix is None and record_prefix is None and max_level is None:
            return _classes.DataFrame([_flat(x, sep) for x in objects], index=index)
        if any(isinstance(v, dict) for x in objects for v in x.values()) or any(x for x in objects):
            objects = [_flat_to(x, sep, max_level) for x in objects]
        made = _classes.DataFrame(objects, index=index)
        return made if record_prefix is None else made.rename(columns=lambda x: f"{record_prefix}{x}")
    paths = [
        m if isinstance(m, list) else [m] for m in ([] if meta is None else meta if isinstance(meta, list) else [meta])
    ]
    found = _Extraction(paths, sep, errors, max_level)
    found.extract(objects, record_path if isinstance(record_path, list) else [record_path], {})
    made = _classes.DataFrame(found.records)
    if record_prefix is not None:
        made = made.rename(columns=lambda x: f"{record_prefix}{x}")
    for key, values in found.values.items():
        name = key if meta_prefix is None else meta_prefix + key
        if name in made:
            raise ValueError(f"Conflicting metadata name {name}, need distinguishing prefix ")
        made[name] = object_array(values).repeat(found.lengths)
    if index is not None:
        made.index = index.repeat(found.lengths)
    return made
