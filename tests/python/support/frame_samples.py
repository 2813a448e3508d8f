"""One small series of each type, with a missing value where the type has one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas
from frames import both
from pandas import Series

SERIES = {
    "float64": Series([1.5, -2, np.nan, 0, np.inf]),
    "float32": Series([1.5, -2, np.nan, 0, 4], dtype="f4"),
    "int64": Series([1, -2, 3, 0, 7]),
    "int8": Series([1, -2, 3, 0, 127], dtype="i1"),
    "uint32": Series([1, 2, 3, 0, 9], dtype="u4"),
    "bool": Series([True, False, True, False, True]),
    "datetime64": Series(pandas.to_datetime(["2020-01-01", None, "2021-01-01", "1969-01-01", "2020-01-01"])),
    "timedelta64": Series(pandas.to_timedelta(["1s", None, "-2s", "3h", "1D"])),
    "str": Series(["a", "b", None, "a", "ü"]),
    "Int64": Series([1, None, 3, 0, -2], dtype="Int64"),
    "Float64": Series([1.5, None, 3, 0, -2], dtype="Float64"),
    "boolean": Series([True, None, False, True, False], dtype="boolean"),
    "string": Series(["a", None, "c", "d", "b"], dtype="string"),
    "object": Series([1, "a", None, 2, 3], dtype=object),
}


def native_or_same(f: Any, *objects: Any, exact: bool = False) -> bool:
    """Check that f gives pandas' result, natively or by a counted fallback; returns whether it was native."""
    try:
        expected = f(*objects)
    except Exception:  # `both` compares the errors
        expected = None
    # single values other than floats (timestamps, strings) have no tolerance
    exact = exact or (expected is not None and not isinstance(expected, (float, int, tuple)) and np.ndim(expected) == 0)
    try:
        both(f, *objects, exact=exact)
        return True
    except (NotImplementedError, AssertionError) as e:
        if "which config.fallback = 'error' forbids" not in str(e):
            raise
    both(f, *objects, exact=exact, fallback="silent")
    return False
