"""Every estimator that is computed here, by kinds of input and output, copies, errors and searches."""

import copy
import pickle
import warnings

import bascule as bc
import bascule.pandas as bpd
import dask
import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from bascule.learn._coverage import THEIRS
from bascule.learn.model_selection import GridSearchCV
from learn_parameters import NATIVE, made, of_name, sample
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError

TEXT = [name for name in THEIRS if ".text." in name and name.endswith("Vectorizer")]
OF_ROWS = [name for name in THEIRS if name not in TEXT and name != "preprocessing.LabelEncoder"]
SPARSE = "feature_extraction.text.TfidfTransformer"  # the results of which are sparse
TRANSFORMERS = [
    name for name in OF_ROWS if hasattr(of_name(name), "transform") and "model_selection" not in name and name != SPARSE
]
METHODS = ("transform", "predict", "predict_proba", "decision_function", "score_samples", "kneighbors", "mahalanobis")


def _frame(of):
    return lambda X: of.DataFrame(X, columns=[f"c{k}" for k in range(X.shape[1])])


def _read_only(X):
    X = X.copy()
    X.setflags(write=False)
    return X


KINDS = {
    "ours": bc.asarray,
    "our frame": _frame(bpd),
    "pandas": _frame(pd),
    "read-only": _read_only,
    "F order": np.asfortranarray,
    "every other": lambda X: np.repeat(X, 2, axis=1)[:, ::2],
    "list": lambda X: X.tolist(),
}
DTYPES = ("f4", "i1")


@pytest.fixture(autouse=True)
def calm():
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", category=ConvergenceWarning)
        warnings.filterwarnings("ignore", "Bins whose width are too small")
        with bc.config.set(fallback="error"):
            yield


def seeded(name, **more):
    """Of neighbours, an estimator that searches here; others with the parameters that the table is tested with."""
    more |= {"random_state": 0} if NATIVE[name].get("random_state", ["deprecated"]) != ["deprecated"] else {}
    return made(name, **more | ({"algorithm": "brute"} if name.startswith("neighbors.") else {}))


def rows_of(name):
    """Small whole numbers, which every dtype holds, in fewer rows than `sample` has."""
    X, y = sample(name)
    if X.dtype.kind == "f":
        X = np.rint(X[:150] * 60)
    return X, y[: len(X)]


def dense(x):
    if isinstance(x, (tuple, list)):
        return [dense(each) for each in x]
    return np.asarray(x.toarray() if hasattr(x, "toarray") else x)


def results(estimator, X):
    """Of each method that reads rows, or what a fit found where there is none."""
    found = {m: getattr(estimator, m)(X) for m in METHODS if hasattr(estimator, m)}
    return found or {"labels_": estimator.labels_} if hasattr(estimator, "labels_") else found


def assert_same(got, wanted, tolerance=1e-9):
    assert got.keys() == wanted.keys() and got
    for method, want in wanted.items():
        for mine, other in zip(*(x if isinstance(x, list) else [x] for x in (dense(got[method]), dense(want)))):
            assert mine.shape == other.shape, method
            if other.dtype.kind not in "fc":
                np.testing.assert_array_equal(mine, other, err_msg=method)
                continue
            assert mine.dtype == other.dtype, (method, mine.dtype, other.dtype)
            if method == "kneighbors":  # roots of squares in which scikit-learn's products cancel: 0 or 4e-9
                mine, other = mine**2, other**2
            scale = np.abs(other[np.isfinite(other)]).max(initial=1e-300)
            np.testing.assert_allclose(mine, other, rtol=tolerance, atol=tolerance * scale, err_msg=method)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", OF_ROWS)
def test_kinds_of_input(name, kind):
    X, y = rows_of(name)
    wanted = results(seeded(name).fit(X, y), X)
    other = KINDS[kind](X)
    mine = seeded(name).fit(other, y)
    got = results(mine, other)
    assert_same(got, wanted)
    if kind.startswith("our"):
        for method, found in got.items():
            for x in found if isinstance(found, (list, tuple)) else [found]:
                assert hasattr(x, "toarray") or type(x) is bc.ndarray or np.asarray(x).dtype.kind in "UO", method
    if kind in ("our frame", "pandas"):
        assert mine.feature_names_in_.tolist() == list(other.columns)


