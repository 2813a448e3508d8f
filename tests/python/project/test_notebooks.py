"""The notebooks run at a small size in a kernel, and their checks of results pass."""

import importlib.util
import json
import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[3] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.md"))
WRONG = (
    "# Wrong\n\n```{code-cell} ipython3\nx = 1\n```\n\nwords\n\n```{code-cell} ipython3\nassert x == 2, 'seen'\n```\n"
)


@pytest.fixture(scope="module")
def runner():
    spec = importlib.util.spec_from_file_location("notebook_runner", FOLDER / "run.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def kernel():
    for name in ("nbclient", "nbformat", "ipykernel"):
        pytest.importorskip(name, reason=f"{name}, of the extra `test`, is not installed")


@pytest.mark.usefixtures("kernel")
@pytest.mark.filterwarnings("ignore")  # of a kernel's sockets
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_a_notebook_runs_and_keeps_its_outputs(runner, path, tmp_path):
    assert runner.run(path, 0.01, tmp_path) == ""
    made = json.loads((tmp_path / f"{path.stem}.ipynb").read_text())
    code = [c for c in made["cells"] if c["cell_type"] == "code"]
    assert all(c["execution_count"] for c in code)
    kinds = {kind for c in code for o in c["outputs"] for kind in o.get("data", ())}
    assert "image/png" in kinds
    assert not any(o["output_type"] == "stream" and o["name"] == "stderr" for c in code for o in c["outputs"])


@pytest.mark.usefixtures("kernel")
@pytest.mark.filterwarnings("ignore")
def test_a_wrong_result_is_seen(runner, tmp_path):
    path = tmp_path / "wrong.md"
    path.write_text(WRONG)
    said = runner.run(path, 1)
    assert "AssertionError" in said and "seen" in said


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_a_notebook_is_a_tutorial(runner, path):
    """It says what it needs in one line, checks and draws; and prose stands between its cells, whose sizes a reader can take in."""
    text = path.read_text()
    cells = runner.CELL.findall(text)
    code = "\n".join(cells)
    assert re.search(r"\bassert\b|\bassert_\w+", code) and "plt.subplots(" in code
    assert len(runner.SCALE.findall(code)) == 1 and "scale = 0.5" in runner.scaled(text, 0.5)
    assert "os.environ" not in code and text.count("Set-up: `pip install") == 1
    prose = runner.CELL.sub("", text).partition("\n# ")[2]
    assert len(prose.split()) > 100 and max(cell.count("\n") for cell in cells) <= 32


def test_there_are_notebooks_and_their_outputs_are_built():
    assert len(NOTEBOOKS) >= 10
    assert list(FOLDER.glob("*.ipynb")) == []  # make notebooks writes them to build/notebooks
