"""pandas' own tests, run with bascule.pandas in place of `pandas`.

The tests are in the installed pandas wheel. They are copied to a temporary folder, where their imports of pandas'
public names, and of its comparisons, are redirected to stand-ins that look names up in bascule first; the copies are
not kept.

    python tests/conformance/pandas_modules.py [--every N] [--rest K] [--causes M] [--result] [--keep FILE] [directories]

runs each directory twice, with pandas itself and with bascule in its place, and prints for each directory how many of
the tests that pass with pandas pass here, and how many of them without a single counted fallback. `--every 20` selects
the tests whose crc32(node id) % 20 is `--rest` (7). `--causes` lists the most frequent causes of failures and of
fallbacks, `--keep` writes every outcome to a JSON file. With `--result` the figures are appended to pandas_result.txt.
"""

from __future__ import annotations

import argparse
import datetime
import functools
import importlib
import importlib.abc
import importlib.machinery
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import types
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas
import pytest

HERE = Path(__file__).parent
ROOT = Path(pandas.__file__).parent
DIRECTORIES = [
    "groupby", "reshape/merge", "reshape/concat", "window", "strings", "indexing", "frame", "series", "indexes", "resample",
    "io/parser", "arithmetic", "copy_view", "extension", "plotting", "io", "reshape", "dtypes",
]  # fmt: skip
MARKERS = "single_cpu slow network db clipboard arm_slow skip_ubsan".split()
PREFIX = "bascule_in_place_of_pandas"


# ---- stand-ins for pandas' modules


class StandIn(types.ModuleType):
    """pandas' namespace with bascule's names where bascule has them; its private parts are pandas'."""

    def __getattr__(self, name: str) -> Any:
        if name != "core" and f"{PREFIX}.{name}" in sys.modules:
            return sys.modules[f"{PREFIX}.{name}"]
        if name.startswith("_") or isinstance(getattr(pandas, name, None), types.ModuleType):
            return getattr(pandas, name)
        import bascule.pandas

        return getattr(bascule.pandas, name)


class Inner(types.ModuleType):
    """A module inside pandas; public names of pandas in it are bascule's.

    Its private functions, with which tests compute expected results, are pandas' and get pandas' objects.
    """

    def __getattr__(self, name: str) -> Any:
        found = getattr(importlib.import_module(self.__name__.replace(PREFIX, "pandas")), name)
        if found is getattr(pandas, name, PREFIX):
            return getattr(sys.modules[PREFIX], name)
        if isinstance(found, type) and self.__name__.endswith("core.indexers.objects"):
            return made_of_theirs(found)
        return given_theirs(found) if isinstance(found, types.FunctionType) else found


def given_theirs(function: Any) -> Any:
    """A function of pandas that gets pandas' objects in place of bascule's."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        return function(*map(as_pandas, args), **{k: as_pandas(v) for k, v in kwargs.items()})

    return call


def made_of_theirs(kind: type) -> type:
    """A private class of pandas whose constructor gets pandas' objects in place of bascule's."""

    def start(self: Any, *args: Any, **kwargs: Any) -> None:
        kind.__init__(self, *map(as_pandas, args), **{k: as_pandas(v) for k, v in kwargs.items()})

    return type(kind.__name__, (kind,), {"__init__": start, "__module__": kind.__module__})


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the modules inside pandas under the name of the stand-in."""

    def find_spec(self, name: str, path: Any, target: Any = None) -> Any:
        if not name.startswith(f"{PREFIX}.core"):
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec: Any) -> types.ModuleType:
        return Inner(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        """Do nothing: names are looked up one by one."""


class Comparisons(types.ModuleType):
    """pandas' functions for tests, which convert bascule's objects to pandas'."""

    def __init__(self, name: str, theirs: Any):
        super().__init__(name)
        self.__dict__["_theirs"] = theirs

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._theirs, name)
        if name == "box_expected":
            return functools.partial(boxed, found)
        if not name.startswith("assert_") or name in ("assert_produces_warning", "assert_cow_warning"):
            return found

        def compare(*args: Any, **kwargs: Any) -> Any:
            __tracebackhide__ = True
            return found(*map(as_pandas, args), **{k: as_pandas(v) for k, v in kwargs.items()})

        return compare


def boxed(box: Any, values: Any, kind: Any, *args: Any, **kwargs: Any) -> Any:
    """Values in an index, series, frame or array of bascule's, as pandas creates its own."""
    import bascule.pandas

    made = box(as_pandas(values), getattr(pandas, getattr(kind, "__name__", ""), kind), *args, **kwargs)
    of_rows = isinstance(made, (pandas.DataFrame, pandas.Series, pandas.Index))
    return bascule.pandas.from_pandas(made) if of_rows else made