OF_DASK = {
    "array": lambda a: da.from_array(a, (max(1, len(a) // 3), *a.shape[1:])),
    "frame": lambda a: dd.from_pandas(pd.DataFrame(a) if a.ndim == 2 else pd.Series(a), npartitions=3),
}


@pytest.mark.parametrize("kind", OF_DASK)
@pytest.mark.parametrize("name", OF_ROWS)
def test_rows_of_dask(name, kind):
    """Results are those of the same rows in memory."""
    X, y = rows_of(name)
    chunks, targets = (None if x is None else OF_DASK[kind](x) for x in (X, y))
    with bc.config.set(fallback="silent"):
        wanted = results(seeded(name).fit(X, y), X)
        got = results(seeded(name).fit(chunks, targets), chunks)
    assert_same({method: dask.compute(found)[0] for method, found in got.items()}, wanted)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", OF_ROWS)
def test_dtypes_of_input(name, dtype):
    """Both the types of results and results are those of scikit-learn's own class."""
    X, y = rows_of(name)
    X = X.astype(dtype)
    mine, other = seeded(name), seeded(name).to_sklearn()
    if "estimator" in mine.get_params(deep=False):
        other.set_params(estimator=mine.estimator.to_sklearn())
    got, wanted = results(mine.fit(X, y), X), results(other.fit(X, y), X)
    for method, want in wanted.items():
        for a, b in zip(*(x if isinstance(x, list) else [x] for x in (dense(got[method]), dense(want)))):
            assert (a.dtype, a.shape) == (b.dtype, b.shape), method
    again = results(seeded(name).fit(bc.asarray(X), y), bc.asarray(X))
    assert_same(again, got, 1e-5 if dtype == "f4" else 1e-9)


def fitted_sample(name):
    X, y = sample(name)  # without equal distances, of which neighbours may be any
    model = seeded(name)
    return (model.fit(X) if y is None else model.fit(X, y)), X


@pytest.mark.parametrize("name", THEIRS)
def test_pickles_clones_and_copies(name):
    model, X = fitted_sample(name)
    wanted = results(model, X)
    for again in (pickle.loads(pickle.dumps(model)), copy.copy(model), copy.deepcopy(model), model.to_sklearn()):
        if wanted:
            assert_same(results(again, X), wanted)
        assert vars(again).keys() - {"_sklearn_version"} >= {k for k in vars(model) if k.endswith("_")}
    new = clone(model)
    assert type(new) is of_name(name) and not any(k.endswith("_") and not k.startswith("_") for k in vars(new))


@pytest.mark.parametrize("kind", ["bascule", "pandas", "default"])
@pytest.mark.parametrize("name", TRANSFORMERS)
def test_kinds_of_output(name, kind):
    X, y = rows_of(name)
    more = {"sparse_output": False} if "sparse_output" in NATIVE[name] else {}
    more |= {"encode": "onehot-dense"} if "encode" in NATIVE[name] else {}
    wanted = seeded(name, **more).fit(X, y).transform(X)
    for taken in (X, bc.asarray(X), _frame(bpd)(X), _frame(pd)(X)):
        model = seeded(name, **more).set_output(transform=kind)
        made_so = [model.fit(taken, y).transform(taken), clone(model).fit_transform(taken, y)]
        for got in made_so[: 1 if name == "preprocessing.TargetEncoder" else 2]:  # whose two results differ
            if kind != "default":
                assert type(got) is {"bascule": bpd, "pandas": pd}[kind].DataFrame
                assert list(got.columns) == model.get_feature_names_out().tolist()
            np.testing.assert_allclose(np.asarray(got), np.asarray(wanted), rtol=1e-7, atol=1e-8 * np.abs(wanted).max())


STATELESS = ("preprocessing.Normalizer", "feature_extraction.text.HashingVectorizer")


@pytest.mark.parametrize("name", [name for name in THEIRS if name not in STATELESS])
def test_an_unfitted_estimator(name):
    X = sample(name)[0]
    called = 0
    for x in (X, bc.asarray(X)) if name not in TEXT else (X,):
        for method in (*METHODS, "inverse_transform"):
            if hasattr(of_name(name), method) and hasattr(made(name), method):
                called += 1
                with pytest.raises(NotFittedError):
                    getattr(made(name), method)(x)
    assert called or "model_selection" in name or name == "cluster.DBSCAN"


def _searched(name):
    """A parameter with two native values, and the values."""
    for parameter, values in NATIVE[name].items():
        if len(values) > 1 and parameter not in (
            "n_jobs",
            "dual",
            "tol",
            "n_oversamples",
            "power_iteration_normalizer",
        ):
            return parameter, values[:2]
    raise AssertionError(name)


@pytest.mark.parametrize("name", [n for n in THEIRS if NATIVE[n] and "model_selection" not in n])
def test_a_search_over_one_parameter(name):
    (X, y), (parameter, values) = sample(name), _searched(name)
    exact = {"tol": 1e-9} if name.startswith("linear_model.") and "tol" in NATIVE[name] else {}
    found = []
    for estimator in (seeded(name, **exact), seeded(name, **exact).to_sklearn()):
        scoring = None if hasattr(estimator, "score") else _sum
        search = GridSearchCV(estimator, {parameter: values}, cv=2, scoring=scoring)
        found.append((search.fit(X, y) if y is not None else search.fit(X)).cv_results_["mean_test_score"])
    np.testing.assert_allclose(*found, rtol=1e-3, atol=1e-6)
    assert np.isfinite(found[0]).all()


def _sum(estimator, X, y=None):
    """A score of what has none: the sum of its results."""
    if hasattr(estimator, "labels_") and not hasattr(estimator, "transform"):
        return float(estimator.labels_.sum())
    found = estimator.transform(X) if hasattr(estimator, "transform") else estimator.kneighbors(X)[0]
    return float(found.sum())
