"""RawKernel and RawModule: arguments, laziness, shared memory, templates, variables, and errors."""

import bascule as bc
import numpy as np

ADD = bc.RawKernel(
    r"""
extern "C" __global__
void add(const float* x1, const float* x2, float* y) {
    int tid = blockDim.x * blockIdx.x + threadIdx.x;
    y[tid] = x1[tid] + x2[tid];
}
""",
    "add",
)


def fails(kind, *words):
    """A context that expects an error of a class with all these words."""

    class Expected:
        def __enter__(self):
            return self

        def __exit__(self, found, error, trace):
            assert found is not None and issubclass(found, kind), (kind, found, error)
            assert all(w in str(error) for w in words), str(error)
            return True

    return Expected()


# ---- pending arrays are computed first, and those that read an array that a kernel writes keep its old values
x1 = bc.arange(25, dtype=bc.float32).reshape(5, 5)
x2 = bc.arange(25, dtype=bc.float32).reshape(5, 5) * 2
y = bc.zeros((5, 5), dtype=bc.float32)
before, copied, view = y + 1, y.copy(), y[1:]
ADD((5,), (5,), (x1, x2, y))
expected = np.arange(25, dtype=np.float32).reshape(5, 5) * 3
assert (y.get() == expected).all() and (view.get() == expected[1:]).all()
assert (before.get() == 1).all() and (copied.get() == 0).all()
after = y + 1
ADD((5,), (5,), (y, y, y))
assert (after.get() == expected + 1).all() and (y.get() == 2 * expected).all()

# ---- a view is passed as the address of its first element
ADD((1,), (5,), (x1[1], x2[2], y[3]))
assert (y[3].get() == expected[1] / 3 + expected[2] / 3 * 2).all()

# ---- results of one kernel are the next one's arguments, without synchronization
chain = bc.ones(64, dtype="float32")
for _ in range(5):
    ADD((2,), (32,), (chain, chain, chain))
    chain *= 0.75
assert (chain.get() == np.float32(1.5**5)).all()

# ---- numbers by their types, integers by the parameter's size; every mismatch is reported
numbers = bc.RawKernel(
    r"""
extern "C" __global__ void numbers(double* out, char a, short b, int c, long long d, float e, double f, bool g, unsigned h) {
    out[0] = a, out[1] = b, out[2] = c, out[3] = d, out[4] = e, out[5] = f, out[6] = g, out[7] = h;
}
""",
    "numbers",
)
out = bc.zeros(8)
numbers((1,), (1,), (out, -3, np.int16(-300), 70000, 2**40, np.float32(0.1), 0.1, True, 2**32 - 1))
assert out.tolist() == [-3, -300, 70000, 2**40, float(np.float32(0.1)), 0.1, 1, 2**32 - 1]
good = [out, 1, np.int16(1), 1, 1, np.float32(1), 1.0, True, 1]
for place, wrong, words in (
    (1, 1000, ("argument 2 is 1000", "1 byte")),
    (5, 0.5, ("argument 6", "8 bytes", "4 bytes", "numpy.float32")),
    (6, np.float32(1), ("argument 7", "4 bytes", "8 bytes")),
    (3, out, ("argument 4 is an array's address", "4 bytes")),
):
    with fails(ValueError, *words):
        numbers((1,), (1,), (*good[:place], wrong, *good[place + 1 :]))
with fails(ValueError, "9 parameters", "2 arguments"):
    numbers((1,), (1,), (out, 1))
with fails(TypeError, "bc.asarray"):
    numbers((1,), (1,), (np.zeros(8), *good[1:]))
with fails(TypeError, "str"):
    numbers((1,), (1,), (out, "1", *good[2:]))
for shape in ((1024, 2), (0,), (1, 1, 65)):
    with fails((ValueError, RuntimeError), ""):
        numbers((1,), shape, tuple(good))
with fails(TypeError, "tuple"):
    numbers(1, (1,), tuple(good))

# ---- structures by value
struct = bc.RawKernel(
    r"""
struct point { double x; float y; int z; };
extern "C" __global__ void unpack(point p, double* out) { out[0] = p.x, out[1] = p.y, out[2] = p.z; }
""",
    "unpack",
)
point = np.dtype([("x", np.float64), ("y", np.float32), ("z", np.int32)])
struct((1,), (1,), (np.array((1.5, 2.5, 3), point)[()], out))
assert out[:3].tolist() == [1.5, 2.5, 3]

