"""Rows and weights that are seldom: types, magnitudes, text, weights below nought; what scikit-learn does with each."""

import warnings

import bascule as bc
import numpy as np
import pytest
from bascule.learn._coverage import THEIRS
from learn_parameters import NATIVE, made, sample
from scipy import sparse
from threadpoolctl import threadpool_limits

OF_ROWS = [n for n in THEIRS if ".text." not in n and "model_selection" not in n and n != "preprocessing.LabelEncoder"]
METHODS = ("transform", "predict", "decision_function", "kneighbors")
# Sums of squares in another order are as good there as scikit-learn's, or better: its own lose digits, or all of them.
INEXACT = {
    "longdouble": ("TruncatedSVD",),  # whose results are of float64, as those of float64
    "tiny": ("TruncatedSVD", "IncrementalPCA", "PCA", "LinearDiscriminantAnalysis", "Neighbors", "KMeans", "CV"),
    "huge": ("KNeighbors", "NearestNeighbors"),
    "one column": ("KNeighbors",),  # in which many rows are as far
    "text": ("PoissonRegressor",),  # of which it reads the numbers where it predicts
}


@pytest.fixture(autouse=True)
def calm():
    with warnings.catch_warnings(), threadpool_limits(1), bc.config.set(fallback="silent"):
        warnings.simplefilter("ignore")
        yield


ROWS = {
    "float16": lambda X: X.astype(np.float16),
    "longdouble": lambda X: X.astype(np.longdouble),
    "text": lambda X: X.astype(str),
    "huge": lambda X: X * 1e160,
    "tiny": lambda X: X * 1e-160,
    "one row": lambda X: X[:1],
    "no row": lambda X: X[:0],
    "no column": lambda X: X[:, :0],
    "one column": lambda X: X[:, :1],
    "constant": lambda X: np.ones_like(X),
    "three axes": lambda X: X[:, :, None],
    "complex": lambda X: X + 1j,
}


def pair(name):
    more = {"random_state": 0} if NATIVE[name].get("random_state", ["deprecated"]) != ["deprecated"] else {}
    more |= {"algorithm": "brute"} if name.startswith("neighbors.") else {}
    more |= {"tol": 1e-10} if name == "linear_model.PoissonRegressor" else {}
    return made(name, **more), made(name, **more).to_sklearn()


def outcome(estimator, X, y, w=None):
    """The error, or the fitted attributes and the results of methods."""
    try:
        weights = {} if w is None else {"sample_weight": w}
        estimator.fit(X, **weights) if y is None else estimator.fit(X, y, **weights)
        found = {m: getattr(estimator, m)(X) for m in METHODS if hasattr(estimator, m)}
    except Exception as error:  # compared
        return type(error).__name__, str(error)
    return found | {k: v for k, v in vars(estimator).items() if k in ("coef_", "intercept_", "mean_", "scale_")}


def assert_same(name, case, got, wanted, size=0.0):
    if isinstance(wanted, tuple) or isinstance(got, tuple):
        assert isinstance(got, tuple) and isinstance(wanted, tuple), (got, wanted)
        assert got[0] == wanted[0]
        # RidgeCV's errors are those of a private class there
        assert got[1].replace("_RidgeGCV", "RidgeCV") == wanted[1].replace("_RidgeGCV", "RidgeCV")
        return
    for key, want in wanted.items():
        want, mine = (x[0] if key == "kneighbors" else x for x in (want, got[key]))
        want, mine = (x.toarray() if sparse.issparse(x) else np.asarray(x) for x in (want, mine))
        assert mine.shape == want.shape, key
        if want.dtype.kind != "f":
            continue
        if any(part in name for part in INEXACT.get(case, ())):
            continue
        assert mine.dtype == want.dtype, (key, mine.dtype, want.dtype)
        known = np.isfinite(want)
        np.testing.assert_array_equal(np.isfinite(mine), known, err_msg=key)
        scale = np.abs(want[known]).max(initial=max(size, np.finfo(want.dtype).tiny))
        close = 1e-2 if case == "float16" or "LogisticRegressionCV" in name else 1e-3 if "SVC" in name else 1e-5
        np.testing.assert_allclose(mine[known], want[known], rtol=close, atol=close * scale, err_msg=key)


CASES = [(n, c) for n in OF_ROWS for c in ROWS if (n, c) != ("svm.LinearSVC", "huge")]  # where LIBLINEAR does not end


@pytest.mark.parametrize(("name", "case"), CASES)
def test_rows(name, case):
    X, y = sample(name)
    X = ROWS[case](X)
    y = None if y is None else y[: len(X)]
    size = float(np.abs(X).max(initial=0)) if X.dtype.kind == "f" else 1.0
    assert_same(name, case, *(outcome(e, X, y) for e in pair(name)), size)


WEIGHTED = [n for n in OF_ROWS if n.startswith(("linear_model.", "svm.")) and "LogisticRegressionCV" not in n]
WEIGHTS = {
    "below nought": lambda n: np.where(np.arange(n) % 5 == 0, -1.0, 1.0),
    "NaN": lambda n: np.where(np.arange(n) == 3, np.nan, 1.0),
    "noughts": np.zeros,
    "too few": lambda n: np.ones(n - 1),
    "a column": lambda n: np.ones((n, 1)),
}


@pytest.mark.parametrize("case", WEIGHTS)
@pytest.mark.parametrize("name", WEIGHTED)
def test_weights(name, case):
    X, y = sample(name)
    assert_same(name, case, *(outcome(e, X, y, WEIGHTS[case](len(X))) for e in pair(name)))


def test_weights_of_sparse_rows_below_nought():
    X, y = sample("linear_model.Ridge")
    X = sparse.csr_array(X)
    got, wanted = (outcome(e, X, y, WEIGHTS["below nought"](X.shape[0])) for e in pair("linear_model.Ridge"))
    np.testing.assert_array_equal(got["coef_"], wanted["coef_"])


def test_what_the_values_leave_to_scikit_learn_is_counted():
    X, y = sample("linear_model.Lasso")
    with bc.config.set(fallback="error"):
        for rows, weights in ((X * 1e200, None), (X, WEIGHTS["below nought"](len(X)))):
            with pytest.raises(NotImplementedError, match="runs in scikit-learn"):
                made("linear_model.Lasso").fit(rows, y, weights)


def test_indices_below_nought_are_refused():
    X = sparse.csr_array((np.ones(3), np.array([0, -1, 1]), np.array([0, 2, 3])), shape=(2, 2))
    with pytest.raises(ValueError, match="indices must be >= 0"):
        made("linear_model.Ridge").fit(X, np.ones(2))
