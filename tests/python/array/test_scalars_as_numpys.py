"""What programs ask of NumPy's scalars, of the arrays that stand for scalars (rule 16)."""

import copy
import math
import numbers
import pickle
from fractions import Fraction

import bascule as bc
import numpy as np
import pytest

TYPES = (
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128 "
    "datetime64[D] timedelta64[ns]"
).split()
ASKED = (
    bool,
    int,
    float,
    complex,
    str,
    numbers.Number,
    numbers.Complex,
    numbers.Real,
    numbers.Rational,
    numbers.Integral,
)


def scalars(of):
    """(ours, NumPy's) as programs come by them."""
    a = np.arange(1, 4).astype(of)
    b = bc.array(a)
    yield b[1], a[1]
    yield b.max(), a.max()
    yield b[b >= b[0]][-1], a[a >= a[0]][-1]
    if a.dtype.kind in "iufc":
        yield b[1] + b[2], a[1] + a[2]
        yield bc.sqrt(b[0]), np.sqrt(a[0])
        yield b.sum(), a.sum()
        yield bc.add(1, 2.5), np.add(1, 2.5)


@pytest.mark.parametrize("of", ["float64", "complex128"])
def test_types_that_derive_from_pythons(of):
    for ours, theirs in scalars(of):
        assert [isinstance(ours, t) for t in ASKED] == [isinstance(theirs, t) for t in ASKED]
        assert bc.isscalar(ours)
        if of == "float64":
            assert Fraction(ours) == Fraction(theirs)


@pytest.mark.parametrize("of", TYPES)
def test_types_that_do_not(of):
    for ours, theirs in scalars(of):
        assert isinstance(ours, bc.ndarray) and type(ours) is bc.ndarray
        assert [isinstance(ours, t) for t in ASKED[:5]] == [isinstance(theirs, t) for t in ASKED[:5]]
        # xarray and others would take them for NumPy's and copy them out of their device.
        assert not isinstance(ours, (np.generic, np.ndarray))


def test_arrays_remain_arrays():
    for a in (bc.array(3.0), bc.arange(3), bc.zeros((1, 1)), bc.arange(3.0)[..., 1]):
        assert a.__class__ is bc.ndarray
        assert not isinstance(a, (float, np.generic, numbers.Number)) and not bc.isscalar(a)


@pytest.mark.parametrize("of", TYPES)
def test_attributes_of_scalars(of):
    for name in ("as_integer_ratio", "bit_count", "denominator", "hex", "is_integer", "numerator"):
        assert not hasattr(bc.ones(3, of), name) and not hasattr(bc.array(1, of), name)
        for ours, theirs in scalars(of):
            assert hasattr(ours, name) == hasattr(theirs, name)
            if hasattr(theirs, name):
                got, want = getattr(ours, name), getattr(theirs, name)
                got, want = (got(), want()) if callable(want) else (got, want)
                assert type(got) is type(want) and got == want
    with pytest.raises(AttributeError, match="'ndarray' object has no attribute 'is_integer'"):
        bc.arange(3.0).is_integer


@pytest.mark.parametrize("of", TYPES)
@pytest.mark.parametrize("function", [math.trunc, math.floor, math.ceil, round, abs, copy.copy, copy.deepcopy])
def test_functions_of_pythons_library(of, function):
    def outcome(value):
        try:
            r = function(value)
        except (TypeError, np.exceptions.ComplexWarning) as error:
            return TypeError if isinstance(error, TypeError) else type(error)
        return r.dtype if isinstance(r, (bc.ndarray, np.generic)) else type(r), r

    for ours, theirs in scalars(of):
        assert outcome(ours) == outcome(theirs)


@pytest.mark.parametrize("of", TYPES)
def test_text(of):
    for ours, theirs in scalars(of):
        with np.printoptions(precision=2):
            assert (str(ours), repr(ours), f"{ours}") == (str(theirs), repr(theirs), f"{theirs}")


def test_text_of_special_values():
    for of in ("f2", "f4", "f8", "c8", "c16"):
        for value in (0.0, -0.0, 0.1, 1 / 3, 1e16, 1e15, 1e-5, 1e4, np.nan, np.inf, -np.inf, 65504.0):
            with np.errstate(over="ignore"):
                theirs = np.array([value]).astype(of)[0]
            assert str(bc.array([theirs])[0]) == str(theirs)


def test_pickled_scalars_are_scalars():
    s = pickle.loads(pickle.dumps(bc.arange(3.0)[1]))
    assert isinstance(s, float) and s == 1.0


def test_a_program_that_tells_numbers_from_arrays():
    def wrapped(np, x):
        is_float = isinstance(x, float)
        x = (np.asarray(x).flatten() + np.pi) % (2 * np.pi) - np.pi
        return x.item() if is_float else x

    angles = [0.1, 4.0, -7.0]
    assert [wrapped(bc, x) for x in bc.array(angles)] == [wrapped(np, x) for x in np.array(angles)]
