"""Cumulative operations, reduceat, counts, bits and draws of small arrays, against NumPy's or the general form."""

import warnings

import bascule as bc
import numpy as np
import pytest
from reported_outcomes import bits

TYPES = ["?", "i1", "u1", "i4", "i8", "u8", "f2", "f4", "f8", "c8", "c16"]
FOLDED = ["add", "multiply", "maximum", "minimum", "subtract", "divide", "logical_and", "bitwise_or", "fmax"]


def values(t, shape, seed=0):
    rng = np.random.default_rng(seed)
    v = rng.normal(size=shape) * 5
    return (
        (v + 1j * rng.normal(size=shape)).astype(t)
        if t[0] == "c"
        else np.abs(v).astype(t)
        if t[0] == "u"
        else v.astype(t)
    )


def outcome(call):
    with warnings.catch_warnings(record=True) as reported:
        warnings.simplefilter("always")
        try:
            r = call()
        except Exception as error:
            return type(error)
    n = np.asarray(r.get() if type(r) is bc.ndarray else r)
    return n.dtype, n.shape, bits(n), sorted({str(w.message) for w in reported})


def check(call, *given):
    ours = [bc.array(x) if isinstance(x, np.ndarray) else x for x in given]
    a, b = outcome(lambda: call(bc, *ours)), outcome(lambda: call(np, *given))
    if isinstance(b, type):
        assert isinstance(a, type) and issubclass(a, TypeError if issubclass(b, TypeError) else b), (a, b)
    else:
        assert a == b


@pytest.mark.parametrize("t", TYPES)
@pytest.mark.parametrize("op", FOLDED)
def test_accumulate(op, t):
    for shape in (1, 2, 9, 300, (3, 4), (2, 3, 5), 0):
        x = values(t, shape)
        if t in ("f2", "c8", "c16") and op == "multiply":
            continue  # overflow in these types is reported differently
        for axis in (0, -1, x.ndim - 1, x.ndim, None):
            check(lambda m, x, axis=axis: getattr(m, op).accumulate(x, axis), x)
    x = values(t, 40)
    if (op, t) != ("multiply", "f2"):
        check(lambda m, x: getattr(m, op).accumulate(x[::-3]), x)
    if t[0] != "c":
        check(lambda m, x: getattr(m, op).accumulate(x, dtype="f8"), x)


@pytest.mark.parametrize("t", TYPES)
@pytest.mark.parametrize("name", ["cumsum", "cumprod", "cumulative_sum"])
def test_running(name, t):
    for shape in (1, 50, (4, 6), ()):
        x = values(t, shape) / 100 if name == "cumprod" and t[0] in "fc" else values(t, shape)
        x = x.astype(t)
        for axis in (None, 0, -1, 1):
            check(lambda m, x, axis=axis: getattr(m, name)(x, axis=axis), x)
            if name != "cumulative_sum":
                check(lambda m, x, axis=axis: getattr(x, name)(axis), x)
    if t in ("f4", "f8"):
        special = np.array([1.0, 6.0, -6.0, -np.inf, np.inf, np.nan]).astype(t)
        check(lambda m, x: getattr(m, name)(x), special)


@pytest.mark.parametrize("t", TYPES)
def test_long_running(t):
    for shape in (4095, 4096, 50_000, (70, 100), (3, 20_000)):
        x = values(t, shape)
        for axis in (None, 0, -1, 2):
            check(lambda m, x, axis=axis: m.cumsum(x, axis=axis), x)
            check(lambda m, x, axis=axis: m.maximum.accumulate(x, axis), x)
        check(lambda m, x: m.cumsum(x[::-2]), x)
        check(lambda m, x: m.cumsum(x + x), x)
    if t in ("f4", "f8"):
        special = np.resize(np.array([1.0, 6.0, -np.inf, np.inf, np.nan]).astype(t), 9_000)
        check(lambda m, x: m.cumsum(x), special)
        check(lambda m, x: m.multiply.accumulate(x), np.full(9_000, 1e3, t))


def test_what_does_not_accumulate():
    check(lambda m, x: m.less.accumulate(x), np.ones(9_000))
    for name in ("sin", "negative", "divmod", "matmul"):
        check(lambda m, x: getattr(m, name).accumulate(x), np.ones(3))
    check(lambda m, x: m.add.accumulate(x), np.ones(3, "m8[s]"))
    check(lambda m, x: m.less.accumulate(x), np.ones(3))


