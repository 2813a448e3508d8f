"""Principal components against scikit-learn's."""

import warnings

import bascule as bc
import numpy as np
import pytest
from bascule.learn import decomposition as ours
from learn_data import SETS, assert_close, assert_same_fit, data, shown
from sklearn import decomposition as theirs


@pytest.fixture(autouse=True)
def native():
    with bc.config.set(fallback="error"):
        yield


def apart(values):
    """Components with a singular value that differs from all others, and from nought, by a thousandth of the largest."""
    if len(values) == 0 or not values[0] > 0:
        return np.zeros(len(values), bool)
    near = np.abs(np.subtract.outer(values, np.append(values, 0)))
    near[np.arange(len(values)), np.arange(len(values))] = np.inf
    return near.min(axis=1) > 1e-3 * values[0]


def fitted(made, X):
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        return made.fit(X), {str(w.message) for w in said}


def compare(X, options, reference=None):
    (mine, said), (other, wanted) = (fitted(m.PCA(**options), X) for m in (ours, theirs))
    assert said == wanted
    reference = other if reference is None else reference
    close = 1e-4 if X.dtype == np.float32 else 1e-10
    level = np.abs(np.asarray(X, float)).max()
    scales = {
        "mean_": level,
        "noise_variance_": np.nanmax(reference.explained_variance_, initial=level),
        "explained_variance_ratio_": 1,
    }
    assert_same_fit(mine, reference, close, scales, ("components_", "singular_values_"))
    assert mine.singular_values_.dtype == reference.singular_values_.dtype
    assert_close(mine.singular_values_**2, reference.singular_values_**2, close)
    clear = apart(reference.singular_values_)
    assert_close(mine.components_[clear], reference.components_[clear], close, 1)
    if len(X) > 1 and clear.any():
        whole = 1 if not options.get("whiten") else np.sqrt(len(X))
        scale = level if not options.get("whiten") else level / np.sqrt(reference.explained_variance_[clear].min())
        assert_close(mine.transform(X)[:, clear], reference.transform(X)[:, clear], close, max(scale, whole))
    return mine, other


OPTIONS = [{}, {"svd_solver": "full"}, {"svd_solver": "covariance_eigh"}, {"whiten": True}]


def is_refused(name, options):
    """Whether scikit-learn divides by nought before its decomposition, and fails."""
    return name == "one row" and options.get("svd_solver") == "covariance_eigh"


@pytest.mark.parametrize(
    ("name", "options"), [(n, o) for n in SETS for o in OPTIONS if not is_refused(n, o)], ids=shown
)
def test_fit(name, options):
    X = data(name)[0]
    exact = None
    if name == "far from zero":  # scikit-learn's products are of rows as they are
        exact = theirs.PCA(svd_solver="full", whiten=options.get("whiten", False)).fit(X)
    compare(X, options, exact)


@pytest.mark.parametrize("count", [0, 1, 3, 0.7, 0.999, "mle"])
@pytest.mark.parametrize("solver", ["auto", "full"])
def test_number_of_components(count, solver):
    X = data("diabetes")[0]
    mine, other = compare(X, {"n_components": count, "svd_solver": solver})
    assert type(mine.n_components_) is type(other.n_components_)


def test_many_rows_far_from_zero():
    X = data("many rows")[0]
    for moved in (X, X + 1e7, np.where(np.arange(len(X))[:, None] < 9_000, X, X + 1e7)):
        mean = moved.astype(np.longdouble).mean(axis=0)
        exact = np.linalg.svd((moved - mean).astype(float), compute_uv=False)
        mine = ours.PCA(svd_solver="covariance_eigh").fit(moved)
        assert_close(mine.singular_values_**2, exact**2, 1e-11)


def test_small_singular_values_of_the_full_solver():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(9_000, 6)) * np.logspace(0, -9, 6) @ np.linalg.qr(rng.normal(size=(6, 6)))[0]
    mine, other = (m.PCA(svd_solver="full").fit(X) for m in (ours, theirs))
    np.testing.assert_allclose(mine.singular_values_, other.singular_values_, rtol=1e-6)


@pytest.mark.parametrize("whiten", [False, True])
@pytest.mark.parametrize("name", ["diabetes", "iris", "many rows", "float32", "wide"])
def test_methods(name, whiten):
    X = data(name)[0]
    mine, other = (m.PCA(3, whiten=whiten, svd_solver="full") for m in (ours, theirs))
    close = 1e-3 if X.dtype == np.float32 else 1e-8
    assert_close(mine.fit_transform(X), other.fit_transform(X), close)
    assert_close(mine.inverse_transform(mine.transform(X)), other.inverse_transform(other.transform(X)), close)
    assert_close(mine.get_covariance(), other.get_covariance(), close)
    assert_close(mine.get_precision(), other.get_precision(), close)
    if X.dtype == np.float64:
        assert_close(mine.score_samples(X), other.score_samples(X), close)
        assert mine.score(X) == pytest.approx(other.score(X), rel=close)


@pytest.mark.parametrize(
    "options", [{"n_components": 11}, {"n_components": 5.0}, {"n_components": "mle", "svd_solver": "full"}]
)
def test_errors(options):
    X = data("diabetes")[0] if options["n_components"] != "mle" else data("wide")[0]
    said = []
    for m in (ours, theirs):
        with pytest.raises(ValueError) as error:
            m.PCA(**options).fit(X)
        said.append(str(error.value))
    assert said[0] == said[1]


def test_solvers_that_are_scikit_learns():
    X = np.random.default_rng(0).normal(size=(600, 550))
    for options in ({"svd_solver": "randomized"}, {"svd_solver": "arpack"}, {}):
        with pytest.raises(NotImplementedError, match="learn.PCA.fit"):
            ours.PCA(3, **options).fit(X)
        with bc.config.set(fallback="silent"):
            mine, other = (m.PCA(3, random_state=0, **options).fit(X) for m in (ours, theirs))
            assert_close(mine.transform(X), other.transform(X), 1e-9)
            found, wanted = (m.PCA(3, random_state=0, **options).fit_transform(X) for m in (ours, theirs))
            np.testing.assert_array_equal(found, wanted)


def test_arrays_of_bascule_frames_and_threads():
    import bascule.pandas as pd

    X = data("many rows")[0]
    one = ours.PCA(4).fit(X)
    before = bc.get_num_threads()
    try:
        bc.set_num_threads(1)
        two = ours.PCA(4).fit(bc.asarray(X))
    finally:
        bc.set_num_threads(before)
    np.testing.assert_array_equal(np.asarray(two.components_), one.components_)
    found = two.transform(bc.asarray(X))
    for x in (
        two.components_,
        two.mean_,
        found,
        two.inverse_transform(found),
        two.get_covariance(),
        two.score_samples(bc.asarray(X)),
    ):
        assert type(x) is bc.ndarray
    np.testing.assert_array_equal(np.asarray(found), one.transform(X))
    assert two.score(bc.asarray(X)) == one.score(X)
    frame = pd.DataFrame(X, columns=list("abcdefg"))
    three = ours.PCA(4)
    with bc.config.set(fallback="silent"):  # scikit-learn asks a frame whether it is sparse
        assert_close(three.fit_transform(frame), one.transform(X), 1e-12)
    assert three.feature_names_in_.tolist() == list("abcdefg")
    assert three.get_feature_names_out().tolist() == ["pca0", "pca1", "pca2", "pca3"]
    with bc.config.set(fallback="silent"):
        assert list(three.set_output(transform="pandas").transform(frame).columns) == ["pca0", "pca1", "pca2", "pca3"]
