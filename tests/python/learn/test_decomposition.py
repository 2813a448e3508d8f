"""Truncated singular values and principal components of batches against scikit-learn's."""

import warnings

import bascule as bc
import numpy as np
import pytest
from bascule.learn import decomposition as ours
from learn_data import SETS, assert_close, assert_same_fit, data, shown
from sklearn import decomposition as theirs


@pytest.fixture(autouse=True)
def native():
    with bc.config.set(fallback="error"):
        yield


def apart(values):
    """Components with a singular value that differs from all others, and from nought, by a thousandth of the largest."""
    near = np.abs(np.subtract.outer(values, np.append(values, 0)))
    near[np.arange(len(values)), np.arange(len(values))] = np.inf
    return near.min(axis=1) > 1e-3 * values[0]


@pytest.mark.parametrize("name", sorted(SETS.keys() - {"one row", "one column", "wide"}))
def test_truncated_values_are_those_of_all_rows(name):
    X = data(name)[0]
    k = min(3, X.shape[1])
    mine, other = ours.TruncatedSVD(k), theirs.TruncatedSVD(k, n_iter=30, random_state=0)
    got, wanted = mine.fit_transform(X), other.fit_transform(X.astype(float) if X.dtype.kind in "bi" else X)
    _, values, vectors = np.linalg.svd(np.asarray(X, float), full_matrices=False)
    close = 1e-4 if X.dtype == np.float32 else 1e-10
    clear = apart(values)[:k]
    assert_close(np.asarray(mine.singular_values_, float), values[:k], close)
    assert_close(np.abs((mine.components_ * vectors[:k]).sum(axis=1))[clear], np.ones(clear.sum()), max(close, 1e-9))
    level = other.explained_variance_.max()
    loose = 1e-3 if X.dtype == np.float32 else 1e-4 if name == "far from zero" else 1e-7
    assert_same_fit(mine, other, loose, {"explained_variance_": level}, ("components_",))
    assert_close(got[:, clear], wanted[:, clear], loose * 10, np.abs(wanted).max())
    assert_close(mine.inverse_transform(got), got @ mine.components_, 1e-12)


def test_truncated_by_a_factor_where_values_are_far_apart():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(9_000, 6)) * np.logspace(0, -7, 6) @ np.linalg.qr(rng.normal(size=(6, 6)))[0]
    mine = ours.TruncatedSVD(6).fit(X)
    np.testing.assert_allclose(mine.singular_values_, np.linalg.svd(X, compute_uv=False), rtol=1e-8)


def test_truncated_values_that_are_scikit_learns():
    X = data("wide")[0]
    for options in ({}, {"algorithm": "arpack"}):
        rows = X if not options else X.T.copy()
        with pytest.raises(NotImplementedError, match="learn.TruncatedSVD"):
            ours.TruncatedSVD(3, **options).fit(rows)
        with bc.config.set(fallback="silent"):
            mine, other = (m.TruncatedSVD(3, random_state=0, **options).fit_transform(rows) for m in (ours, theirs))
        assert_close(mine, other, 1e-9)
    said = []
    for m in (ours, theirs):
        with pytest.raises(ValueError) as error:
            m.TruncatedSVD(11).fit(data("diabetes")[0])
        said.append(str(error.value))
    assert said[0] == said[1]


def fitted(made, X):
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        return made.fit(X), {str(w.message) for w in said}


def compare(X, mine, other):
    close = 1e-4 if X.dtype == np.float32 else 1e-9
    level = np.abs(np.asarray(X, float)).max()
    top = other.explained_variance_.max()
    scales = {
        "mean_": level,
        "var_": other.var_.max() + 1e-12 * level**2,
        "noise_variance_": top,
        "explained_variance_": top,
    }
    rough = {"components_", "singular_values_"}
    assert_same_fit(mine, other, close, scales | {"explained_variance_ratio_": 1}, rough)
    for name in rough:
        assert (
            getattr(mine, name).dtype == getattr(other, name).dtype
            and getattr(mine, name).shape == getattr(other, name).shape
        )
    assert_close(mine.singular_values_**2, other.singular_values_**2, close)
    clear = apart(other.singular_values_)
    assert_close(mine.components_[clear], other.components_[clear], close * 10, 1)
    assert_close(mine.transform(X)[:, clear], other.transform(X)[:, clear], close * 10, level)


