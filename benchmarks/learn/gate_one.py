"""Fits and searches of bascule.learn and of scikit-learn in turns: `python benchmarks/learn/gate_one.py [--only TEXT] [--rows N ...]`.

Results are compared before times are reported. It prints milliseconds, the best of several: wall time, and processor time of
all threads, which says more on a busy machine. `--one-thread` gives the libraries of scikit-learn one thread each, so that
none of them waits for work in a loop. `--intelex` measures scikit-learn-intelex in the place of scikit-learn: its classes where
it has some; it is not among the packages that the build installs.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import bascule.learn.impute
import bascule.learn.linear_model
import bascule.learn.model_selection
import bascule.learn.preprocessing
import bascule.learn.svm
import numpy as np
import sklearn.impute
import sklearn.linear_model
import sklearn.model_selection
import sklearn.preprocessing
import sklearn.svm
from sklearn.datasets import load_diabetes
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeRegressor

ALPHAS = np.logspace(-3, 3, 25)
FIRST = 6  # repetitions of small rows


class Names:
    """The classes of one library."""

    def __init__(self, *modules: Any):
        self.modules = modules

    def __getattr__(self, name: str) -> Any:
        return next(getattr(m, name) for m in self.modules if name in m.__all__)


OURS = Names(
    bascule.learn.linear_model, bascule.learn.preprocessing, bascule.learn.model_selection, bascule.learn.impute,
    bascule.learn.svm,
)  # fmt: skip
THEIRS = Names(
    sklearn.linear_model, sklearn.preprocessing, sklearn.model_selection, sklearn.impute, sklearn.svm
)  # fmt: skip


@dataclass(frozen=True)
class Row:
    """A computation on n rows: its result as arrays to compare, and how close they must be."""

    name: str
    data: Callable[[int], tuple[np.ndarray, np.ndarray]]
    call: Callable[[Names, np.ndarray, np.ndarray], Any]
    result: Callable[[Any], np.ndarray]
    sizes: tuple[int, ...]
    close: float = 1e-9


def made(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Twenty columns around eight centres, and a linear target."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 20))
    X += rng.normal(size=(8, 20))[rng.integers(0, 8, n)] * 3
    return X, X @ rng.normal(size=20) + rng.normal(size=n)


def diabetes(n: int) -> tuple[np.ndarray, np.ndarray]:
    X, y = load_diabetes(return_X_y=True)
    return np.tile(X, (n // 442, 1)), np.tile(y, n // 442)


def coefficients(model: Any) -> np.ndarray:
    return np.append(model.coef_, model.intercept_)


def scores(search: Any) -> np.ndarray:
    return np.array([search.cv_results_[f"split{k}_test_score"] for k in range(search.n_splits_)])


def search(estimator: str, **grid: Any) -> Callable[[Names, np.ndarray, np.ndarray], Any]:
    return lambda m, X, y: m.GridSearchCV(getattr(m, estimator)(), grid).fit(X, y)


SIZES = (400, 100_000, 1_000_000)
ROWS = [
    Row("Ridge.fit", made, lambda m, X, y: m.Ridge().fit(X, y), coefficients, SIZES),
    Row("LinearRegression.fit", made, lambda m, X, y: m.LinearRegression().fit(X, y), coefficients, SIZES),
    Row("RidgeCV(100 penalties).fit", made, lambda m, X, y: m.RidgeCV(np.logspace(-3, 3, 100)).fit(X, y), coefficients, SIZES[:2]),
    Row("StandardScaler.fit_transform", made, lambda m, X, y: m.StandardScaler().fit_transform(X), lambda a: a, SIZES),
    Row("MinMaxScaler.fit_transform", made, lambda m, X, y: m.MinMaxScaler().fit_transform(X), lambda a: a, SIZES),
    Row("StandardScaler, Ridge", made, lambda m, X, y: make_pipeline(m.StandardScaler(), m.Ridge()).fit(X, y), lambda p: coefficients(p[1]), SIZES),
    Row("Ridge.predict", made, lambda m, X, y: m.Ridge().fit(X[:400], y[:400]).predict(X), lambda a: a, SIZES),
    Row("search: Ridge, 25 x 5, diabetes", diabetes, search("Ridge", alpha=ALPHAS), scores, (442, 442_000)),
    Row("search: StandardScaler, Ridge, 25 x 5, diabetes", diabetes,
        lambda m, X, y: m.GridSearchCV(make_pipeline(m.StandardScaler(), m.Ridge()), {"ridge__alpha": ALPHAS}).fit(X, y), scores, (442,)),
    Row("search: DecisionTreeRegressor, 4 x 5, diabetes", diabetes,
        lambda m, X, y: m.GridSearchCV(DecisionTreeRegressor(random_state=0), {"max_depth": [1, 2, 3, 4]}).fit(X, y), scores, (442,)),
    Row("cross_val_score: Ridge, 5", diabetes, lambda m, X, y: m.cross_val_score(m.Ridge(), X, y), lambda a: a, (442, 442_000)),
]  # fmt: skip


def measure(row: Row, n: int) -> str:
    X, y = row.data(n)
    times: dict[str, list[tuple[float, float]]] = {"scikit-learn": [], "bascule": []}
    for k in range(FIRST if n < 10_000 else 2):
        results = []
        for name, library in (("scikit-learn", THEIRS), ("bascule", OURS)):
            wall, processor = time.perf_counter(), time.process_time()
            found = row.call(library, X, y)
            times[name].append((time.perf_counter() - wall, time.process_time() - processor))
            results.append(row.result(found))
        theirs, ours = results
        if not np.allclose(ours, theirs, rtol=0, atol=row.close * np.abs(theirs).max()):
            return f"{row.name:48}{n:10,}  differs from scikit-learn: {np.abs(ours - theirs).max():.3g}"
        X += 2.0**-12 * (k + 1)
    (wall, processor), (our_wall, our_processor) = (
        [min(t[i] for t in times[name]) * 1e3 for i in range(2)] for name in times
    )
    return (
        f"{row.name:48}{n:10,}{wall:12.2f}{our_wall:12.2f}{wall / our_wall:8.1f}"
        f"{processor:12.2f}{our_processor:12.2f}{processor / our_processor:8.1f}"
    )


def intelex() -> Iterator[Any]:
    """The modules of scikit-learn-intelex with the names of those of scikit-learn."""
    for module in THEIRS.modules:
        with contextlib.suppress(ModuleNotFoundError):
            yield importlib.import_module(module.__name__.replace("sklearn", "sklearnex", 1))


def main(argv: list[str] | None = None, rows: Sequence[Row] = ROWS) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", metavar="TEXT", help="rows whose name holds this text")
    parser.add_argument("--rows", type=int, nargs="*", metavar="N", help="these numbers of rows only")
    parser.add_argument("--one-thread", action="store_true", help="scikit-learn's libraries have one thread")
    parser.add_argument("--intelex", action="store_true", help="scikit-learn-intelex in the place of scikit-learn")
    options = parser.parse_args(argv)
    if options.intelex:
        THEIRS.modules = (*intelex(), *THEIRS.modules)
    if options.one_thread:
        from threadpoolctl import threadpool_limits

        threadpool_limits(1)
    print(f"{'':58}{'wall ms':>12}{'bascule':>12}{'ratio':>8}{'CPU ms':>12}{'bascule':>12}{'ratio':>8}")
    wrong = 0
    for row in rows:
        for n in row.sizes:
            if options.only in row.name and (not options.rows or n in options.rows):
                line = measure(row, n)
                wrong += "differs" in line
                print(line, flush=True)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
