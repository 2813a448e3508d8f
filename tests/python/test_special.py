"""bascule.special against SciPy: types, special values, accuracy, layouts, dispatch, and composed functions."""

import inspect
import os
import subprocess
import sys

import bascule as bc
import numpy as np
import pytest
from bascule._array import ufuncs

scipy_special = pytest.importorskip("scipy.special", reason="SciPy is the oracle")

UFUNCS = [*ufuncs.special_by_name, "erf", "erfc"]
TYPES = ["?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8"]
EDGES = [0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 0.5, -0.5, 3.0, -3.0, 1e-320, -1e-320, 5e-324, 1e-300, 1e300, -1e300, 710.0,
         -710.0, 800.0, -800.0, 1e-20, -1e-20, np.inf, -np.inf, np.nan]  # fmt: skip


def both(name):
    return getattr(bc.special, name), getattr(scipy_special, name)


def inputs(name, n, seed, dtype=np.float64):
    """Random arguments within the range of an op's stated accuracy, some of them spread over all magnitudes."""
    row, rng = ufuncs.rows.get(name) or ufuncs.rows[ufuncs.special_by_name[name].__name__], np.random.default_rng(seed)
    low, high = max(row["low"], -700), min(row["high"], 700)
    drawn = [rng.uniform(low, high, n), rng.uniform(max(low, -8), min(high, 8), n)]
    if low >= 0:
        drawn.append(np.exp(rng.uniform(-30, np.log(high), n)))
    return np.concatenate(drawn).astype(dtype)


def arguments(name, n, dtype=np.float64):
    return [inputs(name, n, seed, dtype) for seed in range(both(name)[0].nin)]


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", UFUNCS)
def test_types_are_scipys(name, dtype):
    ours, theirs = both(name)
    a = np.ones(3, dtype)
    assert ours(*[bc.asarray(a)] * ours.nin).dtype == theirs(*[a] * ours.nin).dtype


@pytest.mark.parametrize("name", UFUNCS)
def test_complex_numbers_are_refused_or_computed(name):
    ours, theirs = both(name)
    a = np.array([0.5 + 1j, 2 - 3j, 0])
    if "D" not in "".join(ours.types):
        with pytest.raises(TypeError, match=f"ufunc '{ours.__name__}' not supported for the input types"):
            ours(*[bc.asarray(a)] * ours.nin)
        return
    b = a[::-1].copy()
    args = (a, b)[: ours.nin]
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(ours(*map(bc.asarray, args)).get(), theirs(*args), rtol=1e-14)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("name", UFUNCS)
def test_special_values_are_scipys(name, dtype):
    ours, theirs = both(name)
    edges = np.array(EDGES, dtype)
    args = np.meshgrid(*[edges] * ours.nin)
    args = [a.ravel() for a in args]
    got, want = ours(*map(bc.asarray, args)).get(), theirs(*args)
    wrong = [(tuple(float(a[i]) for a in args), float(got[i]), float(want[i]))
             for i in np.flatnonzero(~close_at_edges(name, got, want, *args))]  # fmt: skip
    assert wrong == []


def close_at_edges(name, got, want, *args):
    """Same infinities, NaN and signs; values within SciPy's own error."""
    rtol = 1e-5 if want.dtype == np.float32 else 1e-11
    same = (got == want) | (np.isnan(got) & np.isnan(want)) | np.isclose(got, want, rtol=rtol, atol=1e-300)
    for known in BETTER_THAN_SCIPY.get(name, ()):
        same |= known(*(a.astype(float) for a in args))
    return same


# Cases in which SciPy is wrong or arbitrary (SciPy 1.17), by name: overflow and underflow on the way to a result in
# range, functions of infinity, signs of poles, and NaN with a pole.
def _near_overflow(x):
    return np.abs(x) >= 700


def _near_underflow(x):
    return (np.abs(x) < 1e-300) & (x != 0)


