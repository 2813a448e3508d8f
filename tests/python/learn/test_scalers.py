"""Scalers against scikit-learn's."""

import warnings

import bascule as bc
import numpy as np
import pytest
from bascule.learn import preprocessing as ours
from learn_data import SETS, assert_same_error, data, weights
from sklearn import preprocessing as theirs

pytestmark = pytest.mark.usefixtures("native")

MADE = {
    "standard": lambda m: m.StandardScaler(),
    "without mean": lambda m: m.StandardScaler(with_mean=False),
    "without deviation": lambda m: m.StandardScaler(with_std=False),
    "range": lambda m: m.MinMaxScaler(),
    "clipped range": lambda m: m.MinMaxScaler((-2, 3), clip=True),
    "largest": lambda m: m.MaxAbsScaler(),
    "clipped largest": lambda m: m.MaxAbsScaler(clip=True),
    "quantiles": lambda m: m.RobustScaler(),
    "median": lambda m: m.RobustScaler(with_scaling=False),
    "range of quantiles": lambda m: m.RobustScaler(
        with_centering=False, quantile_range=(10.0, 80.0), unit_variance=True
    ),
}
ATTRIBUTES = (
    "mean_",
    "var_",
    "scale_",
    "min_",
    "data_min_",
    "data_max_",
    "data_range_",
    "max_abs_",
    "center_",
    "n_samples_seen_",
)


def with_nan(X):
    X = np.array(X, float)
    X[::3, 0] = np.nan
    X[1, :] = np.nan
    return X


def compare(mine, other, X):
    for name in ATTRIBUTES:
        if hasattr(other, name):
            got, wanted = getattr(mine, name), getattr(other, name)
            assert np.asarray(got).dtype == np.asarray(wanted).dtype, name
            if wanted is None:
                assert got is None
            else:
                top = np.nanmax(np.abs(np.asarray(wanted, float)), initial=0)
                np.testing.assert_allclose(got, wanted, rtol=1e-10, atol=1e-12 * top, err_msg=name)
    got, wanted = mine.transform(X), other.transform(X)
    assert got.dtype == wanted.dtype
    close = 1e-5 if got.dtype == np.float32 else 1e-9
    np.testing.assert_allclose(got, wanted, rtol=close, atol=close)
    np.testing.assert_allclose(mine.inverse_transform(got), other.inverse_transform(wanted), rtol=close, atol=close)


@pytest.mark.parametrize("missing", [False, True], ids=["", "NaN"])
@pytest.mark.parametrize("kind", MADE)
@pytest.mark.parametrize("name", sorted(SETS.keys() - {"one row"}))
def test_scaler(name, kind, missing):
    X = data(name)[0]
    X = with_nan(X) if missing else X
    compare(MADE[kind](ours).fit(X), MADE[kind](theirs).fit(X), X)


@pytest.mark.parametrize("kind", [kind for kind in MADE if hasattr(MADE[kind](ours), "partial_fit")])
def test_rows_in_parts(kind):
    X = with_nan(data("many rows")[0])
    mine, other = MADE[kind](ours), MADE[kind](theirs)
    for i in range(0, len(X), 7_000):
        mine.partial_fit(X[i : i + 7_000]), other.partial_fit(X[i : i + 7_000])
    compare(mine, other, X)


@pytest.mark.parametrize("missing", [False, True], ids=["", "NaN"])
@pytest.mark.parametrize("name", ["diabetes", "many rows", "float32"])
def test_weighted(name, missing):
    X = data(name)[0]
    X, w = with_nan(X) if missing else X, weights(len(X))
    compare(ours.StandardScaler().fit(X, sample_weight=w), theirs.StandardScaler().fit(X, sample_weight=w), X)


