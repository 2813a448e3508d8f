"""Lasso and elastic net against scikit-learn's: the same iterations, and so the same coefficients."""

import warnings

import bascule as bc
import numpy as np
import pytest
from bascule.learn import linear_model as ours
from bascule.learn import model_selection
from learn_data import SETS, assert_close, data, shown, weights
from sklearn import linear_model as theirs
from sklearn import model_selection as their_selection
from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import threadpool_limits

TALL = sorted(SETS.keys() - {"wide", "one row"})
ALIKE = {"duplicate", "collinear", "as many columns"}  # what rounding makes of the columns decides among coefficients


@pytest.fixture(autouse=True)
def native():
    with bc.config.set(fallback="error"), threadpool_limits(1):
        yield


def fitted(model, X, y, w=None):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(X, y, w)


def objective(model, X, y, w):
    w = np.ones(len(X)) if w is None else w
    errors = np.average((np.asarray(y, float) - model.predict(np.asarray(X, float))) ** 2, axis=0, weights=w)
    ratio = getattr(model, "l1_ratio", 1.0)
    c = np.asarray(model.coef_, float)
    return errors.sum() / 2 + model.alpha * (ratio * abs(c).sum() + (1 - ratio) / 2 * (c * c).sum())


def tolerance(name, X):
    return (
        1e-4
        if getattr(X, "dtype", None) == np.float32
        else 1e-6
        if name in ("far from zero", "breast cancer")
        else 1e-9
    )


@pytest.mark.parametrize("weighted", [False, True], ids=["", "weighted"])
@pytest.mark.parametrize("intercept", [True, False], ids=["intercept", "none"])
@pytest.mark.parametrize("made", ["Lasso", "ElasticNet"])
@pytest.mark.parametrize("name", TALL)
def test_fit(name, made, intercept, weighted):
    X, y = data(name)
    w = weights(len(X)) if weighted else None
    options = {"alpha": 0.3, "fit_intercept": intercept}
    mine, other = (fitted(getattr(m, made)(**options), X, y, w) for m in (ours, theirs))
    for attribute in ("coef_", "intercept_", "dual_gap_", "n_iter_"):
        got, wanted = getattr(mine, attribute), getattr(other, attribute)
        assert type(got) is type(wanted), attribute
        assert np.shape(got) == np.shape(wanted) and np.asarray(got).dtype == np.asarray(wanted).dtype, attribute
    close = tolerance(name, X)
    assert objective(mine, X, y, w) <= objective(other, X, y, w) * (1 + max(close, 1e-9)) + 1e-12
    ill = name in ALIKE or (name == "far from zero" and not intercept)
    if not ill:
        assert_close(mine.coef_, other.coef_, close)
        assert_close(mine.predict(X), other.predict(X), close)
        assert np.abs(np.subtract(mine.n_iter_, other.n_iter_)).max() <= (close > 1e-9)


@pytest.mark.parametrize(
    "options",
    [
        {"positive": True},
        {"selection": "random", "random_state": 3},
        {"precompute": True},
        {"tol": 1e-10, "max_iter": 10_000},
        {"warm_start": True},
        {"alpha": 1e-3},
        {"alpha": 1e9},
    ],
    ids=shown,
)
def test_options(options):
    X, y = data("diabetes")
    mine, other = (fitted(m.Lasso(**{"alpha": 0.1, **options}), X, y) for m in (ours, theirs))
    for _ in range(2):
        assert_close(mine.coef_, other.coef_, 1e-9)
        assert mine.n_iter_ == other.n_iter_
        np.testing.assert_allclose(mine.dual_gap_, other.dual_gap_, rtol=1e-6, atol=1e-9)
        mine, other = fitted(mine.set_params(alpha=0.05), X, y), fitted(other.set_params(alpha=0.05), X, y)


