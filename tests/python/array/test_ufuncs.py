"""Every ufunc of the op table against NumPy: types, layouts, accuracy, keywords, errors, methods."""

import bascule as bc
import numpy as np
import pytest
from bascule._array import ufuncs
from ufunc_cases import cases, oracle, values

ROWS = [r for r in ufuncs.table if r["has_ufunc"] and not r["space"] and hasattr(np, r["name"])]
NAMES = [r["name"] for r in ROWS]
BLOCK = 1024
LAYOUTS = {
    "contiguous": lambda a: a.reshape(-1),
    "strided": lambda a: a.reshape(-1)[::3],
    "reversed": lambda a: a.reshape(-1)[::-1],
    "broadcast": lambda a: np.broadcast_to(a.reshape(-1)[:7], (5, 7)),
    "fortran": lambda a: a.reshape(-1)[:60].reshape(5, 12, order="F"),
    "planes": lambda a: a.reshape(-1)[:120].reshape(4, 5, 6).transpose(1, 2, 0)[:, ::2],
    "empty": lambda a: a.reshape(-1)[:0],
    "zero-d": lambda a: a.reshape(-1)[3].reshape(()),
    "block-1": lambda a: np.resize(a, BLOCK - 1),
    "block": lambda a: np.resize(a, BLOCK),
    "block+1": lambda a: np.resize(a, BLOCK + 1),
    "large": lambda a: np.resize(a, 5 * BLOCK + 3),
}


def units_apart(x, y):
    """Distance in units in the last place; equal special values have distance zero."""
    same = (x == y) | (np.isnan(x) & np.isnan(y))
    with np.errstate(all="ignore"):
        distance = np.abs(x.astype(np.longdouble) - y.astype(np.longdouble)) / np.spacing(
            np.maximum(np.abs(x), np.abs(y))
        ).astype(np.longdouble)
    return np.where(same, 0, distance)


def assert_within(row, got, want, complex_input=False):
    assert got.dtype == want.dtype
    assert got.shape == want.shape
    if want.dtype.kind not in "fc":
        np.testing.assert_array_equal(got, want)
        return
    exact = row["ulp64"] == 0 and not complex_input
    if exact and want.dtype.kind == "f":
        np.testing.assert_array_equal(got, want)
        return
    parts = [(got, want)] if want.dtype.kind == "f" else [(got.real, want.real), (got.imag, want.imag)]
    size = np.dtype(parts[0][1].dtype).itemsize
    bound = row["ulp64"] if size == 8 else max(row["ulp32"], 1)
    if want.dtype.kind == "c":
        scale = np.maximum(np.abs(want), np.finfo(want.dtype).tiny)
        with np.errstate(all="ignore"):
            apart = np.abs(got - want) / (scale * np.finfo(want.dtype).eps)
        same = (got == want) | (np.isnan(got) & np.isnan(want)) | ~np.isfinite(want)
        assert np.where(same, 0, apart).max(initial=0) <= 4 * bound + 8
        return
    for x, y in parts:
        # The errors of NumPy's own SIMD loops are a few units, too.
        assert units_apart(x, y).max(initial=0) <= bound + 4


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("row", "dtype"), list(cases(ufuncs.table)))
def test_every_loop_agrees_with_its_oracle_in_every_layout(row, dtype):
    inputs = [values(row, dtype, seed) for seed in range(row["nin"])]
    if row["name"] in ("floor_divide", "remainder", "fmod", "divide") and inputs[1].dtype.kind in "iu":
        inputs[1][inputs[1] == 0] = 1
    theirs, ours = oracle(row), row["ufunc"]
    whole = [bc.asarray(a) for a in inputs]
    try:
        theirs(*inputs)
    except TypeError as error:
        with pytest.raises(TypeError) as raised:
            ours(*whole)
        assert str(raised.value) == str(error)
        return
    for name, lay in LAYOUTS.items():
        laid = [lay(a) for a in inputs]
        shared = [bc.asarray(a, copy=None if np.isscalar(a) or a.dtype.kind in "mM" else False) for a in laid]
        try:
            assert_within(row, np.asarray(ours(*shared)), np.asarray(theirs(*laid)), laid[0].dtype.kind == "c")
        except AssertionError as error:
            raise AssertionError(f"layout {name}: {error}") from error


@pytest.mark.parametrize("name", NAMES)
def test_names_attributes_and_docstrings(name):
    ours, theirs = getattr(bc, name), getattr(np, name)
    assert (ours.nin, ours.nout, ours.nargs) == (theirs.nin, theirs.nout, theirs.nargs)
    assert ours.__name__ in (theirs.__name__, name)
    assert ours.ntypes == len(ours.types) > 0
    for section in ("Parameters", "Returns", "Raises", "Notes", "Examples"):
        assert f"{section}\n    ---" in ours.__doc__


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("row", ROWS, ids=NAMES)
def test_docstring_examples_run(row):
    example = next(line for line in getattr(bc, row["name"]).__doc__.splitlines() if ">>> " in line)
    exec(example.split(">>> ")[1], {"bc": bc})


