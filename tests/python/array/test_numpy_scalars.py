"""Attributes and methods of NumPy's scalars: on the host bascule's scalars are NumPy's; on devices and in the namespace
of the Array API they are arrays that stand for scalars (rule 16)."""

import copy
import datetime
import json
import math
import numbers
import pickle

import bascule as bc
import numpy as np
import pandas
import pytest

pytestmark = pytest.mark.usefixtures("native")

TYPES = (
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128 "
    "datetime64[D] timedelta64[ns]"
).split()


def scalars(of):
    """(ours, NumPy's), as programs obtain them."""
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


def kept(of):
    """(an array that stands for the scalar, NumPy's scalar), with the same value."""
    for ours, theirs in scalars(of):
        yield bc._core.keep_scalar(bc.array(ours)), theirs


@pytest.mark.parametrize("of", TYPES)
def test_programs_see_the_types_of_numpys_scalars(of):
    for ours, theirs in scalars(of):
        assert type(ours) is type(theirs) and ours.dtype == theirs.dtype and ours == theirs
        assert isinstance(ours, np.generic) and np.isscalar(ours) and bc.isscalar(ours)
        assert isinstance(ours, numbers.Number) == isinstance(theirs, numbers.Number)


def test_programs_that_want_pythons_numbers():
    x = bc.arange(4.0)
    assert json.dumps({"mean": x.mean(), "all": [x[1], x.max()]}) == '{"mean": 1.5, "all": [1.0, 3.0]}'
    assert datetime.timedelta(seconds=x[2]) == datetime.timedelta(seconds=2)
    assert isinstance(x.sum(), float) and isinstance((x * 1j).sum(), complex) and math.sqrt(x[1]) == 1
    assert (x > 1).any() is np.True_ and [10, 20, 30][bc.array([0, 2])[1]] == 30
    assert pandas.Series([x.sum(), x[0]]).dtype == np.float64
    assert {x[1]: "one"}[1.0] == "one" and round(x[1] / 3, 2) == 0.33


@pytest.mark.parametrize("of", TYPES)
def test_attributes_of_scalars(of):
    for name in ("as_integer_ratio", "bit_count", "denominator", "hex", "is_integer", "numerator"):
        assert not hasattr(bc.ones(3, of), name) and not hasattr(bc.array(1, of), name)
        for ours, theirs in kept(of):
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
        return r.dtype if type(r) is bc.ndarray or isinstance(r, np.generic) else type(r), r

    for ours, theirs in kept(of):
        assert outcome(ours) == outcome(theirs)


@pytest.mark.parametrize("of", TYPES)
def test_text(of):
    for ours, theirs in kept(of):
        with np.printoptions(precision=2):
            assert (str(ours), repr(ours), f"{ours}") == (str(theirs), repr(theirs), f"{theirs}")


def test_text_of_special_values():
    for of in ("f2", "f4", "f8", "c8", "c16"):
        for value in (0.0, -0.0, 0.1, 1 / 3, 1e16, 1e15, 1e-5, 1e4, np.nan, np.inf, -np.inf, 65504.0):
            with np.errstate(over="ignore"):
                theirs = np.array([value]).astype(of)[0]
            assert str(bc._core.keep_scalar(bc.array(theirs))) == str(theirs)


def test_pickled_scalars_are_scalars():
    for s in (bc.arange(3.0)[1], bc._core.keep_scalar(bc.array(1.0))):
        found = pickle.loads(pickle.dumps(s))
        assert found == 1.0 and found.is_integer()
        assert type(found) is type(copy.copy(s)) is type(copy.deepcopy(s)) is type(s)