@pytest.mark.parametrize(
    "options", [{}, {"n_components": 2}, {"batch_size": 7, "n_components": 3}, {"batch_size": 13}], ids=shown
)
@pytest.mark.parametrize("name", sorted(SETS.keys() - {"one row", "one column", "far from zero", "wide"}))
def test_batches(name, options):
    X = data(name)[0]
    options = {k: min(n, X.shape[1]) if k == "n_components" else n for k, n in options.items()}
    made = [m.IncrementalPCA(**options) for m in (ours, theirs)]
    try:
        other, wanted = fitted(made[1], X)
    except ValueError as error:
        with pytest.raises(ValueError) as found:
            made[0].fit(X)
        assert str(found.value) == str(error)
        return
    mine, said = fitted(made[0], X)
    assert said == wanted
    compare(X, mine, other)


@pytest.mark.parametrize("whiten", [False, True])
def test_rows_in_parts(whiten):
    X = data("many rows")[0]
    mine, other = (m.IncrementalPCA(4, whiten=whiten) for m in (ours, theirs))
    for i in range(0, len(X), 3_000):
        mine.partial_fit(X[i : i + 3_000]), other.partial_fit(X[i : i + 3_000])
    compare(X, mine, other)
    assert_close(mine.get_covariance(), other.get_covariance(), 1e-9)
    assert_close(mine.get_precision(), other.get_precision(), 1e-9)
    assert_close(mine.inverse_transform(X[:5, :4]), other.inverse_transform(X[:5, :4]), 1e-9)


def test_batches_far_from_zero():
    X = np.round(data("many rows")[0] * 2**10) / 2**10
    mine, exact = ours.IncrementalPCA(3).fit(X + 2.0**24), theirs.IncrementalPCA(3).fit(X)
    assert_close(mine.explained_variance_, exact.explained_variance_, 1e-7)
    assert_close(mine.var_, exact.var_, 1e-7)


def test_errors_of_batches():
    X = data("diabetes")[0]
    for calls in ([(12, X)], [(5, X[:3])], [(3, X), (4, X)]):
        said = []
        for m in (ours, theirs):
            made = m.IncrementalPCA()
            with pytest.raises(ValueError) as error:
                for k, rows in calls:
                    made.set_params(n_components=k).partial_fit(rows)
            said.append(str(error.value))
        assert said[0] == said[1]


def test_a_sparse_matrix_comes_in_batches():
    from scipy import sparse

    X = data("diabetes")[0]
    with bc.config.set(fallback="silent"):
        mine, other = (m.IncrementalPCA(3).fit(sparse.csr_array(X)) for m in (ours, theirs))
        assert_close(mine.transform(sparse.csr_array(X)), other.transform(sparse.csr_array(X)), 1e-9)


@pytest.mark.parametrize("name", ["TruncatedSVD", "IncrementalPCA"])
def test_arrays_of_bascule_and_threads(name):
    X = data("many rows")[0]
    one = getattr(ours, name)(3).fit(X)
    before = bc.get_num_threads()
    try:
        bc.set_num_threads(1)
        two = getattr(ours, name)(3).fit(bc.asarray(X))
    finally:
        bc.set_num_threads(before)
    for attribute in ("components_", "singular_values_", "explained_variance_"):
        assert type(getattr(two, attribute)) is bc.ndarray
        np.testing.assert_array_equal(np.asarray(getattr(two, attribute)), getattr(one, attribute))
    found = two.transform(bc.asarray(X))
    assert type(found) is bc.ndarray and type(two.inverse_transform(found)) is bc.ndarray
    assert_close(found, one.transform(X), 1e-12)
    names = [f"{name.lower()}{k}" for k in range(3)]
    assert list(one.set_output(transform="pandas").transform(X[:4]).columns) == names
    if name == "IncrementalPCA":
        two.partial_fit(bc.asarray(X))
        assert_close(two.mean_, one.mean_, 1e-12)