def test_aliases_are_the_same_object():
    assert bc.abs is bc.absolute and bc.mod is bc.remainder and bc.true_divide is bc.divide
    assert bc.bitwise_not is bc.invert and bc.pow is bc.power and bc.asin is bc.arcsin and bc.conj is bc.conjugate


SCALARS = [True, 3, -3, 2.5, 1 + 2j, np.float32(1.5), np.int8(4), np.uint64(7), np.float64(0.5)]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("scalar", SCALARS, ids=repr)
@pytest.mark.parametrize("dtype", ["?", "i1", "u1", "i4", "i8", "u8", "f2", "f4", "f8", "c8", "c16"])
@pytest.mark.parametrize(
    "name", ["add", "multiply", "divide", "less", "maximum", "floor_divide", "arctan2", "bitwise_and"]
)
def test_scalars_promote_as_nep_50_says(name, dtype, scalar):
    a = np.array([1, 2, 3]).astype(dtype)
    for order in (lambda f, x: f(x, scalar), lambda f, x: f(scalar, x)):
        try:
            want = order(getattr(np, name), a)
        except (TypeError, OverflowError) as error:
            with pytest.raises(type(error).__mro__[1] if "UFunc" in type(error).__name__ else type(error)):
                order(getattr(bc, name), bc.asarray(a))
            continue
        got = order(getattr(bc, name), bc.asarray(a))
        assert got.dtype == want.dtype
        np.testing.assert_allclose(got.get(), want, rtol=1e-3 if want.dtype.itemsize == 2 else 1e-6)


def both(call):
    """NumPy's result or error, and ours."""
    results = []
    for module in (np, bc):
        try:
            r = call(module)
        except Exception as error:
            r = error
        results.append(r)
    return results


