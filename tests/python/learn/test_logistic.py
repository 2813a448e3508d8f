"""Logistic regression against scikit-learn's: an objective that is not above, the same shapes, types, warnings and errors."""

import warnings

import bascule as bc
import numpy as np
import pytest
from bascule.learn import linear_model as ours
from bascule.learn import model_selection
from learn_data import logistic_objective as objective
from learn_data import predictable as made
from learn_data import shown, weights
from scipy.linalg import LinAlgWarning
from scipy.optimize import minimize, rosen, rosen_der
from sklearn import datasets
from sklearn import linear_model as theirs
from sklearn import model_selection as their_selection
from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import threadpool_limits


@pytest.fixture(autouse=True)
def native():
    with bc.config.set(fallback="error"), threadpool_limits(1):  # scikit-learn's threads wait for work in a loop
        yield


def loaded(name, scaled=False):
    X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
    return ((X - X.mean(axis=0)) / (X.std(axis=0) + (X.std(axis=0) == 0)) if scaled else X), y


def changed(change, classes=2):
    X, y = made(80, 5, classes)
    return change(X), y


def with_column(k, of):
    def change(X):
        X[:, k] = of(X)
        return X

    return change


SETS = {
    "iris": lambda: loaded("iris"),
    "breast cancer": lambda: loaded("breast_cancer", True),
    "breast cancer as it is": lambda: loaded("breast_cancer"),
    "wine": lambda: loaded("wine", True),
    "digits, as they are": lambda: loaded("digits"),
    "few rows": lambda: made(400, 20, 2),
    "four classes": lambda: made(500, 7, 4),
    "many rows": lambda: made(60_000, 6, 2),
    "many rows of three classes": lambda: made(30_000, 4, 3),
    "sorted": lambda: (X := np.sort(made(30_000, 3, 2)[0], axis=0), (X[:, 0] > 0).astype(int)),
    "separable": lambda: (np.arange(20.0)[:, None] - 9.5, np.repeat([0, 1], 10)),
    "constant": lambda: changed(with_column(2, lambda X: 3.7)),
    "duplicate": lambda: changed(with_column(3, lambda X: X[:, 1]), 3),
    "far from zero": lambda: changed(lambda X: X + 1e4),
    "wide": lambda: made(30, 60, 2),
    "wide, three classes": lambda: made(40, 200, 3),
    "one column": lambda: made(50, 1, 2),
    "two rows": lambda: (np.array([[0.0, 1.0], [1.0, 3.0]]), np.array([0, 1])),
    "F order": lambda: changed(np.asfortranarray),
    "every other": lambda: changed(lambda X: np.repeat(X, 2, axis=1)[:, ::2]),
    "read only": lambda: changed(lambda X: X.setflags(write=False) or X),
    "float32": lambda: changed(lambda X: X.astype(np.float32), 3),
    "int8": lambda: changed(lambda X: (X * 5).astype(np.int8)),
    "bool": lambda: changed(lambda X: X > 0),
}


