"""The estimators that are computed here, parameter by parameter."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from typing import Any

TEXT = {
    "input": "'file' or 'filename'",
    "analyzer": "'char', 'char_wb' or a function",
    "token_pattern": "another than the default",
    "tokenizer": "given",
    "preprocessor": "given",
    "strip_accents": "given",
}
NEIGHBORS = {
    "metric": "another than the Euclidean, without a tree",
    "metric_params": "given, without a tree",
    "p": "not 2, without a tree",
}
# Values of parameters for which scikit-learn's method runs; all others are native. tests/python/learn/test_coverage.py
# calls both with the fallback forbidden.
THEIRS: dict[str, dict[str, str]] = {
    "impute.SimpleImputer": {"strategy": "a function"},
    "linear_model.ElasticNet": {"alpha": "0", "precompute": "a matrix"},
    "linear_model.ElasticNetCV": {"precompute": "a matrix", "verbose": "above 0"},
    "linear_model.Lasso": {"alpha": "0", "precompute": "a matrix"},
    "linear_model.LassoCV": {"precompute": "a matrix", "verbose": "above 0"},
    "linear_model.LinearRegression": {"positive": "True"},
    "linear_model.LogisticRegression": {
        "solver": "'liblinear', 'sag', 'saga'",
        "penalty": "given",
        "l1_ratio": "not 0",
        "dual": "True",
        "n_jobs": "given",
        "verbose": "above 0",
    },
    "linear_model.LogisticRegressionCV": {
        "solver": "'liblinear', 'sag', 'saga'",
        "penalty": "given",
        "l1_ratios": "not 0",
        "dual": "True",
        "verbose": "above 0",
    },
    "linear_model.PoissonRegressor": {"verbose": "above 0"},
    "linear_model.Ridge": {"positive": "True", "solver": "'lsqr', 'sparse_cg', 'sag', 'saga', 'lbfgs'"},
    "linear_model.RidgeClassifier": {"positive": "True", "solver": "'lsqr', 'sparse_cg', 'sag', 'saga', 'lbfgs'"},
    "linear_model.RidgeCV": {
        "cv": "given",
        "scoring": "given",
        "store_cv_results": "True",
        "gcv_mode": "'svd'",
    },
    **{f"feature_extraction.text.{name}": TEXT for name in ("CountVectorizer", "HashingVectorizer", "TfidfVectorizer")},
    "preprocessing.KBinsDiscretizer": {"strategy": "'kmeans'"},
    "preprocessing.LabelEncoder": {},
    "preprocessing.MaxAbsScaler": {},
    "feature_extraction.text.TfidfTransformer": {},
    "cluster.DBSCAN": {"metric": "another than 'euclidean'", "metric_params": "given"},
    "cluster.KMeans": {"verbose": "above 0"},
    "cluster.MiniBatchKMeans": {"verbose": "above 0"},
    "covariance.EmpiricalCovariance": {},
    "covariance.LedoitWolf": {},
    "decomposition.IncrementalPCA": {},
    "decomposition.PCA": {"svd_solver": "'arpack', 'randomized', or 'auto' that means it"},
    "decomposition.TruncatedSVD": {"algorithm": "'arpack'"},
    "discriminant_analysis.LinearDiscriminantAnalysis": {
        "shrinkage": "'auto'",
        "covariance_estimator": "given",
    },
    "mixture.GaussianMixture": {"verbose": "above 0"},
    "naive_bayes.GaussianNB": {},
    "naive_bayes.MultinomialNB": {},
    **{f"neighbors.{name}": NEIGHBORS for name in ("KNeighborsClassifier", "KNeighborsRegressor", "NearestNeighbors")},
    "preprocessing.MinMaxScaler": {},
    "preprocessing.Normalizer": {},
    "preprocessing.OneHotEncoder": {},
    "preprocessing.OrdinalEncoder": {},
    "preprocessing.PolynomialFeatures": {},
    "preprocessing.RobustScaler": {"with_scaling": "False, if with_centering is False"},
    "preprocessing.StandardScaler": {"with_std": "False, if with_mean is False"},
    "preprocessing.TargetEncoder": {},
    "svm.LinearSVC": {
        "penalty": "'l1'",
        "loss": "'hinge'",
        "multi_class": "'crammer_singer'",
        "verbose": "above 0",
    },
    "model_selection.GridSearchCV": {"verbose": "above 0"},
    "model_selection.RandomizedSearchCV": {"verbose": "above 0"},
    "model_selection.HalvingGridSearchCV": {"verbose": "above 0"},
    "model_selection.HalvingRandomSearchCV": {"verbose": "above 0"},
}


class Entry:
    """An estimator that is computed here, with the state of each of its parameters.

    Attributes
    ----------
    name : str
    parameters : dict of str to str
        ``'native'``, or the values for which scikit-learn's method runs.
    """

    def __init__(self, name: str):
        self.name = name
        module, _, of = name.rpartition(".")
        found = getattr(importlib.import_module(f"bascule.learn.{module}"), of)
        theirs = THEIRS[name]
        self.parameters = {p: f"scikit-learn's if {theirs[p]}" if p in theirs else "native" for p in found._get_param_names()}  # fmt: skip

    def __repr__(self) -> str:
        rest = "; ".join(f"{p}: {state}" for p, state in self.parameters.items() if state != "native")
        return f"{self.name:40}{rest or 'native'}"


class Coverage(Mapping):
    """Entries by name; printed, it is the whole table."""

    def __getitem__(self, name: str) -> Entry:
        if name not in THEIRS:
            raise KeyError(name)
        return Entry(name)

    def __iter__(self) -> Iterator[str]:
        return iter(THEIRS)

    def __len__(self) -> int:
        return len(THEIRS)

    def __repr__(self) -> str:
        return "\n".join(repr(self[name]) for name in self)


def coverage() -> Any:
    return Coverage()
