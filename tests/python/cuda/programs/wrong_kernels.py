"""Kernels that hang or access invalid memory: an error of the call on the CPU device."""

import bascule as bc
import numpy as np

x = bc.zeros(64)


def error_of(body, block):
    try:
        bc.RawKernel(f'extern "C" __global__ void f(double* x) {{ {body} }}', "f")((1,), block, (x,))
    except RuntimeError as error:
        return str(error)
    return None


assert "__syncthreads" in error_of("if (threadIdx.x < 8) __syncthreads();", (16,))
assert "warp" in error_of("if (threadIdx.x < 8) __syncwarp(0xffffu);", (16,))
assert "nobody's" in error_of("*reinterpret_cast<int*>(16) = 1;", (1,))
assert "divided" in error_of("x[0] = 7 / int(x[1]);", (1,))
assert error_of("x[threadIdx.x] = threadIdx.x;", (64,)) is None
assert (x.get() == np.arange(64)).all()
print("done")
