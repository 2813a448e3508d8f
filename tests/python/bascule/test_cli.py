"""The command `bascule`: what it prints is true of this installation."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import bascule as bc
import numpy as np
import pytest
from bascule import _core, cli, installation

PROJECT = Path(__file__).resolve().parents[3] / "pyproject.toml"


def test_info_names_devices_threads_and_packages(capsys):
    assert cli.main(["info"]) == 0
    text = capsys.readouterr().out
    assert f"bascule {bc.__version__}" in text
    assert f"cpu     {_core.describe('cpu')}" in text
    assert f"threads: {bc.get_num_threads()}" in text
    assert "numpy" in text and "cuda" in text


def test_info_says_how_to_mend_what_is_missing(monkeypatch):
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
    asked = [one for extra in ("pandas", "dask", "demo", "cuda12", "cuda13") for one in extras[extra]]
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
