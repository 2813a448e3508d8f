"""pandas' scalars, offsets, types of columns and errors, without the rest of pandas: they are a quarter of its import.

The import of pandas is begun and ended early. Its modules that have been executed stay, and a full import, whenever one comes,
goes on from there with the same module object: the classes are the same ones.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from ..interop import after_import

_PANDAS = "pandas"
_OFFSETS = "pandas.tseries.offsets"
# The modules that have the names, by the module in which pandas shows them; "" are all names of a module.
HOMES = {
    "pandas": {
        "pandas._libs": "Interval NaT Period Timedelta Timestamp",
        "pandas._libs.missing": "NA",
        "pandas.core.dtypes.dtypes": "CategoricalDtype DatetimeTZDtype IntervalDtype PeriodDtype",
        _OFFSETS: "DateOffset",
    },
    "pandas.core.dtypes.dtypes": {"pandas.core.dtypes.dtypes": ""},
    "pandas.errors": {"pandas.errors": ""},
    "pandas.offsets": {_OFFSETS: ""},
    "pandas._libs.hashtable": {"pandas._libs.hashtable": ""},
    "pandas._libs.lib": {"pandas._libs.lib": ""},
    "pandas._libs.missing": {"pandas._libs.missing": ""},
    "pandas._libs.reshape": {"pandas._libs.reshape": ""},
    "pandas._libs.tslibs": {"pandas._libs.tslibs": ""},
    "pandas.tseries.frequencies": {"pandas._libs.tslibs": "to_offset"},
}
_MODULES = sorted({module for homes in HOMES.values() for module in homes})


def home_of(path: str, name: str) -> str | None:
    """The module that has a name of one of pandas' modules, where it is here; else None."""
    return next((module for module, names in HOMES.get(path, {}).items() if not names or name in names.split()), None)


class _Enough(Exception):
    """Ends the import of pandas."""


_asking: set[int] = set()  # threads that want no more than this


def _execute(module: Any, execute: Any) -> None:
    with after_import.uncollected():
        if threading.get_ident() in _asking:
            with contextlib.suppress(ModuleNotFoundError):  # another version of pandas: all of it is imported
                for name in _MODULES:
                    importlib.import_module(name)
                raise _Enough
        for name, part in list(sys.modules.items()):
            above, _, last = name.rpartition(".")
            if above == "pandas":
                setattr(module, last, part)
        execute(module)


def load() -> None:
    """Import them; nothing where pandas has been imported."""
    if "pandas" in sys.modules or _OFFSETS in sys.modules:
        return
    _asking.add(threading.get_ident())
    try:
        importlib.import_module(_PANDAS)
    except _Enough:
        pass
    finally:
        _asking.discard(threading.get_ident())


def arrow_scalar(x: Any) -> Any:
    """None, a number, boolean or string of Python as Arrow's, made without Arrow's own conversion, which imports pandas; others unchanged."""
    import pyarrow

    if type(x) is float or (type(x) is int and -(2**63) <= x < 2**63):
        kind, data = (pyarrow.int64(), np.int64(x)) if type(x) is int else (pyarrow.float64(), np.float64(x))
        return pyarrow.Array.from_buffers(kind, 1, [None, pyarrow.py_buffer(data.tobytes())])[0]
    if x is None:
        return pyarrow.nulls(1)[0]
    if type(x) is bool:
        return pyarrow.Array.from_buffers(pyarrow.bool_(), 1, [None, pyarrow.py_buffer(bytes([x]))])[0]
    if type(x) is str:
        bounds = np.array([0, len(x.encode())], np.int64).tobytes()
        return pyarrow.Array.from_buffers(
            pyarrow.large_string(), 1, [None, pyarrow.py_buffer(bounds), pyarrow.py_buffer(x.encode())]
        )[0]
    return x


def of_arrow(function: Callable[..., Any], is_loaded: Callable[[], bool]) -> Callable[..., Any]:
    """A function of Arrow, with operands of Python converted here as long as pandas is not imported."""
    arity = function.__arrow_compute_function__["arity"]  # type: ignore[attr-defined]
    count = arity if isinstance(arity, int) else sys.maxsize  # arguments after the operands are options

    @functools.wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        if not is_loaded():
            args = (*map(arrow_scalar, args[:count]), *args[count:])
        return function(*args, **kwargs)

    return called


after_import.execute_by("pandas", _execute)
