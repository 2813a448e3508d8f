"""Nearest rows against scikit-learn's: the same distances to rounding, and the same rows where distances differ."""

import pickle
import warnings

import bascule as bc
import numpy as np
import pytest
from bascule.learn import neighbors as ours
from scipy import sparse
from sklearn import neighbors as theirs
from sklearn.base import clone


def made(n, d, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


SETS = {
    "few rows": lambda: made(30, 20),
    "many rows": lambda: made(3000, 20),
    "many columns": lambda: made(300, 200),
    "two columns, exhaustive": lambda: made(500, 2),
    "far from zero": lambda: made(400, 20) + 1e6,
    "tiny": lambda: made(400, 20) * 1e-200,
    "one far row": lambda: np.concatenate([made(399, 20), np.full((1, 20), 1e9)]),
    "duplicates": lambda: np.repeat(made(40, 20), 3, axis=0),
    "integers": lambda: (made(300, 20) * 20).astype(np.int64),
    "float32": lambda: made(300, 20).astype(np.float32),
    "bool": lambda: made(300, 20) > 0,
    "F order": lambda: np.asfortranarray(made(300, 20)),
    "read only": lambda: (X := made(300, 20), X.setflags(write=False))[0],
}  # fmt: skip


@pytest.fixture(autouse=True)
def native():
    with bc.config.set(fallback="error"):
        yield


def close(mine, other, rows, queries):
    """Distances are equal to rounding of the data's; rows too, but for those at the same distance."""
    scale = max(float(np.abs(np.asarray(rows, float)).max()), 1e-300)
    np.testing.assert_allclose(mine[0], other[0], rtol=1e-6, atol=1e-7 * scale)
    assert mine[1].dtype == other[1].dtype and mine[0].shape == other[0].shape
    apart = np.asarray(queries, float)[:, None, :] - np.asarray(rows, float)[mine[1]]
    np.testing.assert_allclose(np.sqrt((apart * apart).sum(axis=2)), mine[0], rtol=1e-12)
    assert (np.diff(mine[0], axis=1) >= 0).all()


@pytest.mark.parametrize("k", [1, 5, 25])
@pytest.mark.parametrize("name", SETS)
def test_kneighbors(name, k):
    rows = SETS[name]()
    queries = rows[::3] if rows.dtype == bool else rows[::3] + rows[1::3][: len(rows[::3])][:1]
    mine, other = (m.NearestNeighbors(n_neighbors=k, algorithm="brute").fit(rows) for m in (ours, theirs))
    found, wanted = mine.kneighbors(queries), other.kneighbors(queries)
    close(found, wanted, rows, queries)
    np.testing.assert_array_equal(mine.kneighbors(queries, return_distance=False), found[1])
    own, theirs_own = mine.kneighbors(), other.kneighbors()
    close(own, theirs_own, rows, rows)
    if name != "duplicates":
        assert not (own[1] == np.arange(len(rows))[:, None]).any()
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(mine)).kneighbors(queries)[1], found[1])
    assert (mine.kneighbors_graph(queries) != other.kneighbors_graph(queries)).nnz <= len(queries) // 4 or name in (
        "duplicates",
        "far from zero",
        "one far row",
        "tiny",
        "bool",
    )


