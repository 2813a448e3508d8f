"""The fast path of operators on small arrays: results, warnings and errors are NumPy's."""

import operator
import warnings

import bascule as bc
import numpy as np
import pytest
from bascule import _core

DTYPES = ["?", "i1", "u2", "i4", "i8", "u8", "f2", "f4", "f8", "c8", "c16"]
OPERATORS = ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and_", "lt", "le", "eq", "ne", "gt", "ge"]
VALUES = [2, 0, -3, 300, 2.5, -0.0, float("inf"), float("nan"), True, 1j, np.float32(0.1), np.int8(3), "a", None]


def array_of(dtype, shape=(7,)):
    return (np.arange(np.prod(shape, dtype=int)).reshape(shape) % 5 + 1).astype(dtype)


def outcome(f, *args):
    """The result with its type, or the error, and the warnings."""
    with warnings.catch_warnings(record=True) as reported:
        warnings.simplefilter("always")
        try:
            r = f(*args)
        except Exception as error:
            r = error
    said = [(w.category, str(w.message)) for w in reported]
    if isinstance(r, Exception):
        return type(r).__name__, said
    if not isinstance(r, bc.ndarray | np.ndarray | np.generic):
        return r, said
    n = np.asarray(r)
    return n.dtype, n.shape, n.strides if min(n.shape, default=0) > 1 else None, repr(n.tolist()), said


def same(f, *args):
    ours = [bc.asarray(a) if isinstance(a, np.ndarray) else a for a in args]
    got, want = outcome(f, *ours), outcome(f, *args)
    if want[0] == "UFuncTypeError" or str(want[0]).startswith("_UFunc"):
        assert got[0] in ("TypeError", want[0])
    else:
        assert got == want


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", OPERATORS)
def test_operators_with_numbers(name, dtype):
    f = getattr(operator, name)
    for value in VALUES:
        # Other tests bound the errors of powers of floats and quotients of complex numbers.
        if name == "pow" and (
            dtype[0] in "?fc" or isinstance(value, float | complex | np.generic) or value in (-3, 300)
        ):
            continue
        if name in ("lt", "le", "gt", "ge") and dtype[0] == "c" and value != value:
            continue
        if name == "mod" and isinstance(value, float) and value != 2.5:
            continue
        if name in ("truediv", "mul") and (dtype[0] == "c" or isinstance(value, complex)):
            continue
        same(f, array_of(dtype), value)
        if isinstance(value, int | float | complex):
            same(lambda a, v=value: f(v, a), array_of(dtype))


