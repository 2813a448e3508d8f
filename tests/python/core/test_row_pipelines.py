"""Plans that run together, some rows at a time: operations that need a reduction of their own row."""

import warnings

import bascule as bc
import numpy as np
import pytest
from bascule import _core
from lazy_arrays import in_use, pending, plans, run, value

ROWS, COLUMNS = 300, 411  # several blocks for each of several threads


def softmax(xp, x):
    e = xp.exp(x - x.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def log_softmax(xp, x):
    shifted = x - x.max(axis=1, keepdims=True)
    return shifted - xp.log(xp.exp(shifted).sum(axis=1, keepdims=True))


def standardise(xp, x):
    return (x - x.mean(1, keepdims=True)) / x.std(1, keepdims=True)


def distances(xp, x):
    points = x[:, :3]
    return xp.sqrt(((points[:, None, :] - points[None, :, :]) ** 2).sum(-1))


def weighted_pull(xp, x):
    """Two reductions of one product, one along its last axis and one along its middle axis."""
    apart = x[None, :, :3] - x[:, None, :3]
    squared = (apart * apart).sum(-1) + 1e-3
    return (apart * (x[None, :, 3] / (squared * xp.sqrt(squared)))[:, :, None]).sum(1)


def with_other_rows(xp, x):
    """Row i needs the reduction of another row: these plans cannot run together."""
    e = xp.exp(x)
    return e / e.sum(1, keepdims=True)[::-1]


def with_next_row(xp, x):
    e = xp.exp(x)
    totals = e.sum(1)
    return e[1:] / totals[:-1, None]


def across_rows(xp, x):
    return (x - x.mean(0)) / x.std(0)


def both_axes(xp, x):
    return x - x.mean(1, keepdims=True) - x.mean(0, keepdims=True) + x.mean()


def short_runs(xp, x):
    """Reductions of a few elements whose operands have other layouts."""
    points = x[:, :5]
    together = points[:, None, :] * points[None, ::-1, :]
    return together.sum(-1) - together.max(-1) + together[..., ::2].mean(-1) * together.min(-1)


def reversed_rows(xp, x):
    e = xp.exp(x[::-1])
    return e / e.sum(1, keepdims=True)


def reversed_columns(xp, x):
    e = xp.tanh(x)
    return e[:, ::-1] * e.max(1, keepdims=True)


def transposed(xp, x):
    e = xp.exp(x.T)
    return e / e.sum(0)


def transposed_result(xp, x):
    return softmax(xp, x).T + 1


def three_axes(xp, x):
    y = x.reshape(ROWS, 3, COLUMNS // 3)
    e = xp.exp(y - y.max((1, 2), keepdims=True))
    return e / e.sum((1, 2), keepdims=True) + y.sum(2, keepdims=True)


def half_precision(xp, x):
    y = x.astype("f2")
    return y / (xp.absolute(y).max(1, keepdims=True) + xp.float16(1))


def integers(xp, x):
    y = (x * 10).astype("i4")
    return (y * 7 - y.sum(1, keepdims=True)) & 255


def of_random_rows(xp, x):
    return x - (x * xp.arange(COLUMNS)).mean(1, keepdims=True) + xp.arange(ROWS)[:, None]


def as_bits(xp, x):
    e = xp.exp(x)
    return e.view("i8") ^ (e.sum(1, keepdims=True) > 0).astype("i8")


PROGRAMS = [
    softmax, log_softmax, standardise, distances, weighted_pull, short_runs, with_other_rows, with_next_row, across_rows, both_axes,
    reversed_rows, reversed_columns, transposed, transposed_result, three_axes, half_precision, integers,
    of_random_rows, as_bits,
]  # fmt: skip


@pytest.fixture(params=["C", "F", "strided"])
def numbers(request):
    x = np.random.default_rng(3).standard_normal((ROWS, COLUMNS))
    if request.param == "F":
        return np.asfortranarray(x)
    return np.repeat(x, 2, axis=1)[:, ::2] if request.param == "strided" else x


@pytest.mark.parametrize("program", PROGRAMS)
def test_results_are_those_of_one_operation_after_another(program, numbers):
    x = bc.array(np.repeat(numbers, 2, axis=1))[:, ::2] if not numbers.flags.forc else bc.array(numbers, order="K")
    together = value(program(bc, x))
    _core.set_fusion(False)
    try:
        apart = value(program(bc, x))
    finally:
        _core.set_fusion(True)
    assert together.dtype == apart.dtype
    np.testing.assert_array_equal(together, apart)
    if program is not as_bits:  # the last bit of an exponential depends on NumPy
        np.testing.assert_allclose(together, program(np, numbers), rtol=3e-3 if program is half_precision else 1e-12,
                                   atol=1e-12)  # fmt: skip


@pytest.mark.parametrize(
    ("program", "together"),
    [(softmax, 3), (log_softmax, 3), (standardise, 2), (distances, 1), (with_other_rows, 1), (across_rows, 1)],
)
def test_what_needs_its_own_row_alone_runs_with_what_it_waits_for(program, together):
    code = f"""
        import sys
        sys.path.insert(0, {str(__file__.rpartition("/")[0])!r})
        sys.path.insert(0, {str(__file__.rpartition("/")[0] + "/../support")!r})
        import bascule as bc, numpy as np, test_row_pipelines
        x = bc.array(np.random.default_rng(3).standard_normal((300, 411)))
        bc.evaluate(test_row_pipelines.{program.__name__}(bc, x))
    """
    _, trace = run(code, BASCULE_TRACE="flush")
    longest = count = 0
    for line in trace.splitlines():
        count = count + 1 if line.endswith("by rows with the one before") else 1
        longest = max(longest, count)
    assert longest == together, trace


def test_what_two_plans_need_is_computed_once():
    x = bc.array(np.random.default_rng(3).standard_normal((ROWS, COLUMNS)))
    before = _core.statistics()
    bc.evaluate(softmax(bc, x))
    after = _core.statistics()
    assert after["plans"] - before["plans"] == 3
    assert after["stored_intermediates"] - before["stored_intermediates"] == 0  # plans without a reduction
    # maximum: a load; sum: x, its maximum, subtract, exp; quotient: e, its sum, divide
    assert after["values"] - before["values"] == 8


def test_an_intermediate_gives_its_memory_to_the_result():
    x = bc.array(np.random.default_rng(3).standard_normal((2000, 1000)))
    _core.trim("cpu")
    _core.set_memory_limit("cpu", in_use() + 3 * x.nbytes // 2)
    try:
        bc.evaluate(softmax(bc, x))
    finally:
        _core.set_memory_limit("cpu", 0)


def test_without_memory_all_of_it_stays_pending():
    numbers = np.random.default_rng(3).standard_normal((2000, 1000))
    x = bc.array(numbers)
    result = softmax(bc, x)
    _core.trim("cpu")
    _core.set_memory_limit("cpu", in_use() + x.nbytes // 2)
    try:
        with pytest.raises(MemoryError):
            bc.evaluate(result)
    finally:
        _core.set_memory_limit("cpu", 0)
    assert pending(result)
    np.testing.assert_allclose(value(result), softmax(np, numbers), rtol=1e-13)


def test_a_held_intermediate_is_stored_and_keeps_its_values():
    numbers = np.random.default_rng(3).standard_normal((ROWS, COLUMNS))
    x = bc.array(numbers)
    e = bc.exp(x)
    y = e / e.sum(1, keepdims=True)
    bc.evaluate(y)
    assert not pending(e)
    before = plans()
    np.testing.assert_allclose(value(e), np.exp(numbers), rtol=1e-14)
    assert plans() == before


def test_warnings_are_reported_once_by_the_operation_that_raised_them():
    numbers = np.random.default_rng(3).uniform(1, 2, (ROWS, COLUMNS))
    numbers[7] = 0
    x = bc.array(numbers)
    with pytest.warns(RuntimeWarning) as reported:
        bc.evaluate(bc.log(x) / x.sum(1, keepdims=True))
    with pytest.warns(RuntimeWarning) as expected:
        np.log(numbers) / numbers.sum(1, keepdims=True)
    assert [str(w.message) for w in reported] == [str(w.message) for w in expected]


def test_writing_to_what_is_read_comes_after():
    numbers = np.random.default_rng(3).standard_normal((ROWS, COLUMNS))
    x = bc.array(numbers)
    y = standardise(bc, x)
    x[5] = 0
    np.testing.assert_allclose(value(y), standardise(np, numbers), rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_sums_of_many_arrays_round_after_each(dtype):
    """Two additions that one instruction can do: with scalars, rows or columns among them."""
    random = np.random.default_rng(11)
    numbers = random.standard_normal((ROWS, COLUMNS)).astype(dtype) * np.array(10.0, dtype) ** random.integers(-6, 6)
    x = bc.array(numbers)

    def sums(x):
        row, column = x[7], x[:, 5:6]
        left = x + x[::-1] + row + column + 1.5 + x[:, ::-1]
        right = (x + row) + (column + x[:, ::-1]) + ((x + x) + (row + column))
        return left, right, left + right + x, row + column + x, column + 1 + x + x

    for ours, theirs in zip(sums(x), sums(numbers), strict=True):
        np.testing.assert_array_equal(value(ours), theirs, strict=True)


def test_of_two_additions_in_one_the_one_that_overflowed_is_named():
    numbers = np.full((ROWS, COLUMNS), 1e308)
    x, one = bc.array(numbers), bc.ones((ROWS, COLUMNS))
    with pytest.warns(RuntimeWarning, match="overflow encountered in add") as reported:
        bc.evaluate(x + x + one)
    assert len(reported) == 1
    with pytest.warns(RuntimeWarning, match="invalid value encountered in add"):
        bc.evaluate(bc.array(numbers * np.inf) + one + bc.array(-numbers * np.inf))


@pytest.mark.parametrize("divisor", [np.nan, -np.nan, 3.0, -7.0, np.inf, 5e-324])
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_quotients_by_a_scalar_report_no_more_than_a_division_does(dtype, divisor):
    numbers = np.random.default_rng(2).standard_normal((ROWS, COLUMNS)).astype(dtype)
    with np.errstate(over="ignore", divide="ignore"), warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_array_equal(value(bc.array(numbers) / divisor), numbers / divisor, strict=True)
