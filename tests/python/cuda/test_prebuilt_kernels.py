"""Kernels compiled in advance: the most frequent calls need no compiler. The compiler is the emulation's; no GPU."""

import subprocess
import sys
from pathlib import Path

import emulated_cuda
import pytest

PACKER = Path(__file__).resolve().parents[3] / "tests/cuda/kernel_pack.py"
COMMON = """
x, y = bc.asarray(np.arange(1000.0)), bc.asarray(np.ones(1000))
print((x + y).get()[-1], float(x.sum()), _fake.bascule_fake_compilations())
"""
NOWHERE = {"BASCULE_NVRTC": "/nowhere/libnvrtc.so"}


@pytest.fixture(scope="module")
def packed(tmp_path_factory):
    emulated_cuda.library()  # otherwise the tests are skipped
    file = tmp_path_factory.mktemp("kernels") / "cuda_kernels.bin"
    done = subprocess.run(
        [sys.executable, str(PACKER), str(file), "--emulated", "--cards", "80", "130", "--calls", "f8:x + y ; x.sum()"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "2 kernels" in done.stdout, done.stdout
    return file


def run(program, file, **more):
    return emulated_cuda.run(program, BASCULE_DEVICE="cuda", BASCULE_CUDA_KERNELS=str(file), **more)


def test_common_calls_are_not_compiled(packed):
    """On a card of the generation, on one for which the driver translates PTX, and without a compiler."""
    for card, more in (("80", {}), ("86", NOWHERE), ("130", NOWHERE)):
        assert run(COMMON, packed, BASCULE_FAKE_CUDA_CAPABILITY=card, **more) == "1000.0 499500.0 0"


def test_cards_of_other_generations_and_other_calls_are_compiled_for(packed):
    assert run(COMMON, packed, BASCULE_FAKE_CUDA_CAPABILITY="75") == "1000.0 499500.0 2"
    other = "print(bc.sqrt(bc.asarray(np.full(3, 4.0))).get(), _fake.bascule_fake_compilations())"
    assert run(other, packed, BASCULE_FAKE_CUDA_CAPABILITY="80") == "[2. 2. 2.] 1"


def test_what_is_missing_is_reported(packed):
    described = "from bascule import _core; print(_core.describe('cuda'))"
    assert "kernels by NVRTC 13.0 (2 compiled ahead)" in run(described, packed)
    assert "NO KERNELS (2 compiled ahead): " in run(described, packed, **NOWHERE)
    program = """
    try:
        bc.evaluate(bc.sqrt(bc.asarray(np.ones(3))))
    except RuntimeError as e:
        print(e)
    """
    assert "pip install 'nvidia-cuda-nvrtc>=13,<14'" in run(program, packed, **NOWHERE)


@pytest.mark.parametrize("damage", ["missing", "another version", "cut", "garbage behind the first line", "its images"])
def test_a_file_that_cannot_be_used_is_left_alone(packed, tmp_path, damage):
    file, whole = tmp_path / "kernels.bin", packed.read_bytes()
    first = whole.index(b"\n") + 1
    contents = {
        "another version": whole.replace(b"bascule ", b"bascula ", 1),
        "cut": whole[: first + 60],
        "garbage behind the first line": whole[:first] + b"\xff" * 500,
        "its images": whole.replace(b"emulated kernel", b"something else."),
    }
    if damage in contents:
        file.write_bytes(contents[damage])
    assert run(COMMON, file, BASCULE_FAKE_CUDA_CAPABILITY="80") == "1000.0 499500.0 2"
