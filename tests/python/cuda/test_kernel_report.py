"""Properties of common plans compiled by NVIDIA's compiler. The test needs that compiler, NVRTC, and no GPU."""

import sys
from pathlib import Path

import pytest
import sweeps

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests/cuda"))
import kernel_report

TABLE = ROOT / "benchmarks/results/cuda-kernels.md"
CONTIGUOUS = kernel_report.split(kernel_report.CONTIGUOUS)
# A thread keeps the words of a large angle in local memory, which the compiler calls a stack.
WITH_STACK = {"bc.sin(x)", "bc.sin(f)", "bc.sin(x) ** 2 + bc.cos(x) ** 2"}


@pytest.fixture(scope="module")
def compiled(request):
    """The kernels of the contiguous plans whose tests run, and of a third of the others, another one each day."""
    wanted = [
        i.callspec.params["call"] for i in request.session.items if i.path == request.path and hasattr(i, "callspec")
    ]
    try:
        return kernel_report.report((wanted or CONTIGUOUS) + sweeps.taken(kernel_report.split(kernel_report.OTHER)))[1]
    except kernel_report.NoCompiler as e:
        pytest.skip(str(e))


def test_no_plan_spills(compiled):
    spilling = {
        (call, architecture, k.name): (k.spills, k.stack)
        for call, by_architecture in compiled.items()
        for architecture, kernels in by_architecture.items()
        for k in kernels
        if call not in WITH_STACK and (k.spills or k.stack)
    }
    assert not spilling


@pytest.mark.parametrize("call", CONTIGUOUS)
def test_contiguous_plans_move_128_bits(compiled, call):
    for kernels in compiled[call].values():
        kernel = kernel_report.main_kernel(kernels)
        assert kernel.widest("load") == 16
        # One-byte elements are stored in groups as large as the operands' registers allow.
        assert kernel.widest("store") == (
            8 if kernel_report.result_bytes(call) == 1 and call[0] != "u" and call != "~m" else 16
        )


def test_loads_name_the_device_s_memory(compiled):
    """A generic address would be checked for its memory space at each access."""
    elementwise = [
        (c, k) for c, a in compiled.items() for kernels in a.values() for k in kernels if k.name == "elementwise"
    ]
    generic = [c for c, k in elementwise if k.generic]
    assert elementwise
    assert not generic


def test_the_table_is_of_these_plans():
    lines = [line for line in TABLE.read_text().splitlines() if line.startswith("| `")]
    assert list(
        dict.fromkeys(line.split("`")[1].replace("\\|", "|") for line in lines)
    ) == CONTIGUOUS + kernel_report.split(kernel_report.OTHER)
