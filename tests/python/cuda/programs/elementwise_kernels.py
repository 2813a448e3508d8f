"""ElementwiseKernel: the examples of CuPy's guide, and errors."""

import pickle

import bascule as bc
import numpy as np


def fails(kind, call, *words):
    try:
        call()
    except kind as error:
        assert all(w in str(error) for w in words), str(error)
    else:
        raise AssertionError("nothing was raised")


squared_diff = bc.ElementwiseKernel("float32 x, float32 y", "float32 z", "z = (x - y) * (x - y)", "squared_diff")
a, b = np.arange(10, dtype="f4").reshape(2, 5), np.arange(5, dtype="f4")
x, y = bc.asarray(a), bc.asarray(b)
assert (squared_diff(x, y).get() == (a - b) ** 2).all()
assert (squared_diff(x, 5).get() == (a - 5) ** 2).all()
z = bc.empty((2, 5), dtype="float32")
assert squared_diff(x, y, z) is z and (z.get() == (a - b) ** 2).all()
# strides: transposed, reversed, every second, and outputs that are views
assert (squared_diff(x.T, y[:, None]).get() == (a.T - b[:, None]) ** 2).all()
assert (squared_diff(x[:, ::-1], y[::-1]).get() == ((a - b) ** 2)[:, ::-1]).all()
target = bc.zeros((4, 5), dtype="float32")
squared_diff(x, y, target[::2])
assert (target.get()[::2] == (a - b) ** 2).all() and not target.get()[1::2].any()
assert squared_diff(x[:0], y).shape == (0, 5)
# pending operands are computed first, and results of kernels can be used in pending operations
lazy = squared_diff(x * 2 + 1, y - 1) + 1
assert (lazy.get() == (a * 2 + 1 - (b - 1)) ** 2 + 1).all()

fails(TypeError, lambda: squared_diff(x.astype("float64"), y), "mismatched", "x", "float64", "float32")
fails(TypeError, lambda: squared_diff(x), "Wrong number of arguments")
fails(TypeError, lambda: squared_diff(x, y, 1), "Output arguments")
fails(TypeError, lambda: squared_diff(a, y), "bc.asarray")
fails(ValueError, lambda: squared_diff(x, y, bc.empty(5, dtype="float32")))
fails(ValueError, lambda: squared_diff(1, 2), "undecided")
fails(ValueError, lambda: squared_diff(x, bc.ones(4, dtype="float32")))

generic = bc.ElementwiseKernel("T x, T y", "T z", "z = (x - y) * (x - y)", "squared_diff_generic")
for dtype in ("int8", "uint64", "float16", "complex64", "complex128"):
    u, v = np.array([1, 2, 7]).astype(dtype), np.array([2, 2, 3]).astype(dtype)
    r = generic(bc.asarray(u), bc.asarray(v))
    assert r.dtype == dtype and (r.get() == (u - v) * (u - v)).all(), dtype
fails(TypeError, lambda: generic(x, bc.ones(5)), "mismatched")
fails(TypeError, lambda: generic(1.0, 2.0), "not specified: T")

mixed = bc.ElementwiseKernel(
    "X x, Y y", "Z z, bool less", "z = x * static_cast<X>(y); less = x < y", "mixed", return_tuple=True
)
fails(TypeError, lambda: mixed(x, bc.arange(5)), "not specified: Z")
product = bc.empty((2, 5))
r, less = mixed(x, bc.arange(5), product, bc.empty((2, 5), dtype=bool))
assert r is product and (r.get() == a * np.arange(5)).all() and (less.get() == (a < np.arange(5))).all()

# raw arrays, the loop's variables, code around the loop
reverse = bc.ElementwiseKernel("T x, raw T y", "T z", "z = x + y[_ind.size() - i - 1]", "add_reverse")
assert (reverse(y, y[::2][::-1][:1].repeat(5)).get() == b + 4).all()
assert (reverse(y, y).get() == b + b[::-1]).all()
taken = bc.ElementwiseKernel("raw T table, int64 k", "T z", "z = table[k]", "take")
assert (taken(x.T, bc.asarray([0, 3, 9])).get() == a.T.ravel()[[0, 3, 9]]).all(), "raw arrays count in C order"
ramp = bc.ElementwiseKernel("", "raw int32 z", "z[i] = n - i", "ramp")
assert ramp(size=4).tolist() == [4, 3, 2, 1]
fails(ValueError, ramp, "undecided")
fails(ValueError, lambda: squared_diff(x, y, size=3), "raw")
positions = bc.ElementwiseKernel(
    "", "int64 z", "z = 10 * _ind.get()[0] + _ind.get()[1] + offset", "places", reduce_dims=False,
    preamble="__device__ const long long start = 100;", loop_prep="const long long offset = start", after_loop="",
)  # fmt: skip
assert positions(bc.empty((2, 3), dtype="int64")).tolist() == [[100, 101, 102], [110, 111, 112]]
shapes = bc.ElementwiseKernel("raw T x", "int64 z", "z = x.shape()[i] * 100 + x.size()", "shapes", reduce_dims=False)
assert shapes(x, bc.empty(2, dtype="int64")).tolist() == [210, 510]
counts = bc.zeros(4, dtype="int32")
bins = bc.ElementwiseKernel("T x", "raw int32 counts", "atomicAdd(&counts[x % 4], 1)", "bins", no_return=True)
assert bins(bc.arange(100), counts) is None and counts.tolist() == [25] * 4
options = bc.ElementwiseKernel("T x", "T y", "y = x * FACTOR", "factor", options=("-DFACTOR=3",))
assert options(bc.arange(3)).tolist() == [0, 3, 6]
assert options(bc.arange(300), block_size=64).get().tolist() == list(range(0, 900, 3))

# read-only outputs
fixed = bc.zeros(3)
fixed.flags.writeable = False
copy = bc.ElementwiseKernel("T x", "T y", "y = x")
fails(ValueError, lambda: copy(bc.ones(3), fixed), "read-only")
assert fixed.get().tolist() == [0, 0, 0]

# a kernel that was called is pickled without its handle
copy(bc.arange(2))
there = pickle.loads(pickle.dumps(copy))
assert not there._functions and copy._functions and there(bc.arange(3)).get().tolist() == [0, 1, 2]

# invalid definitions
for arguments, words in (
    (("float32 n", "float32 z"), "reserved"),
    (("float32 _x", "float32 z"), "reserved"),
    (("T x, T x", "T z"), "twice"),
    (("T x", "T x"), "both"),
    (("T", "T z"), "expected"),
):
    fails(ValueError, lambda arguments=arguments: bc.ElementwiseKernel(*arguments, "z = 1"), words)
fails(TypeError, lambda: bc.ElementwiseKernel("nonsense x", "T z", "z = 1"))
fails(TypeError, lambda: bc.ElementwiseKernel("T x", "T z", "z = 1", unknown=1), "unknown")
fails(bc.cuda.CompileException, lambda: bc.ElementwiseKernel("T x", "T z", "z = missing", "bad")(x), "bad", "missing")
print("done")
