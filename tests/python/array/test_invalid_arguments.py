"""Indices, sequences and shapes that NumPy refuses are refused with its messages. Invalid shapes, axes, strides and indices are refused by the core itself, with NumPy's messages."""

import bascule as bc
import numpy as np
import pytest
from bascule import _core
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


# ---- Invalid shapes, axes, strides and indices are refused by the core itself, with NumPy's messages


HUGE = 2**62


@pytest.mark.parametrize("reps", [-3, (2, -1), (0, -1), (-1, -1), HUGE])
def test_tiles_of_less_than_nothing(reps):
    theirs = outcome(lambda xp: xp.tile(xp.ones((2, 3)), reps), np)[0]
    assert theirs[0] == "ValueError" == outcome(lambda xp: xp.tile(xp.ones((2, 3)), reps), bc)[0][0]


@pytest.mark.parametrize("shape", [(-1,), (HUGE,), (0, HUGE, HUGE), (2**63,), (-(2**63) - 1,), (1,) * 65, (2, -3)])
@pytest.mark.parametrize("name", ["empty", "zeros", "ones"])
def test_shapes_of_new_arrays(name, shape):
    ours, theirs = (outcome(lambda xp: getattr(xp, name)(shape), xp)[0] for xp in (bc, np))
    assert ours[0] == theirs[0] == "ValueError"


@pytest.mark.parametrize("shape", [(-1,), (-1, -1), (2, -1, 3), (2**63,), (0, -1)])
def test_shapes_to_broadcast_to(shape):
    same(lambda xp: xp.broadcast_to(xp.ones(()), shape))


