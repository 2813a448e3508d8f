"""Encoders against scikit-learn's: categories, codes, unknown and missing values, errors, on every kind of column."""

import warnings

import bascule as bc
import bascule.pandas as bpd
import numpy as np
import pandas as pd
import pytest
from bascule.learn import preprocessing as ours
from learn_data import assert_same_error
from scipy import sparse
from sklearn import preprocessing as theirs

pytestmark = pytest.mark.usefixtures("native")

RNG = np.random.default_rng(0)
POSITIONS = RNG.integers(0, 7, (300, 3))


def labels(change=lambda v: v, dtype=object):
    made = np.empty(POSITIONS.shape, object)
    for at, v in np.ndenumerate(POSITIONS):
        made[at] = change(f"label {v}")
    return made if dtype is object else made.astype(dtype)


def with_missing(x, *missing):
    x = x.copy()
    for k, m in enumerate(missing):
        x[k::11, 0] = m
    return x


NUMBERS = {
    "integers": POSITIONS,
    "int8": POSITIONS.astype(np.int8) - 3,
    "uint64": POSITIONS.astype(np.uint64) + np.uint64(2**63),
    "floats": POSITIONS / 3,
    "float32": (POSITIONS / 3).astype(np.float32),
    "floats and NaN": with_missing(POSITIONS / 3, np.nan),
    "bools": POSITIONS > 3,
    "one column": POSITIONS[:, :1],
    "F order": np.asfortranarray(POSITIONS),
    "distinct": RNG.normal(size=(300, 2)),
}
OBJECTS = {
    "labels": labels(),
    "text": labels(dtype=str),
    "bytes": labels(dtype="S"),
    "labels and None": with_missing(labels(), None),
    "labels, None and NaN": with_missing(labels(), None, float("nan"), np.nan),
    "objects that are integers": POSITIONS.astype(object),
    "lists": labels().tolist(),
}
FRAMES = {
    "frame of text": pd.DataFrame(labels(), columns=list("abc")).astype("str"),
    "frame of text and missing": pd.DataFrame(with_missing(labels(), np.nan), columns=list("abc")).astype("str"),
    "frame of categories": pd.DataFrame(labels(), columns=list("abc")).astype("category"),
    "frame of categories and missing": pd.DataFrame(with_missing(labels(), None), columns=list("abc")).astype("category"),
    "frame of unused categories": pd.DataFrame(labels(), columns=list("abc")).astype("category").iloc[:4],
    "frame of numbers": pd.DataFrame(NUMBERS["floats and NaN"], columns=list("abc")),
    "frame of integer categories": pd.DataFrame(POSITIONS, columns=list("abc")).astype("category"),
    "frame of several types": pd.DataFrame({"a": POSITIONS[:, 0], "b": labels()[:, 1], "c": POSITIONS[:, 2] > 3, "d": POSITIONS[:, 1] / 2}),
}  # fmt: skip
COLUMNS = {**NUMBERS, **OBJECTS, **FRAMES}


def made(name, **options):
    return lambda m: getattr(m, name)(**options)


ENCODERS = {
    "one hot": made("OneHotEncoder"),
    "dense": made("OneHotEncoder", sparse_output=False, dtype=np.float32),
    "first dropped": made("OneHotEncoder", drop="first"),
    "of two dropped": made("OneHotEncoder", drop="if_binary", handle_unknown="ignore"),
    "unknown ignored": made("OneHotEncoder", handle_unknown="ignore"),
    "infrequent": made("OneHotEncoder", min_frequency=45, handle_unknown="infrequent_if_exist"),
    "infrequent, warning": made("OneHotEncoder", max_categories=3, handle_unknown="warn"),
    "ordinal": made("OrdinalEncoder"),
    "ordinal, unknown": made("OrdinalEncoder", handle_unknown="use_encoded_value", unknown_value=-1),
    "ordinal, missing": made("OrdinalEncoder", encoded_missing_value=-7, dtype=np.int32),
    "ordinal, infrequent": made("OrdinalEncoder", min_frequency=0.14, max_categories=4),
}


def ours_of(X):
    return bpd.from_pandas(X) if isinstance(X, pd.DataFrame) else X


def assert_equal(got, wanted):
    if sparse.issparse(wanted):
        assert type(got) is type(wanted) and got.indices.dtype == wanted.indices.dtype
        got, wanted = got.toarray(), wanted.toarray()
    got, wanted = np.asarray(got), np.asarray(wanted)
    assert got.dtype == wanted.dtype
    assert got.shape == wanted.shape
    if wanted.dtype == object:
        wanted, got = (pd.DataFrame(x).map(lambda v: repr(v)).to_numpy() for x in (wanted, got))
    np.testing.assert_array_equal(got, wanted)


def compare(mine, other, X):
    for got, wanted in zip(mine.categories_, other.categories_, strict=True):
        assert_equal(got, wanted)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        got, wanted = mine.transform(ours_of(X)), other.transform(X)
        assert_equal(got, wanted)
        try:
            back = other.inverse_transform(wanted)
        except IndexError:  # scikit-learn cannot, where infrequent categories and missing values meet
            back = None
        if back is not None:
            assert_equal(mine.inverse_transform(got), back)
    np.testing.assert_array_equal(mine.get_feature_names_out(), other.get_feature_names_out())


@pytest.mark.parametrize("encoder", ENCODERS)
@pytest.mark.parametrize("name", COLUMNS)
def test_encoders(name, encoder):
    X = COLUMNS[name]
    compare(ENCODERS[encoder](ours).fit(ours_of(X)), ENCODERS[encoder](theirs).fit(X), X)