def test_copy_false_writes_into_the_input():
    X = data("many rows")[0].copy()
    for made in MADE.values():
        x = X.copy()
        scaler = made(ours).set_params(copy=False).fit(x)
        assert scaler.transform(x) is x
        np.testing.assert_allclose(x, made(theirs).fit(X).transform(X), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("norm", ["l1", "l2", "max"])
@pytest.mark.parametrize("name", SETS)
def test_normalizer(name, norm):
    X = data(name)[0].copy()
    X[0] = 0
    made = [m.Normalizer(norm).fit(X) for m in (ours, theirs)]
    got, wanted = (m.transform(X) for m in made)
    assert got.dtype == wanted.dtype
    np.testing.assert_allclose(got, wanted, rtol=1e-6 if got.dtype == np.float32 else 1e-14)
    lazy = made[0].transform(bc.asarray(X))
    assert type(lazy) is bc.ndarray
    np.testing.assert_allclose(np.asarray(lazy), got, rtol=1e-6 if got.dtype == np.float32 else 1e-14)
    if X.dtype == np.float64:
        assert made[0].transform(X, copy=False) is X
        np.testing.assert_allclose(X, wanted, rtol=1e-14)


def test_a_column_without_a_number():
    X = data("diabetes")[0].copy()
    X[:, 3] = np.nan
    for kind in MADE:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            mine, other = MADE[kind](ours).fit(X), MADE[kind](theirs).fit(X)
        compare(mine, other, X)


@pytest.mark.parametrize("kind", ["without mean", "largest", "clipped largest", "range of quantiles", "normalizer"])
def test_sparse_rows_are_left_to_scikit_learn(kind):
    from scipy import sparse

    X = sparse.csr_array(np.where(data("diabetes")[0] > 0.04, data("diabetes")[0], 0))
    made = MADE.get(kind, lambda m: m.Normalizer())
    with pytest.raises(NotImplementedError, match="X is sparse"):
        made(ours).fit(X).transform(X)
    with bc.config.set(fallback="silent"):
        mine, other = made(ours).fit(X), made(theirs).fit(X)
        np.testing.assert_array_equal(mine.transform(X).toarray(), other.transform(X).toarray())


@pytest.mark.parametrize("bad", [(80.0, 20.0), (-1.0, 50.0), (3.0, 101.0)])
def test_ranges_of_quantiles_are_checked(bad):
    assert_same_error(lambda m: m.RobustScaler(quantile_range=bad).fit(data("diabetes")[0]), ours, theirs)


@pytest.mark.parametrize("kind", [*MADE, "normalizer"])
def test_errors_are_the_same(kind):
    made = MADE.get(kind, lambda m: m.Normalizer())
    X = data("diabetes")[0].copy()
    for bad in (X[0], X[:, :0], X[:0]):
        assert_same_error(lambda m, bad=bad: made(m).fit(bad), ours, theirs)
    assert_same_error(lambda m: made(m).fit(X).transform(X[:, 1:]), ours, theirs)
    X[3, 4] = np.inf
    assert_same_error(lambda m: made(m).fit(X), ours, theirs)


def test_frames_keep_their_names():
    import pandas as pd

    frame = pd.DataFrame(data("diabetes")[0], columns=[f"c{i}" for i in range(10)])
    scaler = ours.StandardScaler().set_output(transform="pandas").fit(frame)
    found = scaler.transform(frame)
    assert list(found.columns) == list(frame.columns)
    assert scaler.get_feature_names_out().tolist() == list(frame.columns)


@pytest.mark.parametrize("shape", [(20_000, 7), (50, 2_000)], ids=str)
def test_infinity_among_many_numbers(shape):
    """The pass finds what scikit-learn's check says."""
    X = np.random.default_rng(0).normal(size=shape)
    for value, row in ((np.inf, 5), (-np.inf, len(X) - 1)):
        wrong = X.copy()
        wrong[row, 2] = value
        assert_same_error(lambda m, wrong=wrong: m.StandardScaler().fit(wrong), ours, theirs)
        assert_same_error(lambda m, wrong=wrong: m.StandardScaler().fit(X).transform(wrong), ours, theirs)
    wrong[row, 2] = np.nan
    mine, other = (m.StandardScaler().fit(wrong) for m in (ours, theirs))
    np.testing.assert_allclose(mine.mean_, other.mean_, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("name", ["StandardScaler", "MinMaxScaler", "MaxAbsScaler", "RobustScaler", "Normalizer"])
def test_float16_stays(name):
    X = np.random.default_rng(0).normal(size=(30, 4)).astype(np.float16)
    found = []
    for module in (ours, theirs):
        with bc.config.set(fallback="silent"):
            found.append(getattr(module, name)().fit(X).transform(X))
    assert found[0].dtype == found[1].dtype == np.float16
    np.testing.assert_array_equal(*found)


def test_callbacks_see_the_fit():
    """scikit-learn's method calls them, and the call is counted with that reason."""
    callbacks = pytest.importorskip("sklearn.callback.tests._utils")  # since 1.9
    bc.fallbacks(reset=True)
    recording = callbacks.RecordingCallback()
    with bc.config.set(fallback="silent"):
        ours.StandardScaler().set_callbacks(recording).fit(np.eye(4))
    assert "it has callbacks" in [entry["reason"] for entry in bc.fallbacks()]
    assert recording.record
