"""What programs ask of NumPy's scalars, of the arrays that stand for scalars (rule 16)."""

import copy
import math
import numbers
import pickle

import bascule as bc
import numpy as np
import pytest

TYPES = (
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128 "
    "datetime64[D] timedelta64[ns]"
).split()


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


@pytest.mark.parametrize("of", TYPES)
def test_libraries_that_take_any_arrays_see_arrays(of):
    """Dask and xarray copy what passes for a number, or for NumPy's scalar, out of its device."""
    for ours, _ in scalars(of):
        assert isinstance(ours, bc.ndarray) and type(ours) is bc.ndarray
        assert not isinstance(ours, (np.generic, np.ndarray, numbers.Number)) and not np.isscalar(ours)


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
    assert s == 1.0 and s.is_integer()
