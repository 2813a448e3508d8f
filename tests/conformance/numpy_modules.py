"""NumPy's own tests, run with bascule in place of `numpy`: every module of the installed wheel about the namespace.

The modules are read from the installed NumPy wheel at run time; they are not copied. Their imports of numpy, and of the
parts of it that bascule replaces, are redirected to stand-ins that look names up in bascule first and then in NumPy.
Comparisons are NumPy's own, of the values of bascule's arrays.

    python tests/conformance/numpy_modules.py [options of pytest] [--report FILE] [--result FILE]

runs one module after another, each in a separate process, and prints how many tests pass, and how many of these without
a call that runs in NumPy. Nothing is left out: tests that are known to fail are listed, by the reason, in
numpy_failures.txt, and count as failed. numpy_result.txt has the last run.
"""

from __future__ import annotations

import argparse
import ast
import datetime
import functools
import importlib
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import types
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy
import pytest

HERE = Path(__file__).parent
ROOT = Path(numpy.__file__).parent
# Modules about the package, its compiled parts, its tools and C interface, not about the namespace.
OTHERS = {
    "_core": "api argparse conversion_utils cpu_dispatcher cpu_features custom_dtypes cython extint128 hashtable limited_api "
    "mem_policy simd simd_module multithreading multiprocessing",
    "random": "extending",
    "lib": "_version _datasource _iotools utils",
    "testing": "utils",
    "": "__all__ configtool lazyloading numpy_config numpy_version public_api reloading scripts warnings",
    "typing": "isfile runtime typing",
}
PACKAGES = ("_core", "fft", "lib", "linalg", "ma", "matrixlib", "polynomial", "random", "")


def modules() -> list[Path]:
    """The test modules of the installed wheel about the namespace."""
    found = []
    for package in PACKAGES:
        others = {f"test_{name}.py" for name in OTHERS.get(package, "").split()}
        found += [f for f in sorted((ROOT / package / "tests").glob("test_*.py")) if f.name not in others]
    return found


TARGET = 0.99


# ---- stand-ins for numpy's modules


class StandIn(types.ModuleType):
    """A module of numpy with bascule's names where bascule has them."""

    collecting = "both"  # while tests are collected, functions try bascule first; "numpy" uses only NumPy

    def __init__(self, name: str, ours: Any, theirs: Any):
        super().__init__(name)
        self.__dict__.update(_ours=ours, _theirs=theirs, _given={}, __path__=[])

    def __getattr__(self, name: str) -> Any:
        found = self._found(name)
        if not StandIn.collecting:  # the tests' loops access the same names repeatedly
            self.__dict__[name] = found
        return found

    def _found(self, name: str) -> Any:
        inner = f"{self.__name__}.{name}"
        if inner in sys.modules:
            return sys.modules[inner]
        if StandIn.collecting == "numpy":
            return getattr(self._theirs, name)
        try:
            theirs = getattr(self._theirs, name)
        except AttributeError:  # a module that NumPy does not import by itself
            if not hasattr(self._theirs, "__path__") or name.startswith("__"):
                raise
            if importlib.util.find_spec(f"{self._theirs.__name__}.{name}") is None:
                raise
            return importlib.import_module(f"{self._theirs.__name__}.{name}")
        ours = theirs if name.startswith("_") else getattr(self._ours, name, theirs)
        if isinstance(ours, types.ModuleType):
            return theirs
        if StandIn.collecting and isinstance(ours, types.FunctionType):
            return self._given.setdefault(name, Tolerant(ours, theirs))
        return self._given.get(name, ours)


class Tolerant:
    """A function for the body of a module, which calls NumPy if bascule refuses the data.

    It stays the module's function of that name, and like NumPy's own it does not become a method in a class.
    """

    def __init__(self, ours: Any, theirs: Any):
        functools.update_wrapper(self, ours)
        self._theirs = theirs

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not StandIn.collecting:
            return self.__wrapped__(*args, **kwargs)
        try:
            return self.__wrapped__(*args, **kwargs)
        except Exception:  # the module must be read in any case
            return self._theirs(*map(plain, args), **{k: plain(v) for k, v in kwargs.items()})


