"""SimpleImputer against scikit-learn's: statistics, filled values, indicators, errors."""

import warnings

import bascule as bc
import bascule.pandas as bpd
import numpy as np
import pandas as pd
import pytest
from bascule.learn.impute import SimpleImputer
from learn_data import SETS, assert_same_error, data, shown
from scipy import sparse
from sklearn.impute import SimpleImputer as Theirs

STRATEGIES = ["mean", "median", "most_frequent", "constant"]
RNG = np.random.default_rng(0)
CODES = RNG.integers(-1, 5, (400, 4))


class ours:
    SimpleImputer = SimpleImputer


class theirs:
    SimpleImputer = Theirs


@pytest.fixture(autouse=True)
def ignored():
    with warnings.catch_warnings(), bc.config.set(fallback="error"):
        warnings.filterwarnings("ignore", "Skipping features without any observed values")
        yield


def nulls(X):
    X = np.array(X, np.float32 if X.dtype == np.float32 else float)
    X[::3, 0] = np.nan
    X[1::7, -1] = np.nan
    return X


def compare(X, Z=None, given=None, **options):
    """Ours for `given`, by default X, and scikit-learn's for X."""
    given = X if given is None else given
    mine, other = SimpleImputer(**options).fit(given), Theirs(**options).fit(X)
    got, wanted = np.asarray(mine.statistics_), other.statistics_
    assert got.dtype == wanted.dtype
    if wanted.dtype == object:
        assert [repr(v) for v in got] == [repr(v) for v in wanted]
    else:
        np.testing.assert_allclose(got, wanted, rtol=1e-5 if X.dtype == np.float32 else 1e-12, atol=1e-13)
    for Y in (X,) if Z is None else (X, Z):
        filled, expected = mine.transform(given if Y is X else Y), other.transform(Y)
        assert np.asarray(filled).dtype == expected.dtype
        if expected.dtype == object:
            np.testing.assert_array_equal(np.asarray(filled), expected)
        else:
            np.testing.assert_allclose(np.asarray(filled), expected, rtol=1e-5 if X.dtype == np.float32 else 1e-12, atol=1e-13)  # fmt: skip
    np.testing.assert_array_equal(mine.get_feature_names_out(), other.get_feature_names_out())
    return mine, filled


@pytest.mark.parametrize("indicator", [False, True], ids=["", "indicator"])
@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("name", sorted(SETS.keys() - {"one row"}))
def test_sets(name, strategy, indicator):
    X = nulls(data(name)[0])
    compare(X, X[:5], strategy=strategy, add_indicator=indicator)


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("keep", [False, True])
def test_columns_without_a_value(strategy, keep):
    X = nulls(data("many rows")[0])
    X[:, [1, 4]] = np.nan
    for options in ({}, {"add_indicator": True}, {"fill_value": 3.5} if strategy == "constant" else {}):
        compare(X, strategy=strategy, keep_empty_features=keep, **options)
        compare(X[:30], strategy=strategy, keep_empty_features=keep, **options)


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("dtype", [np.int64, np.int8, np.float64, np.float32])
def test_a_number_that_stands_for_missing(strategy, dtype):
    X = CODES.astype(dtype)
    for rows in (X, np.concatenate([X] * 40)):
        compare(rows, strategy=strategy, missing_values=-1)
        compare(rows, strategy=strategy, missing_values=0, add_indicator=True)


OBJECTS = {
    "labels": (np.array(["a", "b", "c", "d", "b", "e"], object)[CODES], "a"),
    "None": (np.where(CODES < 0, None, np.array(["a", "b", "c", "d", "b", "e"], object)[CODES]), None),
    "NaN": (np.where(CODES < 0, np.nan, np.array(["a", "b", "c", "d", "b", "e"], object)[CODES]), np.nan),
    "integers": (CODES.astype(object), -1),
}


@pytest.mark.parametrize("strategy", ["most_frequent", "constant"])
@pytest.mark.parametrize("name", OBJECTS)
def test_objects(name, strategy):
    X, missing = OBJECTS[name]
    compare(X, X[:9], strategy=strategy, missing_values=missing)
    X = X.copy()
    X[:, 2] = missing
    for keep in (False, True):
        compare(X, strategy=strategy, missing_values=missing, keep_empty_features=keep)
    compare(X, strategy="constant", missing_values=missing, fill_value="filled", add_indicator=True)