def fitted(module, X, y, w=None, name="LogisticRegression", **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.simplefilter("ignore", LinAlgWarning)  # scikit-learn's Hessian of rows far from zero
        return getattr(module, name)(**options).fit(X, y, w)


def compare(X, y, w=None, objective_weights=None, close=1e-9, **options):
    mine, other = fitted(ours, X, y, w, **options), fitted(theirs, X, y, w, **options)
    for attribute in ("coef_", "intercept_", "n_iter_", "classes_"):
        got, wanted = getattr(mine, attribute), getattr(other, attribute)
        assert (type(got), got.shape, got.dtype) == (type(wanted), wanted.shape, wanted.dtype), attribute
    used = w if objective_weights is None else objective_weights
    C = options.get("C", 1.0)
    mine_is, other_is = (objective(m, X, y, used, C) for m in (mine, other))
    assert mine_is <= other_is * (1 + close)
    return mine, other


@pytest.mark.parametrize("intercept", [True, False], ids=["intercept", "none"])
@pytest.mark.parametrize("weighted", [False, True], ids=["", "weighted"])
@pytest.mark.parametrize("name", SETS)
def test_objective_is_not_above(name, weighted, intercept):
    X, y = SETS[name]()
    w = weights(len(X)) + (len(X) < 5) if weighted else None
    close = 1e-6 if getattr(X, "dtype", None) == np.float32 else 1e-9
    mine, other = compare(X, y, w, close=close, fit_intercept=intercept)
    if mine.coef_.size <= 500:
        exact = fitted(theirs, X, y, w, fit_intercept=intercept, tol=1e-12, solver="newton-cholesky")
        mine = fitted(ours, X, y, w, fit_intercept=intercept, solver="newton-cholesky")
        assert objective(mine, X, y, w) <= objective(exact, X, y, w) * (1 + close)


@pytest.mark.parametrize("name", ["few rows", "four classes", "iris", "many rows of three classes"])
def test_coefficients_are_those_of_a_tight_tolerance(name):
    X, y = SETS[name]()
    mine = fitted(ours, X, y, solver="newton-cholesky")
    exact = fitted(theirs, X, y, tol=1e-12, solver="newton-cholesky")
    scale = np.abs(exact.coef_).max()
    np.testing.assert_allclose(mine.coef_, exact.coef_, rtol=0, atol=1e-5 * scale)
    np.testing.assert_allclose(mine.intercept_, exact.intercept_, rtol=0, atol=1e-5 * max(1, np.abs(exact.intercept_).max()))  # fmt: skip
    np.testing.assert_allclose(mine.predict_proba(X), exact.predict_proba(X), rtol=0, atol=1e-5)
    np.testing.assert_allclose(mine.predict_log_proba(X), exact.predict_log_proba(X), rtol=0, atol=1e-4)
    np.testing.assert_allclose(mine.decision_function(X), exact.decision_function(X), rtol=0, atol=1e-4)


@pytest.mark.parametrize("C", [1e-6, 0.01, 100.0, 1e6, np.inf])
@pytest.mark.parametrize("classes", [2, 3])
def test_penalties(classes, C):
    X, y = made(300, 5, classes)
    compare(X, y, C=C)


@pytest.mark.parametrize("classes", [2, 3])
def test_separable_rows_without_penalty_end_at_a_loss_of_nought(classes):
    X, y = made(30, 40, classes)
    mine = fitted(ours, X, y, C=np.inf, solver="newton-cg")
    assert mine.n_iter_[0] < 40 and np.abs(mine.coef_).max() < 100


@pytest.mark.parametrize("name", ["iris", "breast cancer", "wine", "digits, as they are", "float32"])
def test_coefficients_of_few_values_are_where_scikit_learn_ends(name):
    X, y = SETS[name]()
    mine, other = (fitted(module, X, y) for module in (ours, theirs))
    for attribute in ("coef_", "intercept_", "n_iter_"):
        np.testing.assert_array_equal(getattr(mine, attribute), getattr(other, attribute))


@pytest.mark.parametrize("intercept", [True, False], ids=["intercept", "none"])
@pytest.mark.parametrize("options", [{}, {"C": 0.01}, {"C": np.inf}, {"class_weight": "balanced"}, {"max_iter": 7}, {"tol": 0.1}], ids=shown)  # fmt: skip
@pytest.mark.parametrize("name", ["few rows", "four classes", "wide, three classes", "float32", "F order", "int8", "far from zero"])  # fmt: skip
def test_every_step_of_few_values_is_scikit_learns(name, options, intercept):
    X, y = SETS[name]()
    for w in (None, weights(len(X)) + 0.5):
        found = []
        for module in (ours, theirs):
            with warnings.catch_warnings(record=True, action="always", category=ConvergenceWarning) as said:
                model = module.LogisticRegression(fit_intercept=intercept, **options).fit(X, y, w)
            found.append([model.coef_, model.intercept_, model.n_iter_, [str(s.message) for s in said]])
        for mine, other in zip(*found):
            np.testing.assert_array_equal(mine, other)


@pytest.mark.parametrize("classes", [2, 3])
def test_a_warm_start_of_few_values_takes_scikit_learns_steps(classes):
    X, y = made(200, 4, classes)
    models = [module.LogisticRegression(warm_start=True, max_iter=4) for module in (ours, theirs)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        for rows in (150, 200):
            for model in models:
                model.fit(X[:rows], y[:rows])
            np.testing.assert_array_equal(*(m.coef_ for m in models))


@pytest.mark.parametrize("max_iter", [0, 3, 500])
@pytest.mark.parametrize("in_c", [True, False])
def test_the_steps_of_l_bfgs_are_those_of_scipys_minimize(in_c, max_iter, monkeypatch):
    from bascule.learn.linear_model import _lbfgs

    monkeypatch.setattr(_lbfgs, "_IN_C", in_c and _lbfgs._IN_C)
    options = {"maxiter": max_iter, "maxls": 50, "gtol": 1e-9, "ftol": 64 * np.finfo(float).eps}
    start = np.array([-1.2, 1.0, 0.3, 2.0])
    expected = minimize(rosen, start, jac=rosen_der, method="L-BFGS-B", options=options)
    found = _lbfgs.minimized(lambda x: (rosen(x), rosen_der(x)), start, 1e-9, max_iter)
    np.testing.assert_array_equal(found.x, expected.x)
    assert (found.nit, found.status, found.message, found.nfev) == (expected.nit, expected.status, expected.message, expected.nfev)  # fmt: skip


@pytest.mark.parametrize("solver", ["lbfgs", "newton-cg", "newton-cholesky"])
def test_solvers(solver):
    compare(*made(300, 5, 3), solver=solver)


@pytest.mark.parametrize("classes", [2, 3])
def test_class_weights(classes):
    X, y = made(200, 4, classes)
    for chosen in ("balanced", {0: 3.0, 1: 0.5}):
        for w in (None, weights(len(X))):
            from sklearn.utils.class_weight import compute_sample_weight

            of = np.ones(len(X)) if w is None else w
            by_class = compute_sample_weight(chosen, y) if w is None or chosen != "balanced" else None
            if by_class is None:
                totals = np.bincount(y, w)
                by_class = (w.sum() / (classes * totals))[y]
            compare(X, y, w, of * by_class, class_weight=chosen)


def test_labels_of_other_types():
    X, y = made(100, 3, 3)
    for labels in (
        np.array(["a", "c", "b"])[y],
        np.array(["x", "yy", "z"], object)[y],
        y * 2.0 - 1,
        y.astype(np.int8),
        y > 1,
    ):
        mine, other = compare(X, labels)
        np.testing.assert_array_equal(mine.predict(X), other.predict(X))
        assert mine.predict(X).dtype == other.predict(X).dtype
        assert mine.score(X, labels) == other.score(X, labels)


@pytest.mark.parametrize("classes", [2, 4])
def test_a_warm_start_begins_at_the_last_coefficients(classes):
    X, y = made(300, 5, classes)
    for intercept in (True, False):
        model = ours.LogisticRegression(warm_start=True, fit_intercept=intercept).fit(X, y)
        first = model.n_iter_[0]
        model.fit(X, y)
        assert first > 2 and model.n_iter_[0] <= 1


@pytest.mark.parametrize("solver", ["lbfgs", "newton-cholesky"])
@pytest.mark.parametrize("max_iter", [0, 1])
def test_too_few_iterations_warn(solver, max_iter):
    X, y = SETS["few rows"]()
    with pytest.warns(ConvergenceWarning) as mine:
        model = ours.LogisticRegression(max_iter=max_iter, solver=solver).fit(X, y)
    assert model.n_iter_[0] == max_iter
    with pytest.warns(ConvergenceWarning) as other:
        theirs.LogisticRegression(max_iter=max_iter, solver=solver).fit(X, y)
    assert str(mine[0].message).split("(status")[0] == str(other[0].message).split("(status")[0]


def test_large_problems_go_by_l_bfgs(monkeypatch):
    from bascule.learn.linear_model import _newton

    X, y = made(2_000, 40, 14)
    by_newton = _newton._newton
    monkeypatch.setattr(_newton, "_newton", lambda *args, **kwargs: pytest.fail("it has a Hessian"))
    mine, _ = compare(X, y, solver="newton-cg")
    monkeypatch.setattr(_newton, "_newton", by_newton)
    monkeypatch.setattr(_newton, "LARGEST_HESSIAN", 10_000)
    exact = fitted(ours, X, y, solver="newton-cg")
    assert objective(mine, X, y) <= objective(exact, X, y) * (1 + 1e-7)


@pytest.mark.parametrize("bad", ["one class", "nan", "continuous", "negative weights"])
def test_errors_are_the_same(bad):
    X, y = made(50, 3, 2)
    w = None
    if bad == "one class":
        y = np.zeros(50, int)
    elif bad == "nan":
        X[3, 1] = np.nan
    elif bad == "continuous":
        y = X[:, 0]
    else:
        w = -np.ones(50)
        y = np.zeros(50, int)
    with pytest.raises(ValueError) as mine:
        ours.LogisticRegression().fit(X, y, w)
    with pytest.raises(ValueError) as other:
        theirs.LogisticRegression().fit(X, y, w)
    assert str(mine.value) == str(other.value)


@pytest.mark.parametrize(
    "options",
    [
        {"solver": "saga"},
        {"solver": "liblinear"},
        {"l1_ratio": 0.5, "solver": "saga"},
        {"penalty": "l2"},
        {"n_jobs": 2},
    ],
    ids=shown,
)
def test_what_scikit_learn_computes_is_counted(options):
    X, y = made(60, 3, 2)
    with warnings.catch_warnings(), bc.config.set(fallback="silent"):
        warnings.simplefilter("ignore")
        bc.fallbacks(reset=True)
        mine = ours.LogisticRegression(**options, random_state=0).fit(X, y)
        assert [f["name"] for f in bc.fallbacks(reset=True)] == ["learn.LogisticRegression.fit"]
        other = theirs.LogisticRegression(**options, random_state=0).fit(X, y)
    np.testing.assert_array_equal(mine.coef_, other.coef_)


@pytest.mark.parametrize("classes", [2, 3])
def test_the_number_of_threads_changes_no_bit(classes):
    X, y = made(50_000, 4, classes)
    found = []
    before = bc.get_num_threads()
    try:
        for threads in (1, 2):
            bc.set_num_threads(threads)
            found.append(ours.LogisticRegression().fit(X, y).coef_)
    finally:
        bc.set_num_threads(before)
    np.testing.assert_array_equal(*found)


def test_arrays_of_bascule_stay():
    X, y = made(200, 4, 3)
    mine = ours.LogisticRegression().fit(bc.asarray(X), bc.asarray(y))
    other = ours.LogisticRegression().fit(X, y)
    for name in ("predict", "predict_proba", "predict_log_proba", "decision_function"):
        got = getattr(mine, name)(bc.asarray(X))
        assert type(got) is bc.ndarray, name
        np.testing.assert_array_equal(np.asarray(got), getattr(other, name)(X))


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("weighted", [False, True], ids=["", "weighted"])
def test_a_search_over_C_shares_rows_and_starts(classes, weighted, monkeypatch):
    from bascule.learn.model_selection._evaluation import Evaluation

    alone = []
    one = Evaluation._one
    monkeypatch.setattr(Evaluation, "_one", lambda self, c, *args: alone.append(c) or one(self, c, *args))
    X, y = made(300, 5, classes)
    fit = {"sample_weight": weights(len(X))} if weighted else {}
    grid = {"C": np.logspace(-3, 3, 7), "fit_intercept": [True, False], "class_weight": [None, {0: 2.0}]}
    searches = [
        m.GridSearchCV(e, grid, return_train_score=True).fit(X, y, **fit)
        for m, e in (
            (model_selection, ours.LogisticRegression()),
            (their_selection, theirs.LogisticRegression(tol=1e-10, max_iter=1000)),
        )
    ]
    for key in ("mean_test_score", "mean_train_score", "split2_test_score"):
        np.testing.assert_allclose(*(s.cv_results_[key] for s in searches), atol=1e-12)
    assert searches[0].best_params_ == searches[1].best_params_
    assert not alone


def test_a_search_with_balanced_weights_fits_each_candidate():
    X, y = made(200, 4, 2)
    y[:40] = 0
    for mine, other, name in (
        (ours.LogisticRegression(), theirs.LogisticRegression(tol=1e-10), "C"),
        (ours.RidgeClassifier(), theirs.RidgeClassifier(), "alpha"),
    ):
        for chosen in (["balanced", None], [None, "balanced"]):
            grid = {name: [0.1, 1.0, 10.0], "class_weight": chosen}
            mine_is = model_selection.GridSearchCV(mine, grid).fit(X, y).cv_results_["mean_test_score"]
            other_is = their_selection.GridSearchCV(other, grid).fit(X, y).cv_results_["mean_test_score"]
            np.testing.assert_allclose(mine_is, other_is)


def test_scores_of_one_estimator_of_few_values_are_where_scikit_learn_ends():
    X, y = SETS["iris"]()
    one = {"max_iter": 1000}
    found = model_selection.cross_val_predict(ours.LogisticRegression(**one), X, y, method="predict_proba")
    wanted = their_selection.cross_val_predict(theirs.LogisticRegression(**one), X, y, method="predict_proba")
    np.testing.assert_array_equal(found, wanted)
    grid = {"C": [0.5]}
    scores = [
        m.GridSearchCV(e(**one), grid, scoring="neg_log_loss").fit(X, y).cv_results_["mean_test_score"]
        for m, e in ((model_selection, ours.LogisticRegression), (their_selection, theirs.LogisticRegression))
    ]
    np.testing.assert_allclose(*scores, rtol=1e-12)
