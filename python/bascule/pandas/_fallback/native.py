"""The decorators of functions that run natively where possible, else in pandas."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from .._questions import is_integer
from .._theirs import pandas
from .calls import call as call_pandas
from .calls import run as run_pandas

DOWN = (None, 0, "index")  # values of axis= that go down the columns


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


class Arguments:
    """The table of the arguments of a function that are native with certain values: one, a tuple of several, or those
    of which a function is true. It is a table of reasons, too: a call with another value falls back because of the
    argument. Arguments that a call leaves out are not looked at.
    """

    def __init__(self, function: Callable, native: dict[str, Any], skipped: int):
        code = function.__code__
        names = code.co_varnames[skipped : code.co_argcount + code.co_kwonlyargcount]
        positional = code.co_argcount - skipped
        self.native = native
        self._rows = []
        for name, values in native.items():
            at = names.index(name)
            self._rows.append((name, at if at < positional else len(names), _allows(values)))

    def check(self, args: tuple, kwargs: dict[str, Any]) -> None:
        """Raise NotNative for the first argument of the table that has a value without native code."""
        for name, at, allows in self._rows:
            if name in kwargs:
                value = kwargs[name]
            elif at < len(args):
                value = args[at]
            else:
                continue
            if not allows(value):
                raise NotNative(f"{name}=")


def _allows(values: Any) -> Callable[[Any], bool]:
    if callable(values):
        return values
    if values is None:
        return lambda value: value is None
    if isinstance(values, bool):
        return lambda value: bool(value) is values
    allowed = values if isinstance(values, tuple) else (values,)
    return lambda value: value in allowed


def arguments_of(function: Any) -> Arguments | None:
    """The table of a function that is decorated with one."""
    return getattr(function, "__bascule_arguments__", None)


def native(method: Callable | None = None, /, **arguments: Any) -> Any:
    """A method that runs in pandas, counted, where its own code raises NotNative, or an argument has none of the values
    in the table that the decorator is given; see `Arguments`.

    Objects with a `_foreign` reason, which pandas holds, run there at once.
    """
    if method is None:
        return lambda method: _native(method, Arguments(method, arguments, 1))
    return _native(method, None)


def _native(method: Callable, table: Arguments | None) -> Callable:
    @wraps(method)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            if hasattr(type(self), "_foreign") and self._foreign is not None:
                raise NotNative(self._foreign)
            if table is not None and (args or kwargs):
                table.check(args, kwargs)
            return method(self, *args, **kwargs)
        except NotNative as why:
            reason = why.reason
        # Outside of the handler, which would make NotNative the context of pandas' errors.
        by_pandas = getattr(type(self), "_fall_back", call_pandas)  # accessors have one
        return by_pandas(self, method.__name__, args, kwargs, reason)

    call.__bascule_native__ = method  # type: ignore[attr-defined]
    call.__bascule_arguments__ = table  # type: ignore[attr-defined]
    return call


def native_function(theirs: str, /, **arguments: Any) -> Callable:
    """A function that runs as pandas' of that name, counted, where a method that is `native` runs in pandas."""

    def made(function: Callable) -> Callable:
        table = Arguments(function, arguments, 0) if arguments else None

        @wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            try:
                if table is not None:
                    table.check(args, kwargs)
                return function(*args, **kwargs)
            except NotNative as why:
                reason = why.reason
            return run_pandas(f"pandas.{theirs}", reason, getattr(pandas, theirs), *args, **kwargs)

        call.__bascule_arguments__ = table  # type: ignore[attr-defined]
        return call

    return made
