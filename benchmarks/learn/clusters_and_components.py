"""Components, clusters and classes, as `gate_one.py` measures: `python benchmarks/learn/clusters_and_components.py [--only TEXT]`."""

from __future__ import annotations

import importlib
import sys
from typing import Any

import gate_one
import numpy as np
from gate_one import Row, made
from scipy.stats import randint
from sklearn.pipeline import make_pipeline

MODULES = ("cluster", "covariance", "decomposition", "discriminant_analysis", "mixture", "naive_bayes", "neighbors")
SIZES = (400, 100_000)

for library, package in ((gate_one.OURS, "bascule.learn"), (gate_one.THEIRS, "sklearn")):
    library.modules += tuple(importlib.import_module(f"{package}.{name}") for name in MODULES)


def labelled(n: int) -> tuple[np.ndarray, np.ndarray]:
    """The rows of `made`, with four classes along a direction."""
    X, y = made(n)
    return X, np.digitize(y, np.quantile(y, [0.25, 0.5, 0.75]))


def of_few(name: str, method: str, **options: Any) -> Any:
    """A method for all rows of an estimator that is fitted to 400."""

    def call(m: Any, X: np.ndarray, y: np.ndarray) -> Any:
        return getattr(getattr(m, name)(**options).fit(X[:400], y[:400]), method)(X)

    return call


def within(m: Any, X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """How many rows are near each of a thousand."""
    found = m.NearestNeighbors(radius=4.0).fit(X).radius_neighbors(X[:1000], return_distance=False)
    return np.array([len(rows) for rows in found])


def covered(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Seven classes of columns of different units and of indicators, as those of forest cover."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 7, n)
    numbers = rng.normal(size=(n, 10)) * 10.0 ** np.arange(10) + y[:, None]
    return np.hstack([numbers, np.eye(44)[np.minimum(rng.poisson(3 * y), 43)]]), y


def of_cuml(m: Any, X: np.ndarray, y: np.ndarray) -> Any:
    """The search of cuML's documentation."""
    steps = make_pipeline(m.StandardScaler(), m.PCA(), m.KNeighborsClassifier())
    space = {
        "pca__n_components": [10, 20, 30, 40],
        "kneighborsclassifier__n_neighbors": randint(3, 30),
        "kneighborsclassifier__weights": ["uniform", "distance"],
        "kneighborsclassifier__metric": ["euclidean", "manhattan"],
    }
    return m.RandomizedSearchCV(steps, space, n_iter=20, scoring="accuracy", random_state=42).fit(X, y)


ROWS = [
    Row("GaussianNB.fit", labelled, lambda m, X, y: m.GaussianNB().fit(X, y), lambda e: e.var_, SIZES),
    Row("GaussianNB.predict", labelled, of_few("GaussianNB", "predict"), lambda a: a, SIZES),
    Row("PCA(5).fit", made, lambda m, X, y: m.PCA(5).fit(X), lambda e: e.components_, SIZES),
    Row("PCA(5).fit_transform", made, lambda m, X, y: m.PCA(5).fit_transform(X), lambda a: a, SIZES),
    Row("IncrementalPCA(5).fit", made, lambda m, X, y: m.IncrementalPCA(5).fit(X), lambda e: e.components_, SIZES, 1e-8),
    Row("TruncatedSVD(2).fit", made, lambda m, X, y: m.TruncatedSVD(2, n_iter=20).fit(X), lambda e: e.singular_values_, SIZES, 1e-6),
    Row("EmpiricalCovariance.fit", made, lambda m, X, y: m.EmpiricalCovariance().fit(X), lambda e: e.covariance_, SIZES),
    Row("LedoitWolf.fit", made, lambda m, X, y: m.LedoitWolf().fit(X), lambda e: e.covariance_, SIZES),
    Row("KMeans(8).fit", made, lambda m, X, y: m.KMeans(random_state=0).fit(X), lambda e: e.cluster_centers_, SIZES),
    Row("KMeans(8).predict", made, of_few("KMeans", "predict", random_state=0), lambda a: a, SIZES),
    Row("MiniBatchKMeans(8).fit", made, lambda m, X, y: m.MiniBatchKMeans(random_state=0).fit(X), lambda e: e.cluster_centers_, SIZES, 1e-8),
    Row("DBSCAN(eps=4).fit", made, lambda m, X, y: m.DBSCAN(eps=4.0).fit(X), lambda e: e.labels_, (400, 10_000)),
    Row("NearestNeighbors.radius_neighbors(4)", made, within, lambda a: a, (400, 10_000)),
    Row("KNeighborsClassifier.fit, predict 400", labelled, lambda m, X, y: m.KNeighborsClassifier().fit(X, y).predict(X[:400]), lambda a: a, SIZES),
    Row("search: StandardScaler, PCA, KNeighborsClassifier, 20 x 5", covered, of_cuml, gate_one.scores, (400, 2_000)),
    Row("GaussianMixture(4).fit", made, lambda m, X, y: m.GaussianMixture(4, random_state=0).fit(X), lambda e: e.means_, SIZES, 1e-7),
    Row("GaussianMixture(4).predict", made, of_few("GaussianMixture", "predict", n_components=4, random_state=0), lambda a: a, SIZES),
    Row("LinearDiscriminantAnalysis.fit", labelled, lambda m, X, y: m.LinearDiscriminantAnalysis().fit(X, y), lambda e: e.coef_, SIZES),
    Row("LinearDiscriminantAnalysis.predict", labelled, of_few("LinearDiscriminantAnalysis", "predict"), lambda a: a, SIZES),
]  # fmt: skip

if __name__ == "__main__":
    sys.exit(gate_one.main(rows=ROWS))
