"""Linear discriminant analysis against scikit-learn's."""

import warnings

import bascule as bc
import numpy as np
import pytest
from bascule.learn import discriminant_analysis as ours
from learn_data import SETS, assert_close, assert_same_fit, data, labelled, shown
from sklearn import covariance
from sklearn import discriminant_analysis as theirs

SINGULAR = {"constant", "duplicate", "collinear", "as many columns", "wide"}


@pytest.fixture(autouse=True)
def native():
    with bc.config.set(fallback="error"):
        yield


def labels_of(X):
    """Three classes along the first two columns, with rows on the wrong side."""
    rng = np.random.default_rng(1)
    along = np.asarray(X, float) @ rng.normal(size=X.shape[1])
    order = np.argsort(np.argsort(along + rng.normal(size=len(X)) * along.std()))
    return order * 3 // len(X)


def fitted(made, X, y):
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        return made.fit(X, y), {str(w.message) for w in said}


def compare(X, y, options, close=None):
    (mine, said), (other, wanted) = (fitted(m.LinearDiscriminantAnalysis(**options), X, y) for m in (ours, theirs))
    assert said == wanted
    close = close or (1e-3 if X.dtype == np.float32 else 1e-9)
    level = np.abs(np.asarray(X, float)).max()
    assert_same_fit(
        mine,
        other,
        close,
        {"means_": level, "xbar_": level, "intercept_": np.abs(other.coef_).max() * level + 1},
        ("scalings_",),
    )
    got, wanted = mine.decision_function(X), other.decision_function(X)
    assert_close(got, wanted, close * 10)
    np.testing.assert_allclose(mine.predict_proba(X), other.predict_proba(X), atol=max(1e-7, close))
    if np.ndim(wanted) == 1:
        wanted = np.stack([wanted * 0, wanted], axis=1)
    clear = np.diff(np.sort(wanted, axis=1)[:, -2:]).ravel() > close * 100 * np.abs(wanted).max()
    np.testing.assert_array_equal(mine.predict(X)[clear], other.predict(X)[clear])
    if options.get("solver") != "lsqr":
        got, wanted = mine.transform(X), other.transform(X)
        assert got.shape == wanted.shape and got.dtype == wanted.dtype
        for k in range(min(2, got.shape[1]) if options.get("solver") == "eigen" else got.shape[1]):
            sign = np.sign(got[:, k] @ wanted[:, k])
            np.testing.assert_allclose(got[:, k] * sign, wanted[:, k], rtol=0, atol=close * 100 * np.abs(wanted).max())
    return mine, other


@pytest.mark.parametrize("store", [False, True], ids=["", "covariance"])
@pytest.mark.parametrize(
    "name", sorted(SETS.keys() - {"one row", "as many columns", "wide", "one column", "breast cancer"})
)
def test_svd(name, store):
    X = data(name)[0]
    compare(X, labels_of(X), {"store_covariance": store}, 1e-7 if name == "far from zero" else None)


@pytest.mark.parametrize("name", ["wide", "one column", "as many columns", "breast cancer"])
def test_other_shapes(name):
    X = data(name)[0]
    compare(X, labels_of(X), {}, 1e-6)


@pytest.mark.parametrize("shrinkage", [None, 0.3])
@pytest.mark.parametrize("solver", ["lsqr", "eigen"])
@pytest.mark.parametrize("name", ["diabetes", "iris", "many rows", "float32", "int8"])
def test_other_solvers(name, solver, shrinkage):
    X = data(name)[0]
    compare(X, labels_of(X), {"solver": solver, "shrinkage": shrinkage}, 1e-3 if name == "float32" else 1e-8)


@pytest.mark.parametrize(
    "options",
    [{"priors": [0.2, 0.3, 0.5]}, {"priors": [0.2, 0.3, 0.6]}, {"n_components": 1}, {"tol": 0.5}, {"tol": 1e-9}],
    ids=shown,
)
@pytest.mark.parametrize("solver", ["svd", "lsqr", "eigen"])
def test_options(solver, options):
    X = data("diabetes")[0]
    compare(
        X, labels_of(X), options | {"solver": solver} | ({"store_covariance": True} if solver == "svd" else {}), 1e-8
    )


def test_two_classes_and_many():
    X = data("many rows")[0]
    y = labels_of(X)
    compare(X, y > 0, {})
    compare(X, np.array(["c", "a", "b"])[y], {})
    many = (np.argsort(np.argsort(X[:, 0] + X[:, 1])) * 40) // len(X)
    compare(X, many, {})


@pytest.mark.parametrize(
    "options",
    [{"n_components": 3}, {"shrinkage": 0.5}, {"priors": [-1, 1, 1]}, {"covariance_estimator": covariance.OAS()}],
)
def test_errors(options):
    X, y = labelled("iris")
    said = []
    for m in (ours, theirs):
        with pytest.raises((ValueError, NotImplementedError)) as error:
            m.LinearDiscriminantAnalysis(**options).fit(X, y)
        said.append((error.type, str(error.value)))
    assert said[0] == said[1]
    with pytest.raises(NotImplementedError, match="lsqr"):
        ours.LinearDiscriminantAnalysis(solver="lsqr").fit(X, y).transform(X)


@pytest.mark.parametrize("solver", ["lsqr", "eigen"])
@pytest.mark.parametrize("options", [{"shrinkage": "auto"}, {"covariance_estimator": covariance.OAS()}], ids=shown)
def test_covariances_that_are_scikit_learns(solver, options):
    X, y = data("iris")[0], labels_of(data("iris")[0])
    with pytest.raises(NotImplementedError, match="learn.LinearDiscriminantAnalysis.fit"):
        ours.LinearDiscriminantAnalysis(solver=solver, **options).fit(X, y)
    with bc.config.set(fallback="silent"):
        compare(X, y, options | {"solver": solver})


def test_arrays_of_bascule_and_threads():
    X = data("many rows")[0]
    y = labels_of(X)
    one = ours.LinearDiscriminantAnalysis().fit(X, y)
    before = bc.get_num_threads()
    try:
        bc.set_num_threads(1)
        two = ours.LinearDiscriminantAnalysis().fit(bc.asarray(X), bc.asarray(y))
    finally:
        bc.set_num_threads(before)
    for name in ("coef_", "intercept_", "means_", "scalings_"):
        assert type(getattr(two, name)) is bc.ndarray
        np.testing.assert_array_equal(np.asarray(getattr(two, name)), getattr(one, name))
    for method in ("predict", "predict_proba", "decision_function", "transform"):
        found = getattr(two, method)(bc.asarray(X))
        assert type(found) is bc.ndarray
        assert_close(found, getattr(one, method)(X), 1e-12)
    assert two.score(bc.asarray(X), bc.asarray(y)) == one.score(X, y)
