"""reduce, accumulate, reduceat, outer and at of every ufunc, against NumPy with the fallback forbidden."""

import functools

import bascule as bc
import numpy as np
import pytest
from bascule._array import ufuncs

pytestmark = pytest.mark.usefixtures("native")

BINARY = sorted(
    n for n, u in ufuncs.by_name.items() if u.nin == 2 and isinstance(getattr(np, n, None), np.ufunc)
)  # fmt: skip
UNARY = sorted(n for n, u in ufuncs.by_name.items() if u.nin == 1 and isinstance(getattr(np, n, None), np.ufunc))
TYPES = "?bhilBHILefdFDmM"
HALF_LESS = ("nextafter",)  # computed in float32, so that the neighbour differs


@pytest.fixture(autouse=True)
def _native():
    with bc.config.set(fallback="error"):
        yield


def sample(code, shape=(4, 6)):
    """Small values of a type without zeros, since they are also divisors and exponents."""
    values = np.random.default_rng(7).integers(1, 4, shape)
    return values.astype(np.dtype(code + ("8[s]" if code in "mM" else "")))


def outcome(call):
    """The outcome of a call: type and value, or the class and text of its error."""
    with np.errstate(all="ignore"):
        try:
            r = call()
        except Exception as error:
            return type(error), str(error)
    r = r.get() if type(r) is bc.ndarray else np.asarray(r)
    return r.dtype, r


def assert_same(name, got, want):
    assert got[0] == want[0], (got, want)
    if isinstance(want[1], str):
        assert got[1] == want[1]
        return
    if want[0].kind in "fc" and name not in ("add", "subtract", "maximum", "minimum"):
        np.testing.assert_allclose(got[1], want[1], rtol=64 * np.finfo(want[0]).eps)  # for a chain of roundings
    else:
        np.testing.assert_array_equal(got[1], want[1])


# The message for a missing loop depends on how NumPy searches for one; the class does not.
def same_or_refused(name, got, want):
    if isinstance(want[0], type) and issubclass(want[0], TypeError):
        assert isinstance(got[0], type) and issubclass(got[0], TypeError), (got, want)
        return
    assert_same(name, got, want)


# In a reduction NumPy's vectorized loops of these read overwritten elements, so chains of calls are the reference.
MISREAD = ("power", "pow", "arctan2", "atan2")


def reduced(m, name, x, axis, starts=None, **options):
    """reduce, or reduceat if there are starts."""
    method = getattr(m, name).reduce if starts is None else lambda *a, **k: getattr(m, name).reduceat(a[0], starts, **k)
    if m is bc or name not in MISREAD or x.dtype.kind not in "biuf":
        return method(x, axis=axis, **options)
    lines = np.moveaxis(x, axis, 0).astype(getattr(np, name)(x[:1], x[:1]).dtype)
    chain = lambda part: functools.reduce(getattr(np, name), list(part))
    if starts is None:
        return np.expand_dims(chain(lines), axis) if options.get("keepdims") else chain(lines)
    ends = [max(b, a + 1) for a, b in zip(starts, (*starts[1:], x.shape[axis]))]
    return np.stack([chain(lines[a:b]) for a, b in zip(starts, ends)], axis)


@pytest.mark.parametrize("code", TYPES)
@pytest.mark.parametrize("name", BINARY)
def test_every_method_of_every_binary_ufunc(name, code):
    if name in HALF_LESS and code in "?bBe":
        code = "f"
    a = sample(code)
    for axis in (0, 1, -1):
        calls = [
            lambda m, x, k=axis: reduced(m, name, x, k),
            lambda m, x, k=axis: reduced(m, name, x, k, keepdims=True),
            lambda m, x, k=axis: getattr(m, name).accumulate(x, axis=k),
            lambda m, x, k=axis: reduced(m, name, x, k, [0, 3, 1, 1, 2]),
        ]
        for call in calls:
            same_or_refused(name, outcome(lambda: call(bc, bc.asarray(a))), outcome(lambda: call(np, a)))
    outer = lambda m, x: getattr(m, name).outer(x[0], x[:, 1])
    if code not in "mM":
        same_or_refused(name, outcome(lambda: outer(bc, bc.asarray(a))), outcome(lambda: outer(np, a)))


