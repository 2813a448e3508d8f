"""The CUDA device without a GPU: the environment of a process with the emulation as its driver and compiler."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import subprocess
import sys
import textwrap
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[3]
# Folders of builds of this tree; `BASCULE_FAKE_CUDA` names another one.
POSITIONS = [PROJECT / "build" / build / "tests/cuda/libbascule_fake_cuda.so" for build in ("make", "dev", "release")]
ABSENT = "the emulated CUDA device is not built: make emulated-device builds it, and so does make test"


def library() -> str:
    """The file that replaces libcuda.so.1, libnvrtc, libcublas, libcusolver, libcufft and libcusparse."""
    found = [str(p) for p in POSITIONS if p.exists()]
    if asked := os.environ.get("BASCULE_FAKE_CUDA"):
        found = [asked]
    if not found:
        if "PYTEST_CURRENT_TEST" in os.environ:
            import pytest  # not required by programs outside of tests

            pytest.skip(ABSENT)
        raise FileNotFoundError(f"{POSITIONS[0]}: {ABSENT}")
    return found[0]


# Variables with the paths of the libraries that one file replaces.
_NAMES = ("CUDA_DRIVER", "NVRTC", "CUDA_ALGORITHMS", "CUBLAS", "CUSOLVER", "CUFFT", "CUSPARSE")
STOOD_IN = [f"BASCULE_{name}" for name in _NAMES]


def lapack() -> str:
    """The LAPACK library that computes the calls to the stand-in for cuSOLVER."""
    package = importlib.util.find_spec("scipy_openblas32")
    return (
        os.path.join(os.path.dirname(package.origin), "lib", "libscipy_openblas.so") if package else "libopenblas.so.0"
    )


executes_ptx = False  # whether kernels are PTX of NVIDIA's compiler, which tests/cuda/ptx runs, instead of g++'s


def nvrtc() -> str | None:
    """The file of NVIDIA's run-time compiler: that of a package, or of a toolkit."""
    if asked := os.environ.get("BASCULE_FAKE_CUDA_NVRTC"):
        return asked
    try:
        files = importlib.metadata.files("nvidia-cuda-nvrtc") or []
    except importlib.metadata.PackageNotFoundError:
        files = []
    found = [Path(f.locate()) for f in files if f.name.startswith("libnvrtc.so")]
    for home in (os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda"):
        found += sorted(Path(home or "/nowhere").glob("lib*/libnvrtc.so.1[3-9]"))
    return next((str(f) for f in found if f.exists()), None)


def thrust() -> str | None:
    """The device's algorithms as nvcc compiles them, PTX alone; None: there is no nvcc, or they are not built."""
    found = Path(library()).with_name("libbascule_ptx_algorithms.so")
    return str(found) if found.exists() else None


def ptx_environment() -> dict[str, str]:
    """The settings with which the fake driver runs PTX. Blocks are allocations, so that reads of unwritten memory are seen."""
    compiler = nvrtc()
    if compiler is None:
        raise FileNotFoundError("PTX needs NVIDIA's compiler: pip install 'nvidia-cuda-nvrtc>=13,<14'")
    algorithms = thrust()
    kept = {k: v for k, v in os.environ.items() if k.startswith("BASCULE_FAKE_CUDA_PTX")}
    return {
        "BASCULE_FAKE_CUDA_PTX": "1",
        "BASCULE_FAKE_CUDA_NVRTC": compiler,
        **({"BASCULE_CUDA_ALGORITHMS": algorithms} if algorithms else {}),
        **kept,
    }


def environment(**more: str) -> dict[str, str]:
    """Environment variables with which a new process's `cuda` is the emulation; a GPU is never used."""
    cleared = {k: v for k, v in os.environ.items() if not k.startswith(("BASCULE_", "CUDA_"))}
    stands_in = dict.fromkeys(STOOD_IN, library())
    # Launches must not depend on time; tests of background compilation override this.
    settled = {"BASCULE_FAKE_CUDA_LAPACK": lapack(), "BASCULE_CUDA_COMPILE": "wait"}
    ptx = ptx_environment() if executes_ptx else {}
    return {**cleared, **stands_in, **settled, **ptx, **more}


PRELUDE = """
import ctypes, os
import numpy as np
_fake = ctypes.CDLL(os.environ["BASCULE_CUDA_DRIVER"])
def calls(name):
    "How often a function of the driver was called."
    return _fake.bascule_fake_calls(name.encode())
import bascule as bc
"""


def run(program: str, *, python: str = sys.executable, arguments: tuple[str, ...] = (), **more: str) -> str:
    """The output of a program that runs in a separate process, with `calls`, NumPy as np and bascule as bc."""
    done = subprocess.run(
        [python, "-X", "faulthandler", *arguments, "-c", PRELUDE + textwrap.dedent(program)],
        capture_output=True,
        text=True,
        timeout=900 if executes_ptx else 240,
        env=environment(**{"BASCULE_CACHE_DIR": "", **more}),
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    return done.stdout.strip()
