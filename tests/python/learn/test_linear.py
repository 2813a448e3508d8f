"""Linear models against scikit-learn's: coefficients, predictions, attributes, on bundled and degenerate data."""

import bascule as bc
import numpy as np
import pytest
from bascule.learn import linear_model as ours
from learn_data import SETS, assert_close, assert_same_error, data, weights
from scipy import sparse
from sklearn import linear_model as theirs
from sklearn.utils._param_validation import InvalidParameterError

pytestmark = pytest.mark.usefixtures("native")


def tolerance(name, X):
    if getattr(X, "dtype", None) == np.float32:
        return 3e-5
    if name == "condition of 1e12":  # scikit-learn's is no better
        return 1e-4
    return 1e-6 if name in ("breast cancer", "far from zero") else 1e-10


def compare(name, made, X, y, w=None, attributes=("coef_", "intercept_")):
    mine, other = made(ours).fit(X, y, w), made(theirs).fit(X, y, w)
    close = tolerance(name, X)
    assert_close(mine.predict(X), other.predict(X), close)
    for attribute in attributes:
        got, wanted = getattr(mine, attribute), getattr(other, attribute)
        assert np.shape(got) == np.shape(wanted), attribute
        assert np.asarray(got).dtype == np.asarray(wanted).dtype, attribute
        if name != "breast cancer":
            level = np.abs(np.asarray(X, float)).max() if attribute == "intercept_" else 1
            assert_close(np.asarray(got), np.asarray(wanted), close * level, np.abs(other.coef_).max() + 1e-300)
    return mine, other


@pytest.mark.parametrize("weighted", [False, True], ids=["", "weighted"])
@pytest.mark.parametrize("intercept", [True, False], ids=["intercept", "none"])
@pytest.mark.parametrize("name", SETS)
def test_linear_regression(name, intercept, weighted):
    X, y = data(name)
    w = weights(len(X)) if weighted else None
    mine, other = compare(name, lambda m: m.LinearRegression(fit_intercept=intercept), X, y, w)
    assert mine.rank_ == other.rank_
    assert_close(mine.singular_, other.singular_, 1e-5 if X.dtype == np.float32 else 1e-10)


@pytest.mark.parametrize("weighted", [False, True], ids=["", "weighted"])
@pytest.mark.parametrize("solver", ["auto", "svd"])
@pytest.mark.parametrize("intercept", [True, False], ids=["intercept", "none"])
@pytest.mark.parametrize("name", SETS)
def test_ridge(name, intercept, solver, weighted):
    X, y = data(name)
    w = weights(len(X)) if weighted else None
    if name == "far from zero" and not intercept:
        name = "condition of 1e12"
    mine, other = compare(name, lambda m: m.Ridge(0.7, fit_intercept=intercept, solver=solver), X, y, w)
    assert (mine.solver_, mine.n_iter_) == (other.solver_, other.n_iter_)


@pytest.mark.parametrize("weighted", [False, True], ids=["", "weighted"])
@pytest.mark.parametrize("intercept", [True, False], ids=["intercept", "none"])
@pytest.mark.parametrize("name", SETS)
def test_ridge_by_eigenvalues(name, intercept, weighted):
    """By the name that cuML has for it; scikit-learn has none."""
    X, y = data(name)
    w = weights(len(X)) if weighted else None
    if name == "far from zero" and not intercept:
        name = "condition of 1e12"
    made = lambda m: m.Ridge(0.7, fit_intercept=intercept, solver="eig" if m is ours else "svd")
    mine, _ = compare(name, made, X, y, w)
    assert mine.solver_ in ("eig", "svd") and mine.n_iter_ is None


def test_ridge_by_eigenvalues_of_rows_that_are_well_conditioned():
    X, y = data("many targets")
    alpha = np.arange(1, y.shape[1] + 1) * 0.3
    mine, _ = compare("", lambda m: m.Ridge(alpha, solver="eig" if m is ours else "svd"), X, y)
    assert mine.solver_ == "eig"
    assert ours.Ridge(0.0, solver="eig").fit(*data("collinear")).solver_ == "svd"
    other = mine.to_sklearn()
    assert other.solver == "svd" and type(other) is theirs.Ridge
    assert_close(other.fit(X, y).coef_, mine.coef_, 1e-10)


def test_eigenvalues_are_not_taken_where_scikit_learn_computes():
    """The error names the solver and the reason."""
    X, y = data("diabetes")
    w = np.arange(len(X)) - 5.0
    for options, rows, weights_, reason in [
        ({"positive": True}, X, None, "positive=True"),
        ({}, sparse.csr_array(X), None, "X is sparse"),
        ({}, X, w, "weights below 0"),
        ({}, X * 1e200, None, "out of the range"),
    ]:
        with pytest.raises(ValueError, match=rf"\[Ridge.fit\] solver='eig' .*{reason}"):
            ours.Ridge(solver="eig", **options).fit(rows, y, weights_)
    with pytest.raises(InvalidParameterError, match="'solver' parameter of RidgeClassifier"):
        ours.RidgeClassifier(solver="eig").fit(X, y > 140)


