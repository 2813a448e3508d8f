"""For each estimator that is computed here: values of its parameters that are native, and those left to scikit-learn."""

import importlib

import numpy as np
from bascule.learn.covariance import LedoitWolf
from bascule.learn.linear_model import Ridge
from learn_data import data
from sklearn.base import clone, is_classifier
from sklearn.covariance import OAS
from sklearn.model_selection import KFold

GRID, ONE = {"alpha": [0.1, 1.0]}, {"alpha": [1.0]}
SEARCH = {
    "estimator": [Ridge()],
    "scoring": [None, "r2", ["r2", "neg_max_error"], lambda e, X, y: 1.0],
    "n_jobs": [None, 1],
    "refit": [True, False],
    "cv": [None, 3, KFold(4)],
    "verbose": [0],
    "pre_dispatch": [2],
    "error_score": [np.nan, "raise", 0.0],
    "return_train_score": [False, True],
}
HALVING = {
    **{parameter: values for parameter, values in SEARCH.items() if parameter != "pre_dispatch"},
    "scoring": [None, "r2", lambda e, X, y: 1.0],
    "factor": [2],
    "resource": ["n_samples", "max_iter"],
    "max_resources": ["auto", 200],
    "min_resources": ["exhaust", 50],
    "aggressive_elimination": [False, True],
    "random_state": [0],
}
CATEGORIES = {
    "categories": ["auto", [range(3)] * 3],
    "dtype": [np.float64, np.int32],
    "min_frequency": [None, 2, 0.4],
    "max_categories": [None, 2],
}
RIDGE = {
    "alpha": [0.0, 2.0],
    "fit_intercept": [True, False],
    "copy_X": [True, False],
    "max_iter": [None, 5],
    "tol": [1e-4, 0.1],
    "solver": ["auto", "svd", "cholesky"],
    "positive": [False],
    "random_state": [None, 0],
}
X, _ = data("diabetes")
DESCENT = {
    "fit_intercept": [True, False],
    "copy_X": [True, False],
    "max_iter": [1000, 5],
    "tol": [1e-4, 0.1],
    "positive": [False, True],
    "random_state": [None, 0],
    "selection": ["cyclic", "random"],
}
DESCENTS = {**DESCENT, "precompute": [False, True], "alpha": [1.0, 0.01], "warm_start": [False, True]}
DESCENTS_CV = {
    **DESCENT,
    "precompute": ["auto", False, True],
    "eps": [1e-3, 0.1],
    "alphas": [10, [0.1, 1.0]],
    "cv": [None, 3, KFold(4)],
    "verbose": [0],
    "n_jobs": [None, 1],
}
LOGISTIC = {
    "fit_intercept": [True, False],
    "dual": [False],
    "penalty": ["deprecated"],
    "solver": ["lbfgs", "newton-cg", "newton-cholesky"],
    "tol": [1e-4, 0.1],
    "max_iter": [100, 2],
    "class_weight": [None, "balanced", {0: 2.0}],
    "verbose": [0],
    "intercept_scaling": [1, 2.0],
    "random_state": [None, 0],
}
TEXT = {
    "input": ["content"],
    "encoding": ["utf-8", "latin-1"],
    "decode_error": ["strict", "ignore"],
    "strip_accents": [None],
    "lowercase": [True, False],
    "preprocessor": [None],
    "tokenizer": [None],
    "stop_words": [None, "english", ["ab", "cd"]],
    "token_pattern": [r"(?u)\b\w\w+\b"],
    "ngram_range": [(1, 1), (1, 3)],
    "analyzer": ["word"],
    "binary": [False, True],
}
VOCABULARY = {
    **TEXT,
    "max_df": [1.0, 0.5, 3],
    "min_df": [1, 2],
    "max_features": [None, 4],
    "vocabulary": [None, ["word", "words"]],
    "dtype": [np.int64, np.float32],
}
NORM = {"norm": ["l1", "l2", None]}
WEIGHTED = {"w": np.arange(1.0, 11.0)}
NEIGHBORS = {
    "n_neighbors": [5, 1],
    "algorithm": ["auto", "ball_tree", "kd_tree", "brute"],
    "leaf_size": [30, 5],
    "p": [2, 1],
    "metric": ["minkowski", "euclidean", "manhattan"],
    "metric_params": [None, WEIGHTED],
    "n_jobs": [None, 2],
}
PREDICTORS = {**NEIGHBORS, "weights": ["uniform", "distance", lambda distances: 1 / (1 + distances)]}
CLUSTERS = {
    "n_clusters": [8, 4, 2, 1],
    "init": ["k-means++", "random", X[:8], lambda X, n_clusters, random_state: X[:n_clusters]],
    "n_init": ["auto", 2],
    "tol": [1e-4, 1e-3, 0.0],
    "verbose": [0],
    "random_state": [None, 0],
}
COVARIANCE = {"store_precision": [True, False], "assume_centered": [False, True]}
RANDOMIZED = {
    "n_oversamples": [10, 2, 20],
    "power_iteration_normalizer": ["auto", "QR", "LU"],
    "random_state": [None, 0],
    "tol": [0.0, 0.1],
}
# For each parameter values that are native.
NATIVE = {
    "linear_model.ElasticNet": {**DESCENTS, "l1_ratio": [0.5, 1.0]},
    "linear_model.Lasso": DESCENTS,
    "linear_model.ElasticNetCV": {**DESCENTS_CV, "l1_ratio": [0.5, [0.1, 0.9]]},
    "linear_model.LassoCV": DESCENTS_CV,
    "linear_model.LogisticRegression": {
        **LOGISTIC,
        "C": [1.0, 0.1],
        "l1_ratio": [0.0],
        "warm_start": [False, True],
        "n_jobs": [None],
    },
    "linear_model.LogisticRegressionCV": {
        **LOGISTIC,
        "Cs": [3, [0.1, 1.0]],
        "l1_ratios": [(0,), (0.0,)],
        "cv": [None, 3, KFold(4)],
        "scoring": ["accuracy", "neg_log_loss"],
        "n_jobs": [None, 1],
        "refit": [True, False],
        "use_legacy_attributes": [False, True],
    },
    "linear_model.PoissonRegressor": {
        "alpha": [1.0, 0.0],
        "fit_intercept": [True, False],
        "solver": ["lbfgs", "newton-cholesky"],
        "max_iter": [100, 2],
        "tol": [1e-4, 0.1],
        "warm_start": [False, True],
        "verbose": [0],
    },
    "feature_extraction.text.CountVectorizer": VOCABULARY,
    "feature_extraction.text.HashingVectorizer": {
        **TEXT,
        **NORM,
        "n_features": [2**20, 8],
        "alternate_sign": [True, False],
        "dtype": [np.float64, np.float32],
    },
    "feature_extraction.text.TfidfVectorizer": {
        **VOCABULARY,
        **NORM,
        "dtype": [np.float64, np.float32],
        "use_idf": [True, False],
        "smooth_idf": [True, False],
        "sublinear_tf": [False, True],
    },
    "feature_extraction.text.TfidfTransformer": {
        **NORM,
        "use_idf": [True, False],
        "smooth_idf": [True, False],
        "sublinear_tf": [False, True],
    },
    "cluster.DBSCAN": {
        "eps": [0.5, 0.1],
        "min_samples": [5, 1],
        "metric": ["euclidean"],
        "metric_params": [None],
        "algorithm": ["auto", "brute", "kd_tree", "ball_tree"],
        "leaf_size": [30, 5],
        "p": [None, 2],
        "n_jobs": [None, 2],
    },
    "cluster.KMeans": {
        **CLUSTERS,
        "max_iter": [300, 20, 2, 1],
        "copy_x": [True, False],
        "algorithm": ["lloyd", "elkan"],
    },
    "cluster.MiniBatchKMeans": {
        **CLUSTERS,
        "max_iter": [100, 20, 2, 1],
        "batch_size": [1024, 50],
        "compute_labels": [True, False],
        "max_no_improvement": [10, 3, None],
        "init_size": [None, 50, 100],
        "reassignment_ratio": [0.01, 0.0, 0.1],
    },
    "covariance.EmpiricalCovariance": COVARIANCE,
    "covariance.LedoitWolf": {**COVARIANCE, "block_size": [1000, 3, 2]},
    "decomposition.IncrementalPCA": {
        "n_components": [None, 2, 3],
        "whiten": [False, True],
        "copy": [True, False],
        "batch_size": [None, 100, 40],
    },
    "decomposition.PCA": {
        **RANDOMIZED,
        "n_components": [None, 0, 2, 3, 0.9, "mle"],
        "copy": [True, False],
        "whiten": [False, True],
        "svd_solver": ["auto", "full", "covariance_eigh"],
        "iterated_power": ["auto", 3],
    },
    "decomposition.TruncatedSVD": {
        **RANDOMIZED,
        "n_components": [2, 9, 10],
        "algorithm": ["randomized"],
        "n_iter": [5, 1, 0],
    },
    "discriminant_analysis.LinearDiscriminantAnalysis": {
        "solver": ["svd", "lsqr", "eigen"],
        "shrinkage": [None, 0.3, 0.0],
        "priors": [None, [0.3, 0.7]],
        "n_components": [None, 1],
        "store_covariance": [False, True],
        "tol": [1e-4, 0.1, 1e-8],
        "covariance_estimator": [None],
    },
    "mixture.GaussianMixture": {
        "n_components": [3, 2, 1],
        "covariance_type": ["full", "tied", "diag", "spherical"],
        "tol": [1e-3, 0.1],
        "reg_covar": [1e-6, 0.1],
        "max_iter": [100, 2],
        "n_init": [1, 2],
        "init_params": ["kmeans", "k-means++", "random", "random_from_data"],
        "weights_init": [None, [0.4, 0.6]],
        "means_init": [None, X[:2]],
        "precisions_init": [None, np.array([np.eye(10)] * 2)],
        "random_state": [None, 0],
        "warm_start": [False, True],
        "verbose": [0],
        "verbose_interval": [10, 1],
    },
    "naive_bayes.GaussianNB": {"priors": [None, [0.3, 0.7]], "var_smoothing": [1e-9, 0.1, 0.0]},
    "naive_bayes.MultinomialNB": {
        "alpha": [1.0, 0.0],
        "force_alpha": [True, False],
        "fit_prior": [True, False],
        "class_prior": [None, [0.3, 0.7]],
    },
    "neighbors.KNeighborsClassifier": PREDICTORS,
    "neighbors.KNeighborsRegressor": PREDICTORS,
    "neighbors.NearestNeighbors": {**NEIGHBORS, "radius": [1.0, 0.1]},
    "svm.LinearSVC": {
        "penalty": ["l2"],
        "loss": ["squared_hinge"],
        "dual": ["auto", True, False],
        "tol": [1e-4, 0.1],
        "C": [1.0, 0.1],
        "multi_class": ["ovr"],
        "fit_intercept": [True, False],
        "intercept_scaling": [1, 2.0],
        "class_weight": [None, "balanced", {0: 2.0}],
        "verbose": [0],
        "random_state": [None, 0],
        "max_iter": [1000, 2],
    },
    "impute.SimpleImputer": {
        "missing_values": [np.nan, 0.0],
        "strategy": ["mean", "median", "most_frequent", "constant"],
        "fill_value": [None, 1.0],
        "copy": [True, False],
        "add_indicator": [True, False],
        "keep_empty_features": [True, False],
    },
    "linear_model.LinearRegression": {
        "fit_intercept": [True, False],
        "copy_X": [True, False],
        "tol": [1e-6, 0.1],
        "n_jobs": [None, 2],
        "positive": [False],
    },
    "linear_model.Ridge": {**RIDGE, "solver": [*RIDGE["solver"], "eig"]},
    "linear_model.RidgeClassifier": {**RIDGE, "class_weight": [None, "balanced", {0: 2.0}]},
    "linear_model.RidgeCV": {
        "alphas": [0.3, (0.1, 1.0)],
        "fit_intercept": [True, False],
        "scoring": [None],
        "cv": [None],
        "gcv_mode": [None, "auto", "eigen"],
        "store_cv_results": [False],
        "alpha_per_target": [True, False],
    },
    "preprocessing.MinMaxScaler": {"feature_range": [(0, 1), (-3, 2)], "copy": [True, False], "clip": [True, False]},
    "preprocessing.StandardScaler": {"copy": [True, False], "with_mean": [True, False], "with_std": [True, False]},
    "preprocessing.MaxAbsScaler": {"copy": [True, False], "clip": [True, False]},
    "preprocessing.KBinsDiscretizer": {
        "n_bins": [2, 5, [3] * 10],
        "encode": ["onehot", "onehot-dense", "ordinal"],
        "strategy": ["uniform", "quantile"],
        "quantile_method": ["averaged_inverted_cdf", "linear"],
        "dtype": [None, np.float32],
        "subsample": [None, 100],
        "random_state": [None, 0],
    },
    "preprocessing.LabelEncoder": {},
    "preprocessing.OneHotEncoder": {
        **CATEGORIES,
        "drop": [None, "first", "if_binary", [0, 0, 0]],
        "sparse_output": [True, False],
        "handle_unknown": ["error", "ignore", "infrequent_if_exist", "warn"],
        "feature_name_combiner": ["concat", lambda name, category: name],
    },
    "preprocessing.OrdinalEncoder": {
        **CATEGORIES,
        "handle_unknown": ["error"],
        "unknown_value": [None],
        "encoded_missing_value": [np.nan, -1],
    },
    "preprocessing.Normalizer": {"norm": ["l1", "l2", "max"], "copy": [True, False]},
    "preprocessing.PolynomialFeatures": {
        "degree": [0, 2, 3, (1, 2)],
        "interaction_only": [False, True],
        "include_bias": [True, False],
        "order": ["C", "F"],
    },
    "preprocessing.RobustScaler": {
        "with_centering": [True, False],
        "with_scaling": [True, False],
        "quantile_range": [(25.0, 75.0), (1.0, 99.0)],
        "copy": [True, False],
        "unit_variance": [True, False],
    },
    "preprocessing.TargetEncoder": {
        "categories": ["auto", [range(3)] * 3],
        "target_type": ["auto", "continuous"],
        "smooth": ["auto", 2.0],
        "cv": [5, KFold(2)],
        "shuffle": ["deprecated"],
        "random_state": ["deprecated"],
    },
    "model_selection.GridSearchCV": {**SEARCH, "param_grid": [GRID, [GRID, ONE]]},
    "model_selection.RandomizedSearchCV": {
        **SEARCH,
        "param_distributions": [GRID, [GRID, ONE]],
        "n_iter": [1],
        "random_state": [0],
    },
    "model_selection.HalvingGridSearchCV": {**HALVING, "param_grid": [GRID, [GRID, ONE]]},
    "model_selection.HalvingRandomSearchCV": {
        **HALVING,
        "param_distributions": [GRID, [GRID, ONE]],
        "n_candidates": [1, 2],
    },
}
GRAM = X.T @ X
LOGISTIC_LEFT = {
    "solver": ["liblinear", "sag", "saga"],
    "penalty": ["l2"],
    "dual": [True],
    "verbose": [1],
}
TEXT_LEFT = {
    "input": ["file", "filename"],
    "analyzer": ["char", "char_wb", str.split],
    "token_pattern": [r"(?u)\b\w+\b", None],
    "tokenizer": [str.split],
    "preprocessor": [str.lower],
    "strip_accents": ["ascii", "unicode", str.lower],
}
NEIGHBORS_LEFT = {
    "p": [1],
    "metric": ["manhattan", "cosine"],
    "metric_params": [WEIGHTED],
}
# And values for which scikit-learn's method runs, with other parameters that they need.
LEFT = {
    **{f"linear_model.{name}": {"alpha": [0], "precompute": [GRAM]} for name in ("ElasticNet", "Lasso")},
    **{f"linear_model.{name}": {"precompute": [GRAM], "verbose": [1]} for name in ("ElasticNetCV", "LassoCV")},
    "linear_model.LogisticRegression": {**LOGISTIC_LEFT, "l1_ratio": [0.5], "n_jobs": [1, 2]},
    "linear_model.LogisticRegressionCV": {**LOGISTIC_LEFT, "l1_ratios": [(0.5,), (0, 0.5)]},
    "linear_model.PoissonRegressor": {"verbose": [1]},
    **{f"feature_extraction.text.{name}Vectorizer": TEXT_LEFT for name in ("Count", "Hashing", "Tfidf")},
    "cluster.DBSCAN": {"metric": ["manhattan"], "metric_params": [{}]},
    "cluster.KMeans": {"verbose": [1]},
    "cluster.MiniBatchKMeans": {"verbose": [1]},
    "decomposition.PCA": {"svd_solver": ["arpack", "randomized"]},
    "decomposition.TruncatedSVD": {"algorithm": ["arpack"]},
    "discriminant_analysis.LinearDiscriminantAnalysis": {
        "shrinkage": ["auto"],
        "covariance_estimator": [LedoitWolf(), OAS()],
    },
    "mixture.GaussianMixture": {"verbose": [1]},
    **{
        f"neighbors.{name}": NEIGHBORS_LEFT
        for name in ("KNeighborsClassifier", "KNeighborsRegressor", "NearestNeighbors")
    },
    "svm.LinearSVC": {"penalty": ["l1"], "loss": ["hinge"], "multi_class": ["crammer_singer"], "verbose": [1]},
    "impute.SimpleImputer": {"strategy": [np.max]},
    "linear_model.LinearRegression": {"positive": [True]},
    "linear_model.Ridge": {"positive": [True], "solver": ["lsqr", "sparse_cg", "sag", "saga"]},
    "linear_model.RidgeClassifier": {"positive": [True], "solver": ["lsqr", "sparse_cg", "sag", "saga"]},
    "linear_model.RidgeCV": {"cv": [3], "scoring": ["r2"], "store_cv_results": [True], "gcv_mode": ["svd"]},
    "preprocessing.KBinsDiscretizer": {"strategy": ["kmeans"]},
    "preprocessing.StandardScaler": {"with_std": [False]},
    "preprocessing.RobustScaler": {"with_scaling": [False]},
    **{f"model_selection.{name}": {"verbose": [1]} for name in ("GridSearchCV", "RandomizedSearchCV")},
    **{f"model_selection.Halving{name}SearchCV": {"verbose": [1]} for name in ("Grid", "Random")},
}
# Parameters that are always given.
GIVEN = {
    "linear_model.ElasticNetCV": {"alphas": 10},
    "linear_model.LassoCV": {"alphas": 10},
    "linear_model.LogisticRegressionCV": {
        "Cs": 3,
        "l1_ratios": (0,),
        "scoring": "accuracy",
        "use_legacy_attributes": False,
    },
    "feature_extraction.text.HashingVectorizer": {"n_features": 64},
    "decomposition.PCA": {"n_components": 2},
    "mixture.GaussianMixture": {"n_components": 2},
    "preprocessing.KBinsDiscretizer": {"strategy": "uniform", "quantile_method": "averaged_inverted_cdf"},
    "model_selection.RandomizedSearchCV": {"n_iter": 1},
    "model_selection.HalvingGridSearchCV": {"min_resources": 60},
    "model_selection.HalvingRandomSearchCV": {"min_resources": 60, "n_candidates": 2},
}
WITH = {
    ("discriminant_analysis.LinearDiscriminantAnalysis", "shrinkage"): {"solver": "eigen"},
    ("discriminant_analysis.LinearDiscriminantAnalysis", "covariance_estimator"): {"solver": "eigen"},
    **{
        (f"neighbors.{name}", parameter): {"algorithm": "brute"}
        for name in ("KNeighborsClassifier", "KNeighborsRegressor", "NearestNeighbors")
        for parameter in NEIGHBORS_LEFT
    },
    ("mixture.GaussianMixture", "warm_start"): {"random_state": 0},
    ("preprocessing.StandardScaler", "with_std"): {"with_mean": False},
    ("preprocessing.RobustScaler", "with_scaling"): {"with_centering": False},
    ("model_selection.GridSearchCV", "scoring"): {"refit": False},
    ("model_selection.RandomizedSearchCV", "scoring"): {"refit": False},
    ("model_selection.HalvingGridSearchCV", "resource"): {"max_resources": 90},
    ("model_selection.HalvingRandomSearchCV", "resource"): {"max_resources": 90},
}


