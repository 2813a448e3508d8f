"""Of the functions that make arrays."""

from .parts import DTYPE, LIES, LIKE, ORDER, entry

_SHAPE = """
shape : int or tuple of int
    Extents, outermost axis first.
"""
_NEGATIVE = """
ValueError
    An extent is negative, or the array would have more bytes than an address can count.
"""
_FLOAT = """
dtype : dtype, optional
    Type of the elements; float64 when absent.
"""
_LIKE_OPTIONS = """
dtype : dtype, optional
    Another type.
order : {"K", "C", "F", "A"}, optional
    Layout in memory; "K" keeps the order of the axes.
subok : bool, optional
    Without effect: ndarray has no subclasses.
shape : int or tuple of int, optional
    Another shape.
device : str, optional
    Where the result lies; by default beside the prototype.
"""
_PROTOTYPE = """
a : array_like
    Gives shape, type, layout and device.
"""
_ANY = """
a : array_like
    An array, or anything NumPy can make one of.
"""
_LAID_OUT = """
dtype : dtype, optional
    Another type.
"""
_STEPS = """
num : int, optional
    How many.
endpoint : bool, optional
    Whether `stop` is the last number; else it would be the next one.
"""
_STEP_TYPE = """
dtype : dtype, optional
    Type of the result; floating, as the ends make it, when absent.
axis : int, optional
    Where the axis of the numbers lies if the ends are arrays.
"""
_ENDS = """
start, stop : array_like
    The ends, which broadcast against one another.
"""
_FEW = """
ValueError
    `num` is negative.
"""
_TRIANGLE = """
m : array_like, shape (..., n, m) or (m,)
    A vector stands for the matrix whose rows all are the vector.
k : int, optional
    The diagonal: 0 the main one, positive above it, negative below.
"""