@pytest.mark.parametrize("name", ["linnerud", "many targets"])
def test_ridge_with_a_penalty_for_each_target(name):
    X, y = data(name)
    alpha = np.arange(1, y.shape[1] + 1) * 0.3
    compare(name, lambda m: m.Ridge(alpha), X, y)
    assert_same_error(lambda m: m.Ridge([1.0, 2.0]).fit(X, y), ours, theirs)


def test_one_target_as_a_column():
    X, y = data("diabetes")
    for made in (lambda m: m.Ridge(), lambda m: m.LinearRegression(), lambda m: m.RidgeCV()):
        compare("", made, X, y[:, None])


def test_ridge_without_penalty_of_dependent_columns_goes_by_singular_values():
    X, y = data("collinear")
    mine = ours.Ridge(0.0).fit(X, y)
    assert mine.solver_ == "svd"
    assert_close(mine.predict(X), theirs.LinearRegression().fit(X, y).predict(X), 1e-9)


@pytest.mark.parametrize("weighted", [False, True], ids=["", "weighted"])
@pytest.mark.parametrize("name", sorted(SETS.keys() - {"one row", "wide", "as many columns"}))
def test_ridge_cv(name, weighted):
    X, y = data(name)
    w = weights(len(X)) if weighted else None
    mine, other = compare(name, lambda m: m.RidgeCV(np.logspace(-2, 3, 12)), X, y, w, ("coef_",))
    assert mine.alpha_ == other.alpha_
    assert_close(mine.best_score_, other.best_score_, 1e-5 if X.dtype == np.float32 else 1e-7)


def test_ridge_cv_of_lists_says_what_scikit_learn_computes():
    X, y = data("diabetes")
    bc.fallbacks(reset=True)
    compare("", lambda m: m.RidgeCV(), X.tolist(), y, attributes=("coef_",))
    assert bc.fallbacks() == []
    with bc.config.set(fallback="silent"):
        compare("", lambda m: m.RidgeCV(), X[:5].tolist(), y[:5], attributes=("coef_",))
    assert [f["reason"] for f in bc.fallbacks(reset=True)] == ["X has as many columns as rows"]


@pytest.mark.parametrize(
    "options", [{"fit_intercept": False}, {"alpha_per_target": True}, {"alphas": 2.0}, {"alphas": [0.3]}]
)
def test_ridge_cv_with_options(options):
    X, y = data("many targets")
    mine, other = ours.RidgeCV(**options).fit(X, y), theirs.RidgeCV(**options).fit(X, y)
    np.testing.assert_array_equal(mine.alpha_, other.alpha_)
    np.testing.assert_allclose(mine.best_score_, other.best_score_, rtol=1e-10)
    assert type(mine.alpha_) is type(other.alpha_)
    np.testing.assert_allclose(mine.coef_, other.coef_, rtol=1e-9)


@pytest.mark.parametrize("weighted", [None, "weights", "balanced"])
@pytest.mark.parametrize("name", ["iris", "breast_cancer", "digits", "wine"])
def test_ridge_classifier(name, weighted):
    from sklearn import datasets

    X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
    w = weights(len(X)) if weighted == "weights" else None
    made = lambda m: m.RidgeClassifier(class_weight="balanced" if weighted == "balanced" else None).fit(X, y, w)
    mine, other = made(ours), made(theirs)
    np.testing.assert_array_equal(mine.predict(X), other.predict(X))
    np.testing.assert_allclose(mine.decision_function(X), other.decision_function(X), rtol=1e-6, atol=1e-8)
    assert mine.coef_.shape == other.coef_.shape and mine.intercept_.shape == other.intercept_.shape
    assert mine.score(X, y) == other.score(X, y)
    labels = np.array(["a", "b", "c", "d"])[y % 4]
    np.testing.assert_array_equal(ours.RidgeClassifier().fit(X, labels).predict(X), theirs.RidgeClassifier().fit(X, labels).predict(X))  # fmt: skip


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("of", ["X", "y"])
def test_errors_are_the_same(bad, of):
    X, y = (x.copy() for x in data("diabetes"))
    (X if of == "X" else y).flat[7] = bad
    for name in ("LinearRegression", "Ridge", "RidgeCV"):
        assert_same_error(lambda m, name=name: getattr(m, name)().fit(X, y), ours, theirs)


def test_calls_that_are_not_native_run_in_scikit_learn_and_are_counted():
    X, y = data("diabetes")
    with pytest.raises(NotImplementedError, match=r"\[learn.Ridge.fit\] runs in scikit-learn \(positive=True\)"):
        ours.Ridge(positive=True).fit(X, y)
    with bc.config.set(fallback="silent"):
        bc.fallbacks(reset=True)
        got = ours.Ridge(positive=True).fit(X, y)
        assert bc.fallbacks() == [{"name": "learn.Ridge.fit", "reason": "positive=True", "calls": 1}]
    np.testing.assert_array_equal(got.coef_, theirs.Ridge(positive=True).fit(X, y).coef_)
