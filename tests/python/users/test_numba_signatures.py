"""Functions that numba compiled for an explicit signature take bascule arrays like NumPy's."""

import gc
import os
import subprocess
import sys
import textwrap
import threading

import bascule as bc
import numpy as np
import pytest

numba = pytest.importorskip("numba", reason="numba, of the extra `test`, is not installed")
from numba import guvectorize, jit, njit, objmode, prange, types, vectorize
from numba.experimental import jitclass


@pytest.fixture(autouse=True)
def no_fallback():
    with bc.config.set(fallback="error"):
        yield


def reported(call):
    """The result of a call as lists and numbers, or its error."""
    try:
        return np.asarray(call()).tolist()
    except Exception as e:
        return type(e), str(e)


def same(run):
    """Check that `run` has the same outcome with bascule's module as with NumPy's: a tuple, or an error message."""
    got, want = ([reported(p) for p in parts] for parts in (run(bc), run(np)))
    assert got == want


@njit("void(float64[:])", nogil=True)
def count(x):
    for i in range(x.size):
        x[i] = 2 * i


@njit("void(float64[::1])")
def count_dense(x):
    for i in range(x.size):
        x[i] = 2 * i


@njit("float64(float64[:, :])")
def total(x):
    return x.sum()


@njit(types.float64(types.Array(types.float64, 2, "A", readonly=True)))
def total_read_only(x):
    return x.sum()


def test_writes_reach_the_array_and_its_views():
    def run(m):
        a, columns = m.zeros(10), m.zeros((3, 4))
        count(a)
        count(a[::-2])
        count(columns[:, 1])
        count(columns.T[0])
        return lambda: a, lambda: columns

    same(run)


def test_a_deferred_array_is_computed_before_it_is_written():
    def run(m):
        a = m.ones(300_000) + 1
        before = a * 2
        count(a)
        return lambda: before, lambda: a

    same(run)


def test_what_a_signature_does_not_take_is_refused_in_numbas_words():
    same(
        lambda m: (
            lambda: count(m.zeros(3, "f4")),
            lambda: count(m.zeros((3, 2))),
            lambda: count(m.zeros(3).sum()),
            lambda: count(m.broadcast_to(m.zeros(1), (3,))),
            lambda: count_dense(m.zeros(6)[::2]),
            lambda: count_dense(m.zeros(6)[::-1]),
            lambda: total(m.broadcast_to(m.zeros(3), (2, 3))),
            lambda: total_read_only(m.zeros((2, 3), "i8")),
        )
    )


def test_what_a_signature_takes():
    layouts = [lambda a: a, lambda a: a.T, lambda a: a[::2, ::-1], lambda a: a[:0], lambda a: a[1:]]
    same(lambda m: [lambda v=view: total(v(m.arange(12.0).reshape(3, 4))) for view in layouts])
    same(lambda m: [lambda v=view: total_read_only(v(m.arange(12.0).reshape(3, 4))) for view in layouts])
    same(lambda m: (lambda: total_read_only(m.broadcast_to(m.arange(3.0), (2, 3))),))


@pytest.mark.parametrize("dtype", ["?", "i1", "u2", "i4", "u8", "f4", "f8", "c8", "c16", "M8[D]", "m8[ns]"])
def test_every_type(dtype):
    item = numba.from_dtype(np.dtype(dtype))
    swap = njit(types.void(item[:]))(_swap)

    def run(m):
        a = m.asarray(np.arange(1, 5).astype("i8").astype(dtype))
        swap(a[::-1])
        return (lambda: a,)

    same(run)


def _swap(a):
    a[0], a[1] = a[1], a[0]


def test_arrays_without_axes_and_numbers():
    set_seven = njit(types.void(types.Array(types.float64, 0, "C")))(_set_seven)
    shifted = njit("float64(float64)")(lambda x: x + 1)

    def run(m):
        a = m.array(5.0)
        set_seven(a)
        return (
            lambda: a,
            lambda: set_seven(m.ones(3).sum()),
            lambda: set_seven(m.ones(3)[0]),
            lambda: shifted(m.ones(3).sum()),
            lambda: shifted(m.arange(3).sum()),
        )

    same(run)