def plain(x: Any) -> Any:
    """x with bascule's arrays, also nested ones, as NumPy's arrays and scalars."""
    from bascule import _core

    if type(x) is _core.ndarray:
        return _core.to_numpy(x)[()] if _core.is_scalar(x) else _core.to_numpy(x)
    if type(x) in (list, tuple):
        return type(x)(map(plain, x))
    if type(x) is dict:
        return {k: plain(v) for k, v in x.items()}
    return x


def is_instance(x: Any, kinds: Any) -> bool:
    """isinstance for the tests: a 0-d scalar has the class of NumPy's, and arrays of either library are arrays."""
    if isinstance(x, kinds):
        return True
    return isinstance(plain(x), kinds) or (isinstance(x, numpy.ndarray) and is_instance(plain.sample, kinds))


class Testing(StandIn):
    """numpy.testing with comparisons that convert bascule's arrays to NumPy's."""

    def _found(self, name: str) -> Any:
        found = getattr(self._theirs, name)
        compares = name in ("assert_equal", "assert_almost_equal", "assert_approx_equal", "assert_allclose")
        if not (compares or name.startswith("assert_array")):
            return found

        def compare(*args: Any, **kwargs: Any) -> Any:
            return found(*map(plain, args), **{k: plain(v) for k, v in kwargs.items()})

        return compare


PREFIX = "bascule_in_place_of_"
FAMILIES = ("polynomial", "chebyshev", "legendre", "laguerre", "hermite", "hermite_e", "polyutils")
REPLACED = ("numpy", "numpy.testing", "numpy.linalg", "numpy.random", "numpy.fft", "numpy._core",
            "numpy._core.umath", "numpy._core.multiarray", "numpy.lib", "numpy.lib.stride_tricks",
            "numpy.ma.testutils", "numpy.polynomial", *(f"numpy.polynomial.{name}" for name in FAMILIES))  # fmt: skip


def install_stand_ins() -> None:
    """Put the stand-ins into sys.modules."""
    import bascule

    bascule.config.set(fallback="silent")
    plain.sample = bascule.zeros(1)
    for name in REPLACED:
        last = name.rpartition(".")[2]
        ours = getattr(bascule, last) if last in ("linalg", "random", "fft") else bascule
        if last == "stride_tricks":
            ours = bascule.lib.stride_tricks
        if name.startswith("numpy.polynomial"):
            ours = importlib.import_module("bascule" + name[len("numpy") :])
        if last in ("_core", "lib"):
            ours = None  # packages, of which only the modules below are replaced
        kind = Testing if last in ("testing", "testutils") else StandIn
        sys.modules[PREFIX + name] = kind(PREFIX + name, ours, importlib.import_module(name))
    umath = sys.modules[PREFIX + "numpy._core.umath"]
    for name, theirs in vars(numpy._core.umath).items():  # NumPy's tests search the module for ufuncs
        if isinstance(theirs, numpy.ufunc):
            vars(umath)[name] = getattr(bascule, name, theirs)


class Redirect(ast.NodeTransformer):
    """Redirects imports of numpy to the stand-ins."""

    def visit_Import(self, node: ast.Import) -> Any:
        for alias in node.names:
            if alias.name in REPLACED and (alias.asname or "." not in alias.name):
                alias.asname = alias.asname or alias.name
                alias.name = PREFIX + alias.name
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> Any:
        if node.level == 0 and node.module in REPLACED:
            node.module = PREFIX + node.module
        return node


