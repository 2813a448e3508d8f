"""Complex numbers in kernels, under the name of CuPy's header: every function against NumPy's."""

import bascule as bc
import numpy as np

CODE = r"""
#include <cupy/complex.cuh>
#include "cupy/complex.cuh"
template <class T> __device__ complex<T> twice(complex<T> z) { return z * T(2); }
extern "C" __global__ void f(complex<float> const* a, complex<float> const* b, complex<float>* out, int n, int which) {
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i >= n) return;
    complex<float> z = a[i], w = b[i];
    switch (which) {
    case 0: out[i] = z + w; break; case 1: out[i] = z - w; break; case 2: out[i] = z * w; break; case 3: out[i] = z / w; break;
    case 4: out[i] = exp(z); break; case 5: out[i] = log(z); break; case 6: out[i] = sqrt(z); break; case 7: out[i] = sin(z); break;
    case 8: out[i] = cos(z); break; case 9: out[i] = tan(z); break; case 10: out[i] = sinh(z); break; case 11: out[i] = cosh(z); break;
    case 12: out[i] = tanh(z); break; case 13: out[i] = conj(z); break; case 14: out[i] = complex<float>(abs(z), arg(z)); break;
    case 15: out[i] = pow(z, w); break; case 16: out[i] = twice(z) + 1.0f; break; case 17: out[i] = -z; break; case 18: out[i] = norm(z); break;
    case 19: out[i] = polar(abs(z), arg(z)); break; case 20: z *= w; z /= w; out[i] = z == a[i] ? z : a[i]; break; case 21: out[i] = log10(z); break;
    case 22: out[i] = complex<double>(z); break; case 23: out[i] = 2.0f / w; break; case 24: out[i] = pow(z, 2.0f); break;
    }
}
"""
OF_NUMPY = [
    lambda z, w: z + w, lambda z, w: z - w, lambda z, w: z * w, lambda z, w: z / w, lambda z, w: np.exp(z), lambda z, w: np.log(z), lambda z, w: np.sqrt(z), lambda z, w: np.sin(z),
    lambda z, w: np.cos(z), lambda z, w: np.tan(z), lambda z, w: np.sinh(z), lambda z, w: np.cosh(z), lambda z, w: np.tanh(z), lambda z, w: np.conj(z), lambda z, w: np.abs(z) + 1j * np.angle(z),
    lambda z, w: z**w, lambda z, w: 2 * z + 1, lambda z, w: -z, lambda z, w: np.abs(z) ** 2 + 0j, lambda z, w: z, lambda z, w: z, lambda z, w: np.log10(z), lambda z, w: z, lambda z, w: 2 / w, lambda z, w: z**2,
]  # fmt: skip

kernel = bc.RawKernel(CODE, "f")
rng = np.random.default_rng(0)
z, w = (rng.normal(size=(2, 64)) + 1j * rng.normal(size=(2, 64))).astype("c8")
for which, of_numpy in enumerate(OF_NUMPY):
    out = bc.zeros(64, dtype="c8")
    kernel((1,), (64,), (bc.asarray(z), bc.asarray(w), out, np.int32(64), np.int32(which)))
    expected = of_numpy(z.astype("c16"), w.astype("c16"))
    np.testing.assert_allclose(bc.asnumpy(out), expected, rtol=3e-5, atol=1e-6, err_msg=str(which))

text = '#include <cupy/complex.cuh>\n\nextern "C" __global__ void g(float* x) { nonsense; }\n'
try:
    bc.RawKernel(text, "g")((1,), (1,), (bc.zeros(1, dtype="f4"),))
except bc.cuda.compiler.CompileException as error:
    assert "g.cu" in str(error) and any("nonsense" in line and "3" in line for line in str(error).splitlines()), error
else:
    raise AssertionError("compiled")

print("done")