def _set_seven(x):
    x[()] = 7


def test_threads_fill_their_parts():
    def run(m):
        a = m.zeros(1000)
        threads = [threading.Thread(target=count, args=(a[i : i + 100],)) for i in range(0, 1000, 100)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        return (lambda: a,)

    same(run)


def test_parallel_and_object_mode_and_containers():
    @njit("void(float64[:], float64[:])", parallel=True)
    def more(x, r):
        for i in prange(x.size):
            r[i] = x[i] + 1

    @jit("float64(float64[:])", forceobj=True)
    def first(x):
        return x[0] + 1

    @njit("float64(UniTuple(float64[:], 2))")
    def both(p):
        return p[0].sum() + p[1].sum()

    @njit(types.float64(types.Optional(types.float64[:])))
    def some(x):
        return -1.0 if x is None else x.sum()

    @njit
    def through_python():
        with objmode(y="float64[:]"):
            y = module.arange(4.0)
        return y.sum()

    @jitclass([("x", types.float64[:])])
    class Kept:
        def __init__(self, x):
            self.x = x

        def total(self):
            return self.x.sum()

    def run(m):
        nonlocal module
        module = m
        x, r = m.arange(500.0), m.zeros(500)
        more(x, r)
        kept = Kept(x)
        kept.x = r
        strings = numba.typed.Dict.empty(types.int64, types.float64[:])
        strings[1] = x[::2]
        return (
            lambda: r,
            lambda: first(x + 3),
            lambda: both((x, r[::-1])),
            lambda: some(x),
            lambda: through_python(),
            lambda: kept.total(),
            lambda: strings[1],
        )

    module = np
    same(run)


def test_universal_functions_with_signatures():
    @vectorize(["float64(float64)"], target="parallel")
    def shifted(x):
        return x + 1

    @guvectorize(["void(float64[:], float64[:])"], "(n)->(n)")
    def doubled(a, r):
        for i in range(a.size):
            r[i] = a[i] * 2

    def run(m):
        x, r, s = m.arange(6.0).reshape(2, 3), m.zeros((2, 3)), m.zeros((2, 3))
        doubled(x, r)
        doubled(x[:, ::-1], out=s[:, ::-1])
        return lambda: r, lambda: s, lambda: doubled(x.astype("f4")), lambda: shifted(x.T), lambda: doubled(x + 0j)

    same(run)


def test_one_compilation_serves_both_classes():
    @njit
    def back(x):
        return x

    a = bc.arange(3.0)
    for x in (a, np.arange(3.0), a[::-1], np.arange(3.0)[::-1]):
        back(x)
    assert len(back.signatures) == 2
    assert numba.typeof(bc.ones((2, 3)).T) == numba.typeof(np.ones((2, 3)).T)


def test_an_array_is_let_go_after_the_call():
    a = bc.zeros(10)
    before = sys.getrefcount(a)
    for _ in range(100):
        count(a)
    gc.collect()
    assert (sys.getrefcount(a), bc._core.export_count(a)) == (before, 0)


def test_what_was_compiled_without_bascule_and_kept_on_disk_takes_its_arrays(tmp_path):
    (tmp_path / "kept.py").write_text(
        textwrap.dedent("""
        import numba

        @numba.njit("void(float64[:])", cache=True)
        def count(x):
            for i in range(x.size):
                x[i] = 2 * i
        """)
    )
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}

    def run(program):
        done = subprocess.run(
            [sys.executable, "-c", program], cwd=tmp_path, env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    assert run("import numpy as np, kept; a = np.zeros(3); kept.count(a); print(a.tolist())") == "[0.0, 2.0, 4.0]"
    hits = "assert kept.count.stats.cache_hits, kept.count.stats; "
    assert (
        run(f"import bascule as np, kept; {hits}a = np.zeros(3); kept.count(a); print(a.tolist())") == "[0.0, 2.0, 4.0]"
    )
