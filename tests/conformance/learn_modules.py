"""scikit-learn's own tests of the estimators that are computed here, with our classes in place of its own.

The modules are those of the installed wheel; they are not copied. Names of scikit-learn's public packages, such as
`sklearn.linear_model.Ridge`, mean our classes while they run, and its private modules keep their own.

    python tests/conformance/learn_modules.py [MODULE ...] [--every N] [--write]

Nothing is left out: tests that fail are listed with a reason in learn_failures.txt, and a new one is an error; so is one that
is listed and passes. `--write` adds new ones, for which a reason is to be given, and removes those that pass.
"""

from __future__ import annotations

import argparse
import importlib
import re
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import pytest
import threadpoolctl

HERE = Path(__file__).parent
LISTED = HERE / "learn_failures.txt"
MODULES = """cluster.tests.test_k_means cluster.tests.test_dbscan covariance.tests.test_covariance decomposition.tests.test_pca
decomposition.tests.test_incremental_pca decomposition.tests.test_truncated_svd feature_extraction.tests.test_text
impute.tests.test_impute linear_model.tests.test_base linear_model.tests.test_coordinate_descent
linear_model.tests.test_logistic linear_model.tests.test_ridge mixture.tests.test_gaussian_mixture
model_selection.tests.test_search model_selection.tests.test_validation neighbors.tests.test_neighbors
preprocessing.tests.test_data preprocessing.tests.test_discretization preprocessing.tests.test_encoders
preprocessing.tests.test_label preprocessing.tests.test_polynomial preprocessing.tests.test_target_encoder
svm.tests.test_svm tests.test_discriminant_analysis tests.test_naive_bayes""".split()


def substitute() -> list[tuple[Any, str, Any]]:
    """Let the public names of scikit-learn mean our classes and functions; what they meant before."""
    import bascule as bc
    import bascule.learn
    import sklearn.experimental.enable_halving_search_cv  # noqa: F401  (without it the names do not exist)
    from bascule.learn._coverage import THEIRS

    bc.config.fallback = "silent"
    functions = [f"model_selection.{name}" for name in ("cross_validate", "cross_val_score", "cross_val_predict")]
    before = []
    for name in (*THEIRS, *functions):
        module, _, of = name.rpartition(".")
        ours, theirs = (importlib.import_module(f"{top}.{module}") for top in ("bascule.learn", "sklearn"))
        before.append((theirs, of, getattr(theirs, of)))
        setattr(theirs, of, getattr(ours, of))
    return before


class Plugin:
    """Substitutes while the modules are imported, since our methods call scikit-learn's, and keeps one test in so many."""

    def __init__(self, every: int):
        self.every = every

    def pytest_sessionstart(self, session: pytest.Session) -> None:
        self.before = substitute()
        threadpoolctl.threadpool_limits(1)  # threads that wait in a loop take minutes on a busy machine

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        for module, name, theirs in self.before:
            setattr(module, name, theirs)
        items[:] = [i for i in items if zlib.crc32(i.nodeid.encode()) % self.every == 0]


def name_of(node: str) -> str:
    """A test without the path, and without addresses, which differ among processes."""
    return re.sub(r"0x[0-9a-f]+", "0x", node.partition("sklearn/")[2])


def run(module: str, every: int) -> tuple[int, set[str], set[str]]:
    """How many tests pass, and the names of those that fail, and of all that ran."""
    code = f"import sys, pytest; sys.path.insert(0, {str(HERE)!r}); import learn_modules; sys.exit(pytest.main(sys.argv[1:], plugins=[learn_modules.Plugin({every})]))"  # fmt: skip
    options = ["-q", "-rA", "--tb=line", "-p", "no:cacheprovider", "-W", "ignore", "--pyargs", f"sklearn.{module}"]
    done = subprocess.run([sys.executable, "-c", code, *options], capture_output=True, text=True, cwd="/", check=False)
    passed = set(map(name_of, re.findall(r"^PASSED (\S.*)$", done.stdout, re.M)))
    failed = {name_of(x.partition(" - ")[0]) for x in re.findall(r"^(?:FAILED|ERROR) (\S.*)$", done.stdout, re.M)}
    if not passed and done.returncode not in (0, 5):
        raise RuntimeError(f"{module}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return len(passed), failed, passed | failed


def listed() -> dict[str, str]:
    """Reasons by the name of a test, which is all that stands before two spaces and a #."""
    lines = [x for x in LISTED.read_text().splitlines() if x and not x.startswith("#")] if LISTED.exists() else []
    return {name: reason for name, _, reason in (x.partition("  # ") for x in lines)}


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("modules", nargs="*", default=MODULES)
    parser.add_argument("--every", type=int, default=1, help="one test in so many")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args(arguments)
    known, wrong = listed(), 0
    for module in given.modules:
        count, failed, ran = run(module, given.every)
        new, gone = failed - known.keys(), (known.keys() & ran) - failed
        print(f"{module}: {count} pass, {len(failed)} fail", *(f"  new: {x}" for x in sorted(new)), *(f"  passes: {x}" for x in sorted(gone)), sep="\n", flush=True)  # fmt: skip
        wrong += len(new) + len(gone)
        if given.write:
            known = {k: v for k, v in known.items() if k not in gone} | dict.fromkeys(sorted(new), "?")
            text = "".join(f"{k}  # {v}\n" for k, v in sorted(known.items()))
            LISTED.write_text("# Tests of scikit-learn that fail with our classes, each with the reason.\n" + text)
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())
