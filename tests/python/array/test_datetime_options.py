"""dtype=, order= and casting= for dates and durations, and dates with numbers in isin."""

from __future__ import annotations

import bascule as bc
import numpy as np
import pytest
from reported_outcomes import same

pytestmark = pytest.mark.usefixtures("native")

DATES = np.array(["2020-01-01", "2020-03-03", "NaT", "1969-12-31"], "M8[D]")
SECONDS = np.array([5, -7, "NaT", 3600], "m8[s]")
TYPES = ["m8", "M8", "m8[ms]", "m8[s]", "M8[s]", "f8", "f2", "i8", "?", "c16"]
ARITHMETIC = ["add", "subtract", "multiply", "divide", "floor_divide", "remainder"]


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", ARITHMETIC)
def test_arithmetic_goes_by_the_operands_not_by_dtype(name: str, dtype: str) -> None:
    for x, y in ((DATES, DATES), (DATES, SECONDS), (SECONDS, SECONDS), (SECONDS, np.array([1, 2, 3, 4], "m8[ms]"))):
        same(lambda xp, x=x, y=y: getattr(xp, name)(xp.asarray(x), xp.asarray(y), dtype=dtype))
    same(lambda xp: getattr(xp, name)(xp.asarray(SECONDS), 3, dtype=dtype))


@pytest.mark.parametrize("casting", ["no", "equiv", "safe", "same_kind", "unsafe"])
@pytest.mark.parametrize("name", ["add", "subtract", "less", "maximum"])
def test_units_are_converted_as_casting_allows(name: str, casting: str) -> None:
    same(lambda xp: getattr(xp, name)(xp.asarray(SECONDS), xp.asarray(SECONDS.astype("m8[ms]")), casting=casting))


@pytest.mark.parametrize("order", ["K", "A", "C", "F", "f"])
@pytest.mark.parametrize("name", ["subtract", "less", "maximum"])
def test_results_lie_as_order_asks(name: str, order: str) -> None:
    x = np.arange(24).reshape(4, 6).astype("M8[D]")
    for y in (x, x.astype("M8[s]"), np.asfortranarray(x), np.asfortranarray(x).astype("M8[h]")):
        same(lambda xp, y=y: getattr(xp, name)(xp.asarray(y), xp.asarray(x), order=order))
        same(lambda xp, y=y: getattr(xp, name)(xp.asarray(y), xp.asarray(y), order=order).strides)


def test_a_keyword_that_nobody_knows() -> None:
    same(lambda xp: xp.subtract(xp.asarray(DATES), xp.asarray(DATES), colour=1))


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("values", [DATES, SECONDS], ids=["dates", "durations"])
@pytest.mark.parametrize("name", ["sum", "mean", "prod", "cumsum", "cumprod"])
def test_reductions(name: str, values: np.ndarray, dtype: str) -> None:
    same(lambda xp: getattr(xp.asarray(values), name)(dtype=dtype))
    same(lambda xp: getattr(xp, name)(xp.asarray(values[:2]), dtype=dtype))


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", ["add", "subtract", "multiply"])
def test_reductions_of_ufuncs(name: str, dtype: str) -> None:
    for values in (DATES, SECONDS):
        same(lambda xp, v=values: getattr(xp, name).reduce(xp.asarray(v), dtype=dtype))
        same(lambda xp, v=values: getattr(xp, name).accumulate(xp.asarray(v), dtype=dtype))
        same(lambda xp, v=values: getattr(xp, name).reduceat(xp.asarray(v), [0, 2], dtype=dtype))


