"""The programs under benchmarks/stories at their smallest size: each checks its own result and draws its plot."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

STORIES = Path(__file__).resolve().parents[3] / "benchmarks/stories"
NEEDS = {"genomics": ("zarr", "matplotlib"), "hyper_parameters": ("distributed", "sklearn", "joblib", "matplotlib")}
NAMES = sorted(p.stem for p in STORIES.glob("*.py") if p.stem != "story")


def run(name, folder, *more):
    environment = {**os.environ, "BASCULE_FALLBACK": "silent", "MPLCONFIGDIR": str(folder)}
    command = [sys.executable, str(STORIES / f"{name}.py"), "--scale", "1e-9", "--folder", str(folder), *more]
    return subprocess.run(command, capture_output=True, text=True, env=environment, cwd=folder)


@pytest.mark.parametrize("name", NAMES)
def test_a_story_ends_well(name, tmp_path):
    for package in NEEDS.get(name, ("matplotlib",)):
        pytest.importorskip(package, reason=f"{package} is not installed")
    done = run(name, tmp_path, *(["--peer"] if name != "hyper_parameters" else []))
    assert done.returncode == 0, done.stdout + done.stderr
    reported = json.loads(done.stdout.splitlines()[-1])
    assert (
        reported["story"] == name
        and reported["seconds"]["bascule"] > 0
        and Path(reported["plot"]).read_bytes()[:4] == b"\x89PNG"
    )


def test_there_are_those_that_are_wanted():
    wanted = {"genomics", "tall_skinny_svd", "larger_than_memory", "taxi", "large_join", "hyper_parameters"}
    assert wanted == set(NAMES)


def test_a_wrong_result_and_a_wrong_argument_are_reported(tmp_path, monkeypatch):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    monkeypatch.syspath_prepend(str(STORIES))
    import tall_skinny_svd

    monkeypatch.setattr(tall_skinny_svd, "decomposed", lambda *a: (np.ones(20), 0.0, 0.0))
    with pytest.raises(SystemExit, match="wrong result: singular values"):
        tall_skinny_svd.main(["--scale", "1e-9", "--folder", str(tmp_path)])
    with pytest.raises(SystemExit):
        tall_skinny_svd.main(["--scale", "0"])
