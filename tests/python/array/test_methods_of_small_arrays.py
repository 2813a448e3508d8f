"""Calls on small arrays, against NumPy's: the common ones, and similar ones."""

import bascule as bc
import numpy as np
import pytest

TYPES = ["?", "i1", "u2", "i4", "i8", "u8", "f2", "f4", "f8", "c8", "c16", "M8[s]", "m8[ms]"]


def same(ours, theirs):
    if type(ours) is bc.ndarray:
        assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape)
        np.testing.assert_array_equal(ours.get(), theirs)
        if isinstance(theirs, np.ndarray) and theirs.size:
            assert ours.flags.c_contiguous == theirs.flags.c_contiguous
    else:
        assert type(ours) is type(theirs) and ours == theirs


def both(call):
    """The outcome of the call with either library: its result or its error."""
    try:
        theirs = call(np)
    except Exception as error:
        with pytest.raises(type(error)) as reported:
            call(bc)
        assert str(reported.value) == str(error)
    else:
        same(call(bc), theirs)


def values(t, n=6):
    return (np.arange(n) % 4).astype("i8").astype(t)


@pytest.mark.parametrize("name", ["zeros", "ones"])
@pytest.mark.parametrize(
    "shape",
    [
        0,
        1,
        7,
        (),
        (3,),
        (2, 0),
        (2, 3, 4),
        [2, 3],
        -1,
        (2, -3),
        2.5,
        True,
        5000,
        np.int64(4),
        20_000,
        (100, 200),
        (2**40, 2**40),
    ],
)
def test_filled(name, shape):
    both(lambda m: getattr(m, name)(shape))
    both(lambda m: getattr(m, name)(shape, order="F"))


@pytest.mark.parametrize("t", TYPES[:-2])
def test_filled_with_a_type(t):
    for n in (1, 3, 100):
        both(lambda m: m.zeros(n, t))
        both(lambda m: m.ones((n, 2), dtype=np.dtype(t)))
        assert bc.empty(n, t).dtype == np.empty(n, t).dtype
        both(lambda m: m.full(n, 1, t))
    assert bc.empty((2, 3)).shape == (2, 3) and bc.empty((2, 3)).dtype == np.float64


@pytest.mark.parametrize("value", [0, 1, -7, 2**40, 2**63, 2.5, -0.0, np.nan, True, 1j, np.float32(3), [1, 2, 3]])
def test_full(value):
    both(lambda m: m.full(3, value))
    both(lambda m: m.full((2, 3), value, "f8"))
    if value == 0:
        assert np.signbit(bc.full(2, value).get()).tolist() == np.signbit(np.full(2, value)).tolist()


@pytest.mark.parametrize("t", TYPES)
@pytest.mark.parametrize("layout", ["C", "F", "steps", "empty", "none"])
def test_made_like_and_moved(t, layout):
    n = {
        "C": values(t).reshape(2, 3),
        "F": np.asfortranarray(values(t).reshape(2, 3)),
        "steps": values(t, 24).reshape(4, 6)[::2, ::-2],
        "empty": values(t, 0).reshape(0, 3),
        "none": values(t, 1).reshape(()),
    }[layout]
    a = bc.array(values(t, 24).reshape(4, 6))[::2, ::-2] if layout == "steps" else bc.asarray(n)
    x = {bc: a, np: n}
    for name in ("zeros_like", "ones_like"):
        if t[0] not in "Mm":
            both(lambda m: getattr(m, name)(x[m]))
            both(lambda m: getattr(m, name)(x[m], dtype="i4"))
    assert not n.size or bc.empty_like(a).strides == np.empty_like(n).strides
    for call in (
        lambda m: m.squeeze(x[m]), lambda m: x[m][None].squeeze(), lambda m: m.squeeze(x[m][:, None], axis=1),
        lambda m: m.squeeze(x[m], axis=-1), lambda m: m.ravel(x[m]), lambda m: m.ravel(x[m], "F"), lambda m: x[m].flatten(),
        lambda m: x[m].flatten("F"), lambda m: m.reshape(x[m], -1), lambda m: m.reshape(x[m], (3, -1)),
        lambda m: m.reshape(x[m], (4, 4)), lambda m: m.reshape(x[m], [3, 2]), lambda m: m.array(x[m]), lambda m: m.copy(x[m]),
        lambda m: x[m].copy("K"), lambda m: m.repeat(x[m], 2), lambda m: m.repeat(x[m], 0), lambda m: m.repeat(x[m], 2, axis=-1),
        lambda m: m.repeat(x[m], -1), lambda m: x[m].tolist(), lambda m: m.diag(m.ravel(x[m])), lambda m: m.diag(m.ravel(x[m]), 1),
    ):  # fmt: skip
        both(call)
    assert int(bc.count_nonzero(a)) == np.count_nonzero(n)
    assert bc.array(a) is not a and not bc.shares_memory(bc.array(a), a) and not bc.shares_memory(a.flatten(), a)


