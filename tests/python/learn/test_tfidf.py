"""Frequencies of tokens over those in all documents, against scikit-learn's: equal to rounding, in every form of matrix."""

import bascule as bc
import numpy as np
import pytest
from bascule.learn.feature_extraction import text as ours
from learn_data import assert_same_error, shown
from scipy import sparse
from sklearn.feature_extraction import text as theirs

FORMS = {
    "csr": sparse.csr_array,
    "csr matrix": sparse.csr_matrix,
    "csc": sparse.csc_array,
    "float32": lambda X: sparse.csr_array(X.astype(np.float32)),
    "integers": lambda X: sparse.csr_array(X.astype(np.int64)),
    "dense": np.asarray,
}
OPTIONS = [{}, {"norm": "l1"}, {"norm": None}, {"use_idf": False}, {"smooth_idf": False}, {"sublinear_tf": True}]


@pytest.fixture(autouse=True)
def native():
    with bc.config.set(fallback="error"):
        yield


def counts(n, d, density=0.2, seed=0):
    """Counts, with some documents that have no token."""
    rng = np.random.default_rng(seed)
    X = np.where(rng.random((n, d)) < density, rng.integers(1, 9, (n, d)), 0).astype(float)
    X[::7] = 0
    X[0] = 1  # each token is in a document
    return X


def same(got, wanted):
    assert type(got) is type(wanted) and got.dtype == wanted.dtype and got.shape == wanted.shape
    np.testing.assert_array_equal(got.indptr, wanted.indptr)
    np.testing.assert_array_equal(got.indices, wanted.indices)
    np.testing.assert_allclose(got.data, wanted.data, rtol=1e-6 if got.dtype == np.float32 else 1e-13)


@pytest.mark.parametrize("n", [20, 30_000])
@pytest.mark.parametrize("options", OPTIONS, ids=shown)
@pytest.mark.parametrize("form", FORMS)
def test_forms(form, options, n):
    X = FORMS[form](counts(n, 25))
    kept = X.copy()
    mine, other = (m.TfidfTransformer(**options).fit(X) for m in (ours, theirs))
    if options.get("use_idf", True):
        np.testing.assert_allclose(mine.idf_, other.idf_, rtol=1e-15)
        assert mine.idf_.dtype == other.idf_.dtype
    found = mine.transform(X)
    same(found, other.transform(X))
    assert (abs(X - kept)).max() == 0
    found.data[:] = 0
    found.indices[:] = 0  # which is memory of its own
    assert (abs(X - kept)).max() == 0
    same(mine.fit_transform(X), other.fit_transform(X))


def test_in_place():
    X = sparse.csr_array(counts(50, 9))
    wanted = theirs.TfidfTransformer().fit(X).transform(X)
    found = ours.TfidfTransformer().fit(X).transform(X, copy=False)
    np.testing.assert_allclose(X.data, wanted.data, rtol=1e-13)
    same(found, wanted)


def test_norms_have_no_small_documents():
    X = sparse.csr_array(np.array([[0.0, 0.0], [1e-200, 0.0], [3.0, 4.0]]))
    X.data[0] = 0.0  # which is stored
    same(*(m.TfidfTransformer(use_idf=False).fit(X).transform(X) for m in (ours, theirs)))


def test_errors_and_kinds():
    for call in (
        lambda m: m.TfidfTransformer().fit(np.eye(3)).transform(np.eye(2)),
        lambda m: m.TfidfTransformer(norm="max").fit(np.eye(3)),
        lambda m: m.TfidfTransformer().fit(sparse.csr_array(np.full((2, 2), np.nan))),
    ):
        assert_same_error(call, ours, theirs)
    X = counts(30, 5)
    same(ours.TfidfTransformer().fit_transform(bc.asarray(X)), theirs.TfidfTransformer().fit_transform(X))
