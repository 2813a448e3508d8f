"""Dask's arrays: a leaf a chunk."""

import bascule as bc
import dask
import dask.array as da
import numpy as np
import pytest
from bascule.learn import cluster, decomposition, linear_model, model_selection, naive_bayes, preprocessing
from learn_data import assert_close, data, shown, weights
from sklearn.base import clone

CHUNKS = (1_500, 1_500, 2_000)


@pytest.fixture(scope="module")
def rows():
    X, y = data("many targets")
    return X, y, da.from_array(X, (CHUNKS, 4)), da.from_array(y, (1_000, 2))


@pytest.mark.parametrize("name", ["Ridge", "LinearRegression", "RidgeCV", "Lasso", "ElasticNet"])
def test_linear_models(rows, name):
    X, y, chunks, targets = rows
    mine = getattr(linear_model, name)().fit(chunks, targets, weights(len(X)))
    other = getattr(linear_model, name)().fit(X, y, weights(len(X)))
    assert_close(mine.coef_, other.coef_, 1e-12)
    predicted = mine.predict(chunks)
    assert isinstance(predicted, da.Array) and predicted.chunks[0] == CHUNKS
    assert_close(predicted.compute(), other.predict(X), 1e-12)


@pytest.mark.parametrize("name", ["StandardScaler", "MinMaxScaler", "MaxAbsScaler", "Normalizer"])
def test_scalers(rows, name):
    X, _, chunks, _ = rows
    mine, other = getattr(preprocessing, name)().fit(chunks), getattr(preprocessing, name)().fit(X)
    if name != "Normalizer":
        assert_close(mine.scale_, other.scale_, 1e-12)
    assert_close(mine.transform(chunks).compute(), other.transform(X), 1e-12)


@pytest.fixture
def pieces(monkeypatch):
    """The numbers of elements of all arrays that Dask gives back."""
    sizes = []
    compute = dask.base.compute

    def measured(*args, **kwargs):
        found = compute(*args, **kwargs)
        seen = [found]
        while seen:
            x = seen.pop()
            seen += x.values() if isinstance(x, dict) else x if isinstance(x, (list, tuple)) else ()
            sizes.append(getattr(x, "size", 1))
        return found

    monkeypatch.setattr(dask, "compute", measured)
    monkeypatch.setattr(dask.base, "compute", measured)
    return sizes


def labelled(rows):
    X, y, chunks, _ = rows
    level = y[:, 0] + np.random.default_rng(0).normal(size=len(y)) * y[:, 0].std()
    label = np.digitize(level, np.quantile(level, [0.3, 0.6]))
    return X, label, chunks, da.from_array(label, 1_000)


@pytest.mark.parametrize("options", [{}, {"svd_solver": "full"}, {"n_components": 0.9, "whiten": True}], ids=shown)
def test_components(rows, pieces, options):
    X, _, chunks, _ = rows
    mine, other = (decomposition.PCA(**{"n_components": 3} | options) for _ in range(2))
    projected = mine.fit_transform(chunks)
    assert max(pieces) < len(X)
    other.fit(X)
    for name in ("components_", "explained_variance_", "mean_", "noise_variance_"):
        assert_close(getattr(mine, name), getattr(other, name), 1e-9)
    assert isinstance(projected, da.Array) and projected.chunks[0] == CHUNKS
    for method in ("transform", "score_samples"):
        found = getattr(mine, method)(chunks)
        assert isinstance(found, da.Array)
        assert_close(found.compute(), getattr(other, method)(X), 1e-9)
    assert_close(mine.inverse_transform(projected).compute(), other.inverse_transform(other.transform(X)), 1e-9)
    assert_close(mine.score(chunks), other.score(X), 1e-9)


def test_components_of_few_chunks_that_scikit_learn_projects(rows):
    X = np.random.default_rng(0).normal(size=(600, 120))
    mine, other = (decomposition.PCA(3, random_state=0) for _ in range(2))
    with bc.config.set(fallback="silent"):
        assert_close(mine.fit(da.from_array(X, (200, 60))).components_, other.fit(X).components_, 1e-9)
    wide = X[:50]
    assert_close(decomposition.PCA(3).fit(da.from_array(wide, 20)).mean_, wide.mean(axis=0), 1e-12)


CLASSIFIERS = {
    "GaussianNB": naive_bayes.GaussianNB(),
    "RidgeClassifier": linear_model.RidgeClassifier(),
    "LogisticRegression": linear_model.LogisticRegression(solver="newton-cholesky", tol=1e-10),
}


@pytest.mark.parametrize("weighted", [False, True], ids=["", "weighted"])
@pytest.mark.parametrize("classes", [2, 3, "text"])
@pytest.mark.parametrize("name", CLASSIFIERS)
def test_classifiers(rows, pieces, name, classes, weighted):
    X, label, chunks, labels = labelled(rows)
    if classes == 2:
        label, labels = label > 0, labels > 0
    elif classes == "text":
        label = np.array(["a", "bc", "d"])[label]
        labels = da.from_array(label, 1_000)
    w = weights(len(X)) if weighted else None
    mine, other = clone(CLASSIFIERS[name]), clone(CLASSIFIERS[name]).fit(X, label, w)
    mine.fit(chunks, labels, w if w is None else da.from_array(w, 700))
    assert max(pieces) < len(X)
    np.testing.assert_array_equal(mine.classes_, other.classes_)
    for method in ("predict", "predict_proba", "predict_log_proba", "decision_function"):
        if hasattr(other, method):
            found, wanted = getattr(mine, method)(chunks), getattr(other, method)(X)
            assert isinstance(found, da.Array) and found.shape == wanted.shape and found.dtype == wanted.dtype, method
            if method == "predict":
                assert (found.compute() == wanted).mean() > 0.999
            else:
                assert_close(found.compute(), wanted, 1e-6)
    assert abs(mine.score(chunks, labels) - other.score(X, label)) < 1e-3


