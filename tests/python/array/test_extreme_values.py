"""Results, warnings and errors of extreme numbers: signed zeros, underflow, narrow types, empty reductions."""

from __future__ import annotations

import itertools
import operator
import warnings
from collections.abc import Callable
from typing import Any

import bascule as bc
import numpy as np
import pytest
from reported_outcomes import bits

pytestmark = pytest.mark.usefixtures("native")

Program = Callable[[Any], Any]
NAN, INF = float("nan"), float("inf")
SIZES = (0, 3, 9000)
OPERATORS = [operator.add, operator.mul, operator.truediv, operator.pow, operator.lt, operator.eq]


def outcome(program: Program, xp: Any) -> tuple[Any, list[str]]:
    """The result of a program, or its error, and its warnings."""
    with warnings.catch_warnings(record=True) as reported:
        warnings.simplefilter("always")
        try:
            value = np.asarray(program(xp))
            found: Any = (value.dtype, value.shape, bits(value))
        except Exception as error:
            found = (type(error), str(error))
    return found, sorted(str(w.message) for w in reported)


def same(program: Program) -> None:
    wanted, got = outcome(program, np), outcome(program, bc)
    assert got == wanted


# ---- signs of zero


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "c8", "c16"])
@pytest.mark.parametrize("n", [0, 1, 2, 9, 200, 9000])
@pytest.mark.parametrize("initial", [-0.0, 0.0, 1.0])
def test_sums_start_at_initial(dtype: str, n: int, initial: float) -> None:
    zeros = np.full(n, complex(-0.0, -0.0) if dtype[0] == "c" else -0.0, dtype)
    for x in (zeros, np.concatenate([zeros, zeros[:1] + 1, zeros[:1] - 1])):
        same(lambda xp, x=x: xp.sum(xp.asarray(x), initial=initial))
        same(lambda xp, x=x: xp.sum(xp.asarray(np.stack([x, x])), axis=0, initial=initial))
        same(lambda xp, x=x: xp.sum(xp.asarray(np.stack([x, x])), axis=1, keepdims=True, initial=initial))
        same(lambda xp, x=x: xp.sum(xp.asarray(x), where=xp.asarray(np.arange(x.size) % 2 == 0), initial=initial))


def test_a_complex_initial_has_two_signs() -> None:
    for initial in (complex(-0.0, -0.0), complex(0.0, -0.0), complex(-0.0, 0.0)):
        same(lambda xp, i=initial: xp.sum(xp.asarray(np.full(3, complex(-0.0, -0.0))), initial=i))


def test_a_sum_from_negative_zero_is_written_to_out() -> None:
    def into(xp: Any) -> Any:
        out = xp.ones(())
        xp.sum(xp.asarray([-0.0, -0.0]), initial=-0.0, out=out)
        return out

    same(into)


# ---- underflow


def value(dtype: str, by: dict[str, float]) -> float:
    return by[dtype]


UNDERFLOWS: dict[str, Callable[[Any, Any, str], Any]] = {
    "exp to zero": lambda xp, x, t: xp.exp(x(-1000.0)),
    "exp to less than normal": lambda xp, x, t: xp.exp(x(value(t, {"f8": -740.0, "f4": -100.0, "f2": -15.0}))),
    "exp2 to zero": lambda xp, x, t: xp.exp2(x(-3000.0)),
    "power to zero": lambda xp, x, t: xp.power(x(0.5), x(3000.0)),
    "power of a number": lambda xp, x, t: x(1e-3) ** 400.0,
    "multiply": lambda xp, x, t: x(float(np.finfo(t).tiny)) * x(float(np.finfo(t).tiny)),
    "multiply by a number": lambda xp, x, t: x(float(np.finfo(t).tiny)) * 0.3,
    "divide": lambda xp, x, t: x(float(np.finfo(t).tiny)) / x(3.0),
    "square": lambda xp, x, t: xp.square(x(float(np.finfo(t).tiny))),
    "reciprocal": lambda xp, x, t: xp.reciprocal(x(float(np.finfo(t).max))),
    "exact": lambda xp, x, t: x(float(np.finfo(t).tiny)) * x(0.5),
    "zeros": lambda xp, x, t: x(0.0) * x(0.5) + xp.exp2(x(-1.0)),
}


