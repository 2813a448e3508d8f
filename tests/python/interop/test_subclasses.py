"""Masked arrays, matrices and a program's own subclasses of NumPy's array follow NumPy's rules: masks are kept,
products of matrices are products, and results have the class."""

import operator

import bascule as bc
import numpy as np
import pytest

pytestmark = pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")


class Own(np.ndarray):
    """An array that remembers a word."""

    word = "none"

    def __array_finalize__(self, other):
        self.word = getattr(other, "word", "none")


def masked(_):
    return np.ma.array([1.0, 2.0, 3.0], mask=[0, 1, 0])


def matrix(_):
    return np.matrix([[1, 2, 3]])


def own(_):
    x = np.array([1.0, 2.0, 4.0]).view(Own)
    x.word = "own"
    return x


OPERATORS = "add sub mul truediv floordiv mod pow eq ne lt le gt ge".split()


def agree(call, make):
    def outcome(xp):
        try:
            return call(xp, make(xp))
        except (TypeError, ValueError) as error:
            return type(error), str(error)

    ours, theirs = outcome(bc), outcome(np)
    if isinstance(theirs, tuple):
        assert ours == theirs
        return
    assert type(ours) is type(theirs) or (type(ours), type(theirs)) == (bc.ndarray, np.ndarray)
    np.testing.assert_array_equal(np.asarray(ours), np.asarray(theirs))
    np.testing.assert_array_equal(np.ma.getmaskarray(ours), np.ma.getmaskarray(theirs))
    assert ours.dtype == theirs.dtype and getattr(ours, "word", None) == getattr(theirs, "word", None)


@pytest.mark.parametrize("make", [masked, matrix, own])
@pytest.mark.parametrize("name", OPERATORS)
def test_operators_alongside_arrays(make, name):
    f = getattr(operator, name)
    agree(lambda xp, x: f(x, xp.arange(1, 4)), make)
    agree(lambda xp, x: f(xp.arange(1, 4), x), make)
    agree(lambda xp, x: f(xp.arange(1, 4)[:, None], x), make)
    agree(lambda xp, x: f(x, xp.arange(1, 4)[:, None]), make)


CALLS = {
    "unary": lambda xp, x: xp.sqrt(x),
    "predicate": lambda xp, x: xp.isfinite(x),
    "binary": lambda xp, x: xp.maximum(xp.arange(3), x),
    "binary first": lambda xp, x: xp.hypot(x, xp.arange(3)),
    "reduce": lambda xp, x: xp.add.reduce(x, axis=0),
    "accumulate": lambda xp, x: xp.add.accumulate(x),
    "outer": lambda xp, x: xp.multiply.outer(xp.arange(2), x)[0],
    "sum": lambda xp, x: xp.sum(x),
    "sum along an axis": lambda xp, x: xp.sum(x, axis=0),
    "mean": lambda xp, x: xp.mean(x),
    "max": lambda xp, x: xp.max(x),
    "cumsum": lambda xp, x: xp.cumsum(x),
    "reshape": lambda xp, x: xp.reshape(x, (3, 1)),
    "transpose": lambda xp, x: xp.transpose(x),
    "divmod": lambda xp, x: divmod(xp.arange(3), x)[1],
    "matmul": lambda xp, x: x @ xp.ones((3, 2)),
    "matmul behind": lambda xp, x: xp.ones((2, 3)) @ x.T,
    "asanyarray": lambda xp, x: xp.asanyarray(x),
    "asanyarray of a type": lambda xp, x: xp.asanyarray(x, dtype="f4"),
    "asarray": lambda xp, x: xp.asarray(x),
    "array": lambda xp, x: xp.array(x) + 1,
}


@pytest.mark.parametrize("make", [masked, matrix, own])
@pytest.mark.parametrize("name", CALLS)
def test_functions(make, name):
    agree(CALLS[name], make)


def test_derived_arrays_are_made_of_arrays():
    x = bc.arange(6.0).reshape(2, 3)
    for made in (np.ma.masked_where(x > 4, x), np.ma.array(x), np.matrix(x), np.asmatrix(x), np.bmat([[x, x]])):
        assert isinstance(made, np.ndarray) and not isinstance(made, bc.ndarray)
        assert made.sum() == (
            15 if made.shape == (2, 3) and not np.ma.is_masked(made) else 10 if made.size == 6 else 30
        )
    assert isinstance(bc.ones(2), np.matrix) is False


def test_mapped_files_are_computed_with_here(tmp_path):
    mapped = np.memmap(tmp_path / "numbers", "f8", "w+", shape=(3,))
    mapped[:] = 2
    assert type(mapped) is np.memmap and type(bc.sqrt(mapped)) is type(mapped + bc.ones(3)) is bc.ndarray
    assert type(bc.ones(3) * mapped) is bc.ndarray and (mapped * bc.ones(3)).sum() == 6


def test_positions_of_arrays_take_what_is_not_masked_as_numpys_do():
    for xp in (np, bc):
        x = xp.zeros(3)
        x += masked(xp)
        x[1:] = masked(xp)[1:]
        assert type(x) is xp.ndarray and x.tolist() == [1, 2, 3]