@pytest.mark.parametrize("t", TYPES)
def test_elements_at_positions(t):
    x = {np: values(t, 9), bc: bc.array(values(t, 9))}
    for at in ([0, 8, 3], [-1, -9], [[1, 2], [3, -4]], [9], [-10], [], 4, [True] * 9):
        for kind in ("i8", "i4", "u1", "?", "f8"):
            p = np.array(at, kind) if not (kind == "u1" and np.min(at, initial=0) < 0) else np.array(at)
            there = {np: p, bc: bc.array(p)}
            if kind not in "f8" and not (kind == "?" and p.shape != (9,)):
                both(lambda m: x[m][there[m]])
            if kind == "i8":
                both(lambda m: m.take(x[m], there[m]))
                both(lambda m: x[m].take(there[m]))
                both(lambda m: m.take(x[m], there[m], mode="wrap"))
                both(lambda m: x[m][::-2].take(there[m] % 5) if p.ndim else x[m][:1])


@pytest.mark.parametrize(
    "args",
    [(5,), (0,), (-3,), (2, 9), (2, 9, 4), (9, 2, -3), (5.0,), (0, 1, 0.1), (0.5, 7), (1, 2, -0.5), (3, 0, 0), (1e300, 2e300, 1e297),
     (0.1, 1e3, 0.7), (1, None, 2), (2**62, 2**62 + 3), (2**40 - 1, 2**40 + 5), (True,), (np.nan,), (0.0, np.inf),
     (1e17, 1e17 + 100, 7.0), (1e-3, 4000.0, 3.3), (np.float32(3),), (4100,)],
)  # fmt: skip
def test_arange(args):
    if args == (0.0, np.inf):
        pytest.raises(ValueError, bc.arange, *args)
        return
    both(lambda m: m.arange(*args))


@pytest.mark.parametrize(
    "x",
    [[1.0, 2.5], [1, 2], [True, False], (1, 2.0), [True, 2], [], [[]], [[1.0, 2.0], [3.0, 4.0]], [(1, 2), [3, 4]], [[1], [2, 3]],
     [[1.0], 2.0], [1.0, [2.0]], [2**63], [2**64 - 1, 1], [-(2**63)], [[1, 2.0], [3, 4]], [1.0, 1j], [-0.0, float("nan")],
     [[[1.0]]], [[True], [False]], [np.float32(1), 2.0], [np.int8(1)], list(range(1000)), "ab", [None, 1.0]],
)  # fmt: skip
@pytest.mark.parametrize("name", ["array", "asarray"])
def test_arrays_of_sequences(name, x):
    expected = None
    try:
        expected = np.array(x)
    except ValueError as error:
        with pytest.raises(ValueError) as reported:
            getattr(bc, name)(x)
        assert str(reported.value) == str(error)
        return
    if expected.dtype.kind in "OU":
        with bc.config.set(fallback="silent"):
            found = getattr(bc, name)(x)
        assert type(found) is np.ndarray and found.dtype == expected.dtype and (found == expected).all()
        return
    same(getattr(bc, name)(x), expected)
    if expected.dtype.kind in "bif":
        same(bc.array(x, dtype="f4"), np.array(x, dtype="f4"))
        same(bc.array(x, ndmin=3), np.array(x, ndmin=3))


def test_a_list_of_a_class_of_its_own():
    class Numbers(list):
        pass

    class Degrees(float):
        pass

    same(bc.array(Numbers([1.0, 2.0])), np.array([1.0, 2.0]))
    same(bc.array([Degrees(1.0), Degrees(2.0)]), np.array([1.0, 2.0]))


NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize(
    "xp, fp",
    [([0.0, 1, 2, 3], [1.0, -2, 5, 0]), ([0.0, 1, 1, 2], [1.0, 2, 7, 3]), ([1.0, 2], [INF, INF]), ([-INF, 0, INF], [1.0, 2, 3]),
     ([0.0, 1, 2], [NAN, 1, 2]), ([1.0], [4.0]), ([0.0, 1e-310, 1], [1.0, 2, 3]), ([0.0, 1e308, 1.7e308], [-1.7e308, 1.7e308, 0])],
)  # fmt: skip
def test_interp(xp, fp):
    xp, fp = np.array(xp), np.array(fp)
    x = np.array([-INF, -1.0, -0.0, 0.0, 0.3, 1.0, 1.1, 1.999, 2.0, 2.5, 3.0, 9.0, 5e307, INF, NAN])
    p, f = bc.array(xp), bc.array(fp)
    with np.errstate(all="ignore"):
        for v in (x, x.reshape(3, 5), x[::2], x[:0], np.arange(4), x.astype("f4")):
            theirs = np.interp(v, xp, fp)
            with np.errstate(all="raise"):
                same(bc.interp(bc.array(v), p, f), theirs)
            same(bc.interp(bc.array(v), p, f, left=-5.0, right=6), np.interp(v, xp, fp, left=-5.0, right=6))
        for v in (0.3, 1.0, -7.0, NAN, 2):
            r = bc.interp(v, p, f)
            assert r.shape == () and r.dtype == np.float64
            assert type(r) is np.float64
            np.testing.assert_array_equal(r, np.interp(v, xp, fp))
    both(lambda m: m.interp(0.5, m.array(xp), m.array(fp)[:-1]))


def test_lists_of_what_waits_and_of_odd_booleans():
    big = bc.arange(20000.0) + 1
    part = big[:5]
    assert part.tolist() == [1.0, 2.0, 3.0, 4.0, 5.0] and int(bc.count_nonzero(part)) == 5
    odd = bc.array([0, 2, 255, 1], dtype="u1").view("?")
    assert odd.tolist() == [False, True, True, True] and int(bc.count_nonzero(odd)) == 3
    assert odd[bc.array([1, 2])].tolist() == [True, True]
    frozen = bc.zeros((1, 3))
    frozen.flags.writeable = False
    assert not frozen.squeeze().flags.writeable and frozen.flatten().flags.writeable


@pytest.mark.parametrize(
    "ends", [(0.0, 1.0), (1, 4), (-2.5, 7), (3.0, 3.0), (1e308, -1e308), (0.0, INF), (5e-324, 0.0), (NAN, 1.0)]
)
@pytest.mark.parametrize("how", [{}, {"endpoint": False}, {"dtype": "f4"}, {"dtype": "i8"}])
def test_linspace(ends, how):
    if how.get("dtype") == "i8" and not max(map(abs, ends)) < 1e9:
        return
    for n in (0, 1, 2, 7, 100):
        with np.errstate(all="ignore"):
            both(lambda m: m.linspace(*ends, n, **how))
            ours, theirs = (m.linspace(*ends, n, **how, retstep=True)[1] for m in (bc, np))
            assert type(ours) is type(theirs) and np.array_equal(ours, theirs, equal_nan=True)


@pytest.mark.parametrize("axis", [0, 1, 2, -1, -3, 3, -4, True, np.int64(1), (0, 1)])
def test_new_axes(axis):
    n = np.arange(24.0).reshape(4, 6)
    for key in (..., (slice(None, None, 2), slice(None, None, -1))):
        x = {np: n[key], bc: bc.array(n)[key]}
        for turned in (x, {m: v.T for m, v in x.items()}):
            both(lambda m: m.expand_dims(turned[m], axis).copy())
            if not isinstance(axis, tuple):
                both(lambda m: m.stack((turned[m], turned[m]), axis).copy())
                both(lambda m: m.stack([turned[m]], axis=axis).copy())
    view = bc.expand_dims(y := bc.array(n), 0)
    view[0, 1, 2] = -1.0
    assert float(y[1, 2]) == -1.0


