"""Differences between NumPy's versions: results, types, errors and warnings are those of the installed one."""

import operator
import warnings

import bascule as bc
import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("native")

NAT = np.iinfo("i8").min
FAR = [2**63 - 1, -(2**63) + 1, 2**62, -(2**62), 2**62 - 1, 1, -1, 0, 2, 10**9, NAT]


def to_numpy(r):
    if isinstance(r, (tuple, list)):
        return type(r).__name__, [to_numpy(v) for v in r]
    n = np.asarray(r.get() if type(r) is bc.ndarray else r)
    return n.dtype, n.shape, n.tobytes() if n.dtype.kind not in "fcO" else repr(n.tolist())


def outcome(call, *operands):
    """The result of a call, or its error, and its warnings."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            found = to_numpy(call(*operands))
        except Exception as error:
            found = (TypeError,) if isinstance(error, TypeError) else (type(error), str(error))
    return found, {(w.category, str(w.message)) for w in said}


def compare(call, *operands):
    """Compare `call` with both libraries; it takes the namespace and its arrays."""
    want = outcome(call, np, *(x.copy() if isinstance(x, np.ndarray) else x for x in operands))
    if want[0][0] is OverflowError and want[0][1].startswith("Overflow ") and bc.arange(1).device != "cpu":
        return  # times in a device's own memory wrap around: docs/gpu.md
    got = outcome(call, bc, *(bc.array(x) if isinstance(x, np.ndarray) else x for x in operands))
    assert got == want


# ---- dates and durations that overflow


def refuses(call):
    try:
        call()
    except OverflowError:
        return True
    return False


# A wrapped sum may equal NaT on the way, and the results after that are meaningless.
sums_raise = pytest.mark.skipif(
    not refuses(lambda: np.array([2**62, 2**62]).view("m8[s]").sum()), reason="this NumPy wraps sums of durations"
)
conversions_raise = pytest.mark.skipif(
    not refuses(lambda: np.array([2**62]).view("m8[s]").astype("m8[ns]")),
    reason="this NumPy wraps conversions: test_datetimes.py looks at those",
)


@pytest.mark.parametrize("many", [1, 600])
@pytest.mark.parametrize("name", ["add", "subtract", "multiply"])
@pytest.mark.parametrize("kinds", ["mm", "mM", "Mm", "MM", "mi", "im", "mu"])
def test_times_that_overflow(kinds, name, many):
    typed = {"m": "m8[s]", "M": "M8[s]", "i": "i8", "u": "u4"}
    for pair in [(x, y) for x in FAR for y in FAR]:
        a, b = (
            np.array([n & 0xFFFF if k == "u" else n, 3][:1] * many).astype("i8" if k != "u" else "u4").view(typed[k])
            for n, k in zip(pair, kinds)
        )
        compare(lambda xp, x, y: getattr(xp, name)(x, y), a, b)
        if many == 1:
            symbol = {"add": operator.add, "subtract": operator.sub, "multiply": operator.mul}[name]
            compare(lambda xp, x, y: symbol(x, y), a, b)
            compare(lambda xp, x, y: symbol(x, y), a, b[0])
            compare(lambda xp, x, y: symbol(x[0], y), a, b)


@pytest.mark.parametrize("call", [
    lambda xp, x, y: xp.add(x, y, out=xp.zeros(2, "m8[s]"), where=xp.asarray([True, False])),
    lambda xp, x, y: xp.add(x, y, out=xp.zeros(2, "m8[s]")),
    lambda xp, x, y: operator.iadd(x, y),
    lambda xp, x, y: operator.imul(x, 3),
    lambda xp, x, y: x * 2.5,
    lambda xp, x, y: x[:0] + y[:1],
    lambda xp, x, y: x + np.timedelta64("NaT", "s"),
    lambda xp, x, y: x[:, None] - y,
    lambda xp, x, y: xp.add.outer(x, y),
    lambda xp, x, y: xp.diff(x),
    lambda xp, x, y: xp.ptp(x),
    lambda xp, x, y: xp.median(x),
    lambda xp, x, y: xp.mean(x),
    lambda xp, x, y: -x,
    lambda xp, x, y: xp.abs(x),
])  # fmt: skip
@pytest.mark.parametrize(
    "counts", [[2**63 - 1, 5], [5, 2**63 - 1], [-(2**63) + 1, -1], [2**62, 2**62], [1, 2], [NAT, 2**63 - 1]]
)
def test_calls_with_times_that_overflow(call, counts):
    x = np.array(counts).view("m8[s]")
    compare(call, x, x[::-1].copy())


SUMMED = [
    [2**62, 2**62, -(2**62)], [2**62, -(2**62), 2**62], [NAT, 2**62, 2**62], [2**62, 2**62, NAT],
     [2**63 - 1], [2**63 - 1, 0, -5, 5], [5] * 7, [], [2**40 + 1] * 9, [2**62 - 1, 2**62, 1],
]  # fmt: skip


@sums_raise
@pytest.mark.parametrize("counts", SUMMED, ids=str)
def test_sums_of_durations_that_overflow(counts):
    x = np.array(counts, "i8").view("m8[s]")
    for call in (
        lambda xp, x: x.sum(),
        lambda xp, x: xp.sum(x, initial=np.timedelta64(5, "s")),
        lambda xp, x: xp.sum(x, where=xp.arange(x.size) % 2 == 0),
        lambda xp, x: x.cumsum(),
        lambda xp, x: xp.add.accumulate(x),
        lambda xp, x: xp.add.reduce(x),
        lambda xp, x: xp.nansum(x),
        lambda xp, x: x.mean(),
    ):
        compare(call, x)
    if x.size:
        compare(lambda xp, x: xp.subtract.reduce(x), x)
        compare(lambda xp, x: xp.subtract.accumulate(x), x)
        compare(lambda xp, x: xp.sum(xp.stack([x, x[::-1]]), axis=1), x)
        compare(lambda xp, x: xp.sum(xp.stack([x, x[::-1]]), axis=0), x)
        compare(lambda xp, x: xp.cumsum(xp.stack([x, x[::-1]]), axis=0), x)
        with bc.config.set(fallback="silent"):
            compare(lambda xp, x: xp.add.reduceat(x, [0]), x)


@conversions_raise
@pytest.mark.parametrize("kind", ["M8", "m8"])
@pytest.mark.parametrize(
    "of, to",
    [
        ("s", "ns"),
        ("D", "s"),
        ("W", "D"),
        ("ns", "s"),
        ("3s", "7ms"),
        ("M", "Y"),
        ("Y", "M"),
        ("h", "D"),
    ],
)
def test_conversions_that_overflow(kind, of, to):
    fallback = "silent" if kind == "m8" and "M" in (of[-1], to[-1]) else bc.config.fallback
    with bc.config.set(fallback=fallback):
        for n in FAR:
            x = np.array([n, 7]).view(f"{kind}[{of}]")
            compare(lambda xp, x: x.astype(f"{kind}[{to}]"), x)
            compare(lambda xp, x: xp.concatenate([x, xp.zeros(1, f"{kind}[{to}]")]), x)
            if {of[-1], to[-1]}.isdisjoint("MY"):
                compare(lambda xp, x: x < xp.zeros(1, f"{kind}[{to}]"), x)


# ---- numbers with durations


@pytest.mark.parametrize("kind", ["m8[s]", "M8[s]"])
@pytest.mark.parametrize("other", [1, True, np.int64(1), np.array([1]), 1.5], ids=repr)
@pytest.mark.parametrize("name", ["add", "subtract", "multiply", "less", "equal", "maximum", "floor_divide", "divide"])
def test_numbers_alongside_times(name, other, kind):
    x = np.array([3, 5]).view(kind)
    for call in (lambda xp, x, y: getattr(xp, name)(x, y), lambda xp, x, y: getattr(xp, name)(y, x)):
        compare(call, x, other)


# ---- functions


@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "c16"])
@pytest.mark.parametrize("matrix", [[[2, 0], [0, 3]], [[0, -1], [1, 0]], [[1, 2], [2, 1]], [[5]]], ids=str)
def test_eigenvalues(matrix, dtype):
    a = np.array(matrix).astype(dtype)
    for name in ("eig", "eigvals"):
        want, got = getattr(np.linalg, name)(a), getattr(bc.linalg, name)(bc.array(a))
        for w, g in zip(want, got) if name == "eig" else [(want, got)]:
            assert g.dtype == w.dtype
            np.testing.assert_allclose(np.asarray(g), w, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    "p", [[1, -3, 2], [1, 0, 1], [2.0, 0, -8, 0], [1j, 1], [3], np.array([1, -3, 2], "f4")], ids=str
)
def test_types_of_roots(p):
    want, got = np.roots(p), bc.roots(bc.array(p) if isinstance(p, np.ndarray) else p)
    assert got.dtype == want.dtype
    np.testing.assert_allclose(np.sort(np.asarray(got)), np.sort(want), rtol=1e-5)


@pytest.mark.parametrize("shapes", [(2, 2), (2, 3), (3, 2), (3, 3), (4, 4), (1, 3)], ids=str)
def test_cross_products(shapes):
    a, b = (np.arange(1.0, n + 1) for n in shapes)
    for x, y in ((a, b), (np.stack([a, a]), b), (a, np.stack([b, b]))):
        compare(lambda xp, x, y: xp.cross(x, y), x, y)
        if x.shape[-1] == y.shape[-1]:
            compare(lambda xp, x, y: xp.linalg.cross(x, y), x, y)


@pytest.mark.parametrize("number", [300, -1, 255, 2**40, 2**63, 2**64, 2**70, 1e300, 3.5, True], ids=str)
@pytest.mark.parametrize("dtype", ["u1", "i1", "u2", "i4", "i8", "u8", "f4", "?"])
def test_numbers_that_where_chooses(dtype, number):
    x, c = np.array([1, 2], dtype), np.array([True, False])
    compare(lambda xp, c, x: xp.where(c, number, x), c, x)
    compare(lambda xp, c, x: xp.where(c, x, number), c, x)


@pytest.mark.parametrize("of", ["f8", "i8", "i4", "u1", "?", "c16", "m8[s]"])
@pytest.mark.parametrize("to", ["f8", "f4", "i8", "i4", "u1", "?", "c8", "m8[s]"])
def test_outputs_of_what_is_taken(of, to):
    a, out = np.arange(3).astype(of), np.zeros(2, to)
    for call in (
        lambda xp, a, out: xp.take(a, [1, 2], out=out),
        lambda xp, a, out: a.take([1, 2], out=out, mode="clip"),
        lambda xp, a, out: xp.compress([False, True, True], a, out=out),
        lambda xp, a, out: a.compress([False, True, True], out=out),
    ):
        compare(call, a, out.copy())


@pytest.mark.parametrize("call", [
    lambda xp: xp.fix(xp.asarray([2.5, -2.5])),
    lambda xp: xp.fix(2.5),
    lambda xp: xp.tri(3.0),
    lambda xp: xp.tri(3, 2.0),
    lambda xp: xp.tri(3, 2, 1.0),
    lambda xp: xp.tri(3, 2, np.float64(1)),
    lambda xp: xp.tri(3, 2, np.int8(1)),
    lambda xp: xp.tri(2, k=True),
    lambda xp: xp.triu_indices(3, 1.0),
    lambda xp: xp.triu_indices(3, np.uint8(1)),
    lambda xp: xp.tril_indices(3, np.float64(1)),
    lambda xp: xp.triu_indices_from(xp.ones((3, 3)), 1.0),
    lambda xp: xp.tril_indices_from(xp.ones((3, 3)), -1.0),
    lambda xp: xp.tril(xp.ones((3, 3)), 1.0),
    lambda xp: xp.triu(xp.ones((3, 3)), 1.0),
    lambda xp: xp.mask_indices(3, xp.triu, 1.0),
    lambda xp: xp.rot90(xp.eye(2), 1.0),
    lambda xp: xp.rot90(xp.eye(2), np.float64(1.5)),
    lambda xp: xp.bincount([1.0, 2.0]),
    lambda xp: xp.bincount(xp.asarray([1.0, 2.0])),
    lambda xp: xp.bincount([]),
    lambda xp: xp.bincount([True, True]),
    lambda xp: xp.meshgrid([1], [2], sparse=True, copy=False),
    lambda xp: xp.meshgrid([1], [2], copy=False),
    lambda xp: xp.meshgrid([1, 2], [3], sparse=True),
])  # fmt: skip
def test_functions(call):
    compare(call)


@pytest.mark.parametrize("attribute, value", [
    ("shape", (2, 2)), ("shape", 4), ("shape", (3,)), ("shape", (-1, 2)), ("dtype", "i8"), ("dtype", "c16"), ("dtype", "i1"),
    ("strides", (8,)),
])  # fmt: skip
def test_attributes_that_are_set(attribute, value):
    def call(xp, x):
        setattr(x, attribute, value)
        return x

    compare(call, np.arange(4.0))


# ---- descending sorts: an older NumPy's ascending sort gives the expected result


def descended(a, axis=-1):
    """NumPy's stable indices in descending order, with missing values last."""
    if "descending" in np.sort.__doc__:
        return np.argsort(a, axis=axis, stable=True, descending=True)
    missing = np.isnan(a) if a.dtype.kind in "fc" else np.isnat(a) if a.dtype.kind in "mM" else np.zeros(a.shape, bool)
    values = a.view("i8") if a.dtype.kind in "mM" else a
    ranks = np.unique(np.where(missing, 0, values), return_inverse=True)[1].reshape(a.shape)
    return np.lexsort((-ranks, missing), axis=axis)


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i1", "u1", "i8", "u8", "?", "m8[s]", "M8[D]"])
def test_descending_sorts(dtype):
    rng = np.random.default_rng(2)
    for shape in [(0,), (1,), (7,), (300,), (5000,), (4, 60)]:
        a = (
            rng.integers(-9, 9, shape)
            .astype("i8" if dtype[0] in "mM" else dtype if dtype != "u8" else "i8")
            .astype(dtype)
        )
        if dtype[0] in "fmM" and a.size > 1:
            a.flat[:: max(2, a.size // 3)] = np.nan if dtype[0] == "f" else "NaT"
        b = bc.array(a)
        for axis in range(a.ndim):
            at = descended(a, axis)
            np.testing.assert_array_equal(np.asarray(bc.argsort(b, axis, descending=True)), at)
            np.testing.assert_array_equal(np.asarray(b.argsort(axis, stable=True, descending=True)), at)
            want = np.take_along_axis(a, at, axis)
            np.testing.assert_array_equal(np.asarray(bc.sort(b, axis, descending=True)), want)
            c = b.copy()
            c.sort(axis, descending=True)
            np.testing.assert_array_equal(np.asarray(c), want)


def test_descending_sorts_of_limits_and_zeros():
    for a in (np.array([np.iinfo("i8").min, 0, np.iinfo("i8").max]), np.array([0, 2**64 - 1, 5], "u8")):
        assert np.asarray(bc.sort(bc.array(a), descending=True)).tolist() == sorted(a.tolist(), reverse=True)
    zeros = np.array([0.0, -0.0, np.inf, -np.inf, 0.0, -0.0])
    got = np.asarray(bc.sort(bc.array(zeros), stable=True, descending=True))
    assert np.signbit(got).tolist() == [False, False, True, False, True, True]


@pytest.mark.parametrize("options", [
    {"descending": None}, {"descending": False}, {"descending": True, "kind": "stable"}, {"descending": False, "kind": "mergesort"},
    {"descending": 1}, {"descending": True, "order": "x"}, {"stable": True, "kind": "stable"},
], ids=str)  # fmt: skip
def test_options_of_descending_sorts(options):
    if "descending" not in np.sort.__doc__ and options.get("descending", "no") != "no" and "kind" in options:
        with pytest.raises(ValueError, match="`kind` and .* parameters can't be provided at the same time"):
            bc.sort([3, 1, 2], **options)
    elif "descending" in np.sort.__doc__:
        compare(lambda xp: xp.sort([3, 1, 2], **options))