@pytest.mark.parametrize("t", TYPES)
@pytest.mark.parametrize("op", FOLDED)
def test_reduceat(op, t):
    if (op == "subtract" and t == "?") or (op == "bitwise_or" and t[0] in "fc"):
        check(lambda m, x: getattr(m, op).reduceat(x, [0, 1]), values(t, 3))
        return
    for n in (1, 2, 8, 129, 1000, 9000, 20_000):
        x = values(t, n, seed=n)
        rng = np.random.default_rng(n)
        for starts in (
            np.arange(0, n, 10),
            rng.integers(0, n, 200),
            np.append(rng.integers(0, n, 40), n),
            np.arange(0, n, 3)[::-2],
            [0],
            [n - 1],
            [0, 0, n // 2],
            sorted(rng.integers(0, n, 5).tolist()),
            rng.integers(0, n, 9),
            [],
            [[0]],
            [True],
        ):
            check(lambda m, x, s: getattr(m, op).reduceat(x, s), x, starts)
    special = np.array([np.inf, -np.inf, np.nan, 0.0, -0.0, 1e308, 1e308, 2.0])
    if t in ("f4", "f8") and op != "fmax":  # for zeros of two signs
        check(lambda m, x: getattr(m, op).reduceat(x, [0, 2, 3, 5]), special)
        for far in ([8], [-1], [0, -9]):
            check(lambda m, x, s: getattr(m, op).reduceat(x, s), special, far)
    check(lambda m, x: getattr(m, op).reduceat(x, [0, 2], axis=1), values(t, (3, 4)))
    check(lambda m, x: getattr(m, op).reduceat(x[::2], [0, 2]), values(t, 12))


@pytest.mark.parametrize("t", ["?", "i1", "u1", "i4", "i8", "f8"])
def test_bincount(t):
    rng = np.random.default_rng(0)
    for n in (1, 7, 500):
        x = rng.integers(0, 40, n).astype(t)
        for least in (0, 3, 100, -1, True, np.int64(5)):
            check(lambda m, x: m.bincount(x, minlength=least), x)
        for w in ("f8", "f4", "i8", "?"):
            check(lambda m, x, w: m.bincount(x, w), x, rng.normal(size=n).astype(w))
        check(lambda m, x, w: m.bincount(x, w), x, np.ones(n + 1))
    check(lambda m, x: m.bincount(x), np.array([3, -1], "i8"))
    check(lambda m, x: m.bincount(x), np.array([], "i8"))
    check(lambda m, x: m.bincount(x), np.array([20000, 1]))
    check(lambda m, x: m.bincount(x), np.array([[1, 2]]))
    check(lambda m, x, w: m.bincount(x, w), np.array([1, 1]), np.array([np.inf, -np.inf]))


@pytest.mark.parametrize("t", TYPES)
@pytest.mark.parametrize("order", ["big", "little"])
def test_bits(t, order):
    for shape in (1, 7, 8, 9, 100, 1000, (3, 5), 0, ()):
        x = values(t, shape)
        for axis in (None, 0, -1):
            check(lambda m, x: m.packbits(x, axis=axis, bitorder=order), x)
            check(lambda m, x: m.unpackbits(x, axis=axis, bitorder=order), x)
        for count in (0, 3, -2, 9000):
            if x.size:
                check(lambda m, x: m.unpackbits(x, count=count, bitorder=order), x)
    check(lambda m, x: m.packbits(x[::-2], bitorder=order), values(t, 30))
    if t == "u1":
        for other in ("middle", 3, None):
            check(lambda m, x: m.packbits(x, bitorder=other), values(t, 30))
            check(lambda m, x: m.unpackbits(x, bitorder=other), values(t, 30))
    check(lambda m, x: m.packbits(x.view("?")), np.array([0, 2, 1, 255], "u1"))


@pytest.mark.parametrize("order", ["big", "little"])
@pytest.mark.parametrize("t", ["?", "u1", "i1", "i4", "i8"])
@pytest.mark.parametrize("n", [8193, 9001, 20000, 70001, 131_064, 131_073, 200_007])
def test_bits_of_larger_arrays_are_numpys(n, t, order):
    x = np.random.default_rng(4).integers(-2, 2, n).astype(t)
    for cut in (slice(None), slice(1, None), slice(None, None, -2)):
        check(lambda m, x, cut=cut: m.packbits(x[cut], bitorder=order), x)
        check(lambda m, x, cut=cut: m.unpackbits(x[cut], bitorder=order), x.astype("u1") * np.uint8(77))
    rows = x[: n // 7 * 7].reshape(7, -1)
    for axis in (0, 1):
        check(lambda m, x, axis=axis: m.packbits(x, axis=axis, bitorder=order), rows)
        check(lambda m, x, axis=axis: m.packbits(x.T, axis=axis, bitorder=order), rows)
        check(lambda m, x, axis=axis: m.unpackbits(x, axis=axis, bitorder=order), rows.astype("u1"))
    for count in (5, -3, 8 * n + 9):
        check(lambda m, x, count=count: m.unpackbits(x, count=count, bitorder=order), x.astype("u1"))


def test_packing_leaves_booleans_what_they_are():
    booleans = bc.arange(20_000) % 3 == 0
    bc.packbits(booleans)
    assert booleans.sum() == 6667 and booleans.flags.writeable
    odd = bc.frombuffer(bytes([0, 1, 2, 255] * 5000), dtype=bool)
    np.testing.assert_array_equal(bc.packbits(odd).get(), np.packbits(odd.get()))


# ---- draws: element i of a stream depends only on the seed and on i, however many are drawn at once


def pieces(draw, many=9000, sizes=(1, 2, 5, 100, 999, 4000)):
    """Draws in pieces, and a single large draw at the same positions."""
    for seed in (1, 2**40):
        small, large = bc.random.default_rng(seed), draw(bc.random.default_rng(seed), many).get()
        at = 0
        for n in sizes:
            assert small.bit_generator.state["state"]["position"] == at
            np.testing.assert_array_equal(draw(small, n).get(), large[at : at + n])
            at += n + (n & 1)


@pytest.mark.parametrize(
    "draw",
    [
        lambda g, n: g.random(n), lambda g, n: g.random((n,)), lambda g, n: g.standard_normal(n), lambda g, n: g.normal(3.0, 0.5, n),
        lambda g, n: g.normal(size=n), lambda g, n: g.normal(0, 2, n), lambda g, n: g.uniform(-1, 4, n), lambda g, n: g.uniform(size=n),
        lambda g, n: g.exponential(2.0, n), lambda g, n: g.standard_exponential(n), lambda g, n: g.integers(0, 10, n),
        lambda g, n: g.integers(-5, 2**40, n), lambda g, n: g.poisson(3.0, n), lambda g, n: g.random(n, dtype="f4"),
    ],
)  # fmt: skip
def test_few_and_many_draws(draw):
    pieces(draw)


@pytest.mark.parametrize(
    ("one", "many"),
    [
        (lambda g: g.random(), lambda g, n: g.random(n)),
        (lambda g: g.standard_normal(), lambda g, n: g.standard_normal(n)),
        (lambda g: g.normal(1.0, 2.0), lambda g, n: g.normal(1.0, 2.0, n)),
        (lambda g: g.normal(), lambda g, n: g.normal(size=n)),
        (lambda g: g.random(dtype=np.float32), lambda g, n: g.random(n, np.float32)),
    ],
)
def test_single_draws(one, many):
    g, expected = bc.random.default_rng(7), many(bc.random.default_rng(7), 1200).get()
    for k in range(600):  # each uses two positions
        assert one(g) == expected[2 * k]
        if k == 300:
            assert type(one(bc.random.default_rng(0))) in (float, np.float32)


def test_orders():
    for n in (1, 2, 3, 64, 65, 1000, 5000, 9000):
        g, h, i = (bc.random.default_rng(11) for _ in range(3))
        order = g.permutation(n)
        assert order.dtype == np.int64 and sorted(order.tolist()) == list(range(n))
        x = bc.array(np.arange(n) * 2.5)
        np.testing.assert_array_equal(h.permutation(x).get(), order.get() * 2.5)
        i.shuffle(x)
        np.testing.assert_array_equal(x.get(), order.get() * 2.5)
        bits = bc.random.default_rng(11).bit_generator.random_raw(n).get()
        low = np.uint64((1 << (n - 1).bit_length()) - 1)
        np.testing.assert_array_equal(order.get(), np.argsort((bits & ~low) | np.arange(n, dtype="u8")))
    m = np.arange(12).reshape(3, 4)
    assert sorted(bc.random.default_rng(0).permutation(bc.array(m)).get()[:, 0].tolist()) == [0, 4, 8]
    assert bc.random.default_rng(0).permutation(bc.array(m), axis=1).shape == (3, 4)


def test_bounds_of_single_integers():
    g = bc.random.default_rng(5)
    for low, high in ((0, 1), (-(2**63), 2**63), (2**63 - 1, 2**63), (-5, 5), (0, 2**63)):
        v = g.integers(low, high)
        assert type(v) is np.int64 and low <= v < high
    assert g.integers(3, 3, endpoint=True) == 3
    for low, high in ((3, 3), (0, 2**63 + 1), (-(2**63) - 1, 4), (5, 1)):
        a, b = (
            outcome(lambda lo=low, hi=high: g.integers(lo, hi)),
            outcome(lambda lo=low, hi=high: np.random.default_rng(0).integers(lo, hi)),
        )
        assert a is b is ValueError


def test_widths_of_uniform():
    for args in ((-1e308, 1e308), (0, np.inf), (1, 0), ([0.0, -1e308], [1.0, 1e308])):
        ours = [bc.array(np.array(x)) if isinstance(x, list) else x for x in args]
        a, b = (
            outcome(lambda o=ours: bc.random.default_rng(0).uniform(*o)),
            outcome(lambda g=args: np.random.default_rng(0).uniform(*g)),
        )
        assert a is b and isinstance(b, type)


@pytest.mark.parametrize("t", ["f2", "f4", "f8", "i4", "c16", "?"])
def test_round(t):
    x = (np.random.default_rng(0).normal(size=200) * 1000).astype(t)
    for decimals in (0, 1, 2, -1, -2, 5, 30, 300):
        check(lambda m, x: m.round(x, decimals), x)
        check(lambda m, x: x.round(decimals), x)