class PatchedModule(pytest.Module):
    """A test module of NumPy's with its imports redirected."""

    def _getobj(self) -> types.ModuleType:
        tree = Redirect().visit(ast.parse(self.path.read_text("utf-8"), str(self.path)))
        module = types.ModuleType(f"numpy.{self.path.parent.parent.name}.tests.{self.path.stem}")
        module.__file__ = str(self.path)
        module.__package__ = module.__name__.rpartition(".")[0]
        module.isinstance = is_instance
        sys.modules.setdefault(module.__name__, module)
        for statement in ast.fix_missing_locations(tree).body:
            self._execute(compile(ast.Module([statement], []), str(self.path), "exec"), module)
        return module

    @staticmethod
    def _execute(code: types.CodeType, module: types.ModuleType) -> None:
        """Execute one statement of a module's body, with NumPy's data if bascule cannot hold it, or skip it."""
        try:
            for StandIn.collecting in ("both", "numpy"):
                try:
                    return exec(code, module.__dict__)
                except Exception as error:  # an error in the body must not prevent the module's other tests
                    last = error
            print(f"{module.__name__}: left out a statement that ends in {last!r}", file=sys.stderr)
        finally:
            StandIn.collecting = "both"


# ---- the plugin


def identity(nodeid: str) -> str:
    """A test's name that does not depend on NumPy's location: package/module::name."""
    path, _, rest = nodeid.partition("::")
    file = Path(path)
    return f"{file.parent.parent.name}/{file.name}::{rest}"


def listed_failures() -> dict[str, str]:
    """Tests that are known to fail: name to the class of the reason."""
    found, reason = {}, ""
    for line in (HERE / "numpy_failures.txt").read_text("utf-8").splitlines():
        if line.startswith("["):
            reason = line[1 : line.index("]")]
        elif line and not line.startswith("#"):
            found[line] = reason
    return found


def reason_of(test: str, listed: dict[str, str]) -> str | None:
    """The reason why a test fails: by its own name, the name without parameters, or its class's."""
    name = test
    while name:
        if name in listed:
            return listed[name]
        head, bracket, _ = name.partition("[")
        name = head if bracket else name.rpartition("::")[0]
    return None


def pytest_addoption(parser: Any) -> None:
    parser.addoption("--report", default=None, help="write the outcome of every test to a JSON file")


def pytest_pycollect_makemodule(module_path: Path, parent: Any) -> Any:
    if ROOT in module_path.parents and module_path.name.startswith("test_"):
        return PatchedModule.from_parent(parent, path=module_path)
    return None


def pytest_collection_modifyitems(config: Any, items: list[Any]) -> None:
    listed = listed_failures()
    for item in items:
        if reason_of(identity(item.nodeid), listed) == "C internals":
            item.add_marker(pytest.mark.skip(reason=NOT_RUN))


NOT_RUN = "hands an array to C code that reads NumPy's own objects, and may end the process"


def pytest_collection_finish(session: Any) -> None:
    StandIn.collecting = ""


def pytest_configure(config: Any) -> None:
    os.environ.setdefault("NPY_AVAILABLE_MEM", "1 GB")
    install_stand_ins()
    config.outcomes = {}


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: Any) -> Any:
    import bascule

    bascule.fallbacks(reset=True)
    try:
        return (yield)
    finally:
        item.user_properties.append(("fallbacks", len(bascule.fallbacks(reset=True))))


def pytest_runtest_logreport(report: Any) -> None:
    outcomes, name = pytest_runtest_logreport.outcomes, identity(report.nodeid)
    if report.failed:
        text = getattr(report.longrepr, "reprcrash", None)
        outcomes[name] = ["failed", text.message if text else str(report.longrepr)[-400:]]
    elif report.skipped:
        why = report.longrepr[2] if isinstance(report.longrepr, tuple) else ""
        outcomes.setdefault(name, ["failed", NOT_RUN] if NOT_RUN in why else ["skipped", ""])
    elif report.when == "call":
        native = not dict(report.user_properties).get("fallbacks")
        outcomes.setdefault(name, ["passed", "" if native else "with NumPy"])


pytest_runtest_logreport.outcomes = {}  # type: ignore[attr-defined]


