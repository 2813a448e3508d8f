"""Arithmetic and comparisons of small arrays of dates and durations, against NumPy's."""

import operator
import warnings

import bascule as bc
import numpy as np
import pytest

NAT = np.iinfo("i8").min
OPERATORS = ["add", "sub", "mul", "truediv", "floordiv", "mod", "eq", "ne", "lt", "le", "gt", "ge"]


def counts(rng, n, nulls, zeros):
    v = rng.integers(-(10**6), 10**6, n)
    v[v == 0] = 1
    if n and nulls:
        v[rng.integers(n, size=max(1, n // 5))] = NAT
    if n and zeros:
        v[rng.integers(n, size=max(1, n // 5))] = 0
    return v


def result(call, *operands):
    """Bits, type and shape, or the class of the error; and the warnings."""
    with warnings.catch_warnings(record=True) as reported:
        warnings.simplefilter("always")
        try:
            r = call(*operands)
        except Exception as error:
            return type(error), str(error)
    if r is NotImplemented:
        return r, []
    scalar = not isinstance(r, (np.ndarray, bc.ndarray)) or r.ndim == 0
    n = np.asarray(r.get() if type(r) is bc.ndarray else r)
    return n.dtype, n.shape, scalar, np.ascontiguousarray(n).tobytes(), sorted({str(w.message) for w in reported})


def check(call, *operands):
    ours = result(call, *(bc.array(x) if isinstance(x, np.ndarray) else x for x in operands))
    theirs = result(call, *operands)
    if isinstance(theirs[0], type) and issubclass(theirs[0], Exception):
        assert ours[0] is theirs[0], (ours, theirs)
    else:
        assert ours == theirs


@pytest.mark.parametrize("op", OPERATORS)
@pytest.mark.parametrize("nulls", [False, True])
@pytest.mark.parametrize("kinds", ["Mm", "mM", "MM", "mm", "mi", "im", "Mi"])
def test_operators(op, nulls, kinds):
    rng = np.random.default_rng(OPERATORS.index(op))
    call = getattr(operator, op)
    for n in (1, 2, 7, 100, 3000):
        for zeros in (False, True):
            sides = []
            for kind in kinds:
                unit = {"M": "M8[s]", "m": "m8[s]", "i": "i8"}[kind]
                sides.append(counts(rng, n, nulls and kind != "i", zeros).astype("i8").view(unit))
            x, y = sides
            check(call, x, y)
            check(call, x, y[0])
            check(call, x[0], y)
            check(call, x.reshape(1, -1), y.reshape(1, -1))
            check(call, x, y[::-1])
            check(call, x[:1], y)
            check(getattr(np, "add") if op == "add" else call, x, y)


@pytest.mark.parametrize("op", ["add", "sub", "mul", "truediv", "floordiv", "mod"])
@pytest.mark.parametrize("unit", ["m8[s]", "m8[3D]", "m8", "M8[D]", "M8[Y]"])
def test_numbers_and_scalars_alongside(op, unit):
    x = np.array([5, -7, 0, NAT, 10**9], "i8").view(unit)
    call = getattr(operator, op)
    alongside = [0, 1, -3, 2**40, 2**62, -(2**63), 2**63, True, 2.5, np.int64(3), np.int32(-2)]
    alongside += [
        np.timedelta64(4, "s"),
        np.timedelta64(4, "D"),
        np.array(3).view("m8")[()],
        np.array(NAT).view("m8")[()],
        np.timedelta64(6, "3D"),
    ]
    alongside += [np.datetime64("2020-01-01"), np.datetime64("2020"), np.datetime64("NaT", "D")]
    for y in alongside:
        check(call, x, y)
        check(call, y, x)


@pytest.mark.parametrize(
    "name", ["maximum", "minimum", "fmax", "fmin", "equal", "less", "subtract", "add", "negative", "absolute"]
)
def test_ufuncs(name):
    rng = np.random.default_rng(3)
    for unit in ("m8[ms]", "M8[ms]"):
        x, y = (counts(rng, 50, True, True).view(unit) for _ in range(2))
        operands = (x,) if name in ("negative", "absolute") else (x, y)
        ours = [bc.array(v) for v in operands]
        a, b = result(getattr(bc, name), *ours), result(getattr(np, name), *operands)
        assert a == b if not isinstance(b[0], type) else issubclass(a[0], TypeError)


@pytest.mark.parametrize("from_unit", ["W", "D", "3h", "m", "s", "7ms", "us", "ns", "Y", "M"])
def test_other_units(from_unit):
    for kind in "mM":
        x = np.array([0, 1, -1, 5, -7, 100, NAT, -100, 12345], "i8").view(f"{kind}8[{from_unit}]")
        for to in ("W", "2D", "h", "s", "ms", "5us", "ns", "M", "Y"):
            if kind == "m" and (from_unit in "YM") != (to in "YM"):
                continue
            t = f"{kind}8[{to}]"
            assert result(bc.ndarray.astype, bc.array(x), t) == result(np.ndarray.astype, x, t), (x.dtype, t)
    far = np.array([2**62, 1], "i8").view("m8[s]")
    assert result(bc.ndarray.astype, bc.array(far), "m8[ns]") == result(np.ndarray.astype, far, "m8[ns]")


@pytest.mark.filterwarnings("ignore:The 'generic' unit:DeprecationWarning")
def test_in_place():
    d, t = np.arange(5).astype("M8[s]"), np.array([1, NAT, 3, -4, 5], "i8").view("m8[s]")
    for other in (t, np.timedelta64(3, "s"), 4):
        a, b = bc.array(d), d.copy()
        a += bc.array(other) if isinstance(other, np.ndarray) else other
        b += other
        assert result(lambda v: v, a) == result(lambda v: v, b)
        a -= bc.array(other) if isinstance(other, np.ndarray) else other
        b -= other
        assert result(lambda v: v, a) == result(lambda v: v, b)
    a, b = bc.array(t), t.copy()
    a += a
    b += b
    a *= 3
    b *= 3
    assert result(lambda v: v, a) == result(lambda v: v, b)


def test_types_keep_their_units():
    for unit in ("D", "3D", "s", "10ns", "Y"):
        t = np.dtype(f"m8[{unit}]")
        for _ in range(2):  # cached from the first call on
            a = bc.zeros(2, t)
            assert a.dtype == t and (a + a).dtype == t and (-a).dtype == t and a.view("i8").dtype == np.int64
            assert bc.zeros(2, f"M8[{unit}]").dtype == np.dtype(f"M8[{unit}]")


def wraps(call):
    """Whether this NumPy wraps durations that overflow instead of raising."""
    try:
        call()
    except OverflowError:
        return False
    return True


@pytest.mark.parametrize("unit", ["s", "3s", "ns", "D", "M"])
@pytest.mark.parametrize("n", [40, 20_000])
def test_sums_and_differences_of_any_number(n, unit):
    rng = np.random.default_rng(n)
    dates, durations = (rng.integers(-(10**6), 10**6, n).view(f"{t}8[{unit}]") for t in "Mm")
    dates[::7] = durations[::5] = "NaT"
    if wraps(lambda: np.array([2**63 - 1]).view("m8[s]") * 2):
        durations[1] = np.array(2**63 - 1, "i8").view(durations.dtype)
    one, none = durations[2], durations[0]
    x, y = {np: dates, bc: bc.array(dates)}, {np: durations, bc: bc.array(durations)}
    for program in (
        lambda d, t: d + t, lambda d, t: t + d, lambda d, t: d - t, lambda d, t: d - d[::-1], lambda d, t: t - t[::-1],
        lambda d, t: t + t, lambda d, t: d + one, lambda d, t: one + d, lambda d, t: d - dates[3], lambda d, t: t - none,
        lambda d, t: none - t, lambda d, t: dates[3] - d, lambda d, t: d[:40, None] + t[None, : n // 4], lambda d, t: (d + t) - d,
        lambda d, t: d - (d + t), lambda d, t: (d + t + t)[::3] - d[::3], lambda d, t: d.reshape(4, -1).T - t.reshape(-1, 4),
        lambda d, t: (t + t) - (d - d[::-1]), lambda d, t: (d + t)[:5] - t[5:10],
    ):  # fmt: skip
        ours, theirs = program(x[bc], y[bc]), program(x[np], y[np])
        assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape)
        np.testing.assert_array_equal(ours.get(), theirs)
    for program in (lambda d, t: d + t[1:], lambda d, t: d + d, lambda d, t: t - d):
        with pytest.raises(Exception) as reported:
            program(x[np], y[np])
        with pytest.raises(type(reported.value)) as ours:
            program(x[bc], y[bc])
        assert str(ours.value) == str(reported.value)
    written = bc.array(dates)
    later = written + y[bc]
    waits = written - x[bc][::-1]
    written[:] = written[3]
    np.testing.assert_array_equal(later.get(), dates + durations)
    np.testing.assert_array_equal(waits.get(), dates - dates[::-1])


def test_times_of_no_axes_stay_arrays_in_another_unit():
    for kind, other in (("m8[D]", "m8[s]"), ("M8[s]", "M8[D]"), ("m8[25s]", "m8[s]")):
        ours, theirs = (xp.array(10, dtype=kind).astype(other) for xp in (bc, np))
        assert type(ours) is bc.ndarray
        assert (ours.shape, ours.dtype, ours.item()) == (theirs.shape, theirs.dtype, theirs.item())
