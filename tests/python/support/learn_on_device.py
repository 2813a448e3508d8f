"""Learning on a CUDA device: which estimators run on rows that are there, and what a fit of each launches, waits for and copies.

Run as a program in the emulated device's environment (see `emulated_cuda`), it prints one line of JSON for each estimator.
"""

import ctypes
import inspect
import json
import os
import sys
import warnings

import numpy as np

ROWS, MORE_ROWS, COLUMNS = 1_500, 6_000, 6
FIXED = {"tol": 0.0, "max_iter": 3}  # so that the number of iterations depends on no rounding
# By name: parameters, and the column of `samples` that is y.
ON_DEVICE = {
    "linear_model.LinearRegression": ({}, "number"),
    "linear_model.Ridge": ({}, "number"),
    "linear_model.RidgeCV": ({"alphas": (0.1, 1.0, 10.0)}, "number"),
    "linear_model.RidgeClassifier": ({}, "label"),
    "linear_model.Lasso": ({"alpha": 0.01}, "number"),
    "linear_model.ElasticNet": ({"alpha": 0.01}, "number"),
    "linear_model.LassoCV": ({"alphas": 5}, "number"),
    "linear_model.ElasticNetCV": ({"alphas": 5}, "number"),
    "linear_model.LogisticRegression": ({"solver": "newton-cholesky", "tol": 1e-12, "max_iter": 3}, "label"),
    "linear_model.PoissonRegressor": ({"tol": 1e-12, "max_iter": 3}, "count"),
    "svm.LinearSVC": ({"tol": 1e-12, "max_iter": 3}, "label"),
    "preprocessing.StandardScaler": ({}, None),
    "preprocessing.MinMaxScaler": ({}, None),
    "preprocessing.MaxAbsScaler": ({}, None),
    "preprocessing.RobustScaler": ({}, None),
    "preprocessing.Normalizer": ({}, None),
    "decomposition.PCA": ({"n_components": 3}, None),
    "decomposition.IncrementalPCA": ({"n_components": 3, "batch_size": 750}, None),
    "decomposition.TruncatedSVD": ({"n_components": 3}, None),
    "covariance.EmpiricalCovariance": ({}, None),
    "covariance.LedoitWolf": ({}, None),
    "cluster.KMeans": ({"n_clusters": 3, "n_init": 1, "random_state": 0, **FIXED}, None),
    "mixture.GaussianMixture": ({"n_components": 3, "random_state": 0, **FIXED}, None),
    "discriminant_analysis.LinearDiscriminantAnalysis": ({}, "label"),
    "naive_bayes.GaussianNB": ({}, "label"),
    "naive_bayes.MultinomialNB": ({}, "label"),
    "neighbors.NearestNeighbors": ({}, None),
    "neighbors.KNeighborsClassifier": ({"algorithm": "brute"}, "label"),
    "neighbors.KNeighborsRegressor": ({"algorithm": "brute", "weights": "distance"}, "number"),
    "preprocessing.KBinsDiscretizer": (
        {"encode": "onehot-dense", "quantile_method": "averaged_inverted_cdf", "subsample": None},
        None,
    ),
    "preprocessing.PolynomialFeatures": ({"degree": 3}, None),
    "impute.SimpleImputer": ({"strategy": "median"}, None),
}
# Those that refuse rows on a device by name, with the reason in their error.
REFUSED = {
    "linear_model.LogisticRegressionCV": "folds are cut by labels on the host",
    "cluster.DBSCAN": "neighbours are searched on the host",
    "cluster.MiniBatchKMeans": "batches are drawn on the host",
    "preprocessing.OneHotEncoder": "categories of rows on a device",
    "preprocessing.OrdinalEncoder": "categories of rows on a device",
    "preprocessing.TargetEncoder": "categories of rows on a device",
    "preprocessing.LabelEncoder": "labels on a device",
    "feature_extraction.text.TfidfTransformer": "rows on a device",
}
METHODS = (
    "transform",
    "predict",
    "predict_proba",
    "predict_log_proba",
    "decision_function",
    "score_samples",
    "mahalanobis",
)


def samples(n, name):
    """Rows and targets; those of more rows are repetitions, so that every fit has as many steps."""
    rng = np.random.default_rng(3)
    label = rng.integers(0, 3, ROWS)
    X = rng.normal(size=(ROWS, COLUMNS)) * np.arange(1, COLUMNS + 1) + label[:, None] * 3.0 + 1
    if name.endswith("MultinomialNB"):
        X = abs(np.rint(X))
    number = X @ np.arange(COLUMNS) + rng.normal(size=ROWS)
    y = {"number": number, "label": label, "count": rng.poisson(np.exp(X[:, 0] / 10)).astype(float), None: None}
    kind = ON_DEVICE[name][1] if name in ON_DEVICE else "label"
    times = n // ROWS
    return np.tile(X, (times, 1)), None if y[kind] is None else np.tile(y[kind], times)


