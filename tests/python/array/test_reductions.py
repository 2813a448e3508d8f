"""Reductions against NumPy: axes, types, layouts, keywords; sums and means to the last bit."""

import warnings

import bascule as bc
import numpy as np
import pytest

DTYPES = ["?", "i1", "u2", "i8", "u8", "f2", "f4", "f8", "c8", "c16"]
REDUCTIONS = ["sum", "prod", "min", "max", "any", "all", "mean", "var", "std", "argmin", "argmax"]
EXACT = {"min", "max", "any", "all", "argmin", "argmax"}
LAYOUTS = {
    "contiguous": lambda a: a,
    "fortran": np.asfortranarray,
    "strided": lambda a: np.repeat(a, 2, axis=2)[:, :, ::2],
    "reversed": lambda a: a[::-1, :, ::-1].copy()[::-1, :, ::-1],
    "transposed": lambda a: np.ascontiguousarray(a.transpose(2, 0, 1)).transpose(1, 2, 0),
    "broadcast": lambda a: np.broadcast_to(a[:1], a.shape),
}


def data(dtype, shape=(6, 7, 9), seed=0):
    rng, t = np.random.default_rng(seed), np.dtype(dtype)
    if t.kind == "b":
        return rng.random(shape) < 0.7
    if t.kind in "iu":
        return rng.integers(0, 5, shape).astype(t)
    if t.kind == "c":
        return (rng.normal(size=shape) + 1j * rng.normal(size=shape)).astype(t)
    return rng.normal(1, 0.3, size=shape).astype(t)


def tolerance(t):
    return {2: 2e-2, 4: 1e-5, 8: 1e-12 if t.kind != "c" else 1e-5, 16: 1e-12}.get(t.itemsize, 0)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions_over_axes(name, dtype, layout):
    a = LAYOUTS[layout](data(dtype))
    b = bc.asarray(a, copy=False)
    for axis in (None, 0, 1, 2, -1, (0, 1), (0, 2), (1, 2), (0, 1, 2)):
        if name.startswith("arg") and isinstance(axis, tuple):
            continue
        for keepdims in (False, True):
            want = np.asarray(getattr(np, name)(a, axis=axis, keepdims=keepdims))
            got = getattr(bc, name)(b, axis=axis, keepdims=keepdims)
            assert type(got) is bc.ndarray if want.ndim else isinstance(got, np.generic), axis
            assert got.dtype == want.dtype and got.shape == want.shape, axis
            if name in EXACT or want.dtype.kind in "biu":
                np.testing.assert_array_equal(np.asarray(got), want)
            else:
                np.testing.assert_allclose(
                    np.asarray(got), want, rtol=tolerance(want.dtype), atol=tolerance(want.dtype)
                )


SIZES = [0, 1, 7, 8, 9, 31, 127, 128, 129, 1000, 1023, 1025, 4095, 4097, 33000, 100001]


@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "c16"])
@pytest.mark.parametrize("n", SIZES)
def test_sums_have_numpys_bits(n, dtype):
    a = data(dtype, (n,), n)
    b = bc.asarray(a)
    assert b.sum().tobytes() == a.sum().tobytes()
    if n:
        assert b.mean().tobytes() == a.mean().tobytes()
        assert (b * 2).sum().tobytes() == (a * 2).sum().tobytes()


@pytest.mark.parametrize("shape", [(3, 5), (40, 41), (5, 1000), (1000, 5), (300, 300), (7, 8, 9), (2, 2049)])
@pytest.mark.parametrize("axis", [0, -1])
def test_sums_along_the_first_and_last_axis_have_numpys_bits(shape, axis):
    a = data("f8", shape)
    b = bc.asarray(a)
    assert b.sum(axis=axis).get().tobytes() == a.sum(axis=axis).tobytes()
    assert b.mean(axis=axis).get().tobytes() == a.mean(axis=axis).tobytes()


@pytest.mark.parametrize("n", [10, 1000, 9000, 70000])
def test_variance_is_within_4_units_of_two_passes(n):
    a = np.random.default_rng(n).normal(10, 1, n)
    want = float(np.longdouble(((a.astype("g") - a.astype("g").mean()) ** 2).mean()))
    assert abs(float(bc.asarray(a).var()) - want) <= 4 * np.spacing(want)
    assert bc.asarray(a).std(ddof=1) == pytest.approx(a.std(ddof=1), rel=1e-14)