@pytest.mark.parametrize("dtype", ["?", "f8", "c16", "M8[s]", "m8[10ms]"])
@pytest.mark.parametrize("shape", [(2**31, 2**31 // 16), (10**14,), (3, 10**15), (1 << 47,)])
def test_what_no_memory_can_hold_is_named_with_its_shape_and_type(shape, dtype):
    if dtype == "?" and shape == (10**14,):
        shape = (10**15,)
    same(lambda xp: xp.zeros(shape, dtype))


def test_memory_that_a_lazy_result_does_not_get_is_named_with_its_shape_and_type():
    x = bc.broadcast_to(bc.ones(1, "f4"), (1 << 30, 1 << 13))
    with pytest.raises(MemoryError, match=r"Unable to allocate 32\.0 TiB for an array with shape \(1073741824, 8192\)"):
        _core.evaluate(x + 1)


VIEWS = [
    ((4,), (8,), 0), ((3,), (8,), 8), ((3,), (-8,), 0), ((2,), (2**62,), 0), ((3,), (8,), -8), ((-1,), (8,), 0),
    ((3,), (8, 8), 0), ((2, 2), (8,), 0), ((HUGE, HUGE), (0, 0), 0), ((2**61,), (8,), 0), ((1,), (8,), 2**63 - 1),
    ((1,), (8,), -(2**63)),
]  # fmt: skip


@pytest.mark.parametrize("shape, strides, offset", VIEWS)
def test_views_beyond_the_memory(shape, strides, offset):
    with pytest.raises(ValueError):
        _core.view(bc.arange(3.0), shape, strides, offset)


def test_views_of_wider_elements():
    with pytest.raises(ValueError):
        _core.view(bc.ones(3, "u1"), (3,), (1,), 0, "f8")
    with pytest.raises(ValueError):
        bc.lib.stride_tricks.as_strided(bc.ones(3), (4,), (8,))


@pytest.mark.parametrize("name", ["sort", "argsort"])
@pytest.mark.parametrize("axis", [1, -2, 2**31 - 1, -(2**31)])
def test_axes_of_the_core(name, axis):
    with pytest.raises(np.exceptions.AxisError, match="out of bounds for array of dimension 1"):
        getattr(_core, name)(bc.ones(3), axis)
    with pytest.raises(np.exceptions.AxisError):
        _core.accumulate(0, bc.ones(3), axis, None, None)


@pytest.mark.parametrize("axes", [[0, 0], [0], [0, 1, 2], [0, -1], [0, 7]])
def test_permutations_of_the_core(axes):
    with pytest.raises(ValueError):
        _core.transpose(bc.ones((2, 3)), axes)


CALLS = {
    "partition": lambda: _core.partition(bc.ones(3), 0, [3]),
    "argpartition": lambda: _core.argpartition(bc.ones(3), 0, [-1]),
    "select_ranks": lambda: _core.select_ranks(bc.ones(3), [3]),
    "scatter_add": lambda: _core.scatter_add(bc.ones(3), bc.array([0, 5]), bc.ones(2)),
    "scatter_add of few values": lambda: _core.scatter_add(bc.ones(3), bc.array([0, 1, 2]), bc.ones(2)),
    "scatter_add of other values": lambda: _core.scatter_add(bc.ones(3), bc.array([0, 1]), bc.ones(2, "f4")),
    "bincount": lambda: _core.bincount(bc.array([0, -1]), 3),
    "apply_at": lambda: _core.apply_at(1, bc.ones(3), bc.array([7]), None),
    "item": lambda: _core.item(bc.ones(3), 3),
    "item of nothing": lambda: _core.item(bc.ones(0), 0),
    "histogram": lambda: _core.histogram(bc.ones(3), bc.ones(1), 1.0, False, None, 0),
    "factor": lambda: _core.factor(1, bc.ones((2, 3))),
    "factor of a line": lambda: _core.factor(3, bc.ones(3)),
    "factor of a task": lambda: _core.factor(99, bc.ones((2, 2))),
    "product": lambda: _core.product(-1, bc.ones(3), bc.ones(3)),
    "words_of_booleans": lambda: _core.words_of_booleans(bc.ones(3, "?")),
    "end_export": lambda: _core.end_export(bc.ones(3)),
    "text": lambda: _core.Column.text(bc.array([97], "u1"), bc.array([0, 9])),
    "falling text": lambda: _core.Column.text(bc.array([97, 98], "u1"), bc.array([0, 2, 1])),
    "rows": lambda: _core.Column.plain(bc.ones(3)).take(bc.array([3])),
    "slice": lambda: _core.Column.plain(bc.ones(3)).slice(0, 1, 4),
    "groups": lambda: _core.aggregate_columns(bc.array([0, 1, 0]), 2, []),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_positions_and_operands_of_the_core(call):
    with pytest.raises((ValueError, IndexError, TypeError)):
        call()


def test_a_list_that_shrinks_while_it_is_read():
    import hostile_values

    with pytest.raises((ValueError, TypeError, IndexError)):
        _core.broadcast_to(bc.ones(1), hostile_values.shrinking() + [-1])
    assert _core.empty(hostile_values.shrinking(), "f8").ndim == 4


def test_differences_of_more_steps_than_there_are_elements():
    assert bc.diff(bc.ones(3), n=2**63).shape == (0,)
    same(lambda xp: xp.diff(xp.ones((2, 3)), n=7))
    same(lambda xp: xp.diff(xp.asarray([], "M8[s]"), n=2))


@pytest.mark.parametrize("ndim", [2, 31, 33, 63, 64])
def test_copies_of_arrays_of_many_axes(ndim):
    for shape in ((1,) * ndim, (2, *(1,) * (ndim - 2), 3), (0, *(1,) * (ndim - 1))):
        x = np.arange(np.prod(shape), dtype="f8").reshape(shape)
        for reps in (2, (1,) * ndim, (*(1,) * (ndim - 1), 2), (2,) * 3, (2, *(1,) * (ndim - 2), 2), (0,) * ndim):
            same(lambda xp: xp.tile(xp.asarray(x), reps))
        for axis in (0, ndim // 2, ndim - 1, None):
            for times in (0, 1, 3):
                same(lambda xp: xp.repeat(xp.asarray(x), times, axis=axis))


def test_empty_arrays_whose_copies_no_shape_can_report():
    x = bc.zeros((0, 2**40))
    for call in (lambda: bc.tile(x, (1, 2**40)), lambda: bc.repeat(x, 2**40, axis=1)):
        with pytest.raises(ValueError, match="too big|Maximum allowed dimension exceeded"):
            call()


@pytest.mark.parametrize("most", [2**63 - 1, 2**63 - 2, 2**61])
@pytest.mark.parametrize("weights", [None, [1.0, 2.0]])
def test_counts_of_more_numbers_than_there_is_memory_for(most, weights):
    with pytest.raises((ValueError, MemoryError)):
        bc.bincount([0, most], weights)


@pytest.mark.parametrize("distinct", [False, True], ids=["few texts", "many texts"])
@pytest.mark.parametrize("n", [0, 1, 5000])
def test_columns_give_no_row_beyond_their_ends(n, distinct):
    rows = [str(k if distinct else k % 3) for k in range(n)]
    offsets = np.cumsum([0, *map(len, rows)])
    text = _core.Column.text(bc.array(np.frombuffer("".join(rows).encode(), "u1")), bc.array(offsets))
    numbers = _core.Column.plain(bc.arange(n))
    for column in (text, numbers, _core.Column.plain(bc.arange(n), bc.ones(n, "?"))):
        for bad in (n, n + 7, 2**63 - 1, -n - 1, -(2**63)):
            with pytest.raises(IndexError, match=f"index {bad} is out of bounds"):
                column.take(bc.array([0, bad][n == 0 :]))
        for bad in (n, 2**63 - 1):
            with pytest.raises(IndexError):
                column.take(bc.array([bad, -1]), True)
        assert len(column.take(bc.array([-1, -1]), True)) == 2
    if distinct and n > 1000:
        assert text.encoded() is None
        with pytest.raises(IndexError, match="index -1 is out of bounds"):
            text.take(bc.array([0, -1]))
