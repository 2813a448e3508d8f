"""Elementwise operations on non-contiguous rows, where blocks may span rows: NumPy's values and warnings."""

import warnings

import bascule as bc
import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("native")


def _views(xp, dtype, rows, columns, step):
    high = 100 if dtype == "i1" else 1000 if dtype == "e" else 255
    base = xp.asarray((np.arange(rows * columns * step) * 7 % high - (0 if dtype == "u1" else high // 2)).astype(dtype))
    wide = base.reshape(rows, columns * step)
    return [wide[:, k::step] for k in range(step)], wide


@pytest.mark.parametrize("dtype", ["u1", "i1", "i2", "e", "f", "d", "i8", "F"])
@pytest.mark.parametrize(
    ("rows", "columns", "step"), [(41, 300, 2), (17, 700, 4), (9, 333, 3), (12, 1100, 4), (5, 513, 8)]
)
def test_values(dtype, rows, columns, step):
    def case(xp):
        parts, wide = _views(xp, dtype, rows, columns, step)
        total = parts[0] + parts[1] * parts[-1]
        mixed = total.astype("d" if dtype in "efd" else "i8" if dtype != "F" else "D") + parts[1]
        with_row = parts[0] + xp.arange(columns).astype(dtype)
        with_column = parts[0] * xp.arange(rows).astype(dtype)[:, None]
        out = xp.zeros_like(wide)
        for k in range(step - 1):
            out[:, k::step] = parts[k] + parts[k + 1]
        out[1::2, 1::step] = parts[0][1::2]
        return total, mixed, with_row, with_column, out, total.T + parts[0].T

    with np.errstate(all="ignore"):
        for ours, theirs in zip(case(bc), case(np), strict=True):
            assert ours.dtype == theirs.dtype
            np.testing.assert_array_equal(np.asarray(ours), theirs)


@pytest.mark.parametrize("dtype", ["u1", "i2", "e", "f", "d", "D"])
@pytest.mark.parametrize("count", [2, 3, 4, 5, 8])
@pytest.mark.parametrize(("rows", "columns"), [(1, 20_000), (70, 131), (300, 17), (5000, 2)])
@pytest.mark.parametrize("order", ["C", "F"])
def test_outputs_between_each_other(dtype, count, rows, columns, order):
    def case(xp):
        x = xp.asarray((np.arange(rows * columns) % 101).reshape(rows, columns).astype(dtype))
        wide = xp.full((rows, columns * count + 1), 3, dtype=dtype, order=order)
        for k in reversed(range(count)):
            wide[:, k:-1:count] = x + x.dtype.type(k) if k % 2 else x
        return wide

    np.testing.assert_array_equal(np.asarray(case(bc)), case(np))


@pytest.mark.parametrize("dtype", ["u1", "i2", "e", "f", "d", "D"])
@pytest.mark.parametrize("count", [2, 3, 4, 5, 8])
@pytest.mark.parametrize(("rows", "columns"), [(1, 20_000), (70, 131), (300, 17), (5000, 2)])
@pytest.mark.parametrize("order", ["C", "F"])
def test_inputs_between_each_other(dtype, count, rows, columns, order):
    def case(xp):
        wide = np.random.default_rng(count).integers(0, 50, (rows, columns * count + 1)).astype(dtype)
        wide = xp.asarray(np.asarray(wide, order=order))
        total, alongside = wide[:, 0:-1:count] * wide.dtype.type(2), wide[:, 1::count]
        for k in range(1, count):
            total = total * wide.dtype.type(2) + wide[:, k:-1:count]
        return total + alongside, alongside - total, (total - alongside).max(axis=0)

    for ours, theirs in zip(case(bc), case(np), strict=True):
        np.testing.assert_array_equal(np.asarray(ours), theirs)


def _reported(xp, row, column):
    x = np.ones((40, 900), "f")
    x[row, column] = 0
    parts = xp.asarray(x)[:, ::2]
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        np.asarray((parts * 2 + 1) / parts)
    return {str(w.message).split(" encountered")[0] for w in seen}


@pytest.mark.parametrize(("row", "column"), [(0, 0), (3, 400), (20, 1), (39, 898)])
def test_fp_errors_are_reported_wherever_they_arise(row, column):
    assert _reported(bc, row, column) == _reported(np, row, column)


def _sum_of_products(xp, x, y):
    return x[:, :300] * y[:, 1:301] + x[:, 1:301]


def _lone_sum(xp, x, y):
    return x[::2, :300] + y[::2, 1:301]


def _two_results(xp, x, y):
    product = x[:, :300] * y[:, 1:301]
    return product, product - x[:, 1:301]


def _in_place(xp, x, y):
    x[:, :300] *= y[:, 1:301]
    return x


@pytest.mark.parametrize("form", [_sum_of_products, _lone_sum, _two_results, _in_place])
@pytest.mark.parametrize("number", [1.5, 1e200, 1.6e308, np.inf])
@pytest.mark.parametrize("row", [0, 97, 398])
def test_rows_report_which_operation_it_was(form, number, row):
    """Blocks of rows are checked together, and computed again if an error occurred."""

    def case(xp):
        x, y = np.ones((400, 301)), np.ones((400, 301))
        x[row, 7] = y[row, 8] = number
        x[row, 200] = -number
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            results = form(xp, xp.asarray(x), xp.asarray(y))
            results = [np.asarray(r) for r in (results if isinstance(results, tuple) else (results,))]
        return sorted({str(w.message) for w in seen}), results

    (reported, results), (wanted, expected) = case(bc), case(np)
    assert reported == wanted
    for ours, theirs in zip(results, expected, strict=True):
        np.testing.assert_array_equal(ours, theirs)