@pytest.mark.parametrize("mode", ["raise", "warn", "ignore"])
@pytest.mark.parametrize("name", UNDERFLOWS)
@pytest.mark.parametrize("dtype", ["f8", "f4", "f2"])
@pytest.mark.parametrize("n", [0, 3, 2000, 20000])
def test_underflow_is_reported(name: str, dtype: str, n: int, mode: str) -> None:
    def reported(xp: Any) -> Any:
        with xp.errstate(under=mode):
            found = UNDERFLOWS[name](xp, lambda v: xp.asarray(np.full(n, v, dtype) if n else np.array(v, dtype)), dtype)
            np.asarray(found)
        return 0  # the bits of transcendental functions differ from NumPy's

    same(reported)


@pytest.mark.parametrize("n", [3, 9000])
def test_a_cast_to_float16_underflows(n: int) -> None:
    def cast(xp: Any) -> Any:
        with xp.errstate(under="warn"):
            return np.asarray(xp.asarray(np.full(n, 1e-30, "f4")).astype("f2"))

    same(cast)


# ---- moments of too few elements


@pytest.mark.parametrize("dtype", ["f8", "f4", "f2", "c16", "i8", "?"])
@pytest.mark.parametrize("method", ["mean", "var", "std"])
@pytest.mark.parametrize(
    ("shape", "axis"), [((0,), None), ((0,), 0), ((0, 3), 0), ((0, 3), 1), ((3, 0), 1), ((0, 3), None)]
)
def test_moments_of_nothing(dtype: str, method: str, shape: tuple[int, ...], axis: int | None) -> None:
    same(lambda xp: getattr(xp.asarray(np.zeros(shape, dtype)), method)(axis=axis))
    same(lambda xp: getattr(xp, method)(xp.asarray(np.zeros(shape, dtype)), axis=axis))
    same(lambda xp: getattr(xp.asarray(np.zeros(shape, dtype)), method)())


@pytest.mark.parametrize("method", ["var", "std"])
@pytest.mark.parametrize("ddof", [1, 2, 3, 4])
def test_moments_of_fewer_elements_than_ddof(method: str, ddof: int) -> None:
    same(lambda xp: getattr(xp.asarray(np.array([1.0, 1.0, 1.0])), method)(ddof=ddof))
    same(lambda xp: getattr(xp, method)(xp.asarray(np.array([[1.0, 1.0], [2.0, 2.0]])), axis=1, ddof=ddof))


@pytest.mark.parametrize("method", ["mean", "var", "std"])
def test_moments_of_what_is_masked(method: str) -> None:
    x = np.array([[1.0, 1.0], [2.0, 2.0]])
    for mask in ([[False, False], [True, True]], [[True, True], [True, True]]):
        same(lambda xp, m=mask: getattr(xp.asarray(x), method)(axis=1, where=xp.asarray(np.array(m))))


def test_the_mean_of_nothing_can_raise() -> None:
    def mean(xp: Any) -> Any:
        with xp.errstate(all="raise"):
            return xp.asarray(np.zeros(0)).mean()

    same(mean)


# ---- Python's numbers with narrow types

FAR: dict[str, list[Any]] = {
    "f4": [2**128, 2**128 - 2**103, 2**128 - 2**103 - 1, -(2**129), 10**400, 2**64, 1e39, -1e39, 1e-50, INF, NAN],
    "f2": [65504, 65519, 65520, -70000, 2**40, 2**70, 10**400, 1e5, 65519.99, 65520.0, INF],
    "f8": [2**70, 2**1023, 10**400],
    "c8": [2**129, 1e39, 1e39j, 1 + 1e39j],
}


