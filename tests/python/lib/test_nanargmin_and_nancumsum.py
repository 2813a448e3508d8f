"""Indices and cumulative sums that ignore NaN, without NumPy's help."""

import bascule as bc
import numpy as np
import pytest

NULLS = np.where(np.arange(48.0).reshape(8, 6) % 5 == 0, np.nan, np.sin(np.arange(48.0)).reshape(8, 6))
POSITIONS = ["nanargmax", "nanargmin"]


@pytest.fixture(autouse=True)
def _alone():
    with bc.config.set(fallback="error"):
        yield


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "c16", "i4"])
@pytest.mark.parametrize("axis", [None, 0, 1, -1])
@pytest.mark.parametrize("name", [*POSITIONS, "nancumsum", "nancumprod"])
def test_values_and_dtypes_are_numpys(name, axis, dtype):
    n = np.nan_to_num(NULLS).astype(dtype) if dtype == "i4" else NULLS.astype(dtype)
    got, wanted = getattr(bc, name)(bc.asarray(n), axis=axis), getattr(np, name)(n, axis=axis)
    assert type(got) is (bc.ndarray if isinstance(wanted, np.ndarray) else type(wanted))
    assert got.dtype == wanted.dtype and got.shape == wanted.shape
    tolerance = 4 * np.finfo(n.dtype).eps if n.dtype.kind in "fc" else 0
    np.testing.assert_allclose(np.asarray(got), wanted, rtol=tolerance * n.size)


@pytest.mark.parametrize("name", POSITIONS)
def test_kept_axes_infinities_and_rows_of_nothing(name):
    n = NULLS.copy()
    assert getattr(bc, name)(bc.asarray(n), axis=1, keepdims=True).shape == (8, 1)
    n[0] = [np.nan, np.inf, -np.inf, 1, 2, 3]
    np.testing.assert_array_equal(getattr(bc, name)(bc.asarray(n), axis=1).get(), getattr(np, name)(n, axis=1))
    n[3] = np.nan
    for axis in (1, -1):
        with pytest.raises(ValueError, match="All-NaN slice encountered"):
            getattr(bc, name)(bc.asarray(n), axis=axis)
    with pytest.raises(ValueError, match="empty sequence"):
        getattr(bc, name)(bc.empty(0))


@pytest.mark.parametrize("name", ["minimum", "maximum"])
def test_extrema_of_single_numbers(name):
    numbers = [float("nan"), 1.0, -1.0, 0.0, -0.0, float("inf"), 5e-324]
    for x in numbers:
        for y in numbers:
            expected = getattr(np, name)(x, y)
            for a, b in ((x, y), (bc.array(x), y), (x, bc.array(y)), (bc.array(x), bc.array(y))):
                assert np.asarray(getattr(bc, name)(a, b)).tobytes() == expected.tobytes(), (x, y)
