"""ReductionKernel and fuse."""

import bascule as bc
import numpy as np


def fails(kind, call, *words):
    try:
        call()
    except kind as error:
        assert all(w in str(error) for w in words), str(error)
    else:
        raise AssertionError("nothing was raised")


l2norm = bc.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "l2norm")
a = np.arange(2 * 3 * 40, dtype="f8").reshape(2, 3, 40)
x = bc.asarray(a)
close = lambda r, e: r.shape == np.shape(e) and np.allclose(r.get(), e, rtol=1e-12, atol=0)
for axis in (None, 0, 1, 2, -1, (0, 2), (1, 0), ()):
    for keepdims in (False, True):
        expected = np.sqrt((a * a).sum(axis=axis, keepdims=keepdims))
        assert close(l2norm(x, axis=axis, keepdims=keepdims), expected), (axis, keepdims)
        assert close(l2norm(x.transpose(2, 0, 1)[::-1], axis=axis, keepdims=keepdims),
                     np.sqrt((a * a).transpose(2, 0, 1)[::-1].sum(axis=axis, keepdims=keepdims)))  # fmt: skip
out = bc.zeros((2, 4, 40))
assert l2norm(x, out=out[:, 1], axis=1) is not None and close(out[:, 1], np.sqrt((a * a).sum(1)))
assert l2norm(x, out := bc.empty((3, 40)), axis=0) is out and close(out, np.sqrt((a * a).sum(0)))
assert close(l2norm(x * 2 - 1, axis=1), np.sqrt(((a * 2 - 1) ** 2).sum(1)))
assert float(l2norm(x[:, :, :0])) == 0 and l2norm(x[:, :, :0], axis=2).tolist() == [[0] * 3] * 2

# several broadcast inputs, numbers, several outputs, a placeholder type
weighted = bc.ReductionKernel("T x, T w, float64 shift", "T y", "(x - shift) * w", "a + b", "y = a", "0", "weighted")
w = np.linspace(0, 1, 40)
assert close(weighted(x, bc.asarray(w), 3, axis=2), ((a - 3) * w).sum(2))
extremes = bc.ReductionKernel(
    "T x", "T low, T high, int64 where", "pair<T>(x, _J)", "join(a, b)", "low = a.low; high = a.high; where = a.place", None,
    "extremes", reduce_type="pair<double>",
    preamble="""
    template <class T> struct pair {
        T low, high;
        long long place;
        pair() = default;
        __device__ pair(T x, long long k) : low(x), high(x), place(k) {}
    };
    template <class T> __device__ pair<T> join(pair<T> a, pair<T> b) {
        pair<T> r = b.high > a.high || (b.high == a.high && b.place < a.place) ? b : a;
        r.low = a.low < b.low ? a.low : b.low;
        r.high = a.high < b.high ? b.high : a.high;
        return r;
    }
    """,
)  # fmt: skip
v = np.random.default_rng(1).integers(0, 1000, (7, 333)).astype(float)
low, high, where = extremes(bc.asarray(v), axis=1)
assert (
    low.tolist() == v.min(1).tolist() and high.tolist() == v.max(1).tolist() and where.tolist() == v.argmax(1).tolist()
)
fails(ValueError, lambda: extremes(bc.asarray(v[:, :0]), axis=1), "zero-size", "extremes")
largest = bc.ReductionKernel("T x", "T y", "x", "max(a, b)", "y = a", "", "largest")
for dtype in ("int8", "uint64"):
    u = np.array([[5, 3], [4, 9]]).astype(dtype)
    r = largest(bc.asarray(u), axis=0)
    assert r.dtype == dtype and r.tolist() == [5, 9]
looked_up = bc.ReductionKernel("int64 k, raw T table", "T y", "table[k]", "a + b", "y = a", "0", "looked_up")
assert float(looked_up(bc.asarray([1, 2, 2]), bc.asarray([10.0, 20.0, 30.0]))) == 80
total = bc.ReductionKernel("complex128 z", "complex128 s", "z * conj(z)", "a + b", "s = a", "0", "total")
assert complex(total(bc.asarray([1 + 2j, 3j])).get()) == 14

fails(TypeError, lambda: l2norm(x, x, x), "Wrong number")
fails(ValueError, lambda: l2norm(x, out=bc.empty(3)), "Out shape")
fails(ValueError, lambda: l2norm(x, axis=(0, 0)), "duplicate")
fails(np.exceptions.AxisError, lambda: l2norm(x, axis=3))
fails(
    bc.cuda.CompileException, lambda: bc.ReductionKernel("T x", "T y", "x", "a + c", "y = a", "0", "bad")(x), "bad", "c"
)


# ---- fuse
@bc.fuse()
def blend(x, y, t):
    return x * t + y * (1 - t)


@bc.fuse(kernel_name="length")
def length(x, y):
    return bc.sqrt(x * x + y * y).sum()


assert close(blend(x, x[::-1], 0.25), a * 0.25 + a[::-1] * 0.75)
assert np.isclose(float(length(x, x)), np.sqrt(2 * a * a).sum()) and length.name == "length"
assert blend(np.ones(2), np.zeros(2), 0.5).tolist() == [0.5, 0.5]
assert bc.fuse(lambda x: x + 1)(bc.arange(2)).tolist() == [1, 2]
print("done")
