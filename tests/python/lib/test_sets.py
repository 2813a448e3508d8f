"""unique and set operations against NumPy: types, special values, additional results, axes, errors."""

import inspect
import itertools

import bascule as bc
import hypothesis.extra.numpy as hnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ordered_arrays import REAL, TYPES, data, same, same_outcome

pytestmark = pytest.mark.usefixtures("native")

NAMES = ["unique", "unique_all", "unique_counts", "unique_inverse", "unique_values", "union1d", "intersect1d", "setdiff1d",
         "setxor1d", "isin"]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_signatures(name):
    ours, theirs = inspect.signature(getattr(bc, name)).parameters, inspect.signature(getattr(np, name)).parameters
    names = {k: (p.kind, p.default) for k, p in ours.items()}
    assert all(names[k] == (p.kind, p.default) for k, p in theirs.items())  # the oldest NumPy has fewer


@pytest.mark.parametrize("equal_nan", [True, False])
@pytest.mark.parametrize("dtype", TYPES)
def test_unique_with_all_that_it_returns(dtype, equal_nan):
    for shape, few in ((0, True), (1, True), ((6, 50), True), (300, False), (60_000, False)):
        a = data(dtype, shape, few=few)
        if dtype == "M8[s]" and not equal_nan:
            a[np.isnat(a)] = 0  # some versions of NumPy merge NaT, some do not
        b = bc.array(a)
        for index, inverse, counts in itertools.product([False, True], repeat=3):
            # Without indices NumPy's sort need not be stable, and it may number different NaN in any order.
            stable = index or equal_nan or not inverse
            want = (
                np.unique(a, index, inverse, counts, equal_nan=equal_nan)
                if stable
                else np.unique(a, True, True, counts, equal_nan=False)
            )
            same(bc.unique(b, index or not stable, inverse, counts, equal_nan=equal_nan), want)


@pytest.mark.parametrize("dtype", TYPES)
def test_unique_along_an_axis(dtype):
    a = data(dtype, (3, 8, 2), few=True) if dtype[0] in "?iu" else data(dtype, (3, 8, 1), few=True)
    a = np.concatenate([a, a[:, ::2]], axis=1)
    if dtype == "f2":
        a = np.nan_to_num(a)  # NumPy orders float16 rows with NaN by their bits
    for axis in (0, 1, 2, -1):
        same(bc.unique(bc.array(a), True, True, True, axis=axis), np.unique(a, True, True, True, axis=axis))
        same(bc.unique(a, axis=axis), np.unique(a, axis=axis))
    same(bc.unique(a[0, :, 0], False, True, axis=0), np.unique(a[0, :, 0], False, True, axis=0))


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (2, 0, 2)])
def test_unique_slices_of_nothing(shape):
    a = np.zeros(shape)
    for axis in range(len(shape)):
        same_outcome(
            lambda: bc.unique(bc.array(a), True, True, True, axis=axis),
            lambda: np.unique(a, True, True, True, axis=axis),
        )


@pytest.mark.parametrize("dtype", TYPES)
def test_unique_of_the_array_api(dtype):
    a = data(dtype, (5, 9), few=True)
    if dtype == "M8[s]":
        a[np.isnat(a)] = 0
    for name in ("unique_all", "unique_counts", "unique_inverse", "unique_values"):
        if name == "unique_values":
            same(bc.sort(getattr(bc, name)(a)), np.sort(getattr(np, name)(a)))
        elif name == "unique_inverse" and a.dtype.kind in "fcmM":  # different NaN may be numbered in any order
            r = bc.unique_inverse(a)
            assert r._fields == np.unique_inverse(a)._fields
            same(r.values[r.inverse_indices], a)
        else:
            same(getattr(bc, name)(bc.array(a)), getattr(np, name)(a))


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", ["union1d", "intersect1d", "setdiff1d", "setxor1d"])
def test_two_arrays_as_sets(name, dtype):
    for n, m in ((40, 30), (0, 5), (5, 0), (1, 1)):
        a, b = data(dtype, n, few=True), data(dtype, m, seed=1, few=True)
        same(getattr(bc, name)(bc.array(a), bc.array(b)), getattr(np, name)(a, b))
        same(getattr(bc, name)(a.reshape(-1, 1), bc.array(b)), getattr(np, name)(a.reshape(-1, 1), b))
        if name == "intersect1d":
            same(bc.intersect1d(bc.array(a), b, return_indices=True), np.intersect1d(a, b, return_indices=True))
        if name != "union1d":
            u, v = (x[~(x != x)] for x in (np.unique(a), np.unique(b)))
            same(getattr(bc, name)(bc.array(u), v, assume_unique=True), getattr(np, name)(u, v, assume_unique=True))


def test_sets_of_two_types():
    for s, t in itertools.product(REAL, ["i8", "f4"]):
        a, b = data(s, 30, few=True), data(t, 20, few=True)
        for name in ("union1d", "intersect1d", "setdiff1d", "setxor1d", "isin"):
            same(getattr(bc, name)(bc.array(a), b), getattr(np, name)(a, b))


@pytest.mark.parametrize("invert", [False, True])
@pytest.mark.parametrize("dtype", TYPES)
def test_isin(dtype, invert):
    for n, m, few in (((20, 30), 25, True), (500, 400, False), (0, 3, True), (3, 0, True)):
        a, b = data(dtype, n, few=few), data(dtype, m, seed=2, few=few)
        b = np.concatenate([b, a.ravel()[:3]])
        for kind in (None, "sort", "table"):
            if few or kind != "table" or a.dtype.itemsize == 1:  # a table over a wide type's whole range is too large
                same_outcome(
                    lambda: bc.isin(bc.array(a), b, invert=invert, kind=kind),
                    lambda: np.isin(a, b, invert=invert, kind=kind),
                )


def test_errors():
    for call in (
        lambda m: m.unique(np.zeros((2, 2)), axis=5),
        lambda m: m.unique(5, axis=0),
        lambda m: m.unique(5, return_inverse=True),
        lambda m: m.isin([1], [1], kind="x"),
        lambda m: m.isin([1.0], [1.0], kind="table"),
        lambda m: m.isin(np.array([1], "i1"), np.array([-128, 127], "i1"), kind="table"),
        lambda m: m.isin(5, [5]),
    ):
        same_outcome(lambda: call(bc), lambda: call(np))


def test_the_reference_device_agrees():
    a = data("f4", (4, 10), few=True)
    with bc.device("reference"):
        b = bc.array(a)
        same(bc.unique(b, True, True, True), np.unique(a, True, True, True))
        same(bc.isin(b, bc.array(a[0])), np.isin(a, a[0]))


ARRAYS = hnp.arrays(
    st.sampled_from(["i1", "u8", "f2", "f8", "c8", "?", "i8"]), hnp.array_shapes(max_dims=2, min_side=0, max_side=7)
)


@settings(max_examples=150, deadline=None)
@given(a=ARRAYS, b=ARRAYS, draw=st.data())
def test_any_arrays(a, b, draw):
    wanted = draw.draw(st.tuples(*[st.booleans()] * 3))
    axis = draw.draw(st.sampled_from([None, *range(a.ndim)])) if not np.isnan(a.astype("c16")).any() else None
    same(bc.unique(bc.array(a), *wanted, axis=axis), np.unique(a, *wanted, axis=axis))
    if a.dtype == b.dtype:
        same(bc.isin(bc.array(a), b), np.isin(a, b))
        same(bc.setdiff1d(bc.array(a), b), np.setdiff1d(a, b))
