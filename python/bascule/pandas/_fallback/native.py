"""The decorators of functions that run natively where possible, else in pandas."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from .._questions import is_integer
from .._theirs import pandas
from .calls import call as call_pandas
from .calls import run as run_pandas


class NotNative(Exception):
    """Raised by a call without native code, with the reason: pandas runs it, counted."""

    def __init__(self, reason: str):
        super().__init__(reason)
        self.reason = reason


def integer(x: Any, what: str) -> Any:
    """An argument that has to be an integer; NotNative for others, about which pandas decides."""
    if not is_integer(x):
        raise NotNative(f"{what} that is no integer")
    return x


def native(method: Callable) -> Callable:
    """A method that runs in pandas, counted, where its own code raises NotNative.

    Objects with a `_foreign` reason, which pandas holds, run there at once.
    """

    @wraps(method)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            if hasattr(type(self), "_foreign") and self._foreign is not None:
                raise NotNative(self._foreign)
            return method(self, *args, **kwargs)
        except NotNative as why:
            reason = why.reason
        return call_pandas(self, method.__name__, args, kwargs, reason)  # hides NotNative as the context of an error

    call.__bascule_native__ = method  # type: ignore[attr-defined]
    return call


def native_function(theirs: str) -> Callable:
    """A function that runs as pandas' of that name, counted, where its own code raises NotNative."""

    def made(function: Callable) -> Callable:
        @wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            try:
                return function(*args, **kwargs)
            except NotNative as why:
                reason = why.reason
            return run_pandas(f"pandas.{theirs}", reason, getattr(pandas, theirs), *args, **kwargs)

        return call

    return made
