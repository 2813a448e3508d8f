"""Of the functions that give an array another shape, other axes or another order of its elements."""

from .parts import ARRAY, BAD_AXIS, entry

_VIEW = "ndarray\n    A view: it shares the array's memory."
_TURNED = """
m : array_like, shape (n, ...)
"""
_TRANSPOSED = """
ndarray, shape ``tuple(a.shape[k] for k in axes)``
    A view: it shares the array's memory.
"""

ENTRIES = {
    "reshape": entry(
        ARRAY
        + """
shape : int or tuple of int
    New extents; one of them may be -1, and is what the others leave.
order : {"C", "F", "A"}, optional
    Whether elements are counted with the last or the first axis running fastest; "A" is "F" for arrays that lie so.
copy : bool, optional
    True always copies; False raises where a view is not possible.
""",
        "ndarray, shape `shape`",
        """
>>> bc.reshape(bc.arange(6), (2, -1)).tolist()
[[0, 1, 2], [3, 4, 5]]
""",
        """
ValueError
    The shape has another number of elements, more than one -1, or needs a copy that is not allowed.
""",
    ),
    "ravel": entry(
        ARRAY
        + """
order : {"C", "F", "A", "K"}, optional
    As for `reshape`; "K" takes the elements as they lie in memory.
""",
        "ndarray, shape (a.size,)\n    Its elements lie side by side.",
        """
>>> bc.ravel([[1, 2], [3, 4]], order="F").tolist()
[1, 3, 2, 4]
""",
    ),
    "transpose": entry(
        ARRAY
        + """
axes : sequence of int, optional
    For each axis of the result, which one of the array it is.
""",
        _TRANSPOSED,
        """
>>> bc.transpose(bc.ones((2, 3, 4)), (1, 0, 2)).shape
(3, 2, 4)
""",
        """
ValueError
    An axis is missing or comes twice.
""",
    ),
    "matrix_transpose": entry(
        """
x : array_like, shape (..., m, n)
""",
        "ndarray, shape (..., n, m)\n    A view: it shares the array's memory.",
        """
>>> bc.matrix_transpose(bc.ones((5, 2, 3))).shape
(5, 3, 2)
""",
        """
ValueError
    The array has fewer than two axes.
""",
    ),
    "swapaxes": entry(
        ARRAY + "axis1, axis2 : int",
        _VIEW,
        """
>>> bc.swapaxes(bc.ones((2, 3, 4)), 0, 2).shape
(4, 3, 2)
""",
        BAD_AXIS,
    ),
    "moveaxis": entry(
        ARRAY
        + """
source : int or sequence of int
    Axes to move.
destination : int or sequence of int
    Where each of them goes.
""",
        _VIEW,
        """
>>> bc.moveaxis(bc.ones((2, 3, 4)), 0, -1).shape
(3, 4, 2)
""",
        """
ValueError
    The two differ in length, or name an axis twice.
"""
        + BAD_AXIS,
    ),
    "rollaxis": entry(
        ARRAY
        + """
axis : int
    The axis to move.
start : int, optional
    The axis before which it goes; ``a.ndim`` puts it last.
""",
        _VIEW,
        """
>>> bc.rollaxis(bc.ones((2, 3, 4)), 2).shape
(4, 2, 3)
""",
        BAD_AXIS,
    ),
    "expand_dims": entry(
        ARRAY
        + """
axis : int or sequence of int
    Where the new axes lie in the result.
""",
        _VIEW,
        """
>>> bc.expand_dims(bc.ones(3), (0, 2)).shape
(1, 3, 1)
""",
        """
ValueError
    An axis is named twice.
"""
        + BAD_AXIS,
    ),
    "squeeze": entry(
        ARRAY
        + """
axis : int or tuple of int, optional
    Axes to leave out; all of length one when absent.
""",
        _VIEW,
        """
>>> bc.squeeze(bc.ones((1, 3, 1)), 0).shape
(3, 1)
""",
        """
ValueError
    An axis has another length than one.
"""
        + BAD_AXIS,
    ),
    "atleast_1d": entry(
        "*arys : array_like, any shapes",
        "ndarray, or a tuple of as many as arguments",
        """
>>> bc.atleast_1d(3.0).shape
(1,)
""",
    ),
    "atleast_2d": entry(
        "*arys : array_like, any shapes",
        "ndarray, or a tuple of as many as arguments\n    New axes come first.",
        """
>>> bc.atleast_2d([1, 2]).shape
(1, 2)
""",
    ),
    "atleast_3d": entry(
        "*arys : array_like, any shapes",
        "ndarray, or a tuple of as many as arguments\n    A vector lies along the second axis, a matrix along the first two.",
        """
>>> bc.atleast_3d([1, 2]).shape
(1, 2, 1)
""",
    ),
    "broadcast_to": entry(
        """
array : array_like
shape : int or tuple of int
    Extents of the result.
subok : bool, optional
    Without effect: ndarray has no subclasses.
""",
        "ndarray, shape `shape`\n    A view, which cannot be written to.",
        """
>>> bc.broadcast_to([1, 2], (3, 2)).tolist()
[[1, 2], [1, 2], [1, 2]]
""",
        """
ValueError
    The array does not broadcast to the shape, or an extent is negative.
""",
    ),
    "broadcast_arrays": entry(
        """
*args : array_like
    Shapes that broadcast against one another.
subok : bool, optional
    Without effect: ndarray has no subclasses.
""",
        "tuple of ndarray\n    Views, or the arrays themselves where they have the common shape.",
        """
>>> x, y = bc.broadcast_arrays([1, 2, 3], [[4], [5]])
>>> x.shape, y.shape
((2, 3), (2, 3))
""",
        """
ValueError
    The shapes do not broadcast.
""",
    ),
    "flip": entry(
        "m : array_like, any shape"
        + """
axis : int or tuple of int, optional
    Axes to reverse; all of them when absent.
""",
        _VIEW,
        """
>>> bc.flip([[1, 2], [3, 4]], 1).tolist()
[[2, 1], [4, 3]]
""",
        BAD_AXIS,
    ),
    "flipud": entry(
        _TURNED,
        _VIEW,
        """
>>> bc.flipud([[1, 2], [3, 4]]).tolist()
[[3, 4], [1, 2]]
""",
        """
ValueError
    The array has no axis.
""",
    ),
    "fliplr": entry(
        _TURNED.replace("n,", "n, m,"),
        _VIEW,
        """
>>> bc.fliplr([[1, 2], [3, 4]]).tolist()
[[2, 1], [4, 3]]
""",
        """
ValueError
    The array has fewer than two axes.
""",
    ),
    "rot90": entry(
        """
m : array_like, two or more axes
k : int, optional
    How many quarters, from the first of the axes towards the second; negative ones turn the other way.
axes : pair of int, optional
    The plane.
""",
        _VIEW,
        """
>>> bc.rot90([[1, 2], [3, 4]]).tolist()
[[2, 4], [1, 3]]
""",
        """
ValueError
    The axes are not two different ones of the array.
""",
    ),
    "roll": entry(
        ARRAY
        + """
shift : int or tuple of int
    By how many places, for each axis.
axis : int or tuple of int, optional
    The axes; the flattened array when absent. An axis that comes more than once is moved by the sum.
""",
        "ndarray, shape a.shape\n    A copy.",
        """
>>> bc.roll(bc.arange(5), 2).tolist()
[3, 4, 0, 1, 2]
""",
        BAD_AXIS,
    ),
    "repeat": entry(
        ARRAY
        + """
repeats : int or array_like of int
    How often, for all elements of the axis or for each of them.
axis : int, optional
    The axis; the flattened array when absent.
""",
        "ndarray\n    As `a`, but for the length of the axis.",
        """
>>> bc.repeat([1, 2], [2, 3]).tolist()
[1, 1, 2, 2, 2]
""",
        """
ValueError
    A count is negative, or there are not as many counts as elements.
""",
    ),
    "tile": entry(
        """
A : array_like, any shape
reps : int or sequence of int
    How often along each axis, the last axis last; whichever of the shape and `reps` is shorter is led by ones.
""",
        "ndarray",
        """
>>> bc.tile([1, 2], (2, 2)).tolist()
[[1, 2, 1, 2], [1, 2, 1, 2]]
""",
    ),
}
