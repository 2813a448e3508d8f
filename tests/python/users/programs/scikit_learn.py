"""scikit-learn with array_api_dispatch=True on its own data: estimators, searches, scalers, metrics. No call falls back."""

import bascule as bc
import numpy as np
import pytest
import sklearn
import sklearn.metrics
from sklearn.calibration import CalibratedClassifierCV
from sklearn.cluster import KMeans
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import RandomForestClassifier
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge, RidgeClassifier, RidgeCV
from sklearn.metrics import pairwise
from sklearn.mixture import GaussianMixture
from sklearn.model_selection import GridSearchCV, cross_val_score, train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (
    Binarizer,
    KernelCenterer,
    LabelEncoder,
    MaxAbsScaler,
    MinMaxScaler,
    Normalizer,
    PolynomialFeatures,
    StandardScaler,
)
from users import check, same

# scikit-learn divides by zero if no rows were seen before, and silences only NumPy's warning.
pytestmark = pytest.mark.filterwarnings("ignore:invalid value encountered in divide:RuntimeWarning")

DIABETES = load_diabetes(return_X_y=True)
WINE = load_wine(return_X_y=True)
CANCER = load_breast_cancer(return_X_y=True)
IRIS = load_iris(return_X_y=True)
DIGITS = load_digits().data


@pytest.fixture(autouse=True)
def dispatch():
    with sklearn.config_context(array_api_dispatch=True), bc.config.set(fallback="error"):
        yield


def scaled(data):
    x, y = data
    return (x - x.mean(0)) / x.std(0), y


# ---- regression


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("model", [Ridge(alpha=0.1, solver="svd"), Ridge(fit_intercept=False, solver="svd"), RidgeCV()])
def test_ridge(model, dtype):
    def fit(x, y):
        m = sklearn.base.clone(model).fit(x, y)
        return m.coef_, m.intercept_, m.predict(x), m.score(x, y)

    x, y = DIABETES
    same(fit, x.astype(dtype), y.astype(dtype), rtol=1e-12 if dtype == "f8" else 1e-4)


def test_ridge_with_weights():
    weights = np.linspace(0.5, 2, DIABETES[1].size)
    same(lambda x, y, w: Ridge(solver="svd").fit(x, y, sample_weight=w).coef_, *DIABETES, weights, rtol=1e-12)


def test_linear_regression_without_dispatch_takes_the_memory():
    with sklearn.config_context(array_api_dispatch=False):
        same(lambda x, y: LinearRegression().fit(x, y).coef_, *DIABETES, rtol=1e-12, stays=False)


# ---- classification


@pytest.mark.parametrize("data", [scaled(CANCER), scaled(WINE), IRIS], ids=["cancer", "wine", "iris"])
@pytest.mark.parametrize(
    "model, rtol",
    [
        (LogisticRegression(tol=1e-10, max_iter=2000), 1e-5),  # within the tolerance of its stopping rule
        (RidgeClassifier(solver="svd"), 1e-12),
        (LinearDiscriminantAnalysis(solver="svd"), 1e-11),
        (GaussianNB(), 1e-11),
    ],
    ids=lambda v: type(v).__name__,
)
def test_classifiers(model, rtol, data):
    def fit(x, y):
        m = sklearn.base.clone(model).fit(x, y)
        fitted = [getattr(m, n) for n in ("coef_", "intercept_", "theta_", "var_") if hasattr(m, n)]
        scores = m.predict_proba(x) if hasattr(m, "predict_proba") else m.decision_function(x)
        return fitted, scores, m.predict(x), m.score(x, y)

    same(fit, *data, rtol=rtol)


def test_calibrated_classifier():
    def fit(x, y):
        return CalibratedClassifierCV(LogisticRegression(tol=1e-10), method="temperature").fit(x, y).predict_proba(x)

    same(fit, *scaled(CANCER), rtol=1e-6)


def test_forests_without_dispatch_take_the_memory():
    def fit(x, y):
        m = RandomForestClassifier(5, random_state=0).fit(x, y)
        return m.predict_proba(x), KMeans(2, random_state=0, n_init=2).fit(x).cluster_centers_

    with sklearn.config_context(array_api_dispatch=False):
        same(fit, *CANCER, rtol=1e-12, stays=False)


