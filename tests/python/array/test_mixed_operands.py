"""Lists, numbers and arrays of several types as operands of calls on small arrays: results, types, warnings and errors
are NumPy's."""

import operator
import warnings

import bascule as bc
import numpy as np
import pytest

LINE = np.array([0.5, -1.0, 2.5])
WHOLE = np.array([3, -1, 2])
BOOLEANS = np.array([True, False, True])
SQUARE = np.arange(9.0).reshape(3, 3)
OPERANDS = [
    LINE, WHOLE, BOOLEANS, LINE.astype("f4"), WHOLE.astype("i4"), np.array(2.5), np.array(3), np.array([1, 2, 250], "u1"),
    [1.0, 2.5, -1.0], [1, 0, -2], [True, False, True], (1, 2.5, 0), [[1, 2, 3], [4, 5, 6]], 2, -1, 2.5, True,
    np.float64(0.5), np.float32(0.5), np.int64(3), np.bool_(True),
]  # fmt: skip
UFUNCS = [
    "add", "subtract", "multiply", "divide", "floor_divide", "remainder", "power", "maximum", "fmin", "arctan2", "copysign",
    "nextafter", "hypot", "equal", "less", "greater_equal", "logical_and", "bitwise_or", "left_shift", "gcd", "float_power",
]  # fmt: skip


def outcome(f, *args):
    with warnings.catch_warnings(record=True) as reported:
        warnings.simplefilter("always")
        try:
            r = f(*args)
        except Exception as error:
            r = error
    said = {(w.category, str(w.message)) for w in reported}
    if isinstance(r, Exception):
        return "TypeError" if isinstance(r, TypeError) else type(r).__name__, None, None, said
    kind = "array" if isinstance(r, (bc.ndarray, np.ndarray)) else type(r).__name__
    return kind, np.asarray(r), np.asarray(r).dtype, said


def same(f, *args):
    ours = [bc.array(a) if isinstance(a, np.ndarray) else a for a in args]
    got, want = outcome(f, bc, *ours), outcome(f, np, *args)
    assert (got[0], got[2], got[3]) == (want[0], want[2], want[3])
    if want[1] is None:
        return
    assert got[1].shape == want[1].shape
    if want[2].kind in "fc":
        step = {"e": 1e-3, "f": 1e-6, "F": 1e-6}.get(want[2].char, 1e-14)
        np.testing.assert_allclose(got[1], want[1], rtol=step)
    else:
        np.testing.assert_array_equal(got[1], want[1])


@pytest.mark.parametrize("name", UFUNCS)
def test_ufuncs_of_two_operands(name):
    for a in OPERANDS:
        for b in OPERANDS:
            same(lambda np, a, b: getattr(np, name)(a, b), a, b)


@pytest.mark.parametrize(
    "name", ["sin", "sqrt", "floor", "ceil", "sign", "negative", "isnan", "degrees", "rint", "invert"]
)
def test_ufuncs_of_one_operand(name):
    for a in OPERANDS:
        same(lambda np, a: getattr(np, name)(a), a)


@pytest.mark.parametrize("name", ["add", "mul", "truediv", "pow", "lt", "eq", "iadd", "imul", "itruediv", "ifloordiv"])
def test_operators(name):
    f = getattr(operator, name)
    for a in OPERANDS[:8]:
        for b in OPERANDS:
            same(lambda np, a, b: f(a, b), a.copy(), b)
            if not isinstance(b, np.ndarray) and name[0] != "i":
                same(lambda np, a, b: f(b, a), a, b)


@pytest.mark.parametrize(
    "dtype", [None, float, int, bool, complex, "f4", "f8", "i4", "f2", np.float32, np.dtype("f8"), "nonsense"]
)
@pytest.mark.parametrize("name", ["array", "asarray"])
def test_arrays_of_numbers_as_a_type(name, dtype):
    for a in OPERANDS:
        same(lambda np, a: getattr(np, name)(a, dtype), a)
        same(lambda np, a: getattr(np, name)(a, dtype=dtype), a)
    same(lambda np, a: getattr(np, name)(a, dtype), [1e300, 1.0])
    same(lambda np, a: getattr(np, name)(a, dtype), [1e-300, 1.0])
    same(lambda np, a: getattr(np, name)(a, dtype), [2**53 + 1, 2**24 + 1])


def test_an_array_of_an_array_is_a_copy():
    a = bc.arange(3.0)
    b, c = bc.array(a), bc.array(a, dtype=float)
    b[0] = c[1] = 9
    assert a.tolist() == [0, 1, 2]
    assert bc.asarray(a, dtype=float) is a
    assert bc.array(bc.array(SQUARE).T).flags.f_contiguous
    square = bc.array(SQUARE)
    assert bc.asarray(square, order="C") is square
    assert bc.asarray(square.T, order="C").flags.c_contiguous
    assert bc.asarray(square, order="F").flags.f_contiguous
    assert bc.asarray(bc.array(1.0), order="C").shape == ()


POSITIONS = [
    0, -1, 2, 9, [0, 2], [2, -1, 0], (1, 0), [], [5], [-9], [1, True], [1.0], 1.0, True, [[0, 1], [1, 0]], np.int64(1),
    np.uint8(1), np.array([0, 2]), np.array([[0, 1], [2, 0]]), np.array([0, 1], "i4"), np.array(1),
]  # fmt: skip


