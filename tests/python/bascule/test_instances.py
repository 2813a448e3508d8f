"""What a program asks of its arrays by isinstance(): NumPy's arrays, which other libraries hand it, are arrays."""

import copyreg
import pickle

import bascule as bc
import numpy as np
import pytest
import scipy.special


def at_least_2d(xp, x):
    """As programs write it: what is no array is made one."""
    if not isinstance(x, xp.ndarray):
        x = xp.array([x])
    return x[None, :] if x.ndim == 1 else x


def test_arrays_of_both_are_arrays():
    assert isinstance(bc.zeros(2), bc.ndarray)
    assert isinstance(np.zeros(2), bc.ndarray)
    assert isinstance(scipy.special.roots_legendre(3)[0], bc.ndarray)
    assert isinstance(np.ma.array([1.0]), bc.ndarray)
    assert isinstance(bc.zeros(()), bc.ndarray)
    assert isinstance(np.zeros(2), (int, bc.ndarray))
    assert isinstance(np.zeros(2), int | bc.ndarray)


@pytest.mark.parametrize("x", [1, 2.5, [1.0], (1,), "a", None, np.float64(2), np.dtype("f8"), bc, bc.ndarray])
def test_other_things_are_not(x):
    assert not isinstance(x, bc.ndarray)


def test_not_the_other_way_round():
    assert not isinstance(bc.zeros(2), np.ndarray)
    assert not issubclass(np.ndarray, bc.ndarray)
    assert type(np.zeros(2)) is not bc.ndarray
    assert type(bc.zeros(2)) is bc.ndarray


def test_what_stands_for_another_says_so():
    class Standing:
        @property
        def __class__(self):
            return bc.ndarray

    assert isinstance(Standing(), bc.ndarray)


def test_programs_take_what_other_libraries_give():
    for x in (np.arange(3.0), bc.arange(3.0), 2.0):
        found = at_least_2d(bc, x)
        expected = at_least_2d(np, np.asarray(x) if isinstance(x, bc.ndarray) else x)
        np.testing.assert_array_equal(np.asarray(found), expected)


def test_the_class_is_a_class():
    assert isinstance(bc.ndarray, type)
    assert pickle.loads(pickle.dumps(bc.ndarray)) is bc.ndarray
    assert bc.ndarray.__name__ == "ndarray" and bc.ndarray.__module__ == "bascule"
    assert copyreg.dispatch_table.get(bc.ndarray) is None
    other = type(bc.ndarray)("other", (), {})
    assert not isinstance(np.zeros(2), other) and isinstance(other(), other)
    with pytest.raises(TypeError):
        type("other", (bc.ndarray,), {})