# ---- decomposition and mixtures


@pytest.mark.parametrize(
    "model",
    [
        PCA(n_components=4, svd_solver="full"),
        PCA(n_components=0.9, svd_solver="full"),
        PCA(n_components="mle", svd_solver="full"),
        PCA(n_components=4, svd_solver="covariance_eigh", whiten=True),
        PCA(n_components=3, svd_solver="randomized", random_state=0, power_iteration_normalizer="QR"),
    ],
    ids=str,
)
@pytest.mark.parametrize("data", [DIABETES[0], IRIS[0], DIGITS[:400, 2:6]], ids=["diabetes", "iris", "digits"])
def test_pca(model, data):
    if model.n_components == 4 and data.shape[1] == 4:
        model = sklearn.base.clone(model).set_params(n_components=3)

    def fit(x):
        m = sklearn.base.clone(model).fit(x)
        z = m.transform(x)
        return m.components_, m.explained_variance_, m.singular_values_, m.mean_, z, m.inverse_transform(z), m.score(x)

    same(fit, data, rtol=1e-10)


@pytest.mark.parametrize("covariance", ["full", "tied", "diag", "spherical"])
def test_gaussian_mixture(covariance):
    def fit(x):
        m = GaussianMixture(3, covariance_type=covariance, random_state=0, init_params="random").fit(x)
        fitted = m.means_, m.covariances_, m.weights_, m.precisions_cholesky_
        return fitted, m.predict_proba(x), m.predict(x), m.score(x), m.bic(x), m.aic(x)

    same(fit, IRIS[0], rtol=1e-7)


def test_kernel_approximation():
    same(lambda x: Nystroem(n_components=20, random_state=0).fit_transform(x), DIGITS[:200], rtol=1e-11)


# ---- preparation, searches, pipelines


@pytest.mark.parametrize(
    "model",
    [
        StandardScaler(),
        StandardScaler(with_mean=False),
        MinMaxScaler((-1, 1)),
        MaxAbsScaler(),
        Normalizer("l1"),
        Normalizer("l2"),
        Normalizer("max"),
        Binarizer(threshold=5.0),
        PolynomialFeatures(2),
    ],
    ids=str,
)
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_preparation(model, dtype):
    rtol = 1e-12 if dtype == "f8" else 1e-5
    same(lambda x: sklearn.base.clone(model).fit(x).transform(x), DIGITS[:300].astype(dtype), rtol=rtol)
    if hasattr(model, "inverse_transform"):
        same(lambda x: (m := sklearn.base.clone(model).fit(x)).inverse_transform(m.transform(x)), IRIS[0].astype(dtype), rtol=rtol)  # fmt: skip


def test_missing_values_are_scaled_around():
    x = IRIS[0].copy()
    x[3, 1] = x[7, 0] = np.nan
    same(lambda x: StandardScaler().fit(x).transform(x), x, rtol=1e-12)
    same(lambda x: MinMaxScaler().fit(x).transform(x), x, rtol=1e-12)


def test_kernels_are_centred_and_labels_numbered():
    same(lambda x: KernelCenterer().fit_transform(pairwise.linear_kernel(x)), IRIS[0], rtol=1e-12)
    same(lambda y: ((m := LabelEncoder()).fit_transform(y), m.classes_), WINE[1] * 10, rtol=0)


@pytest.mark.parametrize("scoring", [None, "r2", "neg_mean_absolute_error"])
def test_grid_search(scoring):
    def fit(x, y):
        m = GridSearchCV(Ridge(solver="svd"), {"alpha": [0.01, 0.1, 1.0]}, cv=4, scoring=scoring).fit(x, y)
        assert type(m.best_estimator_.coef_) is type(x)
        return m.best_score_, m.best_params_["alpha"], np.asarray(m.cv_results_["mean_test_score"]), m.predict(x)

    x, y = DIABETES
    theirs, mine = fit(x, y), fit(bc.asarray(x), bc.asarray(y))
    check(mine[:3], theirs[:3], 1e-11, stays=False)
    check(mine[3], theirs[3], 1e-11)


