"""The benchmarks run, check their results and write their files; no time is asserted."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

FOLDER = Path(__file__).resolve().parents[3] / "benchmarks"


def run(*arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, str(FOLDER / "run.py"), *arguments], capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def short_run(tmp_path_factory):
    path = tmp_path_factory.mktemp("bench") / "quick.json"
    done = run("--quick", "--json", str(path))
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout, json.loads(path.read_text())


def test_every_row_is_right_and_has_a_time_and_a_verdict(short_run):
    text, report = short_run
    assert len(report["rows"]) >= 16
    for row in report["rows"]:
        assert row["best"]["bascule"] is not None, row
        assert len(row["met"]) == len(row["targets"]) >= 1, row
        assert row["name"] in text


def test_the_report_names_machine_versions_and_that_it_was_short(short_run):
    text, report = short_run
    assert report["quick"] is True
    assert report["machine"]["cores"] >= 1 and report["machine"]["cpu"]
    assert report["versions"]["numpy"] == np.__version__
    assert report["date"] in text and "the figures say nothing" in text


def test_only_chosen_rows_run():
    done = run("--quick", "--only", "x[1:3]")
    assert done.returncode == 0, done.stderr
    assert [line for line in done.stdout.splitlines() if line.startswith("| `")] != []
    assert "Black" not in done.stdout


@pytest.fixture
def harness(monkeypatch):
    spec = importlib.util.spec_from_file_location("bascule_benchmark_harness", FOLDER / "harness.py")
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)
    spec.loader.exec_module(module)
    return module


def test_a_wrong_result_has_no_time(harness):
    row = harness.Timed(
        "wrong", 10, 10, lambda rng, n: [rng.random(n)], lambda x: x + 1, lambda x: x + 1 + 1e-9, harness.exact, ()
    )
    result = harness.measure(row, True, 1)
    assert "WrongResult" in result["error"]
    assert "best" not in result


def test_ulp_distance_counts_units_of_the_last_place(harness):
    one = np.float64(1)
    assert harness.ulp_distance(np.nextafter(one, 2), one) == 1
    assert harness.ulp_distance(np.array([np.nan, 1.0]), np.array([np.nan, 1.0])) == 0
    assert harness.ulp_distance(np.array([np.nan]), np.array([1.0])) == np.inf


def test_inputs_change_alike_in_both_copies(harness):
    import bascule as bc

    x = np.random.default_rng(0).random(100)
    y = bc.asarray(x)
    before = x.copy()
    harness.change([x], [y], 0)
    assert not np.array_equal(x, before)
    np.testing.assert_array_equal(harness.as_numpy(y), x)
