"""The corpus of ordinary programs: it is complete, each program's half is fixed, and bascule prints the output of plain Python."""

import importlib.util
import json
import os
import re
import subprocess
import sys
import zlib
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "benchmarks/ordinary"


def load(name):
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


corpus = load("programs")
PROGRAMS = corpus.programs()


def test_every_program_has_expected_outputs_for_both_sizes():
    strings = {(str(p), size): p.expected(size) for p in PROGRAMS for size in corpus.SIZES}
    assert [key for key, file in strings.items() if not file.exists()] == []
    lengths = {key: len(file.read_text().splitlines()) for key, file in strings.items()}
    assert {key: n for key, n in lengths.items() if not 1 <= n <= 60} == {}


def test_no_expected_output_is_left_over():
    wanted = {p.expected(size) for p in PROGRAMS for size in corpus.SIZES}
    assert set(FOLDER.glob("*/*.txt")) - wanted == set()


def test_there_are_enough_programs_of_each_kind():
    kinds = Counter(p.kind for p in PROGRAMS)
    assert {kind: n for kind, n in kinds.items() if n < 8} == {}
    assert len(PROGRAMS) >= 120
    assert sum(bool(re.search(r"^(?:\"\"\")?Idea: ", p.path.read_text(), re.MULTILINE)) for p in PROGRAMS) >= 40


def test_programs_are_of_an_ordinary_length_and_do_not_name_bascule():
    strings = {str(p): p.path.read_text() for p in PROGRAMS}
    assert {n: k for n, t in strings.items() if not 10 <= (k := len(t.splitlines())) <= 120} == {}
    assert [n for n, t in strings.items() if "bascule" in t] == []


def test_the_halves_are_fixed_by_the_names():
    names = [p.name for p in PROGRAMS]
    assert len(set(names)) == len(names)
    assert set(names) >= corpus.MOVED
    for p in PROGRAMS:
        assert p.seen == (zlib.crc32(p.name.encode()) % 2 == 0 or p.name in corpus.MOVED)
    share = sum(p.seen for p in PROGRAMS) / len(PROGRAMS)
    assert 0.35 < share < 0.65


def test_rows_of_the_unseen_half_are_not_shown(capsys):
    unseen = next(p for p in PROGRAMS if not p.seen)
    assert load("run").main(["--check", "--only", str(unseen)]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("1 of the matching programs are of the unseen half")
    assert str(unseen) not in printed


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ('"""Text."""\n\nimport sys\nfrom math import (\n    pi,\n)\n\nprint(pi)\nimport os\n', 6),
        ("import matplotlib\n\nmatplotlib.use('Agg')\nimport sys\n\nprint(sys)\n", 4),
        ("import sys  # noqa\n", 1),
        ("print(1)\n", 0),
    ],
)
def test_the_clock_starts_behind_the_imports(source, line):
    assert corpus.end_of_imports(source) == line
    changed = corpus.with_clock(source).split("\n")
    assert "import ordinary_clock" in changed[max(line - 1, 0)]
    assert len(changed) == len(source.split("\n"))
    compile("\n".join(changed), "changed", "exec")


def test_modules_that_are_imported_later_are_timed_apart(tmp_path):
    (tmp_path / "outer.py").write_text("import time\ntime.sleep(0.2)\nimport inner\n")
    (tmp_path / "inner.py").write_text("import time\ntime.sleep(0.2)\n")
    script, report = tmp_path / "script.py", tmp_path / "report.json"
    program = "import importlib, time; import ordinary_clock\ntime.sleep(0.1)\n{}\nimport outer\n"
    for later in ("import outer", "importlib.import_module('outer')"):
        script.write_text(program.format(later))
        environment = {**corpus.environment(report, ""), "PYTHONPATH": f"{FOLDER / 'clock'}{os.pathsep}{tmp_path}"}
        subprocess.run([sys.executable, str(script)], check=True, env=environment)
        noted = json.loads(report.read_text())
        assert 0.1 <= noted["inside"] < 0.35 and noted["late_imports"] >= 0.4


def test_where_an_output_differs_is_said():
    assert corpus.difference("a\nb\n", "a\nb\n") == ""
    assert corpus.difference("a\nb\n", "a\nc\n") == "line 2: 'c', expected 'b'"
    assert corpus.difference("a\nb\n", "a\n") == "1 lines, expected 2"


@pytest.mark.parametrize("name", ["retail/receipts", "images/box_blur", "simulations/random_walks"])
def test_a_small_program_prints_the_same_under_both(name):
    program = next(p for p in PROGRAMS if str(p) == name)
    expected = program.expected("small").read_text()
    for options in ([], ["-m", "bascule"]):
        found = corpus.run(program, "small", options, "")
        assert found.error == ""
        assert corpus.difference(expected, found.printed) == ""
        assert found.noted["inside"] > 0
        assert 0 < found.cpu
