"""Categories by the mean of a target, against scikit-learn's: equal encodings of every kind of column."""

import bascule as bc
import bascule.pandas as bpd
import numpy as np
import pandas as pd
import pytest
from bascule.learn import preprocessing as ours
from learn_data import assert_same_error, shown
from sklearn import preprocessing as theirs
from sklearn.model_selection import KFold

pytestmark = pytest.mark.usefixtures("native")

CODES = np.random.default_rng(0).integers(0, 6, (240, 2))
COLUMNS = {
    "integers": CODES,
    "floats and NaN": np.where(CODES == 3, np.nan, CODES / 2),
    "labels": np.char.add("label ", CODES.astype(str)).astype(object),
    "labels and None": np.where(CODES == 2, None, np.char.add("label ", CODES.astype(str)).astype(object)),
    "frame": pd.DataFrame({"a": np.char.add("x", CODES[:, 0].astype(str)).astype(object), "b": CODES[:, 1]}),
    "frame of categories": pd.DataFrame(CODES.astype(str), columns=list("ab")).astype("category"),
}
RNG = np.random.default_rng(1)
TARGETS = {
    "numbers": CODES[:, 0] + RNG.normal(size=240),
    "two labels": np.where(RNG.random(240) < 0.3, "yes", "no"),
    "three labels": RNG.integers(0, 3, 240),
}


def ours_of(X):
    return bpd.from_pandas(X) if isinstance(X, pd.DataFrame) else X


def same(got, wanted):
    np.testing.assert_array_equal(np.asarray(got), np.asarray(wanted))
    assert np.asarray(got).dtype == np.asarray(wanted).dtype


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", COLUMNS)
def test_columns_and_targets(name, target):
    X, y = COLUMNS[name], TARGETS[target]
    for options in ({}, {"smooth": 3.0}, {"smooth": 0.0}):
        made = {"cv": KFold(4, shuffle=True, random_state=2)} | options
        mine, other = (m.TargetEncoder(**made) for m in (ours, theirs))
        same(mine.fit_transform(ours_of(X), y), other.fit_transform(X, y))
        same(mine.transform(ours_of(X)), other.transform(X))
        for got, wanted in zip(mine.fit(ours_of(X), y).encodings_, other.fit(X, y).encodings_, strict=True):
            same(got, wanted)
        same(mine.target_mean_, other.target_mean_)
        assert mine.target_type_ == other.target_type_
        np.testing.assert_array_equal(mine.get_feature_names_out(), other.get_feature_names_out())


@pytest.mark.parametrize("name", COLUMNS)
def test_values_that_were_not_seen(name):
    X, y = COLUMNS[name], TARGETS["numbers"]
    first = (CODES < 4).all(axis=1)
    mine, other = ours.TargetEncoder().fit(ours_of(X[first]), y[first]), theirs.TargetEncoder().fit(X[first], y[first])
    same(mine.transform(ours_of(X)), other.transform(X))


@pytest.mark.parametrize("options", [{"cv": 0}, {"smooth": -1.0}, {"target_type": "any"}], ids=shown)
def test_errors(options):
    assert_same_error(lambda m: m.TargetEncoder(**options).fit_transform(CODES, TARGETS["numbers"]), ours, theirs)
    assert_same_error(lambda m: m.TargetEncoder().fit(CODES, TARGETS["numbers"][1:]), ours, theirs)
    assert_same_error(lambda m: m.TargetEncoder().fit_transform(CODES, np.ones((240, 2))), ours, theirs)
    assert_same_error(lambda m: m.TargetEncoder().fit_transform(CODES, TARGETS["numbers"], groups=[1]), ours, theirs, (TypeError, ValueError))  # fmt: skip


def test_results_follow_the_kind_of_rows():
    y = TARGETS["numbers"]
    for X in (bc.asarray(CODES), ours_of(COLUMNS["frame of categories"])):
        encoder = ours.TargetEncoder()
        assert type(encoder.fit_transform(X, y)) is type(encoder.transform(X)) is bc.ndarray
    assert type(ours.TargetEncoder().fit_transform(CODES, y)) is np.ndarray