ENTRIES = {
    "asarray": entry(
        _ANY
        + """
dtype : dtype, optional
    Type of the elements; found as NumPy finds it when absent.
order : {"K", "A", "C", "F"}, optional
    Layout in memory that the result must have.
device : str, optional
    Where it must lie; by default where it is, and `config.device` for what is no array yet.
copy : bool, optional
    True always copies; False shares the memory of a NumPy array or of a buffer.
like : ndarray, optional
    The result lies on this array's device.
""",
        "ndarray",
        """
>>> x = bc.asarray([1, 2])
>>> bc.asarray(x) is x
True
>>> there = np.zeros(2)
>>> bc.asarray(there, copy=False)[0] = 5.0
>>> there.tolist()
[5.0, 0.0]
""",
        """
ValueError
    `copy=False`, and the memory cannot be shared.
TypeError
    The elements are of a type that arrays do not hold.
""",
    ),
    "ascontiguousarray": entry(
        _ANY + _LAID_OUT + LIKE,
        "ndarray, of at least one axis\n    The array itself where it lies so already.",
        """
>>> bc.ascontiguousarray(bc.ones((2, 3)).T).flags.c_contiguous
True
""",
    ),
    "asfortranarray": entry(
        _ANY + _LAID_OUT + LIKE,
        "ndarray, of at least one axis\n    The array itself where it lies so already.",
        """
>>> bc.asfortranarray(bc.ones((2, 3))).strides
(8, 16)
""",
    ),
    "asarray_chkfinite": entry(
        _ANY
        + """
dtype : dtype, optional
    Another type.
order : {"K", "A", "C", "F"}, optional
    Layout in memory.
""",
        "ndarray",
        """
>>> bc.asarray_chkfinite([1.0, 2.0]).tolist()
[1.0, 2.0]
""",
        """
ValueError
    An element is NaN or infinite.
""",
    ),
    "isfortran": entry(
        "a : ndarray",
        "bool\n    False for arrays that lie in both orders, as those of one axis do.",
        """
>>> bc.isfortran(bc.ones((2, 3), order="F"))
True
""",
    ),
    "require": entry(
        _ANY
        + _LAID_OUT
        + """
requirements : str or sequence of str, optional
    "C" and "F" ask for an order in memory, "A" for aligned elements, "W" for a writeable array, "O" for memory of its
    own, "E" for a plain array, which every one is. The names of the flags mean the same.
"""
        + LIKE,
        "ndarray",
        """
>>> bc.require(bc.ones((2, 3)), "f4", ["F", "W"]).flags.f_contiguous
True
""",
        """
ValueError
    Both orders are asked for.
KeyError
    There is no such requirement.
""",
    ),
    "copy": entry(
        _ANY
        + """
order : {"K", "A", "C", "F"}, optional
    Layout of the copy; "K" keeps the order of the axes.
subok : bool, optional
    Without effect: ndarray has no subclasses.
""",
        "ndarray",
        """
>>> x = bc.zeros(2)
>>> y = bc.copy(x)
>>> y[0] = 1
>>> x.tolist()
[0.0, 0.0]
""",
    ),
    "empty": entry(
        _SHAPE + _FLOAT + ORDER + LIES,
        "ndarray, shape `shape`\n    Its elements are what the memory held.",
        """
>>> bc.empty((2, 3), dtype="i4").shape
(2, 3)
""",
        _NEGATIVE,
    ),
    "full": entry(
        _SHAPE
        + """
fill_value : scalar or array_like
    The value, or an array that broadcasts to the shape.
dtype : dtype, optional
    Type of the elements; that of the value when absent.
"""
        + ORDER
        + LIES,
        "ndarray, shape `shape`",
        """
>>> bc.full((2, 2), 7).tolist()
[[7, 7], [7, 7]]
>>> bc.full((2, 2), [1, 2]).tolist()
[[1, 2], [1, 2]]
""",
        _NEGATIVE,
    ),
    "zeros": entry(
        _SHAPE + _FLOAT + ORDER + LIES,
        "ndarray, shape `shape`",
        """
>>> bc.zeros(3).tolist()
[0.0, 0.0, 0.0]
""",
        _NEGATIVE,
    ),
    "ones": entry(
        _SHAPE + _FLOAT + ORDER + LIES,
        "ndarray, shape `shape`",
        """
>>> bc.ones((2, 1), dtype=bool).tolist()
[[True], [True]]
""",
        _NEGATIVE,
    ),
    "empty_like": entry(
        _PROTOTYPE.replace("a :", "prototype :") + _LIKE_OPTIONS,
        "ndarray\n    Its elements are what the memory held.",
        """
>>> bc.empty_like(bc.ones((2, 3), dtype="f4")).dtype
dtype('float32')
""",
    ),
    "full_like": entry(
        _PROTOTYPE
        + """
fill_value : scalar or array_like
    The value, or an array that broadcasts to the shape.
"""
        + _LIKE_OPTIONS,
        "ndarray",
        """
>>> bc.full_like(bc.arange(3), 2).tolist()
[2, 2, 2]
""",
    ),
    "zeros_like": entry(
        _PROTOTYPE + _LIKE_OPTIONS,
        "ndarray",
        """
>>> bc.zeros_like(bc.arange(3)).tolist()
[0, 0, 0]
""",
    ),
    "ones_like": entry(
        _PROTOTYPE + _LIKE_OPTIONS,
        "ndarray",
        """
>>> bc.ones_like(bc.arange(3), dtype=float).tolist()
[1.0, 1.0, 1.0]
""",
    ),
    "linspace": entry(
        _ENDS
        + _STEPS
        + """
retstep : bool, optional
    Return the distance, too.
"""
        + _STEP_TYPE
        + """
device : str, optional
    Where the result lies; by default `config.device`.
""",
        "ndarray, shape (num,), or (num, ...) for arrays as ends\n    With `retstep` a tuple of it and the distance.",
        """
>>> bc.linspace(0, 1, 5).tolist()
[0.0, 0.25, 0.5, 0.75, 1.0]
>>> y, step = bc.linspace(0, 1, 4, endpoint=False, retstep=True)
>>> float(step)
0.25
""",
        _FEW,
    ),
    "eye": entry(
        """
N : int
    Rows.
M : int, optional
    Columns; as many as rows when absent.
k : int, optional
    The diagonal: 0 the main one, positive above it, negative below.
"""
        + _FLOAT
        + ORDER
        + LIES,
        "ndarray, shape (N, M)",
        """
>>> bc.eye(2, 3, 1, dtype=int).tolist()
[[0, 1, 0], [0, 0, 1]]
""",
        _NEGATIVE,
    ),
    "identity": entry(
        "n : int\n    Rows and columns." + _FLOAT + LIES,
        "ndarray, shape (n, n)",
        """
>>> bc.identity(2).tolist()
[[1.0, 0.0], [0.0, 1.0]]
""",
        _NEGATIVE,
    ),
    "tri": entry(
        """
N : int
    Rows.
M : int, optional
    Columns; as many as rows when absent.
k : int, optional
    The highest diagonal that is filled.
"""
        + _FLOAT
        + LIES,
        "ndarray, shape (N, M)",
        """
>>> bc.tri(3, dtype=int).tolist()
[[1, 0, 0], [1, 1, 0], [1, 1, 1]]
""",
    ),
    "tril": entry(
        _TRIANGLE,
        "ndarray, shape (..., n, m)",
        """
>>> bc.tril([[1, 2], [3, 4]]).tolist()
[[1, 0], [3, 4]]
""",
    ),
    "triu": entry(
        _TRIANGLE,
        "ndarray, shape (..., n, m)",
        """
>>> bc.triu([[1, 2], [3, 4]], 1).tolist()
[[0, 2], [0, 0]]
""",
    ),
    "diag": entry(
        """
v : array_like, shape (n, m) or (n,)
    A matrix, or the elements of a diagonal.
k : int, optional
    The diagonal: 0 the main one, positive above it, negative below.
""",
        """
ndarray
    Of a matrix a read-only view, shape (length of the diagonal,); of a vector a matrix of n + abs(k) rows and columns.
""",
        """
>>> bc.diag([[1, 2], [3, 4]]).tolist()
[1, 4]
>>> bc.diag([5, 6]).tolist()
[[5, 0], [0, 6]]
""",
        """
ValueError
    `v` has neither one axis nor two.
""",
    ),
    "diagflat": entry(
        """
v : array_like, any shape
    Elements of the diagonal, in C order.
k : int, optional
    The diagonal: 0 the main one, positive above it, negative below.
""",
        "ndarray, shape (v.size + abs(k), v.size + abs(k))",
        """
>>> bc.diagflat([[1], [2]]).tolist()
[[1, 0], [0, 2]]
""",
    ),
    "meshgrid": entry(
        """
*xi : array_like
    The coordinates along each axis, flattened.
copy : bool, optional
    False returns views that share memory.
sparse : bool, optional
    Leave the axes along which a matrix is constant at length one.
indexing : {"xy", "ij"}, optional
    "xy" puts the first coordinate along the second axis, "ij" along the first.
""",
        "tuple of ndarray\n    One array for each argument, all of one shape unless `sparse`.",
        """
>>> x, y = bc.meshgrid([1, 2], [3, 4, 5])
>>> x.tolist(), y.tolist()
([[1, 2], [1, 2], [1, 2]], [[3, 3], [4, 4], [5, 5]])
""",
        """
ValueError
    `indexing` is neither.
""",
    ),
    "indices": entry(
        """
dimensions : sequence of int
    Shape of the grid.
dtype : dtype, optional
    Type of the indices.
sparse : bool, optional
    Return arrays that broadcast to the grid, instead of one that holds it.
""",
        "ndarray, shape (len(dimensions), *dimensions)\n    With `sparse` a tuple of one array an axis.",
        """
>>> bc.indices((2, 2)).tolist()
[[[0, 0], [1, 1]], [[0, 1], [0, 1]]]
""",
        _NEGATIVE,
    ),
    "fromfunction": entry(
        """
function : callable
    Called once, with one array of indices for each axis.
shape : tuple of int
    Shape of the grid.
dtype : dtype, optional
    Type of the indices; float64 when absent.
like : ndarray, optional
    The indices lie on this array's device.
**kwargs
    Passed to the function.
""",
        "object\n    What the function returns.",
        """
>>> bc.fromfunction(lambda i, j: 10 * i + j, (2, 2)).tolist()
[[0.0, 1.0], [10.0, 11.0]]
""",
    ),
    "frombuffer": entry(
        """
buffer : object with the buffer protocol
    Where the elements are.
"""
        + DTYPE.replace("elements.", "elements; float64 when absent.")
        + """
count : int, optional
    How many elements; -1 for as many as there are.
offset : int, optional
    Bytes to skip.
like : ndarray, optional
    The result lies on this array's device.
""",
        "ndarray, shape (count,)",
        """
>>> bc.frombuffer(b"\\x01\\x02\\x03", dtype="u1").tolist()
[1, 2, 3]
""",
        """
ValueError
    The buffer is too small, or its size no multiple of an element's.
""",
    ),
    "fromiter": entry(
        """
iter : iterable of scalars
"""
        + DTYPE.replace(", optional", "")
        + """
count : int, optional
    How many items; -1 for all.
like : ndarray, optional
    The result lies on this array's device.
""",
        "ndarray, shape (number of items,)",
        """
>>> bc.fromiter((k * k for k in range(4)), int).tolist()
[0, 1, 4, 9]
""",
        """
ValueError
    There are fewer items than `count`.
""",
    ),
}

SPACINGS = {
    "logspace": entry(
        _ENDS.replace("The ends", "Exponents of the ends")
        + _STEPS
        + """
base : array_like, optional
    What is raised to the exponents.
"""
        + _STEP_TYPE,
        "ndarray, shape (num,), or (num, ...) for arrays as ends",
        """
>>> bc.logspace(0, 3, 4).tolist()
[1.0, 10.0, 100.0, 1000.0]
""",
        _FEW,
    ),
    "geomspace": entry(
        _ENDS + _STEPS + _STEP_TYPE,
        "ndarray, shape (num,), or (num, ...) for arrays as ends\n    The ends are exact.",
        """
>>> bc.geomspace(1, 8, 4).round(12).tolist()
[1.0, 2.0, 4.0, 8.0]
""",
        """
ValueError
    An end is zero, or `num` is negative.
""",
    ),
}
