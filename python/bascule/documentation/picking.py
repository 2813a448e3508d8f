"""Of the functions that pick elements, write to some of them, or convert them."""

from .parts import ARRAY, AXIS, BAD_AXIS, ONE_AXIS, OUT, entry

_MODE = """
mode : {"raise", "wrap", "clip"}, optional
    What a position beyond the end does: it is an error, counts on from the other end, or means the last element.
"""
_BEYOND = """
IndexError
    A position lies beyond the end.
"""
_WRITTEN = """
a : ndarray
    Written to.
"""
_NOTHING = "None"
_DIAGONAL = """
a : array_like, two axes or more
offset : int, optional
    The diagonal: 0 the main one, positive above it, negative below.
axis1, axis2 : int, optional
    The rows and the columns of the matrices.
"""
_FLAT_MATRIX = """
ValueError
    The array has fewer than two axes, or both axes are the same.
"""
_PAIR = """
a, b : array_like
"""
_CAST_ERROR = """
TypeError
    `casting` does not allow it.
"""

ENTRIES = {
    "take": entry(
        ARRAY
        + """
indices : array_like of int, any shape
    Positions; negative ones count from the end.
"""
        + ONE_AXIS
        + OUT
        + _MODE,
        "ndarray, shape a.shape[:axis] + indices.shape + a.shape[axis + 1:]",
        """
>>> bc.take([10, 20, 30], [2, 0]).tolist()
[30, 10]
""",
        _BEYOND + BAD_AXIS,
        "On a GPU the IndexError may come when the device is next waited for; see `config.index_errors`.",
    ),
    "take_along_axis": entry(
        """
arr : array_like, any shape
indices : array_like of int
    Positions along the axis; its other extents are those of `arr`, or one.
axis : int or None, optional
    The axis; None takes from the flattened array.
""",
        "ndarray, shape indices.shape",
        """
>>> x = bc.asarray([[3, 1], [2, 4]])
>>> bc.take_along_axis(x, bc.argsort(x, axis=1), axis=1).tolist()
[[1, 3], [2, 4]]
""",
        """
IndexError
    The positions are no integers, or lie beyond the end.
ValueError
    The two differ in the number of axes.
""",
    ),
    "put_along_axis": entry(
        """
arr : ndarray
    Written to.
indices : array_like of int
    Positions along the axis; its other extents are those of `arr`, or one.
values : array_like
    Broadcasts to the shape of `indices`.
axis : int or None
    The axis; None writes to the flattened array.
""",
        _NOTHING,
        """
>>> x = bc.zeros((2, 2), int)
>>> bc.put_along_axis(x, [[1], [0]], 5, axis=1)
>>> x.tolist()
[[0, 5], [5, 0]]
""",
        """
IndexError
    The positions are no integers, or lie beyond the end.
ValueError
    The two differ in the number of axes.
""",
    ),
    "where": entry(
        """
condition : array_like of bool
    Other types hold where they are not zero.
x, y : array_like, optional
    Both or neither; all three broadcast against one another.
""",
        """
ndarray, or tuple of ndarray
    Of the type that `x` and `y` promote to; without them what `nonzero` gives.
""",
        """
>>> x = bc.arange(-2, 3)
>>> bc.where(x > 0, x, 0).tolist()
[0, 0, 0, 1, 2]
""",
        """
ValueError
    One of `x` and `y` is missing, or the shapes do not broadcast.
""",
    ),
    "nonzero": entry(
        ARRAY.replace("any shape", "one axis or more"),
        "tuple of ndarray of int64\n    For each axis the positions along it, in C order.",
        """
>>> rows, columns = bc.nonzero([[0, 1], [2, 0]])
>>> rows.tolist(), columns.tolist()
([0, 1], [1, 0])
""",
        """
ValueError
    The array has no axis.
""",
    ),
    "flatnonzero": entry(
        ARRAY,
        "ndarray of int64, shape (number of them,)",
        """
>>> bc.flatnonzero([[0, 1], [2, 0]]).tolist()
[1, 2]
""",
    ),
    "argwhere": entry(
        ARRAY,
        "ndarray of int64, shape (number of them, a.ndim)",
        """
>>> bc.argwhere([[0, 1], [2, 0]]).tolist()
[[0, 1], [1, 0]]
""",
    ),
    "compress": entry(
        """
condition : array_like of bool, shape (n,)
    Which slices; those behind its end are left out.
a : array_like
"""
        + ONE_AXIS
        + OUT,
        "ndarray",
        """
>>> bc.compress([False, True], [[1, 2], [3, 4]], axis=0).tolist()
[[3, 4]]
""",
        """
ValueError
    The condition has not one axis.
"""
        + _BEYOND,
    ),
    "extract": entry(
        """
condition : array_like
    Holds where it is not zero; as many elements as `arr`.
arr : array_like
""",
        "ndarray, shape (number of them,)",
        """
>>> x = bc.arange(6)
>>> bc.extract(x % 2 == 0, x).tolist()
[0, 2, 4]
""",
        _BEYOND,
    ),
    "clip": entry(
        ARRAY
        + """
a_min, a_max : array_like or None
    The limits, which broadcast against `a`; None is no limit.
"""
        + OUT
        + """
min, max : array_like or None, optional
    Other names of the limits, that the Array API knows.
**kwargs
    What ufuncs take: `where`, `casting`, `order`, `dtype`.
""",
        "ndarray\n    NaN stays; where the lower limit is above the upper one, the upper one.",
        """
>>> bc.clip(bc.arange(6), 1, 4).tolist()
[1, 1, 2, 3, 4, 4]
""",
        """
TypeError
    Only one of `a_min` and `a_max` is given.
ValueError
    Limits are given by both names, or do not broadcast.
""",
    ),
    "astype": entry(
        """
x : ndarray
dtype : dtype
    The type.
copy : bool, optional
    Copy even where the type is the array's.
device : str, optional
    Where the result lies; by default beside the array.
""",
        "ndarray, shape x.shape",
        """
>>> bc.astype(bc.asarray([1.7, -1.7]), int).tolist()
[1, -1]
""",
        """
TypeError
    `x` is no array.
""",
    ),
    "copyto": entry(
        """
dst : ndarray
    Written to.
src : array_like
    Broadcasts to the shape of `dst`.
casting : {"no", "equiv", "safe", "same_kind", "unsafe"}, optional
    Which conversions are allowed.
where : array_like of bool, optional
    Elements to write.
""",
        _NOTHING,
        """
>>> x = bc.zeros(3)
>>> bc.copyto(x, [1, 2, 3], where=[True, False, True])
>>> x.tolist()
[1.0, 0.0, 3.0]
""",
        _CAST_ERROR
        + """
ValueError
    The shapes do not broadcast.
""",
    ),
    "putmask": entry(
        _WRITTEN
        + """
mask : array_like of bool, as many elements as `a`
values : array_like
    Repeated to the size of `a`: the element at position n gets the n-th.
""",
        _NOTHING,
        """
>>> x = bc.arange(4)
>>> bc.putmask(x, x > 1, [10, 20])
>>> x.tolist()
[0, 1, 10, 20]
""",
        """
ValueError
    The mask differs in size.
""",
    ),
    "place": entry(
        """
arr : ndarray
    Written to.
mask : array_like of bool, shape arr.shape
vals : array_like
    Repeated to as many as the mask has places.
""",
        _NOTHING,
        """
>>> x = bc.arange(4)
>>> bc.place(x, x > 1, [10, 20])
>>> x.tolist()
[0, 1, 10, 20]
""",
        """
ValueError
    There is a place and no value.
""",
    ),
    "put": entry(
        _WRITTEN
        + """
ind : array_like of int
    Positions; negative ones count from the end.
v : array_like
    Repeated to as many as there are positions. Of equal positions the last one wins.
"""
        + _MODE,
        _NOTHING,
        """
>>> x = bc.zeros(3, int)
>>> bc.put(x, [0, -1], [4, 5])
>>> x.tolist()
[4, 0, 5]
""",
        _BEYOND,
    ),
    "fill_diagonal": entry(
        """
a : ndarray, two axes or more
    Written to.
val : array_like
    Repeated along the diagonal.
wrap : bool, optional
    In matrices with more rows than columns begin again below, after one row.
""",
        _NOTHING,
        """
>>> x = bc.zeros((2, 2), int)
>>> bc.fill_diagonal(x, [1, 2])
>>> x.tolist()
[[1, 0], [0, 2]]
""",
        """
ValueError
    There are fewer than two axes, or more and they differ in length.
""",
    ),
    "diagonal": entry(
        _DIAGONAL,
        "ndarray\n    A view, which cannot be written to, with the diagonals along its last axis.",
        """
>>> bc.diagonal([[1, 2], [3, 4]]).tolist()
[1, 4]
""",
        _FLAT_MATRIX,
    ),
    "trace": entry(
        _DIAGONAL
        + """
dtype : dtype, optional
    As for `sum`.
"""
        + OUT,
        "ndarray, or a scalar\n    Shape of `a` without the two axes.",
        """
>>> int(bc.trace([[1, 2], [3, 4]]))
5
""",
        _FLAT_MATRIX,
    ),
    "shares_memory": entry(
        _PAIR
        + """
max_work : int, optional
    How many candidates may be looked at; -1 for an exact answer, 0 for bounds alone.
""",
        "bool",
        """
>>> x = bc.arange(10)
>>> bc.shares_memory(x[::2], x[1::2]), bc.shares_memory(x[::2], x[4:])
(False, True)
""",
        """
numpy.exceptions.TooHardError
    `max_work` was reached.
""",
    ),
    "may_share_memory": entry(
        _PAIR
        + """
max_work : int, optional
    How many candidates may be looked at; none when absent.
""",
        "bool\n    False is certain; True is not, unless work is allowed.",
        """
>>> x = bc.arange(10)
>>> bc.may_share_memory(x[:5], x[5:]), bc.may_share_memory(x[::2], x[1::2])
(False, True)
""",
    ),
    "ndim": entry(
        ARRAY,
        "int",
        """
>>> bc.ndim([[1, 2]])
2
""",
    ),
    "shape": entry(
        ARRAY,
        "tuple of int",
        """
>>> bc.shape([[1, 2]])
(1, 2)
""",
    ),
    "size": entry(
        ARRAY + AXIS.replace("are reduced", "count").replace("them when", "them, when"),
        "int",
        """
>>> bc.size([[1, 2, 3]]), bc.size([[1, 2, 3]], 0)
(3, 1)
""",
        BAD_AXIS,
    ),
}
