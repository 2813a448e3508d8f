"""Covariances against scikit-learn's."""

import warnings

import bascule as bc
import numpy as np
import pytest
from bascule.learn import covariance as ours
from learn_data import SETS, assert_close, assert_same_fit, data
from sklearn import covariance as theirs

NAMES = ["EmpiricalCovariance", "LedoitWolf"]
SINGULAR = {"constant", "duplicate", "collinear", "one row", "as many columns", "wide"}


@pytest.fixture(autouse=True)
def native():
    with bc.config.set(fallback="error"):
        yield


def fitted(made, X):
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        return made.fit(X), {str(w.message) for w in said}


@pytest.mark.parametrize("centred", [False, True], ids=["", "as they are"])
@pytest.mark.parametrize("cls", NAMES)
@pytest.mark.parametrize("name", SETS)
def test_fit(name, cls, centred):
    X = data(name)[0]
    if centred and X.dtype.kind in "ib":
        X = X.astype(float)  # scikit-learn's products of int8 overflow
    (mine, said), (other, wanted) = (fitted(getattr(m, cls)(assume_centered=centred), X) for m in (ours, theirs))
    assert said == wanted
    level = np.abs(np.asarray(X, float)).max()
    single = X.dtype == np.float32
    far = name == "far from zero" and not centred
    close = 1e-5 if single else 1e-4 if far and cls == "LedoitWolf" else 1e-10
    precision = cls == "LedoitWolf" or (name not in SINGULAR and not far)
    skip = () if precision and name != "breast cancer" and not (name == "far from zero") else ("precision_",)
    assert_same_fit(mine, other, close, {"location_": level, "shrinkage_": 1}, skip)
    if not skip and not single:
        assert_close(mine.mahalanobis(X), other.mahalanobis(X), 1e-8)
        if len(X) > 1:
            assert mine.score(X) == pytest.approx(other.score(X), rel=1e-8)
            assert mine.error_norm(np.eye(X.shape[1])) == pytest.approx(other.error_norm(np.eye(X.shape[1])), rel=1e-8)


def test_far_from_zero_the_shrinkage_is_that_of_centred_rows():
    X = data("diabetes")[0] / 0.05
    moved = X + 2.0**20
    exact = theirs.LedoitWolf().fit(moved - 2.0**20)
    mine, other = ours.LedoitWolf().fit(moved), theirs.LedoitWolf().fit(moved)
    assert abs(mine.shrinkage_ - exact.shrinkage_) <= max(1e-9, 2 * abs(other.shrinkage_ - exact.shrinkage_))


@pytest.mark.parametrize("cls", NAMES)
def test_without_a_precision(cls):
    X = data("diabetes")[0]
    mine, other = (getattr(m, cls)(store_precision=False).fit(X) for m in (ours, theirs))
    assert mine.precision_ is None
    assert_close(mine.get_precision(), other.get_precision(), 1e-9)
    assert_close(mine.mahalanobis(X), other.mahalanobis(X), 1e-9)


@pytest.mark.parametrize("cls", NAMES)
def test_arrays_of_bascule_and_threads(cls):
    X = data("many rows")[0]
    one = getattr(ours, cls)().fit(X)
    before = bc.get_num_threads()
    try:
        bc.set_num_threads(1)
        two = getattr(ours, cls)().fit(bc.asarray(X))
    finally:
        bc.set_num_threads(before)
    for name in ("covariance_", "location_", "precision_"):
        assert type(getattr(two, name)) is bc.ndarray
        np.testing.assert_array_equal(np.asarray(getattr(two, name)), getattr(one, name))
    assert type(two.get_precision()) is bc.ndarray and type(two.mahalanobis(bc.asarray(X))) is bc.ndarray
    np.testing.assert_array_equal(np.asarray(two.mahalanobis(X)), one.mahalanobis(X))
    assert two.score(bc.asarray(X)) == one.score(X)
    assert two.error_norm(one.covariance_) == 0
