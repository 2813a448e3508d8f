"""A single pending operation on stored operands runs without a plan, with the same results and reports as others."""

import itertools
import warnings

import bascule as bc
import numpy as np
import pytest
from bascule import _core
from reported_outcomes import bits

pytestmark = [
    pytest.mark.usefixtures("native"),
    pytest.mark.skipif(bc.config.device != "cpu", reason="small plans are the host's"),
]

N = 240
TYPES = ["?", "u1", "i4", "i8", "u8", "f2", "f4", "f8", "c8", "c16", "M8[s]", "m8[s]"]
UFUNCS = sorted(
    name
    for name in dir(np)
    if isinstance(getattr(np, name), np.ufunc) and getattr(np, name).nin <= 2 and getattr(np, name).nout == 1
)
LAYOUTS = {
    "contiguous": lambda a: a[:N],
    "from an offset": lambda a: a[7 : 7 + N],
    "strided": lambda a: a[::2][:N],
    "backwards": lambda a: a[:N][::-1],
    "columns": lambda a: a[:N].reshape(12, 20).T,
    "part": lambda a: a.reshape(20, 25)[:, 3:15],
    "three axes": lambda a: a[:N].reshape(4, 6, 10).transpose(1, 2, 0),
}


@pytest.fixture
def eager_below():
    """Set the size below which arrays are computed at the call; N elements are above, far above, or below it."""
    before = _core.get_eager_below()
    yield _core.set_eager_below
    _core.set_eager_below(before)


def elements(dtype, seed):
    r = np.random.default_rng(seed)
    kind = np.dtype(dtype).kind
    if kind == "b":
        return r.random(500) > 0.5
    if kind in "ui":
        return r.integers(0, 100, 500).astype(dtype)
    if kind in "mM":
        return r.integers(-(10**9), 10**9, 500).view("i8").astype(dtype)
    a = r.standard_normal(500) * 3
    if kind == "c":
        a = a + 1j * r.standard_normal(500)
    a[::17], a[3::31], a[5::37] = np.nan, np.inf, 0
    return a.astype(dtype)


def outcome(f):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            r = f()
            return str(r.dtype), r.strides, bits(r)
        except Exception as e:
            return type(e).__name__, str(e)


def same_everywhere(eager_below, f):
    eager_below(10 * N)
    at_once = outcome(f)
    for limit in (N // 2, 1):  # without and within a plan
        eager_below(limit)
        assert outcome(f) == at_once, limit


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", UFUNCS)
def test_a_ufunc_computes_the_same(eager_below, name, layout):
    ufunc, view = getattr(bc, name), LAYOUTS[layout]
    for dtype in TYPES:
        a, b = (view(bc.asarray(elements(dtype, seed))) for seed in (1, 2))
        args = [(a,)] if ufunc.nin == 1 else [(a, b), (a, a), (a, 3), (2.5, b), (a, b[0])]
        for given in args:
            same_everywhere(eager_below, lambda given=given: ufunc(*given))


MIXED = ["i4", "i8", "u8", "f2", "f4", "f8", "c8"]


@pytest.mark.parametrize(("one", "other"), list(itertools.permutations(MIXED, 2)))
def test_types_meet(eager_below, one, other):
    a, b = bc.asarray(elements(one, 1))[:N].reshape(12, 20), bc.asarray(elements(other, 2))[:20]
    for f in (lambda: a + b, lambda: a * b, lambda: bc.where(a > b, a, b), lambda: a.astype(other)):
        same_everywhere(eager_below, f)


def test_draws_ranges_and_grids(eager_below):
    for f in (lambda: bc.arange(N) * 2.5, lambda: bc.linspace(0, 1, N), lambda: bc.indices((12, 20))[1] + 1):
        same_everywhere(eager_below, f)


def reported(f):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        np.asarray(f())
    return [(w.category, str(w.message), w.lineno) for w in seen]


@pytest.mark.parametrize("limit", [10 * N, N // 2, 1])
def test_fp_errors_are_reported_as_numpy_reports_them(eager_below, limit):
    eager_below(limit)
    n = elements("f8", 1)[:N]
    a = bc.asarray(n)
    for f, g in (
        (lambda: n / 0, lambda: a / 0), (lambda: np.sqrt(n), lambda: bc.sqrt(a)),
        (lambda: n - n, lambda: a - a), (lambda: np.exp(n * 1000), lambda: bc.exp(a * 1000)),
        (lambda: (n * 1e300).astype("f4"), lambda: (a * 1e300).astype("f4")),
        (lambda: n.astype("f2") * 60000, lambda: a.astype("f2") * 60000),
        (lambda: n.astype("i4") // 0, lambda: a.astype("i4") // 0),
    ):  # fmt: skip
        assert reported(g) == reported(f)


def test_conditions_raise_where_the_value_is_asked_for(eager_below):
    eager_below(N // 2)
    with np.errstate(divide="raise"), pytest.raises(FloatingPointError, match="divide by zero encountered in divide"):
        np.asarray(bc.ones(N) / 0)


def test_without_memory_it_stays_pending(eager_below):
    eager_below(N // 2)
    a = bc.asarray(elements("f8", 1))[:N].copy()
    r = a + 1
    _core.trim("cpu")
    before = _core.memory("cpu")
    _core.set_memory_limit("cpu", max(before["in_use"], 1))
    try:
        with pytest.raises(MemoryError):
            np.asarray(r)
    finally:
        _core.set_memory_limit("cpu", before["limit"])
    assert np.asarray(r).tobytes() == (np.asarray(a) + 1).tobytes()


def test_it_is_counted(eager_below):
    eager_below(N // 2)
    a = bc.asarray(elements("f8", 1))[:N]
    before = _core.statistics()
    np.asarray(a + 1)
    after = _core.statistics()
    assert after["plans"] == before["plans"] + 1
    assert after["pending"] == before["pending"]


def test_what_waits_for_it_still_has_it(eager_below):
    eager_below(N // 2)
    n = elements("f8", 1)[:N]
    a = bc.asarray(n)
    with np.errstate(all="ignore"):
        x = a * 2
        y, z = bc.exp(x), x[::-1] - 1
        np.testing.assert_array_equal(np.asarray(x), n * 2)
        a[:] = 0
        np.testing.assert_array_equal(np.asarray(z), (n * 2)[::-1] - 1)
        np.testing.assert_allclose(np.asarray(y), np.exp(n * 2), rtol=1e-15)
