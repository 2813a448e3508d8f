"""Single elements, Python's integers of any size and single casts: as NumPy takes them, or its class of error."""

import itertools
import warnings

import bascule as bc
import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("native")

on_cpu = pytest.mark.skipif(bc.config.device != "cpu", reason="what NumPy makes is the CPU device's")


def outcome(xp, text, **names):
    with warnings.catch_warnings(), bc.config.set(fallback="silent"):
        warnings.simplefilter("ignore")
        try:
            found = np.asarray(eval(text, {"xp": xp, "np": np, **names}))
            return str(found.dtype), found.shape, repr(found.tolist())
        except Exception as error:
            return next(c.__name__ for c in type(error).__mro__ if not c.__name__.startswith(("_", "UFunc")))


def assert_same(text, make=lambda xp: {}):
    theirs, ours = outcome(np, text, **make(np)), outcome(bc, text, **make(bc))
    assert ours == theirs, text


def test_a_boolean_is_made_of_whatever_is_written_to_one():
    def put(x, at, value):
        x[at] = value
        return x

    values = "[3.0] [0] [1, 2] [] [[0]] (0,) {} 'a' '' xp.array([0]) xp.array([3]) xp.array([1, 2]) xp.array([[0.0]]) None range(0) range(3) [None] ['a'] np.array([0])"
    for shape, at, value in itertools.product(
        ("1", "3", "()"), ("0", "-1", "(0,)", "()", "...", "[0]"), values.split(" ")
    ):
        if value.count("[") == value.count("]") and value.count("(") == value.count(")"):
            assert_same(f"put(xp.zeros({shape}, '?'), {at}, {value})", lambda xp: {"put": put})


@on_cpu
def test_integers_of_any_size():
    arrays = (
        "xp.zeros(2, 'i1')",
        "xp.zeros(2, 'u8')",
        "xp.ones(2)",
        "xp.zeros(2, 'M8[D]')",
        "xp.zeros(2, 'm8[s]')",
        "xp.array([True, False])",
    )
    for x, n, op in itertools.product(
        arrays, ("-1", "300", "2**63", "2**64", "-2**70", "10**400"), ("==", "!=", "<", ">=")
    ):
        assert_same(f"{x} {op} {n}")
        assert_same(f"{n} {op} {x}")
    for x, n, name, option in itertools.product(
        arrays[:2],
        ("-1", "300", "2**64"),
        ("equal", "less"),
        ("casting='safe'", "casting='no'", "out=xp.zeros(2, '?')", "dtype='?'", "order='F'"),
    ):
        assert_same(f"xp.{name}({x}, {n}, {option})")
    for name in ("negative", "absolute", "logical_not", "sign", "isnan", "sin", "sqrt", "positive", "square"):
        assert_same(f"xp.{name}(2**64)")
    for name in ("add", "multiply", "maximum", "floor_divide", "power", "bitwise_and"):
        assert_same(f"xp.{name}(2**64, 3)")
        assert_same(f"xp.{name}(xp.ones(2, 'i4'), 2**64)")


def test_variances_in_a_type_that_holds_less():
    for dtype, to, name in itertools.product(("u4", "i8", "f8"), ("f2", "f4"), ("var", "std")):
        a = np.array([[5, 1], [0, 2], [2**31, 2**31 - 1]]).astype(dtype)
        assert_same(f"xp.{name}(x, axis=1, dtype={to!r})", lambda xp: {"x": xp.array(a)})


def test_steps_in_float16():
    for x, y in itertools.product(("i4", "f4", "f8", "?"), repeat=2):
        assert_same(
            f"xp.nextafter(xp.array([1, 2]).astype({x!r}), xp.array([0, 1]).astype({y!r}), dtype='f2', casting='unsafe')"
        )
    assert_same("xp.spacing(xp.array([1.0, 2.0]), dtype='f2')")
