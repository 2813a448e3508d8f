"""concatenate, roll and add.at of small arrays: values, types, layouts and errors are NumPy's."""

import itertools

import bascule as bc
import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("native")

_SHAPES = [(5,), (3, 4), (2, 3, 4), (1, 3), (0, 3)]


def _same(case, *arrays):
    """Compare the result of a function for arrays of NumPy's and of bascule's, in several layouts."""
    try:
        expected = case(np, *arrays)
    except Exception as error:
        with pytest.raises(type(error)) as said:
            case(bc, *map(bc.asarray, arrays))
        assert str(said.value) == str(error)
        return
    turned = [bc.asarray(x.T.copy()).T for x in arrays]
    wide = [bc.asarray(np.repeat(x, 2, axis=-1))[..., ::2] for x in arrays]
    for mine in ([bc.asarray(x) for x in arrays], turned, wide):
        got = case(bc, *mine)
        assert type(got) is bc.ndarray
        assert (got.dtype, got.shape) == (expected.dtype, expected.shape)
        np.testing.assert_array_equal(np.asarray(got), expected)


@pytest.mark.parametrize("shape", _SHAPES)
@pytest.mark.parametrize("dtype", ["f8", "i4", "?", "c16", "M8[D]"])
def test_joined(shape, dtype):
    x = np.arange(np.prod(shape)).reshape(shape).astype("i8").astype(dtype)
    y = x[::-1].copy()
    for name in ("vstack", "hstack", "dstack", "column_stack", "stack", "concatenate"):
        _same(lambda xp, a, b, f=name: getattr(xp, f)([a, b]), x, y)
        _same(lambda xp, a, b, f=name: getattr(xp, f)((a, b, a)), x, y)
        _same(lambda xp, a, b, f=name: getattr(xp, f)([a, b[..., :2]]), x, y)
        _same(lambda xp, a, b, f=name: getattr(xp, f)([a, b.astype("f4")]) if dtype != "M8[D]" else a, x, y)
    for axis in range(-4, 4):
        _same(lambda xp, a, b, k=axis: xp.stack([a, b, a], k), x, y)
    _same(lambda xp, a: xp.vstack([a]), x)
    _same(lambda xp, a: xp.stack([a, a], axis=-1, dtype="f4") if dtype == "f8" else a, x)


def test_joined_results_are_copies():
    x = bc.ones(3)
    for f in (bc.vstack, bc.hstack, bc.stack, bc.column_stack):
        joined = f([x])
        joined[...] = 5.0
    assert x.tolist() == [1.0, 1.0, 1.0]


@pytest.mark.parametrize("shape", [*_SHAPES, (70, 80)])
def test_rolled(shape):
    x = np.arange(np.prod(shape), dtype="f8").reshape(shape)
    for shift, axis in itertools.product((0, 1, -1, 7, -13, (1, 2), 2**40), (None, 0, -1, 1, (0, 1))):
        _same(lambda xp, a, s=shift, k=axis: xp.roll(a, s, k), x)
    assert not np.shares_memory(np.asarray(bc.roll(y := bc.asarray(x), 0)), np.asarray(y)) or x.size == 0


_POSITIONS = [[1, 1, 4], [-1, 0, -5, 2], [[0, 1], [1, 1]], [5], [-6], []]


@pytest.mark.parametrize("dtype", ["f8", "i8", "f4", "u1"])
@pytest.mark.parametrize("name", ["add", "subtract", "multiply"])
def test_added_at_positions(dtype, name):
    values = [2, 2.5, np.float64(3.0), "same", "floats", [1, 2, 3], np.inf]
    for positions, v in itertools.product(_POSITIONS, values):
        at = np.array(positions, "i8")
        if isinstance(v, str):
            v = np.arange(1, at.size + 1).reshape(at.shape).astype(dtype if v == "same" else "f8")
        reported = []
        for xp in (np, bc):
            x = xp.arange(5).astype(dtype)
            try:
                with np.errstate(all="ignore"):
                    getattr(xp, name).at(x, xp.asarray(at), xp.asarray(v) if isinstance(v, np.ndarray) else v)
                reported.append(np.asarray(x).tolist())
            except Exception as error:
                reported.append((type(error).__name__, str(error)))
        assert str(reported[0]) == str(reported[1]), (positions, v)


