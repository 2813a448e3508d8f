"""datetime64 and timedelta64 against NumPy: units, NaT, mixed operands, errors."""

import datetime
import warnings

import bascule as bc
import numpy as np
import pytest

VALUES = {
    "d": np.array(["2020-01-01", "NaT", "2021-03-04"], "M8[D]"),
    "e": np.array(["2020-01-02", "2020-01-01", "NaT"], "M8[s]"),
    "td": np.array([1, 2, -3], "m8[h]"),
    "t2": np.array([5, "NaT", 7], "m8[m]"),
    "i": np.arange(3),
    "f": np.array([0.5, np.nan, -2.0]),
}
EXPRESSIONS = """
d - d; d - e; d + td; td + d; d - td; td + t2; td - t2; td * 2; 2 * td; td * 1.5; td / 2; td / t2; td // t2; td % t2; td // 2
d < e; d == d; d != d; td < t2; td == t2; d + 1; d + d; td * td; m.isnat(d); m.isnan(d); -td; abs(td); d.max(); td.sum()
m.maximum(d, e); m.minimum(td, t2); m.sign(td); d - np.datetime64('2020-01-01'); d + np.timedelta64(1, 'D'); td + 5; td * i; i * td
np.datetime64('2020-01-01') - d; d > np.datetime64('2020-01-01'); divmod(td, t2); d.astype('M8[s]'); d.astype('M8[M]'); td.astype('f8')
d.astype('i8'); i.astype('m8[D]'); e.astype('M8[D]'); d < 3; td < 3; 1.0 * td; td / i; td / f; td * f; td // f; 5 - td; 5 // td
d.astype('M8[Y]') + td.astype('m8[D]'); d.astype('M8[Y]') - d; m.subtract(d, e); m.add(d, td); m.square(td); d[1:] - d[:-1]
td + np.timedelta64('NaT', 's'); np.timedelta64(1, 'M') + td; m.cumsum(td); m.where(td > td[1], td, t2); m.concatenate([d, e]); m.diff(d)
td // 0; td / 0; td % td; d[0]; d[1:2]; m.isfinite(d); m.array_equal(d, d); m.clip(td, t2[0], t2[2]); d + datetime.timedelta(days=1)
d - datetime.date(2020, 1, 1); td > datetime.timedelta(minutes=70); f + td; d * 2; d / 2; m.sqrt(td); ~td; m.argmax(td); m.argmin(d)
""".replace("\n", ";").split(";")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("text", [e.strip() for e in EXPRESSIONS if e.strip()])
def test_expressions(text):
    results = []
    for module, make in ((np, np.asarray), (bc, bc.asarray)):
        scope = {"np": np, "m": module, "datetime": datetime, **{k: make(v) for k, v in VALUES.items()}}
        try:
            r = eval(text, scope)
        except Exception as error:
            r = error
        results.append(r)
    want, got = results
    if isinstance(want, Exception):
        assert isinstance(got, TypeError if isinstance(want, TypeError) else type(want)), got
        return
    if isinstance(got, Exception):
        raise got
    for w, g in zip(want if isinstance(want, tuple) else (want,), got if isinstance(got, tuple) else (got,)):
        w, g = np.asarray(w), g.get() if type(g) is bc.ndarray else np.asarray(g)
        assert g.dtype == w.dtype and g.shape == w.shape
        np.testing.assert_array_equal(g, w)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("to", ["Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "3D", "25s"])
@pytest.mark.parametrize("of", ["Y", "M", "W", "D", "h", "s", "ms", "ns", "7h"])
@pytest.mark.parametrize("kind", ["M8", "m8"])
def test_conversions_between_units(kind, of, to):
    a = np.array([-5, 0, 1, 7, 400, np.iinfo("i8").min]).view(f"{kind}[{of}]")
    t = f"{kind}[{to}]"
    assert _reported(bc.ndarray.astype, bc.asarray(a), t)[:2] == _reported(np.ndarray.astype, a, t)[:2]


FAR = np.array([2**62 + 5, -(2**62) - 7, 2**61 + 3, -(2**61) - 2, 3 * 2**40, -5, 1, np.iinfo("i8").min])


def _reported(f, *args):
    """The result of a call or its error, and its warnings."""
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        try:
            r = f(*args)
        except Exception as error:
            return type(error), str(error)
        r = r.get() if type(r) is bc.ndarray else r
    return r.dtype, r.view("i8").tolist(), {str(w.message) for w in seen}


@pytest.mark.parametrize("many", [1, 700])
@pytest.mark.parametrize("to", ["Y", "5M", "W", "D", "h", "5s", "ns", "fs", "as", "3D"])
@pytest.mark.parametrize("of", ["W", "D", "3h", "7h", "s", "2000000000s", "ms", "ns", "fs"])
@pytest.mark.parametrize("kind", ["M8", "m8"])
def test_conversions_wrap_as_numpys(kind, of, to, many):
    # Conversions of durations in months, by their mean length, run in NumPy.
    fallback = "silent" if kind == "m8" and to[-1] in "YM" else bc.config.fallback
    a = np.tile(FAR, many).view(f"{kind}[{of}]")
    t = f"{kind}[{to}]"
    with bc.config.set(fallback=fallback):
        got = _reported(bc.ndarray.astype, bc.array(a), t)
    assert got == _reported(np.ndarray.astype, a, t)


@pytest.mark.parametrize("years", [2**52 + 5, -(2**52) - 7, 2**43 - 1, -(2**43) + 1])
@pytest.mark.parametrize("to", ["D", "3D", "h", "7s", "ns"])
def test_dates_of_far_years_wrap_as_numpys(years, to):
    for of, n in (("Y", years), ("M", 12 * years + 5)):
        a = np.array([n]).view(f"M8[{of}]")
        assert _reported(bc.ndarray.astype, bc.array(a), f"M8[{to}]") == _reported(np.ndarray.astype, a, f"M8[{to}]")


@pytest.mark.parametrize("many", [1, 700])
@pytest.mark.parametrize("x, y", [("m8[D]", "m8[ns]"), ("M8[D]", "m8[ns]"), ("M8[h]", "M8[ns]"), ("m8[W]", "m8[as]")])
def test_arithmetic_of_units_that_overflow(x, y, many):
    a, b = np.tile(FAR, many).view(x), np.array([7]).view(y)
    for name in ("add", "subtract", "less", "equal", "maximum", "divide", "floor_divide", "remainder"):
        want = _reported(getattr(np, name), a, b)
        got = _reported(getattr(bc, name), bc.array(a), bc.array(b))
        assert got == want or issubclass(want[0], TypeError) and issubclass(got[0], TypeError), name


def test_durations_times_numbers_that_are_too_large():
    a = np.array([5, 2**62, 1, 0, np.iinfo("i8").min]).view("m8[D]")
    for y in ([1e300, 8.0, np.nan, np.inf, 1e300], [0.0, 0.25, np.inf, 0.0, 0.0], [1, 1, 1, 1, 0.0]):
        for name in ("multiply", "divide", "floor_divide"):
            want = _reported(getattr(np, name), a, np.array(y))
            assert _reported(getattr(bc, name), bc.array(a), bc.array(y)) == want, name


TIMES = [1, "NaT", 5, 7, 2, "NaT"], ["NaT"] * 6, [4, 3, 9, 1, "NaT", 8]


@pytest.mark.parametrize("kind", ["m8[s]", "M8[s]"])
@pytest.mark.parametrize("axis", [None, 0, 1])
@pytest.mark.parametrize("many", [1, 900])
def test_reductions_without_nat(kind, axis, many):
    a = np.tile(np.array(TIMES, kind), (1, many))
    calls = [
        lambda xp, x: xp.nanmax(x, axis),
        lambda xp, x: xp.nanmin(x, axis, keepdims=True),
        lambda xp, x: xp.nanmin(x[:1], axis, initial=np.array(3, kind)[()]),
    ]
    if kind[0] == "m":
        calls += [lambda xp, x: xp.nanmedian(x[::2], axis), lambda xp, x: xp.nanquantile(x[::2], 0.3, axis)]
        calls += [lambda xp, x: xp.nanpercentile(x[::2], [10, 60], axis), lambda xp, x: xp.nanmedian(x[1], 0)]
    else:
        calls += [lambda xp, x: xp.nanpercentile(x[0], [10, 60], method="lower")]
    with bc.config.set(fp_warnings="auto"):
        for call in calls:
            ours, theirs = _reported(call, bc, bc.array(a)), _reported(call, np, a)
            # NumPy 2.5 warns about durations without a unit that it makes itself.
            assert ours == (*theirs[:-1], {w for w in theirs[-1] if "'generic' unit" not in w})


@pytest.mark.parametrize("name", ["add", "bitwise_xor", "multiply", "less", "maximum"])
@pytest.mark.parametrize("kind", ["m8[s]", "M8[s]"])
def test_functions_refuse_complex_numbers_alongside_times(name, kind):
    for other in (1j, np.array([1j])):
        with pytest.raises(TypeError) as theirs:
            getattr(np, name)(np.array([1], kind), other)
        with pytest.raises(TypeError) as ours:
            getattr(bc, name)(bc.array(np.array([1], kind)), other)
        assert str(ours.value) == str(theirs.value)


def test_assignment_converts():
    for value in ("2022-02-02", np.datetime64("2022-02-02T12"), datetime.date(2022, 2, 2), 5, VALUES["e"][1]):
        a, b = VALUES["d"].copy(), bc.asarray(VALUES["d"])
        a[1] = value
        b[1] = value
        np.testing.assert_array_equal(b.get(), a)
    b = bc.asarray(VALUES["d"])
    b[:] = bc.asarray(VALUES["e"])
    np.testing.assert_array_equal(b.get(), VALUES["e"].astype("M8[D]"))


def test_in_place_and_out():
    a, b = VALUES["d"].copy(), bc.asarray(VALUES["d"])
    a += np.timedelta64(3, "D")
    b += np.timedelta64(3, "D")
    b -= bc.asarray(np.array([1, 1, 1], "m8[D]"))
    np.testing.assert_array_equal(b.get(), a - np.timedelta64(1, "D"))
    out = bc.zeros(3, dtype="m8[s]")
    assert bc.subtract(b, b, out=out) is out
    np.testing.assert_array_equal(out.get(), (a - a).astype("m8[s]"))


def test_numpy_sees_the_dates():
    np.testing.assert_array_equal(np.asarray(bc.asarray(VALUES["d"])), VALUES["d"])
    assert repr(bc.asarray(VALUES["d"])) == repr(VALUES["d"])
