"""Logistic regression with cross-validation against scikit-learn's: scores, choices, attributes and warnings."""

import warnings

import bascule as bc
import numpy as np
import pytest
from bascule.learn import linear_model as ours
from bascule.learn._substituted import substituted
from learn_data import logistic_objective as objective
from learn_data import predictable as made
from learn_data import shown, weights
from sklearn import datasets, model_selection
from sklearn import linear_model as theirs
from threadpoolctl import threadpool_limits

QUIET = {"l1_ratios": (0,), "use_legacy_attributes": True, "scoring": "accuracy"}


@pytest.fixture(autouse=True)
def native():
    with bc.config.set(fallback="error"), threadpool_limits(1):
        yield


def both(X, y, w=None, tight=True, **options):
    """Ours, and scikit-learn's to a tight tolerance."""
    options = {**QUIET, **options}
    more = {"tol": 1e-10, "max_iter": 5_000} if tight else {}
    mine = ours.LogisticRegressionCV(**options).fit(X, y, w)
    other = theirs.LogisticRegressionCV(**options, **more).fit(X, y, w)
    attributes = {k for k in vars(other) if k.endswith("_")}
    assert {k for k in vars(mine) if k.endswith("_")} == attributes
    for name in attributes:
        got, wanted = getattr(mine, name), getattr(other, name)
        assert type(got) is type(wanted), name
        if isinstance(wanted, np.ndarray):
            assert (got.shape, got.dtype) == (wanted.shape, wanted.dtype), name
    return mine, other


OPTIONS = {
    "default": {},
    "penalties": {"Cs": [10.0, 0.01, 1.0]},
    "log loss": {"scoring": "neg_log_loss", "Cs": 4},
    "another score": {"scoring": "balanced_accuracy", "Cs": 3},
    "no refit": {"refit": False, "Cs": 4},
    "no intercept": {"fit_intercept": False, "Cs": 4},
    "balanced": {"class_weight": "balanced", "Cs": 4},
    "newton": {"solver": "newton-cholesky", "Cs": 4},
    "shuffled": {"cv": model_selection.StratifiedKFold(3, shuffle=True, random_state=0), "Cs": 4},
    "no shares": {"l1_ratios": None, "Cs": 3},
    "simple": {"use_legacy_attributes": False, "Cs": 3},
}


@pytest.mark.filterwarnings("ignore:'l1_ratios=None' was deprecated")
@pytest.mark.parametrize("weighted", [False, True], ids=["", "weighted"])
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("name", OPTIONS)
def test_scores_and_choices(name, classes, weighted):
    X, y = made(240, 5, classes)
    w = weights(len(X)) if weighted else None
    mine, other = both(X, y, w, **OPTIONS[name])
    got, wanted = mine.scores_, other.scores_
    if isinstance(wanted, dict):
        assert list(got) == list(wanted)
        got, wanted = got[1], wanted[1]
    np.testing.assert_allclose(got, wanted, rtol=1e-5, atol=1e-12)
    np.testing.assert_array_equal(mine.C_, other.C_)
    np.testing.assert_allclose(mine.coef_, other.coef_, rtol=0, atol=1e-5 * np.abs(other.coef_).max())
    np.testing.assert_allclose(mine.intercept_, other.intercept_, rtol=0, atol=1e-4)
    assert mine.score(X, y, sample_weight=w) == pytest.approx(other.score(X, y, sample_weight=w), rel=1e-6)
    np.testing.assert_allclose(mine.predict_proba(X), other.predict_proba(X), atol=1e-5)


def test_objective_is_not_above():
    X, y = datasets.load_breast_cancer(return_X_y=True)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    mine, other = both(X, y, tight=False)
    assert mine.C_ == other.C_
    assert objective(mine, X, y, C=mine.C_[0]) <= objective(other, X, y, C=mine.C_[0]) * (1 + 1e-9)


def test_warnings_are_the_same():
    X, y = made(100, 3, 2)
    seen = []
    for m in (ours, theirs):
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            m.LogisticRegressionCV(Cs=3).fit(X, y)
        seen.append([(w.category, str(w.message)) for w in said])
    assert seen[0] == seen[1] and len(seen[0]) == 3


def test_arrays_of_bascule_and_processes():
    X, y = made(120, 3, 3)
    other = ours.LogisticRegressionCV(Cs=3, **QUIET).fit(X, y)
    mine = ours.LogisticRegressionCV(Cs=3, **QUIET).fit(bc.asarray(X), bc.asarray(y))
    assert type(mine.coef_) is bc.ndarray
    np.testing.assert_array_equal(np.asarray(mine.coef_), other.coef_)
    assert type(mine.predict_proba(bc.asarray(X))) is bc.ndarray
    assert mine.score(bc.asarray(X), bc.asarray(y)) == other.score(X, y)
    parallel = ours.LogisticRegressionCV(Cs=3, n_jobs=2, **QUIET).fit(X, y)
    np.testing.assert_array_equal(parallel.coef_, other.coef_)


@pytest.mark.parametrize("options", [{"solver": "liblinear"}, {"solver": "saga", "l1_ratios": (0.5,)}], ids=shown)
def test_what_scikit_learn_computes_is_counted(options):
    X, y = made(60, 3, 2)
    with pytest.raises(NotImplementedError, match="runs in scikit-learn"):
        ours.LogisticRegressionCV(**{**QUIET, **options}).fit(X, y)
    with pytest.raises(ValueError, match="contains only one class"):
        ours.LogisticRegressionCV(**QUIET).fit(X, np.zeros(60))


def test_a_name_that_a_function_does_not_use_is_refused():
    with pytest.raises(AttributeError, match="does not use nothing"):
        substituted(made, nothing=1)
    assert substituted(made, np=np)(3, 2, 2)[0].shape == (3, 2)