def made(name, **more):
    from learn_parameters import of_name

    return of_name(name)(**ON_DEVICE.get(name, ({},))[0] | more)


def fitted(model, X, y):
    return model.fit(X) if y is None else model.fit(X, y)


# Their inverse is scikit-learn's, which refuses rows on a device, or does not exist without an indicator.
WITHOUT_INVERSE = ("KBinsDiscretizer", "SimpleImputer")


def results(model, X, y):
    """Of the methods that read rows, and the score."""
    found = {m: getattr(model, m)(X) for m in METHODS if hasattr(model, m)}
    if "transform" in found and hasattr(model, "inverse_transform") and type(model).__name__ not in WITHOUT_INVERSE:
        found["inverse_transform"] = model.inverse_transform(found["transform"])
    if hasattr(model, "score"):
        found["score"] = model.score(X) if y is None else model.score(X, y)
    return found


def on_device(x):
    import bascule as bc

    return None if x is None else bc.asarray(x).to_device("cuda")


def compare(name, weighted):
    """Results and fitted attributes of rows on a device are those of rows on the host, and are on the device."""
    import bascule as bc

    X, y = samples(ROWS, name)
    w = np.arange(ROWS) % 4 + 0.5
    more = {"sample_weight": w} if weighted else {}
    wanted = made(name).fit(X, y, **more)
    rows = on_device(X)
    # labels come from the host, and weights in one case too
    got = made(name).fit(rows, y if weighted else on_device(y), **{k: on_device(v) for k, v in more.items()})
    some = slice(40 if name.startswith("neighbors.") else None)  # of each query all distances are sorted
    y_some = None if y is None else y[some]
    found = results(got, rows[some], on_device(y_some))
    pairs = [(k, v, found[k]) for k, v in results(wanted, X[some], y_some).items()]
    pairs += [(k, v, getattr(got, k)) for k, v in vars(wanted).items() if k.endswith("_") and isinstance(v, np.ndarray)]
    pairs = [(k, a, b) for k, v, f in pairs for a, b in (zip(v, f) if isinstance(v, tuple) else [(v, f)])]
    for what, want, found in pairs:
        if isinstance(want, np.ndarray) and want.dtype.kind != "O" and what not in ("classes_", "lower_bounds_"):
            assert type(found) is bc.ndarray and found.device.startswith("cuda"), (name, what, type(found))
            found = found.get()
        if isinstance(want, np.ndarray) and want.dtype.kind == "O":
            want, found = (np.concatenate(x) for x in (want, found))
        want, found = np.asarray(want), np.asarray(found)
        assert (found.dtype, found.shape) == (want.dtype, want.shape), (
            name,
            what,
            found.dtype,
            want.dtype,
            found.shape,
            want.shape,
        )
        scale = np.abs(want).max(initial=1e-300) if want.dtype.kind == "f" else 1
        np.testing.assert_allclose(found, want, rtol=1e-8, atol=1e-8 * scale, err_msg=f"{name}.{what}")


def counted(name, n):
    """Launches, waits and bytes copied in a fit of n rows that are on the device."""
    import bascule as bc

    driver = ctypes.CDLL(os.environ["BASCULE_CUDA_DRIVER"])
    driver.bascule_fake_copied_bytes.restype = ctypes.c_longlong

    def counts():
        return np.array([
            driver.bascule_fake_calls(b"cuLaunchKernel"),
            sum(driver.bascule_fake_calls(c) for c in (b"cuStreamSynchronize", b"cuEventSynchronize")),
            driver.bascule_fake_copied_bytes(0),
            driver.bascule_fake_copied_bytes(1),
        ])  # fmt: skip

    X, y = map(on_device, samples(n, name))
    bc.synchronize()
    before = counts()
    model = fitted(made(name), X, y)
    bc.synchronize()
    return (counts() - before).tolist(), model


def iterations(model):
    found = getattr(model, "n_iter_", None)
    return None if found is None else int(np.max(found.get() if hasattr(found, "get") else found))


def main():
    import bascule as bc

    warnings.simplefilter("ignore")
    bc.config.set(fallback="error")
    for name in sys.argv[1:] or ON_DEVICE:
        compare(name, weighted=False)
        if name != "preprocessing.KBinsDiscretizer" and "sample_weight" in inspect.signature(made(name).fit).parameters:
            compare(name, weighted=True)
        few, model = counted(name, ROWS)
        many, _ = counted(name, MORE_ROWS)
        found = dict(zip(("launches", "waits", "to_device", "to_host"), few))
        print(json.dumps({"name": name, "iterations": iterations(model), **found, "of_more_rows": many}), flush=True)


if __name__ == "__main__":
    main()
