"""Clusters of dense rows against scikit-learn's: the same labels and core rows."""

import bascule as bc
import numpy as np
import pytest
from bascule.learn import cluster as ours
from learn_data import SETS, assert_same_error, assert_same_fit, data, shown, weights
from scipy import sparse
from sklearn import cluster as theirs
from sklearn.datasets import make_blobs, make_moons


@pytest.fixture(autouse=True)
def native():
    with bc.config.set(fallback="error"):
        yield


def compare(X, w=None, **options):
    mine, other = (m.DBSCAN(**options).fit(X, sample_weight=w) for m in (ours, theirs))
    assert_same_fit(mine, other, 0)
    assert mine.labels_.dtype == other.labels_.dtype
    return mine


def near(X):
    """A radius within which some rows have enough neighbours, and which no distance is."""
    X = np.asarray(X, float)
    some = np.sqrt(((X[:200, None] - X[None, :200]) ** 2).sum(axis=2))
    return max(float(np.quantile(some[some > 0], 0.1)) if (some > 0).any() else 1.0, 1e-6) * (1 + 1e-6)


@pytest.mark.parametrize("weighted", [False, True], ids=["", "weighted"])
@pytest.mark.parametrize("algorithm", ["auto", "brute", "kd_tree"])
@pytest.mark.parametrize("name", sorted(SETS.keys() - {"many rows", "many targets", "far from zero"}))
def test_sets(name, algorithm, weighted):
    X = data(name)[0]
    w = weights(len(X)) if weighted else None
    for count in (1, 3, 12):
        compare(X, w, eps=near(X), min_samples=count, algorithm=algorithm)


@pytest.mark.parametrize("columns", [2, 9, 20])
def test_blobs_and_rows_between_them(columns):
    X, _ = make_blobs(1500, columns, centers=6, cluster_std=2.0, random_state=0)
    for share in (0.01, 0.05, 0.2):
        apart = np.sqrt(((X[:300, None] - X[None, :300]) ** 2).sum(axis=2))
        compare(X, eps=float(np.quantile(apart, share)), min_samples=8, algorithm="brute")
    compare(X, eps=1e-9)
    compare(X, eps=1e9)


def test_a_row_between_two_clusters_has_the_first_one():
    line = np.concatenate([np.arange(0, 5.0), np.arange(7.0, 12.0), [5.5 + 0.5]])[:, None]
    for order in (np.arange(11), np.arange(11)[::-1], np.random.default_rng(0).permutation(11)):
        compare(line[order], eps=1.01, min_samples=3, algorithm="brute")


def test_grids_whose_rows_are_at_the_radius():
    grid = np.stack(np.meshgrid(np.arange(20.0), np.arange(20.0)), axis=2).reshape(-1, 2)
    for count in (2, 5, 6):
        compare(grid, eps=1.0, min_samples=count, algorithm="brute")


def test_moons_and_negative_weights():
    X, _ = make_moons(800, noise=0.05, random_state=0)
    found = compare(X, eps=0.2, algorithm="brute")
    assert found.labels_.max() == 1
    compare(X, np.where(X[:, 0] > 0, -1.0, 2.0), eps=0.2, algorithm="brute")


def test_kinds_threads_and_errors():
    X, _ = make_blobs(700, 12, random_state=0)
    wanted = ours.DBSCAN(eps=4.0).fit(X)
    before = bc.get_num_threads()
    try:
        bc.set_num_threads(1)
        one = ours.DBSCAN(eps=4.0).fit(bc.asarray(X))
    finally:
        bc.set_num_threads(before)
    assert type(one.labels_) is type(one.components_) is bc.ndarray
    np.testing.assert_array_equal(np.asarray(one.labels_), wanted.labels_)
    np.testing.assert_array_equal(ours.DBSCAN(eps=4.0).fit_predict(X), wanted.labels_)
    assert_same_error(lambda m: m.DBSCAN(eps=0.0).fit(X), ours, theirs)
    assert_same_error(lambda m: m.DBSCAN().fit(np.full((3, 2), np.nan)), ours, theirs)


@pytest.mark.parametrize("options", [{"metric": "manhattan"}, {"metric": "precomputed"}, {"sparse": True}], ids=shown)
def test_what_is_left_to_scikit_learn(options):
    X = np.abs(make_blobs(60, 3, random_state=0)[0])
    X = sparse.csr_array(X) if options.pop("sparse", False) else X
    if options.get("metric") == "precomputed":
        X = np.abs(X[:, None] - X).sum(axis=2)
    with pytest.raises(NotImplementedError, match="runs in scikit-learn"):
        ours.DBSCAN(**options).fit(X)
    with bc.config.set(fallback="silent"):
        mine, other = (m.DBSCAN(eps=1.0, **options).fit(X) for m in (ours, theirs))
        np.testing.assert_array_equal(mine.labels_, other.labels_)