@pytest.mark.parametrize(("dtype", "number"), [(t, v) for t, all_of in FAR.items() for v in all_of], ids=str)
@pytest.mark.parametrize("n", SIZES)
def test_numbers_too_large_for_the_type(dtype: str, number: Any, n: int) -> None:
    x = np.ones(n, dtype) if n else np.ones((), dtype)
    for op in OPERATORS:
        if op is operator.pow and number != number:
            continue
        same(lambda xp, op=op: op(xp.asarray(x), number))
        if op in (operator.add, operator.lt):
            same(lambda xp, op=op: op(number, xp.asarray(x)))
    same(lambda xp: xp.add(xp.asarray(np.ones(0, dtype)), number))


@pytest.mark.parametrize("dtype", ["f4", "f2"])
def test_numbers_too_large_in_other_calls(dtype: str) -> None:
    def added(xp: Any) -> Any:
        x = xp.asarray(np.ones(3, dtype))
        x += 1e39
        return x

    def written(xp: Any) -> Any:
        x = xp.asarray(np.ones(3, dtype))
        x[0] = 1e39
        return x

    def written_from_afar(xp: Any) -> Any:
        x = xp.asarray(np.ones(3, dtype))
        x[0] = 2**129
        return x

    same(added)
    same(written)
    same(written_from_afar)
    for number in (1e39, -1e39, 2**129, 10**400, INF, NAN, 1, True):
        same(lambda xp, v=number: xp.full(3, v, dtype))
    same(lambda xp: xp.where(xp.asarray([True, False, True]), xp.asarray(np.ones(3, dtype)), 1e39))
    same(lambda xp: xp.maximum(xp.asarray(np.ones(3, dtype)), 1e39))
    with np.errstate(over="raise"):
        same(added)


INTEGERS = ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "?"]
FAR_INTEGERS = [2**70, -(2**70), 2**64, 2**63, -(2**63), 2**64 - 1, 10**400, 300, -300, 0, -1]


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("number", FAR_INTEGERS, ids=lambda v: f"{v.bit_length()}bits{'-' if v < 0 else '+'}")
def test_integers_alongside_far_integers(dtype: str, number: int) -> None:
    for x in (np.array([1, 2, 100, 0], dtype), np.array(3, dtype)):
        for op in (*OPERATORS, operator.sub, operator.floordiv):
            same(lambda xp, op=op, x=x: op(xp.asarray(x), number))
            same(lambda xp, op=op, x=x: op(number, xp.asarray(x)))


@pytest.mark.parametrize("base", INTEGERS)
@pytest.mark.parametrize("exponent", ["i1", "i2", "i4", "i8"])
@pytest.mark.parametrize("n", SIZES)
def test_negative_powers_of_integers(base: str, exponent: str, n: int) -> None:
    x = np.resize(np.array([1, 2, 100, 1], base), n) if n else np.array(2, base)
    e = np.full(x.shape, -2, exponent)
    same(lambda xp: xp.asarray(x) ** xp.asarray(e))
    same(lambda xp: xp.power(xp.asarray(x), xp.asarray(e)))
    same(lambda xp: xp.power(xp.asarray(x), xp.asarray(np.array(-2, exponent))))  # without axes
    same(lambda xp: xp.asarray(x) ** np.dtype(exponent).type(-2))
    with pytest.raises((TypeError, ValueError)) as wanted:
        x **= e
    a = bc.asarray(x.copy())
    if n:
        with pytest.raises(TypeError if issubclass(wanted.type, TypeError) else ValueError):
            a **= bc.asarray(e)


# ---- other objects as operands


class Refuses:
    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        raise ValueError("no array")


class LacksAnAttribute:
    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        raise AttributeError("no array")


