"""Dask's own tests, run with bascule's chunks, partitions and scheduler.

The tests are those of the installed Dask wheel and run in place. A plugin sets the backends and the scheduler, makes
collections of existing data follow them, and converts results of bascule to NumPy's and pandas' for Dask's comparisons.

    python tests/conformance/dask_modules.py [--every N] [--rest K] [--causes M] [--result] [--keep FILE] [suites]

runs each suite twice, with Dask alone and with bascule, and prints how many of the tests that pass with Dask alone pass
here, and how many of them without a single counted fallback. Tests for CuPy run with bascule in its place, and only
once. Failures are listed, except those with a reason in `dask_exclusions.txt`, which count as failures, too.
"""

from __future__ import annotations

import argparse
import datetime
import functools
import importlib
import json
import os
import subprocess
import sys
import tempfile
import types
from collections import Counter
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SUITES = {
    "array": ("dask/array/tests", "not gpu"),
    "array, CuPy's": ("dask/array/tests", "gpu"),
    "dataframe": ("dask/dataframe/tests", "not gpu"),
    "dataframe, expressions": ("dask/dataframe/dask_expr/tests", "not gpu"),
    "dataframe, files": ("dask/dataframe/io/tests", "not gpu"),
}
# Tests of Dask's own tools, which compute no chunks and no partitions, and of an interface that bascule lacks.
LEFT_OUT = ("test_array_expr_incompatible.py", "test_svg.py", "test_sparse.py", "test_cupy_sparse.py", "test_image.py", "test_distributed.py", "test_diagnostics.py", "test_sql.py", "test_hdf.py")  # fmt: skip
OWN_COMPARISONS = {"list_eq"}


# ---- the plugin that runs inside pytest


class InPlaceOfCuPy(types.ModuleType):
    """CuPy's namespace, whose names are bascule's."""

    __version__ = "14.0.0"
    __path__: list = []

    def __getattr__(self, name: str) -> Any:
        import bascule

        return RANDOM if name == "random" else getattr(bascule, name)


class Random(types.ModuleType):
    """CuPy's random numbers, whose bit generator has another name."""

    def __getattr__(self, name: str) -> Any:
        import bascule

        return getattr(bascule.random, "Philox" if name == "XORWOW" else name)


RANDOM = Random("cupy.random")


def host_chunk(x: Any) -> Any:
    """A chunk as NumPy's; some chunks are NumPy's already."""
    from bascule import _core

    return _core.to_numpy(x) if type(x) is _core.ndarray else x


def on_the_host(x: Any) -> Any:
    """Collections and results of bascule as NumPy's and pandas'."""
    import numpy as np
    from bascule import _core

    meta = getattr(x, "_meta", None) if hasattr(x, "__dask_graph__") else None
    if type(meta) is _core.ndarray:
        return x.map_blocks(host_chunk, dtype=x.dtype, meta=np.empty((0,) * x.ndim, x.dtype))
    if type(meta).__module__ == "bascule.pandas":
        return x.to_backend("pandas")
    if hasattr(x, "__bascule_to_pandas__"):
        return x.__bascule_to_pandas__()
    return host_chunk(x)


def seeing(old: Any) -> Any:
    """A comparison of a test module, which takes what it is not given as pandas' frame for something else."""

    @functools.wraps(old)
    def compare(*args: Any) -> Any:
        __tracebackhide__ = True
        return old(*map(on_the_host, args))

    return compare