BETTER_THAN_SCIPY = {
    "exp10": [lambda x: x < -307],
    "exprel": [_near_overflow],
    "expit": [lambda x: x < -80],
    "erfcinv": [_near_underflow],
    "gammaln": [_near_underflow],
    "i0": [_near_overflow],
    "i1": [_near_overflow],
    "kl_div": [lambda x, y: _near_underflow(x) | _near_underflow(y) | _near_overflow(x) | (x < 1e-290 * y),
               lambda x, y: np.abs(x - y) < 0.1 * np.abs(y)],
    "beta": [lambda x, y: (x <= 0) | (y <= 0) | _near_overflow(x) | _near_overflow(y)],
    "betaln": [lambda x, y: (x <= 0) | (y <= 0) | _near_underflow(x) | _near_underflow(y) | ((x == 1) & (y == 1))
                            | _near_overflow(x) | _near_overflow(y)],
}  # fmt: skip


@pytest.mark.parametrize(("a", "b", "want"), [
    (-2.5, 3.0, -16 / 15), (-0.5, -0.5, 0.0), (-2.5, 1.25, None), (-3.5, -1.25, None), (-2.0, 2.0, 0.5),
    (-2.0, 3.0, np.inf), (0.0, 3.0, np.inf), (-1.5, 0.0, np.inf), (2.0, 1e300, 0.0), (np.inf, 2.0, 0.0),
    (np.inf, np.inf, np.nan), (np.nan, 1.0, np.nan), (1e8, 1.0, 1e-8),
])  # fmt: skip
def test_beta_left_of_zero_and_at_the_ends(a, b, want):
    if want is None:
        want = scipy_special.gamma(a) * scipy_special.gamma(b) / scipy_special.gamma(a + b)
    for x, y in ((a, b), (b, a)):
        np.testing.assert_allclose(float(bc.special.beta(x, y)), want, rtol=1e-13)
        size = np.abs(want)
        logarithm = -np.inf if size == 0 and not abs(b) > 1e299 else None if size == 0 else np.log(size)
        if logarithm is not None:
            np.testing.assert_allclose(float(bc.special.betaln(x, y)), logarithm, rtol=1e-12)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("name", UFUNCS)
def test_values_are_scipys_within_its_error(name, dtype):
    """The error is SciPy's: in float64 up to 1e5 units (ours, at most 4, is measured in tests/cpp/ops)."""
    ours, theirs = both(name)
    args = arguments(name, 3000, dtype)
    got, want = ours(*map(bc.asarray, args)).get(), theirs(*args)
    assert got.dtype == want.dtype
    if dtype == "f8":
        assert close_at_edges(name, got, want, *args).all()
        return
    # SciPy flushes subnormal numbers to zero, and cancels in float32.
    scale = np.maximum(np.abs(want), np.maximum(1, np.abs(args[0])) if name == "kl_div" else np.finfo("f4").tiny)
    apart = np.abs(got.astype(float) - want) / (np.finfo("f4").eps * scale)
    apart[(got == want) | (np.isnan(got) & np.isnan(want)) | (np.abs(got) < np.finfo("f4").tiny)] = 0
    assert apart.max() <= 4


@pytest.mark.parametrize("name", UFUNCS)
def test_layouts_give_the_same_bits(name):
    ours, _ = both(name)
    args = [np.resize(a, (40, 60)) for a in arguments(name, 1000)]
    whole = ours(*map(bc.asarray, args)).get()
    for lay in (lambda a: a[::-1, ::3], lambda a: a.T, lambda a: a[:, 7], lambda a: np.asfortranarray(a)):
        laid = [bc.asarray(lay(a)) for a in args]
        np.testing.assert_array_equal(ours(*laid).get(), lay(whole))
    assert ours(*[float(a[1, 2]) for a in args]) == whole[1, 2]


PROGRAM = """
import sys, numpy as np, bascule as bc
rng = np.random.default_rng(3)
for name in {names!r}:
    u = getattr(bc.special, name)
    for t in "fd":
        args = [np.concatenate([rng.uniform(-9, 9, 2000), rng.uniform(0, 1, 2000), np.exp(rng.uniform(-700, 700, 2000))]) for _ in range(u.nin)]
        with np.errstate(all="ignore"):
            r = u(*(bc.asarray(a.astype(t)) for a in args)).get()
        r[np.isnan(r)] = np.nan
        sys.stdout.buffer.write(r.tobytes())
"""


