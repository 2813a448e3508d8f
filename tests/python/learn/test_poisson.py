"""Poisson regression against scikit-learn's: an objective that is not above, the same shapes, types, warnings and errors."""

import warnings

import bascule as bc
import numpy as np
import pytest
from bascule.learn import linear_model as ours
from learn_data import weights
from scipy.linalg import LinAlgWarning
from sklearn import linear_model as theirs
from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import threadpool_limits


@pytest.fixture(autouse=True)
def native():
    with bc.config.set(fallback="error"), threadpool_limits(1):
        yield


def made(n, d, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, rng.poisson(np.exp(X @ rng.normal(size=d) * 0.4 / np.sqrt(d) + 0.7)).astype(float)


def changed(change):
    X, y = made(90, 5)
    return change(X), y


def constant(X):
    X[:, 1] = 4.0
    return X


SETS = {
    "few rows": lambda: made(400, 20),
    "many rows": lambda: made(40_000, 5),
    "wide": lambda: made(30, 50),
    "constant": lambda: changed(constant),
    "collinear": lambda: changed(lambda X: np.column_stack([X, X[:, :2]])),
    "far from zero": lambda: changed(lambda X: X + 1e3),
    "of other scales": lambda: changed(lambda X: X * [1e-3, 1.0, 30.0, 1.0, 1.0]),
    "F order": lambda: changed(np.asfortranarray),
    "read only": lambda: changed(lambda X: X.setflags(write=False) or X),
    "float32": lambda: changed(lambda X: X.astype(np.float32)),
    "int8": lambda: changed(lambda X: (X * 2).astype(np.int8)),
    "one column": lambda: made(50, 1),
    "no counts": lambda: (made(60, 3)[0], np.abs(made(60, 3)[0][:, 0])),
}


def objective(model, X, y, w, alpha):
    z = np.asarray(X, float) @ np.asarray(model.coef_, float) + float(model.intercept_)
    return np.average(np.exp(z) - y * z, weights=w) + 0.5 * alpha * (np.asarray(model.coef_, float) ** 2).sum()


def fitted(model, X, y, w=None):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.simplefilter("ignore", LinAlgWarning)
        return model.fit(X, y, w)


def compare(X, y, w=None, close=1e-9, **options):
    mine, other = (fitted(m.PoissonRegressor(**options), X, y, w) for m in (ours, theirs))
    for name in ("coef_", "intercept_"):
        got, wanted = getattr(mine, name), getattr(other, name)
        assert type(got) is type(wanted), name
        assert np.shape(got) == np.shape(wanted) and np.asarray(got).dtype == np.asarray(wanted).dtype, name
    assert isinstance(mine.n_iter_, int)
    alpha = options.get("alpha", 1.0)
    mine_is, other_is = (objective(m, X, y, w, alpha) for m in (mine, other))
    assert mine_is <= other_is + close * abs(other_is)
    return mine, other


@pytest.mark.parametrize("intercept", [True, False], ids=["intercept", "none"])
@pytest.mark.parametrize("weighted", [False, True], ids=["", "weighted"])
@pytest.mark.parametrize("name", SETS)
def test_objective_is_not_above(name, weighted, intercept):
    X, y = SETS[name]()
    if name == "far from zero" and not intercept:
        X = X / 1e3
    w = weights(len(X)) if weighted else None
    close = 1e-6 if X.dtype == np.float32 else 1e-9
    mine, _ = compare(X, y, w, close, fit_intercept=intercept)
    exact = fitted(theirs.PoissonRegressor(fit_intercept=intercept, tol=1e-12, solver="newton-cholesky"), X, y, w)
    best = objective(exact, X, y, w, 1.0)
    assert objective(mine, X, y, w, 1.0) <= best + close * abs(best)


@pytest.mark.parametrize("alpha", [0.0, 1e-6, 0.1, 100.0])
@pytest.mark.parametrize("solver", ["lbfgs", "newton-cholesky"])
def test_penalties(solver, alpha):
    compare(*made(300, 6), alpha=alpha, solver=solver)


def test_predictions():
    X, y = made(500, 4)
    mine = ours.PoissonRegressor(alpha=0.1).fit(X, y)
    exact = fitted(theirs.PoissonRegressor(alpha=0.1, tol=1e-12, solver="newton-cholesky"), X, y)
    np.testing.assert_allclose(mine.coef_, exact.coef_, atol=1e-6)
    np.testing.assert_allclose(mine.predict(X), exact.predict(X), rtol=1e-6)
    assert mine.score(X, y, weights(500)) == pytest.approx(exact.score(X, y, weights(500)), rel=1e-6)
    np.testing.assert_array_equal(mine.to_sklearn().predict(X), mine.predict(X))


def test_arrays_of_bascule_stay():
    X, y = made(200, 4)
    mine, other = ours.PoissonRegressor().fit(bc.asarray(X), bc.asarray(y)), ours.PoissonRegressor().fit(X, y)
    got = mine.predict(bc.asarray(X))
    assert type(got) is bc.ndarray and type(mine.coef_) is bc.ndarray
    np.testing.assert_allclose(np.asarray(got), other.predict(X), rtol=1e-14)
    assert mine.score(bc.asarray(X), bc.asarray(y)) == pytest.approx(other.score(X, y), rel=1e-14)


def test_a_warm_start_begins_at_the_last_coefficients():
    X, y = made(300, 5)
    for intercept in (True, False):
        model = ours.PoissonRegressor(warm_start=True, fit_intercept=intercept).fit(X, y)
        assert model.n_iter_ > 1 and model.fit(X, y).n_iter_ <= 1


@pytest.mark.parametrize("solver", ["lbfgs", "newton-cholesky"])
def test_too_few_iterations_warn(solver):
    X, y = made(300, 5)
    for m in (ours, theirs):
        with pytest.warns(ConvergenceWarning, match="converge"):
            assert m.PoissonRegressor(alpha=0.0, max_iter=1, solver=solver).fit(X, y).n_iter_ == 1


def test_errors_are_the_same():
    X, y = made(50, 3)
    for bad in (-y - 1, np.where(y > 0, np.nan, y)):
        with pytest.raises(ValueError) as mine:
            ours.PoissonRegressor().fit(X, bad)
        with pytest.raises(ValueError) as other:
            theirs.PoissonRegressor().fit(X, bad)
        assert str(mine.value) == str(other.value)


def test_what_scikit_learn_computes_is_counted():
    X, y = made(50, 3)
    with pytest.raises(NotImplementedError, match="verbose is given"):
        ours.PoissonRegressor(verbose=1).fit(X, y)
