"""NumPy's own test modules, run with bascule in the place of `numpy`.

The modules lie in the installed NumPy wheel and are read there at run time; nothing of them is kept here. Their imports
of numpy, and of the parts of it that bascule answers for, are turned to stand-ins that ask bascule first and NumPy for
what bascule refuses. Comparisons are NumPy's own, of the values bascule's arrays hold.

    python tests/conformance/numpy_modules.py [options of pytest] [--report FILE] [--result FILE] [--patient]

prints how many of the tests that concern claimed names pass, and the share of all collected. Tests about what bascule
leaves out on purpose are listed, by the reason, in numpy_exclusions.txt. With --patient NumPy does what bascule refuses by
its type: of the excluded tests that pass so, all but the refused types has been seen. numpy_result.txt keeps the last run.
"""

from __future__ import annotations

import ast
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

import numpy
import pytest

HERE = Path(__file__).parent
ROOT = Path(numpy.__file__).parent
MODULES = [
    *(
        f"_core/tests/test_{name}.py"
        for name in ("indexing", "mem_overlap", "ufunc", "umath", "multiarray", "numeric", "nep50_promotions", "errstate")
    ),
    *(
        f"random/tests/test_{name}.py"
        for name in ("direct", "generator_mt19937", "generator_mt19937_regressions", "random", "randomstate")
    ),
    *(f"random/tests/test_{name}.py" for name in ("randomstate_regression", "regression", "seed_sequence", "smoke")),
]  # fmt: skip
TARGET = 0.95


# ---- stand-ins for numpy's modules


class StandIn(types.ModuleType):
    """A module of numpy, whose names are bascule's where bascule has them."""

    collecting = "both"  # while tests are found, functions try bascule first; "numpy": bascule is not asked

    def __init__(self, name: str, ours: Any, theirs: Any):
        super().__init__(name)
        self.__dict__.update(_ours=ours, _theirs=theirs, __path__=[])

    def __getattr__(self, name: str) -> Any:
        found = self._found(name)
        if not StandIn.collecting:  # the tests' loops ask for the same names again and again
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
            return importlib.import_module(f"{self._theirs.__name__}.{name}")
        ours = theirs if name.startswith("_") else getattr(self._ours, name, theirs)
        if isinstance(ours, types.ModuleType):
            return theirs
        if Patient.wanted and ours is not theirs and not isinstance(ours, type):
            return Patient(ours, theirs)
        return tolerant(ours, theirs) if StandIn.collecting and isinstance(ours, types.FunctionType) else ours


class Patient:
    """A function or ufunc, and its methods: what bascule refuses by its type, NumPy does.

    So the rest of a test that is excluded for one type in a loop of many is seen, too.
    """

    wanted = False
    refusal = "bascule arrays hold bool"

    def __init__(self, ours: Any, theirs: Any):
        self.__dict__.update(_ours=ours, _theirs=theirs, __doc__=ours.__doc__)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        args, kwargs = bare(args), bare(kwargs)
        try:
            return self._ours(*args, **kwargs)
        except TypeError as error:
            if Patient.refusal not in str(error):
                raise
        return self._theirs(*map(plain, args), **{k: plain(v) for k, v in kwargs.items()})

    def __getattr__(self, name: str) -> Any:
        ours = getattr(self._ours, name)
        return Patient(ours, getattr(self._theirs, name)) if callable(ours) and name[0] != "_" else ours

    def __repr__(self) -> str:
        return repr(self._ours)

    def __eq__(self, other: Any) -> bool:
        return self._ours is bare(other)

    def __hash__(self) -> int:
        return hash(self._ours)


def bare(x: Any) -> Any:
    """What bascule knows, wherever functions are in x."""
    if type(x) is Patient:
        return x._ours
    if type(x) in (list, tuple):
        return type(x)(map(bare, x))
    return {k: bare(v) for k, v in x.items()} if type(x) is dict else x


def be_patient() -> None:
    """Let NumPy do what arrays refuse by their type."""
    from bascule import _core

    Patient.wanted = True
    for name in dir(_core.ndarray):
        ours, theirs = getattr(_core.ndarray, name), getattr(numpy.ndarray, name, None)
        special = name.startswith("__") and name not in numpy_operators()
        if callable(ours) and theirs is not None and not special:
            setattr(_core.ndarray, name, patient_method(ours, theirs))


def numpy_operators() -> set[str]:
    """The names of the operators of arrays."""
    return {n for n in vars(numpy.lib.mixins.NDArrayOperatorsMixin) if n.startswith("__")} | {"__getitem__"}


def patient_method(ours: Any, theirs: Any) -> Any:
    """A method of arrays, as Patient."""

    @functools.wraps(ours)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            return ours(self, *args, **kwargs)
        except TypeError as error:
            if Patient.refusal not in str(error):
                raise
        return theirs(numpy.asarray(plain(self)), *map(plain, args), **{k: plain(v) for k, v in kwargs.items()})

    return call