@pytest.mark.parametrize("code", "?bIefdD")
@pytest.mark.parametrize("name", BINARY)
def test_initial_where_and_several_axes(name, code):
    if name in HALF_LESS and code in "?be":
        code = "f"
    a, mask = sample(code, (3, 4, 5)), np.random.default_rng(1).random((3, 4, 5)) < 0.5
    one = np.asarray(1, a.dtype)[()]
    for options in (
        {"axis": None},
        {"axis": (0, 2)},
        {"axis": ()},
        {"axis": 1, "initial": one},
        {"axis": 1, "initial": None},
        {"axis": 1, "where": mask},
        {"axis": 1, "where": mask, "initial": one},
        {"axis": (0, 1), "where": mask[0], "initial": one},
    ):
        host = lambda m, x, o=options: getattr(m, name).reduce(x, **o)
        device = {k: bc.asarray(v) if isinstance(v, np.ndarray) else v for k, v in options.items()}
        got = outcome(lambda: getattr(bc, name).reduce(bc.asarray(a), **device))
        same_or_refused(name, got, outcome(lambda: host(np, a)))


@pytest.mark.parametrize("name", BINARY)
def test_empty_reductions_have_the_identity_or_raise(name):
    for code, shape in (("d", (3, 0)), ("d", (0,)), ("i", (0, 2)), ("?", (0,))):
        for axis in (0, -1, None):
            call = lambda m, x: getattr(m, name).reduce(x, axis=axis)
            a = np.zeros(shape, code)
            same_or_refused(name, outcome(lambda: call(bc, bc.asarray(a))), outcome(lambda: call(np, a)))


@pytest.mark.parametrize("name", ["add", "subtract", "maximum", "hypot", "logical_and", "logical_xor", "bitwise_or"])
def test_outputs_take_part_in_the_choice_of_the_loop(name):
    for code, to in (("d", "i"), ("b", "b"), ("b", "i"), ("B", "f"), ("d", "d")):
        a = sample(code) if code != "d" else sample(code) + 0.25
        for method, args in (("reduce", ()), ("accumulate", ()), ("reduceat", ([0, 2],))):
            shape = getattr(np, "add" if method == "reduce" else name)
            shape = np.add.reduce(a).shape if method == "reduce" else (2, 6) if method == "reduceat" else a.shape

            def call(m, x, out):
                r = getattr(getattr(m, name), method)(x, *args, out=out)
                assert r is out
                return r

            got = outcome(lambda: call(bc, bc.asarray(a), bc.zeros(shape, to)))
            same_or_refused(name, got, outcome(lambda: call(np, a, np.zeros(shape, to))))


@pytest.mark.parametrize("code", "efdl")
@pytest.mark.parametrize("name", ["add", "multiply", "subtract", "maximum", "hypot", "logaddexp"])
def test_many_segments_of_many_lengths(name, code):
    if code == "l" and name in ("hypot", "logaddexp"):
        code = "d"
    rng = np.random.default_rng(3)
    a = (rng.random((3, 700)) + 0.5).astype(code)
    starts = rng.integers(0, 700, 150)
    for x, axis in ((a, 1), (a[0], 0), (a.T, 0), (np.asfortranarray(a), 1), (a[:, ::-1], 1)):
        with np.errstate(all="ignore"):
            want = getattr(np, name).reduceat(x, starts, axis=axis)
        got = getattr(bc, name).reduceat(bc.asarray(x), bc.asarray(starts), axis=axis).get()
        if name in ("logaddexp", "hypot"):
            np.testing.assert_allclose(got, want, rtol=64 * np.finfo(want.dtype).eps)
        else:
            np.testing.assert_array_equal(got, want)
        assert got.dtype == want.dtype


