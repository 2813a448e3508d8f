"""argmax and argmin of many short rows against NumPy: lengths and numbers of rows around all limits, special values."""

import bascule as bc
import numpy as np
import pytest
from ordered_arrays import same

pytestmark = pytest.mark.usefixtures("native")

SPECIAL = [np.nan, -0.0, np.inf, -np.inf]


@pytest.mark.parametrize("dtype", ["f8", "f4", "f2", "i8", "i4", "i2", "u8", "u4", "u1", "?"])
@pytest.mark.parametrize("length", [1, 2, 3, 10, 15, 16, 17, 63, 64, 65])
def test_arguments_of_short_rows(length, dtype):
    rng = np.random.default_rng(length)
    for rows in (1, 5, 15, 16, 17, 31, 32, 33, 100):
        a = rng.integers(-3, 4, (rows, length)).astype(dtype)  # has many equal elements
        lowest = np.full_like(a, -np.inf if a.dtype.kind == "f" else False if dtype == "?" else np.iinfo(dtype).min)
        some = a.copy()
        for value in SPECIAL if a.dtype.kind == "f" else ():
            some[rng.random(some.shape) < 0.1] = value
        for x in (a, some, lowest, lowest if dtype == "?" else -lowest):
            same(bc.array(x).argmax(1), x.argmax(1))
            same(bc.array(x).argmin(1), x.argmin(1))
            same(bc.argmax(bc.array(x.reshape(1, rows, length)), -1), x.reshape(1, rows, length).argmax(-1))
