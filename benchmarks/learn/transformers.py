"""Transformers of bascule.learn and of scikit-learn in turns: `python benchmarks/learn/transformers.py`, with the options and the
table of gate_one.py."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from gate_one import Names, Row, made, main
from sklearn.model_selection import KFold

SIZES = (400, 100_000)


def holes(n: int) -> tuple[np.ndarray, np.ndarray]:
    X, y = made(n)
    X[np.random.default_rng(1).random(X.shape) < 0.05] = np.nan
    return X, y


def codes(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Four columns of twenty categories, as numbers and as strings."""
    numbers = np.random.default_rng(0).integers(0, 20, (n, 4))
    return numbers.astype(float), np.char.add("label ", numbers.astype(str)).astype(object)


def row(name: str, data: Any = made, of_labels: bool = False, **options: Any) -> Row:
    def call(m: Names, X: Any, y: Any) -> Any:
        return getattr(m, name)(**options).fit_transform(y if of_labels else X)

    def dense(found: Any) -> np.ndarray:
        return found.toarray() if hasattr(found, "toarray") else found

    said = ", ".join(f"{k}={v!r}" for k, v in options.items() if k != "quantile_method")
    return Row(f"{name}({said}){', strings' if of_labels else ''}", data, call, dense, SIZES)


def targets(name: str, of_labels: bool = False) -> Row:
    """Encoded by other rows' targets, with the same folds."""

    def call(m: Names, X: Any, y: Any) -> Any:
        target = np.sin(np.arange(len(X)))
        return m.TargetEncoder(cv=KFold(5)).fit_transform(y if of_labels else X, target)

    return Row(name, codes, call, lambda found: found, SIZES)


ROWS = [
    row("MinMaxScaler"),
    row("MaxAbsScaler"),
    row("RobustScaler"),
    row("Normalizer"),
    row("PolynomialFeatures"),
    row("KBinsDiscretizer", encode="ordinal", quantile_method="linear"),
    row("KBinsDiscretizer", encode="onehot-dense", quantile_method="linear"),
    row("SimpleImputer", holes),
    row("SimpleImputer", holes, strategy="median"),
    row("SimpleImputer", codes, strategy="most_frequent"),
    row("OrdinalEncoder", codes),
    row("OneHotEncoder", codes),
    row("OrdinalEncoder", codes, of_labels=True),
    row("OneHotEncoder", codes, of_labels=True),
    targets("TargetEncoder()"),
    targets("TargetEncoder(), strings", of_labels=True),
]

if __name__ == "__main__":
    sys.exit(main(rows=ROWS))
