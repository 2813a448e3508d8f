"""Medians and quantiles against NumPy, to the last bit: methods, types, axes, NaN, keywords, errors."""

import inspect
import warnings

import bascule as bc
import hypothesis.extra.numpy as hnp
import numpy as np
import pytest
from bascule import _core
from hypothesis import given, settings
from hypothesis import strategies as st
from ordered_arrays import LAYOUTS, REAL, data, same, same_outcome, values

METHODS = ["inverted_cdf", "averaged_inverted_cdf", "closest_observation", "interpolated_inverted_cdf", "hazen", "weibull",
           "linear", "median_unbiased", "normal_unbiased", "lower", "higher", "midpoint", "nearest"]  # fmt: skip
NAMES = ["median", "quantile", "percentile", "nanmedian", "nanquantile", "nanpercentile"]
pytestmark = [pytest.mark.usefixtures("native"), pytest.mark.filterwarnings("ignore::RuntimeWarning")]


@pytest.mark.parametrize("name", NAMES)
def test_signatures(name):
    ours, theirs = inspect.signature(getattr(bc, name)).parameters, inspect.signature(getattr(np, name)).parameters
    for k, p in theirs.items():
        if k != "interpolation":  # removed from newer NumPy
            assert (ours[k].kind, ours[k].default) == (p.kind, p.default)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", [*REAL, "c8", "c16"])
def test_median(dtype, layout):
    for shape in ((5, 6, 7), (4, 5, 6)):
        a = LAYOUTS[layout](data(dtype, shape, few=True))
        if a.dtype.kind in "fc":
            a = np.where(np.isnan(a) & (np.arange(shape[2]) != 3), a.dtype.type(1), a)
        b = bc.array(a)
        for axis in (None, 0, 1, 2, -1, (0, 2), (1, 0), (0, 1, 2)):
            for keepdims in (False, True):
                same(bc.median(b, axis, keepdims=keepdims), np.median(a, axis, keepdims=keepdims))


@pytest.mark.parametrize("name", ["quantile", "percentile", "nanquantile", "nanpercentile"])
@pytest.mark.parametrize("method", METHODS)
def test_quantiles(method, name):
    scale = 100 if name.endswith("percentile") else 1
    for dtype in ["i1", "u2", "i8", "f2", "f4", "f8"]:
        a = data(dtype, (4, 5, 6), seed=3, few=True)
        if a.dtype.kind == "f":
            a[np.isinf(a)] = 2
            a[1:] = np.nan_to_num(a[1:])
        b = bc.array(a)
        for axis in (None, 0, 2, (0, 1)):
            for q in (0.3, 0.5, np.float64(0.7), [0.0, 0.25, 0.9, 1.0], np.array([[0.1], [0.6]]), np.float32(0.4)):
                if name.startswith("nan") and np.ndim(q) == 2 and type(axis) is tuple:
                    continue  # NumPy confuses the axes
                at = np.multiply(q, scale, dtype=np.asarray(q).dtype)
                at = float(at) if type(q) is float else at
                want = getattr(np, name)(a, at, axis, method=method, keepdims=axis == 0)
                same(getattr(bc, name)(b, at, axis, method=method, keepdims=axis == 0), want)


@pytest.mark.parametrize("method", METHODS)
def test_quantiles_of_many(method):
    a = np.random.default_rng(7).normal(size=60_001)
    q = np.linspace(0, 1, 41)
    same(bc.quantile(bc.array(a), q, method=method), np.quantile(a, q, method=method))
    same(bc.nanquantile(bc.array(a), q, method=method), np.nanquantile(a, q, method=method))
    a[5] = np.nan
    same(bc.quantile(bc.array(a), 0.5, method=method), np.quantile(a, 0.5, method=method))


