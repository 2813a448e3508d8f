"""Logistic regression over sparse rows against scikit-learn's: an objective that is not above, the same shapes and types."""

import warnings

import bascule as bc
import numpy as np
import pytest
from bascule.learn import linear_model as ours
from bascule.learn import model_selection
from learn_data import shown
from scipy import sparse
from sklearn import linear_model as theirs
from threadpoolctl import threadpool_limits


@pytest.fixture(autouse=True)
def native():
    with bc.config.set(fallback="error"), threadpool_limits(1):  # scikit-learn's threads wait for work in a loop
        yield


def made(n, d, classes, density=0.1, seed=0, used=None):
    """Rows of which only the columns below `used` have elements."""
    rng = np.random.default_rng(seed)
    X = sparse.random(n, used or d, density, random_state=seed, data_rvs=lambda k: rng.normal(size=k) * 3, format="csr")
    X = sparse.csr_array((X.data, X.indices, X.indptr), shape=(n, d))
    return X, (X @ rng.normal(size=(d, classes)) + rng.gumbel(size=(n, classes))).argmax(axis=1)


def changed(change, **options):
    X, y = made(60, 30, 2, **options)
    return change(X), y


def with_empty_rows(X):
    X = X.toarray()
    X[:20] = 0
    return sparse.csr_array(X)


def with_zeros(X):
    X.data[::5] = 0
    return X


SETS = {
    "two classes": lambda: made(200, 40, 2),
    "four classes": lambda: made(200, 40, 4),
    "many columns": lambda: made(100, 20_000, 2, 0.002),
    "columns without elements": lambda: made(100, 5_000, 3, 0.1, used=50),
    "empty rows": lambda: changed(with_empty_rows),
    "zeros that are stored": lambda: changed(with_zeros),
    "matrix": lambda: changed(sparse.csr_matrix),
    "by columns": lambda: changed(sparse.csc_array),
    "coordinates": lambda: changed(sparse.coo_array),
    "float32": lambda: changed(lambda X: X.astype(np.float32)),
    "int64": lambda: changed(lambda X: (X * 2).astype(np.int64)),
    "long indices": lambda: changed(lambda X: sparse.csr_array((X.data, X.indices.astype(np.int64), X.indptr.astype(np.int64)), shape=X.shape)),
    "no element": lambda: (sparse.csr_array((10, 5)), np.arange(10) % 2),
    "read only": lambda: changed(lambda X: X.data.setflags(write=False) or X),
}  # fmt: skip


def objective(model, X, y, w=None, C=1.0):
    """The sum of losses times C, and half of the squared coefficients."""
    w = np.ones(len(y)) if w is None else w
    Z = X.astype(np.float64) @ np.asarray(model.coef_, float).T + np.asarray(model.intercept_, float)
    if Z.shape[1] == 1:
        Z = np.column_stack([np.zeros(len(y)), Z[:, 0]])
    losses = np.logaddexp.reduce(Z, axis=1) - Z[np.arange(len(y)), np.searchsorted(model.classes_, y)]
    return C * (w @ losses) + 0.5 * (np.asarray(model.coef_, float) ** 2).sum()


def fitted(module, X, y, w=None, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return module.LogisticRegression(**options).fit(X, y, w)


@pytest.mark.parametrize("options", [{}, {"C": 100.0, "fit_intercept": False}, {"class_weight": "balanced"}], ids=shown)
@pytest.mark.parametrize("name", SETS)
def test_the_minimum(name, options):
    X, y = SETS[name]()
    w = np.random.default_rng(3).integers(0, 3, len(y)).astype(float)
    balanced = 1 if "class_weight" not in options else (len(y) / (len(set(y)) * np.bincount(y)))[y]
    for weights in (None, w) if isinstance(balanced, int) else (None,):
        mine, other = (
            fitted(ours, X, y, weights, **options),
            fitted(theirs, X, y, weights, tol=1e-8, max_iter=10_000, **options),
        )
        for attribute in ("coef_", "intercept_", "n_iter_", "classes_"):
            a, b = getattr(mine, attribute), getattr(other, attribute)
            assert type(a) is type(b) and a.shape == b.shape and a.dtype == b.dtype, attribute
        total = np.ones(len(y)) * balanced if weights is None else weights
        reached, best = (
            objective(m, X, y, total, options.get("C", 1.0)) for m in (mine, fitted(theirs, X, y, weights, **options))
        )
        assert reached <= best * (1 + 1e-9) + 1e-12
        mine = fitted(ours, X, y, weights, tol=1e-8, max_iter=10_000, **options)
        close = 1e-2 if mine.coef_.dtype == np.float32 else 1e-4  # scikit-learn computes in the type of X
        np.testing.assert_allclose(mine.coef_, other.coef_, atol=close * max(1.0, float(np.abs(other.coef_).max())))
        np.testing.assert_allclose(mine.predict_proba(X), other.predict_proba(X), atol=close)


@pytest.mark.parametrize("options", [{}, {"C": 0.1, "fit_intercept": False}, {"class_weight": "balanced"}], ids=shown)
@pytest.mark.parametrize("name", [n for n in SETS if n != "float32"])
def test_steps_are_scikit_learns(name, options):
    X, y = SETS[name]()
    for w in (None, np.random.default_rng(3).uniform(0.5, 2, len(y))):
        mine, other = (fitted(module, X, y, w, **options) for module in (ours, theirs))
        np.testing.assert_array_equal(mine.n_iter_, other.n_iter_)
        scale = max(float(np.abs(other.coef_).max()), 1e-6)
        np.testing.assert_allclose(mine.coef_, other.coef_, rtol=0, atol=1e-7 * scale)
        np.testing.assert_allclose(mine.intercept_, other.intercept_, rtol=0, atol=1e-7 * max(scale, float(np.abs(other.intercept_).max())))  # fmt: skip


def test_dense_rows_have_the_same_minimum():
    X, y = made(300, 30, 3)
    np.testing.assert_allclose(
        fitted(ours, X, y, tol=1e-8).coef_, fitted(ours, X.toarray(), y, tol=1e-8).coef_, atol=1e-5
    )


@pytest.mark.parametrize(
    "change",
    [
        lambda X, y: (X, y * 0),
        lambda X, y: (X, y[:-1]),
        lambda X, y: (X * np.nan, y),
        lambda X, y: (X, y + 0.5 * (y == 1)),
    ],
)
def test_errors_are_scikit_learns(change):
    given = change(*made(20, 5, 2, 0.5))
    with pytest.raises(Exception) as other:
        theirs.LogisticRegression().fit(*given)
    with pytest.raises(type(other.value)) as mine:
        ours.LogisticRegression().fit(*given)
    assert str(mine.value) == str(other.value)


def test_a_search_over_sparse_rows():
    X, y = made(150, 300, 3, 0.05)
    grid = {"C": [0.1, 1.0, 10.0]}
    mine = model_selection.GridSearchCV(ours.LogisticRegression(tol=1e-8, max_iter=1000), grid, cv=3).fit(X, y)
    other = model_selection.GridSearchCV(theirs.LogisticRegression(tol=1e-8, max_iter=1000), grid, cv=3)
    with bc.config.set(fallback="silent"):
        other.fit(X, y)
    assert mine.best_params_ == other.best_params_
    np.testing.assert_allclose(mine.cv_results_["mean_test_score"], other.cv_results_["mean_test_score"])