def test_added_at_positions_of_several_axes_and_of_views():
    rows, columns = np.array([0, 2, 2, -1]), np.array([1, 1, 1, 0])
    reported = []
    for xp in (np, bc):
        x = xp.zeros((3, 2))
        late = x * 1.0
        xp.add.at(x, (xp.asarray(rows), xp.asarray(columns)), 1)
        xp.add.at(x[1], xp.asarray(columns), xp.asarray([1.0, 2.0, 3.0, 4.0]))
        xp.add.at(x[:, 1], xp.asarray(rows), 10.0)
        xp.add.at(x, xp.asarray(rows), 0.5)
        reported.append((np.asarray(x).tolist(), np.asarray(late).tolist()))
        i = xp.arange(4)
        xp.add.at(i, i, i)  # indices are read first
        reported[-1] += (np.asarray(i).tolist(),)
    assert reported[0] == reported[1]
    with pytest.raises(ValueError, match="read-only"):
        bc.add.at(bc.broadcast_to(bc.zeros(3), (3,)), bc.asarray([0]), 1)
    with pytest.warns(RuntimeWarning, match="overflow encountered in add"):
        bc.add.at(bc.full(2, 1e308), bc.asarray([0, 0]), 1e308)


def test_diagonals_bytes_and_contiguous_arrays():
    x = np.arange(12.0).reshape(3, 4)
    for a in (x, x.T, x[::-1, ::2]):
        b = (
            bc.asarray(x).T
            if a is not x and a.shape == (4, 3)
            else bc.asarray(x)
            if a is x
            else bc.asarray(x)[::-1, ::2]
        )
        assert b.diagonal().tolist() == a.diagonal().tolist()
        assert not b.diagonal().flags.writeable
        assert bc.diagonal(b, 1).tolist() == np.diagonal(a, 1).tolist()
        assert b.tobytes() == a.tobytes()
        assert b.tobytes("F") == a.tobytes("F")
        assert (bc.ascontiguousarray(b) is b) == (np.ascontiguousarray(a) is a)
        assert bc.ascontiguousarray(b).flags.c_contiguous
    assert bc.ascontiguousarray(bc.array(3.0)).shape == (1,)
    with pytest.raises(ValueError, match="diag requires an array of at least two dimensions"):
        bc.ones(3).diagonal()


_KEYS = [
    [0, 2, -1], [0], [], [3], [-4], [[0, 1], [2, 2]], [True, False, True], [[True, False, True, True]] * 3, [1.5],
    ([0, 2], [1, 1]), ([0, -1], [[1], [3]]), ([0], [4]), (slice(None), [0, 2]), ([0, 2], slice(1, 3)), [True] * 4,
    ([True, False, True], [0, 1]), [0, True], None, (None, [0, 1]),
]  # fmt: skip


@pytest.mark.parametrize("key", _KEYS)
@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "u1", "?", "c16", "M8[D]"])
def test_selected_and_written_by_arrays(key, dtype):
    values = [0, 7.5, np.float64(2), True, "same", "other type", "row", -3, np.nan]
    for listed, value in itertools.product((True, False), [None, *values]):
        reported = []
        for xp in (np, bc):
            x = xp.asarray(np.arange(12).reshape(3, 4).astype("i8").astype(dtype))
            before = x.copy()

            def made(k, xp=xp, listed=listed):
                return xp.asarray(k) if isinstance(k, list) and not listed else k

            k = tuple(map(made, key)) if isinstance(key, tuple) else made(key)
            try:
                if value is None:
                    got = x[k]
                    got[...] = 0 if dtype != "M8[D]" else np.datetime64("2000-01-01")
                    got = before[k]
                else:
                    v = value
                    if isinstance(v, str):
                        shape = np.asarray(np.asarray(before)[k if xp is np else _host(k)]).shape
                        shape = shape[-1:] if v == "row" else shape
                        t = "f4" if v == "other type" and dtype != "M8[D]" else dtype
                        v = xp.asarray(np.arange(np.prod(shape, dtype=int)).reshape(shape).astype("i8").astype(t))
                    x[k] = v
                    got = x
                reported.append((str(got.dtype), got.shape, str(np.asarray(got).tolist()), str(np.asarray(x).tolist())))
            except (IndexError, ValueError, TypeError, OverflowError):  # of a wrong key or a wrong value
                reported.append("raised")
        assert reported[0] == reported[1], (listed, value)


def _host(key):
    if isinstance(key, tuple):
        return tuple(map(_host, key))
    return np.asarray(key) if type(key) is bc.ndarray else key


