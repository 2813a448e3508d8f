"""The notebooks run at a small size, and their checks of results pass."""

import importlib.util
import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[3] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.md"))


@pytest.fixture(scope="module")
def runner():
    spec = importlib.util.spec_from_file_location("notebook_runner", FOLDER / "run.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_a_notebook_runs(runner, path):
    code, said, _ = runner.run(path, 0.01)
    assert code == 0, said


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_a_notebook_checks_and_draws(runner, path):
    code = runner.program(path)
    assert re.search(r"\bassert\b|\bassert_\w+", code) and "plt.subplots(" in code
    assert "BASCULE_NOTEBOOK_SCALE" in code


def test_there_are_notebooks_and_they_have_no_outputs():
    assert len(NOTEBOOKS) >= 10
    assert list(FOLDER.glob("*.ipynb")) == []


def test_a_wrong_result_is_seen(runner, tmp_path):
    path = tmp_path / "wrong.md"
    path.write_text(
        "# Wrong\n\n```{code-cell} ipython3\nx = 1\n```\n\nwords\n\n```{code-cell} ipython3\nassert x == 2\n```\n"
    )
    code, said, _ = runner.run(path, 1)
    assert code == 1 and "line 10" in said and "AssertionError" in said
