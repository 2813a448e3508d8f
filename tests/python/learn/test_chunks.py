"""Dask's arrays: a leaf a chunk."""

import bascule as bc
import dask.array as da
import numpy as np
import pytest
from bascule.learn import linear_model, model_selection, preprocessing
from learn_data import assert_close, data, weights
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
