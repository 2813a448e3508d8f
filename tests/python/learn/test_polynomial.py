"""PolynomialFeatures against scikit-learn's: equal products, in every order and degree."""

import bascule as bc
import bascule.pandas as bpd
import numpy as np
import pytest
from bascule.learn import preprocessing as ours
from learn_data import SETS, assert_same_error, data, shown
from scipy import sparse
from sklearn import preprocessing as theirs

pytestmark = pytest.mark.usefixtures("native")


def compare(X, **options):
    mine, other = (m.PolynomialFeatures(**options).fit(X) for m in (ours, theirs))
    assert vars(mine) == vars(other)
    got, wanted = mine.transform(X), other.transform(X)
    assert got.dtype == wanted.dtype
    if options.get("order") == "F":
        assert got.flags.f_contiguous
    np.testing.assert_array_equal(got, wanted)
    if mine.n_output_features_:
        np.testing.assert_array_equal(mine.get_feature_names_out(), other.get_feature_names_out())


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("bias", [True, False], ids=["bias", ""])
@pytest.mark.parametrize("interaction", [False, True], ids=["", "interactions"])
@pytest.mark.parametrize("degree", [0, 1, 2, 3, 5, (0, 2), (1, 2), (2, 2), (3, 4), (0, 0)], ids=shown)
def test_degrees(degree, interaction, bias, order):
    options = {"degree": degree, "interaction_only": interaction, "include_bias": bias, "order": order}
    X = data("diabetes")[0][:, :6]
    if degree in (0, (0, 0)) and not bias:
        assert_same_error(lambda m: m.PolynomialFeatures(**options).fit(X), ours, theirs)
        return
    compare(X, **options)
    compare(X[:, :1], **options)


@pytest.mark.parametrize("name", SETS)
def test_sets(name):
    compare(data(name)[0])
    compare(data(name)[0][:, :3], degree=3, order="F")


@pytest.mark.parametrize("rows", [1, 63, 64, 65, 566, 567, 568, 4095, 40_000])
def test_rows_in_blocks(rows):
    X = np.random.default_rng(0).normal(size=(rows, 4))
    for options in ({}, {"order": "F"}, {"degree": (2, 3)}, {"degree": (2, 3), "include_bias": False, "order": "F"}):
        compare(X, **options)
    compare(np.random.default_rng(0).normal(size=(min(rows, 600), 20)), degree=3)


def test_kinds():
    X = data("many rows")[0]
    wanted = theirs.PolynomialFeatures().fit_transform(X)
    for given in (bc.asarray(X), bpd.DataFrame(X, columns=list("abcdefg"))):
        got = ours.PolynomialFeatures().fit_transform(given)
        assert type(got) is bc.ndarray
        np.testing.assert_array_equal(np.asarray(got), wanted)
    with pytest.raises(NotImplementedError, match="X is sparse"):
        ours.PolynomialFeatures().fit(sparse.csr_array(X))
    with bc.config.set(fallback="silent"):
        got, wanted = (m.PolynomialFeatures().fit_transform(sparse.csr_array(X)) for m in (ours, theirs))
        assert (got != wanted).nnz == 0


def test_errors_are_the_same():
    X = data("diabetes")[0]
    for options in ({"degree": (3, 2)}, {"degree": (1, 2, 3)}, {"degree": "2"}, {"order": "A"}, {"degree": 60}):
        wide = np.ones((2, 60)) if options == {"degree": 60} else X
        assert_same_error(lambda m, o=options, x=wide: m.PolynomialFeatures(**o).fit(x), ours, theirs)
    for bad in (np.where(X > 0.1, np.nan, X), X[:, 1:]):
        assert_same_error(lambda m, bad=bad: m.PolynomialFeatures().fit(X).transform(bad), ours, theirs)
    assert_same_error(lambda m: m.PolynomialFeatures().transform(X), ours, theirs)
