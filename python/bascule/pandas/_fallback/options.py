"""pandas' options of the text of frames and series. They are kept here until pandas is imported, and are given to it then."""

from __future__ import annotations

import builtins
import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from .._theirs import follow, is_loaded, pandas


def _is_count(x: Any) -> bool:
    return x is None or (isinstance(x, int) and x >= 0)


def _is_integer(x: Any) -> bool:
    return x is None or isinstance(x, int)


def _is_bool(x: Any) -> bool:
    return type(x) is bool


# The default of each, and the check of a value; pandas itself raises for those that fail it.
_KNOWN: dict[str, tuple[Any, Callable[[Any], bool]]] = {
    "display.expand_frame_repr": (True, _is_bool),
    "display.float_format": (None, lambda x: x is None or callable(x)),
    "display.max_columns": (0, _is_count),
    "display.max_colwidth": (50, _is_count),
    "display.max_rows": (60, _is_count),
    "display.min_rows": (10, _is_integer),
    "display.precision": (6, _is_count),
    "display.width": (80, _is_integer),
}
_given: dict[str, Any] = {}


def _are_here() -> bool:
    """Whether the options are kept here: IPython has other defaults, and pandas knows them."""
    return not is_loaded() and not hasattr(builtins, "get_ipython")


def value(name: str) -> Any:
    """An option of the text, by its name without "display."; pandas is not imported."""
    return _current(f"display.{name}")


def _current(path: str) -> Any:
    return _given.get(path, _KNOWN[path][0])


@follow
def _give() -> None:
    for name, x in _given.items():
        pandas.set_option(name, x)
    _given.clear()


def _pairs(args: tuple[Any, ...]) -> dict[str, Any] | None:
    """The options of a call and their values; None where pandas has to read or to check them."""
    if len(args) == 1 and type(args[0]) is dict:
        pairs = args[0]
    elif not args or len(args) % 2 or not all(isinstance(name, str) for name in args[::2]):
        return None
    else:
        pairs = dict(zip(args[::2], args[1::2]))
    return pairs if all(name in _KNOWN and _KNOWN[name][1](x) for name, x in pairs.items()) else None


def set_option(*args: Any) -> None:
    """Set the values of options.

    Parameters
    ----------
    *args : str and object, in pairs, or dict
        Names of options, or patterns that find one, and their values.

    Raises
    ------
    pandas.errors.OptionError
        There is no such option.
    ValueError
        The value is not one of the option's.

    See Also
    --------
    get_option, option_context, reset_option

    Examples
    --------
    >>> import bascule.pandas as pd
    >>> pd.set_option("display.max_columns", 4)
    >>> pd.get_option("display.max_columns")
    4
    >>> pd.reset_option("display.max_columns")
    """
    pairs = _pairs(args) if _are_here() else None
    if pairs is None:
        pandas.set_option(*args)
    else:
        _given.update(pairs)


def get_option(pat: str) -> Any:
    """Return the value of an option.

    Parameters
    ----------
    pat : str
        Name of the option, or a pattern that finds one.

    Returns
    -------
    object

    Raises
    ------
    pandas.errors.OptionError
        There is no such option, or there are several.

    See Also
    --------
    set_option

    Examples
    --------
    >>> import bascule.pandas as pd
    >>> pd.get_option("display.min_rows")
    10
    """
    if not _are_here() or pat not in _KNOWN:
        return pandas.get_option(pat)
    return _current(pat)


def reset_option(pat: str) -> None:
    """Set options to their defaults.

    Parameters
    ----------
    pat : str
        Name of an option, a pattern, or "all".

    Raises
    ------
    pandas.errors.OptionError
        There is no such option.

    See Also
    --------
    set_option

    Examples
    --------
    >>> import bascule.pandas as pd
    >>> pd.set_option("display.precision", 2)
    >>> pd.reset_option("display.precision")
    >>> pd.get_option("display.precision")
    6
    """
    if not _are_here() or pat not in _KNOWN:
        pandas.reset_option(pat)
    else:
        _given.pop(pat, None)


@contextlib.contextmanager
def option_context(*args: Any) -> Iterator[None]:
    """Context manager that sets options within a block.

    Parameters
    ----------
    *args : str and object, in pairs, or dict
        As for `set_option`.

    Raises
    ------
    pandas.errors.OptionError, ValueError
        As for `set_option`.

    See Also
    --------
    set_option

    Examples
    --------
    >>> import bascule.pandas as pd
    >>> with pd.option_context("display.precision", 2):
    ...     print(pd.Series([1 / 3]))
    0    0.33
    dtype: float64
    """
    pairs = _pairs(args) if _are_here() else None
    if pairs is None:
        with pandas.option_context(*args):
            yield
        return
    before = {name: get_option(name) for name in pairs}
    set_option(pairs)
    try:
        yield
    finally:
        set_option(before)


class Options:
    """`pandas.options`: options as attributes."""

    def __init__(self, prefix: str = ""):
        object.__setattr__(self, "_prefix", prefix)

    def _there(self) -> Any:
        found = pandas.options
        return getattr(found, self._prefix[:-1]) if self._prefix else found

    def __getattr__(self, name: str) -> Any:
        path = self._prefix + name
        if path == "display" and _are_here():
            return Options("display.")
        return get_option(path) if path in _KNOWN else getattr(self._there(), name)

    def __setattr__(self, name: str, x: Any) -> None:
        path = self._prefix + name
        if path in _KNOWN:
            set_option(path, x)
        else:
            setattr(self._there(), name, x)

    def __dir__(self) -> list[str]:
        return dir(self._there())


options = Options()
