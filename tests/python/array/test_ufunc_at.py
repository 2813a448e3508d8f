"""add.at, subtract.at and assignments by index arrays, against NumPy: repeated indices in order, to the last bit."""

import bascule as bc
import numpy as np
import pytest
import reported_outcomes
from ordered_arrays import same, same_outcome

pytestmark = pytest.mark.usefixtures("native")

TYPES = ["i8", "u8", "f4", "f8", "c8", "c16"]


@pytest.mark.parametrize("op", ["add", "subtract"])
@pytest.mark.parametrize("dtype", TYPES)
def test_values_are_added_one_by_one(op, dtype):
    rng = np.random.default_rng(0)
    x = (rng.normal(size=50) * 100).astype(dtype) if dtype != "u8" else rng.integers(20_000, 30_000, 50).astype(dtype)
    p = rng.integers(-50, 50, (30, 40))
    for values in (
        rng.integers(0, 9, (30, 40)).astype(dtype),
        np.asarray(3, dtype),
        2,
        rng.integers(0, 9, 40).astype(dtype),
    ):
        a, want = bc.array(x), x.copy()
        getattr(bc, op).at(a, bc.array(p.astype("i4")), bc.array(values) if isinstance(values, np.ndarray) else values)
        for at, v in zip(p.ravel(), np.broadcast_to(values, p.shape).ravel()):
            want[at] = getattr(np, op)(want[at], v.astype(dtype))
        same(a, want)


