"""Elements read, computed with and written back one by one in Python loops: the results of NumPy's scalars."""

import itertools
import operator
import warnings

import bascule as bc
import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("native")

_FLOATS = [0.0, -0.0, 1.5, -2.0, 1e308, 5e-324, 2.5e-308, np.inf, -np.inf, np.nan]
_WHOLE = [0, 1, -1, 7, -3, 2**53 + 1, 2**63 - 1, -(2**63)]
_UNTOLD = ("floor_divide", "underflow")
_BINARY = [
    operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.pow,
    operator.lt, operator.le, operator.eq, operator.ne, operator.gt, operator.ge,
]  # fmt: skip
_UNARY = [operator.neg, operator.pos, operator.abs, float, bool, lambda x: x**2, lambda x: x**0.5, lambda x: x**-1]


def _outcome(f, *values):
    """Type, value, sign, and warnings or the error."""
    with warnings.catch_warnings(record=True) as seen, np.errstate(all="warn"):
        warnings.simplefilter("always")
        try:
            r = f(*values)
        except Exception as error:
            return type(error).__name__, str(error)
    # Warnings for NumPy's scalars of two types are those for arrays, and its quotients report errors of intermediate
    # results.
    reported = sorted(
        str(w.message).replace("scalar ", "") for w in seen if not any(t in str(w.message) for t in _UNTOLD)
    )
    dtype = str(r.dtype) if hasattr(r, "dtype") else type(r)
    return dtype, repr(r.item() if hasattr(r, "item") else r), reported


def _check(got, expected, op, *of):
    if op is operator.pow and got[1] != expected[1]:
        np.testing.assert_allclose(float(got[1]), float(expected[1]), rtol=1e-15)
        got = (got[0], expected[1], *got[2:])
    assert got == expected, of


@pytest.mark.parametrize("op", _BINARY)
@pytest.mark.parametrize("dtypes", [*itertools.product(["f8", "i8", "f4", "i2"], repeat=2), ("?", "?"), ("?", "f4")])
def test_two_elements(op, dtypes):
    whole = {"f8": _FLOATS, "f4": [0.0, 1.5, 3e38, np.nan], "i8": _WHOLE, "?": [False, True], "i2": [0, 5, -3276]}
    theirs = [np.array(whole[t], t) for t in dtypes]
    ours = [bc.array(x) for x in theirs]
    for i, j in itertools.product(range(len(theirs[0])), range(len(theirs[1]))):
        expected = _outcome(op, theirs[0][i], theirs[1][j])
        got = _outcome(op, ours[0][i], ours[1][j])
        _check(got, expected, op, theirs[0][i], theirs[1][j])


@pytest.mark.parametrize("op", _BINARY)
@pytest.mark.parametrize("dtype", ["f8", "i8", "f4"])
def test_an_element_alongside_a_number_of_pythons(op, dtype):
    values = {"f8": _FLOATS, "f4": [0.0, 1.5, 3e38, np.nan], "i8": _WHOLE}
    theirs = np.array(values[dtype], dtype)
    ours = bc.array(theirs)
    for i, b in itertools.product(range(len(theirs)), [0, 2, -1, -3, 0.5, 2.0, -1.0, 2**60, 1e30, np.nan]):
        _check(_outcome(op, ours[i], b), _outcome(op, theirs[i], b), op, theirs[i], b)
        _check(_outcome(op, b, ours[i]), _outcome(op, b, theirs[i]), op, b, theirs[i])


@pytest.mark.parametrize("op", [*_BINARY[:3], *_BINARY[7:]])
def test_booleans_alongside_numbers(op):
    for x, b in itertools.product([False, True], [0, 3, -2, 2.5, 0.0, 2**62, np.int64(5), np.float64(-1.5)]):
        theirs, ours = np.array([x])[0], bc.array([x])[0]
        other = bc.array([b])[0] if isinstance(b, np.generic) else b
        _check(_outcome(op, ours, other), _outcome(op, theirs, b), op, x, b)
        _check(_outcome(op, other, ours), _outcome(op, b, theirs), op, b, x)
    total = 0
    for x in bc.arange(5) > 2:
        total += x
    assert total == 2
    assert total.dtype == np.int64


@pytest.mark.parametrize("op", _UNARY)
def test_one_element(op):
    for values in (np.array(_FLOATS), np.array(_WHOLE)):
        for x, y in zip(values, bc.array(values), strict=True):
            _check(_outcome(op, y), _outcome(op, x), operator.pow, x)


@pytest.mark.parametrize(
    "name", ["sqrt", "exp", "sin", "maximum", "minimum", "isnan", "floor", "arctan2", "hypot", "sign"]
)
def test_functions_of_values(name):
    theirs, ours = getattr(np, name), getattr(bc, name)
    for x in (0.0, 2.0, -1.0, 3, 0, np.inf, np.nan, 1e300):
        expected = _outcome(theirs, *(x,) * theirs.nin)
        for one in (x, bc.array([x])[0]):
            got = _outcome(ours, *(one,) * theirs.nin)
            assert (got[0], got[2]) == (expected[0], expected[2])
            if got[1] != expected[1]:
                np.testing.assert_allclose(float(got[1]), float(expected[1]), rtol=1e-15)