ERRORS = {
    "shapes": lambda m: m.ones(3) + m.ones(4),
    "shapes-2d": lambda m: m.add(m.ones((2, 3)), m.ones((3, 2))),
    "no-loop": lambda m: m.bitwise_and(m.ones(3), m.ones(3)),
    "no-loop-unary": lambda m: m.invert(m.ones(3)),
    "shift-floats": lambda m: m.ones(2) << 1,
    "out-cast": lambda m: m.add(m.ones(2), 1, out=m.zeros(2, dtype=int)),
    "in-place-cast": lambda m: m.zeros(2, dtype=int).__iadd__(1.5),
    "out-shape": lambda m: m.add(m.ones(3), m.ones(3), out=m.zeros(2)),
    "too-large-integer": lambda m: m.ones(2, dtype="u1") + 300,
    "negative-unsigned": lambda m: m.ones(2, dtype="u1") + -1,
    "far-integer": lambda m: m.ones(2, dtype=int) + 2**70,
    "negative-power": lambda m: m.arange(4) ** -1,
    "negative-powers": lambda m: m.arange(4) ** m.asarray([1, -1, 2, 0]),
    "boolean-difference": lambda m: m.asarray([True]) - m.asarray([True]),
    "boolean-negative": lambda m: -m.asarray([True]),
    "boolean-sign": lambda m: m.sign(m.asarray([True])),
    "float-gcd": lambda m: m.gcd(m.ones(2), m.ones(2)),
    "isnat": lambda m: m.isnat(m.ones(2)),
    "casting-name": lambda m: m.add(m.ones(2), 1, casting="maybe"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors_are_numpys(name):
    want, got = both(ERRORS[name])
    assert isinstance(want, Exception)
    assert isinstance(got, TypeError if isinstance(want, TypeError) else type(want))
    assert str(got) == str(want)


FAR = [2**70, -(2**70), 300, -1, 2**63, 2**64]


@pytest.mark.parametrize("n", FAR)
@pytest.mark.parametrize("dtype", ["i1", "u1", "i8", "u8", "f8"])
def test_comparisons_with_far_python_integers(dtype, n):
    a = np.array([0, 1, 100]).astype(dtype)
    b = bc.asarray(a)
    for name in ("__lt__", "__le__", "__eq__", "__ne__", "__gt__", "__ge__"):
        np.testing.assert_array_equal(getattr(b, name)(n).get(), getattr(a, name)(n))
    np.testing.assert_array_equal(bc.less(n, b).get(), np.less(n, a))
    for name in ("less", "less_equal", "equal", "not_equal", "greater", "greater_equal"):
        for ours, theirs in ((b[1], a[1]), (b[1:2].reshape(()), a[1:2].reshape(()))):
            for swapped in (False, True):
                got, want = (
                    getattr(xp, name)(*((n, v) if swapped else (v, n))) for xp, v in ((bc, ours), (np, theirs))
                )
                assert type(got) is type(want) and got == want


@pytest.mark.parametrize("name", ["less", "less_equal", "equal", "not_equal", "greater", "greater_equal"])
def test_int64_and_uint64_compare_exactly(name):
    s = np.array([-1, 2**53 + 1, 2**62, 5, -(2**63)])
    u = np.array([2**64 - 1, 2**53, 2**62 + 1, 5, 2**63], dtype="u8")
    for x, y in ((s, u), (u, s)):
        got = getattr(bc, name)(bc.asarray(x), bc.asarray(y))
        np.testing.assert_array_equal(got.get(), getattr(np, name)(x, y))


def test_out_where_and_dtype():
    a, b = np.arange(6.0), np.full(6, 2.0)
    mask = a > 2
    out, target = np.full(6, -1.0), bc.full(6, -1.0)
    np.multiply(a, b, out=out, where=mask)
    r = bc.multiply(bc.asarray(a), bc.asarray(b), out=target, where=bc.asarray(mask))
    assert r is target
    np.testing.assert_array_equal(target.get(), out)
    assert bc.add(bc.arange(3), 1, dtype="f4").dtype == np.float32
    narrow = bc.zeros(6, dtype="f4")
    bc.add(bc.asarray(a), 1, out=narrow)
    np.testing.assert_array_equal(narrow.get(), (a + 1).astype("f4"))
    np.testing.assert_array_equal(bc.add(bc.asarray(a), 1, out=(target,)).get(), a + 1)


METHODS = [
    "add",
    "multiply",
    "subtract",
    "maximum",
    "minimum",
    "logical_and",
    "logical_or",
    "logical_xor",
    "bitwise_or",
    "hypot",
]


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("axis", [0, 1, -1, (0, 2), None])
def test_reduce(name, axis):
    a = np.random.default_rng(1).integers(1, 5, (3, 4, 5))
    call = lambda m, x: getattr(m, name).reduce(x, axis=axis)
    want, got = both(lambda m: call(m, m.asarray(a)))
    if isinstance(want, Exception):
        assert type(got) is type(want) and str(got) == str(want)
        return
    assert type(got) is (bc.ndarray if isinstance(want, np.ndarray) else type(want)) and got.dtype == want.dtype
    np.testing.assert_allclose(np.asarray(got), want, rtol=1e-12)


@pytest.mark.parametrize("name", ["add", "multiply", "maximum", "logical_or"])
def test_reduce_takes_keepdims_dtype_out_initial(name):
    a = np.arange(12.0).reshape(3, 4)
    f = lambda m, **k: getattr(m, name).reduce(m.asarray(a), axis=1, **k)
    np.testing.assert_array_equal(f(bc, keepdims=True).get(), f(np, keepdims=True))
    if name != "logical_or":
        np.testing.assert_array_equal(f(bc, initial=7).get(), f(np, initial=7))
        np.testing.assert_array_equal(f(bc, initial=7, where=bc.asarray(a > 3)).get(), f(np, initial=7, where=a > 3))
        assert f(bc, dtype="f4").dtype == f(np, dtype="f4").dtype
    out = bc.zeros(3, dtype=f(np).dtype)
    assert f(bc, out=out) is out
    np.testing.assert_array_equal(out.get(), f(np))


@pytest.mark.parametrize("name", ["add", "multiply", "maximum", "subtract", "bitwise_xor"])
@pytest.mark.parametrize("dtype", ["i1", "u2", "i8"])
def test_accumulate_and_outer(name, dtype):
    a = np.random.default_rng(2).integers(0, 4, (3, 5)).astype(dtype)
    for axis in (0, 1, -1):
        got, want = getattr(bc, name).accumulate(bc.asarray(a), axis), getattr(np, name).accumulate(a, axis)
        assert got.dtype == want.dtype
        np.testing.assert_array_equal(got.get(), want)
    np.testing.assert_array_equal(
        getattr(bc, name).outer(bc.asarray(a), bc.asarray(a[0])).get(), getattr(np, name).outer(a, a[0])
    )


def test_methods_that_are_not_there_say_so():
    with pytest.raises(ValueError, match="reduce only supported for binary functions"):
        bc.sin.reduce(bc.ones(3))


def test_at_counts_repeated_indices():
    a, b = np.zeros(4), bc.zeros(4)
    np.add.at(a, [0, 1, 1], 1)
    with bc.config.set(fallback="silent"):
        bc.add.at(b, [0, 1, 1], 1)
    np.testing.assert_array_equal(b.get(), a)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("size", [3, 1000, BLOCK + 1, 70_000])
def test_a_power_with_the_exponent_two_is_a_product(dtype, size):
    x = np.exp(np.random.default_rng(size).normal(0, 5, size)).astype(dtype)
    x[:3] = -x[0], -0.0, np.inf
    mine, twos = bc.asarray(x), np.full(size, 2, dtype)
    for exponent in (2, 2.0, np.int8(2), np.array(2.0, dtype), np.broadcast_to(np.array(2, dtype), size)):
        assert np.array_equal(np.asarray(bc.power(mine, exponent)), np.power(x, exponent)), exponent
    for found in (
        bc.power(mine, 2),
        bc.power(mine, bc.asarray(twos)),
        bc.power(mine + 0, twos) + 0,
        bc.float_power(mine, 2),
    ):
        assert np.array_equal(np.asarray(found).astype(dtype), x * x)