def test_grid_search_of_a_pipeline():
    def fit(x, y):
        steps = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000, tol=1e-10))
        m = GridSearchCV(steps, {"logisticregression__C": [0.1, 1]}, scoring="roc_auc", cv=3).fit(x, y)
        return np.asarray(m.cv_results_["mean_test_score"]), np.asarray(m.predict(x))

    same(fit, *CANCER, rtol=1e-8, stays=False)


def test_pipeline():
    def fit(x, y):
        steps = StandardScaler(), PCA(5, svd_solver="full"), LogisticRegression(tol=1e-10, max_iter=1000)
        m = make_pipeline(*steps).fit(x, y)
        return m.predict_proba(x), m.predict(x), m.score(x, y)

    same(fit, *CANCER, rtol=1e-6)


def test_cross_validation_and_splits():
    same(lambda x, y: cross_val_score(Ridge(solver="svd"), x, y, cv=3), *DIABETES, rtol=1e-11, stays=False)
    same(lambda x, y: train_test_split(x, y, random_state=0), *DIABETES, rtol=0)
    same(lambda x, y: train_test_split(x, y, random_state=0, stratify=y), *WINE, rtol=0)


# ---- metrics

RNG = np.random.default_rng(0)
LABELS = WINE[1]
GUESSES = np.where(RNG.random(LABELS.size) < 0.2, (LABELS + 1) % 3, LABELS)
BOOLEAN = (LABELS > 0).astype(int)
SCORES = np.clip(BOOLEAN * 0.6 + RNG.random(BOOLEAN.size) * 0.5, 0.01, 0.99)
VALUES = DIABETES[1]
PREDICTED = np.abs(VALUES + RNG.normal(0, 20, VALUES.size)) + 1

OF_LABELS = "accuracy_score balanced_accuracy_score cohen_kappa_score confusion_matrix hamming_loss matthews_corrcoef zero_one_loss multilabel_confusion_matrix"  # fmt: skip
AVERAGED = "f1_score jaccard_score precision_score recall_score"
OF_SCORES = "roc_auc_score roc_curve brier_score_loss log_loss average_precision_score precision_recall_curve det_curve d2_log_loss_score"  # fmt: skip
OF_VALUES = """r2_score mean_absolute_error mean_squared_error root_mean_squared_error mean_squared_log_error
root_mean_squared_log_error mean_absolute_percentage_error median_absolute_error max_error explained_variance_score
mean_tweedie_deviance mean_poisson_deviance mean_gamma_deviance d2_tweedie_score mean_pinball_loss d2_absolute_error_score
d2_pinball_score"""
OF_PAIRS = """euclidean_distances cosine_similarity cosine_distances rbf_kernel linear_kernel polynomial_kernel sigmoid_kernel
chi2_kernel additive_chi2_kernel laplacian_kernel manhattan_distances pairwise_distances"""


@pytest.mark.parametrize("name", OF_LABELS.split())
def test_metrics_of_labels(name):
    same(getattr(sklearn.metrics, name), LABELS, GUESSES, rtol=1e-13)


@pytest.mark.parametrize("average", ["macro", "micro", "weighted", None])
@pytest.mark.parametrize("name", AVERAGED.split())
def test_metrics_of_labels_averaged(name, average):
    metric = getattr(sklearn.metrics, name)
    same(lambda y, z: metric(y, z, average=average), LABELS, GUESSES, rtol=1e-13, stays=False)


@pytest.mark.parametrize("name", OF_SCORES.split())
def test_metrics_of_scores(name):
    same(getattr(sklearn.metrics, name), BOOLEAN, SCORES, rtol=1e-12)


@pytest.mark.parametrize("name", OF_VALUES.split())
def test_metrics_of_values(name):
    same(getattr(sklearn.metrics, name), VALUES, PREDICTED, rtol=1e-12)


@pytest.mark.parametrize("name", OF_PAIRS.split())
def test_metrics_of_pairs(name):
    metric = getattr(sklearn.metrics, name, None) or getattr(pairwise, name)
    same(metric, DIGITS[:60], DIGITS[60:100], rtol=1e-12)