@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "c16"])
def test_what_is_taken_away_keeps_the_sign_of_nan(dtype):
    values = np.array([np.nan, -np.nan, 1, np.inf, 0, -0.0], dtype)
    if dtype[0] == "c":
        values.imag = values.real[::-1]
    for n in (6, 3000):
        p, v = np.arange(n) % 6, np.resize(values, n)
        x = np.repeat(np.array([0.0, -0.0, 2.0, -1.0, 0.0, -0.0], dtype), n // 6)[:n]
        for start in (x, np.zeros_like(x)):
            a, want = bc.array(start), start.copy()
            bc.subtract.at(a, bc.arange(n), bc.array(v))
            np.subtract.at(want, np.arange(n), v)
            assert np.asarray(a).tobytes() == want.tobytes()
        a, want = bc.array(x[:6]), x[:6].copy()
        bc.subtract.at(a, bc.array(p[:6]), np.nan)
        np.subtract.at(want, p[:6], np.nan)
        assert np.asarray(a).tobytes() == want.tobytes()


@pytest.mark.parametrize("op", ["add", "subtract", "multiply", "less", "maximum"])
@pytest.mark.parametrize("dtype", ["f8", "u2", "?"])
def test_imaginary_parts_that_are_lost_are_reported(op, dtype):
    for at in ([], [0, 2, 2]):
        values = np.arange(len(at)) + 2j

        def program(xp, at=at, values=values):
            a = xp.asarray(np.arange(5).astype(dtype))
            getattr(xp, op).at(a, xp.asarray(at, dtype="i8"), xp.asarray(values))
            return a

        reported_outcomes.same(program)


@pytest.mark.parametrize("dtype", ["?", "i1", "i8"])
@pytest.mark.parametrize("op", ["floor_divide", "remainder"])
def test_a_loop_of_another_type_reports_under_the_methods_name(op, dtype):
    def program(xp):
        a = xp.asarray(np.ones(3, dtype))
        getattr(xp, op).at(a, xp.asarray([0, 2]), xp.asarray(np.zeros(2, dtype)))
        return a

    reported_outcomes.same(program)


def test_what_is_pending_reads_the_old_values():
    x = np.arange(50_000.0)
    a = bc.array(x)
    later = a * 2
    bc.add.at(a, [0, 0, -1], 1.0)
    assert a[0] == 2 and a[-1] == 50_000
    same(later, x * 2)


def test_positions_and_values_may_lie_in_the_array():
    a, x = bc.arange(5), np.arange(5)
    bc.add.at(a, a, a)
    np.add.at(x, x.copy(), x.copy())
    same(a, x)


def test_errors():
    for call in (
        lambda m, a: m.add.at(a([1.0, 2]), [5], 1.0),
        lambda m, a: m.add.at(a([1.0, 2]), [-3], 1.0),
    ):
        same_outcome(lambda: call(bc, bc.array), lambda: call(np, np.array))
    with pytest.raises(ValueError, match="array is not broadcastable to correct shape"):
        bc.add.at(bc.ones(2), [0, 1], [1.0, 2, 3])
    a = bc.ones(3)
    a.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        bc.add.at(a, [0], 1.0)


@pytest.mark.parametrize("dtype", ["u1", "i2", "f", "d", "D"])
@pytest.mark.parametrize(("size", "count"), [(70_000, 300_000), (300_000, 140_000), (5, 200_000)])
def test_the_last_of_many_equal_indices_wins(dtype, size, count):
    rng = np.random.default_rng(size)
    index, values = rng.integers(-size, size, count), rng.integers(0, 120, count).astype(dtype)
    for given in (values, values[:1], values[::-1]):
        ours, theirs = bc.zeros(size, dtype), np.zeros(size, dtype)
        ours[bc.asarray(index)] = bc.asarray(given)
        theirs[index] = given
        np.testing.assert_array_equal(np.asarray(ours), theirs)
        np.testing.assert_array_equal(np.asarray(ours[bc.asarray(index)]), theirs[index])


def read_only(xp):
    a = xp.arange(4.0)
    a.flags.writeable = False
    return a


TARGETS = {
    "read-only": read_only,
    "diagonal": lambda xp: xp.asarray(np.eye(4)).diagonal(),
    "list": lambda xp: [1.0, 2.0, 3.0, 4.0],
    "row": lambda xp: xp.arange(4.0),
    "square": lambda xp: xp.arange(4.0).reshape(2, 2),
}
WRITES = {
    "put": lambda xp, a: xp.put(a, [0], [5.0]),
    "put nothing": lambda xp, a: xp.put(a, [], [5.0]),
    "place": lambda xp, a: xp.place(a, np.array([1, 0, 1, 0], bool), [5.0]),
    "place where numbers are not 0": lambda xp, a: xp.place(a, [1, 0, 2, 0], [5.0, 6.0]),
    "place nowhere": lambda xp, a: xp.place(a, np.zeros(4, bool), []),
    "place nothing": lambda xp, a: xp.place(a, np.ones(4, bool), []),
    "place by another shape": lambda xp, a: xp.place(a, np.array([[True, False], [True, True]]), [5.0, 6.0]),
    "place by another size": lambda xp, a: xp.place(a, np.ones(3, bool), [5.0]),
    "putmask": lambda xp, a: xp.putmask(a, np.array([1, 0, 1, 0], bool), [5.0, 6.0]),
    "putmask nowhere": lambda xp, a: xp.putmask(a, np.zeros(4, bool), [5.0]),
    "putmask by another size": lambda xp, a: xp.putmask(a, np.ones(3, bool), [5.0]),
}


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
def test_what_is_written_to_is_looked_at_first(target, write):
    def program(xp):
        a = target(xp)
        write(xp, a)
        return a

    reported_outcomes.same(program)


@pytest.mark.parametrize("dtype", ["u1", "i2", "f4", "f8", "c16"])
def test_of_many_equal_positions_the_last_one_stays(dtype):
    """So many that threads share the array, and that indices are processed in several rounds."""
    rng = np.random.default_rng(1)
    for size, count in ((200_000, 300_001), (150_000, 131_072), (1_000, 300_007)):
        x, values = rng.integers(0, 99, size).astype(dtype), rng.integers(0, 99, (count, 2)).astype(dtype)
        p = rng.integers(-size, size, count)
        p[:3000] = p[count // 2 : count // 2 + 3000] = 7  # a single index for some rounds
        p[:40_000] %= size // 2
        for given in (np.ascontiguousarray(values[:, 0]), values[:, 1], values[0, 0]):
            want, a = x.copy(), bc.array(x)
            want[p] = given
            a[bc.array(p)] = bc.array(given)
            same(a, want)


@pytest.mark.parametrize("dtype", ["u1", "i2", "f4", "f8", "c16"])
def test_items_of_large_arrays_are_taken_where_the_positions_say(dtype):
    rng = np.random.default_rng(2)
    size = 1_100_000
    x = rng.integers(0, 99, size).astype(dtype)
    for count in (1, 8, 250, 263, 264, 265, 100_003):
        p = rng.integers(-size, size, count)
        same(bc.array(x)[bc.array(p)], x[p])
        p[count * 2 // 3] = -size - 1
        with pytest.raises(IndexError, match=f"index {-size - 1} is out of bounds for axis 0 with size {size}"):
            bc.evaluate(bc.array(x)[bc.array(p)])
