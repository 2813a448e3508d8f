"""Naive Bayes of counts, against scikit-learn's: rows that are dense and sparse, with weights and in parts."""

import bascule as bc
import numpy as np
import pytest
from bascule.learn import naive_bayes as ours
from learn_data import assert_same_error, assert_same_fit, shown, weights
from scipy import sparse
from sklearn import naive_bayes as theirs

RNG = np.random.default_rng(0)


@pytest.fixture(autouse=True)
def native():
    with bc.config.set(fallback="error"):
        yield


def counts(n, d, density=0.2):
    return np.where(RNG.random((n, d)) < density, RNG.integers(1, 9, (n, d)), 0)


FORMS = {
    "dense": lambda X: X.astype(float),
    "integers": lambda X: X,
    "float32": lambda X: X.astype(np.float32),
    "csr": lambda X: sparse.csr_array(X.astype(float)),
    "csr of integers": sparse.csr_array,
    "csr matrix": lambda X: sparse.csr_matrix(X.astype(np.float32)),
    "csc": lambda X: sparse.csc_array(X.astype(float)),
}
METHODS = ("predict", "predict_proba", "predict_log_proba", "predict_joint_log_proba")


def compare(mine, other, X):
    assert_same_fit(mine, other, 1e-12)
    for name in METHODS:
        got, wanted = getattr(mine, name)(X), getattr(other, name)(X)
        assert type(got) is type(wanted) and got.dtype == wanted.dtype
        if got.dtype.kind == "f":
            np.testing.assert_allclose(got, wanted, rtol=1e-5 if X.dtype == np.float32 else 1e-10, atol=1e-12)
        else:
            np.testing.assert_array_equal(got, wanted)


@pytest.mark.parametrize("weighted", [False, True], ids=["", "weighted"])
@pytest.mark.parametrize("classes", [1, 2, 7])
@pytest.mark.parametrize("form", FORMS)
def test_fit(form, classes, weighted):
    X = FORMS[form](counts(300, 40))
    y = np.arange(300) % classes * 3
    w = weights(300) if weighted else None
    compare(*(m.MultinomialNB().fit(X, y, w) for m in (ours, theirs)), X)


@pytest.mark.parametrize("options", [
    {"alpha": 0.01}, {"alpha": np.linspace(0.1, 2, 40)}, {"fit_prior": False}, {"class_prior": [0.2, 0.3, 0.5]},
    {"alpha": 0.0, "force_alpha": True},
], ids=shown)  # fmt: skip
def test_options(options):
    X = counts(3000, 40, 0.9)
    for form in ("dense", "csr"):
        rows = FORMS[form](X)
        compare(*(m.MultinomialNB(**options).fit(rows, np.arange(3000) % 3) for m in (ours, theirs)), rows)


@pytest.mark.parametrize("form", ["dense", "csr"])
def test_parts(form):
    X = FORMS[form](counts(400, 15))
    y = np.array(["a", "b", "c", "d"], object)[np.arange(400) % 4]
    mine, other = (m.MultinomialNB() for m in (ours, theirs))
    for k in range(0, 400, 100):
        for m in (mine, other):
            m.partial_fit(X[k : k + 100], y[k : k + 100], classes=list("abcd"), sample_weight=weights(100))
    compare(mine, other, X)


def test_rows_without_elements_and_errors():
    X = sparse.csr_array((5, 4))
    compare(*(m.MultinomialNB().fit(X, [0, 1, 0, 1, 2]) for m in (ours, theirs)), X)
    for wrong in (np.array([[1.0, -1.0], [0.0, 1.0]]), np.array([[1.0, np.nan], [0.0, 1.0]])):
        for form in (np.asarray, sparse.csr_array):
            assert_same_error(lambda m: m.MultinomialNB().fit(form(wrong), [0, 1]), ours, theirs)
    assert_same_error(lambda m: m.MultinomialNB(class_prior=[1.0]).fit(np.eye(2), [0, 1]), ours, theirs)


def test_arrays_of_bascule_in_parts():
    X, y = counts(200, 6).astype(float), np.arange(200) % 3
    mine, other = ours.MultinomialNB().fit(bc.asarray(X), y), theirs.MultinomialNB().fit(X, y)
    assert type(mine.feature_count_) is type(mine.predict_proba(bc.asarray(X))) is bc.ndarray
    mine.partial_fit(bc.asarray(X), y), other.partial_fit(X, y)
    np.testing.assert_allclose(np.asarray(mine.feature_log_prob_), other.feature_log_prob_, rtol=1e-12)
