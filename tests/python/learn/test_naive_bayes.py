"""Gaussian naive Bayes against scikit-learn's."""

import bascule as bc
import numpy as np
import pytest
from bascule.learn import naive_bayes as ours
from learn_data import SETS, assert_close, assert_same_fit, data, labelled, weights
from sklearn import naive_bayes as theirs


@pytest.fixture(autouse=True)
def native():
    with bc.config.set(fallback="error"):
        yield


def tolerance(X):
    return 1e-4 if X.dtype == np.float32 else 1e-10


def compare(X, mine, other):
    close = tolerance(X)
    level = np.abs(np.asarray(X, float)).max()
    spread = np.asarray(X, float).var(axis=0).max()
    rounding = 1e-16 * level**2 / close  # of a variance far from zero
    assert_same_fit(mine, other, close, {"theta_": level, "var_": spread + rounding, "epsilon_": spread + rounding})
    got, wanted = mine.predict_joint_log_proba(X), other.predict_joint_log_proba(X)
    assert_close(got, wanted, 1e-3 if close > 1e-9 else 1e-8)
    clear = np.sort(wanted, axis=1)
    clear = clear[:, -1] - clear[:, -2] > 1e-6 * np.abs(wanted).max()
    np.testing.assert_array_equal(mine.predict(X)[clear], other.predict(X)[clear])


@pytest.mark.parametrize("weighted", [False, True], ids=["", "weighted"])
@pytest.mark.parametrize("name", sorted(SETS.keys() - {"one row"}))
def test_fit(name, weighted):
    X, y = labelled(name)
    w = weights(len(X)) if weighted else None
    compare(X, ours.GaussianNB().fit(X, y, w), theirs.GaussianNB().fit(X, y, w))


@pytest.mark.parametrize("weighted", [False, True], ids=["", "weighted"])
def test_rows_in_parts(weighted):
    X, y = labelled("many rows")
    y = np.where((np.arange(len(y)) < 7_000) & (y == 1), 0, y)  # a class that comes late
    w = weights(len(X)) if weighted else None
    mine, other = ours.GaussianNB(), theirs.GaussianNB()
    for i in range(0, len(X), 7_000):
        part = slice(i, i + 7_000)
        for m in (mine, other):
            m.partial_fit(X[part], y[part], [0, 1, 2, 5] if i == 0 else None, None if w is None else w[part])
    assert mine.class_count_[3] == 0
    assert_same_fit(mine, other, 1e-10)


def test_labels_of_other_kinds():
    X, y = labelled("iris")
    for labels in (
        np.array(["a", "b", "c"])[y],
        y * 1_000_000 - 7,
        y * 2.0,
        np.array(["a", "b", "c"], object)[y],
        y == 1,
    ):
        mine, other = ours.GaussianNB().fit(X, labels), theirs.GaussianNB().fit(X, labels)
        compare(X, mine, other)
        assert mine.predict(X).dtype == other.predict(X).dtype


def test_many_classes():
    X, _ = labelled("many rows")
    y = np.random.default_rng(2).integers(0, 70, len(X))
    compare(X, ours.GaussianNB().fit(X, y), theirs.GaussianNB().fit(X, y))


@pytest.mark.parametrize("priors", [[0.2, 0.3, 0.5], [0.5, 0.5], [0.5, 0.4, 0.4], [-0.2, 0.6, 0.6]])
def test_priors(priors):
    X, y = labelled("iris")
    mine, other = ours.GaussianNB(priors=priors), theirs.GaussianNB(priors=priors)
    try:
        other.fit(X, y)
    except ValueError as error:
        with pytest.raises(ValueError, match=str(error)):
            mine.fit(X, y)
        return
    compare(X, mine.fit(X, y), other)
    compare(X, mine.partial_fit(X, y), other.partial_fit(X, y))


def test_labels_that_are_no_class():
    X, y = labelled("iris")
    messages = []
    for m in (ours, theirs):
        with pytest.raises(ValueError) as found:
            m.GaussianNB().partial_fit(X, y, classes=[0, 1])
        messages.append(str(found.value))
    assert messages[0] == messages[1]


def test_arrays_of_bascule_and_threads():
    X, y = labelled("many rows")
    one = ours.GaussianNB().fit(X, y)
    before = bc.get_num_threads()
    try:
        bc.set_num_threads(1)
        two = ours.GaussianNB().fit(bc.asarray(X), bc.asarray(y))
    finally:
        bc.set_num_threads(before)
    assert type(two.var_) is bc.ndarray and type(two.predict(bc.asarray(X))) is bc.ndarray
    np.testing.assert_array_equal(np.asarray(two.var_), one.var_)
    np.testing.assert_array_equal(np.asarray(two.predict_proba(X)), one.predict_proba(X))
    assert two.score(bc.asarray(X), bc.asarray(y)) == one.score(X, y)
    two.partial_fit(bc.asarray(X), bc.asarray(y))
    np.testing.assert_array_equal(np.asarray(two.theta_), one.partial_fit(X, y).theta_)


def test_without_smoothing_far_from_zero():
    X = data("far from zero")[0]
    y = np.arange(len(X)) % 2
    mine, other = ours.GaussianNB(var_smoothing=0).fit(X, y), theirs.GaussianNB(var_smoothing=0).fit(X, y)
    assert_close(mine.var_, other.var_, 1e-10)