def tolerant(ours: Any, theirs: Any) -> Any:
    """A function for the body of a module, where what bascule refuses is data that NumPy makes."""

    @functools.wraps(ours)
    def call(*args: Any, **kwargs: Any) -> Any:
        if not StandIn.collecting:
            return ours(*args, **kwargs)
        try:
            return ours(*args, **kwargs)
        except Exception:  # whatever bascule says, the module has to be read
            return theirs(*map(plain, args), **{k: plain(v) for k, v in kwargs.items()})

    return call


def plain(x: Any) -> Any:
    """bascule's arrays, wherever they are in x, as NumPy's arrays and scalars."""
    from bascule import _core

    if type(x) is _core.ndarray:
        return _core.to_numpy(x)[()] if _core.is_scalar(x) else _core.to_numpy(x)
    if type(x) in (list, tuple):
        return type(x)(map(plain, x))
    if type(x) is dict:
        return {k: plain(v) for k, v in x.items()}
    return x


def is_instance(x: Any, kinds: Any) -> bool:
    """isinstance as the tests mean it: a 0-d scalar is of the class of NumPy's, and arrays of either are arrays."""
    if isinstance(x, kinds):
        return True
    return isinstance(plain(x), kinds) or (isinstance(x, numpy.ndarray) and is_instance(plain.sample, kinds))


class Testing(StandIn):
    """numpy.testing, whose comparisons look at bascule's arrays as NumPy's."""

    def _found(self, name: str) -> Any:
        found = getattr(self._theirs, name)
        compares = name in ("assert_equal", "assert_almost_equal", "assert_approx_equal", "assert_allclose")
        if not (compares or name.startswith("assert_array")):
            return found

        def compare(*args: Any, **kwargs: Any) -> Any:
            return found(*map(plain, args), **{k: plain(v) for k, v in kwargs.items()})

        return compare


PREFIX = "bascule_in_place_of_"
REPLACED = ("numpy", "numpy.testing", "numpy.linalg", "numpy.random", "numpy.fft", "numpy._core",
            "numpy._core.umath", "numpy._core.multiarray", "numpy.lib", "numpy.lib.stride_tricks")  # fmt: skip


def install_stand_ins() -> None:
    """Put the stand-ins where import finds them."""
    import bascule

    bascule.config.set(fallback="silent")
    plain.sample = bascule.zeros(1)
    for name in REPLACED:
        last = name.rpartition(".")[2]
        ours = getattr(bascule, last) if last in ("linalg", "random", "fft") else bascule
        if last == "stride_tricks":
            ours = bascule.lib.stride_tricks
        if last in ("_core", "lib"):
            ours = None  # packages, of which only the modules below are replaced
        kind = Testing if last == "testing" else StandIn
        sys.modules[PREFIX + name] = kind(PREFIX + name, ours, importlib.import_module(name))
    umath = sys.modules[PREFIX + "numpy._core.umath"]
    for name, theirs in vars(numpy._core.umath).items():  # NumPy's tests look for ufuncs among the names of the module
        if isinstance(theirs, numpy.ufunc):
            vars(umath)[name] = getattr(bascule, name, theirs)


class Redirect(ast.NodeTransformer):
    """Turns imports of numpy to the stand-ins."""

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
        """One statement of a module's body, with NumPy's data where bascule cannot hold it, or not at all."""
        try:
            for StandIn.collecting in ("both", "numpy"):
                try:
                    return exec(code, module.__dict__)
                except Exception as error:  # nothing of a body may keep the rest of its tests from running
                    last = error
            print(f"{module.__name__}: left out a statement that ends in {last!r}", file=sys.stderr)
        finally:
            StandIn.collecting = "both"


# ---- the plugin


def identity(nodeid: str) -> str:
    """A test's name that does not depend on where NumPy lies."""
    path, _, rest = nodeid.partition("::")
    return ("random/" if "random" in Path(path).parts else "") + Path(path).name + "::" + rest


def exclusions() -> dict[str, str]:
    """Tests about what bascule leaves out: name to the class of the reason."""
    found, reason = {}, ""
    for line in (HERE / "numpy_exclusions.txt").read_text("utf-8").splitlines():
        if line.startswith("["):
            reason = line[1 : line.index("]")]
        elif line and not line.startswith("#"):
            found[line] = reason
    return found


def reason_of(test: str, listed: dict[str, str]) -> str | None:
    """Why a test is excluded: by its own name, that of all its parameters, or its class's."""
    name = test
    while name:
        if name in listed:
            return listed[name]
        head, bracket, _ = name.partition("[")
        name = head if bracket else name.rpartition("::")[0]
    return None


def pytest_addoption(parser: Any) -> None:
    parser.addoption("--patient", action="store_true", help="NumPy does what bascule refuses by its type: see Patient")
    parser.addoption("--result", default=None, help="add the summary, with the date, to a file")
    parser.addoption("--report", default=None, help="write every failing test and its last line to a JSON file")


