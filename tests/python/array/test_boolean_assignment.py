"""a[mask] = values: NumPy's results and errors, for types, layouts, sizes and fractions of true elements."""

from __future__ import annotations

import bascule as bc
import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("native")

TYPES = ["?", "i1", "u2", "f2", "f4", "i8", "f8", "c8", "c16", "M8[s]"]
LAYOUTS = {
    "rows": lambda x: x,
    "columns": lambda x: np.asfortranarray(x),
    "reversed": lambda x: x[::-1, ::-1],
    "apart": lambda x: np.repeat(x, 2, axis=1)[:, ::2],
    "turned": lambda x: x.T.copy().T,
}


def arrays(shape, dtype, share, seed=0):
    g = np.random.default_rng(seed)
    data = g.integers(0, 100, shape).astype(dtype)
    mask = g.random(shape) < share
    return data, mask, g.integers(0, 100, np.count_nonzero(mask)).astype(dtype)


@pytest.mark.parametrize("share", [0.0, 0.001, 0.05, 0.5, 0.97, 1.0])
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("shape", [(1,), (7,), (64,), (1000,), (9, 13), (100, 100), (300, 301), (3, 4, 5)])
def test_values_go_where_the_mask_is_true(shape, dtype, share):
    data, mask, values = arrays(shape, dtype, share)
    a = bc.asarray(data.copy())
    a[bc.asarray(mask)] = bc.asarray(values)
    data[mask] = values
    assert a.dtype == data.dtype
    np.testing.assert_array_equal(np.asarray(a), data)


@pytest.mark.parametrize("dtype", ["i1", "f4", "f8", "c16"])
@pytest.mark.parametrize("of_mask", LAYOUTS)
@pytest.mark.parametrize("of_data", LAYOUTS)
def test_of_any_layout(of_data, of_mask, dtype):
    data, mask, values = arrays((70, 90), dtype, 0.4)
    turn = {
        "rows": lambda x: x,
        "columns": lambda x: bc.asfortranarray(x),
        "reversed": lambda x: x[::-1, ::-1],
        "apart": lambda x: bc.repeat(x, 2, axis=1)[:, ::2],
        "turned": lambda x: bc.asarray(x.T, copy=True).T,
    }
    a, m = turn[of_data](bc.asarray(data.copy())), turn[of_mask](bc.asarray(mask))
    data, mask = LAYOUTS[of_data](data), LAYOUTS[of_mask](mask)
    a[m] = bc.asarray(values)
    data[mask] = values
    np.testing.assert_array_equal(np.asarray(a), data)
    backwards = values[::-1]
    a[m], data[mask] = bc.asarray(values)[::-1], backwards
    np.testing.assert_array_equal(np.asarray(a), data)


def test_a_pending_mask_and_what_is_pending_of_the_data():
    g = np.random.default_rng(5)
    x = g.standard_normal((200, 200))
    a = bc.asarray(x) * 2
    before = a + 1
    a[a > 0.5] = a[a > 0.5] - 1
    want = x * 2
    after = want + 1
    want[want > 0.5] = want[want > 0.5] - 1
    np.testing.assert_array_equal(np.asarray(a), want)
    np.testing.assert_array_equal(np.asarray(before), after)


@pytest.mark.parametrize("n", [10, 500, 40_000])
def test_the_mask_or_the_values_may_be_the_array_itself(n):
    g = np.random.default_rng(n)
    x = g.random(n) < 0.5
    a = bc.asarray(x.copy())
    values = g.random(np.count_nonzero(x)) < 0.5
    a[a] = bc.asarray(values)
    x[x] = values
    np.testing.assert_array_equal(np.asarray(a), x)
    y = g.random(2 * n)
    b = bc.asarray(y.copy())
    mask = np.arange(2 * n) % 2 == 0
    b[bc.asarray(mask)] = b[n:]
    y[mask] = y[n:].copy()
    np.testing.assert_array_equal(np.asarray(b), y)


def test_booleans_may_be_any_bytes():
    raw = np.random.default_rng(1).integers(0, 256, 5000).astype("u1")
    raw[::3] = 0
    x = np.arange(5000.0)
    a = bc.asarray(x.copy())
    values = np.arange(np.count_nonzero(raw)) - 0.5
    a[bc.asarray(raw).view(bool)] = bc.asarray(values)
    x[raw != 0] = values
    np.testing.assert_array_equal(np.asarray(a), x)


CASES = [
    ((6,), (2,), 3), ((6,), (1, 3), 3), ((6,), (3,), 3), ((6,), (1,), 3), ((6,), (1, 1), 3), ((6,), (2,), 0),
    ((6,), (0,), 0), ((6,), (1,), 0), ((2, 3), (2,), 3), ((2, 3), (1, 3), 3), ((2, 3), (5,), 1), ((2, 3), (0,), 2),
    ((100, 90), (899,), 900), ((), (1,), 1), ((), (2,), 1), ((), (1, 1), 1), ((0,), (3,), 0), ((0, 4), (0,), 0),
]  # fmt: skip


@pytest.mark.parametrize("device", ["cpu", "reference"])
@pytest.mark.parametrize(("shape", "given", "true"), CASES)
def test_errors_are_numpys_and_nothing_is_written(shape, given, true, device):
    x, mask = np.zeros(shape), np.zeros(shape, bool)
    mask.reshape(-1)[:true] = True

    def outcome(np_, a, m, v):
        try:
            a[m] = v
        except Exception as error:
            return type(error), str(error)
        return None

    with bc.device(device):
        a, m, v = bc.asarray(x.copy()), bc.asarray(mask), bc.ones(given)
        found = outcome(bc, a, m, v)
        wanted = outcome(np, x, mask, np.ones(given))
        assert (found is None) == (wanted is None) and (found is None or found[0] is wanted[0])
        if found:
            assert found[1] == wanted[1]
        np.testing.assert_array_equal(np.asarray(a.to_device("cpu")), x)


def test_values_are_cast_as_numpys():
    x = np.arange(100)
    a = bc.asarray(x.copy())
    mask = x % 3 == 0
    values = np.linspace(-5, 5, np.count_nonzero(mask))
    a[bc.asarray(mask)] = bc.asarray(values)
    x[mask] = values
    np.testing.assert_array_equal(np.asarray(a), x)
    b, y = bc.arange(5.0), np.arange(5.0)
    with pytest.warns(np.exceptions.ComplexWarning):
        y[y > 2] = np.array([1 + 2j, 3 + 4j])
    with pytest.warns(np.exceptions.ComplexWarning):
        b[b > 2] = bc.asarray([1 + 2j, 3 + 4j])
    np.testing.assert_array_equal(np.asarray(b), y)


def test_a_read_only_target_is_refused():
    a = bc.arange(6.0)
    a.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        a[bc.arange(6) > 2] = bc.ones(3)
