"""k-means against scikit-learn's, from the same starts."""

import warnings

import bascule as bc
import numpy as np
import pytest
from bascule.learn import cluster as ours
from learn_data import SETS, assert_close, assert_same_fit, data, shown, weights
from sklearn import cluster as theirs


@pytest.fixture(autouse=True)
def native():
    with bc.config.set(fallback="error"):
        yield


def fitted(made, X, w=None):
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        return made.fit(X, sample_weight=w), {(w.category, str(w.message)) for w in said}


def compare(X, options, w=None, name="KMeans"):
    (mine, said), (other, wanted) = (fitted(getattr(m, name)(random_state=3, **options), X, w) for m in (ours, theirs))
    assert said == wanted
    level = np.abs(np.asarray(X, float)).max()
    inertia = max(other.inertia_, 1e-12 * level**2 * X.size)
    assert mine.inertia_ <= other.inertia_ + 1e-6 * inertia
    assert type(mine.labels_[0]) is np.int32 and type(mine.n_iter_) is type(other.n_iter_)
    if X.dtype != np.float32:  # whose rounding decides when scikit-learn stops
        assert_same_fit(mine, other, 1e-10, {"cluster_centers_": level, "inertia_": inertia})
        np.testing.assert_array_equal(mine.predict(X), other.predict(X))
        got, wanted = mine.transform(X), other.transform(X)
        assert got.dtype == wanted.dtype
        np.testing.assert_allclose(got**2, wanted**2, rtol=0, atol=1e-10 * level**2 * X.shape[1])
        assert mine.score(X, sample_weight=w) == pytest.approx(
            other.score(X, sample_weight=w), rel=1e-9, abs=1e-9 * inertia
        )
    return mine, other


@pytest.mark.parametrize("weighted", [False, True], ids=["", "weighted"])
@pytest.mark.parametrize("name", sorted(SETS.keys() - {"one row"}))
def test_fit(name, weighted):
    X = data(name)[0]
    compare(X, {"n_clusters": 4}, weights(len(X)) if weighted else None)


@pytest.mark.parametrize("options", [
    {"init": "random"}, {"init": "random", "n_init": 3}, {"algorithm": "elkan"}, {"tol": 0}, {"max_iter": 2}, {"n_clusters": 1},
    {"n_clusters": 1, "algorithm": "elkan"}, {"n_clusters": 40}, {"init": lambda X, k, random_state: X[:k].copy()}, {"copy_x": False},
], ids=shown)  # fmt: skip
@pytest.mark.parametrize("name", ["diabetes", "many rows"])
def test_options(name, options):
    X = data(name)[0].copy()
    compare(X, options)
    np.testing.assert_allclose(X, data(name)[0], rtol=1e-12)


def test_given_centers():
    X = data("diabetes")[0]
    start = X[:5].copy()
    compare(X, {"n_clusters": 5, "init": start})
    compare(X, {"n_clusters": 5, "init": start, "n_init": 3})
    np.testing.assert_array_equal(start, X[:5])
    for wrong in (X[:4], X[:5, :3]):
        said = []
        for m in (ours, theirs):
            with pytest.raises(ValueError) as error:
                m.KMeans(5, init=wrong).fit(X)
            said.append(str(error.value))
        assert said[0] == said[1]


def test_centers_without_rows_move_to_the_farthest_rows():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(9_000, 7))
    start = np.concatenate([X[:3], X[:3] + 100.0])  # three centers that no row is near
    compare(X, {"n_clusters": 6, "init": start})
    w = np.where(X[:, 0] > 0, 1.0, 0.0)
    compare(X, {"n_clusters": 6, "init": start}, w)


def test_fewer_different_rows_than_clusters():
    X = np.repeat(np.array([[0.0, 1.0], [5.0, 2.0], [10.0, 9.0]]), 16, axis=0)  # sums and means are exact
    mine, _ = compare(X, {"n_clusters": 5})
    assert mine.inertia_ == 0
    compare(np.ones((10, 2)), {"n_clusters": 2})


def test_rows_as_far_from_two_centers_go_to_the_first():
    X = np.array([[-1.0, 0.0], [0.0, 0.0], [1.0, 0.0], [0.0, 0.0]])
    compare(X, {"n_clusters": 2, "init": np.array([[-1.0, 0.0], [1.0, 0.0]]), "max_iter": 1})


def test_many_iterations_over_rows_without_clusters():
    X = np.random.default_rng(0).normal(size=(6_000, 5))
    mine, _ = compare(X, {"n_clusters": 12, "tol": 0})
    assert mine.n_iter_ > 30