@pytest.mark.parametrize("target", ["f8", "f4", "i8", "i2", "u1", "?", "c16"])
@pytest.mark.parametrize(
    "key", [1, -2, (0, 1), (bc.int64(1), 1, 0), (slice(None), 1), slice(None), Ellipsis, (1, 0, 1)]
)
def test_writing_one_value(target, key):
    for value in [0, 1, 255, -1, 2.75, True, np.nan, 1e300, -(2**63), 2 - 1j]:
        theirs, ours = np.zeros((3, 4, 2), target), bc.zeros((3, 4, 2), target)
        plain = tuple(int(k) if hasattr(k, "dtype") else k for k in key) if isinstance(key, tuple) else key
        reported = [
            _outcome(lambda x, k, v=value: operator.setitem(x, k, v), x, k) for x, k in ((ours, key), (theirs, plain))
        ]
        assert reported[0] == reported[1]
        np.testing.assert_array_equal(np.asarray(ours), theirs)
        if reported[1] == (type(None), "None", []) and isinstance(
            value, (int, float)
        ):  # as an element of another array, too
            again = bc.zeros((3, 4, 2), target)
            again[key] = bc.array([value])[0]
            np.testing.assert_array_equal(np.asarray(again), theirs)


def test_views_that_wait_see_the_old_elements():
    x = bc.ones(100_000)
    y = x + 1  # pending
    x[3] = 7.0
    x[5:9] = 8.0
    assert float(y[3]) == float(y[6]) == 2.0
    assert float(x[3]) == 7.0
    assert float(x.sum()) == 100_000 + 6 + 4 * 7


def test_read_only_arrays_stay_as_they_are():
    x = bc.broadcast_to(bc.ones(3), (2, 3))
    for key, value in (((0, 1), 2.0), (0, 2.0), (slice(None), bc.zeros(3))):
        with pytest.raises(ValueError, match="assignment destination is read-only"):
            x[key] = value
    with pytest.raises(ValueError, match="read-only"):
        x += 1.0


def test_rows_and_columns_are_written_from_other_arrays():
    theirs, ours = np.arange(24.0).reshape(2, 3, 4), bc.arange(24.0).reshape(2, 3, 4)
    for x, xp in ((theirs, np), (ours, bc)):
        x[0] = xp.arange(12.0).reshape(3, 4)[::-1]
        x[:, 1] = xp.arange(4.0) * 2
        x[1, :, 2] = x[0, :, 1]
        x[1, ::2] = xp.ones((2, 8))[:, ::2]
        x[..., 3] = x[..., 3] * 2
    np.testing.assert_array_equal(np.asarray(ours), theirs)


def test_in_place_arithmetic_keeps_memory_type_and_warnings():
    theirs, ours = np.array([1.0, 0.0, -3.0]), bc.array([1.0, 0.0, -3.0])
    for x, xp in ((theirs, np), (ours, bc)):
        view = x[:2]
        x += 1
        x *= x
        x -= xp.array([1.0, 2.0, 3.0])[::-1]
        x /= xp.float64(2)
        x **= 2
        assert float(view[0]) == float(x[0])
    np.testing.assert_array_equal(np.asarray(ours), theirs)
    with pytest.warns(RuntimeWarning, match="divide by zero encountered in divide"):
        ours /= 0
    whole = bc.arange(3)
    with pytest.raises(TypeError, match="Cannot cast ufunc 'add' output"):
        whole += 0.5
    whole += True
    assert whole.tolist() == [1, 2, 3]
    overlapping = bc.arange(5)
    overlapping[1:] += overlapping[:-1]
    assert overlapping.tolist() == [0, 1, 3, 5, 7]


def test_values_alongside_arrays():
    for dtype, other in itertools.product(["f8", "f4", "i8", "i4"], repeat=2):
        x, v = np.arange(1, 5).astype(dtype), np.array([3]).astype(other)
        for op in (operator.add, operator.truediv, operator.lt, operator.pow):
            expected = _outcome(lambda a, b, f=op: f(a, b).sum(), x, v[0])
            assert _outcome(lambda a, b, f=op: f(a, b).sum(), bc.array(x), bc.array(v)[0]) == expected
            assert op(bc.array(v)[0], bc.array(x)).dtype == op(v[0], x).dtype


def test_iteration():
    a = bc.arange(6.0).reshape(3, 2)
    it = iter(a)
    assert operator.length_hint(it) == 3
    first = next(it)
    first[0] = 10.0  # rows are views
    assert a[0, 0] == 10.0
    assert first.base is a.base
    assert [r.tolist() for r in it] == [[2.0, 3.0], [4.0, 5.0]]
    assert next(it, None) is None
    assert operator.length_hint(it) == 0
    values = list(bc.arange(3))
    assert [type(v) for v in values] == [np.int64] * 3
    assert {v: 1 for v in values}[2] == 1
    assert list(bc.zeros((0, 3))) == []
    assert [x.shape for x in bc.zeros((2, 0, 3))] == [(0, 3)] * 2
    assert sum(bc.ones(200_000) * 2) == 400_000.0  # the pending array is computed once
    with pytest.raises(TypeError, match="iteration over a 0-d array"):
        iter(bc.array(1.0))
