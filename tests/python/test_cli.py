"""The command `bascule`: its output is true for this installation."""

import importlib.util
import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import bascule as bc
import numpy as np
import pytest
from bascule import _core, cli, commands, installation
from bascule.commands import bench, doctor, tune

PROJECT = Path(__file__).resolve().parents[2] / "pyproject.toml"


def test_info_names_devices_threads_and_packages(capsys):
    assert cli.main(["info"]) == 0
    text = capsys.readouterr().out
    assert f"bascule {bc.__version__}" in text
    assert f"cpu     {_core.describe('cpu')}" in text
    assert f"threads: {bc.get_num_threads()}" in text
    assert "numpy" in text and "cuda" in text


def test_info_says_how_to_fix_what_is_missing(monkeypatch):
    absent = ("no-such-package", "nothing", "'no-such-package>=1'")
    line = "  no-such-package: nothing; pip install 'no-such-package>=1'"
    monkeypatch.setattr(installation, "REQUIRED", [("numpy", "arrays", "numpy")])
    monkeypatch.setattr(installation, "OPTIONAL", [absent])
    assert installation.text().endswith(
        f"packages found\n  numpy {np.__version__}: arrays\n\noptional packages missing\n{line}"
    )
    monkeypatch.setattr(installation, "REQUIRED", [absent])
    monkeypatch.setattr(installation, "OPTIONAL", [("numpy", "arrays", "numpy")])
    assert installation.text().endswith(
        f"packages found\n  numpy {np.__version__}: arrays\n\nrequired packages missing\n{line}"
    )


def test_info_knows_every_package_that_is_asked_for():
    project = tomllib.loads(PROJECT.read_text())["project"]
    assert [p[2].strip("'") for p in installation.REQUIRED] == project["dependencies"]
    extras = project["optional-dependencies"]
    asked = [one for extra in ("pandas", "dask", "learn", "demo", "cuda12", "cuda13") for one in extras[extra]]
    for one in asked:
        if not one.startswith("bascule["):
            assert one in [p[2].strip("'") for p in installation.OPTIONAL], one


def test_only_the_baseline_loses_bit_equality():
    assert "last bits" in installation.bits_note("CPU, baseline kernels, 2 threads")
    assert "same bits" in installation.bits_note("CPU, avx2 kernels, 2 threads")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("BASCULE_NUM_THREADS", "many"),
        ("BASCULE_NUM_THREADS", "0"),
        ("BASCULE_TRACE", "1"),
        ("BASCULE_JIT", "never"),
        ("BASCULE_FUSION", "never"),
    ],
)
def test_a_value_that_the_environment_cannot_have_is_an_error(name, value):
    done = subprocess.run(
        [sys.executable, "-c", "import bascule"], capture_output=True, text=True, env={**os.environ, name: value}
    )
    assert done.returncode == 1
    assert f"{name.removeprefix('BASCULE_').lower()} must be" in done.stderr.lower().replace("bascule_", "")
    assert repr(value) in done.stderr


def test_the_module_runs_as_a_program_and_obeys_the_environment():
    environment = {**os.environ, "BASCULE_ISA": "baseline", "BASCULE_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "bascule", "info"], capture_output=True, text=True, check=True, env=environment
    )
    assert "from BASCULE_ISA=baseline" in done.stdout
    assert "threads: 1 (from BASCULE_NUM_THREADS)" in done.stdout


def test_an_unknown_command_is_refused(capsys):
    with pytest.raises(SystemExit) as error:
        cli.main(["nonsense"])
    assert error.value.code == 2
    assert "nonsense" in capsys.readouterr().err


def test_alone_it_prints_its_help(capsys):
    assert cli.main([]) == 0
    text = capsys.readouterr().out
    assert all(f"    {name} " in text for name in cli.COMMANDS)


@pytest.mark.parametrize("command", cli.COMMANDS)
def test_each_command_has_help_with_its_exit_code(command, capsys):
    with pytest.raises(SystemExit) as end:
        cli.main([command, "--help"])
    assert end.value.code == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "--json" in text
    assert "exit code" in text


