"""a[mask] = number: NumPy's results, errors and warnings, also with pending users of the array or the mask."""

from __future__ import annotations

import warnings

import bascule as bc
import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("native")

SIZES = [1, 7, 8, 63, 64, 65, 500, 5000, 10_000, 32_768, 32_769, 70_000]
SHARES = [0.0, 0.003, 0.5, 1.0]


def pair(n, dtype="f8", share=0.3, seed=0):
    g = np.random.default_rng(seed)
    x, mask = g.integers(0, 50, n).astype(dtype), g.random(n) < share
    return x, mask, bc.asarray(x.copy()), bc.asarray(mask)


def same(a, x):
    assert a.dtype == x.dtype
    assert a.shape == x.shape
    np.testing.assert_array_equal(np.asarray(a), x)


@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("dtype", ["?", "i1", "u2", "i4", "f4", "i8", "f8", "c16"])
def test_one_number_goes_where_the_mask_is_true(dtype, n, share):
    x, mask, a, m = pair(n, dtype, share)
    a[m] = x[mask] = True if dtype == "?" else 3
    same(a, x)
    a[bc.asarray(mask)] = x[mask] = False if dtype == "?" else 0
    same(a, x)


@pytest.mark.parametrize("turn", [lambda x: x.T, lambda x: x[::-1], lambda x: x[:, ::2], lambda x: x[1:-1, 1:-1],
                                  lambda x: x[:, 3:4], lambda x: x[5]])  # fmt: skip
@pytest.mark.parametrize("shape", [(8, 9), (100, 120)])
def test_of_any_layout(shape, turn):
    g = np.random.default_rng(0)
    x, mask = g.random(shape), g.random(shape) < 0.4
    a, m = bc.asarray(x.copy()), bc.asarray(mask)
    turn(a)[turn(m)] = turn(x)[turn(mask)] = 2.5
    same(a, x)
    dense, dense_mask = turn(a).copy(), bc.asarray(turn(mask).copy())
    expected = turn(x).copy()
    dense[turn(m)] = expected[turn(mask)] = -1
    same(dense, expected)
    turn(a)[dense_mask] = turn(x)[turn(mask)] = 7
    same(a, x)


@pytest.mark.parametrize("n", [100, 5000, 20_000, 50_000])
def test_a_chain_of_them_over_a_target_that_was_never_stored(n):
    counts, expected = bc.zeros(n, dtype=int), np.zeros(n, dtype=int)
    x = np.random.default_rng(1).random(n)
    a = bc.asarray(x.copy())
    for k in range(150):
        inside, wanted = a < 0.9, x < 0.9
        counts[inside] = k
        expected[wanted] = k
        a[inside] = a[inside] * 1.02
        x[wanted] = x[wanted] * 1.02
    same(counts, expected)
    same(a, x)


@pytest.mark.parametrize("n", [100, 5000, 20_000])
def test_what_was_asked_before_shows_what_was_there_before(n):
    x, mask, a, m = pair(n)
    later, view = a * 2 + 1, a[3:]
    wanted = x * 2 + 1
    copies = a.copy()
    a[m] = 99
    same(later, wanted)
    same(copies, x)
    x[mask] = 99
    same(view, x[3:])
    doubled = bc.asarray(x) * 2
    held = doubled[1:]
    doubled[m] = -1
    wanted = x * 2
    wanted[mask] = -1
    same(doubled, wanted)
    same(held, wanted[1:])


@pytest.mark.parametrize("n", [100, 5000, 20_000])
def test_the_mask_may_wait_for_the_target_or_be_it(n):
    x, _, a, _ = pair(n)
    large = a > 20
    a[large] = 1
    x[x > 20] = 1
    same(a, x)
    same(large, np.asarray(pair(n)[0] > 20))
    a[a == 1] = 5
    x[x == 1] = 5
    same(a, x)
    booleans, t = a > 5, x > 5
    booleans[booleans] = False
    t[t] = False
    same(booleans, t)
    booleans, t = a > 5, x > 5
    booleans[~booleans] = True
    t[~t] = True
    same(booleans, t)
    first, mirrored = a > 5, x > 5
    first[first[::-1]] = True
    mirrored[mirrored[::-1].copy()] = True
    same(first, mirrored)