def pytest_sessionfinish(session: Any) -> None:
    if session.config.getoption("--report"):
        outcomes = pytest_runtest_logreport.outcomes  # type: ignore[attr-defined]
        Path(session.config.getoption("--report")).write_text(json.dumps(outcomes, indent=1, sort_keys=True))


# ---- the whole run


def summary(outcomes: dict[str, list[str]]) -> list[str]:
    """The figures, one line each: of all tests, of each package, and of the failures by their reason."""
    listed = listed_failures()
    lines = []
    for package in ("", *sorted({name.partition("/")[0] for name in outcomes} - {""})):
        of_it = [o for name, o in outcomes.items() if name.startswith(package)]
        counts = Counter(o[0] for o in of_it)
        counted = counts["passed"] + counts["failed"]
        native = sum(o == ["passed", ""] for o in of_it)
        shares = (
            f"{counts['passed'] / max(counted, 1):.2%}; without a fallback {native}, {native / max(counted, 1):.2%}"
        )
        what = f"NumPy {numpy.__version__}" if not package else "  " + package
        lines.append(
            f"{what}: {counts['passed']} of {counted} pass, {shares}; {counts['skipped']} skipped by NumPy's conditions"
        )
    reasons: Counter[str] = Counter()
    for name, o in outcomes.items():
        if o[0] == "failed":
            reasons[reason_of(name, listed) or "not listed"] += 1
    return [*lines, *(f"  failed, {reason}: {n}" for reason, n in reasons.most_common())]


def run_module(module: Path, options: list[str]) -> dict[str, list[str]]:
    """The outcomes of one module's tests; if its process ends early, that is the outcome of the module."""
    env = dict(os.environ, PYTHONPATH=os.pathsep.join(filter(None, (str(HERE), os.environ.get("PYTHONPATH")))))
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        command = [sys.executable, "-m", "pytest", "-q", "-p", "numpy_modules", "-p", "no:cacheprovider", "--tb=no",
                   "--no-header", "--no-summary", f"--rootdir={ROOT}", "-W", "ignore", "--show-capture=no",
                   "-o", "addopts=", "-o", "filterwarnings=", "--report", str(report), *options, str(module)]  # fmt: skip
        ended = subprocess.run(command, env=env, cwd=folder, stdout=subprocess.DEVNULL, check=False).returncode
        if report.exists():
            return json.loads(report.read_text())
    return {f"{module.parent.parent.name}/{module.name}::": ["failed", f"the process ended with {ended}"]}


def main(arguments: list[str]) -> int:
    """Run the given modules, or all."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--report", help="write the outcome of every test to a JSON file")
    parser.add_argument("--result", help="add the summary, with the date, to a file")
    parser.add_argument("--jobs", type=int, default=1, help="modules that run at a time")
    given, rest = parser.parse_known_args(arguments)
    chosen = [a for a in rest if a.endswith(".py")]
    options = [a for a in rest if a not in chosen]
    files = [ROOT / a for a in chosen] or modules()
    outcomes: dict[str, list[str]] = {}
    with ThreadPoolExecutor(given.jobs) as pool:
        for found in pool.map(lambda f: run_module(f, options), files):
            outcomes.update(found)
            if given.report:
                Path(given.report).write_text(json.dumps(outcomes, indent=1, sort_keys=True))
    listed = listed_failures()
    for name, o in sorted(outcomes.items()):
        if o[0] == "failed" and reason_of(name, listed) is None:
            print(f"failed, not listed: {name}: {o[1].splitlines()[0][:150] if o[1] else ''}")
    print("\n".join(lines := summary(outcomes)))
    if given.result:
        with Path(given.result).open("a", encoding="utf-8") as file:
            file.write("\n".join([f"{datetime.date.today()}", *lines, "", ""]))
    passed = sum(o[0] == "passed" for o in outcomes.values())
    counted = sum(o[0] != "skipped" for o in outcomes.values())
    return 0 if passed >= TARGET * counted else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
