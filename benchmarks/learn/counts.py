"""Sparse counts of documents, as `gate_one.py` measures: `python benchmarks/learn/counts.py [--only TEXT]`. A document has a hundred of
20,000 tokens."""

from __future__ import annotations

import functools
import importlib
import sys
from collections.abc import Callable
from typing import Any

import gate_one
import numpy as np
from gate_one import Row
from scipy import sparse

SIZES = (400, 20_000)
TOKENS, LENGTH = 20_000, 100

for library, package in ((gate_one.OURS, "bascule.learn"), (gate_one.THEIRS, "sklearn")):
    library.modules += tuple(
        importlib.import_module(f"{package}.{name}") for name in ("feature_extraction.text", "naive_bayes")
    )


@functools.cache
def tokens(n: int) -> np.ndarray:
    """The tokens of each document, of which the first ones are frequent."""
    rng = np.random.default_rng(0)
    found = [np.unique((rng.random(2 * LENGTH) ** 3 * TOKENS).astype(np.int32)) for _ in range(n)]
    return np.concatenate([np.sort(rng.permutation(f)[:LENGTH]) for f in found])


def counts(classes: int) -> Callable[[int], tuple[np.ndarray, np.ndarray]]:
    def made(n: int) -> tuple[np.ndarray, np.ndarray]:
        rng = np.random.default_rng(1)
        return rng.integers(1, 5, len(tokens(n))).astype(float), rng.integers(0, classes, n)

    return made


def documents(values: np.ndarray, n: int) -> Any:
    return sparse.csr_array((values, tokens(n), np.arange(n + 1) * LENGTH), shape=(n, TOKENS))


def of_documents(call: Callable[[Any, Any, np.ndarray], Any]) -> Callable[[Any, np.ndarray, np.ndarray], Any]:
    return lambda m, values, y: call(m, documents(values, len(y)), y)


def by_first(method: str) -> Callable[[Any, np.ndarray, np.ndarray], Any]:
    """A method for all documents of a classifier that is fitted to 400."""
    return of_documents(lambda m, X, y: getattr(m.MultinomialNB().fit(X[:400], y[:400]), method)(X))


ROWS = [
    Row("TfidfTransformer.fit", counts(2), of_documents(lambda m, X, y: m.TfidfTransformer().fit(X)), lambda t: t.idf_, SIZES),
    Row("TfidfTransformer.fit_transform", counts(2), of_documents(lambda m, X, y: m.TfidfTransformer().fit_transform(X)), lambda a: a.data, SIZES),
    Row("TfidfTransformer(sublinear_tf=True)", counts(2), of_documents(lambda m, X, y: m.TfidfTransformer(sublinear_tf=True).fit_transform(X)), lambda a: a.data, SIZES),
    Row("MultinomialNB.fit, two classes", counts(2), of_documents(lambda m, X, y: m.MultinomialNB().fit(X, y)), lambda c: c.feature_log_prob_, SIZES),
    Row("MultinomialNB.fit, twenty classes", counts(20), of_documents(lambda m, X, y: m.MultinomialNB().fit(X, y)), lambda c: c.feature_log_prob_, SIZES),
    Row("MultinomialNB.predict_proba, twenty classes", counts(20), by_first("predict_proba"), lambda a: a, SIZES),
]  # fmt: skip

if __name__ == "__main__":
    sys.exit(gate_one.main(rows=ROWS))