@pytest.mark.parametrize("axis", [None, 0, 1, -1, 2, "x"])
def test_take(axis):
    for a in (
        LINE,
        SQUARE,
        SQUARE.T,
        BOOLEANS,
        np.arange(24).reshape(2, 3, 4),
        [1.5, 2.5, 3.5],
        np.array(1.0),
        LINE[::-1],
    ):
        for at in POSITIONS:
            same(lambda np, a, at: np.take(a, at, axis), a, at)
            same(lambda np, a, at: np.take(a, at, axis=axis), a, at)
            if axis is None and isinstance(a, np.ndarray):
                same(lambda np, a, at: a.take(at), a, at)


def test_where_of_numbers():
    for condition in (True, False, np.bool_(True), np.bool_(False), 1, 0.0, BOOLEANS, [True, False, True]):
        for x in OPERANDS:
            for y in (0, 2.5, True, np.float64(1), np.int64(2), np.float32(3), LINE, WHOLE, 2**60, 1j):
                same(lambda np, c, x, y: np.where(c, x, y), condition, x, y)


@pytest.mark.parametrize("name", ["dot", "inner", "vdot", "vecdot", "matvec", "outer", "matmul"])
def test_products(name):
    signed = [x for x in OPERANDS if getattr(x, "dtype", None) != np.uint8]
    far = np.array([1e300, 1e300, 1.0])
    for a in [*signed, SQUARE, LINE[:2], far, np.array([np.inf, 0, 0])]:
        for b in [*signed, SQUARE, LINE[:2], far]:
            same(lambda np, a, b: getattr(np, name)(a, b), a, b)
            if name == "vecdot" and isinstance(a, np.ndarray) and isinstance(b, np.ndarray) and a.ndim == 1 == b.ndim:
                same(lambda np, a, b: np.linalg.vecdot(a, b), a, b)


def test_products_by_the_method():
    for b in [*OPERANDS, SQUARE]:
        same(lambda np, a, b: a.dot(b), LINE, b)


@pytest.mark.parametrize("name", ["concatenate", "hstack", "vstack", "stack", "column_stack", "append"])
def test_joins(name):
    for a in OPERANDS:
        for b in OPERANDS:
            if name == "append":
                same(lambda np, a, b: np.append(a, b), a, b)
            else:
                same(lambda np, a, b: getattr(np, name)((a, b)), a, b)


@pytest.mark.parametrize("order", [None, "fro", "f", 2, 1, np.inf, "x", True])
def test_norms(order):
    for a in [*OPERANDS, SQUARE, SQUARE.astype(int), SQUARE.T, np.zeros((0, 3))]:
        same(lambda np, a: np.linalg.norm(a, order), a)


@pytest.mark.parametrize(
    "key",
    [slice(None), slice(0, 2), slice(None, None, 2), 0, [0, 2], [True, False, True], ..., np.array([0, 2]), BOOLEANS],
)
def test_lists_are_written(key):
    whole = [] if type(key) is int else [WHOLE, BOOLEANS]  # NumPy's messages for a single element differ
    for a in (LINE, SQUARE, LINE.astype("f4"), np.array(1.0), *whole):
        for value in [*OPERANDS, [1.0, 2.0], [1, 2], [5], [[1.0, 2.0, 3.0]]]:

            def written(np, a, value):
                at = np.asarray(key) if isinstance(key, bc.ndarray | type(BOOLEANS)) else key
                a[at] = value
                return a

            same(written, a.copy(), value)


@pytest.mark.parametrize("name", ["put", "putmask", "place"])
def test_values_are_put(name):
    for a in (LINE, WHOLE, SQUARE, LINE.astype("f4")):
        for at in [*POSITIONS, BOOLEANS, [True, False, True]]:
            for value in (1.0, 2, [1, 2], [0.5], LINE.astype(a.dtype), True, np.float64(3)):

                def put(np, a, at, value):
                    getattr(np, name)(a, at, value)
                    return a

                same(put, a.copy(), at, value)


def test_positions_among_lists():
    values = [1.0, 2, 2.5, float("nan"), [1.0, 2.5], [1, 2], np.float64(2), LINE, WHOLE, np.array(1.0), [], True]
    for edges in ([1.0, 2.0, 3.0], [1, 2, 5], [3.0, 2.0, 1.0], (1.0, 2.5), np.array([1.0, 2.0]), [], [1.0, 1.0]):
        for v in values:
            if type(edges) is not list or edges != [3.0, 2.0, 1.0]:
                same(lambda np, e, v: np.searchsorted(e, v), edges, v)
                same(lambda np, e, v: np.searchsorted(e, v, side="right"), edges, v)
            same(lambda np, e, v: np.digitize(v, e), edges, v)
            same(lambda np, e, v: np.digitize(v, e, True), edges, v)


def test_iterated_elements_are_those_of_the_present():
    a = bc.arange(4.0)
    seen = []
    for k, v in enumerate(a):
        seen.append(v)
        a[3] = k * 10.0
    assert seen == [0, 1, 2, 20]
    assert [type(v) for v in bc.array(BOOLEANS)] == [np.bool_] * 3


def test_ranges_of_floats():
    for ends in [(3,), (1, 4), (0, 1, 0.25), (5, 1, -1), (2**53, 2**53 + 3), (0,), (3.5,)]:
        same(lambda np: np.arange(*ends, dtype=float))


@pytest.mark.parametrize("scale", [1.0, 0.0, 0.3, 1e300])
def test_single_exponential_numbers_are_those_of_arrays(scale):
    one, many = bc.random.default_rng(7), bc.random.default_rng(7)
    drawn = [one.exponential(scale) for _ in range(20)]
    assert drawn == [many.exponential(scale, (1,)).tolist()[0] for _ in range(20)]
    assert {type(v) for v in drawn} == {float}
    assert one.exponential(scale, 6).tolist() == many.exponential(scale, (6, 1)).ravel().tolist()
    assert one.standard_exponential() == many.standard_exponential((1,)).tolist()[0]