def test_too_few_iterations_warn():
    X, y = data("diabetes")
    for m in (ours, theirs):
        with pytest.warns(ConvergenceWarning, match="Objective did not converge"):
            assert m.Lasso(0.001, max_iter=2, tol=1e-12).fit(X, y).n_iter_ == 2


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"alpha": 0.0}, "alpha is 0"),
        ({"precompute": (lambda A: A.T @ A)(data("diabetes")[0])}, "precompute is a matrix"),
        ({"wide": True}, "X has more columns than rows"),
    ],
    ids=["alpha", "matrix", "wide"],
)
def test_what_scikit_learn_computes_is_counted(given, reason):
    given = dict(given)
    X, y = data("wide") if given.pop("wide", False) else data("diabetes")
    with bc.config.set(fallback="silent"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for kind in (np.asarray, np.ndarray.tolist):
            bc.fallbacks(reset=True)
            mine = ours.Lasso(**given).fit(kind(X), y)
            assert [f["reason"] for f in bc.fallbacks(reset=True)] == [reason]
            np.testing.assert_array_equal(mine.coef_, theirs.Lasso(**given).fit(X, y).coef_)
        ours.Lasso().fit(np.asfortranarray(X), y, check_input=False)
        assert [f["reason"] for f in bc.fallbacks(reset=True)] == ["check_input=False"]


CV = {
    "Lasso": {},
    "Elastic": {"l1_ratio": 0.4},
    "ratios": {"l1_ratio": [0.2, 0.9], "alphas": 20},
    "penalties": {"alphas": [0.01, 3.0, 0.2]},
    "no intercept": {"fit_intercept": False},
    "positive": {"positive": True},
    "random": {"selection": "random", "random_state": 0, "alphas": 10},
    "shuffled": {"cv": their_selection.KFold(4, shuffle=True, random_state=1)},
    "overlapping": {"cv": their_selection.ShuffleSplit(3, random_state=0), "alphas": 30},
}


def compare_cv(made, options, X, y, w=None, close=1e-8):
    mine, other = (fitted(getattr(m, made)(**options), X, y, w) for m in (ours, theirs))
    attributes = {k for k in vars(other) if k.endswith("_")}
    assert {k for k in vars(mine) if k.endswith("_")} == attributes
    spread = np.var(np.asarray(y, float))
    assert mine.mse_path_.shape == other.mse_path_.shape
    np.testing.assert_allclose(mine.mse_path_, other.mse_path_, rtol=close, atol=close * spread)
    np.testing.assert_allclose(mine.alphas_, other.alphas_, rtol=1e-5 if close > 1e-6 else 1e-9)
    np.testing.assert_allclose(mine.alpha_, other.alpha_, rtol=1e-5 if close > 1e-6 else 1e-9)
    if hasattr(other, "l1_ratio_"):
        assert mine.l1_ratio_ == other.l1_ratio_
    assert_close(mine.coef_, other.coef_, max(close, 1e-7))
    assert mine.intercept_.dtype == other.intercept_.dtype if hasattr(other.intercept_, "dtype") else True
    assert type(mine.dual_gap_) is type(other.dual_gap_)


@pytest.mark.parametrize("weighted", [False, True], ids=["", "weighted"])
@pytest.mark.parametrize("name", CV)
def test_cross_validation(name, weighted):
    X, y = data("diabetes")
    options = CV[name]
    compare_cv(
        "ElasticNetCV" if "l1_ratio" in options else "LassoCV", options, X, y, weights(len(X)) if weighted else None
    )


@pytest.mark.parametrize("name", ["many rows", "constant", "F order", "read only", "float32", "int8", "one column"])
def test_cross_validation_of_other_data(name):
    X, y = data(name)
    compare_cv("LassoCV", {"alphas": 25}, X, y, close=1e-4 if name == "float32" else 1e-8)


def test_errors_of_a_target_that_is_nearly_linear():
    X, _ = data("diabetes")
    y = X @ np.arange(10.0) + 1e-7 * np.sin(np.arange(442))
    mine, other = (fitted(m.LassoCV(eps=1e-9, alphas=40, tol=1e-12, max_iter=20_000), X, y) for m in (ours, theirs))
    np.testing.assert_allclose(mine.mse_path_, other.mse_path_, rtol=1e-4)


def test_cross_validation_refuses_what_scikit_learn_refuses():
    X, y = data("linnerud")
    with pytest.raises(ValueError, match="use MultiTask"):
        ours.LassoCV().fit(X, y)
    with pytest.raises(ValueError, match="alphas"):
        ours.LassoCV(alphas=[-1.0, 2.0]).fit(*data("diabetes"))
    with bc.config.set(fallback="silent"):
        bc.fallbacks(reset=True)
        ours.LassoCV(alphas=3, cv=2).fit(*data("wide"))
        assert [f["reason"] for f in bc.fallbacks(reset=True)] == ["X has more columns than rows"]


@pytest.mark.parametrize("weighted", [False, True], ids=["", "weighted"])
def test_a_search_shares_states_of_folds(weighted, monkeypatch):
    from bascule.learn.model_selection._evaluation import Evaluation

    alone = []
    one = Evaluation._one
    monkeypatch.setattr(Evaluation, "_one", lambda self, c, *args: alone.append(c) or one(self, c, *args))
    X, y = data("diabetes")
    fit = {"sample_weight": weights(len(X))} if weighted else {}
    grid = {"alpha": np.logspace(-3, 1, 6), "l1_ratio": [0.3, 1.0], "positive": [False, True]}
    mine, other = (
        s.GridSearchCV(m.ElasticNet(), grid, return_train_score=True).fit(X, y, **fit)
        for s, m in ((model_selection, ours), (their_selection, theirs))
    )
    for key in ("mean_test_score", "mean_train_score", "split3_test_score"):
        np.testing.assert_allclose(mine.cv_results_[key], other.cv_results_[key], rtol=1e-9, atol=1e-10)
    assert mine.best_params_ == other.best_params_ and not alone
