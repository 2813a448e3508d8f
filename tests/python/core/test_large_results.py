"""Results too large for a cache bypass it: the same values, whatever the dtype, alignment and number of outputs."""

import bascule as bc
import numpy as np
import pytest

LARGE = (1 << 25) + 4096 + 3  # bytes; not a whole number of blocks, tasks or cache lines


@pytest.mark.parametrize("dtype", ["int8", "bool", "int16", "float32", "int64", "float64", "complex128"])
def test_chain(dtype):
    n = LARGE // np.dtype(dtype).itemsize
    a = (np.arange(n) % 113).astype(dtype)
    b = (np.arange(n) % 7).astype(dtype)
    x, y = bc.asarray(a), bc.asarray(b)
    assert np.array_equal(np.asarray(x * y + x), a * b + a)


def test_copy_and_cast():
    a = np.arange(LARGE // 4, dtype=np.int32)
    x = bc.asarray(a)
    assert np.array_equal(np.asarray(x.copy()), a)
    assert np.array_equal(np.asarray(x.astype(np.float64)), a.astype(np.float64))


@pytest.mark.parametrize(("dtype", "count"), [("uint8", 4), ("int16", 3), ("float64", 2)])
def test_outputs_between_each_other(dtype, count):
    a = (np.arange(LARGE // np.dtype(dtype).itemsize // count + 1) % 113).astype(dtype)
    x = bc.asarray(a)
    room, expected = bc.zeros(a.size * count, dtype=dtype), np.zeros(a.size * count, dtype=dtype)
    for k in range(count):
        room[k::count] = x + np.dtype(dtype).type(k)
        expected[k::count] = a + np.dtype(dtype).type(k)
    assert np.array_equal(np.asarray(room), expected)


@pytest.mark.parametrize("first", [0, 1, 5])
def test_out_at_any_address(first):
    n = LARGE // 8
    a = np.arange(n, dtype=np.float64)
    room = bc.full(n + 8, -1.0)
    bc.add(bc.asarray(a), 1, out=room[first : first + n])
    expected = np.full(n + 8, -1.0)
    expected[first : first + n] = a + 1
    assert np.array_equal(np.asarray(room), expected)


@pytest.mark.parametrize("first", [0, 1, 5])
def test_out_of_narrower_elements_at_any_address(first):
    a = np.arange(LARGE // 4, dtype=np.float64)
    room = bc.full(a.size + 8, -1.0, dtype=np.float32)
    bc.add(bc.asarray(a) * 3, 1, out=room[first : first + a.size], casting="same_kind")
    expected = np.full(a.size + 8, -1.0, dtype=np.float32)
    expected[first : first + a.size] = a * 3 + 1
    assert np.array_equal(np.asarray(room), expected)


@pytest.mark.parametrize("dtype", ["uint8", "float32", "float64"])
@pytest.mark.parametrize("columns", [70, 3333])
def test_sums_of_neighbouring_rows(dtype, columns):
    """Sums of rows with any alignment, into a separate array and into the inner part of a larger one."""
    a = (np.arange(LARGE // np.dtype(dtype).itemsize + 3 * columns) % 113).astype(dtype)
    a = a[: a.size // columns * columns].reshape(-1, columns)
    x = bc.asarray(a)
    for part in ((slice(None, -2), slice(1, -1)), (slice(None, -2), slice(None, -2))):
        expected = a[part] + a[1:-1, 1:-1] + a[2:, 2:]
        assert np.array_equal(np.asarray(x[part] + x[1:-1, 1:-1] + x[2:, 2:]), expected)
        frame = bc.zeros((a.shape[0], columns + 3), dtype=dtype)
        frame[1:-1, 2:columns] = x[part] + x[1:-1, 1:-1] + x[2:, 2:]
        assert np.array_equal(np.asarray(frame[1:-1, 2:columns]), expected)
        assert not np.asarray(frame)[:, [0, 1, columns, columns + 2]].any()


def test_rows_whose_division_warns():
    """A block with an unusual quotient is computed again; its result bypasses the caches nevertheless."""
    a = np.arange(1.0, LARGE // 8 + 4001)[: LARGE // 8 // 2001 * 2001 + 2001].reshape(-1, 2001)
    a[1234, 77] = 0
    x = bc.asarray(a)
    with np.errstate(divide="ignore"):
        expected = 1 / a[:, 1:] + a[:, :-1]
    with pytest.warns(RuntimeWarning, match="divide by zero"):
        result = np.asarray(1 / x[:, 1:] + x[:, :-1])
    assert np.array_equal(result, expected)


def test_in_place_and_several_outputs():
    n = LARGE // 8
    a = np.arange(n, dtype=np.float64)
    x = bc.asarray(a)
    y = x * 2
    z = y + x
    bc.evaluate(y, z)
    x += 1
    x[1:] += x[:-1]
    b = a + 1
    b[1:] += b[:-1].copy()
    assert np.array_equal(np.asarray(y), a * 2)
    assert np.array_equal(np.asarray(z), a * 2 + a)
    assert np.array_equal(np.asarray(x), b)


def test_with_a_reduction_in_the_same_pass():
    n = LARGE // 8
    a = np.arange(n, dtype=np.float64)
    x = bc.asarray(a)
    y = x * 2
    s = y.sum()
    bc.evaluate(y, s)
    assert float(s) == (a * 2).sum()
    assert np.array_equal(np.asarray(y), a * 2)


@pytest.mark.parametrize("dtype", ["u1", "f4", "f8", "c16"])
def test_large_copies_of_rows_have_every_element(dtype):
    """Rows with gaps, copied past the caches, from columns with any alignment."""
    size = np.dtype(dtype).itemsize
    columns = LARGE // 1000 // size + 40
    x = (np.arange(2000 * columns) % 251).astype(dtype).reshape(2000, columns)
    a = bc.array(x)
    for part in ((slice(None, None, 2), slice(3, None)), (slice(None, None, -2), slice(None, -7))):
        assert np.array_equal(np.asarray(a[part].copy()), x[part])


@pytest.mark.parametrize("dtype", ["bool", "int16", "float32", "float64", "complex128"])
def test_transposes(dtype):
    size = np.dtype(dtype).itemsize
    for shape, axes in [((LARGE // size // 1500, 1503), (1, 0)), ((40, 100, LARGE // size // 4000 + 1), (2, 0, 1))]:
        a = (np.arange(np.prod(shape)) % 251).astype(dtype).reshape(shape)
        x = bc.asarray(a)
        assert np.array_equal(np.asarray(x.transpose(axes).copy()), a.transpose(axes))
        assert np.array_equal(np.asarray(bc.ascontiguousarray(x[::-1].transpose(axes))), a[::-1].transpose(axes))


@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize("shape", [(4, 200_000), (200_000, 4), (3, 5, 60_000)])
def test_elements_that_lie_on_one_another_are_written_in_order(shape, threads):
    given = np.random.default_rng(1).integers(0, 1 << 40, shape)
    results = []
    before = bc.get_num_threads()
    bc.set_num_threads(threads)
    try:
        for m in (np, bc):
            to = m.zeros(sum(shape), dtype=np.int64)
            view = m.lib.stride_tricks.as_strided(to, shape, (8,) * len(shape))
            view[...] = m.asarray(given)
            results.append(np.asarray(to).copy())
            m.invert(m.asarray(given), out=view)
            results.append(np.asarray(to).copy())
    finally:
        bc.set_num_threads(before)
    np.testing.assert_array_equal(results[2], results[0])
    np.testing.assert_array_equal(results[3], results[1])