# ---- shared memory, both kinds, barriers, warps and atomics
blocks = bc.RawKernel(
    r"""
extern "C" __global__ void sums(const double* x, double* of_blocks, int* seen, int n) {
    extern __shared__ double part[];  // one a thread
    __shared__ int warps;
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (t == 0) warps = 0;
    part[t] = i < n ? x[i] : 0.0;
    __syncthreads();
    for (int s = blockDim.x / 2; s >= 32; s >>= 1) {
        if (t < s) part[t] += part[t + s];
        __syncthreads();
    }
    if (t < 32) {
        double v = part[t];
        for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
        if (t == 0) of_blocks[blockIdx.x] = v;
    }
    if (t % 32 == 0) atomicAdd(&warps, 1);
    __syncthreads();
    if (t == 0) atomicAdd(seen, warps);
}
""",
    "sums",
)
values = np.random.default_rng(0).integers(0, 100, 1000).astype(float)
of_blocks, seen = bc.zeros(8), bc.zeros(1, dtype="int32")
blocks((8,), (128,), (bc.asarray(values), of_blocks, seen, 1000), shared_mem=128 * 8)
padded = np.pad(values, (0, 24)).reshape(8, 128).sum(1)
assert of_blocks.tolist() == padded.tolist() and int(seen[0]) == 32
assert blocks.shared_size_bytes >= 4 and blocks.max_threads_per_block == 1024
with fails((ValueError, RuntimeError), ""):
    blocks((1,), (128,), (of_blocks, of_blocks, seen, 8), shared_mem=200 << 10)
blocks.max_dynamic_shared_size_bytes = 100 << 10
blocks((8,), (128,), (bc.asarray(values), of_blocks, seen, 1000), shared_mem=90 << 10)
assert of_blocks.tolist() == padded.tolist()

# ---- modules: templates by their expressions, variables of the device, options
module = bc.RawModule(
    code=r"""
__constant__ double table[3];
__device__ int calls;
template <class T> __global__ void scale(T* x) { x[threadIdx.x] *= static_cast<T>(table[threadIdx.x] * FACTOR); }
extern "C" {
__global__ void count(int* out) { atomicAdd(&calls, 1); out[0] = calls; }
}
namespace inner { template <int N> __global__ void fill(int* x) { for (int k = 0; k < N; ++k) x[k] = N; } }
""",
    options=("-DFACTOR=2", "--std=c++17"),
    name_expressions=("scale<float>", "scale<long long>", "inner::fill<3>"),
)
table = bc.ndarray((3,), np.float64, module.get_global("table"))
table[...] = bc.asarray([1.0, 2.0, 3.0])
single, double = bc.ones(3, dtype="float32"), bc.full(3, 10)
module.get_function("scale<float>")((1,), (3,), (single,))
module.get_function("scale<long long>")((1,), (3,), (double,))
assert single.tolist() == [2, 4, 6] and double.tolist() == [20, 40, 60]
count, number = module.get_function("count"), bc.zeros(1, dtype="int32")
count((1,), (1,), (number,))
count((1,), (1,), (number,))
assert int(number[0]) == 2, "a variable outlives its kernel"
module.get_function("inner::fill<3>")((1,), (1,), (double.view("int32"),))
assert double.view("int32")[:3].tolist() == [3, 3, 3]
with fails(ValueError, "no kernel scale"):
    module.get_function("scale")
with fails(ValueError, "no variable nothing"):
    module.get_global("nothing")
with fails(ValueError, "32 bytes", "24"):
    bc.ndarray((4,), np.float64, module.get_global("table"))

# ---- booleans stay valid, whatever bytes a kernel writes
booleans = bc.zeros(4, dtype=bool)
bc.RawKernel('extern "C" __global__ void mark(char* x) { x[threadIdx.x] = threadIdx.x; }', "mark")(
    (1,), (4,), (booleans,)
)
assert (booleans.astype(int) + 0).tolist() == [0, 1, 1, 1] and int(booleans.sum()) == 3

# ---- read-only arrays keep their values for pending operations, and can be passed nevertheless
frozen = bc.arange(4, dtype="float32")
frozen.flags.writeable = False
ADD((1,), (4,), (frozen, frozen, single := bc.zeros(4, dtype="float32")))
assert single.tolist() == [0, 2, 4, 6]

# ---- code that does not compile: one error, with its lines
wrong = bc.RawKernel('extern "C" __global__ void wrong(int* x) {\n    int a = 1;\n    x[0] = b;\n}', "wrong")
with fails(bc.cuda.CompileException, "wrong.cu", "3", "b") as _:
    wrong((1,), (1,), (number,))
with fails(bc.cuda.CompileException, "--no-such-option"):
    bc.RawKernel("", "nothing", options=("--no-such-option",)).compile()
for arguments in ({"backend": "nvcc"}, {"jitify": True}, {"enable_cooperative_groups": True}):
    with fails(NotImplementedError, "not supported"):
        bc.RawKernel("", "nothing", **arguments)
with fails(TypeError, "tuple of str"):
    bc.RawKernel("", "nothing", options="-DX")
with fails(TypeError, "exactly one"):
    bc.RawModule()
print("done")
