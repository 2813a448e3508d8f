"""isinstance() on a program's arrays; in the accelerated mode NumPy's arrays, which other libraries return, count as
arrays."""

import abc
import copyreg
import pickle
from collections.abc import Sequence

import bascule as bc
import numpy as np
import pytest
import scipy.special


def at_least_2d(xp, x):
    """A function as programs write it: other objects are converted to arrays."""
    if not isinstance(x, xp.ndarray):
        x = xp.array([x])
    return x[None, :] if x.ndim == 1 else x


@pytest.fixture
def accelerated():
    bc.accelerate(imports=False, libraries=False)
    yield
    bc.accelerate.undo()


def test_numpys_arrays_are_not_ours():
    assert isinstance(bc.zeros(2), bc.ndarray)
    assert not isinstance(np.zeros(2), bc.ndarray) and not isinstance(np.ma.array([1.0]), bc.ndarray)
    assert not issubclass(np.ndarray, bc.ndarray) and issubclass(bc.ndarray, bc.ndarray)
    match np.zeros(2):
        case bc.ndarray():
            raise AssertionError("a pattern of ours took NumPy's array")


def test_arrays_of_both_are_arrays(accelerated):
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
    assert type(np.zeros(2)) is not bc.ndarray
    assert type(bc.zeros(2)) is bc.ndarray


def test_what_stands_for_another_says_so():
    class Standing:
        @property
        def __class__(self):
            return bc.ndarray

    assert isinstance(Standing(), bc.ndarray)


def test_programs_take_what_other_libraries_give(accelerated):
    for x in (np.arange(3.0), bc.arange(3.0), 2.0):
        found = at_least_2d(bc, x)
        expected = at_least_2d(np, np.asarray(x) if isinstance(x, bc.ndarray) else x)
        np.testing.assert_array_equal(np.asarray(found), expected)


def test_the_class_is_a_class():
    assert isinstance(bc.ndarray, type)
    assert pickle.loads(pickle.dumps(bc.ndarray)) is bc.ndarray
    assert bc.ndarray.__name__ == "ndarray" and bc.ndarray.__module__ == "bascule"
    assert copyreg.dispatch_table.get(bc.ndarray) is None


def test_subclasses_go_with_instances(accelerated):
    assert issubclass(bc.ndarray, bc.ndarray) and issubclass(np.ndarray, bc.ndarray)
    assert issubclass(np.ma.MaskedArray, bc.ndarray)
    assert not issubclass(int, bc.ndarray) and not issubclass(bc.ndarray, np.ndarray)
    with pytest.raises(TypeError, match="must be a class"):
        issubclass(1, bc.ndarray)


def informed(xp):
    class Informed(xp.ndarray):
        """An array with an additional attribute, derived as in NumPy's manual."""

        made = []

        def __init_subclass__(cls, word="none", **keywords):
            super().__init_subclass__(**keywords)
            cls.word = word

        def __new__(cls, given, info=None):
            found = xp.asarray(given).view(cls)
            found.info = info
            return found

        def __array_finalize__(self, other):
            self.info = getattr(other, "info", None)

        def total(self):
            return self.sum()

    return Informed


def test_classes_derived_from_arrays_are_numpys():
    ours, theirs = informed(bc), informed(np)
    assert [c.__name__ for c in ours.__mro__] == [c.__name__ for c in theirs.__mro__]
    assert issubclass(ours, bc.ndarray) and issubclass(ours, np.ndarray)
    x, y = ours([1.0, 2.0, 3.0], info="lengths"), theirs([1.0, 2.0, 3.0], info="lengths")
    assert isinstance(x, bc.ndarray) and type(x) is ours
    for a, b in ((x, y), (x[1:], y[1:]), (x * 2, y * 2), (np.sqrt(x), np.sqrt(y))):
        assert type(a) is ours and a.info == b.info == "lengths"
        np.testing.assert_array_equal(a, b)
    assert x.total() == y.total()
    assert bc.asarray(x).sum() == 6 and (bc.ones(3) + bc.asarray(x)).max() == 4


def test_they_share_memory_with_what_they_are_made_of():
    x = bc.arange(4.0)
    informed(bc)(x)[1] = 7
    assert x[1] == 7


def test_they_are_seen_as_plain_arrays_again():
    x = informed(bc)([1.0, 2.0, 3.0])
    for plain in (x.view(bc.ndarray), x.view(type=bc.ndarray), x[1:].view("f8", bc.ndarray), x.view(np.ndarray)):
        assert type(plain) is np.ndarray
        assert np.shares_memory(plain, x)
    assert type(x.view()) is type(x) and x.view("i8").dtype == "i8"

    class Own(bc.ndarray):
        def view(self, *args):
            return "own"

    assert bc.zeros(1).view(Own).view(bc.ndarray) == "own"


def test_all_ways_to_derive():
    class Named:
        name = "named"

    class Both(Named, bc.ndarray):
        __slots__ = ()

    assert Both.__mro__[1:3] == (Named, np.ndarray)
    assert bc.zeros(2).view(Both).name == "named"
    called = type("Called", (bc.ndarray,), {"a": 1})
    assert called.__bases__ == (np.ndarray,) and called.a == 1

    class Kept(informed(bc), word="kept"):
        def total(self):
            return super().total() + 1

    assert Kept.word == "kept" and Kept([1.0]).total() == 2
    with pytest.raises(TypeError):
        type(bc.ndarray)("other")


@pytest.mark.parametrize("xp", [np, bc])
def test_a_derived_class_makes_its_arrays_by_the_name_of_arrays(xp):
    class Named(xp.ndarray):
        def __new__(cls, *args, **keywords):
            return xp.ndarray.__new__(cls, *args, **keywords)

    memory = xp.arange(6.0)
    x = Named((2, 2), xp.float64, memory, 8, strides=(16, 8))
    assert type(x) is Named and x.tolist() == [[1.0, 2.0], [3.0, 4.0]]
    x[0] = 9
    assert memory.tolist() == [0, 9, 9, 3, 4, 5] and Named(3).shape == (3,) and Named(2, "i4", order="F").dtype == "i4"
    with pytest.raises(TypeError, match="shape"):
        Named()
    with pytest.raises(TypeError, match="int is not a subtype of numpy.ndarray"):
        xp.ndarray.__new__(int, 3)


@pytest.mark.parametrize("xp", [np, bc])
def test_abstract_base_classes_alongside_arrays(xp):
    class Total(abc.ABC):
        @abc.abstractmethod
        def total(self): ...

    class Sized(xp.ndarray, Sequence):
        pass

    class Summed(Total, xp.ndarray):
        def total(self):
            return float(self.sum())

    class Open(xp.ndarray, Total):
        pass

    x = xp.arange(3.0)
    assert x.view(Sized).index(2.0) == 2 and isinstance(x.view(Sized), Sequence) and not isinstance(x, Sequence)
    assert x.view(Summed).total() == 3.0 and isinstance(x.view(Summed), Total)
    assert Open.__abstractmethods__ == {"total"} and type(Open) is abc.ABCMeta
    assert isinstance(x.view(Summed), xp.ndarray) and issubclass(Open, xp.ndarray) and not issubclass(Total, xp.ndarray)
