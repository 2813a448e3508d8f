"""Metadata of frames and series: attrs, flags, and attributes that derived classes add."""

from __future__ import annotations

import functools
from collections.abc import Callable
from copy import deepcopy
from typing import Any

from .as_pandas import PandasObject


def unnoted(made: Any) -> Any:
    """Mark a function whose results, as in pandas, do not take over attrs."""
    if isinstance(made, PandasObject):
        made.__dict__.pop("_attrs", None)
    return made


def bare(made: Any) -> Any:
    """Mark a method of a group or window whose results do not take over attrs, unlike those of its other methods."""
    if isinstance(made, PandasObject):
        made.__dict__["_bare"] = True
    return made


def finish(owner: Any, out: Any, notes: bool = True) -> Any:
    """A result with an owner's metadata and these attrs, of the class that a derived owner asks for."""
    if out is owner or not isinstance(out, (PandasObject, tuple, list)):
        return out
    if isinstance(out, (tuple, list)):
        return type(out)(finish(owner, x) for x in out) if type(out) in (tuple, list) else out
    if type(out).__module__ == "bascule.pandas" and type(owner).__module__ != "bascule.pandas":
        wanted = owner._constructor if out.ndim == owner.ndim else (
            owner._constructor_sliced if out.ndim < owner.ndim else owner._constructor_expanddim
        )  # fmt: skip
        if wanted is not type(out):
            out = wanted(out)
    return out.__finalize__(owner) if notes and isinstance(out, PandasObject) else out


def finish_of_all(objects: list[Any], out: Any) -> Any:
    """A result of several objects: of the first one's class, with the attrs that are equal in all."""
    first = objects[0]
    made = finish(first, out) if type(first).__module__ != "bascule.pandas" else out
    notes = [x.__dict__.get("_attrs") for x in objects]
    if isinstance(made, PandasObject):
        if notes[0] and all(n == notes[0] for n in notes):
            made.attrs = deepcopy(notes[0])
        elif made.__dict__.get("_attrs"):
            made.attrs = {}
        if not all(x._may_repeat() for x in objects):
            made.flags.allows_duplicate_labels = False
    return made


def carrying_both(f: Callable[..., Any]) -> Callable[..., Any]:
    """A function of two objects whose result takes over the metadata of both."""

    @functools.wraps(f)
    def call(left: Any, right: Any, *args: Any, **kwargs: Any) -> Any:
        out = f(left, right, *args, **kwargs)
        objects = [x for x in (left, right) if isinstance(x, PandasObject)]
        return out if all(x._plain for x in objects) else finish_of_all(objects, out)

    return call
