"""Methods of frames and series that give way to pandas' where a call is beyond them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from .._fallback.calls import call as call_pandas
from .._fallback.calls import run as run_pandas
from .._fallback.elsewhere import Elsewhere


def or_pandas(method: Callable) -> Callable:
    """A method that is pandas', counted, where its own code raises Elsewhere."""

    @wraps(method)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            return method(self, *args, **kwargs)
        except Elsewhere as why:
            reason = why.reason
        return call_pandas(self, method.__name__, args, kwargs, reason)  # an error of pandas' shows no other before it

    return call


def or_pandas_function(theirs: Callable) -> Callable:
    """A function that is pandas', counted, where its own code raises Elsewhere."""

    def made(function: Callable) -> Callable:
        @wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            try:
                return function(*args, **kwargs)
            except Elsewhere as why:
                reason = why.reason
            return run_pandas(f"pandas.{theirs.__name__}", reason, theirs, *args, **kwargs)

        return call

    return made
