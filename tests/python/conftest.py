"""Entry points for a package that runs from its source tree; an installed one brings its own."""

import importlib.metadata
import os
import sys
import tomllib
from pathlib import Path

import pytest

# pytest records warnings, for which lazy operations would run at the call: laziness is what much of this looks at.
os.environ.setdefault("BASCULE_FP_WARNINGS", "lazy")

PROJECT = Path(__file__).resolve().parents[2] / "pyproject.toml"


@pytest.hookimpl(trylast=True)
def pytest_configure(config):
    if any(e.name == "bascule" for e in importlib.metadata.entry_points(group="dask.array.backends")):
        return
    folder = Path(config._tmp_path_factory.mktemp("entry_points"))
    project = tomllib.loads(PROJECT.read_text())["project"]
    about = folder / f"bascule-{project['version']}.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: bascule\nVersion: {project['version']}\n")
    groups = project["entry-points"].items()
    (about / "entry_points.txt").write_text(
        "\n".join(f"[{group}]\n" + "\n".join(f"{k} = {v}" for k, v in names.items()) for group, names in groups)
    )
    sys.path.append(str(folder))
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), str(folder)]))