@pytest.mark.parametrize("dtype", ["i1", "i2", "i4", "f8"])
def test_the_last_of_elements_that_lie_on_one_another_wins(dtype):
    def written(m, shape, strides, turned, value):
        memory = m.zeros(200, dtype)
        m.lib.stride_tricks.as_strided(memory, shape, strides)[turned][...] = value(m)
        return memory

    random = np.random.default_rng(3)
    for shape in ((5,), (3, 4), (2, 3, 2), (4, 1, 3)):
        for _ in range(60):
            strides = tuple(int(s) * np.dtype(dtype).itemsize for s in random.integers(0, 5, len(shape)))
            turned = tuple(slice(None, None, int(s)) for s in random.choice([1, -1], len(shape)))
            n = random.integers(1, 100, shape).astype(dtype)
            for value in (lambda m, n=n: m.asarray(n), lambda m: 7):
                ours, theirs = (written(m, shape, strides, turned, value) for m in (bc, np))
                assert np.array_equal(ours, theirs), (shape, strides, turned)


@pytest.mark.parametrize("t", ["u1", "i2", "f4", "f8", "c16", "?"])
def test_few_positions_in_many_elements(t):
    rng = np.random.default_rng(3)
    n = rng.integers(0, 2, (70, 130, 3)).astype(t) if t == "?" else rng.integers(0, 99, (70, 130, 3)).astype(t)
    x = {np: n, bc: bc.array(n)}
    flat = {np: n.reshape(-1), bc: bc.array(n.reshape(-1))}
    for size in (1, 7, 500, 9000, 20_000):
        rows, columns = rng.integers(-70, 70, size), rng.integers(-130, 130, size)
        last, at = rng.integers(-3, 3, size), rng.integers(-n.size, n.size, size)
        boolean = rng.random(size) < 0.5
        both(lambda m: x[m][m.asarray(rows), m.asarray(columns), m.asarray(last)])
        both(lambda m: x[m][:, :, 0].copy()[m.asarray(rows), m.asarray(columns)])
        both(lambda m: x[m][m.asarray(rows[:50])])
        both(lambda m: flat[m][m.asarray(at)])
        both(lambda m: flat[m].take(m.asarray(at)))
        both(lambda m: flat[m][:size][m.asarray(boolean)])
        both(lambda m: m.nonzero(m.asarray(boolean))[0])
        for wrong in (n.size, -n.size - 1):
            bad = at.copy()
            bad[size // 2] = wrong
            both(lambda m: flat[m][m.asarray(bad)])
            both(lambda m: m.take(flat[m], m.asarray(bad)))
        written = {np: n.copy(), bc: bc.array(n)}
        for m in (np, bc):
            written[m][m.asarray(rows), m.asarray(columns), m.asarray(last)] = written[m][0, 0, 0]
        same(written[bc], written[np])


@pytest.mark.parametrize("n", [30_000, 33_000, 70_000])
def test_rolls_of_longer_arrays(n):
    x = np.arange(n)
    for shape in ((n,), (n // 100, 100), (5, n // 50, 10)):
        a = x[: np.prod(shape)].reshape(shape)
        for shift in (0, 1, -7, n + 3):
            for axis in (None, *range(-len(shape), len(shape))):
                both(lambda m: m.roll(m.asarray(a), shift, axis))


@pytest.mark.parametrize("t", ["f4", "f8"])
@pytest.mark.parametrize("n", [200, 300, 600, 9000])
def test_mantissas_and_exponents_of_more_elements(n, t):
    with np.errstate(over="ignore"):
        x = np.resize(np.array([0.0, -0.0, 1.5, -2.75, 1e300, 5e-324, -3e-310, np.inf, -np.inf, np.nan]), n).astype(t)
    for k in (0, 1):
        both(lambda m: m.frexp(m.asarray(x))[k])
        both(lambda m: m.frexp(m.asarray(x).reshape(2, -1).T)[k])
    for by in (0, 3, -2, 4000, -4000, 2**31 - 1, -(2**31), 2**31, True):
        with np.errstate(all="ignore"):
            both(lambda m: m.ldexp(m.asarray(x), by))
    with np.errstate(over="raise", under="ignore"):
        both(lambda m: m.ldexp(m.asarray(x), 4000))