@pytest.mark.parametrize(
    "arguments",
    [
        ["info"], ["doctor"], ["bench", "--rows", "2000"], ["coverage"], ["coverage", "pad"],
        ["coverage", "--frames"], ["coverage", "--frames", "DataFrame.merge"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_each_command_gives_a_text_or_json(arguments, capsys):
    assert cli.main(arguments) == 0
    text = capsys.readouterr().out
    assert len(text.split()) > 1
    assert cli.main([*arguments, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)


def test_info_as_json(capsys):
    assert cli.main(["info", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["bascule"] == bc.__version__ and data["packages"]["required"]["numpy"] == np.__version__
    assert data["threads"] == bc.get_num_threads() and data["settings"]["device"] == bc.config.device


def test_coverage_has_the_reasons_of_a_member(capsys):
    assert cli.main(["coverage", "--frames", "DataFrame.fillna", "concat"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert (
        "DataFrame.fillna: in part; in pandas with" in said and "  limit= other than None" in said and "  copy=" in said
    )
    assert cli.main(["coverage", "--frames", "--json", "DataFrame.interpolate"]) == 0
    found = json.loads(capsys.readouterr().out)["DataFrame.interpolate"]
    assert found["arguments"]["limit"] == "None" and "interpolation on a GPU" in found["reasons"]


def test_coverage_refuses_a_name_that_is_none():
    for arguments in (["nonsense"], ["--frames", "DataFrame.nonsense"]):
        with pytest.raises(SystemExit, match="nonsense"):
            cli.main(["coverage", *arguments])


def test_doctor_says_what_is_wrong(monkeypatch, capsys):
    def broken():
        raise AssertionError("two and two are five")

    monkeypatch.setattr(
        doctor, "CHECKS", [("sums", ("numpy",), broken), ("nothing", ("numpy", "no_such_package"), broken)]
    )
    assert cli.main(["doctor", "--json"]) == 1
    checks = json.loads(capsys.readouterr().out)["checks"]
    assert [c["outcome"] for c in checks] == ["WRONG", "not tried"]
    assert checks[0]["said"] == "AssertionError: two and two are five"


ABSENT = """
import importlib.abc, importlib.util, sys
class Absent(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name.partition(".")[0] == {absent!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Absent())
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, *more: None if name == {absent!r} else find(name, *more)
from bascule import cli
sys.exit(cli.main({command!r}))
"""


@pytest.mark.parametrize("absent", ["pandas", "pyarrow"])
def test_commands_name_a_package_that_is_absent(absent):
    def run(*command):
        program = ABSENT.format(absent=absent, command=command)
        return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)

    doctor = run("doctor")
    assert doctor.returncode == 0 and f"not tried  {absent} is not installed" in doctor.stdout
    assert doctor.stdout.splitlines()[-1] == "This installation works. Not tried: frames, Dask."
    assert run("bench", "--rows", "1000").returncode == 0
    said = run("coverage", "--frames").stderr
    assert said == f"[coverage] bascule.pandas needs {absent}, which is not installed: pip install 'bascule[pandas]'\n"
    assert run("demo").stderr == f"[demo] needs {absent}: pip install 'bascule[demo]'\n"


def test_doctor_ends_with_a_verdict(monkeypatch, capsys):
    assert cli.main(["doctor"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("This installation works.")
    right, absent = [{"check": "sums", "outcome": "right"}], [{"check": "frames", "outcome": "not tried"}]
    wrong = [{"check": "sums", "outcome": "WRONG"}, {"check": "files", "outcome": "WRONG"}]
    assert doctor.verdict(right + absent, []) == "This installation works. Not tried: frames."
    assert doctor.verdict(wrong, []) == "This installation is WRONG in: sums, files."
    needed = [{"package": "numpy", "required": "yes"}, {"package": "tqdm", "required": "no"}]
    assert doctor.verdict(wrong, needed) == "This installation lacks what it needs: numpy."


def test_bench_sees_a_wrong_result(monkeypatch, capsys):
    monkeypatch.setattr(bench, "ARRAYS", {"x + 1": lambda library, x: x + (1 if library is np else 2)})
    monkeypatch.setattr(bench, "FRAMES", {})
    assert cli.main(["bench", "--rows", "100"]) == 1
    assert " NO" in capsys.readouterr().out


def test_tune_prefers_few_threads_that_are_as_fast():
    rows = [
        {"threads": t, "memory": m, "arithmetic": a} for t, m, a in [(1, 4, 8), (2, 2, 4), (4, 1, 2), (8, 1.01, 2.01)]
    ]
    assert tune.best_count(rows) == 4
    assert tune.best_count(rows[:1]) == 1
    assert tune.best_count([rows[0] | {"arithmetic": 1}, rows[1]]) is None
    assert tune.counts(6) == [1, 2, 4, 6]
    before = bc.get_num_threads()
    assert [row["threads"] for row in tune.measure(100, 2)] == [1, 2]
    assert bc.get_num_threads() == before


def test_tune_refuses_what_it_cannot_measure(monkeypatch, capsys):
    assert cli.main(["tune", "--rows", "2000"]) == 2
    assert capsys.readouterr().err == "[tune] needs at least 1,000,000 elements to measure threads, got 2,000\n"
    monkeypatch.setattr(tune, "get_num_threads", lambda: 1)
    assert cli.main(["tune"]) == 2
    assert "one thread only" in capsys.readouterr().err
    monkeypatch.setattr(tune, "get_num_threads", lambda: 2)
    rows = [{"threads": 1, "memory": 4, "arithmetic": 1}, {"threads": 2, "memory": 2, "arithmetic": 2}]
    monkeypatch.setattr(tune, "measure", lambda n, most: rows)
    assert cli.main(["tune", "--json"]) == 1
    assert json.loads(capsys.readouterr().out) == {"measured": rows, "threads": None}
    assert cli.main(["tune"]) == 1
    assert "Run it again on an idle machine" in capsys.readouterr().out
    monkeypatch.setattr(tune, "measure", lambda n, most: rows[1:])
    assert cli.main(["tune"]) == 0
    assert capsys.readouterr().out.endswith("\nexport BASCULE_NUM_THREADS=2\n")


PROGRAM = """\
import sys
import bascule as bc

def half(x):
    return x / 2

for k in range(3):
    y = half(bc.ones(10))
same = bc.array_equal(["a"], ["a"])
print("arguments", *sys.argv[1:])
sys.exit(7)
"""


def test_profile_counts_lines_and_fallbacks(tmp_path, capsys):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    with bc.config.set(fallback="silent"):
        assert cli.main(["profile", "--json", str(path), "one", "two"]) == 7
    said = capsys.readouterr()
    assert said.err == "arguments one two\n"
    report = json.loads(said.out)
    lines = {row["line"]: row for row in report["lines"]}
    assert report["seconds"] == pytest.approx(sum(row["seconds"] for row in report["lines"]) + report["imports"])
    assert lines[5]["runs"] == lines[8]["runs"] == 3
    assert lines[9]["fallbacks"] == {"array_equal: arrays hold no text": 1}
    assert [n for n, row in lines.items() if row["fallbacks"]] == [9]
    assert sys.gettrace() is None or "program.py" not in repr(sys.gettrace())
    with bc.config.set(fallback="silent"):
        assert cli.main(["profile", str(path)]) == 7
    text = capsys.readouterr().out
    assert "array_equal: arrays hold no text (1)" in text


def test_profile_counts_passes_and_memory(tmp_path, capsys):
    path = tmp_path / "program.py"
    path.write_text("import bascule as bc\nx = bc.evaluate(bc.ones(2_000_000))\ny = x * 2\nz = float(y.sum())\n")
    assert cli.main(["profile", "--json", str(path)]) == 0
    rows = json.loads(capsys.readouterr().out)["lines"]
    assert [row["passes"] > 0 for row in rows] == [False, True, False, True]
    assert rows[1]["bytes"] >= 16_000_000  # other programs' memory is added
    assert rows[3]["moved"] == 16_000_008
    trace = tmp_path / "trace.json"
    assert cli.main(["profile", "--trace", str(trace), str(path)]) == 0
    head = ["line", "ms", "runs", "passes", "moved", "MB", "fallbacks", "code"]
    assert capsys.readouterr().out.split("\n")[0].split() == head
    assert "line 4: z = float(y.sum())" in [e["name"] for e in json.loads(trace.read_text())["traceEvents"]]
    assert cli.main(["profile", "--trace", str(tmp_path / "nowhere/trace.json"), str(path)]) == 2
    assert "cannot write" in capsys.readouterr().err


def test_profile_as_json_is_alone_on_standard_output(tmp_path):
    path = tmp_path / "program.py"
    path.write_text("import os\nprint('printed')\nos.system('echo by a child')\n")
    command = [sys.executable, "-m", "bascule", "profile", "--json", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert [row["line"] for row in json.loads(done.stdout)["lines"]] == [1, 2, 3]
    assert done.stderr == "printed\nby a child\n"


def test_profile_has_the_slowest_line_first_and_a_total(tmp_path, capsys):
    path = tmp_path / "program.py"
    path.write_text("import time\nx = 1\ntime.sleep(0.02)\ntime.sleep(0.2)\ny = 2\n")
    assert cli.main(["profile", "--top", "2", str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()[2:]
    assert [line.split()[0] for line in lines[:2]] == ["4", "3"]
    assert lines[2].endswith("3 other lines") and lines[-1].endswith("all lines")
    assert float(lines[-1].split()[0]) >= float(lines[0].split()[1]) + float(lines[1].split()[1])


def test_profile_charges_modules_to_imports(tmp_path, monkeypatch, capsys):
    (tmp_path / "slow_module.py").write_text("import time\ntime.sleep(0.2)\nimport slow_inner\n")
    (tmp_path / "slow_inner.py").write_text("import time\ntime.sleep(0.2)\n")
    (tmp_path / "late_module.py").write_text("import time\ntime.sleep(0.4)\n")
    path = tmp_path / "program.py"
    path.write_text("import importlib\nimport slow_module\nx = importlib.import_module('late_module')\ny = 1\n")
    assert cli.main(["profile", "--json", str(path)]) == 0
    report = json.loads(capsys.readouterr().out)
    seconds = {row["line"]: row["seconds"] for row in report["lines"]}
    assert seconds[2] >= 0.4 and 0.4 <= report["imports"] < report["seconds"]
    assert seconds[3] < report["imports"]
    for name in ("slow_module", "slow_inner", "late_module"):
        sys.modules.pop(name)
    assert cli.main(["profile", str(path)]) == 0
    assert "modules that lines without an import loaded" in capsys.readouterr().out


def test_profile_charges_a_line_with_what_follows_an_error_and_a_call_back(tmp_path, monkeypatch, capsys):
    (tmp_path / "failing_module.py").write_text("import time\ntime.sleep(0.1)\nraise ImportError\n")
    (tmp_path / "library.py").write_text(
        "import time\ndef back(f):\n    f()\n    time.sleep(0.2)\n"
        "def failing():\n    try:\n        import failing_module\n    finally:\n        time.sleep(0.1)\n"
    )
    path = tmp_path / "program.py"
    path.write_text(
        "import library\ndef one():\n    return 1\nlibrary.back(one)\ntry:\n    library.failing()\n"
        "except ImportError:\n    pass\n"
    )
    assert cli.main(["profile", "--json", str(path)]) == 0
    sys.modules.pop("library")
    seconds = {row["line"]: row["seconds"] for row in json.loads(capsys.readouterr().out)["lines"]}
    assert seconds[4] >= 0.2 and seconds[6] >= 0.1 and all(s >= 0 for s in seconds.values())


def test_profile_of_a_program_that_fails_has_its_lines(tmp_path, capsys):
    path = tmp_path / "program.py"
    path.write_text("x = 1\nraise ValueError('no such thing')\n")
    assert cli.main(["profile", "--json", str(path)]) == 1
    said = capsys.readouterr()
    assert "ValueError: no such thing" in said.err and [r["line"] for r in json.loads(said.out)["lines"]] == [1, 2]


def test_profile_in_the_accelerated_mode_is_the_program_that_bascule_runs(tmp_path, capsys):
    path = tmp_path / "program.py"
    path.write_text(
        "import pickle, sys\nimport numpy as np\nclass Own: pass\npickle.loads(pickle.dumps(Own()))\n"
        "print(np.__name__, np.random.default_rng(0).random())\nsys.exit('the reason')\n"
    )
    random = bc.config.random
    assert cli.main(["profile", "--accelerate", str(path)]) == 1
    said = capsys.readouterr()
    assert said.out.startswith(f"bascule {np.random.default_rng(0).random()}\n") and "the reason" in said.err
    assert bc.config.random == random and sys.modules["__main__"].__dict__.get("Own") is None


def test_a_file_that_cannot_be_read_ends_with_two(capsys):
    assert cli.main(["profile", "nowhere.py"]) == 2
    assert capsys.readouterr().err.startswith("[profile] cannot read nowhere.py: ")


@pytest.mark.parametrize("command", ["bench --rows", "tune --rows", "demo --rows", "profile program.py --top"])
@pytest.mark.parametrize("number", ["0", "-1", "many", "1.5"])
def test_a_wrong_number_ends_with_two(command, number, capsys):
    name, *others, option = command.split()
    with pytest.raises(SystemExit) as ended:
        cli.main([name, f"{option}={number}", *others])
    assert ended.value.code == 2
    assert f"argument {option}: must be a whole number of at least 1, got {number!r}" in capsys.readouterr().err


WITHOUT_PANDAS = """
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] == "pandas":
            raise ModuleNotFoundError(f"No module named {name!r}", name="pandas")
sys.meta_path.insert(0, Absent())
"""


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("import bascule.pandas as pd; pd.DataFrame", "ModuleNotFoundError: bascule.pandas needs pandas, which is not installed: pip install 'bascule[pandas]'"),
        ("from bascule.pandas import Series", "ModuleNotFoundError: bascule.pandas needs pandas, which is not installed: pip install 'bascule[pandas]'"),
    ],
)  # fmt: skip
def test_without_pandas_there_is_one_clear_sentence(code, said):
    done = subprocess.run([sys.executable, "-c", WITHOUT_PANDAS + code], capture_output=True, text=True)
    assert done.returncode == 1 and done.stderr.splitlines()[-1] == said
    assert "During handling" not in done.stderr and "direct cause" not in done.stderr


def test_the_demo_without_pandas(monkeypatch, tmp_path):
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *more: None if name == "pandas" else find(name, *more)
    )
    with pytest.raises(SystemExit, match=r"^\[demo\] needs pandas: pip install 'bascule\[demo\]'$"):
        cli.main(["demo", "--small", "--out", str(tmp_path)])


def test_the_names_of_commands_are_known_without_their_modules():
    assert commands.NAMES == tuple(cli.COMMANDS)
