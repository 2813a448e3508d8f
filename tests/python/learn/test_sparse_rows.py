"""Learners over sparse rows against scikit-learn's: results, types, and the kinds of inputs."""

import pickle
import warnings

import bascule as bc
import numpy as np
import pytest
from bascule import sparse as our_sparse
from bascule.learn import cluster, decomposition, linear_model, model_selection, neighbors, pipeline, preprocessing, svm
from learn_data import shown
from scipy import sparse
from sklearn import cluster as their_cluster
from sklearn import decomposition as their_decomposition
from sklearn import linear_model as their_linear_model
from sklearn import neighbors as their_neighbors
from sklearn import svm as their_svm
from threadpoolctl import threadpool_limits


@pytest.fixture(autouse=True)
def native():
    with bc.config.set(fallback="error"), threadpool_limits(1):
        yield


def made(n, d, density=0.2, seed=0):
    rng = np.random.default_rng(seed)
    X = sparse.random_array((n, d), density=density, rng=rng, data_sampler=rng.normal, format="csr")
    X.indices, X.indptr = X.indices.astype(np.int32), X.indptr.astype(np.int32)
    return X


def with_empty_rows_and_columns():
    X = made(120, 30).toarray()
    X[:20], X[:, 3:9] = 0, 0
    return sparse.csr_array(X)


def with_repeats():
    rng = np.random.default_rng(4)
    lengths = rng.integers(0, 12, 150)
    indptr = np.concatenate([[0], lengths.cumsum()]).astype(np.int32)
    indices = rng.integers(0, 25, indptr[-1]).astype(np.int32)
    return sparse.csr_array((rng.normal(size=indptr[-1]), indices, indptr), shape=(150, 25))


SETS = {
    "long": lambda: made(300, 20),
    "wide": lambda: made(60, 200, 0.05),
    "many": lambda: made(4_000, 40, 0.1),
    "empty rows and columns": with_empty_rows_and_columns,
    "repeated positions": with_repeats,
    "matrix": lambda: sparse.csr_matrix(made(100, 15)),
    "by columns": lambda: sparse.csc_array(made(100, 15)),
    "float32": lambda: made(200, 15).astype(np.float32),
}
LONG = [name for name in SETS if name != "wide"]
every_set = pytest.mark.parametrize("name", SETS)


def once(X):
    """With one element at each position: squares of scikit-learn's are of elements."""
    X = X.copy()
    X.sum_duplicates()
    return X


def targets(X, count=None):
    rng = np.random.default_rng(7)
    shape = (X.shape[1],) if count is None else (X.shape[1], count)
    found = X @ rng.normal(size=shape)
    return found + 0.1 * rng.normal(size=found.shape) + 5


def same_kind(mine, other, *names):
    for name in names:
        a, b = getattr(mine, name), getattr(other, name)
        assert type(a) is type(b) and np.shape(a) == np.shape(b), name
        assert getattr(a, "dtype", None) == getattr(b, "dtype", None), name


@pytest.mark.parametrize("options", [{}, {"fit_intercept": False}, {"alpha": 0.01}, {"solver": "sparse_cg"}, {"max_iter": 3}], ids=shown)  # fmt: skip
@pytest.mark.parametrize("count", [None, 1, 4])
@every_set
def test_ridge(name, count, options):
    X = SETS[name]()
    y = targets(X, count)
    exact = 2e-4 if X.dtype == np.float32 else 1e-9
    for w in (None, np.random.default_rng(1).uniform(0.5, 2, X.shape[0])):
        mine, other = (m.Ridge(**options).fit(X, y, w) for m in (linear_model, their_linear_model))
        same_kind(mine, other, "coef_", "intercept_", "n_iter_", "solver_")
        scale = np.abs(other.coef_).max()
        np.testing.assert_allclose(mine.coef_, other.coef_, rtol=0, atol=exact * scale)
        np.testing.assert_allclose(mine.intercept_, other.intercept_, rtol=exact)
        np.testing.assert_allclose(mine.predict(X), other.predict(X), atol=10 * exact * np.abs(y).max())


def test_ridge_with_a_penalty_for_each_target():
    X = made(200, 20)
    alpha = np.array([0.1, 1.0, 10.0])
    mine, other = (m.Ridge(alpha=alpha).fit(X, targets(X, 3)) for m in (linear_model, their_linear_model))
    np.testing.assert_allclose(mine.coef_, other.coef_, atol=1e-10)


def test_ridge_with_other_solvers_is_scikit_learns():
    X = made(50, 5)
    with pytest.raises(NotImplementedError, match="X is sparse, and solver='lsqr'"):
        linear_model.Ridge(solver="lsqr").fit(X, targets(X))
    with bc.config.set(fallback="silent"):
        mine, other = (m.Ridge(solver="lsqr").fit(X, targets(X)) for m in (linear_model, their_linear_model))
    np.testing.assert_array_equal(mine.coef_, other.coef_)