class Gives:
    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return np.arange(1.0, 4.0)


class Breaks:
    def __len__(self) -> int:
        return 3

    def __getitem__(self, i: int) -> float:
        raise ZeroDivisionError("no element")


class ComesFirst(Gives):
    __array_priority__ = 10.0

    def __radd__(self, other: Any) -> str:
        return "mine"


@pytest.mark.parametrize("kind", [Refuses, LacksAnAttribute, Gives, Breaks])
def test_objects_that_give_arrays(kind: type) -> None:
    for op in (*OPERATORS, operator.ne, operator.ge, operator.floordiv):
        same(lambda xp, op=op: op(xp.arange(3.0), kind()))
        same(lambda xp, op=op: op(kind(), xp.arange(3.0)))
    same(lambda xp: xp.equal(xp.arange(3.0), kind()))


def test_objects_that_come_first() -> None:
    for xp in (np, bc):
        assert xp.arange(3.0) + ComesFirst() == "mine"


# ---- booleans with other bytes than 0 and 1

ODD = np.array([0, 1, 2, 255, 128, 0, 3, 1, 4, 0, 0, 0, 254, 16, 7, 9, 0, 2], "u1")
OF_BOOLEANS: dict[str, Callable[[Any, Any], Any]] = {
    **{m: (lambda xp, v, m=m: getattr(v, m)()) for m in ("sum", "any", "all", "prod", "mean", "max", "min", "argmax")},
    "copied": lambda xp, v: v.copy().sum(),
    "count_nonzero": lambda xp, v: xp.count_nonzero(v),
    "and": lambda xp, v: (v & v[::-1]).sum(),
    "or": lambda xp, v: v | v[::-1],
    "xor": lambda xp, v: v ^ v[::-1],
    "invert": lambda xp, v: (~v).sum(),
    "where": lambda xp, v: xp.where(v, 1, 2),
    "chosen": lambda xp, v: xp.where(v, v, v[::-1]).sum(),
    "add": lambda xp, v: v + v[::-1],
    "number": lambda xp, v: v + 1,
    "equal": lambda xp, v: v == v[::-1],
    "less": lambda xp, v: v < v[::-1],
    "cast": lambda xp, v: v.astype("i8"),
    "nonzero": lambda xp, v: xp.nonzero(v)[0],
    "mask": lambda xp, v: xp.arange(v.size)[v],
    "masked": lambda xp, v: v[v].sum(),
    "taken": lambda xp, v: v[[2, 3, 0]].sum(),
    "joined": lambda xp, v: xp.concatenate([v, v]).sum(),
    "cumsum": lambda xp, v: v.cumsum(),
    "unique": lambda xp, v: xp.unique(v),
    "sorted": lambda xp, v: xp.sort(v).sum(),
    "axis": lambda xp, v: v[None].sum(axis=0),
    "any of an axis": lambda xp, v: v[None].any(axis=0).view("u1"),
    "reduce": lambda xp, v: xp.bitwise_or.reduce(v),
    "accumulate": lambda xp, v: xp.logical_or.accumulate(v).view("u1"),
    "item": lambda xp, v: v[2],
    "bytes": lambda xp, v: v.view("u1"),
}


@pytest.mark.parametrize("name", OF_BOOLEANS)
@pytest.mark.parametrize("n", [3, 8, 18, 9000])
def test_bytes_that_are_not_0_or_1(name: str, n: int) -> None:
    odd = np.resize(ODD, n)
    same(lambda xp: OF_BOOLEANS[name](xp, xp.asarray(odd.copy()).view(bool)))
    if name != "bytes":
        same(lambda xp: OF_BOOLEANS[name](xp, xp.asarray(odd.copy().view(bool))))


def test_bytes_written_under_a_mask() -> None:
    def written(xp: Any) -> Any:
        v = xp.asarray(np.array([True, False, True]))
        v.view("u1")[:] = xp.asarray(np.array([7, 0, 9], "u1"))
        return v.sum()

    same(written)


