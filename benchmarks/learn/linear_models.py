"""Linear models that take several passes, as `gate_one.py` measures: `python benchmarks/learn/linear_models.py [--only TEXT]`.

Coefficients are compared to what the stopping rule of scikit-learn's solvers allows; ours have the lower objective.
"""

from __future__ import annotations

import sys
from typing import Any

import gate_one
import numpy as np
from gate_one import Row, coefficients, made, scores, search

SIZES = (400, 100_000)
LOOSE = 0.01  # of the largest coefficient


def labelled(n: int, classes: int = 2) -> tuple[np.ndarray, np.ndarray]:
    """The rows of `made`, with labels that depend on linear predictors of their own."""
    X, _ = made(n)
    rng = np.random.default_rng(1)
    return X, (X @ rng.normal(size=(20, classes)) * 0.3 + rng.gumbel(size=(n, classes))).argmax(axis=1)


def counted(n: int) -> tuple[np.ndarray, np.ndarray]:
    X, _ = made(n)
    rng = np.random.default_rng(2)
    return X, rng.poisson(np.exp(X @ rng.normal(size=20) * 0.05)).astype(float)


def logistic_cv(m: Any, X: np.ndarray, y: np.ndarray) -> Any:
    return m.LogisticRegressionCV(l1_ratios=(0,), scoring="neg_log_loss", use_legacy_attributes=False).fit(X, y)


ROWS = [
    Row("LogisticRegression.fit", labelled, lambda m, X, y: m.LogisticRegression().fit(X, y), coefficients, SIZES, LOOSE),
    Row("LogisticRegression(newton-cholesky).fit", labelled,
        lambda m, X, y: m.LogisticRegression(solver="newton-cholesky").fit(X, y), coefficients, SIZES, LOOSE),
    Row("LogisticRegression.fit, four classes", lambda n: labelled(n, 4),
        lambda m, X, y: m.LogisticRegression(tol=1e-5, max_iter=500).fit(X, y), coefficients, SIZES, LOOSE),
    Row("LogisticRegression.predict_proba", labelled,
        lambda m, X, y: m.LogisticRegression(tol=1e-6, max_iter=1000).fit(X[:400], y[:400]).predict_proba(X), lambda a: a, SIZES, LOOSE),
    Row("LogisticRegressionCV.fit", labelled, logistic_cv, lambda c: np.atleast_1d(c.C_), SIZES[:1]),
    Row("Lasso.fit", made, lambda m, X, y: m.Lasso().fit(X, y), coefficients, SIZES),
    Row("ElasticNet(0.1).fit", made, lambda m, X, y: m.ElasticNet(0.1).fit(X, y), coefficients, SIZES),
    Row("LassoCV.fit", made, lambda m, X, y: m.LassoCV().fit(X, y), lambda c: c.mse_path_, SIZES, 1e-8),
    Row("PoissonRegressor.fit", counted, lambda m, X, y: m.PoissonRegressor().fit(X, y), coefficients, SIZES, LOOSE),
    Row("LinearSVC.fit", labelled, lambda m, X, y: m.LinearSVC().fit(X, y), coefficients, SIZES, LOOSE),
    Row("search: LogisticRegression, 25 x 5", labelled, search("LogisticRegression", C=gate_one.ALPHAS), scores, SIZES[:1], 0.02),
    Row("search: Lasso, 25 x 5", made, search("Lasso", alpha=gate_one.ALPHAS), scores, SIZES[:1]),
]  # fmt: skip

if __name__ == "__main__":
    sys.exit(gate_one.main(rows=ROWS))