@pytest.mark.parametrize("n", [100, 5000])
def test_memory_shared_with_numpy(n):
    memory = np.arange(n, dtype="f8")
    a = bc.asarray(memory, copy=False)
    a[a > n // 2] = -1
    assert memory.min() == -1
    assert np.count_nonzero(memory == -1) == n - n // 2 - 1
    b = bc.arange(float(n))
    seen = np.asarray(b)
    b[b < 5] = 100
    assert seen[:5].tolist() == [100] * 5
    mask = np.zeros(n, bool)
    m = bc.asarray(mask, copy=False)
    mask[2] = True
    b[m] = -7
    assert b[2] == -7


def test_booleans_may_be_any_bytes():
    raw = np.random.default_rng(1).integers(0, 256, 6000).astype("u1")
    raw[::3] = 0
    x = np.arange(6000.0)
    for part in (slice(None), slice(1, None, 2), slice(0, 300)):
        a, expected = bc.asarray(x[part].copy()), x[part].copy()
        a[bc.asarray(raw).view(bool)[part]] = expected[raw[part] != 0] = -1
        same(a, expected)


@pytest.mark.parametrize("n", [6, 600, 6000, 20_000])
def test_rows_under_a_mask_of_fewer_axes_and_masks_that_do_not_fit(n):
    x, mask = np.zeros((n, 3)), np.arange(n) % 3 == 0
    a, m = bc.asarray(x.copy()), bc.asarray(mask)
    a[m] = x[mask] = 2
    same(a, x)
    for wrong in (np.ones(n + 1, bool), np.ones((n, 2), bool), np.ones((1, 3), bool), np.ones((n, 3, 1), bool)):
        with pytest.raises(IndexError) as wanted:
            x[wrong] = 1
        with pytest.raises(IndexError) as found:
            a[bc.asarray(wrong)] = 1
        assert str(found.value) == str(wanted.value)
    same(a, x)


NUMBERS = [1, -1, 300, 2**40, 2**70, 1.5, -2.7, 1e300, float("nan"), float("inf"), True, 1 + 2j, np.float64("nan"),
           np.float32(3.5), np.int64(-5), np.int8(4), np.uint64(2**63), np.bool_(True), np.complex64(2)]  # fmt: skip


@pytest.mark.filterwarnings("ignore::FutureWarning")
@pytest.mark.parametrize("n", [6, 2000, 20_000])
@pytest.mark.parametrize("dtype", ["?", "i1", "u1", "i8", "u8", "f2", "f4", "f8", "c16"])
@pytest.mark.parametrize("number", NUMBERS, ids=repr)
def test_numbers_become_elements_as_in_numpy(number, dtype, n):
    def outcome(a, m, read):
        with warnings.catch_warnings(record=True) as reported:
            warnings.simplefilter("always")
            try:
                a[m] = number
                return read(a), sorted({(w.category, str(w.message)) for w in reported}, key=str)
            except Exception as error:
                return type(error), str(error), read(a)

    x, mask, a, m = pair(n, dtype)
    wanted, found = outcome(x, mask, np.copy), outcome(a, m, np.array)
    assert len(wanted) == len(found)
    for w, f in zip(wanted, found, strict=True):
        if isinstance(w, np.ndarray):
            np.testing.assert_array_equal(f, w)
        else:
            assert f == w


@pytest.mark.parametrize("n", [6, 2000, 20_000])
def test_read_only_arrays_are_refused(n):
    x, mask, a, m = pair(n)
    a.flags.writeable = False
    for key in (m, bc.asarray(np.zeros(n, bool)), a > 3):
        with pytest.raises(ValueError, match="assignment destination is read-only"):
            a[key] = 1
    with pytest.raises(ValueError, match="read-only"):
        bc.broadcast_to(bc.asarray(x[:1].copy()), (n,))[m] = 1
    same(a, x)


@pytest.mark.parametrize("n", [40, 3000])
def test_elements_that_lie_on_one_another(n):
    x, _, a, _ = pair(n)
    g = np.random.default_rng(3)
    mask = g.random((n - 2, 3)) < 0.2
    wide = bc.sliding_window_view if hasattr(bc, "sliding_window_view") else bc.lib.stride_tricks.sliding_window_view
    wide(a, 3, writeable=True)[bc.asarray(mask)] = -1
    np.lib.stride_tricks.sliding_window_view(x, 3, writeable=True)[mask] = -1
    same(a, x)


@pytest.mark.parametrize("n", [700, 20_000])
def test_times(n):
    x = np.arange(n).astype("M8[s]")
    a, mask = bc.asarray(x.copy()), np.arange(n) % 5 == 0
    a[bc.asarray(mask)] = x[mask] = np.datetime64("2020-01-01", "D")
    same(a, x)
    a[bc.asarray(mask)] = x[mask] = np.datetime64("NaT", "s")
    same(a, x)


@pytest.mark.parametrize("n", [50, 900, 3000, 10_000, 40_000])
def test_values_at_once_where_masks_and_targets_wait(n):
    x, _, a, _ = pair(n, share=0.5)
    doubled, wanted = a * 2, x * 2
    for low in (10, 30, 60):
        mask, m = wanted > low, doubled > low
        values = np.arange(np.count_nonzero(mask)) + 0.5
        given = bc.asarray(values) * 1
        doubled[m] = given
        wanted[mask] = values
        if len(values) > 2:
            with pytest.raises(ValueError, match="NumPy boolean array indexing assignment cannot assign"):
                doubled[m] = given[:-1]
    same(doubled, wanted)