@pytest.mark.parametrize("invert", [False, True])
@pytest.mark.parametrize("n", [1, 5, 12, 40])
@pytest.mark.parametrize("dtype", ["i8", "u1", "f8", "?"])
def test_dates_are_never_among_numbers(dtype: str, n: int, invert: bool) -> None:
    numbers = np.arange(n).astype(dtype)
    for times in (DATES, SECONDS):
        same(lambda xp, t=times: xp.isin(xp.asarray(t), xp.asarray(numbers), invert=invert))
        same(lambda xp, t=times: xp.isin(xp.asarray(numbers), xp.asarray(t), invert=invert))


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("shape", [(24,), (4, 6), (3, 1000)])
def test_means_of_the_durations_that_a_mask_selects(shape: tuple[int, ...], turned: bool) -> None:
    x = (np.arange(np.prod(shape)) * 7 - 50).astype("m8[s]").reshape(shape)
    absent = x.copy()
    absent[..., 1] = "NaT"
    some = np.arange(x.size).reshape(shape) % 3 > 0
    for values in (x, absent):
        for mask in (some, np.zeros_like(some), x > np.timedelta64(0, "s"), some[..., :1]):
            v, m = (values.T, mask.T) if turned else (values, mask)
            for axis in range(-1, len(shape)):
                for keepdims in (False, True):
                    same(
                        lambda xp, v=v, m=m, k=axis, d=keepdims: xp.mean(
                            xp.asarray(v), axis=k, keepdims=d, where=xp.asarray(m)
                        )
                    )


@pytest.mark.parametrize("dtype", [None, "M8[s]", "m8[ms]"])
def test_sequences_of_single_dates_and_durations(dtype: str | None) -> None:
    for values in (DATES, SECONDS):
        if dtype is not None and dtype[0] != values.dtype.kind:
            continue
        same(lambda xp, v=values: xp.array(list(xp.asarray(v)), dtype=dtype))
        same(lambda xp, v=values: xp.asarray([[xp.asarray(v)[0]], [v[1]]], dtype=dtype))
        same(lambda xp, v=values: xp.asarray((xp.asarray(v)[0], xp.asarray(v)[3]), dtype=dtype))
        same(lambda xp, v=values: xp.maximum([xp.asarray(v)[0]], xp.asarray(v)))
    same(lambda xp: xp.array([object(), 1], dtype="M8[s]"))


@pytest.mark.parametrize("by", [-1, 0, 2])
def test_what_is_no_duration_is_divided_without_a_word(by: int) -> None:
    for n in (4, 8000):
        x = np.resize(SECONDS, n)
        for name in ("floor_divide", "divide", "multiply"):
            same(lambda xp, name=name, x=x: getattr(xp, name)(xp.asarray(x), xp.asarray(np.full(len(x), by))))
            same(lambda xp, name=name, x=x: getattr(xp, name)(xp.asarray(x), by))


@pytest.mark.parametrize("dtype", ["M8[D]", "m8[s]"])
@pytest.mark.parametrize("shape", [(1, 3), (2, 3), (3,), (1,)])
def test_outputs_are_as_large_as_what_is_written_to_them(dtype, shape):
    def added(xp):
        x = xp.zeros(3, dtype)
        return xp.add(x, xp.ones(shape, "i8"), out=x)

    same(added)


SPANS, INSTANTS = np.array([1, 2], "m8[s]"), np.array(["1970-01-02", "1970-01-03"], "M8[D]")
MIXED = {
    "select": lambda xp, x, y: xp.select([xp.asarray([True, False])], [x], y),
    "select among two": lambda xp, x, y: xp.select([xp.asarray([True, False]), xp.asarray([False, True])], [x, y]),
    "choose": lambda xp, x, y: xp.choose(xp.asarray([0, 1]), [x, y]),
    "clip": lambda xp, x, y: xp.clip(x, y, y),
    "clip from below": lambda xp, x, y: xp.clip(x, y, None),
    "logical": lambda xp, x, y: xp.logical_and(x, 2j) | xp.logical_xor(y, 0j),
}


@pytest.mark.parametrize("call", MIXED)
@pytest.mark.parametrize("swapped", [False, True])
def test_durations_are_no_dates(call: str, swapped: bool) -> None:
    x, y = (INSTANTS, SPANS) if swapped else (SPANS, INSTANTS)
    with bc.config.set(fallback="silent"):
        same(lambda xp: MIXED[call](xp, xp.asarray(x), xp.asarray(y)))
        same(lambda xp: MIXED[call](xp, xp.asarray(x), y[0]))
