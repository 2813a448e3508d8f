"""Behaviour that depends on the version of the installed NumPy."""

import inspect
import warnings

import bascule as bc
import numpy as np
import pytest
from bascule._array import numpy_versions
from bascule.supported_versions import SUPPORTED


def test_every_difference_came_with_a_supported_version_and_is_asked_for():
    supported = SUPPORTED["numpy"]
    for difference, version in numpy_versions._SINCE.items():
        assert supported.oldest < version <= supported.newest
        assert numpy_versions.since(difference) == (numpy_versions.INSTALLED >= version)


def test_products_that_came_later_are_ufuncs_with_any_numpy():
    assert bc.matvec([[1, 2], [3, 4]], [1, 1]).tolist() == [3, 7]
    assert bc.vecmat([1, 1], [[1, 2], [3, 4]]).tolist() == [4, 6]
    assert (bc.matvec.nin, bc.matvec.nout, bc.matvec.signature) == (2, 1, "(m,n),(n)->(m)")
    assert bc.matvec.types == np.vecdot.types == bc.vecmat.types


def test_ufuncs_say_what_they_take_with_any_numpy():
    for name, inputs in (("sin", ["x"]), ("add", ["x1", "x2"]), ("vecdot", ["x1", "x2"]), ("divmod", ["x1", "x2"])):
        made = numpy_versions._ufunc_signature(getattr(np, name))
        assert list(made.parameters)[: len(inputs)] == inputs
        if numpy_versions.since("C functions and ufuncs have signatures"):
            assert made == inspect.signature(getattr(np, name))


def test_the_coverage_table_can_be_made_with_any_numpy():
    found = bc.coverage()
    assert found["add"].state == "native" and "where" in found["add"].parameters


@pytest.mark.parametrize("method", ["linear", "averaged_inverted_cdf", "interpolated_inverted_cdf", "median_unbiased"])
@pytest.mark.parametrize("q", [0.3, np.float64(0.3), [0.3], 1])
@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i4"])
def test_quantiles_have_the_type_and_bits_of_the_installed_numpys(dtype, q, method):
    x = np.random.default_rng(3).normal(0, 40, 501).astype(dtype)
    for name, at in (("quantile", q), ("nanquantile", q), ("percentile", 30), ("nanpercentile", np.float32(30))):
        want = getattr(np, name)(x, at, method=method)
        got = np.asarray(getattr(bc, name)(bc.array(x), at, method=method))
        assert got.dtype == np.asarray(want).dtype, name
        np.testing.assert_array_equal(got, want, name)


@pytest.mark.parametrize(
    "key",
    [99, None, (1, 2), True, 1.5, [1.5], [True] * 12, np.ones(12, bool), "a", [[1]], (1,)]
    + [False, np.True_, np.array(True), np.array(3), np.array([1.5]), [[1], [2, 3]], np.int8(-3)],
)  # fmt: skip
def test_flat_iterators_index_as_the_installed_numpys(key):
    def outcome(xp):
        with warnings.catch_warnings(record=True, action="always") as said:
            try:
                found = np.asarray(xp.arange(12.0).flat[key]).tolist()
            except Exception as error:
                found = type(error), str(error)
        return found, [w.category for w in said]

    assert outcome(bc) == outcome(np)


@pytest.mark.parametrize("name", ["mean", "nanmean", "var"])
def test_the_warning_of_nothing_is_the_installed_numpys(name):
    def said(xp):
        with warnings.catch_warnings(record=True, action="always") as found:
            getattr(xp, name)(xp.zeros(0))
        return {str(w.message) for w in found}

    assert said(bc) == said(np)


def test_planned_products_keep_the_sign_of_zero_as_the_installed_numpys():
    x, y = np.array([-0.0, 1]), np.array([1.0, -0.0])
    for text in ("i,i->i", "i,j->ij"):
        want, got = (np.asarray(xp.einsum(text, xp.array(x), xp.array(y), optimize=True)) for xp in (np, bc))
        np.testing.assert_array_equal(np.signbit(got), np.signbit(want))
