"""Methods that give way to pandas' where a call is beyond them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from .calls import call as call_pandas


class Elsewhere(Exception):
    """A call that only pandas can answer, and why."""

    def __init__(self, reason: str):
        super().__init__(reason)
        self.reason = reason


def or_in_pandas(method: Callable) -> Callable:
    """A method that gives way to pandas' where it raises Elsewhere."""

    @wraps(method)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            if self._foreign is not None:
                raise Elsewhere(self._foreign)
            return method(self, *args, **kwargs)
        except Elsewhere as why:
            return call_pandas(self, method.__name__, args, kwargs, str(why))

    return call