def pytest_pycollect_makemodule(module_path: Path, parent: Any) -> Any:
    if ROOT in module_path.parents and module_path.name.startswith("test_"):
        return PatchedModule.from_parent(parent, path=module_path)
    return None


def pytest_collection_modifyitems(config: Any, items: list[Any]) -> None:
    listed = exclusions()
    for item in items:
        if reason_of(identity(item.nodeid), listed) == "C internals":
            item.add_marker(pytest.mark.skip(reason="hands an array to C code that reads NumPy's own objects"))


def pytest_collection_finish(session: Any) -> None:
    StandIn.collecting = ""


def pytest_configure(config: Any) -> None:
    os.environ.setdefault("NPY_AVAILABLE_MEM", "1 GB")
    install_stand_ins()
    if config.getoption("--patient"):
        be_patient()
    config.conformance = {}


def _note(config: Any, report: Any) -> None:
    results = config.conformance
    name = identity(report.nodeid)
    if report.failed:
        text = getattr(report.longrepr, "reprcrash", None)
        results[name] = ("failed", text.message if text else str(report.longrepr)[-400:])
    elif report.skipped:
        results.setdefault(name, ("skipped", ""))
    elif report.when == "call":
        results.setdefault(name, ("passed", ""))


class Reporter:
    """Collects results where the reports arrive."""

    def __init__(self, config: Any):
        self.config = config

    def pytest_runtest_logreport(self, report: Any) -> None:
        _note(self.config, report)


def pytest_sessionstart(session: Any) -> None:
    if not hasattr(session.config, "workerinput"):
        session.config.pluginmanager.register(Reporter(session.config), "conformance-reporter")


def pytest_sessionfinish(session: Any) -> None:
    if hasattr(session.config, "workerinput"):
        return
    results, listed = session.config.conformance, exclusions()
    counts: Counter[str] = Counter()
    failures = {}
    for name, (outcome, message) in results.items():
        reason = reason_of(name, listed)
        counts["collected"] += 1
        counts["all " + outcome] += 1
        if reason is not None:
            for kind in ("excluded", "excluded: " + reason):
                counts[kind] += 1
                counts[kind + " passed"] += outcome == "passed"
        elif outcome == "skipped":
            counts["skipped"] += 1
        else:
            counts["claimed"] += 1
            counts["claimed " + outcome] += 1
        if outcome == "failed":
            failures[name] = [reason, message]
    session.config.conformance_counts = counts
    if session.config.getoption("--report"):
        Path(session.config.getoption("--report")).write_text(json.dumps(failures, indent=1, sort_keys=True))
    session.exitstatus = 0 if counts["claimed passed"] >= TARGET * counts["claimed"] else 1


def summary(config: Any) -> list[str]:
    """The figures, a line each."""
    counts = config.conformance_counts
    passed, claimed, collected = counts["claimed passed"], counts["claimed"], counts["collected"]
    how = ", what bascule refuses by its type done by NumPy" if config.getoption("--patient") else ""
    lines = [
        f"NumPy {numpy.__version__}{how}: {passed} of {claimed} tests of claimed names pass ({passed / max(claimed, 1):.2%});",
        f"{counts['all passed']} of all {collected} collected pass ({counts['all passed'] / max(collected, 1):.2%}), "
        f"{counts['skipped']} are skipped by NumPy's own conditions",
    ]
    of_each = (f"  {name}: {counts[name]}, of which pass {counts[name + ' passed']}" for name in sorted(counts)
               if name.startswith("excluded") and not name.endswith(" passed"))  # fmt: skip
    return [*lines, *of_each]


def pytest_terminal_summary(terminalreporter: Any, config: Any) -> None:
    for line in summary(config):
        terminalreporter.write_line(line)
    if config.getoption("--result"):
        with Path(config.getoption("--result")).open("a", encoding="utf-8") as file:
            file.write("\n".join([f"{datetime.date.today()}", *summary(config), "", ""]))


def main(arguments: list[str]) -> int:
    """Run the modules in a process of their own."""
    env = dict(os.environ, PYTHONPATH=os.pathsep.join(filter(None, (str(HERE), os.environ.get("PYTHONPATH")))))
    arguments = [str(ROOT / a) if a.partition("::")[0].endswith(".py") else a for a in arguments]
    paths = [] if any(a.startswith(str(ROOT)) for a in arguments) else [str(ROOT / m) for m in MODULES]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "numpy_modules", "-p", "no:cacheprovider", "--tb=line",
               "--no-header", f"--rootdir={ROOT}", "-W", "ignore", "--show-capture=no", *arguments, *paths]  # fmt: skip
    with tempfile.TemporaryDirectory() as elsewhere:
        return subprocess.call(command, env=env, cwd=elsewhere)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
