"""Programs with CuPy's names: user-defined kernels, streams, memory; on the CPU device and on the emulated CUDA device.

Each file of programs/ checks its results against NumPy. On the emulated device streams run late, so that a missing wait
shows.
"""

import os
from pathlib import Path

import emulated_cuda
import pytest

FOLDER = Path(__file__).parent / "programs"
ONLY_CPU = {"wrong_kernels"}  # invalid accesses of a kernel make the emulated device unusable, like a GPU
EVERYWHERE = sorted(p.stem for p in FOLDER.glob("*.py") if p.stem not in ONLY_CPU)


def kept():
    """The folder of the emulation's compiled kernels, so that both devices and later runs reuse them."""
    return os.environ.get("BASCULE_FAKE_CUDA_CACHE", str(Path(emulated_cuda.library()).parent / "kernels"))


@pytest.mark.parametrize("name", [*EVERYWHERE, *sorted(ONLY_CPU)])
def test_on_the_cpu_device(name):
    program = (FOLDER / f"{name}.py").read_text()
    assert emulated_cuda.run(program, BASCULE_CACHE_DIR=kept()) == "done"


@pytest.mark.parametrize("name", EVERYWHERE)
def test_on_the_emulated_cuda_device(name):
    program = (FOLDER / f"{name}.py").read_text()
    said = emulated_cuda.run(program, BASCULE_DEVICE="cuda", BASCULE_FAKE_CUDA_LAZY="1", BASCULE_CUDA_POOL="exact")
    assert said == "done"


def test_without_a_compiler_one_sentence_says_what_is_missing(tmp_path):
    said = emulated_cuda.run(
        """
    try:
        bc.ElementwiseKernel("T x", "T y", "y = x")(bc.arange(3))
    except RuntimeError as error:
        print(type(error).__name__, error)
    print((bc.arange(3) + 1).tolist())
    """,
        BASCULE_CXX=str(tmp_path / "no-compiler"),
    )
    error, after = said.splitlines()
    assert "g++" in error and "BASCULE_CXX" in error and after == "[1, 2, 3]"


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    said = emulated_cuda.run(
        """
    try:
        bc.ElementwiseKernel("T x", "T y", "y = x")(bc.arange(3))
    except RuntimeError as error:
        print(error)
    """,
        BASCULE_CACHE_DIR=str(tmp_path / "file"),
    )
    assert "BASCULE_CACHE_DIR" in said and str(tmp_path) in said


def test_programs_that_are_not_kept_leave_no_files(tmp_path):
    program = """
    assert bc.ElementwiseKernel("T x", "T y", "y = x + 1")(bc.arange(3)).tolist() == [1, 2, 3]
    pid = os.fork()
    if not pid:
        os._exit(0)
    os.waitpid(pid, 0)
    assert bc.ElementwiseKernel("T x", "T y", "y = x + 2")(bc.arange(3)).tolist() == [2, 3, 4]
    """
    assert emulated_cuda.run(program, TMPDIR=str(tmp_path)) == ""
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_a_program_includes_is_read_again(tmp_path):
    program = f"""
    x = bc.zeros(1)
    bc.RawKernel('#include "v.h"\\nextern "C" __global__ void f(double* x) {{ *x = VALUE; }}', "f", ("-I{tmp_path}",))((1,), (1,), (x,))
    print(int(x[0]))
    """
    for value in (1, 2):
        (tmp_path / "v.h").write_text(f"#define VALUE {value}\n")
        assert emulated_cuda.run(program, BASCULE_CACHE_DIR=str(tmp_path / "cache")) == str(value)