def test_avx2_and_avx512_give_the_same_bits():
    results = []
    for isa in ("avx2", "avx512"):
        program = PROGRAM.format(names=UFUNCS)
        done = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, env={**os.environ, "BASCULE_ISA": isa}
        )
        if b"does not have it" in done.stderr:
            pytest.skip(f"this machine has no {isa}")
        assert done.returncode == 0, done.stderr.decode()
        results.append(done.stdout)
    assert results[0] == results[1] and len(results[0]) > 1000


def test_names_are_one_object_each_and_stay_out_of_numpys_namespace():
    assert bc.special.erf is bc.erf and bc.special.cbrt is bc.cbrt and bc.special.sinc is bc.sinc
    numpys = set(ufuncs.by_name)
    assert not numpys & set(ufuncs.special_by_name)
    assert set(ufuncs.special_by_name) & set(bc.__all__) <= {"i0"}  # NumPy has a function of that name
    for name in bc.special.__all__:
        assert callable(getattr(bc.special, name)) and hasattr(scipy_special, name)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", [*ufuncs.special_by_name, "logsumexp", "softmax", "log_softmax"])
def test_docstring_examples_run(name):
    doc = getattr(bc.special, name).__doc__
    lines = [line.split(">>> ")[1] for line in doc.splitlines() if ">>> " in line]
    assert lines
    known: dict[str, object] = {}
    for line in lines:
        exec(line, known)
    for section in ("Parameters", "Returns", "Raises", "Examples"):
        assert f"{section}\n    ---" in doc


@pytest.mark.parametrize("name", UFUNCS)
def test_scipys_ufuncs_of_our_arrays_are_ours(name):
    ours, theirs = both(name)
    args = [bc.asarray(a) for a in arguments(name, 10)]
    with bc.config.set(fallback="error"):
        r = theirs(*args)
    assert type(r) is bc.ndarray
    np.testing.assert_array_equal(r.get(), ours(*args).get())


def test_scipys_other_ufuncs_run_in_scipy_and_are_counted():
    bc.fallbacks(reset=True)
    with bc.config.set(fallback="silent"):
        r = scipy_special.jv(0, bc.asarray([0.5, 1.0]))
        c = scipy_special.erf(bc.asarray([0.5 + 1j]))
        k = bc.special.k0(bc.asarray([0.5]))
    assert all(type(x) is bc.ndarray for x in (r, c, k))
    np.testing.assert_array_equal(r.get(), scipy_special.jv(0, [0.5, 1.0]))
    np.testing.assert_array_equal(c.get(), scipy_special.erf([0.5 + 1j]))
    np.testing.assert_array_equal(k.get(), scipy_special.k0([0.5]))
    assert {f["name"] for f in bc.fallbacks()} >= {"jv", "erf", "special.k0"}
    with pytest.raises(AttributeError, match="no attribute 'no_such_function'"):
        bc.special.no_such_function
    with bc.config.set(fallback="error"), pytest.raises(NotImplementedError, match="SciPy"):
        scipy_special.jv(0, bc.asarray([0.5]))


COMPOSED = ["logsumexp", "softmax", "log_softmax"]


@pytest.mark.parametrize("name", COMPOSED)
def test_signatures_of_composed_functions(name):
    ours, theirs = both(name)
    assert [(p.name, p.default, p.kind) for p in inspect.signature(ours).parameters.values()] == [
        (p.name, p.default, p.kind) for p in inspect.signature(theirs).parameters.values()
    ]


def agree(got, want, rtol=1e-13):
    for g, w in zip(got, want) if isinstance(want, tuple) else ((got, want),):
        g = g.get() if hasattr(g, "get") else np.asarray(g)
        assert g.dtype == np.asarray(w).dtype and g.shape == np.shape(w)
        np.testing.assert_allclose(g, w, rtol=rtol if g.dtype == np.float64 else 2e-6, atol=1e-300)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", ["f8", "f4", "i8"])
