"""`bascule doctor`: checks whether this installation works, and lists packages that could be added."""

from __future__ import annotations

import argparse
import importlib.util
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from .. import _core, installation
from ..supported_versions import newer_than_tested
from .output import show


def _arrays() -> str:
    import bascule as bc

    x = np.random.default_rng(0).random(200_000)
    y = bc.asarray(x)
    np.testing.assert_array_equal(np.asarray((y * 2 + 1)[::3]), (x * 2 + 1)[::3])
    assert float(y.sum()) == float(x.sum())
    np.testing.assert_allclose(np.asarray(bc.sin(y)), np.sin(x), rtol=1e-14)
    np.testing.assert_array_equal(np.asarray(bc.sort(y)), np.sort(x))
    return "arithmetic, sums, sorting as NumPy's"


def _linear_algebra() -> str:
    import bascule as bc

    a = np.random.default_rng(1).random((60, 60)) + 60 * np.eye(60)
    np.testing.assert_allclose(
        np.asarray(bc.linalg.solve(bc.asarray(a), bc.ones(60))), np.linalg.solve(a, np.ones(60)), rtol=1e-10
    )
    return "OpenBLAS is found and solves"


def _files() -> str:
    import bascule as bc

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.npy"
        bc.save(path, bc.arange(10))
        assert np.load(path).tolist() == list(range(10))
    return "npy files as NumPy's"


def _frames() -> str:
    import pandas

    import bascule.pandas as pd

    columns = {"k": [1, 2, 1, 2], "x": [1.0, 2.0, None, 4.0], "t": ["a", "b", None, "d"]}
    a, b = pandas.DataFrame(columns), pd.DataFrame(columns)
    pandas.testing.assert_frame_equal(b.to_pandas(), a)
    pandas.testing.assert_series_equal(b.groupby("k").x.mean().to_pandas(), a.groupby("k").x.mean())
    pandas.testing.assert_frame_equal(b.merge(b, on="k").to_pandas(), a.merge(a, on="k"))
    return "group-by, merge, text as pandas'"


def _dask() -> str:
    import dask
    import dask.array as da

    with dask.config.set({"array.backend": "bascule"}):
        assert float((da.ones((100, 100), chunks=50) + 1).sum().compute(scheduler="synchronous")) == 20_000.0
    return "its arrays are made of bascule's"


# A name, the packages that the check requires, and the check.
CHECKS: list[tuple[str, tuple[str, ...], Callable[[], str]]] = [
    ("arrays", ("numpy",), _arrays),
    ("linear algebra", ("scipy_openblas32",), _linear_algebra),
    ("files", ("numpy",), _files),
    ("frames", ("pandas", "pyarrow"), _frames),
    ("Dask", ("dask", "pandas", "pyarrow"), _dask),
]


def examine() -> tuple[list[dict[str, Any]], list[dict[str, str]]]:
    """The checks with their outcome and seconds, and the packages that are missing."""
    found = []
    for name, packages, check in CHECKS:
        start = time.perf_counter()
        absent = [p for p in packages if importlib.util.find_spec(p) is None]
        if absent:
            outcome, said = "not tried", f"{' and '.join(absent)} {'is' if len(absent) == 1 else 'are'} not installed"
        else:
            try:
                outcome, said = "right", check()
            except Exception as error:  # the report shows any error
                outcome, said = "WRONG", f"{type(error).__name__}: {' '.join(str(error).split())}"
        found.append(
            {"check": name, "outcome": outcome, "said": said, "seconds": round(time.perf_counter() - start, 3)}
        )
    missing = [
        {"package": package, "for": use, "command": f"pip install {wanted}", "required": required}
        for required, packages in (("yes", installation.REQUIRED), ("no", installation.OPTIONAL))
        for package, use, wanted in packages
        if installation.version_of(package) is None
    ]
    return found, missing


def verdict(found: list[dict[str, Any]], missing: list[dict[str, str]]) -> str:
    """One sentence on the whole: whether the installation works, and what was not tried."""
    wrong = [r["check"] for r in found if r["outcome"] == "WRONG"]
    required = [m["package"] for m in missing if m["required"] == "yes"]
    untried = [r["check"] for r in found if r["outcome"] == "not tried"]
    if required:
        return f"This installation lacks what it needs: {', '.join(required)}."
    if wrong:
        return f"This installation is WRONG in: {', '.join(wrong)}."
    return "This installation works." + (f" Not tried: {', '.join(untried)}." if untried else "")


def add(commands: Any) -> argparse.ArgumentParser:
    return commands.add_parser(
        "doctor",
        help="a self-test of this installation, and what could be added",
        description="Test arrays, linear algebra, files, frames and Dask against NumPy and pandas, and name the packages that are missing. "
        "It takes some seconds, and ends with a verdict. The exit code is 1 if something is wrong or a required package is missing.",
    )


def run(chosen: argparse.Namespace) -> int:
    found, missing = examine()
    lines = [f"{r['check']:16}{r['outcome']:11}{r['said']}" for r in found]
    try:
        gpus = f"{_core.device_count('cuda')} found"
    except Exception:
        gpus = f"none: {_core.why_no_cuda()}"
    lines.append(f"{'GPUs':16}{gpus}")
    no_gpu = gpus.startswith("none")
    newer = newer_than_tested()
    if newer:
        lines += ["", "newer than tested", *(f"  {said}" for said in newer)]
    shown = [m for m in missing if not (no_gpu and m["package"].startswith("nvidia-"))]
    if shown:
        lines += ["", "missing", *(f"  {m['package']} ({m['for']}): {m['command']}" for m in shown)]
    if len(shown) < len(missing):
        lines += ["", "For a GPU: pip install 'bascule[cuda13]', or 'bascule[cuda12]' for a driver of CUDA 12."]
    lines += ["", verdict(found, missing)]
    data = {"checks": found, "gpus": gpus, "newer_than_tested": newer, "missing": missing}
    show(chosen.json, data | {"verdict": lines[-1]}, "\n".join(lines))
    return int(any(r["outcome"] == "WRONG" for r in found) or any(m["required"] == "yes" for m in missing))