# ---- ordering of complex numbers


@pytest.mark.parametrize("op", [operator.lt, operator.le, operator.gt, operator.ge, operator.eq])
@pytest.mark.parametrize("dtype", ["c8", "c16"])
def test_comparisons_with_complex_nan(op: Any, dtype: str) -> None:
    all_of = [complex(a, b) for a in (NAN, 1.0, INF) for b in (NAN, 0.0, -INF, 1.0)]
    for a, b in itertools.product(all_of, all_of):
        for n in (1, 3):
            same(lambda xp, a=a, b=b, n=n: op(xp.asarray(np.full(n, a, dtype)), xp.asarray(np.full(n, b, dtype))))
    same(lambda xp: op(xp.asarray(np.full(9000, complex(NAN, 1), dtype)), xp.asarray(np.ones(9000, dtype))))
    same(lambda xp: op(xp.asarray(np.full(3, complex(NAN, 1), dtype)), 1.0))
    with np.errstate(invalid="ignore"):
        same(lambda xp: op(xp.asarray(np.full(3, complex(NAN, 1), dtype)), 1j))


# ---- quotients by powers of two

DIVISORS = [2.0, -2.0, 0.5, 1.0, 4, -8, 2.0**100, 2.0**-100, 2.0**126, 2.0**-126, 2.0**127, 2.0**-127, 2.0**-149]
DIVISORS += [2.0**1022, 2.0**-1022, 2.0**1023, 2.0**-1023, 2.0**-1074, 3.0, 0, -0.0, INF, -INF, NAN]


@pytest.mark.parametrize("divisor", DIVISORS)
@pytest.mark.parametrize("dtype", ["f8", "f4", "f2", "i4"])
def test_quotients_by_a_number(dtype: str, divisor: float) -> None:
    rng = np.random.default_rng(7)
    ends = np.array([0, 1, 3, 100, 120], dtype)
    if dtype[0] == "f":
        f = np.finfo(dtype)
        ends = np.array(
            [0.0, -0.0, 1.0, -3.0, INF, -INF, NAN, f.max, f.tiny, f.smallest_subnormal, 5 * f.smallest_subnormal], dtype
        )
        ends = np.concatenate(
            [ends, rng.standard_normal(20).astype(dtype), (rng.standard_normal(20) * f.tiny).astype(dtype)]
        )
    with np.errstate(all="warn"):
        same(lambda xp: xp.asarray(ends) / divisor)
        same(lambda xp: divisor / xp.asarray(ends))


# ---- single numbers


@pytest.mark.parametrize("value", [2**70, -(2**70), 2**63, 2**64, -(2**63) - 1, 0, 5])
@pytest.mark.parametrize("key", [0, -1, slice(None), slice(0, 1), [0, 2], ..., [True, False, True]])
def test_the_boolean_of_an_integer_does_not_depend_on_its_size(value: int, key: Any) -> None:
    def stored(xp: Any) -> Any:
        x = xp.asarray([False, True, False])
        x[key] = value
        return x

    def filled(xp: Any) -> Any:
        x = xp.zeros(3, dtype=bool)
        x.fill(value)
        return x

    same(stored)
    same(filled)


@pytest.mark.parametrize("values", [300, [300], -129, 2**70, 1.5, [1.5, 2.5], NAN, INF, True, 1j, [2**64]])
@pytest.mark.parametrize("dtype", ["?", "i1", "u2", "i8", "u8", "f4", "c16"])
def test_put_takes_values_as_elements_of_the_array(values: Any, dtype: str) -> None:
    def put(xp: Any) -> Any:
        x = xp.zeros(3, dtype=dtype)
        xp.put(x, [0, 2], values)
        return x

    same(put)


