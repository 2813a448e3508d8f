"""scikit-learn's own checks of estimators: no class fails one that its own class passes."""

import warnings

import bascule as bc
import bascule.learn.cluster as cluster
import bascule.learn.covariance as covariance
import bascule.learn.decomposition as decomposition
import bascule.learn.discriminant_analysis as discriminant_analysis
import bascule.learn.feature_extraction.text as text
import bascule.learn.impute as impute
import bascule.learn.linear_model as linear
import bascule.learn.mixture as mixture
import bascule.learn.naive_bayes as naive_bayes
import bascule.learn.neighbors as neighbors
import bascule.learn.preprocessing as preprocessing
import bascule.learn.svm as svm
import pytest
from bascule.learn.preprocessing import _OURS
from sklearn.utils.estimator_checks import check_estimator
from threadpoolctl import threadpool_limits

CLASSES = [
    impute.SimpleImputer,
    linear.ElasticNet,
    linear.ElasticNetCV,
    linear.Lasso,
    linear.LassoCV,
    linear.LinearRegression,
    linear.LogisticRegression,
    linear.LogisticRegressionCV,
    linear.PoissonRegressor,
    linear.Ridge,
    linear.RidgeCV,
    linear.RidgeClassifier,
    *(getattr(preprocessing, name) for name in _OURS),
    cluster.DBSCAN,
    cluster.KMeans,
    cluster.MiniBatchKMeans,
    covariance.EmpiricalCovariance,
    covariance.LedoitWolf,
    decomposition.IncrementalPCA,
    decomposition.PCA,
    decomposition.TruncatedSVD,
    discriminant_analysis.LinearDiscriminantAnalysis,
    text.CountVectorizer,
    text.HashingVectorizer,
    text.TfidfTransformer,
    text.TfidfVectorizer,
    mixture.GaussianMixture,
    naive_bayes.GaussianNB,
    naive_bayes.MultinomialNB,
    neighbors.KNeighborsClassifier,
    neighbors.KNeighborsRegressor,
    neighbors.NearestNeighbors,
    svm.LinearSVC,
]


def failures(estimator):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = check_estimator(estimator, on_fail=None, on_skip=None)
    return {r["check_name"]: str(r["exception"]) for r in found if r["status"] == "failed"}


@pytest.mark.parametrize("cls", CLASSES, ids=lambda c: c.__name__)
def test_checks(cls):
    with bc.config.set(fallback="silent"), threadpool_limits(1):  # threads that wait in a loop take minutes
        mine = failures(cls())
    if mine:
        theirs = failures(cls().to_sklearn())
        assert not {k: v for k, v in mine.items() if k not in theirs}
