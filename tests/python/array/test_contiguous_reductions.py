"""Extrema, any, all and counts of contiguous runs: whole vectors, the remainder, and the index of an element."""

import bascule as bc
import numpy as np
import pytest

LENGTHS = [
    1,
    3,
    7,
    15,
    16,
    31,
    33,
    63,
    64,
    65,
    127,
    129,
    255,
    256,
    257,
    500,
    1023,
    4095,
    4097,
    8200,
    32768,
    32769,
    70001,
]
DTYPES = ["?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16", "M8[s]", "m8[s]"]
REDUCTIONS = ["min", "max", "argmin", "argmax", "any", "all"]


def same(a, n, what):
    assert np.asarray(a).dtype == np.asarray(n).dtype, what
    assert np.array_equal(np.asarray(a), np.asarray(n), equal_nan=np.asarray(n).dtype.kind in "fcmM"), what


def compare(n, positions):
    a = bc.array(n)
    for name in REDUCTIONS:
        if not (name in ("any", "all") and n.dtype.kind in "mM"):
            same(getattr(a, name)(), getattr(n, name)(), (name, n.dtype, n.size, positions))
    same(bc.count_nonzero(a), np.count_nonzero(n), ("count_nonzero", n.dtype, n.size, positions))


@pytest.mark.parametrize("dtype", DTYPES)
def test_one_element_that_differs(dtype):
    """It is found at any index, and so is the first of two."""
    for length in LENGTHS:
        for place in {0, length // 3, length // 2, max(0, length - 2), length - 1}:
            for usual, other in ((0, 1), (1, 0), (1, 2)):
                n = np.full(length, usual).astype(dtype)
                n[place] = np.array(other).astype(dtype)
                compare(n, (place, other))
                n[length - 1] = n[place]
                compare(n, (place, length - 1, other))


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "c16", "M8[s]"])
def test_what_is_not_a_number_wins(dtype):
    for length in LENGTHS:
        for place in {0, length // 2, length - 1}:
            n = (np.arange(length) % 100 - 50).astype(dtype)
            n[place] = "NaT" if dtype == "M8[s]" else np.nan
            compare(n, place)
            n[-1] = n[place]
            compare(n, (place, length - 1))


@pytest.mark.parametrize("dtype", DTYPES)
def test_any_values(dtype):
    rng = np.random.default_rng(7)
    for length in LENGTHS:
        n = rng.integers(-100, 100, length).astype(dtype)
        compare(n, None)
        limits = np.iinfo(dtype) if n.dtype.kind in "iu" else None
        if limits:
            n[length // 2], n[length // 3] = limits.min, limits.max
            compare(n, "limits")


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_zeros_of_both_signs_and_infinities(dtype):
    for length in LENGTHS:
        n = np.full(length, -0.0, dtype)
        n[length // 2 :] = 0.0
        compare(n, "zeros")
        for least in (-np.inf, np.inf):
            n[length // 3] = least
            compare(n, least)


def test_bytes_that_are_no_booleans():
    """Any byte except 0 is true, and all of those are equal."""
    for length in LENGTHS:
        n = (np.arange(length) % 5).astype("u1").view("?")
        a = bc.frombuffer(n.tobytes(), "?")
        for name in REDUCTIONS:
            assert int(getattr(a, name)()) == int(getattr(n, name)()), (name, length)
        assert int(bc.count_nonzero(a)) == np.count_nonzero(n)


@pytest.mark.parametrize("length", [1000, 9000, 30000])
def test_sums_in_place_raise_what_numpy_raises(length):
    n = np.full(length, 1e308)
    a = bc.array(n)
    a += 1.0
    n += 1.0
    same(a, n, length)
    with (
        np.errstate(over="raise"),
        bc.errstate(over="raise"),
        pytest.raises(FloatingPointError, match="overflow encountered in add"),
    ):
        a += a
        bc.evaluate(a)


@pytest.mark.parametrize("dtype", ["?", "u1", "f8"])
def test_booleans_that_an_early_element_decides(dtype):
    """And those that only the last element decides, in arrays that several threads share."""
    for shape in ((900_001,), (31, 30_000), (300, 3000)):
        for place in (0, 5, 1023, 1024, 40_000, -1):
            for usual in (0, 1):
                n = np.full(shape, usual).astype(dtype)
                n.reshape(-1)[place] = 1 - usual
                a = bc.array(n)
                for name, reduction in (("any", "logical_or"), ("all", "logical_and")):
                    same(getattr(a, name)(), getattr(n, name)(), (name, shape, place))
                    same(getattr(a[..., ::2] > 0, name)(), getattr(n[..., ::2] > 0, name)(), (name, shape, place))
                    same(getattr(bc, reduction).reduce(a), getattr(np, reduction).reduce(n), (reduction, shape, place))
                    same(
                        getattr(bc, reduction).reduce(a, None),
                        getattr(np, reduction).reduce(n, None),
                        (reduction, shape, place),
                    )


@pytest.mark.parametrize("dtype", ["?", "i1", "u2", "i4", "u8", "i8"])
@pytest.mark.parametrize("name", ["bitwise_and", "bitwise_or", "bitwise_xor"])
def test_bits_of_long_runs(name, dtype):
    """Combined in vectors, and in blocks by several threads; also strided elements and columns."""
    rng = np.random.default_rng(7)
    for length in (*LENGTHS, 99_991, 3_000_001):
        n = rng.integers(-(2**62), 2**62, length).astype(dtype)
        if name != "bitwise_xor":  # otherwise all bits are equal soon
            n = n & n.dtype.type(1 << (0 if dtype == "?" else 5)) if name == "bitwise_or" else n | n.dtype.type(1)
            n[rng.integers(length)] ^= n.dtype.type(1)
        a, reduction, numpys = bc.array(n), getattr(bc, name), getattr(np, name)
        same(reduction.reduce(a), numpys.reduce(n), (name, dtype, length))
        same(reduction.reduce(a[1:]), numpys.reduce(n[1:]), (name, dtype, length))
        same(reduction.reduce(a[::-3]), numpys.reduce(n[::-3]), (name, dtype, length))
        rows = n[: length // 3 * 3].reshape(3, -1)
        for axis in (0, 1, -1, (0, 1), None):
            same(reduction.reduce(bc.array(rows), axis), numpys.reduce(rows, axis), (name, dtype, length, axis))


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u4", "i8", "f2", "f4", "f8"])
@pytest.mark.parametrize("columns", [1, 3, 7, 8, 9, 31, 64, 100, 255, 256, 257, 600])
def test_where_the_extrema_of_columns_stand(columns, dtype):
    """The first of equal elements and the first NaN, in any row; in narrow columns, wide ones, and shared ones."""
    rng = np.random.default_rng(columns)
    for rows in (1, 2, 126, 127, 128, 129, 300, 5000 if columns < 100 else 700, 70_000 if columns < 4 else 1000):
        for few in (False, True):
            n = rng.integers(0, 3 if few else 120, (rows, columns)).astype(dtype)
            if dtype[0] == "f":
                n[rng.random(n.shape) < 0.001] = np.nan
                n[rng.random(n.shape) < 0.3] *= -1  # zeros with both signs
                if columns > 2:
                    n[:, 2], n[:, 1] = -np.inf, np.inf
                    n[-1, 0] = np.nan
            a = bc.array(n)
            for name in ("argmin", "argmax"):
                same(getattr(a, name)(0), getattr(n, name)(0), (name, dtype, n.shape))
                same(getattr(a[::2], name)(0), getattr(n[::2], name)(0), (name, dtype, n.shape, "every second row"))
                same(getattr(a + 1, name)(0), getattr(n + n.dtype.type(1), name)(0), (name, dtype, n.shape, "plus 1"))
                cube = (getattr(x.reshape(1, rows, columns), name)(1) for x in (a, n))
                same(*cube, (name, dtype, n.shape, "in the middle"))


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_extrema_of_columns(dtype):
    """Rows are reduced several at a time and shared by threads; NaN and zeros with both signs give the same results."""
    rng = np.random.default_rng(3)
    for shape in ((9, 7), (17, 40), (1000, 300), (403, 1001), (70_000, 3)):
        n = rng.standard_normal(shape).astype(dtype)
        for place in (None, (0, 0), (shape[0] // 2, shape[1] - 1), (shape[0] - 1, shape[1] // 2)):
            if place is not None:
                n[place] = np.nan
            a = bc.array(n)
            same(a.max(0), n.max(0), (shape, place))
            same(a.min(0), n.min(0), (shape, place))
            same(a[:, ::-1].max(0), n[:, ::-1].max(0), (shape, place))
    zeros = np.where(rng.random((40, 33)) < 0.5, 0.0, -0.0).astype(dtype)
    for reduction in ("max", "min"):
        model = zeros[0].copy()
        for row in zeros[1:]:
            model = getattr(np, reduction + "imum")(model, row)
        got = np.asarray(getattr(bc.array(zeros), reduction)(0))
        assert np.array_equal(np.signbit(got), np.signbit(model)), reduction


@pytest.mark.parametrize("dtype", ["f4", "f8", "c16", "i2"])
def test_long_pieces_of_memory_do_not_show_in_the_bits(dtype):
    """A thread's block depends on the number of threads; sums equal NumPy's, other results those of one thread."""
    rng, before = np.random.default_rng(4), bc.get_num_threads()
    reductions = ["sum", "mean", "var", "prod"] if dtype != "i2" else ["sum", "max", "argmin"]
    for shape in ((3_100_001,), (3001, 1030), (3, 1_100_003)):
        n = (1 + 1e-4 * rng.standard_normal(shape) if dtype != "i2" else rng.integers(-999, 999, shape)).astype(dtype)
        results = {}
        try:
            for threads in (1, 2, 5):
                bc.set_num_threads(threads)
                a = bc.array(n)
                for reduction in reductions:
                    for axis in (None, n.ndim - 1):
                        got = np.asarray(getattr(a, reduction)(axis=axis))
                        assert np.array_equal(got, results.setdefault((reduction, axis), got)), (
                            shape,
                            reduction,
                            axis,
                            threads,
                        )
        finally:
            bc.set_num_threads(before)
        for axis in (None, n.ndim - 1):
            assert np.array_equal(results["sum", axis], n.sum(axis=axis)), (shape, axis)
