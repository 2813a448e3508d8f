"""Linear support vector classification against scikit-learn's: an objective that is not above, attributes and errors."""

import warnings

import bascule as bc
import numpy as np
import pytest
from bascule.learn import svm as ours
from learn_data import predictable, shown, weights
from sklearn import datasets
from sklearn import svm as theirs
from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import threadpool_limits


@pytest.fixture(autouse=True)
def native():
    with bc.config.set(fallback="error"), threadpool_limits(1):
        yield


def loaded(name):
    X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
    return (X - X.mean(axis=0)) / (X.std(axis=0) + 1e-12), y


def changed(change, classes=2):
    X, y = predictable(80, 5, classes)
    return change(X), y


SETS = {
    "iris": lambda: loaded("iris"),
    "breast cancer": lambda: loaded("breast_cancer"),
    "wine": lambda: loaded("wine"),
    "few rows": lambda: predictable(400, 20, 2),
    "four classes": lambda: predictable(300, 6, 4),
    "many rows": lambda: predictable(30_000, 4, 2),
    "separable": lambda: (np.arange(20.0)[:, None] - 9.5, np.repeat([0, 1], 10)),
    "wide": lambda: predictable(30, 60, 2),
    "far from zero": lambda: changed(lambda X: X + 30),
    "constant": lambda: changed(lambda X: X * [1, 0, 1, 1, 1]),
    "F order": lambda: changed(np.asfortranarray),
    "read only": lambda: changed(lambda X: X.setflags(write=False) or X),
    "float32": lambda: changed(lambda X: X.astype(np.float32), 3),
    "int8": lambda: changed(lambda X: (X * 5).astype(np.int8)),
}


def objectives(model, X, y, w=None, C=1.0, scaling=1.0, by_class=None):
    """Of the plane of each class: half of the squared parameters, and C times the weighted squared hinge losses."""
    coef, level = np.asarray(model.coef_, float), np.broadcast_to(np.asarray(model.intercept_, float), len(model.coef_))
    Z = np.asarray(X, float) @ coef.T + level
    found = []
    for k in range(len(coef)):
        of = y == model.classes_[k if len(coef) > 1 else 1]
        v = np.ones(len(X)) if w is None else w
        if by_class is not None:
            v = v * np.where(of, by_class[k], 1.0) if len(coef) > 1 else v * np.where(of, by_class[1], by_class[0])
        losses = np.maximum(1 - np.where(of, 1, -1) * Z[:, k], 0) ** 2
        found.append(0.5 * (coef[k] @ coef[k] + (level[k] / scaling) ** 2) + C * v @ losses)
    return np.array(found)