def as_pandas(x: Any) -> Any:
    """x with bascule's objects, also nested ones, as pandas' and NumPy's."""
    from bascule import _core

    if hasattr(x, "__bascule_to_pandas__"):
        return x.__bascule_to_pandas__()
    if type(x) is _core.ndarray:
        return _core.to_numpy(x)
    if type(x) in (list, tuple):
        return type(x)(map(as_pandas, x))
    return {k: as_pandas(v) for k, v in x.items()} if type(x) is dict else x


def install_stand_ins() -> None:
    """Put the stand-ins into sys.modules."""
    import bascule.pandas

    bascule.config.set(fallback="silent")
    top = StandIn(PREFIX)
    top.__path__ = []
    sys.modules[PREFIX] = top
    sys.meta_path.insert(0, Finder())
    for name in ("_testing", "testing"):
        sys.modules[f"{PREFIX}.{name}"] = Comparisons(f"{PREFIX}.{name}", importlib.import_module(f"pandas.{name}"))


REDIRECTED = [
    (re.compile(r"^(\s*)import pandas as pd\b", re.M), rf"\1import {PREFIX} as pd"),
    (re.compile(r"^(\s*)import pandas$", re.M), rf"\1import {PREFIX} as pandas"),
    (re.compile(r"^(\s*)from pandas import\b", re.M), rf"\1from {PREFIX} import"),
    (re.compile(r"^(\s*)import pandas\._testing as tm\b", re.M), rf"\1import {PREFIX}._testing as tm"),
    (re.compile(r"^(\s*)from pandas\.(_testing|testing) import\b", re.M), rf"\1from {PREFIX}.\2 import"),
    (re.compile(r"^(\s*)from pandas\.(core\.[\w.]+) import\b", re.M), rf"\1from {PREFIX}.\2 import"),
]


def copy_tests(folder: Path, redirected: bool) -> None:
    """pandas' tests with their conftest.py, as a separate project."""
    shutil.copytree(ROOT / "tests", folder / "tests", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "conftest.py", folder / "conftest.py")
    for path in [folder / "conftest.py", *(folder / "tests").rglob("*.py")]:
        text = path.read_text("utf-8")
        changed = re.sub(r"\bpandas\.tests\b", "tests", text)
        for pattern, with_stand_in in REDIRECTED if redirected else []:
            changed = pattern.sub(with_stand_in, changed)
        if changed != text:
            path.write_text(changed, "utf-8")
    markers = "".join(f'  "{m}",\n' for m in MARKERS)
    # pandas' own project has this setting: an expected failure that passes here counts as a failure.
    (folder / "pyproject.toml").write_text(f"[tool.pytest.ini_options]\nxfail_strict = true\nmarkers = [\n{markers}]\n")


# ---- the plugin that runs inside pytest


if os.environ.get("BASCULE_IN_PLACE") == "1":
    install_stand_ins()  # before pandas' conftest.py is read


def pytest_addoption(parser: Any) -> None:
    parser.addoption("--every", type=int, default=1)
    parser.addoption("--rest", type=int, default=7)
    parser.addoption("--outcomes", default="")


def pytest_configure(config: Any) -> None:
    config.outcomes = {}


def pytest_collection_modifyitems(config: Any, items: list) -> None:
    every, rest = config.getoption("--every"), config.getoption("--rest")
    chosen = [i for i in items if every == 1 or zlib.crc32(i.nodeid.encode()) % every == rest]
    gone = set(map(id, items)) - set(map(id, chosen))
    config.hook.pytest_deselected(items=[i for i in items if id(i) in gone])
    items[:] = chosen


def counted() -> Counter:
    """The fallbacks so far."""
    bascule = sys.modules.get("bascule")
    if bascule is None:
        return Counter()

    return Counter({f"{entry['name']}: {entry['reason']}": entry["calls"] for entry in bascule.fallbacks()})


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: Any) -> Iterator[Any]:
    before = counted()
    done = yield
    outcome = item.config.outcomes.get(item.nodeid)
    if outcome is not None:
        outcome[1] = sorted(counted() - before)
    return done


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: Any, call: Any) -> Iterator[Any]:
    report = yield
    message = ""
    if report.failed and call.excinfo is not None:
        where = [e for e in call.excinfo.traceback if "bascule" in str(e.path)]
        line = f" [{Path(where[-1].path).name}:{where[-1].lineno + 1}]" if where else ""
        text = str(call.excinfo.value).strip() or "-"
        message = f"{call.excinfo.typename}: {' '.join(text.split())[:160]}{line}"
    outcome = item.config.outcomes.setdefault(item.nodeid, ["passed", [], ""])
    if report.outcome != "passed" and outcome[0] != "failed":
        outcome[:] = ["failed" if report.failed else "skipped", [], message]
    return report


def pytest_collectreport(report: Any) -> None:
    if report.failed:
        pytest_collectreport.failed[report.nodeid] = str(report.longrepr)[-300:]


