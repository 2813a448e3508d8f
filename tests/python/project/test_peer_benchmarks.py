"""The harness of the peers' benchmark: its lists, checks and verdicts; results are NumPy's. No time is asserted."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import bascule as bc
import numpy as np
import pytest

FOLDER = Path(__file__).resolve().parents[3] / "benchmarks/peers"
MODULES = ("rows", "checks", "libraries", "targets", "tables")

pytest.importorskip("scipy", reason="stands in for NumPy's missing erf")


def loaded(name):
    sys.path.insert(0, str(FOLDER))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(FOLDER))


@pytest.fixture(scope="module", autouse=True)
def modules():
    """The harness's modules have common names, so they are removed from sys.modules afterwards."""
    before = {name: sys.modules.pop(name, None) for name in MODULES}
    yield {name: loaded(name) for name in MODULES}
    for name, module in before.items():
        sys.modules.pop(name, None)
        if module is not None:
            sys.modules[name] = module


def row_names():
    """Read in a separate process: collecting tests must not import the harness here."""
    code = "import rows; print(*rows.ROWS)"
    found = subprocess.run([sys.executable, "-c", code], cwd=FOLDER, capture_output=True, text=True, check=True)
    return found.stdout.split()


def inputs_of(modules, row):
    return modules["rows"].INPUTS[row.inputs](np.random.default_rng(7), row.tiny)


def results_of(modules, library, row, inputs):
    form = library.form(row)
    result = form(*(library.take(x.copy()) if x.ndim else x[()] for x in inputs))
    library.wait(result)
    return [library.give(x) for x in modules["libraries"].each(result)]


def test_no_row_is_in_two_lists_and_all_that_is_named_exists(modules):
    rows = modules["rows"]
    names = [row.name for kind in rows.LISTS.values() for row in kind]
    assert len(names) == len(set(names)) == len(rows.ROWS)
    assert {*rows.MEMORY_BOUND, *rows.COMPUTE_BOUND, *(name for name, _ in modules["targets"].NAMED)} <= set(names)
    assert all(rows.ROWS[name].moved and rows.ROWS[name].large for name in rows.MEMORY_BOUND)


@pytest.mark.parametrize("name", row_names())
def test_the_result_of_a_row_is_numpys(modules, name):
    """Compare shape, type and value, without a fallback."""
    row = modules["rows"].ROWS[name]
    inputs = inputs_of(modules, row)
    wanted = results_of(modules, modules["libraries"].load("numpy"), row, inputs)
    with bc.config.set(fallback="error"):
        got = results_of(modules, modules["libraries"].load("bascule"), row, inputs)
    assert [x.dtype for x in got] == [x.dtype for x in wanted]
    modules["checks"].check(row, got, wanted, inputs)


@pytest.mark.parametrize("name", row_names())
def test_the_check_of_a_row_finds_a_wrong_result(modules, name):
    row = modules["rows"].ROWS[name]
    inputs = inputs_of(modules, row)
    wanted = results_of(modules, modules["libraries"].load("numpy"), row, inputs)
    other = [(~x if x.dtype == bool else x[::-1] * 2 + 1 if x.ndim else x * 2 + 1) for x in wanted]
    if row.check == "order":
        other = [wanted[0][::-1]]
    for wrong in (other, wanted[:-1], [np.append(x, x) for x in wanted]):
        with pytest.raises(modules["checks"].WrongResult):
            modules["checks"].check(row, wrong, wanted, inputs)


# ---- verdicts


def report_of(*rows, **parts):
    empty = {"rows": list(rows), "small": [], "threads": [], "peak": {}, "missing": {}, "limits": {}}
    return {**empty, **parts}


def timed(name, kind, **seconds):
    times = {library: {"best": s} if s else {"wrong": "differs"} for library, s in seconds.items()}
    return {"row": name, "list": kind, "size": "large", "n": 10, "libraries": times}


def verdict(modules, report, start):
    found = [v for v in modules["targets"].verdicts(report) if v.target.startswith(start)]
    assert len(found) == 1
    return found[0]


