"""Values written through `flat` become elements of the array's type as NumPy makes them, and are refused where NumPy refuses."""

import warnings

import bascule as bc
import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("native")

TYPES = ["?", "i1", "u1", "i4", "u8", "f2", "f8", "c8", "M8[s]", "m8[s]"]
VALUES = [
    "-1", "300", "2**40", "2**63", "2**64", "1.5", "np.nan", "1j", "True", "'a'", "'5'", "None", "[1, 2]", "[]",
    "xp.array([1, 2, 3])", "xp.array(300)", "np.int64(300)", "np.float64(2.5)", "xp.array([1.5, 2])", "xp.array([1j])",
    "xp.array([300, -1])", "[-1, 2]", "1e300",
]  # fmt: skip
TARGETS = ["a.flat = {}", "a.flat[0] = {}", "a.flat[:] = {}", "a.flat[[0, 2]] = {}", "a.flat[1:3] = {}"]


def _written(xp, statement, dtype):
    a = xp.zeros((2, 2), dtype)
    with warnings.catch_warnings(), bc.config.set(fallback="silent"):
        warnings.simplefilter("ignore")
        try:
            exec(statement, {"a": a, "xp": xp, "np": np})
        except Exception as error:
            return type(error).__name__
    return np.asarray(a).tolist()


@pytest.mark.parametrize("dtype", TYPES)
def test_writes_through_flat(dtype):
    for place in TARGETS:
        for value in VALUES:
            statement = place.format(value)
            theirs, ours = _written(np, statement, dtype), _written(bc, statement, dtype)
            assert repr(ours) == repr(theirs), statement
