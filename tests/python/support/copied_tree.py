"""A copy of the sources that a test adds to, and a module built of some of them."""

import importlib.util
import os
import re
import shutil
import subprocess
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


def run(*command: object, **environment: str) -> str:
    words = [str(c) for c in command]
    done = subprocess.run(words, capture_output=True, text=True, env={**os.environ, **environment})
    assert done.returncode == 0, " ".join(words) + "\n" + done.stdout + done.stderr
    return done.stdout


def copied_tree(to: Path) -> Path:
    if shutil.which("g++") is None or shutil.which("cmake") is None:
        pytest.skip("needs g++ and cmake")
    for name in ("cmake", "cpp", "python", "tests/cpp", "tests/cuda", "tests/python"):
        shutil.copytree(ROOT / name, to / name, ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    for name in ("CMakeLists.txt", "pyproject.toml"):
        shutil.copy(ROOT / name, to)
    return to


def compiled(tree: Path, source: Path, *flags: str) -> Path:
    """The object file of one source; ccache, if it is installed, ignores the tree's location."""
    cache = [shutil.which("ccache")] if shutil.which("ccache") else []
    includes = [
        "-Icpp/include",
        "-Icpp",
        "-Itests/cpp",
        f"-I{sysconfig.get_path('include')}",
        f"-I{pybind11_include()}",
    ]
    target = tree / (str(source).replace("/", "_") + ".o")
    command = [
        *cache,
        "g++",
        "-std=c++20",
        "-O0",
        "-fPIC",
        "-fvisibility=hidden",
        "-ffp-contract=off",
        *flags,
        *includes,
    ]
    words = [*command, "-c", str(source), "-o", target.name]
    done = subprocess.run(
        words,
        cwd=tree,
        capture_output=True,
        text=True,
        env={**os.environ, "CCACHE_BASEDIR": str(tree), "CCACHE_NOHASHDIR": "1"},
    )
    assert done.returncode == 0, " ".join(words) + "\n" + done.stderr
    return target


def pybind11_include() -> str:
    return pytest.importorskip("pybind11", reason="needs pybind11, which builds the extension").get_include()


def module_of(tree: Path, text: str, sources: list[str], kernels: list[str]):
    """The module `parts`: `text` with some of the tree's sources, the reference device and the embedded headers.

    `kernels` are compiled for one instruction set.
    """
    (tree / "parts.cpp").write_text(text)
    isa = "-DBASCULE_ISA_NAMESPACE=isa_baseline"
    jobs = [(p.relative_to(tree),) for p in sorted((tree / "cpp/backend/reference").glob("*.cpp"))]
    jobs += [(Path(p), isa) for p in ("parts.cpp", *kernels)]
    jobs += [(Path(p),) for p in sources]
    headers = ";".join(str(p) for p in sorted((tree / "cpp/include/bascule/ops").rglob("*.hpp")))
    embedded = tree / "bascule_embedded_headers.inc"
    run("cmake", f"-DOUT={embedded}", f"-DROOT={tree / 'cpp'}", f"-DFILES={headers}", "-P", tree / "cmake/embed.cmake")
    jobs.append((Path("cpp/backend/cuda/compiler/embedded_headers.cpp"), f"-I{tree}"))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = list(pool.map(lambda job: compiled(tree, *job), jobs))
    name = re.search(r"PYBIND11_MODULE\((\w+)", text)[1]  # one a process
    library = tree / f"{name}.so"
    run("g++", "-shared", *objects, "-o", library)
    spec = importlib.util.spec_from_file_location(name, library)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
