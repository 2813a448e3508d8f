"""NumPy's protocol of functions (NEP 18 and NEP 35) asked by our functions, in programs whose `np` is bascule."""

import bascule as bc
import numpy as np
import pytest


class Answers:
    def __array_function__(self, func, types, args, kwargs):
        return func.__name__, args, "like" in kwargs


class Plain:
    pass


MAKERS = {
    "array": (1,), "asarray": (1,), "asanyarray": (1,), "ascontiguousarray": (1,), "asfortranarray": (1,),
    "require": (1,), "empty": (1,), "full": (1, 2), "ones": (1,), "zeros": (1,), "arange": (3,),
    "frombuffer": (b"\0" * 8,), "fromiter": (range(3), "i8"), "loadtxt": (["0 1"],), "genfromtxt": (["0 1"],),
    "eye": (2,), "identity": (2,), "tri": (2,), "fromfunction": (lambda i: i, (2,)),
}  # fmt: skip


@pytest.mark.parametrize("name", MAKERS)
def test_what_like_names_makes_the_array(name):
    assert getattr(bc, name)(*MAKERS[name], like=Answers()) == (name, MAKERS[name], False)


@pytest.mark.parametrize("name", MAKERS)
def test_like_that_cannot_make_arrays(name):
    for like in (Plain(), 1, [1], 2.5, "a", np.float64(1)):
        with pytest.raises(TypeError, match="must be an array-like that implements"):
            getattr(bc, name)(*MAKERS[name], like=like)


def test_tables_of_our_functions():
    """As programs write them, keyed by the functions of their `np`; NumPy's own are asked for first."""
    table = {}

    class Box:
        def __array_function__(self, func, types, args, kwargs):
            return table[func](*args, **kwargs) if func in table else NotImplemented

    table[bc.sum] = lambda x: "ours"
    table[np.mean] = lambda x: "theirs"
    assert bc.sum(Box()) == "ours" and bc.mean(Box()) == "theirs"
    table[np.sum] = lambda x: "theirs"
    assert bc.sum(Box()) == "theirs"
    with pytest.raises(TypeError, match="no implementation found"):
        bc.median(Box())
    assert bc.sum(bc.ones(2)) == 2.0


def test_arrays_answer_by_keyword():
    a = bc.array([1, 2])
    assert a.__array_function__(func=np.sum, types=(np.ndarray,), args=(a,), kwargs={}) == 3
    with pytest.raises(TypeError, match="args must be a tuple"):
        a.__array_function__(np.sum, (np.ndarray,), a, {})
    with pytest.raises(TypeError, match="kwargs must be a dict"):
        a.__array_function__(np.sum, (np.ndarray,), (a,), 1)