def hinge_objective(model, X, y, C):
    s = np.where(y == model.classes_[1], 1.0, -1.0)
    missing = np.maximum(1 - s * model.decision_function(X), 0)
    return 0.5 * (model.coef_**2).sum() + 0.5 * (model.intercept_**2).sum() + C * (missing**2).sum()


@pytest.mark.parametrize("options", [{}, {"C": 10.0}, {"class_weight": {0: 1.0}}, {"dual": False}], ids=shown)
@pytest.mark.parametrize("name", LONG)
def test_linear_svc(name, options):
    X = SETS[name]()
    y = (targets(X) > 5).astype(int)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        mine, other = (m.LinearSVC(tol=1e-6, max_iter=5000, **options).fit(X, y) for m in (svm, their_svm))
    same_kind(mine, other, "coef_", "intercept_", "classes_")
    assert hinge_objective(mine, X, y, options.get("C", 1.0)) <= hinge_objective(other, X, y, options.get("C", 1.0)) * (1 + 1e-9)  # fmt: skip
    np.testing.assert_allclose(mine.coef_, other.coef_, atol=1e-3 * np.abs(other.coef_).max())


def test_linear_svc_of_three_classes_and_of_wide_rows():
    X = made(400, 20)
    y = np.digitize(targets(X), [4.5, 5.5])
    mine, other = (m.LinearSVC(tol=1e-6).fit(X, y) for m in (svm, their_svm))
    np.testing.assert_allclose(mine.coef_, other.coef_, atol=1e-3)
    np.testing.assert_array_equal(mine.predict(X), other.predict(X))
    with pytest.raises(NotImplementedError, match="more columns than rows"):
        svm.LinearSVC().fit(made(20, 40), np.arange(20) % 2)


@pytest.mark.parametrize("options", [{}, {"n_iter": 2}, {"power_iteration_normalizer": "QR"}], ids=shown)
@every_set
def test_truncated_svd(name, options):
    X = SETS[name]()
    X = sparse.hstack([X, made(X.shape[0], 1200, 0.01).astype(X.dtype)], format="csr")  # scikit-learn's projections
    exact = 1e-4 if X.dtype == np.float32 else 1e-9
    mine, other = (m.TruncatedSVD(4, random_state=0, **options) for m in (decomposition, their_decomposition))
    found, wanted = mine.fit_transform(X), other.fit_transform(X)
    same_kind(mine, other, "components_", "singular_values_", "explained_variance_", "explained_variance_ratio_")
    assert found.dtype == wanted.dtype
    for a, b in ((found, wanted), *((getattr(mine, n), getattr(other, n)) for n in ("components_", "singular_values_", "explained_variance_", "explained_variance_ratio_"))):  # fmt: skip
        np.testing.assert_allclose(a, b, rtol=0, atol=exact * max(1.0, np.abs(b).max()))
    np.testing.assert_allclose(mine.transform(X), other.transform(X), atol=10 * exact)


@pytest.mark.parametrize("name", LONG)
def test_truncated_svd_of_few_columns_is_exact(name):
    X = SETS[name]()
    model = decomposition.TruncatedSVD(4, random_state=0)
    found = model.fit_transform(X)
    dense = X.toarray().astype(float)
    values = np.linalg.svd(dense, compute_uv=False)[:4]
    close = 1e-5 if X.dtype == np.float32 else 1e-10
    np.testing.assert_allclose(model.singular_values_, values, rtol=close)
    np.testing.assert_allclose(found, dense @ model.components_.T, atol=close * 100)
    np.testing.assert_allclose(model.explained_variance_, found.var(axis=0), rtol=1e-4 if close > 1e-6 else 1e-9)
    np.testing.assert_allclose(model.explained_variance_ratio_, found.var(axis=0) / dense.var(axis=0).sum(), rtol=1e-4 if close > 1e-6 else 1e-9)  # fmt: skip


@pytest.mark.parametrize("options", [{}, {"init": "random", "n_init": 3}, {"algorithm": "elkan"}, {"max_iter": 2}], ids=shown)  # fmt: skip
@pytest.mark.parametrize("name", [n for n in SETS if n != "float32"])
def test_k_means(name, options):
    X = SETS[name]()
    for w in (None, np.random.default_rng(1).uniform(0, 2, X.shape[0])):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            mine, other = (
                m.KMeans(4, random_state=0, **options).fit(A, sample_weight=w)
                for m, A in ((cluster, X), (their_cluster, once(X)))
            )
        same_kind(mine, other, "cluster_centers_", "labels_", "inertia_", "n_iter_")
        np.testing.assert_array_equal(mine.labels_, other.labels_)
        assert mine.n_iter_ == other.n_iter_
        np.testing.assert_allclose(mine.inertia_, other.inertia_)
        np.testing.assert_allclose(mine.cluster_centers_, other.cluster_centers_, atol=1e-10)
        np.testing.assert_array_equal(mine.predict(X), other.predict(once(X)))
        np.testing.assert_allclose(mine.transform(X), other.transform(once(X)), atol=1e-7)
        np.testing.assert_allclose(mine.score(X), other.score(once(X)))


