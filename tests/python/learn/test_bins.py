"""KBinsDiscretizer against scikit-learn's: edges, codes, columns of nought and one, warnings, errors."""

import warnings

import bascule as bc
import bascule.pandas as bpd
import numpy as np
import pytest
from bascule.learn import preprocessing as ours
from learn_data import SETS, assert_same_error, data, weights
from scipy import sparse
from sklearn import preprocessing as theirs

pytestmark = pytest.mark.usefixtures("native")

METHODS = [
    "inverted_cdf", "averaged_inverted_cdf", "closest_observation", "interpolated_inverted_cdf", "hazen", "weibull", "linear",
    "median_unbiased", "normal_unbiased",
]  # fmt: skip


def fitted(m, X, w=None, **options):
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        made = m.KBinsDiscretizer(**options).fit(X, sample_weight=w)
    return made, [str(s.message) for s in said]


def compare(X, w=None, **options):
    options = {"quantile_method": "averaged_inverted_cdf", **options}
    (mine, said), (other, their_words) = (fitted(m, X, w, **options) for m in (ours, theirs))
    assert said == their_words
    np.testing.assert_array_equal(mine.n_bins_, other.n_bins_)
    for got, wanted in zip(mine.bin_edges_, other.bin_edges_, strict=True):
        assert got.dtype == wanted.dtype
        np.testing.assert_allclose(got, wanted, rtol=1e-15)
    mine.bin_edges_ = other.bin_edges_
    got, wanted = mine.transform(X), other.transform(X)
    assert type(got) is type(wanted) and got.dtype == wanted.dtype
    dense = (got.toarray(), wanted.toarray()) if sparse.issparse(wanted) else (got, wanted)
    np.testing.assert_array_equal(*dense)
    with np.errstate(invalid="ignore"):  # the centre of a bin without limits
        np.testing.assert_array_equal(mine.inverse_transform(got), other.inverse_transform(wanted))
    np.testing.assert_array_equal(mine.get_feature_names_out(), other.get_feature_names_out())


@pytest.mark.parametrize("encode", ["onehot", "onehot-dense", "ordinal"])
@pytest.mark.parametrize("strategy", ["uniform", "quantile"])
@pytest.mark.parametrize("name", SETS)
def test_sets(name, strategy, encode):
    X = data(name)[0]
    X = X.astype(float) if X.dtype == bool else X
    compare(X, strategy=strategy, encode=encode)


@pytest.mark.parametrize("dtype", [None, np.float32, np.float64])
@pytest.mark.parametrize("strategy", ["uniform", "quantile"])
def test_numbers_of_bins(strategy, dtype):
    X = data("many rows")[0]
    for n_bins in (2, 33, 90, [2, 3, 90, 3, 2, 7, 40]):
        compare(X, strategy=strategy, n_bins=n_bins, dtype=dtype, encode="ordinal")
    compare(X[:300].astype(np.float32), strategy=strategy, n_bins=[2, 3, 90, 3, 2, 7, 40], dtype=dtype)


@pytest.mark.parametrize("method", METHODS)
def test_methods_of_quantiles(method):
    compare(data("diabetes")[0], strategy="quantile", quantile_method=method)
    compare(data("many rows")[0], strategy="quantile", quantile_method=method, n_bins=9, encode="ordinal")


@pytest.mark.parametrize("strategy", ["uniform", "quantile"])
def test_weights_and_parts(strategy):
    X = data("many rows")[0]
    w = weights(len(X))
    compare(X, w, strategy=strategy, encode="ordinal")
    compare(X, w, strategy=strategy, encode="ordinal", subsample=None, quantile_method="inverted_cdf")
    for given in (None, w):
        compare(X, given, strategy=strategy, encode="ordinal", subsample=500, random_state=3)


def test_kinds():
    X = data("many rows")[0]
    options = {"quantile_method": "averaged_inverted_cdf", "encode": "ordinal"}
    wanted = theirs.KBinsDiscretizer(**options).fit_transform(X)
    for given in (bc.asarray(X), bpd.DataFrame(X, columns=list("abcdefg"))):
        made = ours.KBinsDiscretizer(**options).fit(given)
        got = made.transform(given)
        assert type(got) is bc.ndarray
        np.testing.assert_array_equal(np.asarray(got), wanted)
        assert type(made.inverse_transform(got)) is bc.ndarray
    made = ours.KBinsDiscretizer(quantile_method="averaged_inverted_cdf", encode="onehot-dense").fit(X)
    assert type(made.transform(bc.asarray(X))) is bc.ndarray
    assert type(made.to_sklearn()._encoder) is theirs.OneHotEncoder


def test_what_is_left_to_scikit_learn():
    X = data("many rows")[0][:300]
    with pytest.raises(NotImplementedError, match="strategy='kmeans'"):
        ours.KBinsDiscretizer(strategy="kmeans").fit(X)
    with bc.config.set(fallback="silent"):
        got, wanted = (m.KBinsDiscretizer(strategy="kmeans", encode="ordinal").fit_transform(X) for m in (ours, theirs))
        np.testing.assert_array_equal(got, wanted)


def test_errors_are_the_same():
    X = data("many rows")[0][:300]
    w = weights(len(X))
    for options in ({"n_bins": 1}, {"n_bins": [2, 3]}, {"n_bins": [1] * 7}, {"strategy": "none"}, {"dtype": np.int32}):
        assert_same_error(lambda m, o=options: m.KBinsDiscretizer(**o).fit(X), ours, theirs)
    made = {"quantile_method": "averaged_inverted_cdf"}
    assert_same_error(lambda m: m.KBinsDiscretizer(quantile_method="linear").fit(X, sample_weight=w), ours, theirs)
    assert_same_error(lambda m: m.KBinsDiscretizer(**made).fit(X, sample_weight=w[1:]), ours, theirs)
    for bad in (np.where(X > 3, np.nan, X), X[:, 1:]):
        assert_same_error(lambda m, bad=bad: m.KBinsDiscretizer(**made).fit(X).transform(bad), ours, theirs)
    assert_same_error(lambda m: m.KBinsDiscretizer(**made).transform(X), ours, theirs)
