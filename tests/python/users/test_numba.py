"""numba's compiled functions take bascule arrays on the CPU like NumPy's, over the same memory."""

import gc
import subprocess
import sys

import bascule as bc
import numpy as np
import pytest
from users import check, ours, same

numba = pytest.importorskip("numba", reason="numba, of the extra `test`, is not installed")
datasets = pytest.importorskip("sklearn.datasets", reason="scikit-learn, of the extra `test`, is not installed")
from numba import guvectorize, njit, prange, stencil, vectorize

IRIS = datasets.load_iris().data
DIGIT = datasets.load_digits().images[0]
LENGTHS = IRIS[:, 0].copy()


@pytest.fixture(autouse=True)
def no_fallback():
    with bc.config.set(fallback="error"):
        yield


@njit
def distances(x):
    r = np.empty((x.shape[0], x.shape[0]))
    for i in range(x.shape[0]):
        for j in range(x.shape[0]):
            s = 0.0
            for k in range(x.shape[1]):
                s += (x[i, k] - x[j, k]) ** 2
            r[i, j] = np.sqrt(s)
    return r


@njit
def whole(a, factor):
    return (a * factor + 1)[::3].sum() + a.ravel().max() + a.T.shape[0] if a.size else 0.0


def test_njit():
    same(distances, IRIS, rtol=0, stays=False)
    for view in (lambda a: a[::2, ::-1], lambda a: a.T, lambda a: a[:0], lambda a: a.astype("f4")):
        same(lambda a: whole(view(a), 2.0), IRIS, rtol=1e-6 if view(IRIS).dtype == "f4" else 1e-14, stays=False)


@pytest.mark.parametrize("dtype", ["?", "i1", "u2", "i4", "u8", "f4", "f8", "c8", "c16", "M8[D]", "m8[ns]"])
def test_every_type(dtype):
    @njit
    def back(a):
        r = np.empty_like(a)
        for i in range(a.size):
            r[a.size - 1 - i] = a[i]
        return r

    same(back, (LENGTHS * 3).astype("i8").astype(dtype), rtol=0, stays=False)


def test_lazy_arrays_and_views_are_written_in_place():
    @njit
    def double(a):
        a *= 2
        return a

    def run(m):
        a = m.asarray(np.tile(LENGTHS, 100)) + 1  # large enough to be lazy
        before = a + 1
        r = double(a[::2])
        return before, a, np.asarray(r)

    check(run(bc), run(np), rtol=0, stays=False)
    a = bc.asarray(LENGTHS)
    r = double(a)
    assert type(r) is np.ndarray and np.shares_memory(r, np.asarray(a)) and bc._core.export_count(a) > 0
    del r
    gc.collect()
    assert bc._core.export_count(a) == 0


def test_read_only_arrays_cannot_be_written():
    @njit
    def write(a):
        a[0] = 1

    for m in (np, bc):
        with pytest.raises(numba.TypingError, match="readonly"):
            write(m.broadcast_to(m.ones(1), (3,)))


def test_what_reductions_return_are_numbers():
    @njit
    def times(n, x):
        r = x
        for _ in range(n):
            r += x
        return r

    def run(m):
        x = m.asarray(IRIS)
        return times(m.asarray([1, 2]).sum(), x.sum()), times(m.asarray([1, 2])[1], x.astype("f4").max())

    check(run(bc), run(np), rtol=1e-14, stays=False)


def test_parallel_loops_tuples_lists_generators_and_globals():
    table = ours(LENGTHS)

    @njit(parallel=True)
    def loops(a):
        r = np.empty_like(a)
        for i in prange(a.shape[0]):
            r[i] = np.sin(a[i]) + table[i]
        return r

    @njit
    def of_pair(p):
        return p[0].sum() + p[1].sum()

    @njit
    def each(a):
        for v in a:
            yield v * 2

    same(loops, LENGTHS, rtol=1e-15, stays=False)
    same(of_pair, (LENGTHS, IRIS), rtol=1e-14, stays=False)
    same(lambda a: list(each(a)), LENGTHS[:5], rtol=0, stays=False)
    same(lambda a: njit(lambda q: q[0].sum())(numba.typed.List([a, a])), LENGTHS, rtol=1e-14, stays=False)


def test_vectorize():
    @vectorize(["float64(float64, float64)", "float32(float32, float32)"])
    def given(x, y):
        return x * y + 1 if x > y else y

    @vectorize
    def found(x, y):
        return x * y + 1 if x > y else y

    for f in (given, found):
        same(f, IRIS, LENGTHS[:4], rtol=0)
        same(f, IRIS.astype("f4"), LENGTHS[:4].astype("f4"), rtol=0)
        same(lambda x: f(x, 2.0), IRIS, rtol=0)
    same(lambda x: given.reduce(x), LENGTHS, rtol=1e-14)