@pytest.mark.parametrize("dtype", ["f8", "f4", "f2", "i8", "i4", "u1", "c16", "?"])
@pytest.mark.parametrize("name", ["add", "multiply", "maximum", "minimum", "fmax", "logical_or"])
@pytest.mark.parametrize("shape, axis", [((200_000,), 0), ((300, 400), 1), ((400, 300), 0)])
def test_reduceat_of_many_segments(name, dtype, shape, axis):
    """With more than one thread, few elements and many, regular and irregular segments."""
    rng = np.random.default_rng(5)
    x = (rng.standard_normal(shape) * 2).astype(dtype)
    n = shape[axis]
    some = [0, 1, 2, 4, 7, 15, 24, 60, *range(70, n, 3 * n // 100), n - 1]
    for starts in (np.arange(0, n, 7), np.unique(rng.integers(0, n, n // 9)), some, rng.integers(0, n, 90)):
        with np.errstate(all="ignore"), bc.errstate(all="ignore"):
            want = getattr(np, name).reduceat(x, starts, axis=axis)
            got = getattr(bc, name).reduceat(bc.asarray(x), starts, axis=axis).get()
        assert got.dtype == want.dtype
        np.testing.assert_array_equal(got, want)


def test_reduceat_of_many_segments_reports_conditions():
    x = np.ones(200_000)
    x[150_000:150_002] = 1e308
    for m in (np, bc):
        with pytest.warns(RuntimeWarning, match="overflow encountered in reduceat"):
            m.add.reduceat(m.asarray(x), np.arange(0, x.size, 5))
        with pytest.warns(RuntimeWarning, match="invalid value encountered in reduceat"):
            m.subtract.reduceat(m.asarray(np.where(x > 1, np.inf, x)), np.arange(0, x.size, 5))


# ---- at

INDICES = {
    "list": [0, 2, 2, -1, 2],
    "pairs": [[0, 1], [1, 1]],
    "slice": slice(1, None, 2),
    "mask": np.array([True, False, True, True]),
    "tuple": ([0, 0, 3], slice(None)),
    "both": ([0, 0, 3, 0], [1, 1, 2, 1]),
    "integer": 2,
    "new axis": None,
    "dots": Ellipsis,
    "nothing": [],
}


@pytest.mark.parametrize("index", INDICES)
@pytest.mark.parametrize("name", BINARY)
def test_at_follows_repeated_indices_one_by_one(name, index):
    key = INDICES[index]
    for code in "ld?f":
        x, y = sample(code, (4, 5)), sample(code, (4, 5))
        b = sample(code, np.shape(x[tuple(key) if isinstance(key, tuple) else key]))
        for value in (b, b.ravel()[:1].reshape(()) if b.size else b):
            ours = bc.asarray(x)
            got = outcome(lambda: getattr(bc, name).at(ours, key, value) or ours)
            theirs = x.copy()
            with np.errstate(all="ignore"):
                want = outcome(lambda: getattr(np, name).at(theirs, key, value) or theirs)
            same_or_refused(name, got, want)
    del y


@pytest.mark.parametrize("name", ["negative", "square", "logical_not", "absolute", "sqrt"])
def test_at_of_one_operand(name):
    x = np.arange(-3.0, 3.0)
    ours, theirs = bc.asarray(x), x.copy()
    with np.errstate(all="ignore"):
        getattr(bc, name).at(ours, [0, 0, 1, 5, 0])
        getattr(np, name).at(theirs, [0, 0, 1, 5, 0])
    np.testing.assert_array_equal(ours.get(), theirs)


@pytest.mark.parametrize("layout", ["dense", "strided", "reversed", "fortran"])
def test_at_writes_through_every_layout(layout):
    take = {
        "dense": lambda v: v,
        "strided": lambda v: v[:, ::2],
        "reversed": lambda v: v[::-1, ::-1],
        "fortran": lambda v: v.T,
    }[layout]
    x = np.arange(24.0).reshape(4, 6)
    ours, theirs = bc.asarray(x), x.copy()
    for m, a in ((bc, ours), (np, theirs)):
        m.multiply.at(take(a), ([0, 1, 0, -1], [1, 2, 1, 0]), [2.0, 3.0, 5.0, 7.0])
        m.add.at(take(a), ([0, 1, 0, -1], [1, 2, 1, 0]), [2.0, 3.0, 5.0, 7.0])
        m.subtract.at(take(a)[1], [0, 1, 0, -1], 1.0)
    np.testing.assert_array_equal(ours.get(), theirs)


@pytest.mark.parametrize("name", ["subtract", "power", "divide", "hypot", "maximum", "floor_divide"])
def test_one_position_many_times(name):
    x, p = np.array([1.5, 2.0, 3.0]), np.r_[np.zeros(900, int), np.arange(3), np.ones(70, int)]
    b = np.random.default_rng(0).random(p.size) + 0.5
    ours, theirs = bc.asarray(x), x.copy()
    with np.errstate(all="ignore"):
        getattr(bc, name).at(ours, p, b)
        getattr(np, name).at(theirs, p, b)
    np.testing.assert_allclose(ours.get(), theirs, rtol=1e-12)


# ---- errors


@pytest.mark.parametrize(
    "call",
    [
        lambda m, a: m.add.reduce(a, axis=5),
        lambda m, a: m.add.reduce(a, axis=(0, 0)),
        lambda m, a: m.add.reduce(a, axis="x"),
        lambda m, a: m.add.reduce(a, axis=[0]),
        lambda m, a: m.add.reduce(a, axis=(0, 1.5)),
        lambda m, a: m.add.reduce(a, initial=1j),
        lambda m, a: m.add.reduce(a, initial=[1, 2]),
        lambda m, a: m.add.reduce(a, out=3),
        lambda m, a: m.add.reduce(a, out=(1, 2)),
        lambda m, a: m.add.reduce(a, out=m.zeros((2, 2))),
        lambda m, a: m.subtract.reduce(a, axis=None),
        lambda m, a: m.lcm.reduce(a.astype(int), axis=(0, 1)),
        lambda m, a: m.maximum.reduce(a, where=a > 3),
        lambda m, a: m.minimum.reduce(m.zeros(0)),
        lambda m, a: m.add.reduce(m.zeros((3, 0)), axis=1, initial=None),
        lambda m, a: m.bitwise_or.reduce(a),
        lambda m, a: m.divide.reduce([8, 2], dtype=int),
        lambda m, a: m.logical_and.reduce(a, dtype=int),
        lambda m, a: m.subtract.reduce(a > 1),
        lambda m, a: m.add.accumulate(1.0),
        lambda m, a: m.add.accumulate(a, axis=(0, 1)),
        lambda m, a: m.add.accumulate(a, axis=None),
        lambda m, a: m.add.accumulate(a, axis=3),
        lambda m, a: m.add.reduceat(a, [0, 5]),
        lambda m, a: m.add.reduceat(a, [-1]),
        lambda m, a: m.add.reduceat(1.0, [0]),
        lambda m, a: m.add.reduceat(a, [0], axis=2),
        lambda m, a: m.add.reduceat(a, [0], axis=None),
        lambda m, a: m.negative.reduce(a),
        lambda m, a: m.negative.accumulate(a),
        lambda m, a: m.negative.reduceat(a, [0]),
        lambda m, a: m.negative.outer(a),
        lambda m, a: m.add.outer(1),
        lambda m, a: m.add.outer(a, [1, 2], foo=1),
        lambda m, a: m.add.at(a, [5], 1),
        lambda m, a: m.add.at(a, [0, 1], [1, 2, 3]),
        lambda m, a: m.add.at([1], [0], 1),
        lambda m, a: m.negative.at(a, [0], 1),
        lambda m, a: m.add.at(a, [0]),
        lambda m, a: m.add.at(a, [1.5], 1),
        lambda m, a: m.bitwise_or.at(a, [0], 1),
    ],
)
def test_errors_have_numpys_class_and_text(call):
    x = np.arange(12.0).reshape(3, 4)
    want, got = outcome(lambda: call(np, x)), outcome(lambda: call(bc, bc.asarray(x)))
    assert isinstance(want[1], str)
    assert got == want


def test_at_refuses_read_only_arrays():
    a = bc.zeros(3)
    a.flags.writeable = False
    for b in (1.0, [1.0, 2.0]):
        with pytest.raises(ValueError, match="output array is read-only"):
            bc.add.at(a, [0, 1], b)
    with pytest.raises(ValueError, match="output array is read-only"):
        bc.add.reduce(bc.ones((2, 3)), out=a)


def test_unary_ufuncs_have_no_reductions():
    for name in UNARY:
        with pytest.raises(ValueError, match="reduce only supported for binary functions"):
            getattr(bc, name).reduce(bc.ones(3))


@pytest.mark.parametrize("name", BINARY)
def test_identities_are_numpys(name):
    ours, theirs = getattr(bc, name).identity, getattr(np, name).identity
    assert ours == theirs and type(ours) is type(theirs)


def test_comparisons_do_not_reduce_numbers():
    """NumPy's message, and which TypeError it is, depend on the loops that it looked for before."""
    for m in (np, bc):
        with pytest.raises(TypeError, match="equal"):
            m.equal.reduce(m.arange(12.0))
