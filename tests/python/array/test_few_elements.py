"""Calls on few elements, which take a short way, give NumPy's elements, types, warnings and errors."""

import itertools
import warnings

import bascule as bc
import numpy as np
import pytest
from ordered_arrays import same

pytestmark = pytest.mark.usefixtures("native")

DAYS = np.array(["2024-02-29", "NaT", "1969-12-31", "2024-01-01"], "M8[D]")
TIMES = [DAYS, DAYS.astype("M8[M]"), DAYS.astype("M8[ns]"), DAYS - DAYS[0], (DAYS - DAYS[0]).astype("m8[s]")]
OTHERS = [*TIMES, np.arange(4), DAYS[0], DAYS[0] - DAYS[3], np.int64(3), np.datetime64("NaT", "s"), np.arange(4.0)]
NAMES = ["add", "subtract", "equal", "not_equal", "less", "less_equal", "greater", "greater_equal"]


def outcome(library, call, *given):
    ours = [bc.array(x) if library is bc and isinstance(x, np.ndarray) else x for x in given]
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        try:
            made = call(library, *ours)
        except Exception as error:
            return TypeError if isinstance(error, TypeError) else type(error), []  # NumPy derives classes of its own
    return made, [(w.category, str(w.message)) for w in seen]


def compare(call, *given):
    (mine, reported), (wanted, expected) = (outcome(m, call, *given) for m in (bc, np))
    assert reported == expected
    if isinstance(wanted, np.ndarray):
        same(mine, wanted)
    else:
        assert type(mine) is type(wanted) and (mine is wanted or str(mine) == str(wanted))


@pytest.mark.parametrize("name", NAMES)
def test_dates_and_durations(name):
    for x, y in itertools.product(TIMES, OTHERS):
        compare(lambda m, a, b: getattr(m, name)(a, b), x, y)
        if isinstance(y, np.ndarray):
            compare(lambda m, a, b: getattr(m, name)(a, b), y, x)


@pytest.mark.parametrize("unit", ["Y", "M", "W", "D", "h", "ns", "25s"])
def test_units(unit):
    for x in TIMES:
        compare(lambda m, a: a.astype(f"{x.dtype.kind}8[{unit}]"), x)
        compare(lambda m, a: a[::-2].astype(f"{x.dtype.kind}8[{unit}]"), x)


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i4", "c16", "?"])
def test_powers_of_two(dtype):
    x = np.array([0, 1, 2, 3, 200, np.inf if dtype[0] == "f" else 7], dtype)
    for exponent in (2, 2.0, np.float64(2), 2**70, True, np.int8(2)):
        compare(lambda m, a, e: m.power(a, e), x, exponent)
        compare(lambda m, a, e: m.power(a[::2], e), x, exponent)


@pytest.mark.parametrize("dtype", ["f8", "f4", "c16", "i8", "?"])
@pytest.mark.parametrize("n, m", [(100, 100), (1000, 1000), (1000, 990), (400, 40), (40, 400)])
def test_long_lines_with_few_sums(n, m, dtype):
    rng = np.random.default_rng(n + m)
    a, v = ((rng.integers(-9, 9, k) + (1j if dtype == "c16" else 0)).astype(dtype) for k in (n, m))
    for mode in ("valid", "same", "full"):
        compare(lambda lib, x, y: lib.convolve(x, y, mode), a, v)
        compare(lambda lib, x, y: lib.correlate(x, y, mode), a, v)
        compare(lambda lib, x, y: lib.correlate(x, y[::-2], mode), a, v)