@pytest.mark.parametrize("dtype", REAL)
def test_ranks_of_large_arrays(dtype):
    for few in (False, True):
        a = np.nan_to_num(data(dtype, 150_001, few=few))
        same(bc.median(bc.array(a)), np.median(a))
        q = [0.0, 0.1, 0.5, 0.51, 0.9, 1.0]
        same(bc.quantile(bc.array(a), q, method="lower"), np.quantile(a, q, method="lower"))


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i4"])
def test_nanmedian(dtype):
    a = data(dtype, (5, 6, 7), few=True)
    if a.dtype.kind == "f":
        a[np.isinf(a)] = 0.5
        a[0, 0] = np.nan
    for axis in (None, 0, 2, (1, 2)):
        for keepdims in (False, True):
            same(bc.nanmedian(bc.array(a), axis, keepdims=keepdims), np.nanmedian(a, axis, keepdims=keepdims))


@pytest.mark.filterwarnings("error")
def test_warnings_of_nothing_but_nan():
    a = np.full((2, 3), np.nan)
    for name, *q in (("nanmedian",), ("nanquantile", 0.5)):
        with pytest.warns(RuntimeWarning, match="All-NaN slice encountered"):
            same(getattr(bc, name)(a, *q, axis=1), np.full(2, np.nan))
    with pytest.warns(RuntimeWarning, match="Mean of empty slice"):
        bc.median([])


def test_out():
    a = np.random.default_rng(0).normal(size=(5, 6))
    for name, *q in (("median",), ("quantile", 0.3), ("nanmedian",), ("nanquantile", 0.3)):
        out = bc.empty(6)
        assert getattr(bc, name)(a, *q, axis=0, out=out) is out
        same(out, getattr(np, name)(a, *q, axis=0))
        kept = bc.empty((1, 6))
        assert getattr(bc, name)(a, *q, axis=0, out=kept, keepdims=True) is kept
        with pytest.raises(ValueError):
            getattr(bc, name)(a, *q, axis=0, out=bc.empty(5))


def test_the_input_stays_as_it_is():
    x = np.random.default_rng(0).normal(size=1000)
    a = bc.array(x)
    bc.median(a, overwrite_input=True)
    bc.quantile(a, 0.5, overwrite_input=True)
    same(a, x)


CASES = {
    "0-d": lambda m: m.median(5.0),
    "empty": lambda m: m.median(np.zeros((0, 3)), axis=1),
    "empty, axis 0": lambda m: m.median(np.zeros((0, 3)), axis=0),
    "axis": lambda m: m.median([1, 2], axis=1),
    "axis twice": lambda m: m.median([[1, 2]], axis=(0, 0)),
    "quantile of nothing": lambda m: m.quantile([], 0.5),
    "lower quantile of nothing": lambda m: m.quantile([], 0.5, method="lower"),
    "quantiles of no lines": lambda m: m.quantile(np.zeros((0, 3)), 0.5, axis=1),
    "outside": lambda m: m.quantile([1, 2], 1.5),
    "outside, many": lambda m: m.percentile([1, 2], [50] * 10 + [101]),
    "NaN": lambda m: m.quantile([1, 2], np.nan),
    "bools": lambda m: m.quantile([True, False], 0.5),
    "bools, lower": lambda m: m.quantile([True, False], 0.5, method="lower"),
    "method": lambda m: m.quantile([1, 2], 0.5, method="x"),
    "3-d q": lambda m: m.quantile([1, 2], [[[0.5]]]),
    "complex": lambda m: m.quantile([1j], 0.5),
    "integer q": lambda m: m.quantile([1.5, 2.5], 1),
    "0-d quantile": lambda m: m.quantile(np.float32(3), 0.5),
}


@pytest.mark.parametrize("case", CASES)
def test_edges_and_errors(case):
    same_outcome(lambda: CASES[case](bc), lambda: CASES[case](np))


def test_the_reference_device_agrees():
    a = data("f8", 41)
    with bc.device("reference"):
        b = bc.array(np.nan_to_num(a))
        same(bc.median(b), np.median(np.nan_to_num(a)))
        same(bc.nanquantile(bc.array(a), [0.2, 0.6]), np.nanquantile(a, [0.2, 0.6]))