def compare(X, y, w=None, by_class=None, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        mine, other = (m.LinearSVC(random_state=0, **options).fit(X, y, w) for m in (ours, theirs))
    for name in ("coef_", "intercept_", "classes_"):
        got, wanted = getattr(mine, name), getattr(other, name)
        assert type(got) is type(wanted), name
        assert np.shape(got) == np.shape(wanted) and np.asarray(got).dtype == np.asarray(wanted).dtype, name
    assert type(mine.n_iter_) is type(other.n_iter_)
    known = {"C": options.get("C", 1.0), "scaling": options.get("intercept_scaling", 1.0), "by_class": by_class}
    assert (objectives(mine, X, y, w, **known) <= objectives(other, X, y, w, **known) * (1 + 1e-9)).all()
    return mine, other


@pytest.mark.parametrize("intercept", [True, False], ids=["intercept", "none"])
@pytest.mark.parametrize("weighted", [False, True], ids=["", "weighted"])
@pytest.mark.parametrize("name", SETS)
def test_objective_is_not_above(name, weighted, intercept):
    X, y = SETS[name]()
    compare(X, y, weights(len(X)) if weighted else None, fit_intercept=intercept)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize(
    "options", [{"C": 1e-3}, {"C": 100.0}, {"dual": True}, {"dual": False}, {"intercept_scaling": 7.0}], ids=shown
)
def test_options(options, classes):
    compare(*predictable(200, 5, classes), **options)


@pytest.mark.parametrize("classes", [2, 3])
def test_class_weights(classes):
    X, y = predictable(200, 4, classes)
    compare(X, y, by_class=np.array([3.0, 0.5, 1.0]), class_weight={0: 3.0, 1: 0.5})
    compare(X, y, by_class=200 / (classes * np.bincount(y)), class_weight="balanced")
    w = weights(200)
    compare(X, y, w, by_class=w.sum() / (classes * np.bincount(y, w)), class_weight="balanced")


@pytest.mark.parametrize("classes", [2, 3])
def test_coefficients_are_those_of_a_tight_tolerance(classes):
    X, y = predictable(300, 5, classes)
    mine = ours.LinearSVC().fit(X, y)
    exact = theirs.LinearSVC(dual=False, tol=1e-12, max_iter=100_000).fit(X, y)
    np.testing.assert_allclose(mine.coef_, exact.coef_, rtol=0, atol=1e-5 * np.abs(exact.coef_).max())
    np.testing.assert_array_equal(mine.predict(X), exact.predict(X))
    assert mine.decision_function(X).shape == exact.decision_function(X).shape
    labels = np.array(["a", "b", "c"])[y]
    np.testing.assert_array_equal(
        ours.LinearSVC().fit(X, labels).predict(X), theirs.LinearSVC(tol=1e-10, dual=False).fit(X, labels).predict(X)
    )


def test_arrays_of_bascule_stay():
    X, y = predictable(100, 4, 3)
    mine, other = ours.LinearSVC().fit(bc.asarray(X), bc.asarray(y)), ours.LinearSVC().fit(X, y)
    for name in ("predict", "decision_function"):
        got = getattr(mine, name)(bc.asarray(X))
        assert type(got) is bc.ndarray
        np.testing.assert_array_equal(np.asarray(got), getattr(other, name)(X))
    assert type(mine.to_sklearn()) is theirs.LinearSVC


def test_errors_and_warnings_are_the_same():
    X, y = predictable(60, 3, 2)
    for bad, options in ((np.zeros(60), {}), (X[:, 0], {}), (y, {"fit_intercept": True, "intercept_scaling": -1.0})):
        with pytest.raises(ValueError) as mine:
            ours.LinearSVC(**options).fit(X, bad)
        with pytest.raises(ValueError) as other:
            theirs.LinearSVC(**options).fit(X, bad)
        assert str(mine.value) == str(other.value)
    for m in (ours, theirs):
        with pytest.warns(ConvergenceWarning, match="Liblinear failed to converge"):
            m.LinearSVC(max_iter=1).fit(X, y)


@pytest.mark.parametrize(
    "options", [{"loss": "hinge"}, {"penalty": "l1"}, {"multi_class": "crammer_singer"}], ids=shown
)
def test_what_scikit_learn_computes_is_counted(options):
    X, y = predictable(60, 3, 2)
    with pytest.raises(NotImplementedError, match="runs in scikit-learn"):
        ours.LinearSVC(**options).fit(X, y)


@pytest.mark.parametrize("labels", [np.arange(60) % 3, np.arange(60) // 2, np.arange(60) % 2 > 0, np.arange(60) / 2])
def test_labels_are_checked_as_scikit_learn_does(labels):
    """It warns of many labels for few rows, and refuses fractions; few whole numbers are not looked at twice."""
    X = np.random.default_rng(0).normal(size=(60, 3))
    found = []
    for m in (ours, theirs):
        with warnings.catch_warnings(record=True, action="always") as said:
            try:
                m.LinearSVC(max_iter=10_000).fit(X, labels)
            except ValueError as error:
                found.append(str(error))
            else:
                found.append([str(w.message) for w in said if "unique classes" in str(w.message)])
    assert found[0] == found[1]
