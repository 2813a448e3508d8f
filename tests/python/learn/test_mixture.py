"""Gaussian mixtures against scikit-learn's, from the same starts."""

import warnings

import bascule as bc
import numpy as np
import pytest
from bascule.learn import mixture as ours
from learn_data import SETS, assert_close, assert_same_fit, data, shown
from sklearn import mixture as theirs

TYPES = ["full", "tied", "diag", "spherical"]


@pytest.fixture(autouse=True)
def native():
    with bc.config.set(fallback="error"):
        yield


def grouped(n, d=4, k=3, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)) @ rng.normal(size=(d, d)) + rng.normal(size=(k, d))[rng.integers(0, k, n)] * 3


def fitted(m, X, options):
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            made = m.GaussianMixture(random_state=0, **options)
            return made, made.fit_predict(X), {(w.category, str(w.message)) for w in said}
        except ValueError as error:
            return None, str(error), set()


def compare(X, options, close=1e-8):
    (mine, got, said), (other, wanted, heard) = (fitted(m, X, options) for m in (ours, theirs))
    if other is None:
        assert mine is None and got == wanted
        return mine, other
    assert said == heard
    np.testing.assert_array_equal(got, wanted)
    assert mine.n_iter_ == other.n_iter_ and mine.converged_ == other.converged_
    assert type(mine.lower_bound_) is type(other.lower_bound_)
    if other.n_iter_:
        first = max(
            1e-9, 0.1 * close if "init_params" not in options else 1e-7
        )  # components of one row: 1e-6 of variance
        np.testing.assert_allclose(mine.lower_bounds_[:1], other.lower_bounds_[:1], rtol=first)
        np.testing.assert_allclose(mine.lower_bounds_[1:], other.lower_bounds_[1:], rtol=max(1e-9, 0.1 * close))
    X = X.astype(float)  # scikit-learn rounds densities of integers to integers
    level = np.abs(X).max()
    assert_same_fit(mine, other, close, {"means_": level}, ("lower_bounds_", "lower_bound_"))
    assert_close(mine.score_samples(X), other.score_samples(X), close)
    np.testing.assert_allclose(mine.predict_proba(X), other.predict_proba(X), atol=close)
    np.testing.assert_array_equal(mine.predict(X), other.predict(X))
    for criterion in ("score", "bic", "aic"):
        assert getattr(mine, criterion)(X) == pytest.approx(
            getattr(other, criterion)(X), rel=max(1e-9, 0.1 * close), abs=1e-9
        )
    return mine, other


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("options", [
    {"n_components": 3}, {"n_components": 3, "init_params": "random", "max_iter": 40}, {"n_components": 3, "init_params": "k-means++"},
    {"n_components": 2, "init_params": "random_from_data", "n_init": 3}, {"max_iter": 3, "n_components": 5, "tol": 0}, {},
    {"n_components": 3, "reg_covar": 0.5}, {"n_components": 2, "max_iter": 0},
], ids=shown)  # fmt: skip
def test_options(kind, options):
    compare(grouped(500), options | {"covariance_type": kind})


@pytest.mark.parametrize("kind", TYPES)
def test_many_rows(kind):
    X = grouped(40_000, 5)
    compare(X, {"n_components": 3, "covariance_type": kind, "tol": 1e-5})


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize(
    "name", sorted(SETS.keys() - {"one row", "float32", "breast cancer", "far from zero", "many rows"})
)
def test_sets(name, kind):
    X = data(name)[0]
    singular = {"constant", "duplicate", "collinear", "wide", "as many columns"}
    compare(
        X, {"n_components": 2, "covariance_type": kind, "max_iter": 10, "tol": 0}, 1e-5 if name in singular else 1e-8
    )


@pytest.mark.parametrize("kind", TYPES)
def test_far_from_zero(kind):
    X = np.round(grouped(400) * 2**10) / 2**10
    moved = X + 2.0**24
    options = {"n_components": 3, "covariance_type": kind, "random_state": 0}
    mine, exact = ours.GaussianMixture(**options).fit(moved), theirs.GaussianMixture(**options).fit(X)
    assert mine.lower_bound_ == pytest.approx(exact.lower_bound_, rel=1e-7)
    assert_close(mine.covariances_, exact.covariances_, 1e-6)


@pytest.mark.parametrize("kind", TYPES)
def test_float32(kind):
    X = grouped(400).astype(np.float32)
    mine, other = (
        m.GaussianMixture(3, covariance_type=kind, random_state=0, max_iter=5, tol=0.1).fit(X) for m in (ours, theirs)
    )
    assert_same_fit(mine, other, 1e-3, {}, ("lower_bounds_",))
    assert mine.score_samples(X).dtype == other.score_samples(X).dtype


@pytest.mark.parametrize("kind", TYPES)
def test_given_starts(kind):
    X = grouped(300)
    d = X.shape[1]
    precisions = {
        "full": np.stack([np.eye(d)] * 3) * 0.3,
        "tied": np.eye(d) * 0.3,
        "diag": np.full((3, d), 0.3),
        "spherical": np.full(3, 0.3),
    }
    some = {"n_components": 3, "covariance_type": kind, "means_init": X[:3]}
    compare(X, some)
    compare(X, some | {"precisions_init": precisions[kind]})
    compare(X, some | {"precisions_init": precisions[kind], "weights_init": [0.2, 0.3, 0.5]})
    compare(X, some | {"weights_init": [0.2, 0.3, 0.6]})


def test_warm_start():
    X = grouped(400)
    mine, other = (
        m.GaussianMixture(3, init_params="random", warm_start=True, max_iter=3, random_state=0) for m in (ours, theirs)
    )
    for _ in range(3):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            mine.fit(X), other.fit(X)
        assert_close(mine.means_, other.means_, 1e-10)
        assert (mine.n_iter_, mine.converged_) == (other.n_iter_, other.converged_)


def test_components_without_variance_are_an_error():
    X = np.stack([np.arange(20.0), np.zeros(20)], axis=1)
    for kind in TYPES[:3]:
        mine, other = compare(X, {"n_components": 2, "covariance_type": kind, "reg_covar": 0})
        assert mine is other is None
    compare(X, {"n_components": 50})


def test_arrays_of_bascule_and_threads():
    X = grouped(20_000)
    one = ours.GaussianMixture(3, random_state=0).fit(X)
    before = bc.get_num_threads()
    try:
        bc.set_num_threads(1)
        two = ours.GaussianMixture(3, random_state=0).fit(bc.asarray(X))
    finally:
        bc.set_num_threads(before)
    for name in ("weights_", "means_", "covariances_", "precisions_", "precisions_cholesky_"):
        assert type(getattr(two, name)) is bc.ndarray
        np.testing.assert_array_equal(np.asarray(getattr(two, name)), getattr(one, name))
    assert two.lower_bounds_ == one.lower_bounds_
    for method in ("predict", "predict_proba", "score_samples", "fit_predict"):
        found = getattr(two, method)(bc.asarray(X))
        assert type(found) is bc.ndarray
        np.testing.assert_array_equal(np.asarray(found), getattr(one, method)(X))
    assert two.score(bc.asarray(X)) == one.score(X)
    assert all(type(x) is bc.ndarray for x in two.sample(10))
    np.testing.assert_array_equal(np.asarray(two.sample(10)[0]), one.sample(10)[0])