def comparing(old: Any) -> Any:
    """Dask's comparison, with the scheduler set."""

    @functools.wraps(old)
    def assert_eq(a: Any, b: Any, *args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True
        kwargs.setdefault("scheduler", "bascule")
        return old(on_the_host(a), on_the_host(b), *args, **kwargs)

    return assert_eq


def follow(module: Any, names: tuple, backend: str) -> None:
    """Make the functions of a module under these names follow the configured backend."""
    from bascule.dask import _following

    for name in names:
        if name in vars(module) and not hasattr(vars(module)[name], "_follows"):
            made = _following._following(vars(module)[name], backend)
            made._follows = True
            setattr(module, name, made)


def install(suite: str) -> None:
    """Set backends and scheduler before a test module is read."""
    import bascule
    import bascule.dask
    import dask

    bascule.config.set(fallback="silent")
    dask.config.set({"scheduler": "bascule", "bascule.follow-config": True})
    if "CuPy" in suite:
        sys.modules["cupy"] = InPlaceOfCuPy("cupy")
    if suite.startswith("array"):
        utils = importlib.import_module("dask.array.utils")
        utils.assert_eq = comparing(utils.assert_eq)
        dask.config.set({"array.backend": "numpy" if "CuPy" in suite else "bascule"})
        return
    import bascule.pandas
    from bascule.dask import _following

    utils = importlib.import_module("dask.dataframe.utils")
    utils.assert_eq = comparing(utils.assert_eq)
    dask.config.set({"dataframe.backend": "bascule"})
    for name in ("dask.dataframe.dask_expr", "dask.dataframe.dask_expr._collection"):
        follow(importlib.import_module(name), _following._OF_FRAMES, "dataframe")
    of_tests = importlib.import_module("dask.dataframe.dask_expr.tests._util")
    of_tests._backend_library = lambda: bascule.pandas


def pytest_configure(config: Any) -> None:
    if os.environ.get("BASCULE_IN_DASK"):
        install(os.environ["BASCULE_IN_DASK"])


def pytest_collection_modifyitems(items: list) -> None:
    """Comparisons that a test module makes itself are shown results of NumPy and pandas, too."""
    if os.environ.get("BASCULE_IN_DASK"):
        for module in {item.module for item in items}:
            for name in OWN_COMPARISONS & vars(module).keys():
                setattr(module, name, seeing(vars(module)[name]))


def pytest_ignore_collect(collection_path: Path, config: Any) -> bool | None:
    cupy = "CuPy" in os.environ.get("BASCULE_SUITE", "")
    name = collection_path.name
    left_out = name in LEFT_OUT or (name.startswith("test_") and name.startswith("test_cupy_") != cupy)
    return True if left_out else None


# ---- running and reporting


def run(folder: Path, suite: str, options: Any, ours: bool) -> dict:
    """The outcomes of a suite's tests."""
    import dask

    report = folder / "outcomes.json"
    report.unlink(missing_ok=True)
    path, marks = SUITES[suite]
    env = dict(os.environ, BASCULE_SUITE=suite, BASCULE_IN_DASK=suite if ours else "", PYTHONHASHSEED="0")
    env.pop("BASCULE_IN_PLACE", None)
    env["PYTHONPATH"] = os.pathsep.join(filter(None, (str(HERE), os.environ.get("PYTHONPATH"))))
    root = Path(dask.__file__).parent
    command = [
        sys.executable, "-m", "pytest", "-q", "-p", "pandas_modules", "-p", "dask_modules", "-p", "no:cacheprovider", "--tb=no",
        "--no-header", f"--rootdir={root}", "-c", os.devnull, "-W", "ignore", "--show-capture=no", "-m", f"({marks}) and not network",
        "-o", "xfail_strict=true", "--continue-on-collection-errors", "--disable-warnings", f"--every={options.every}",
        f"--rest={options.rest}", f"--outcomes={report}", *(["-k", options.k] if options.k else []), str(root.parent / path),
    ]  # fmt: skip
    if "CuPy" not in suite:
        command += ["--runslow"] if options.slow else []
    done = subprocess.run(command, env=env, cwd=folder, capture_output=True, text=True)
    if not report.exists():
        raise SystemExit(f"pytest ended without outcomes in {suite}:\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
    return json.loads(report.read_text())


def reasons() -> dict[str, str]:
    """Tests that fail for a known reason."""
    found, reason = {}, ""
    for line in (HERE / "dask_exclusions.txt").read_text("utf-8").splitlines():
        if line.startswith("["):
            reason = line.partition("] ")[2]
        elif line and not line.startswith("#"):
            found[line] = reason
    return found


def reason_of(node: str, known: dict[str, str]) -> str:
    """The reason why a test fails; an entry without parameters applies to all parameters of a test."""
    return known.get(node) or known.get(node.partition("[")[0], "")


def line(name: str, wanted: int, passed: int, native: int, named: int) -> str:
    share = 100 / max(wanted, 1)
    return f"{name:24}{wanted:6d} tests {passed * share:6.1f} % pass {native * share:6.1f} % without a fallback {named:4d} fail for a reason that is listed"  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suites", nargs="*", default=list(SUITES))
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--rest", type=int, default=7)
    parser.add_argument("--causes", type=int, default=0)
    parser.add_argument("--slow", action="store_true")
    parser.add_argument("-k", default="")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--result", action="store_true")
    options = parser.parse_args()
    import dask

    known, total, lines, fallbacks, kept = reasons(), [0, 0, 0, 0], [], Counter(), {}
    for suite in options.suites:
        with tempfile.TemporaryDirectory() as made:
            ours = run(Path(made), suite, options, True)
            theirs = ours if "CuPy" in suite else run(Path(made), suite, options, False)
        there = theirs["outcomes"]
        wanted = [
            n for n, (outcome, *_) in there.items() if outcome == "passed" or (theirs is ours and outcome == "failed")
        ]
        found = {n: ours["outcomes"].get(n, ["missing", [], "not collected"]) for n in wanted}
        failed = {n: said for n, (outcome, _, said) in found.items() if outcome != "passed"}
        unnamed = {n: said for n, said in failed.items() if not reason_of(n, known)}
        native = sum(outcome == "passed" and not counted for outcome, counted, _ in found.values())
        counts = [len(wanted), len(wanted) - len(failed), native, len(failed) - len(unnamed)]
        lines.append(line(suite, *counts))
        print(lines[-1], flush=True)
        total = [a + b for a, b in zip(total, counts)]
        for node, said in sorted(unnamed.items()):
            print(f"  {node}: {said}")
        fallbacks.update(r for _, counted, _ in found.values() for r in counted)
        kept[suite] = {"ours": ours, "failed": failed}
    lines.append(line("all", *total))
    print(lines[-1])
    for reason, count in fallbacks.most_common(options.causes):
        print(f"{count:5d}  tests fall back by {reason}")
    if options.keep:
        options.keep.write_text(json.dumps(kept, indent=0))
    if options.result:
        sample = f", crc32(node id) % {options.every} == {options.rest}" if options.every > 1 else ""
        with (HERE / "dask_result.txt").open("a", encoding="utf-8") as file:
            file.write("\n".join([f"{datetime.date.today()}, dask {dask.__version__}{sample}", *lines, ""]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