def of_name(name):
    module, _, of = name.rpartition(".")
    return getattr(importlib.import_module(f"bascule.learn.{module}"), of)


def made(name, **parameters):
    """An estimator by its name, with what it always needs."""
    first = {p: v[0] for p, v in NATIVE[name].items() if p in ("estimator", "param_grid", "param_distributions")}
    return clone(of_name(name)(**first | GIVEN.get(name, {}) | parameters))  # a parameter can change in a fit


def sample(name):
    """Rows and targets that an estimator takes."""
    X, y = data("diabetes")
    X = X.copy()
    if name.endswith(".LabelEncoder"):
        return (y > 140).astype(int), None
    if name.endswith("Vectorizer"):
        return [f"word {k} words{k % 3} of ab cd Number{k % 7}" * 4 for k in range(100)], None
    if name.endswith((".OneHotEncoder", ".OrdinalEncoder")):
        X = np.add.outer(np.arange(6), np.arange(3)) % 3
        y = y[:6]
    if name.endswith(".TargetEncoder"):
        X = np.add.outer(np.arange(60), np.arange(3)) % 3
        y = y[:60] + 0.5  # whole numbers would be labels
    if name.endswith((".MultinomialNB", ".TfidfTransformer")):
        X = X.clip(0)
    return X, (y > 140).astype(int) if is_classifier(made(name)) else y