def test_ties_go_to_the_smallest():
    compare(np.array([[3.0, 1], [1, 2], [3, np.nan], [1, 2], [2, 1]]), strategy="most_frequent")
    compare(np.array([["b", 2], ["a", "x"], ["b", 2], ["a", "x"]], object), strategy="most_frequent")


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_kinds(strategy):
    X = nulls(data("many rows")[0])
    mine, filled = compare(X, given=bc.asarray(X), strategy=strategy)
    assert type(filled) is bc.ndarray
    assert strategy == "constant" or type(mine.statistics_) is bc.ndarray
    frame = pd.DataFrame(X, columns=[f"c{k}" for k in range(X.shape[1])])
    filled = SimpleImputer(strategy=strategy).fit_transform(bpd.from_pandas(frame))
    assert type(filled) is bc.ndarray
    np.testing.assert_allclose(np.asarray(filled), Theirs(strategy=strategy).fit_transform(frame), rtol=1e-12)
    imputer = SimpleImputer(strategy=strategy, add_indicator=True).fit(X)
    np.testing.assert_array_equal(imputer.inverse_transform(imputer.transform(X)), X)


def test_the_input_stays_unless_copy_is_false():
    for X in (nulls(data("many rows")[0]), nulls(data("diabetes")[0])):
        before = X.copy()
        imputer = SimpleImputer().fit(X)
        imputer.transform(X)
        np.testing.assert_array_equal(X, before)
        assert imputer.copy is True and imputer.n_features_in_ == X.shape[1]
        filled = SimpleImputer(copy=False).fit(X).transform(X)
        assert filled is X
        np.testing.assert_allclose(X, Theirs().fit_transform(before), rtol=1e-12)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_errors_are_the_same(strategy):
    X = nulls(data("diabetes")[0])

    def make(m, **options):
        return m.SimpleImputer(strategy=strategy, **options)

    strings = np.array([["a", "b"], ["c", np.nan]], object)
    for bad in (X[0], X[:0], np.where(np.isnan(X), np.inf, X), np.array([["a", "b"]])):
        assert_same_error(lambda m, bad=bad: make(m).fit(bad), ours, theirs)
    assert_same_error(lambda m: make(m).fit(X).transform(X[:, 1:]), ours, theirs)
    assert_same_error(lambda m: make(m, missing_values=0).fit(X), ours, theirs)
    assert_same_error(lambda m: make(m).transform(X), ours, theirs)
    if strategy in ("mean", "median"):
        assert_same_error(lambda m: make(m).fit(strings), ours, theirs)
    else:
        assert_same_error(lambda m: make(m, missing_values="a").fit(X), ours, theirs)
        assert_same_error(lambda m: make(m).fit(X > 0), ours, theirs)
    if strategy == "constant":
        assert_same_error(lambda m: make(m, fill_value="x").fit(X), ours, theirs)


def test_what_is_left_to_scikit_learn():
    X = nulls(data("diabetes")[0])
    rows = sparse.csc_array(np.where(np.isnan(X) | (X > 0), X, 0))
    for call in (lambda m: m.SimpleImputer(strategy=np.max).fit(X).transform(X), lambda m: m.SimpleImputer().fit(rows).transform(rows)):  # fmt: skip
        with pytest.raises(NotImplementedError, match="strategy is a function|X is sparse"):
            call(ours)
        with bc.config.set(fallback="silent"):
            got, wanted = call(ours), call(theirs)
            got, wanted = (x.toarray() if sparse.issparse(x) else x for x in (got, wanted))
            np.testing.assert_array_equal(got, wanted)


@pytest.mark.parametrize("options", [{}, {"keep_empty_features": True}, {"fill_value": "none"}, {"add_indicator": True}], ids=shown)  # fmt: skip
@pytest.mark.parametrize("strategy", ["most_frequent", "constant"])
def test_frames_of_strings(strategy, options):
    frame = pd.DataFrame(
        {"a": OBJECTS["NaN"][0][:, 0], "b": OBJECTS["labels"][0][:, 1], "c": np.full(400, np.nan, object)}
    )
    frame = frame.astype("str")
    for X in (frame, frame[["a", "b"]], frame.iloc[3:9]):
        mine, other = (cls(strategy=strategy, **options) for cls in (SimpleImputer, Theirs))
        got, wanted = mine.fit(bpd.from_pandas(X)), other.fit(X)
        assert [repr(v) for v in got.statistics_] == [repr(v) for v in wanted.statistics_]
        filled, expected = mine.transform(bpd.from_pandas(X)), other.transform(X)
        assert type(filled) is type(expected) and filled.dtype == expected.dtype
        np.testing.assert_array_equal(filled, expected)
        np.testing.assert_array_equal(mine.transform(X), expected)
        np.testing.assert_array_equal(mine.get_feature_names_out(), other.get_feature_names_out())