@pytest.mark.parametrize("special", [None, np.inf, np.nan])
@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("width", [15, 33, 64, 130, 1000])
def test_variances_of_columns_do_not_depend_on_those_alongside_them(width, dtype, special):
    rng = np.random.default_rng(width)
    for rows in (1, 3, 4, 9, 100, 257):
        a = (rng.standard_normal((rows, width)) * np.exp(3 * rng.standard_normal((rows, width))) + 1e3).astype(dtype)
        if special:
            a[rows // 2, width // 3] = special
        with np.errstate(invalid="ignore"), bc.errstate(invalid="ignore"):
            x = bc.asarray(a)
            got, want = x.var(0).get(), a.astype("f8").var(0)
            narrow = [x[:, j : j + 2].var(0).get() for j in range(0, width - 1, 7)]
        np.testing.assert_allclose(got, want, rtol=1e-13 if dtype == "f8" else 1e-5)
        np.testing.assert_array_equal(
            np.concatenate(narrow), np.concatenate([got[j : j + 2] for j in range(0, width - 1, 7)])
        )


def test_keywords():
    a = np.arange(24.0).reshape(4, 6)
    b, mask = bc.asarray(a), a % 3 == 0
    np.testing.assert_array_equal(bc.sum(b, axis=0, dtype="f4").get(), np.sum(a, axis=0, dtype="f4"))
    np.testing.assert_array_equal(
        bc.sum(b, axis=1, initial=10, where=bc.asarray(mask)).get(), np.sum(a, axis=1, initial=10, where=mask)
    )
    np.testing.assert_array_equal(
        bc.max(b, axis=1, initial=3.5, where=bc.asarray(mask)).get(), np.max(a, axis=1, initial=3.5, where=mask)
    )
    out = bc.zeros(6)
    assert bc.mean(b, 0, out=out) is out
    np.testing.assert_array_equal(out.get(), a.mean(0))
    np.testing.assert_allclose(bc.var(b, correction=1), np.var(a, ddof=1), rtol=1e-15)


ERRORS = {
    "axis": lambda m: m.sum(m.ones((2, 3)), axis=2),
    "axis-twice": lambda m: m.sum(m.ones((2, 3)), axis=(0, 0)),
    "empty-min": lambda m: m.min(m.ones(0)),
    "empty-max-axis": lambda m: m.max(m.ones((0, 3)), axis=0),
    "empty-argmax": lambda m: m.argmax(m.ones(0)),
    "axis-type": lambda m: m.sum(m.ones(3), axis=1.5),
    "weights": lambda m: m.average(m.ones(3), weights=m.zeros(3)),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors_are_numpys(name):
    with pytest.raises(Exception) as want:
        ERRORS[name](np)
    with pytest.raises(type(want.value)) as got:
        ERRORS[name](bc)
    assert str(got.value) == str(want.value)


@pytest.mark.parametrize("dtype", ["i1", "u1", "i8", "f4", "f8"])
@pytest.mark.parametrize("axis", [None, 0, 1, -1])
def test_running_reductions(dtype, axis):
    a = data(dtype, (5, 6))
    for name in ("cumsum", "cumprod"):
        got, want = getattr(bc, name)(bc.asarray(a), axis), getattr(np, name)(a, axis)
        assert got.dtype == want.dtype
        np.testing.assert_allclose(got.get(), want, rtol=1e-5)


def test_functions_made_of_reductions():
    a = data("f8", (5, 8))
    b, w = bc.asarray(a), np.arange(1.0, 9)
    for got, want in [
        (bc.ptp(b, axis=1), np.ptp(a, axis=1)),
        (bc.average(b, axis=1, weights=bc.asarray(w)), np.average(a, axis=1, weights=w)),
        (bc.count_nonzero(b > 1, axis=0), np.count_nonzero(a > 1, axis=0)),
        (bc.diff(b, 2, axis=0), np.diff(a, 2, axis=0)),
        (bc.diff(b, prepend=0), np.diff(a, prepend=0)),
        (bc.cumulative_sum(b, axis=1, include_initial=True), np.cumulative_sum(a, axis=1, include_initial=True)),
    ]:
        np.testing.assert_allclose(got.get(), want, rtol=1e-14)


@pytest.mark.parametrize("axis", [None, 0, 1])
def test_reductions_without_nan(axis):
    a = data("f8", (6, 7))
    a[a < 0.8] = np.nan
    for name in ("nansum", "nanprod", "nanmin", "nanmax", "nanmean"):
        np.testing.assert_allclose(
            np.asarray(getattr(bc, name)(bc.asarray(a), axis=axis)), getattr(np, name)(a, axis=axis), rtol=1e-14
        )
    with pytest.warns(RuntimeWarning, match="All-NaN"):
        assert np.isnan(float(bc.nanmax(bc.full(3, np.nan))))


@pytest.mark.filterwarnings("ignore:All-NaN")
@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "c16"])
@pytest.mark.parametrize("kind", ["nan", "-inf", "inf", "both"])
def test_extrema_of_nothing_but_infinities_and_nan(kind, dtype):
    """An infinity differs from the value that replaces NaN."""
    for n in (1, 2, 100, 9000, 40_000):
        a = np.full(n, np.nan).astype(dtype)
        if kind == "both":
            a[: n // 2] = -np.inf
        if kind != "nan":
            a[n // 2] = float("inf" if kind == "both" else kind)
        for x in (a, a.reshape(-1, 1), a[::-1]):
            for axis in (None, 0, -1):
                for keepdims in (False, True):
                    for name in ("nanmin", "nanmax"):
                        got = getattr(bc, name)(bc.asarray(x), axis, keepdims=keepdims)
                        want = getattr(np, name)(x, axis, keepdims=keepdims)
                        assert (got.dtype, got.shape) == (want.dtype, want.shape)
                        np.testing.assert_array_equal(np.asarray(got), want)
                        if np.isnan(want).any():
                            with pytest.warns(RuntimeWarning, match="All-NaN"):
                                getattr(bc, name)(bc.asarray(x), axis)


def rows_with_corners(dtype, n, tiny):
    a = (np.random.default_rng(n).standard_normal((9000 // n + 20, n)) + 3).astype(dtype)
    a[1], a[2], a[3], a[4] = -0.0, 0.0, -tiny, 0
    a[4, 0] = -tiny  # the smallest number divided by n is a zero that keeps its sign
    a[5, :], a[5, -1] = 1, -(n - 1)
    a[6] = -2.5
    return a


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("n", [1, 2, 7, 8, 9, 64, 127, 128, 129, 500, 1000, 1024, 1025, 3000])
@pytest.mark.parametrize(("spread", "tiny"), [("var", 0), ("std", 0), ("std", 1)])
def test_means_alongside_variances_of_rows_have_numpys_bits(dtype, n, spread, tiny):
    a = rows_with_corners(dtype, n, np.finfo(dtype).smallest_subnormal * tiny)
    x = bc.asarray(a)
    mean, other = x.mean(1), getattr(x, spread)(1)
    bc.evaluate(mean, other)
    assert mean.get().tobytes() == a.mean(1).tobytes()
    alone = getattr(bc.asarray(a), spread)(1)
    assert other.get().tobytes() == alone.get().tobytes()
    out = bc.zeros((2, a.shape[0] * 3), dtype=dtype)[0, ::3]
    turned = bc.asarray(np.asfortranarray(a.T[:, ::-1])).T
    bc.mean(turned, axis=1, out=out)
    assert out.get().tobytes() == a[::-1].mean(1).tobytes()


@pytest.mark.parametrize(
    "put",
    [
        [],
        [(3, 5, 1e200)],  # only the squares overflow
        [(3, slice(None), 1.7e308)],
        [(7, 1, np.inf), (7, 2, -np.inf)],
    ],
)
def test_means_alongside_variances_report_their_own_arithmetic(put):
    a = np.random.default_rng(1).standard_normal((40, 300))
    for row, column, value in put:
        a[row, column] = value
    x = bc.asarray(a)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        mean, var = x.mean(1), x.var(1)
        bc.evaluate(mean, var)
    with warnings.catch_warnings(record=True) as apart:
        warnings.simplefilter("always")
        bc.evaluate(bc.asarray(a).mean(1))
        bc.evaluate(bc.asarray(a).var(1))
    assert sorted(str(w.message) for w in seen) == sorted(str(w.message) for w in apart)
    with warnings.catch_warnings(record=True) as theirs:
        warnings.simplefilter("always")
        expected = a.mean(1)
    assert {str(w.message) for w in theirs} <= {str(w.message) for w in seen}
    np.testing.assert_array_equal(mean.get(), expected)


@pytest.mark.filterwarnings("ignore:(var|std|nanvar) runs in NumPy")
@pytest.mark.parametrize("dtype", ["i4", "u8", "u4", "?"])
def test_moments_counted_in_integers(dtype):
    for x in (np.arange(50), np.arange(5.0) * 1.7, np.array([3, 200, 7], "u1")):
        ours = bc.array(x)
        for name in ("var", "std"):
            want = getattr(np, name)(x, dtype=dtype)
            for got in (getattr(bc, name)(ours, dtype=dtype), getattr(ours, name)(dtype=dtype)):
                assert type(got) is type(want) and got == want
    x, out = np.arange(12).reshape(3, 4), bc.zeros(4, "i8")
    assert bc.var(bc.array(x), axis=0, dtype="i8", ddof=1, out=out) is out
    np.testing.assert_array_equal(out.get(), np.var(x, axis=0, dtype="i8", ddof=1))
    with pytest.raises(TypeError, match="Cannot cast ufunc 'sqrt' output"):
        bc.array(x).std(axis=0, dtype="i8")


@pytest.mark.parametrize("name", ["sum", "prod", "max", "min", "mean", "std", "var", "any", "all", "argmax", "argmin"])
def test_what_is_not_given_has_a_value_of_its_own(name):
    n = np.arange(1.0, 7.0).reshape(2, 3)
    b = bc.asarray(n)
    for options in ({}, {"axis": 1}, {"axis": 1, "keepdims": True}):
        rest = {"keepdims": np._NoValue, "out": None} | options
        want = getattr(n, name)(**options)
        for got in (getattr(b, name)(**rest), getattr(bc, name)(b, **rest), getattr(bc, name)(n, **rest)):
            assert got.shape == want.shape
            np.testing.assert_array_equal(np.asarray(got), want)
    with pytest.raises(TypeError):
        getattr(bc, name)(b, axis=[0])
