"""Indices, sequences and shapes that NumPy refuses are refused with its messages."""

import bascule as bc
import numpy as np
import pytest
from reported_outcomes import outcome, same

INDICES = {
    "dict": lambda xp: {},
    "set": lambda xp: {1},
    "object": lambda xp: object(),
    "none in a list": lambda xp: [None],
    "text in a list": lambda xp: ["a"],
    "text": lambda xp: "a",
    "floats in a list": lambda xp: [1.0],
    "float": lambda xp: 1.0,
    "numpy's float": lambda xp: np.float64(1),
    "numpy's date": lambda xp: np.datetime64("2020"),
    "floats": lambda xp: xp.asarray([1.0]),
    "no floats": lambda xp: xp.asarray([]),
    "float without axes": lambda xp: xp.asarray(1.0),
    "dates": lambda xp: xp.asarray([1], "M8[D]"),
    "numpy's floats": lambda xp: np.asarray([1.0]),
    "numpy's objects": lambda xp: np.asarray([None]),
    "numpy's text": lambda xp: np.asarray(["a"]),
    "ragged": lambda xp: [[1], [1, 2]],
}


@pytest.mark.parametrize("index", INDICES.values(), ids=INDICES)
@pytest.mark.parametrize("axes", [1, 2, 3])
def test_indices(index, axes):
    def read(xp):
        return xp.ones((3,) * axes)[index(xp)]

    def read_behind(xp):
        return xp.ones((3,) * axes)[(*(0,) * (axes - 1), index(xp))]

    def write(xp):
        xp.ones((3,) * axes)[index(xp)] = 5

    for program in (read, read_behind, write):
        assert isinstance(outcome(program, np)[0], tuple)  # an error
        same(program)


STACKS = ("hstack", "vstack", "dstack", "column_stack", "stack")


@pytest.mark.parametrize("name", STACKS)
@pytest.mark.parametrize("made", [iter, set, len, lambda x: (v for v in x), lambda x: map(str, x)])
def test_stacks_of_what_is_no_sequence(name, made):
    same(lambda xp: getattr(xp, name)(made([1, 2])))


@pytest.mark.parametrize("name", STACKS)
@pytest.mark.parametrize("made", [list, tuple, range, lambda n: np.arange(n), lambda n: {k: [k] for k in range(n)}])
def test_stacks_of_sequences(name, made):
    same(lambda xp: getattr(xp, name)(made(3)))


@pytest.mark.parametrize("made", [iter, set, lambda x: (v for v in x), lambda x: dict.fromkeys([0], x)])
def test_joined_parts_are_a_sequence(made):
    same(lambda xp: xp.concatenate(made([(1, 2), (3,)])))


def test_transposed_matrices_have_two_axes():
    for x in (5, [1, 2]):
        same(lambda xp, x=x: xp.asarray(x).mT)
        same(lambda xp, x=x: xp.matrix_transpose(xp.asarray(x)))
        same(lambda xp, x=x: xp.linalg.matrix_transpose(xp.asarray(x)))
    same(lambda xp: xp.arange(24).reshape(2, 3, 4).mT)


@pytest.mark.parametrize("axes", [64, 65])
def test_number_of_axes(axes):
    shape = (1,) * axes
    same(lambda xp: xp.zeros(shape))
    same(lambda xp: xp.empty(shape, "?").fill(True))
    same(lambda xp: xp.full(shape, 3))
    same(lambda xp: xp.ones(1).reshape(shape))
    same(lambda xp: xp.broadcast_to(1, shape))


@pytest.mark.parametrize("out", [1e300, False, "text", [0.0]], ids=str)
def test_outputs_that_are_no_arrays(out):
    for call in (
        lambda xp: xp.take(xp.ones(3), [1], out=out),
        lambda xp: xp.compress([True, False], xp.ones(2), out=out),
    ):
        for xp in (np, bc):
            with pytest.raises(TypeError):
                call(xp)


@pytest.mark.parametrize("device", [0, "nowhere", 1.5])
def test_devices_that_are_none_are_refused_before_the_array(device):
    with pytest.raises(ValueError):
        np.from_dlpack(1.5, device=device)
    with pytest.raises((ValueError, TypeError)):
        bc.from_dlpack(1.5, device=device)


@pytest.mark.parametrize("order", [3, 4, 2**31, 2**80])
def test_derivatives_of_an_order_beyond_the_coefficients(order):
    p = bc.polyder(bc.array([3, 2, 1]), order)
    assert (p.shape, p.dtype) == ((0,), np.polyder(np.array([3, 2, 1]), 4).dtype)