def test_k_means_from_given_centers_that_lose_their_rows():
    X = made(80, 10, 0.4)
    init = np.zeros((4, 10))
    init[1:] = 50 + np.arange(3)[:, None]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        mine, other = (m.KMeans(4, init=init, n_init=1).fit(X) for m in (cluster, their_cluster))
    np.testing.assert_array_equal(mine.labels_, other.labels_)
    np.testing.assert_allclose(mine.cluster_centers_, other.cluster_centers_, atol=1e-12)


@pytest.mark.parametrize("count", [1, 5, 40])
@every_set
def test_neighbours(name, count):
    X = sparse.csr_array(SETS[name]())
    X = once(X[np.asarray(abs(X).sum(axis=1)) > 0])
    queries = X[::3] * 0.5
    mine, other = (m.NearestNeighbors(n_neighbors=count).fit(X) for m in (neighbors, their_neighbors))
    exact = 1e-3 if X.dtype == np.float32 else 1e-7
    for given in (queries, None):
        got, wanted = mine.kneighbors(given), other.kneighbors(given)
        assert got[0].dtype == np.float64 and got[1].dtype == wanted[1].dtype
        np.testing.assert_allclose(got[0], wanted[0], atol=exact)
        apart = np.abs(np.diff(wanted[0], axis=1)).min(axis=1, initial=1.0) > exact  # else ties
        np.testing.assert_array_equal(got[1][apart][:, :-1], wanted[1][apart][:, :-1])
    np.testing.assert_allclose(mine.kneighbors(queries.toarray())[0], other.kneighbors(queries)[0], atol=exact)


def test_of_equal_distances_the_lower_row_is_the_neighbour():
    X = sparse.csr_array(np.repeat(np.eye(5), 4, axis=0))
    found = neighbors.NearestNeighbors(n_neighbors=6).fit(X).kneighbors(X[:1])
    np.testing.assert_array_equal(found[1], [[0, 1, 2, 3, 4, 5]])
    np.testing.assert_array_equal(found[0][0, :4], 0)


def test_neighbours_that_predict():
    X = made(300, 20)
    y = np.digitize(targets(X), [4.5, 5.5])
    for estimator in ("KNeighborsClassifier", "KNeighborsRegressor"):
        mine, other = (getattr(m, estimator)().fit(X[:200], y[:200]) for m in (neighbors, their_neighbors))
        np.testing.assert_allclose(mine.predict(X[200:]), other.predict(X[200:]))


CALLS = {
    "Ridge": lambda X, y: linear_model.Ridge().fit(X, y).predict(X),
    "LogisticRegression": lambda X, y: linear_model.LogisticRegression().fit(X, y > 5).predict_proba(X),
    "LinearSVC": lambda X, y: svm.LinearSVC().fit(X, y > 5).decision_function(X),
    "TruncatedSVD": lambda X, y: decomposition.TruncatedSVD(3, random_state=0).fit_transform(X),
    "KMeans": lambda X, y: cluster.KMeans(3, random_state=0).fit(X).transform(X),
    "NearestNeighbors": lambda X, y: neighbors.NearestNeighbors().fit(X).kneighbors(X)[0],
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("form", ["csr", "csc"])
def test_sparse_arrays_of_bascule_are_taken_and_results_are_ours(name, form):
    X = made(200, 12)
    y = targets(X)
    mine = getattr(our_sparse, f"{form}_array")(X.asformat(form))
    got, wanted = CALLS[name](mine, bc.asarray(y)), CALLS[name](X, y)
    assert type(got) is bc.ndarray
    np.testing.assert_allclose(np.asarray(got), wanted, atol=1e-8)


def test_sparse_results_of_sparse_arrays_are_ours():
    X = made(50, 8)
    with bc.config.set(fallback="silent"):
        found = preprocessing.MaxAbsScaler().fit_transform(our_sparse.csr_array(X))
    assert type(found) is our_sparse.csr_array
    np.testing.assert_allclose(found.to_scipy().toarray(), preprocessing.MaxAbsScaler().fit_transform(X.toarray()))


def test_a_search_and_a_pipeline_over_sparse_arrays_of_bascule():
    X = made(200, 30)
    y = targets(X) > 5
    chain = pipeline.make_pipeline(decomposition.TruncatedSVD(5, random_state=0), linear_model.LogisticRegression())
    grid = {"logisticregression__C": [0.1, 1.0]}
    with bc.config.set(fallback="silent"):
        scores = [model_selection.GridSearchCV(chain, grid, cv=3).fit(A, y).cv_results_["mean_test_score"] for A in (X, our_sparse.csr_array(X))]  # fmt: skip
    np.testing.assert_allclose(*scores)


@pytest.mark.parametrize("name", CALLS)
def test_errors_and_pickles(name):
    X = made(30, 5)
    X.data[3] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        CALLS[name](X, targets(made(30, 5)))
    model = linear_model.Ridge().fit(made(30, 5), np.arange(30.0))
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).coef_, model.coef_)