def test_a_row_is_ahead_only_of_its_fastest_peer(modules):
    won, lost = (
        timed("add", "engine", numpy=8.0, numba=2.0, bascule=1.0),
        timed("exp", "engine", numpy=8.0, jax=0.5, bascule=1.0),
    )
    assert verdict(modules, report_of(won), "engine rows: ahead").met is True
    assert verdict(modules, report_of(won, lost), "engine rows: ahead").met is False
    low = verdict(modules, report_of(won, lost), "engine rows: none below")
    assert low.met is False and "exp (large) 0.50× jax" in low.measured


def test_a_peer_that_is_not_installed_is_ahead_everywhere(modules):
    report = report_of(timed("add", "engine", numpy=8.0, bascule=1.0), missing={"torch": "ModuleNotFoundError"})
    found = verdict(modules, report, "engine rows: ahead")
    assert found.met is False and "torch" in found.measured


def test_a_wrong_result_of_bascule_is_behind_and_one_of_a_peer_has_no_time(modules):
    wrong = timed("add", "engine", numpy=8.0, numba=2.0, bascule=None)
    assert verdict(modules, report_of(wrong), "engine rows: none below").met is False
    assert verdict(modules, report_of(wrong), "engine rows: geometric mean").met is False
    right = timed("add", "engine", numpy=8.0, numba=None, bascule=4.0)
    assert modules["targets"].against_best_peer(right) == (2.0, "numpy")


def test_what_was_not_measured_has_no_verdict(modules):
    assert {v.met for v in modules["targets"].verdicts(report_of())} == {None}


def test_the_share_of_memorys_limit_is_of_the_rows_own_mixture(modules):
    limits = {"read": 10.0, "stream": 20.0, "triad": 40.0, "copy": 80.0}
    row = timed("add", "engine", bascule=1.0)
    for moved, share in (((8e9, 0), 0.8), ((40e9, 8e9), 2.4), ((16e9, 8e9), 0.6), ((8e9, 8e9), 0.2)):
        assert modules["targets"].of_limit({**row, "moved": moved}, limits) == pytest.approx(share)
    found = verdict(modules, report_of({**row, "moved": (16e9, 8e9)}, limits=limits), "`add`: ≥ 70")
    assert found.met is False and found.measured == "60 %"


def test_a_limit_measured_in_turns_with_a_row_goes_before_the_best_of_the_run(modules):
    row = {**timed("sum", "engine", bascule=1.0), "moved": (8e9, 0)}
    assert modules["targets"].of_limit({**row, "limit": {"read": 10.0}}, {"read": 16.0}) == pytest.approx(0.8)
    assert modules["targets"].of_limit(row, {"read": 16.0}) == pytest.approx(0.5)
    assert modules["targets"].of_limit(row, {}) is None


@pytest.mark.parametrize(("seconds", "equal", "met"), [([2.0, 1.0], True, True), ([2.0, 1.0], False, False), ([2.0, 1.5], True, False)])  # fmt: skip
def test_threads_must_help_and_change_nothing(modules, seconds, equal, met):
    row = {"row": "exp", "threads": [1, 2], "best": seconds, "ratio": seconds[0] / seconds[1], "equal": equal}
    assert verdict(modules, report_of(threads=[row]), "compute-bound").met is met


# ---- the program


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A run of three rows; the peers' Python is this one, so NumPy is installed and one library is not."""
    folder = tmp_path_factory.mktemp("peers")
    command = [sys.executable, str(FOLDER / "run.py"), "--quick", "--only", "add,sort,svd", "--peers", sys.executable]
    files = ["--json", str(folder / "run.json"), "--table", str(folder / "run.md")]
    done = subprocess.run([*command, *files, "--lib", "scipy,mkl"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads((folder / "run.json").read_text()), (folder / "run.md").read_text()


def test_a_run_writes_figures_and_table(run):
    report, text = run
    assert [r["row"] for r in report["rows"]] == ["add", "sort", "svd"]
    assert all(r["libraries"]["numpy"]["best"] > 0 for r in report["rows"])
    assert report["rows"][2]["libraries"]["scipy"]["best"] > 0
    assert report["sha256"] in text and "the figures say nothing" in text
    for r in report["rows"]:
        assert f"| {r['row']}" in text


def test_a_library_that_is_absent_is_named(run):
    report, text = run
    if importlib.util.find_spec("mkl_umath") is None:
        assert "mkl" in report["missing"] and "count as ahead: mkl" in text
    else:
        assert report["rows"][2]["libraries"]["mkl"]["best"] > 0