pytest_collectreport.failed = {}


def pytest_sessionfinish(session: Any) -> None:
    path = session.config.getoption("--outcomes")
    if path:
        found = {"outcomes": session.config.outcomes, "not collected": pytest_collectreport.failed}
        Path(path).write_text(json.dumps(found, indent=0, sort_keys=True))


# ---- running and reporting


def run(folder: Path, directory: str, options: Any, ours: bool) -> dict:
    """The outcomes of a directory's tests, and the modules that could not be collected."""
    report = folder / "outcomes.json"
    report.unlink(missing_ok=True)
    env = dict(os.environ, BASCULE_IN_PLACE=str(int(ours)), PANDAS_CI="1", PYTHONHASHSEED="0")
    env["PYTHONPATH"] = os.pathsep.join(filter(None, (str(HERE), str(folder), os.environ.get("PYTHONPATH"))))
    command = [
        sys.executable, "-m", "pytest", "-q", "-p", "pandas_modules", "-p", "no:cacheprovider", "--tb=no", "--no-header",
        "--import-mode=importlib", "-W", "ignore::pytest.PytestUnknownMarkWarning", "--show-capture=no", "-m",
        "not slow and not single_cpu and not db and not network", "--continue-on-collection-errors", "--disable-warnings",
        f"--every={options.every}", f"--rest={options.rest}", f"--outcomes={report}", f"tests/{directory}",
    ]  # fmt: skip
    # subdirectories are run separately
    command += [f"--ignore=tests/{d}" for d in DIRECTORIES if d.startswith(f"{directory}/")]
    done = subprocess.run(command, env=env, cwd=folder, capture_output=True, text=True)
    if not report.exists():
        raise SystemExit(f"pytest ended without outcomes in {directory}:\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
    return json.loads(report.read_text())


def figures(directory: str, theirs: dict, ours: dict) -> tuple[str, list[int]]:
    """A directory's line, and its counts: of tests that pass with pandas, that pass here, and that need no fallback."""
    wanted = [n for n, (outcome, *_) in theirs["outcomes"].items() if outcome == "passed"]
    found = [ours["outcomes"].get(n, ["missing", [], ""]) for n in wanted]
    passed = sum(o == "passed" for o, *_ in found)
    native = sum(o == "passed" and not fallbacks for o, fallbacks, _ in found)
    missing = sum(o == "missing" for o, *_ in found)
    return line(directory, len(wanted), passed, native, missing), [len(wanted), passed, native, missing]


def line(name: str, wanted: int, passed: int, native: int, missing: int) -> str:
    share = 100 / max(wanted, 1)
    return f"{name:16}{wanted:7d} tests {passed * share:6.1f} % pass {native * share:6.1f} % without a fallback {missing:5d} not collected"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directories", nargs="*", default=DIRECTORIES)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--rest", type=int, default=7)
    parser.add_argument("--causes", type=int, default=0)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--result", action="store_true")
    options = parser.parse_args()
    total, lines, causes, reasons, kept = [0, 0, 0, 0], [], Counter(), Counter(), {}
    with tempfile.TemporaryDirectory() as made:
        folders = {ours: Path(made) / name for ours, name in ((False, "pandas"), (True, "bascule"))}
        for ours, folder in folders.items():
            copy_tests(folder, ours)
        for directory in options.directories:
            if not (folders[True] / "tests" / directory).is_dir():
                print(f"{directory:16}is not in the installed pandas", flush=True)
                continue
            theirs, ours = (run(folders[o], directory, options, o) for o in (False, True))
            text, counts = figures(directory, theirs, ours)
            print(text, flush=True)
            lines.append(text)
            total = [a + b for a, b in zip(total, counts)]
            wanted = {n for n, (outcome, *_) in theirs["outcomes"].items() if outcome == "passed"}
            causes.update(m for n, (o, _, m) in ours["outcomes"].items() if o == "failed" and n in wanted)
            reasons.update(r for n, (o, found, _) in ours["outcomes"].items() if o == "passed" for r in found)
            causes.update(f"not collected: {n}: {m[-120:]}" for n, m in ours["not collected"].items())
            kept[directory] = ours
    lines.append(line("all", *total))
    print(lines[-1])
    for cause, count in causes.most_common(options.causes):
        print(f"{count:5d}  {cause}")
    for reason, count in reasons.most_common(options.causes):
        print(f"{count:5d}  tests fall back by {reason}")
    if options.keep:
        options.keep.write_text(json.dumps(kept, indent=0))
    if options.result:
        sample = f", crc32(node id) % {options.every} == {options.rest}" if options.every > 1 else ""
        with (HERE / "pandas_result.txt").open("a", encoding="utf-8") as file:
            file.write("\n".join([f"{datetime.date.today()}, pandas {pandas.__version__}{sample}", *lines, ""]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