def test_put_casts_arrays() -> None:
    def put(xp: Any) -> Any:
        x = xp.zeros(3, dtype="i1")
        xp.put(x, [0, 2], xp.asarray([300, 2]))
        return x

    same(put)


@pytest.mark.parametrize("name", ["fmin", "fmax"])
def test_of_equal_numbers_the_first_is_taken(name: str) -> None:
    for x, y in itertools.product([0.0, -0.0, NAN, -NAN, 1.0, INF], repeat=2):
        same(lambda xp, x=x, y=y: getattr(xp, name)(x, y))
        same(lambda xp, x=x, y=y: getattr(xp, name)(xp.asarray(x), xp.asarray(y)))
        same(lambda xp, x=x, y=y: getattr(xp, name)(xp.asarray(x), y))


@pytest.mark.parametrize("value", [300, -1, 2**63, 2**64 - 1, -(2**63), 70000])
@pytest.mark.parametrize("dtype", ["?", "i1", "u1", "u2", "i4", "u4", "i8", "u8", "f4"])
def test_where_casts_integers_that_do_not_fit(value: int, dtype: str) -> None:
    same(lambda xp: xp.where(xp.asarray([True, False]), value, xp.asarray([0, 1], dtype=dtype)))
    same(lambda xp: xp.where(xp.asarray([True, False]), xp.asarray([0, 1], dtype=dtype), value))


# ---- one op each


@pytest.mark.parametrize("first", ["i1", "u1", "?", "f2", "i2", "f4"])
@pytest.mark.parametrize("second", ["i1", "u1", "?", "f2", "u2"])
def test_neighbours_of_narrow_integers_are_float16(first: str, second: str) -> None:
    x, y = np.array([0, 1, 100, 7], first), np.array([1, 1, 0, 90], second)
    same(lambda xp: xp.nextafter(xp.asarray(x), xp.asarray(y)))


@pytest.mark.parametrize("name", ["mean", "var", "std"])
@pytest.mark.parametrize("axis", [None, 0, (0, 1)])
def test_moments_of_nothing_that_keep_their_axes(name: str, axis: Any) -> None:
    for keepdims in (False, True):
        for where in (False, np.zeros((3, 4), bool), np.arange(4) > 2):
            same(lambda xp, k=keepdims, w=where: getattr(xp, name)(
                xp.asarray(np.arange(12.0).reshape(3, 4)), axis, keepdims=k,
                where=w if w is False else xp.asarray(w)))  # fmt: skip


@pytest.mark.parametrize("dtype", ["c8", "c16"])
@pytest.mark.parametrize("n", [1, 7, 300])
def test_of_complex_nan_unique_gives_the_first(dtype: str, n: int) -> None:
    parts = np.random.default_rng(n).choice([NAN, 0.0, 1.0, 2.0], (2, n))
    z = (parts[0] + 1j * parts[1]).astype(dtype)
    z.imag = parts[1]
    same(lambda xp: xp.unique(xp.asarray(z)))
    same(lambda xp: xp.unique(xp.asarray(z), return_counts=True)[0])
    same(lambda xp: xp.unique(xp.asarray(z), return_index=True)[0])


@pytest.mark.parametrize("dtype", ["?", "i1", "u1", "u4", "u8", "i8", "f2", "f4", "c8"])
@pytest.mark.parametrize("n", SIZES[1:])
@pytest.mark.parametrize("name", ["logical_and", "logical_or", "logical_xor"])
def test_any_integer_is_true_or_false(name: str, n: int, dtype: str) -> None:
    x = np.resize(np.array([0, 1, 2, 100]), n).astype(dtype)
    for number in (-1, 0, 255, 256, 2**31, 2**63 - 1, -(2**63)) + ((2**63,) if dtype[0] in "iu" else ()):
        same(lambda xp, i=number: getattr(xp, name)(xp.asarray(x), i))
        same(lambda xp, i=number: getattr(xp, name)(i, xp.asarray(x)))