@pytest.mark.parametrize("axis", [None, 0, -1, (0, 2), (0, 1, 2)])
@pytest.mark.parametrize("name", COMPOSED)
def test_composed_functions_agree_with_scipy(name, axis, dtype):
    ours, theirs = both(name)
    a = (np.random.default_rng(4).normal(0, 30, (3, 40, 5))).astype(dtype)
    agree(ours(bc.asarray(a), axis), theirs(a, axis))
    agree(ours(a.tolist(), axis=axis), theirs(a.tolist(), axis=axis)) if dtype != "f4" else None


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("axis", [None, 1, (0, 1)])
@pytest.mark.parametrize("return_sign", [False, True])
def test_logsumexp_takes_weights_and_returns_signs(axis, keepdims, return_sign):
    rng = np.random.default_rng(5)
    a = rng.normal(0, 3, (4, 6))
    a[1, 2], a[2, 3] = np.inf, np.nan
    hidden = np.ones((4, 6))
    hidden[1, 2] = hidden[2, 3] = 0
    for b in (
        rng.normal(0, 1, (4, 6)) * hidden,
        rng.normal(0, 1, (4, 1)) * hidden,
        hidden,
        np.array(2.0),
        rng.normal(0, 1, 6),
    ):
        call = {"axis": axis, "b": b, "keepdims": keepdims, "return_sign": return_sign}
        agree(bc.special.logsumexp(bc.asarray(a), **call), scipy_special.logsumexp(a, **call), rtol=1e-11)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("b", [None, [1.0, 1.0], [1.0, -1.0], [1.0, -2.0], [0.0, 1.0], [0.0, 0.0]], ids=str)
@pytest.mark.parametrize("a", [[0.0, 0.0], [np.inf, 0], [-np.inf, -np.inf], [np.inf, np.inf], [np.inf, -np.inf],
                               [np.nan, 1], [1e4, 1e4], [-1e4, -1e4 + 1], [0, -40.0]], ids=str)  # fmt: skip
def test_logsumexp_at_the_ends(a, b):
    call = {"b": b, "return_sign": True}
    agree(bc.special.logsumexp(a, **call), scipy_special.logsumexp(a, **call))
    agree(bc.special.logsumexp(a, b=b), scipy_special.logsumexp(a, b=b))


def test_logsumexp_of_nothing_and_of_complex_numbers():
    for shape, axis in (((0,), None), ((0, 3), 0), ((0, 3), 1)):
        agree(bc.special.logsumexp(np.ones(shape), axis), scipy_special.logsumexp(np.ones(shape), axis))
    z = np.array([1 + 2j, 0.5 - 1j])
    with bc.config.set(fallback="silent"):
        agree(bc.special.logsumexp(bc.asarray(z)), scipy_special.logsumexp(z))
    with pytest.raises(np.exceptions.AxisError):
        bc.special.logsumexp(bc.ones(3), axis=1)
    with pytest.raises(np.exceptions.AxisError):
        bc.special.softmax(bc.ones(3), axis=1)
    with pytest.raises(ValueError, match="could not be broadcast|shape mismatch"):
        bc.special.logsumexp(bc.ones(3), b=[1, 2])


def test_importing_bascule_does_not_import_special():
    program = "import sys, bascule; print('bascule.special' in sys.modules, 'scipy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


@pytest.mark.parametrize("kind", ["f2", "f4", "f8", "i1", "u8", "?"])
def test_numpys_i0_is_the_op_of_special_in_the_type_of_its_argument(kind):
    x = np.array([0, 1, 3, 7], kind)
    ours = bc.i0(bc.array(x))
    assert ours.dtype == np.i0(x).dtype
    np.testing.assert_array_equal(np.asarray(ours), np.asarray(bc.special.i0(bc.array(x))).astype(ours.dtype))