@pytest.mark.parametrize("other", DTYPES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_operators_with_arrays(dtype, other):
    for name in ("add", "sub", "lt", "eq"):
        f = getattr(operator, name)
        a, b = array_of(dtype), array_of(other)[::-1]
        for x, y in [(a, b.copy()), (a, b), (a[::2], b[:4]), (a, b[:1]), (a, b[0]), (a[:0], b[:0]), (a, b[:3]), (a, a)]:
            same(f, x, y)


@pytest.mark.parametrize("shape", [(1,), (1, 1), (0, 3), (2, 3), (2, 1, 3), (), (3, 1)], ids=str)
@pytest.mark.parametrize("order", "CF")
def test_shapes_and_orders(shape, order):
    a = np.asarray(array_of("f8", shape), order=order)
    for x, y in [(a, a), (a, a * 2), (a, np.asarray(a, order="C")), (a, array_of("f8", (3,))), (a, 2.0), (a.T, 1)]:
        for name in ("add", "mul", "ge"):
            same(getattr(operator, name), x, y)
    for f in (operator.neg, abs, operator.pos, np.sqrt):
        same(f, a)


def test_fp_errors_are_reported_as_numpys():
    zero, huge = np.zeros(3), np.full(3, 1e308)
    for f, args in [
        (operator.truediv, (huge, zero)),
        (operator.truediv, (zero, 0.0)),
        (operator.truediv, (1, zero)),
        (operator.mul, (huge, huge)),
        (operator.add, (huge, 1e308)),
        (operator.sub, (np.array([np.inf]), np.array([np.inf]))),
        (operator.floordiv, (np.arange(3), np.zeros(3, int))),
        (operator.mod, (np.arange(3), 0)),
        (operator.mul, (np.full(3, 2**62), 4)),
        (operator.lt, (np.array([np.nan]), 1.0)),
    ]:
        same(f, *args)
        for how in ("ignore", "raise"):
            with np.errstate(all=how):
                same(f, *args)
    with pytest.warns(RuntimeWarning, match="divide by zero encountered in divide") as reported:
        bc.asarray(huge) / bc.asarray(zero)
    assert reported[0].filename == __file__


def test_results_are_arrays_of_their_own():
    x = bc.asarray(np.arange(6.0)[::1])
    for r in (x + 1, x * x, -x, x < 3, bc.sqrt(x), +x):
        assert type(r) is bc.ndarray and r.base is None and not np.shares_memory(np.asarray(r), np.asarray(x))
    y = x + 1
    x += 1
    assert (x == y).all() and (y - 1).tolist() == list(range(6))
    view = y[2:]
    assert view.base is y and view[1:].base is y and view[::-2].tolist() == [6.0, 4.0]
    view *= 2
    assert y.tolist() == [1, 2, 6, 8, 10, 12]


def test_scalars_keep_their_own_names():
    with pytest.warns(RuntimeWarning, match="overflow encountered in scalar multiply"):
        bc.asarray([1e308])[0] * bc.asarray([1e308])[0]
    with pytest.raises(OverflowError, match="Python integer 300 out of bounds for int8"):
        bc.asarray([1, 2], dtype="i1") + 300
    with pytest.raises(ValueError, match="Integers to negative integer powers are not allowed"):
        bc.power(bc.asarray([1, 2]), bc.asarray([1, -2]))


@pytest.mark.parametrize("condition", [True, False])
@pytest.mark.parametrize("x, y", [(1.0, 2.0), (1, 2.5), (2 + 1j, 3.0), (True, 2), (np.float32(1.5), 2.0)])
def test_where_of_three_arrays_without_axes(condition, x, y):
    theirs = np.where(np.asarray(condition), np.asarray(x), np.asarray(y))
    ours = bc.where(bc.asarray(condition), bc.asarray(x), bc.asarray(y))
    assert (ours.dtype, ours.shape, ours.item()) == (theirs.dtype, (), theirs.item())
    assert bc.where(bc.asarray(condition), x, bc.asarray(y)).item() == theirs.item()
    assert bc.where(bc.asarray(condition), bc.asarray(x), y).item() == theirs.item()


def test_ufuncs_take_their_keywords():
    x, n = bc.arange(4.0), np.arange(4.0)
    out = bc.zeros(4)
    assert bc.add(x, 1, out=out) is out and bc.add(x, 1, out) is out and out.tolist() == (n + 1).tolist()
    assert bc.add(x, x, dtype="f4").dtype == "f4" and bc.multiply(x, 2).tolist() == (n * 2).tolist()
    assert bc.add(x, 1, where=x > 1, out=bc.zeros(4)).tolist() == [0, 0, 3, 4]
    for args in [(x,), (x, x, x, x), ()]:
        with pytest.raises(TypeError):
            bc.add(*args)
    with pytest.raises(TypeError, match="nonsense"):
        bc.add(x, 1, nonsense=1)


def test_one_array_is_evaluated_like_several():
    x, y = bc.arange(9000.0) + 1, bc.arange(9000.0) * 2
    assert bc.evaluate(x) is x and not _core.is_pending(x) and _core.is_pending(y)
    both = bc.evaluate(x, y)
    assert both[0] is x and both[1] is y and not _core.is_pending(y)
    assert bc.evaluate() == () and bc.evaluate(3) == 3 and bc.evaluate([x])[0] is x
