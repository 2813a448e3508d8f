"""Headers of CUDA in programs of the user's own, ranges of profilers, and what reading properties opens. All emulated."""

from pathlib import Path

import emulated_cuda
import pytest
from bascule.device_libraries import headers

INCLUDED = {
    "cuda_fp16.h": "x[0] = __half2float(__float2half(1.5f));",
    "cooperative_groups.h": "x[0] = 1.5f + cooperative_groups::this_thread_block().thread_rank();",
    "cuda/std/cmath": "x[0] = cuda::std::fabs(-1.5f);",
    "curand_kernel.h": "curandState s; curand_init(1, 0, 0, &s); x[0] = curand_uniform(&s) > 2 ? 0.f : 1.5f;",
}


@pytest.mark.skipif(emulated_cuda.nvrtc() is None, reason="NVRTC is missing: nvidia-cuda-nvrtc>=13,<14")
@pytest.mark.parametrize("header", INCLUDED)
def test_programs_find_the_headers_of_cuda(header):
    if not any((Path(folder) / header).exists() for folder in headers()):
        pytest.skip(f"no toolkit and no package here has {header}")
    said = emulated_cuda.run(
        f"""
    k = bc.RawKernel('''
    #include <{header}>
    extern "C" __global__ void f(float* x) {{ {INCLUDED[header]} }}''', "f")
    x = bc.zeros(1, "f4")
    k((1,), (1,), (x,))
    print(x.get()[0])
    """,
        **{"BASCULE_DEVICE": "cuda", **emulated_cuda.ptx_environment()},
    )
    assert said == "1.5"


@pytest.mark.skipif(emulated_cuda.nvrtc() is None, reason="NVRTC is missing: nvidia-cuda-nvrtc>=13,<14")
def test_a_missing_header_says_what_to_install():
    said = emulated_cuda.run(
        """
    try:
        bc.RawKernel('#include <cuda/of_another_version.h>\\nextern "C" __global__ void f() {}', "f")((1,), (1,), ())
    except Exception as error:
        print("pip install 'nvidia-cuda-runtime" in str(error), "CUDA_HOME" in str(error))
    """,
        **{"BASCULE_DEVICE": "cuda", **emulated_cuda.ptx_environment()},
    )
    assert said == "True True"


LIBRARY = """
#include <stdio.h>
int nvtxRangePushA(char const* text) { printf("push %s\\n", text); fflush(stdout); return 0; }
int nvtxRangePop(void) { puts("pop"); fflush(stdout); return 0; }
int nvtxMarkA(char const* text) { printf("mark %s\\n", text); fflush(stdout); return 0; }
"""


@pytest.mark.parametrize("name", ["libnvtx3interop.so.1", "libnvToolsExt.so.1"])
def test_ranges_are_those_of_either_library(name, tmp_path):
    import subprocess

    (tmp_path / "nvtx.c").write_text(LIBRARY)
    subprocess.run(["cc", "-shared", "-fPIC", str(tmp_path / "nvtx.c"), "-o", str(tmp_path / name)], check=True)
    said = emulated_cuda.run(
        f"""
    import bascule.cuda.nvtx as nvtx
    nvtx._NAMES = ({name!r},)
    with bc.cuda.profiler.time_range("here"):
        nvtx.Mark("there")
    bc.cuda.runtime.profilerStart()
    bc.cuda.runtime.profilerStop()
    print(calls("cuProfilerStart"), calls("cuProfilerStop"))
    """,
        BASCULE_DEVICE="cuda",
        BASCULE_CUDA_LIBS=str(tmp_path),
    )
    assert said.splitlines() == ["push here", "mark there", "pop", "1 1"]


def test_properties_open_no_library():
    said = emulated_cuda.run(
        """
    print(bc.cuda.runtime.driverGetVersion(), bc.cuda.runtime.getDeviceProperties(0)["name"])
    """,
        BASCULE_DEVICE="cuda",
        BASCULE_NVRTC="/nowhere/nvrtc.so",
        BASCULE_CUBLAS="/nowhere/cublas.so",
        BASCULE_FAKE_CUDA_DRIVER_VERSION="13020",
    )
    assert said == "13020 b'emulated device'"
