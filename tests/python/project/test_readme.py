"""The figures of the README are those of the pages and files that it names."""

import importlib
import json
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def suite_results(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "docs/_ext"))
    import suite_results

    yield suite_results
    sys.modules.pop("suite_results")


@pytest.fixture
def readme():
    return (ROOT / "README.md").read_text()


def test_the_readme_has_the_last_runs_of_other_libraries_tests(suite_results, readme):
    """After a run of `make conformance` its figures go into the README."""
    assert all("| " + " | ".join(row) + " |" in readme for row in suite_results.summary(ROOT)), suite_results.summary(
        ROOT
    )


def test_other_libraries_tests_are_read_from_their_last_runs(suite_results):
    parts = suite_results.numpy(ROOT)
    assert parts[0][0].startswith("NumPy ") and len(parts) > 5
    assert all(native <= passed <= n for _, n, passed, native in parts)
    names = [name for name, *_ in suite_results.last_sample(ROOT, "pandas")]
    assert len(names) == len(set(names)) > 10 and {"frame", "groupby", "reshape/merge"} <= set(names)
    n, passed = suite_results.array_api(ROOT)
    assert 0 < passed <= n


def test_the_readme_has_the_speed_of_unchanged_programs(readme):
    """After a run of `make bench-ordinary BENCH=--page` its figures go into the README."""
    page = (ROOT / "docs/scripts.md").read_text()
    speed = {m[0]: m[1] for m in re.findall(r"^\| unseen \| ([^|]+) \| \d+ \| ([\d.]+×) \|", page, re.MULTILINE)}
    text = " ".join(readme.split())
    assert f"run at {speed['whole process']} of plain Python's speed" in text
    assert f"and at {speed['without imports']} without the imports" in text


def test_queries(readme):
    """After a run of `make bench-frames` whose means go into docs/measured.md."""
    found = re.search(
        r"mean ([\d.]+) times as fast as\s+pandas, ([\d.]+) times as fast as Polars' lazy queries, ([\d.]+) times as fast as DuckDB",
        (ROOT / "docs/measured.md").read_text(),
    )
    least = min(float(found[2]), float(found[3]))
    text = " ".join(readme.split())
    assert f"{found[1]} times as fast as with pandas" in text
    assert f"{least:.1f} times as fast as Polars' lazy queries and as DuckDB" in text


def newest(pattern):
    return max((ROOT / "benchmarks/results").glob(pattern), key=lambda p: json.loads(p.read_text())["date"])


def test_the_picture_is_of_the_last_results_and_has_a_peer_on_every_row(monkeypatch):
    """After a run of `make bench-peers` or of TPC-H benchmarks/picture.py draws it again."""
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    picture = importlib.import_module("picture")
    monkeypatch.delitem(sys.modules, "picture")
    of_arrays, of_frames = newest("peers-*.json"), newest("tpch-*.json")
    assert (ROOT / "docs/speed.svg").read_text() == picture.picture(of_arrays, of_frames)
    rows = picture.arrays(json.loads(of_arrays.read_text())) + picture.frames(json.loads(of_frames.read_text()))
    assert len(rows) == len(picture.ARRAYS) + len(picture.QUERIES) and all(peer for _, _, peer, _ in rows)
