"""Kernels as NVIDIA's compiler makes them: PTX, run by the interpreter of tests/cuda/ptx, which finds planted faults."""

import json
import re

import emulated_cuda
import pytest

pytestmark = pytest.mark.skipif(emulated_cuda.nvrtc() is None, reason="NVRTC is missing: nvidia-cuda-nvrtc>=13,<14")

ROWS = """
A = np.random.default_rng(3).random((3, 1000))
B = bc.asarray(A, device="cuda")
assert (B.sum(axis=1).get() == A.sum(axis=1)).all()
"""
VIEW = """
a = np.arange(1000.0)
assert (bc.evaluate(bc.asarray(a, device="cuda")[1:] + 1).get() == a[1:] + 1).all()
"""
PRODUCTS = """
a = np.random.default_rng(4).random((3, 1001))
x, y, z = (bc.asarray(row, device="cuda") for row in a)
with bc.errstate(all="ignore"):  # nothing else uses the product
    assert (bc.evaluate(x * y - z).get() == a[0] * a[1] - a[2]).all()
"""


def run(program, **more):
    return emulated_cuda.run(program, **{"BASCULE_CUDA_POOL": "exact", **emulated_cuda.ptx_environment(), **more})


@pytest.mark.parametrize("order", ["0", "1", "2"])
@pytest.mark.parametrize("program", [ROWS, VIEW, PRODUCTS], ids=["rows", "view", "products"])
def test_results_are_numpys(program, order):
    run(program, BASCULE_FAKE_CUDA_PTX_ORDER=order)


STORE = "shared[thread] = s;"
PLANTED = {
    "missing barrier": (ROWS, {"BASCULE_FAKE_CUDA_MUTATE": "reduce.cuh:1"}, "nothing orders the two"),
    "misaligned vector load": (
        VIEW,
        {"BASCULE_FAKE_CUDA_PLANT": "elementwise.cuh\naddress % pack_words<T, Items, 16>::bytes != 0\nfalse"},
        "no multiple of that",
    ),
    "fused multiply-add": (
        PRODUCTS,
        {"BASCULE_FAKE_CUDA_PLANT": "options\n--fmad=false\n--fmad=true"},
        "AssertionError",
    ),
    "uninitialised shared word": (
        ROWS,
        {"BASCULE_FAKE_CUDA_PLANT": f"reduce.cuh\n{STORE}\nif (thread) {STORE}"},
        "shared memory that nothing has written",
    ),
    "out-of-bounds read": (
        PRODUCTS,
        {"BASCULE_FAKE_CUDA_PLANT": "elementwise.cuh\n(k < count ? k : count - 1)\nk"},
        "outside of any allocation",
    ),
}


@pytest.mark.parametrize("fault", PLANTED)
def test_planted_faults_are_found(fault):
    program, planted, said = PLANTED[fault]
    with pytest.raises(AssertionError, match=said):
        run(program, **planted)


def test_counts_by_kernel(tmp_path):
    file = tmp_path / "counts"
    run(VIEW, BASCULE_FAKE_CUDA_PTX_COUNTS=str(file))
    (counts,) = [json.loads(line) for line in file.read_text().splitlines()]
    assert counts["kernel"] == "elementwise" and counts["launches"] == 1
    assert counts["float64"] >= 999 and counts["bytes"] >= 999 * 16
    assert counts["sectors"] >= counts["least_sectors"] >= counts["bytes"] // 32


def test_sentences_of_the_documentation_are_in_no_image(tmp_path):
    run(ROWS + "bc.evaluate(bc.exp(B) * 2 + B)", BASCULE_CACHE_DIR=str(tmp_path))
    images = [file.read_text(errors="replace") for file in tmp_path.rglob("*.cubin")]
    constants = [
        bytes(map(int, values.split(","))).rstrip(b"\0")
        for text in images
        for values in re.findall(r"\.b8 \$str\S* = {([^}]*)}", text)
    ]
    assert b"add" in constants
    assert not [text for text in constants if b" " in text]
