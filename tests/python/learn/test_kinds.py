"""Kinds of input: results and fitted attributes follow X; pickles hold NumPy's arrays."""

import copy
import pickle
import subprocess
import sys

import bascule as bc
import numpy as np
import pytest
from bascule.learn import linear_model, preprocessing
from bascule.learn.model_selection import GridSearchCV
from learn_data import assert_close, data
from sklearn.base import clone

MADE = {
    "Ridge": linear_model.Ridge,
    "LinearRegression": linear_model.LinearRegression,
    "RidgeCV": linear_model.RidgeCV,
    "RidgeClassifier": linear_model.RidgeClassifier,
    "LogisticRegression": linear_model.LogisticRegression,
    "Lasso": linear_model.Lasso,
    "ElasticNet": linear_model.ElasticNet,
    "LassoCV": linear_model.LassoCV,
    "ElasticNetCV": linear_model.ElasticNetCV,
    "PoissonRegressor": linear_model.PoissonRegressor,
}
OF_LABELS = ("RidgeClassifier", "LogisticRegression")


@pytest.fixture(params=[False, True], ids=["", "accelerated"])
def accelerated(request):
    if not request.param:
        yield
        return
    bc.accelerate(imports=False, libraries=False)
    yield
    bc.accelerate.undo()


def sample(name):
    X, y = data("diabetes")
    return X, (y > 140).astype(int) if name in OF_LABELS else y


@pytest.mark.parametrize("name", MADE)
def test_arrays_of_bascule(name):
    X, y = sample(name)
    mine, other = MADE[name]().fit(bc.asarray(X), bc.asarray(y)), MADE[name]().fit(X, y)
    assert type(mine.coef_) is bc.ndarray and mine.coef_.device == "cpu"
    np.testing.assert_array_equal(np.asarray(mine.coef_), other.coef_)
    predicted = mine.predict(bc.asarray(X))
    assert type(predicted) is bc.ndarray
    np.testing.assert_array_equal(np.asarray(predicted), other.predict(X))
    assert type(mine.predict(X)) is np.ndarray
    assert type(other.predict(bc.asarray(X))) is bc.ndarray
    assert mine.score(bc.asarray(X), bc.asarray(y)) == other.score(X, y)


@pytest.mark.parametrize("name", MADE)
def test_frames_of_bascule(name):
    import bascule.pandas as pd

    X, y = sample(name)
    frame = pd.DataFrame(X, columns=[f"c{i}" for i in range(10)])
    mine, other = MADE[name]().fit(frame, pd.Series(y)), MADE[name]().fit(X, y)
    assert mine.feature_names_in_.tolist() == [f"c{i}" for i in range(10)]
    assert type(mine.coef_) is bc.ndarray
    assert_close(mine.coef_, other.coef_, 1e-12)
    assert_close(mine.predict(frame), other.predict(X), 1e-12)


def test_scaled_arrays_are_pending_and_equal():
    X, _ = data("many rows")
    for name in ("StandardScaler", "MinMaxScaler", "MaxAbsScaler", "RobustScaler"):
        made = getattr(preprocessing, name)
        mine, other = made().fit(bc.asarray(X)), made().fit(X)
        got = mine.transform(bc.asarray(X))
        assert type(got) is bc.ndarray
        np.testing.assert_array_equal(np.asarray(got), other.transform(X))
        assert type(mine.scale_) is bc.ndarray
        np.testing.assert_allclose(np.asarray(mine.inverse_transform(got)), X, rtol=1e-9, atol=1e-9)


def test_a_search_over_arrays_of_bascule():
    X, y = data("diabetes")
    grid = {"alpha": [0.01, 0.1, 1.0]}
    mine = GridSearchCV(linear_model.Ridge(), grid).fit(bc.asarray(X), bc.asarray(y))
    other = GridSearchCV(linear_model.Ridge(), grid).fit(X, y)
    np.testing.assert_array_equal(mine.cv_results_["mean_test_score"], other.cv_results_["mean_test_score"])
    assert type(mine.best_estimator_.coef_) is bc.ndarray
    again = GridSearchCV(linear_model.Ridge(), {"alpha": bc.array(grid["alpha"])}).fit(X, y)
    assert again.best_params_ == other.best_params_
    assert type(mine.predict(bc.asarray(X))) is bc.ndarray


def test_pickles_hold_numpy():
    X, y = data("diabetes")
    model = linear_model.Ridge().fit(bc.asarray(X), bc.asarray(y))
    again = pickle.loads(pickle.dumps(model))
    assert type(again) is linear_model.Ridge and type(again.coef_) is np.ndarray
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    assert type(clone(model)) is linear_model.Ridge


def test_copies_keep_class_and_arrays(accelerated):
    X, y = data("diabetes")
    model = GridSearchCV(linear_model.Ridge(), {"alpha": [1.0]}).fit(bc.asarray(X), bc.asarray(y))
    again, deep = copy.copy(model), copy.deepcopy(model)
    assert type(again) is type(deep) is GridSearchCV and vars(again).keys() == vars(deep).keys() == vars(model).keys()
    assert again.best_estimator_ is model.best_estimator_ and deep.best_estimator_ is not model.best_estimator_
    assert type(deep.best_estimator_) is linear_model.Ridge and type(deep.best_estimator_.coef_) is bc.ndarray
    model.itself = model
    assert copy.deepcopy([model, model])[0].itself is not model
    first, second = copy.deepcopy([model, model])
    assert first is second and first.itself is first


@pytest.mark.parametrize("name", MADE)
def test_to_sklearn(name):
    import sklearn.linear_model

    X, y = sample(name)
    model = MADE[name]().fit(bc.asarray(X), bc.asarray(y))
    theirs = model.to_sklearn()
    assert type(theirs) is getattr(sklearn.linear_model, name)
    np.testing.assert_allclose(theirs.predict(X), model.predict(X), rtol=1e-13)
    assert type(model.coef_) is bc.ndarray


def test_the_number_of_threads_changes_no_bit():
    X, y = data("many rows")
    one = linear_model.Ridge().fit(X, y).coef_
    before = bc.get_num_threads()
    try:
        bc.set_num_threads(1)
        np.testing.assert_array_equal(linear_model.Ridge().fit(X, y).coef_, one)
    finally:
        bc.set_num_threads(before)


def test_importing_bascule_does_not_import_scikit_learn():
    code = "import sys, bascule; assert 'sklearn' not in sys.modules; import bascule.learn; assert 'sklearn' in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