ARRAYS = hnp.arrays(
    st.sampled_from(["f4", "f8", "i4"]), hnp.array_shapes(max_dims=3, min_side=1, max_side=5),
    elements={"allow_subnormal": False, "allow_infinity": False, "min_value": -1000, "max_value": 1000},
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(a=ARRAYS, draw=st.data())
def test_any_array(a, draw):
    axis = draw.draw(st.sampled_from([None, *range(a.ndim)]))
    q = draw.draw(st.one_of(st.floats(0, 1), st.lists(st.floats(0, 1), min_size=1, max_size=4)))
    method = draw.draw(st.sampled_from(METHODS))
    b = bc.array(a)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        same(bc.median(b, axis), np.median(a, axis))
        same(bc.quantile(b, q, axis, method=method), np.quantile(a, q, axis, method=method))
        want = np.nanmedian(a, axis)
        np.testing.assert_allclose(values(bc.nanmedian(b, axis)), want, rtol=1e-6 if a.dtype == "f4" else 1e-15)


@pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore:The 'generic' unit:DeprecationWarning")
@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "m8[s]", "M8[D]"])
@pytest.mark.parametrize("n", [1, 2, 9, 1000, 30_001])
def test_one_line_without_its_nan(n, dtype):
    """Every fraction of NaN, up to all elements; the others are selected by rank as in arrays without NaN."""
    for share in (0, 0.1, 0.9, 1):
        a = np.random.default_rng(n).normal(size=n) * 90
        a = a.astype("i8").astype(dtype) if dtype[0] in "mM" else a.astype(dtype)
        a[np.random.default_rng(1).random(n) < share] = "NaT" if dtype[0] in "mM" else np.nan
        for x in (a, a.reshape(1, n, 1), a[::-3]):
            b = bc.array(x)
            for axis in (None, *((0, -1) if x.ndim == 1 else (1, (0, 1, 2)))):
                if axis == 1 and dtype in ("f2", "f4") and np.isnan(x).all():
                    continue  # NumPy's result has the type of its first line
                for keepdims in (False, True):
                    if dtype[0] != "M":  # dates have no mean
                        same(bc.nanmedian(b, axis, keepdims=keepdims), np.nanmedian(x, axis, keepdims=keepdims))
                    for q in (0, 0.3, 1, np.float64(0.5), [0.1, 0.9, 0.9], np.linspace(0, 1, 40)):
                        for method in ("linear", "lower", "hazen"):
                            want = np.nanquantile(x, q, axis, method=method, keepdims=keepdims)
                            same(bc.nanquantile(b, q, axis, method=method, keepdims=keepdims), want)


def test_the_middle_of_an_odd_number_is_an_element():
    top = np.finfo("f8").max
    assert float(bc.nanmedian(bc.array([top, np.nan, top, top]))) == top


@pytest.mark.parametrize("dtype", ["f8", "f4", "f2", "i8", "u1", "bool", "M8[s]"])
@pytest.mark.parametrize("shape", [(3, 700), (700, 3), (2, 3, 600)])
def test_long_lines_are_selected_as_sorted(dtype, shape):
    n = (np.random.default_rng(5).normal(size=shape) * 50).astype("i8").astype(dtype)
    if dtype == "f8":
        n[0, ..., 1] = np.nan
        n[-1, ...] = -0.0
    x = bc.array(n)
    for axis in (0, -1, None):
        if dtype != "M8[s]":
            same(bc.median(x, axis=axis), np.median(n, axis=axis))
        for q in ([0.1, 0.9, 0.1], np.linspace(0, 1, 12)):
            if dtype not in ("bool", "M8[s]"):
                same(bc.quantile(x, q, axis=axis), np.quantile(n, q, axis=axis))
    one = _core.select_ranks(x, [0, 1])
    same(one, np.sort(n, axis=-1)[..., :2])