def test_guvectorize():
    @guvectorize(["void(float64[:], float64[:])"], "(n)->(n)")
    def running(a, r):
        s = 0.0
        for i in range(a.shape[0]):
            s += a[i]
            r[i] = s

    @guvectorize("(n)->()")
    def total(a, r):
        r[0] = a.sum()

    same(running, IRIS, rtol=0)
    same(running, LENGTHS, rtol=0)

    def run(m):
        out = m.zeros(len(IRIS))
        total(m.asarray(IRIS), out)
        return out

    check(run(bc), run(np), rtol=1e-15)


def test_stencil():
    @stencil
    def cross(a):
        return 0.25 * (a[-1, 0] + a[1, 0] + a[0, -1] + a[0, 1])

    @stencil(neighborhood=((-2, 2),), standard_indexing=("w",))
    def smooth(a, w):
        r = 0.0
        for i in range(-2, 3):
            r += a[i] * w[i + 2]
        return r

    @njit
    def inside(a):
        return cross(a).sum()

    same(cross, DIGIT, rtol=0, stays=False)
    same(lambda a: smooth(a, ours(np.ones(5)) if type(a) is bc.ndarray else np.ones(5)), LENGTHS, rtol=0, stays=False)
    same(inside, DIGIT, rtol=1e-15, stays=False)


_WEIGHTS = np.array([1.0, -2.0, 0.5, 3.0, 0.25])


def _mean(a):
    return (a[-1] + a[0] + a[1]) / 3


def _behind(a):
    return a[-3] - 2 * a[-1]


def _cross(a):
    return 0.25 * (a[-1, 0] + a[1, 0] + a[0, -1] + a[0, 1])


def _two(a, b):
    return a[0, 1] * b[1, 0] + b[-1, -1]


def _weighted(a, w):
    return a[-2] * w[0] + a[-1] * w[1] + a[0] * w[2] + a[1] * w[3] + a[2] * w[4]


def _scaled(a, factor):
    return a[1] * factor


_LINES, _PLANES = np.arange(17.0) ** 2 % 11, (np.arange(63.0) ** 2 % 13).reshape(7, 9)


@pytest.mark.parametrize(
    "function, options, arguments",
    [
        (_mean, {}, (_LINES,)),
        (_mean, {"cval": -1.5}, (_LINES,)),
        (_mean, {"neighborhood": ((-3, 1),)}, (_LINES,)),
        (_mean, {}, (_LINES[::-2],)),
        (_mean, {}, (_LINES[:2],)),
        (_behind, {"cval": 7.0}, (_LINES,)),
        (_cross, {}, (_PLANES,)),
        (_cross, {"cval": np.nan}, (_PLANES.T,)),
        (_cross, {}, (np.asfortranarray(_PLANES),)),
        (_two, {}, (_PLANES, _PLANES * 3)),
        (_weighted, {"standard_indexing": ("w",)}, (_LINES, _WEIGHTS)),
        (_scaled, {}, (_LINES, 2.5)),
    ],
)
def test_stencils_of_bascule_are_numbas(function, options, arguments):
    theirs = stencil(function, **options)(*arguments) if not options else stencil(**options)(function)(*arguments)
    mine = bc.stencil(**options)(function)(*(bc.asarray(a) if isinstance(a, np.ndarray) else a for a in arguments))
    assert mine.dtype == theirs.dtype
    np.testing.assert_array_equal(mine.get(), theirs)
    if "cval" not in options:
        np.testing.assert_array_equal(bc.stencil(function, **options)(*map(ours, arguments)).get(), theirs)


def test_a_ufunc_of_somebody_else_is_no_fallback():
    bc.fallbacks(reset=True)
    mine = np.frompyfunc(lambda x: x + 1, 1, 1)
    assert np.asarray(mine(bc.asarray(LENGTHS[:3]))).tolist() == (LENGTHS[:3] + 1).tolist()
    assert bc.fallbacks() == []
    with pytest.raises(NotImplementedError, match="spence.* runs in SciPy"):
        pytest.importorskip("scipy.special").spence(bc.ones(2))


@njit
def of_the_namespace(x):
    r = bc.empty_like(x)
    for i in range(x.size):
        r[i] = bc.cos(x[i]) * bc.pi + bc.floor(bc.maximum(x[i], 5.0))
    return bc.where(r > bc.mean(r), r, bc.nan), bc.linalg.norm(r), r.astype(bc.float32).sum()


def test_names_of_bascule_are_numpys_in_a_jitted_function():
    for x in (bc.asarray(LENGTHS), LENGTHS):
        for got, expected in zip(of_the_namespace(x), of_the_namespace.py_func(bc.asarray(LENGTHS)), strict=True):
            np.testing.assert_allclose(got, np.asarray(expected), rtol=1e-6)


def test_a_name_that_numpy_has_not_is_none_in_a_jitted_function_either():
    with pytest.raises(numba.TypingError, match="evaluate"):
        njit(lambda x: bc.evaluate(x))(LENGTHS)


def test_numba_loaded_first():
    program = """
import numba
import bascule as np

@numba.njit
def total(x):
    return np.sqrt(x).sum() + np.linalg.norm(x)

print(total(np.ones(4)))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "6.0\n"
