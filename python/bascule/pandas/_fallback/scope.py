"""The caller's variables for expressions given as strings: pandas would look for them in this package's stack frames."""

from __future__ import annotations

import re
from types import FrameType
from typing import Any

from ..._array.caller_warnings import user_frame


def with_names(args: tuple, options: dict[str, Any]) -> dict[str, Any]:
    """Options of pandas' `eval`, or of a frame's `eval` or `query`, with the caller's variables that the expression names.

    Parameters
    ----------
    args : tuple
        Positional arguments: the expression first, the variables fourth and fifth.
    options : dict
        `level` counts from the first line outside the package, as pandas counts from its caller.
    """
    frame: FrameType = user_frame()
    for _ in range(options.get("level", 0)):
        frame = frame.f_back or frame
    words = set(re.findall(r"\w+", str(args[0] if args else options.get("expr", ""))))
    found = {"local_dict": frame.f_locals, "global_dict": frame.f_globals}
    given = dict(options)
    for place, (name, variables) in enumerate(found.items(), 3):
        if len(args) <= place and given.get(name) is None:
            given[name] = {word: variables[word] for word in words if word in variables}
    return given