@pytest.mark.parametrize("weights", ["uniform", "distance", lambda d: 1 / (1 + d)])
@pytest.mark.parametrize("outputs", [1, 2])
@pytest.mark.parametrize("name", ["few rows", "many rows", "integers", "float32"])
def test_predictions(name, outputs, weights):
    X = SETS[name]()
    rng = np.random.default_rng(1)
    labels = rng.integers(0, 3, (len(X), outputs)).squeeze()
    targets = rng.normal(size=(len(X), outputs)).squeeze()
    options = {"weights": weights, "algorithm": "brute"}
    queries = X[::2] + (1 if X.dtype.kind == "i" else X[:1])
    mine, other = (m.KNeighborsClassifier(**options).fit(X, labels) for m in (ours, theirs))
    np.testing.assert_array_equal(mine.predict(queries), other.predict(queries))
    np.testing.assert_allclose(mine.predict_proba(queries), other.predict_proba(queries), rtol=1e-5)
    if outputs == 1:
        assert mine.score(queries, labels[::2]) == other.score(queries, labels[::2])
    mine, other = (m.KNeighborsRegressor(**options).fit(X, targets) for m in (ours, theirs))
    np.testing.assert_allclose(mine.predict(queries), other.predict(queries), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(mine.score(queries, targets[::2]), other.score(queries, targets[::2]), rtol=1e-5)


def test_arrays_and_frames_of_bascule():
    import bascule.pandas as pd

    X, y = made(200, 20), np.arange(200) % 3
    other = ours.KNeighborsClassifier().fit(X, y)
    for given in (bc.asarray(X), pd.DataFrame(X)):
        mine = ours.KNeighborsClassifier().fit(given, bc.asarray(y))
        predicted, (distances, indices) = mine.predict(given), mine.kneighbors(given)
        assert type(predicted) is type(distances) is type(indices) is bc.ndarray
        np.testing.assert_array_equal(np.asarray(predicted), other.predict(X))
        np.testing.assert_array_equal(np.asarray(indices), other.kneighbors(X)[1])
        np.testing.assert_array_equal(np.asarray(mine.predict_proba(given)), other.predict_proba(X))


def test_trees_and_other_metrics_are_scikit_learns():
    X = made(300, 4)
    np.testing.assert_array_equal(
        ours.NearestNeighbors().fit(X).kneighbors(X)[1], theirs.NearestNeighbors().fit(X).kneighbors(X)[1]
    )
    for options in ({"metric": "manhattan"}, {"p": 1}, {"metric": "cosine"}):
        options["algorithm"] = "brute"
        with pytest.raises(NotImplementedError, match="metric"):
            ours.NearestNeighbors(**options).fit(X).kneighbors(X)
        with bc.config.set(fallback="silent"):
            mine, other = (m.NearestNeighbors(**options).fit(X).kneighbors(X) for m in (ours, theirs))
        np.testing.assert_array_equal(mine[1], other[1])
    with bc.config.set(fallback="silent"):
        S = sparse.csr_array(np.where(X > 0, X, 0))
        mine, other = (m.NearestNeighbors(radius=0.5).fit(S).radius_neighbors(S) for m in (ours, theirs))
        for a, b in zip(mine[1], other[1]):
            np.testing.assert_array_equal(np.sort(a), np.sort(b))


@pytest.mark.parametrize(
    "call",
    [
        lambda m: m.NearestNeighbors(algorithm="brute").fit(made(4, 20)).kneighbors(made(2, 20)),
        lambda m: m.NearestNeighbors(algorithm="brute", n_neighbors=4).fit(made(4, 20)).kneighbors(),
        lambda m: m.NearestNeighbors(algorithm="brute").fit(made(9, 20)).kneighbors(made(2, 3)),
        lambda m: m.NearestNeighbors(algorithm="brute").fit(made(9, 20)).kneighbors(made(2, 20) * np.nan),
        lambda m: m.NearestNeighbors(algorithm="brute").fit(made(9, 20)).kneighbors(made(2, 20), 0),
        lambda m: m.NearestNeighbors(algorithm="brute").fit(made(9, 20)).kneighbors(made(2, 20), 1.5),
        lambda m: m.NearestNeighbors(algorithm="no").fit(made(9, 20)),
        lambda m: m.KNeighborsClassifier().predict(made(2, 20)),
        lambda m: m.KNeighborsClassifier().fit(made(9, 20), np.linspace(0, 1, 9)),
    ],
)  # fmt: skip
def test_errors_are_scikit_learns(call):
    with pytest.raises(Exception) as other:
        call(theirs)
    with pytest.raises(type(other.value)) as mine:
        call(ours)
    assert str(mine.value) == str(other.value)


def test_a_clone_is_of_the_same_class_and_the_way_back_predicts_the_same():
    X, y = made(100, 20), np.arange(100) % 2
    mine = ours.KNeighborsClassifier().fit(X, y)
    assert type(clone(mine)) is ours.KNeighborsClassifier
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        np.testing.assert_array_equal(mine.to_sklearn().predict(X), mine.predict(X))


@pytest.mark.parametrize("name", SETS)
def test_rows_within_a_radius(name):
    """Every query has the rows that are near enough; scikit-learn finds the same but for rounding."""
    rows = SETS[name]()[:400].astype(float)
    queries = rows[::3] + rows.std() / 100
    mine, other = (m.NearestNeighbors(n_neighbors=20, algorithm="brute").fit(rows) for m in (ours, theirs))
    radius = float(np.median(other.kneighbors()[0])) * (1 + 1e-9)
    for given in (None, queries):
        at = rows if given is None else given
        exact = np.sqrt(((at[:, None] - rows) ** 2).sum(axis=2))
        inside = exact <= radius
        if given is None:
            np.fill_diagonal(inside, False)
        distances, found = mine.radius_neighbors(given, radius, sort_results=True)
        assert [set(k) for k in found] == [set(np.flatnonzero(row)) for row in inside]
        for d, k, row in zip(distances, found, exact):
            np.testing.assert_allclose(d, row[k], rtol=1e-12)
            assert (np.diff(d) >= 0).all()
        unsorted = mine.radius_neighbors(given, radius, return_distance=False)
        assert [list(x) for x in unsorted] == [sorted(x) for x in found]
        if name not in ("far from zero", "tiny", "one far row"):
            wanted = other.radius_neighbors(given, radius, return_distance=False)
            assert [x.dtype for x in unsorted] == [x.dtype for x in wanted]
            assert [set(x) for x in unsorted] == [set(x) for x in wanted]


def test_rows_within_a_radius_by_kinds_and_trees():
    X = made(60, 20)
    mine = ours.NearestNeighbors(radius=5.0).fit(X)
    for a, b in zip(mine.radius_neighbors(bc.asarray(X)), mine.radius_neighbors(X)):
        assert [list(x) for x in a] == [list(x) for x in b]
    with pytest.raises(ValueError, match="return_distance must be True"):
        mine.radius_neighbors(X, return_distance=False, sort_results=True)
    few = made(200, 2)
    mine, other = (m.NearestNeighbors(radius=0.3).fit(few) for m in (ours, theirs))
    for a, b in zip(mine.radius_neighbors(), other.radius_neighbors()):
        assert [list(x) for x in a] == [list(x) for x in b]
    assert not any(map(len, ours.NearestNeighbors(radius=0.0).fit(X).radius_neighbors(return_distance=False)))
    with pytest.raises(NotImplementedError, match="metric"):
        ours.NearestNeighbors(radius=5.0, metric="manhattan", algorithm="brute").fit(X).radius_neighbors(X)