@pytest.mark.parametrize("encoder", ENCODERS)
@pytest.mark.parametrize("name", COLUMNS)
def test_values_that_were_not_seen(name, encoder):
    X = COLUMNS[name]
    first = 5 if name == "frame of unused categories" else 40
    seen = X[: first - 3]
    mine, other = ENCODERS[encoder](ours).fit(ours_of(seen)), ENCODERS[encoder](theirs).fit(seen)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            wanted = other.transform(X)
    except ValueError as error:
        with pytest.raises(ValueError) as raised:
            mine.transform(ours_of(X))
        assert sorted(str(raised.value)) == sorted(str(error))  # sets have an order of their own
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert_equal(mine.transform(ours_of(X)), wanted)


@pytest.mark.parametrize("name", FRAMES)
def test_frames_of_pandas(name):
    X = FRAMES[name]
    for encoder in ("one hot", "ordinal", "infrequent"):
        mine, other = ENCODERS[encoder](ours).fit(X), ENCODERS[encoder](theirs).fit(X)
        assert_equal(mine.transform(X), other.transform(X))
        assert_equal(mine.transform(ours_of(X)), other.transform(X))


def test_results_follow_the_kind_of_rows():
    for X in (bc.asarray(POSITIONS), ours_of(FRAMES["frame of text"])):
        assert type(ours.OrdinalEncoder().fit_transform(X)) is bc.ndarray
        assert type(ours.OneHotEncoder(sparse_output=False).fit_transform(X)) is bc.ndarray
        assert sparse.issparse(ours.OneHotEncoder().fit_transform(X))
    assert type(ours.LabelEncoder().fit_transform(bc.asarray(POSITIONS[:, 0]))) is bc.ndarray
    assert type(ours.OrdinalEncoder().fit_transform(POSITIONS)) is np.ndarray


@pytest.mark.parametrize("name", ["OneHotEncoder", "OrdinalEncoder"])
def test_categories_that_are_given(name):
    for X, categories in (
        (POSITIONS, [range(7)] * 3),
        (labels(), [[f"label {k}" for k in (3, 1, 2, 0, 6, 5, 4)]] * 3),
        (NUMBERS["floats and NaN"], [[*(np.arange(7) / 3), np.nan]] * 3),
    ):
        compare(made(name, categories=categories)(ours).fit(X), made(name, categories=categories)(theirs).fit(X), X)
    for X, categories in (
        (POSITIONS, [range(6)] * 3),
        (POSITIONS, [range(7)] * 2),
        (POSITIONS, [[1, 0, *range(2, 7)]] * 3),
        (labels(), [["label 1", "label 1"]] * 3),
        (labels(dtype=str), [[f"label {k}" for k in (3, 1, 2, 0, 6, 5)]] * 3),
    ):
        assert_same_error(lambda m, X=X, c=categories: made(name, categories=c)(m).fit(X), ours, theirs)


@pytest.mark.parametrize("encoder", ["one hot", "ordinal"])
def test_errors_are_the_same(encoder):
    make = ENCODERS[encoder]
    for bad in (
        POSITIONS[:0],
        POSITIONS[0],
        np.array([["a", 1], [2.0, None]], object),
        with_missing(POSITIONS / 3, np.inf),
    ):
        assert_same_error(lambda m, bad=bad: make(m).fit(bad), ours, theirs, (ValueError, TypeError))
    for bad in (sparse.csr_array(POSITIONS), POSITIONS[:, 1:], POSITIONS + 1):
        assert_same_error(
            lambda m, bad=bad: make(m).fit(POSITIONS).transform(bad), ours, theirs, (ValueError, TypeError)
        )
    frame = FRAMES["frame of text"]
    assert_same_error(lambda m: make(m).fit(frame).transform(frame[["b", "a", "c"]]), ours, theirs)
    assert_same_error(lambda m: make(m).transform(frame), ours, theirs)


@pytest.mark.parametrize("name", COLUMNS)
def test_label_encoder(name):
    X = COLUMNS[name]
    y = X["a"] if isinstance(X, pd.DataFrame) else np.asarray(X)[:, 0]
    mine, other = ours.LabelEncoder(), theirs.LabelEncoder()
    given = bpd.from_pandas(y) if isinstance(y, pd.Series) else y
    got, wanted = mine.fit_transform(given), other.fit_transform(y)
    assert_equal(got, wanted)
    assert_equal(mine.classes_, other.classes_)
    assert_equal(ours.LabelEncoder().fit(given).classes_, other.classes_)
    assert_equal(mine.transform(given), other.transform(y))
    assert_equal(mine.inverse_transform(got), other.inverse_transform(wanted))


def test_labels_that_were_not_seen():
    for y, new in ((POSITIONS[:, 0], [9, 3, 8]), (labels()[:, 0], ["label 3", "new", "newer"]), (np.array(["b", "a"]), ["a", "c"])):  # fmt: skip
        assert_same_error(lambda m, y=y, new=new: m.LabelEncoder().fit(y).transform(new), ours, theirs)
    for call in (
        lambda m: m.LabelEncoder().fit(POSITIONS),
        lambda m: m.LabelEncoder().transform(POSITIONS[:, 0]),
        lambda m: m.LabelEncoder().fit(POSITIONS[:, 0]).inverse_transform([99]),
    ):
        assert_same_error(call, ours, theirs)
    for m in (ours, theirs):
        assert m.LabelEncoder().fit([1, 2]).transform([]).shape == (0,)
