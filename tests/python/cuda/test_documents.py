"""Cards and drivers that the documents name are those that the sources ask for."""

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests"))
import check_wheel

MACHINE_CODE, PTX = check_wheel.promised()
OLDEST = min(map(int, MACHINE_CODE))


def test_machine_code_of_every_generation_and_ptx_of_the_newest():
    assert {"75", "80", "86", "89", "90", "100", "120"} == MACHINE_CODE
    assert {max(MACHINE_CODE, key=int)} == PTX


@pytest.mark.parametrize("page", ["README.md", "docs/devices.md", "docs/gpu.md"])
def test_sorting_and_frames_need_the_oldest_of_them_and_cuda_13(page):
    text = (ROOT / page).read_text()
    named = {int(a) * 10 + int(b) for a, b in re.findall(r"(?<!\d)([5-9])\.(\d)(?= (?:and|or) (?:later|newer))", text)}
    assert OLDEST in named
    assert re.search(r"drivers? for CUDA 13\.0", text) or re.search(r"one for CUDA 13\.0", text)


def test_the_emulated_library_is_that_of_the_wheels():
    text = (ROOT / "cpp/backend/cuda/algorithms/thrust/entry.cu").read_text()
    assert "runtime_version = 13000;" in text
    assert "'nvidia-cuda-nvcc>=13,<14'" in (ROOT / "Makefile").read_text()