def test_labels_of_chunks_are_checked(rows):
    X, y, chunks, targets = rows
    for made in CLASSIFIERS.values():
        with pytest.raises(ValueError, match="Unknown label type"):
            clone(made).fit(chunks, targets[:, 0] + 0.5)
        with pytest.raises(ValueError, match="contains NaN"):
            clone(made).fit(da.from_array(np.where(X == X[7, 1], np.nan, X), (CHUNKS, 4)), targets[:, 0] > 0)


def test_a_pass_reads_each_chunk_once(counted):
    X, y, made, chunks, targets = counted
    naive_bayes.GaussianNB().fit(chunks, y[:, 0] > 0)
    assert sum(made) == X.size
    made.clear()
    decomposition.PCA(2).fit(chunks)
    assert sum(made) == X.size


@pytest.mark.parametrize("weighted", [False, True], ids=["", "weighted"])
@pytest.mark.parametrize("init", ["k-means++", "random", "given"])
def test_clusters(rows, pieces, init, weighted):
    """With scikit-learn's random numbers; the distances of rows are not put together."""
    X, _, chunks, _ = rows
    X = X + np.random.default_rng(0).integers(0, 3, (len(X), 1)) * 5
    chunks = da.from_array(X, (CHUNKS, 4))
    w = weights(len(X)) if weighted else None
    start = X[:3] if init == "given" else init
    mine, other = (cluster.KMeans(3, init=start, n_init=1, random_state=1) for _ in range(2))
    mine.fit(chunks, sample_weight=None if w is None else da.from_array(w, 700))
    assert max(pieces) <= len(X)
    other.fit(X, sample_weight=w)
    assert_close(mine.cluster_centers_, other.cluster_centers_, 1e-9)
    assert (mine.n_iter_, type(mine.labels_)) == (other.n_iter_, da.Array)
    assert_close(mine.inertia_, other.inertia_, 1e-9)
    for found, wanted in ((mine.labels_, other.labels_), (mine.predict(chunks), other.predict(X))):
        np.testing.assert_array_equal(found.compute(), wanted)
        assert found.dtype == wanted.dtype
    assert_close(mine.transform(chunks).compute(), other.transform(X), 1e-9)
    assert_close(mine.score(chunks), other.score(X), 1e-9)


def test_clusters_without_rows_move_as_scikit_learns(rows):
    X, _, chunks, _ = rows
    start = np.concatenate([X[:2], np.full((2, X.shape[1]), 1e3) * [[1], [2]]])
    mine, other = (cluster.KMeans(4, init=start, n_init=1) for _ in range(2))
    assert_close(mine.fit(chunks).cluster_centers_, other.fit(X).cluster_centers_, 1e-9)
    several = (cluster.KMeans(3, n_init=3, random_state=0).fit(x) for x in (chunks, X))
    assert_close(*(m.inertia_ for m in several), 1e-9)


@pytest.fixture
def counted(rows):
    """The rows, where each computation of a chunk is counted."""
    X, y, chunks, _ = rows
    made = []

    def block(x):
        made.append(x.size)
        return x

    return X, y, made, chunks.map_blocks(block, meta=X[:0]), da.from_array(y, (1_000, 2)).map_blocks(block, meta=y[:0])


@pytest.mark.parametrize("verbose", [0, 1])
@pytest.mark.parametrize("name", ["GridSearchCV", "HalvingGridSearchCV"])
def test_searches_compute_their_rows_once(counted, name, verbose):
    X, y, made, chunks, targets = counted
    search = getattr(model_selection, name)(linear_model.Ridge(), {"alpha": [0.1, 10.0]}, cv=3, verbose=verbose)
    with bc.config.set(fallback="silent"):
        search.fit(chunks, targets)
        assert sum(made) == X.size + y.size
        wanted = clone(search).fit(X, y)
    np.testing.assert_array_equal(search.cv_results_["mean_test_score"], wanted.cv_results_["mean_test_score"])


def test_cross_validation_computes_its_rows_once(counted):
    X, y, made, chunks, targets = counted
    weights_ = da.from_array(weights(len(X)), 1_000)
    for name in ("cross_validate", "cross_val_score", "cross_val_predict"):
        function = getattr(model_selection, name)
        got = function(linear_model.Ridge(), chunks, targets, params={"sample_weight": weights_})
        assert sum(made) == X.size + y.size
        made.clear()
        wanted = function(linear_model.Ridge(), X, y, params={"sample_weight": weights(len(X))})
        got, wanted = (v["test_score"] if name == "cross_validate" else v for v in (got, wanted))
        np.testing.assert_array_equal(got, wanted)


def test_errors_are_those_of_scikit_learn(rows):
    X, y, _, targets = rows
    X = X.copy()
    X[4_000, 2] = np.nan
    with pytest.raises(ValueError, match="Input X contains NaN.\nRidge does not accept missing values"):
        linear_model.Ridge().fit(da.from_array(X, (CHUNKS, 6)), targets)