def test_rows_change_positions():
    x, y = np.arange(12.0).reshape(4, 3), bc.arange(12.0).reshape(4, 3)
    waits = y * 2
    for a in (x, y):
        a[[0, 1]] = a[[1, 0]]
        a[[2, 2]] = a[[3, 0]]
        a[a > 8] = a[a > 8] * 10
        a[[0, 3]] += 1
    np.testing.assert_array_equal(np.asarray(y), x)
    assert waits.tolist()[0] == [0.0, 2.0, 4.0]
    with pytest.raises(ValueError, match="read-only"):
        bc.broadcast_to(y, (4, 3))[[0, 1]] = 0.0


@pytest.mark.parametrize(
    "make",
    [
        lambda xp, x: [x[0], x[1]],
        lambda xp, x: [x[0], 1],
        lambda xp, x: [1, x[0], 2.5],
        lambda xp, x: [[x[0], -x[1]], [x[1], x[0]]],
        lambda xp, x: ([1, 2.5], (3, 4)),
        lambda xp, x: [2**60, 0.5],
        lambda xp, x: [xp.arange(3)[1], xp.arange(3)[2]],
        lambda xp, x: [xp.arange(3)[1], 7],
        lambda xp, x: [xp.arange(3)[1], True],
        lambda xp, x: [x[0] > 0, x[1] > 0],
        lambda xp, x: [x[0], xp.float32(2)],
        lambda xp, x: [x, x],
        lambda xp, x: [x, x * 1.5, x[::-1]],
        lambda xp, x: (x, [1, 2, 3]),
        lambda xp, x: [x, x[:2]],
        lambda xp, x: [x, xp.arange(3)],
        lambda xp, x: [[x, x], [x, x]],
        lambda xp, x: [x.reshape(1, 3)],
        lambda xp, x: [x[0], 2j],
        lambda xp, x: [x[0], [1]],
    ],
)
def test_arrays_of_lists_with_elements(make):
    reported = []
    for xp in (np, bc):
        try:
            r = xp.array(make(xp, xp.asarray([1.0, -2.0, 3.0])))
            reported.append((str(r.dtype), r.shape, r.flags.c_contiguous, r.tolist()))
        except Exception as error:
            reported.append(type(error).__name__)
    assert reported[0] == reported[1]


def test_small_calls_with_a_shorter_way():
    for xp in (np, bc):
        reported = []
        for make in (
            lambda xp=xp: xp.array([1, 2, 3], dtype=float),
            lambda xp=xp: xp.array([[1, 2], [3, 2**60 + 1]], float),
            lambda xp=xp: xp.asarray([1.5, 2], xp.float64),
            lambda xp=xp: xp.asarray([1, 2], int),
            lambda xp=xp: xp.asarray([1.5, 2], int),
            lambda xp=xp: xp.array([True, False], dtype=float),
            lambda xp=xp: xp.array([True, False], dtype=int),
            lambda xp=xp: xp.asarray(xp.arange(3), dtype="i8"),
            lambda xp=xp: xp.asarray(xp.arange(3), dtype=float),
            lambda xp=xp: xp.arange(6).reshape(2, 3).swapaxes(0, 1),
            lambda xp=xp: xp.arange(6).reshape(2, 3).swapaxes(-1, 0),
            lambda xp=xp: xp.arange(6).reshape(2, 3).swapaxes(1, -1),
            lambda xp=xp: xp.arange(6).reshape(2, 3).swapaxes(0, 3),
            lambda xp=xp: xp.asarray(xp.unravel_index(17, (2, 3, 4))),
            lambda xp=xp: xp.asarray(xp.unravel_index(xp.argmax(xp.arange(12)), (3, 4))),
            lambda xp=xp: xp.unravel_index(12, (3, 4)),
            lambda xp=xp: xp.unravel_index(-1, (3, 4)),
            lambda xp=xp: xp.unravel_index(0, (0, 4)),
            lambda xp=xp: xp.unravel_index(True, (3, 4))[0],
            lambda xp=xp: xp.linalg.norm(xp.asarray([3.0, 4.0])),
            lambda xp=xp: xp.linalg.norm(xp.asarray([[3.0, 4.0]]), keepdims=True),
            lambda xp=xp: xp.linalg.norm(xp.asarray([3, 4], "f4")),
        ):
            try:
                r = make()
                reported.append((str(r.dtype), r.shape, np.asarray(r).tolist()))
            except Exception as error:
                reported.append((type(error).__name__, str(error)))
        if xp is np:
            expected = reported
    assert reported == expected
    place = bc.unravel_index(5, (2, 3))
    assert bc.arange(6).reshape(2, 3)[place] == 5
    assert {place[0]: 1}[1] == 1
    x = bc.ones(3)
    assert bc.asarray(x, float) is x
    assert bc.asarray(x, dtype="float64") is x