def test_too_few_rows():
    said = []
    for m in (ours, theirs):
        with pytest.raises(ValueError) as error:
            m.KMeans(5).fit(np.eye(4))
        said.append(str(error.value))
    assert said[0] == said[1]


@pytest.mark.parametrize("weighted", [False, True], ids=["", "weighted"])
@pytest.mark.parametrize("name", sorted(SETS.keys() - {"one row", "float32"}))
def test_batches(name, weighted):
    X = data(name)[0]
    compare(X, {"n_clusters": 3, "batch_size": 32}, weights(len(X)) if weighted else None, "MiniBatchKMeans")


@pytest.mark.parametrize("options", [
    {}, {"init": "random"}, {"tol": 1e-3}, {"max_no_improvement": None, "max_iter": 2}, {"compute_labels": False}, {"n_init": 3},
    {"n_clusters": 40, "reassignment_ratio": 0.5}, {"init_size": 5}, {"batch_size": 10**6, "max_iter": 5}, {"reassignment_ratio": 0},
], ids=shown)  # fmt: skip
def test_options_of_batches(options):
    X = data("many rows")[0]
    if options.get("compute_labels", True):
        mine, other = compare(X, options, None, "MiniBatchKMeans")
    else:
        mine, other = (m.MiniBatchKMeans(random_state=3, **options).fit(X) for m in (ours, theirs))
        assert not hasattr(mine, "labels_") and mine.inertia_ == pytest.approx(other.inertia_, rel=1e-9)
    assert (mine.n_steps_, mine.n_iter_) == (other.n_steps_, other.n_iter_)


@pytest.mark.parametrize("kind", ["float64", "float32"])
def test_batches_one_by_one(kind):
    X = data("many rows")[0].astype(kind)
    mine, other = (m.MiniBatchKMeans(5, random_state=0) for m in (ours, theirs))
    for i in range(0, 12_000, 1_500):
        for m in (mine, other):
            m.partial_fit(X[i : i + 1_500], sample_weight=weights(1_500))
    assert_same_fit(mine, other, 1e-9 if kind == "float64" else 1e-3, skip=("labels_",))
    assert mine.n_steps_ == 8


@pytest.mark.parametrize("name", ["KMeans", "MiniBatchKMeans"])
def test_arrays_of_bascule_and_threads(name):
    X = data("many rows")[0]
    made = getattr(ours, name)
    one = made(5, random_state=0).fit(X)
    before = bc.get_num_threads()
    try:
        bc.set_num_threads(1)
        two = made(5, random_state=0).fit(bc.asarray(X))
    finally:
        bc.set_num_threads(before)
    for attribute in ("cluster_centers_", "labels_"):
        assert type(getattr(two, attribute)) is bc.ndarray
        np.testing.assert_array_equal(np.asarray(getattr(two, attribute)), getattr(one, attribute))
    assert (two.inertia_, two.n_iter_) == (one.inertia_, one.n_iter_)
    for method in ("predict", "transform", "fit_predict"):
        found = getattr(two, method)(bc.asarray(X))
        assert type(found) is bc.ndarray
        np.testing.assert_array_equal(np.asarray(found), getattr(one, method)(X))
    assert two.score(bc.asarray(X)) == one.score(X)
    assert list(one.set_output(transform="pandas").transform(X[:3]).columns) == [f"{name.lower()}{k}" for k in range(5)]


def test_a_function_that_starts_sparse_rows_sees_them_as_they_are():
    from scipy import sparse

    X = sparse.csr_array(np.random.default_rng(0).random((60, 4)) + 3)  # nearly full, which is fitted as dense rows are
    seen = []

    def init(X, k, random_state):
        seen.append((type(X), X.shape))
        return X[:k].toarray()

    mine, other = (m.KMeans(3, init=init, n_init=1).fit(X) for m in (ours, theirs))
    assert seen[0] == seen[1]
    assert_close(mine.cluster_centers_, other.cluster_centers_, 1e-10)


def test_sparse_rows_are_scikit_learns():
    from scipy import sparse

    X = sparse.csr_array(np.eye(30))
    with pytest.raises(NotImplementedError, match="X is sparse"):
        ours.MiniBatchKMeans(3).fit(X)
    with bc.config.set(fallback="silent"):
        mine, other = (m.MiniBatchKMeans(3, random_state=0).fit(X) for m in (ours, theirs))
        np.testing.assert_array_equal(mine.predict(X), other.predict(X))
        assert_close(mine.transform(X), other.transform(X), 1e-12)
