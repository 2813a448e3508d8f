"""Of arrays' methods that are written in Python, and of the two classes of the core."""

from __future__ import annotations

from .parts import AXIS, BAD_AXIS, FOLD_DTYPE, KEEPDIMS, ONE_AXIS, OUT, entry

NDARRAY = """An array of numbers, dates or durations, on the CPU or a GPU.

    Made by `array`, `asarray`, `zeros`, `arange` and other functions, and by what is computed from arrays; not by calling
    the class. Views share memory as NumPy's do. What element-wise calls and reductions give is computed when a value is
    read, in as few passes over memory as possible; `explain` tells what waits. Results have no other bits by that.

    Attributes
    ----------
    shape, strides, ndim, size, itemsize, nbytes
        As in NumPy.
    dtype : numpy.dtype
        Type of the elements.
    device : str
        Where the array lies.
    T, mT, real, imag : ndarray
        Views.
    flags, flat, base, data, ctypes
        As in NumPy; those that show memory need an array on the CPU.

    Notes
    -----
    What NumPy gives as a scalar (full reductions, full integer indexing, operators on arrays without axes) is NumPy's own
    scalar where the memory is the host's: such a reduction is computed at the call. On CUDA it is an array without axes,
    not computed until it is read, that stands for a scalar: it hashes, formats and converts as numbers do. In the
    namespace of the Array API (`x.__array_namespace__()`) everything is an array.

    Examples
    --------
    >>> import bascule as bc
    >>> x = bc.arange(6).reshape(2, 3)
    >>> (x + 1)[:, ::2].sum(axis=1).tolist()
    [4, 10]
    """
UFUNC = """A function of elements, over arrays that broadcast against one another.

    All of NumPy's numeric ones are there, with their names, types and results. They are called with `out`, `where`,
    `casting`, `order`, `dtype` and `signature`, and have the methods `reduce`, `accumulate`, `reduceat`, `outer` and `at`.

    Attributes
    ----------
    nin, nout, nargs : int
        Numbers of inputs, of outputs and of both.
    ntypes : int
        Number of loops.
    types : list of str
        The loops, as characters of types: "dd->d".
    identity : scalar or None
        Result of reducing nothing.
    signature : str or None
        Core dimensions, of `matmul` and its like.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.add(1, [2, 3]).tolist()
    [3, 4]
    >>> bc.add.reduce([1, 2, 3]).item()
    6
    """

_SELF = "ndarray\n    A view: it shares the array's memory."
_ORDER = """
order : {"C", "F", "A", "K"}, optional
    Whether elements are counted with the last or the first axis running fastest; "A" is "F" for arrays that lie so, "K"
    the order in memory.
"""
_KIND = """
kind : {"quicksort", "mergesort", "heapsort", "stable"}, optional
    "stable" keeps equal elements in order; the others may.
order : None
    Only None: it is for types with fields.
stable : bool, optional
    Another way to ask for "stable".
"""
_PARTITION = """
kth : int or sequence of int
    Positions that get the element they have in the sorted array: none before is larger, none behind is smaller.
axis : int, optional
    Along which.
kind : {"introselect"}, optional
order : None
    Only None: it is for types with fields.
"""
_READ_ONLY = """
ValueError
    The array is read-only.
"""
_DIAGONAL = """
offset : int, optional
    The diagonal: 0 the main one, positive above it, negative below.
axis1, axis2 : int, optional
    The rows and the columns of the matrices.
"""
_PART = """
dtype : dtype
    What the part is read as.
offset : int, optional
    Where it begins in each element, in bytes.
"""
_BEYOND = """
IndexError
    A position lies beyond the end.
"""
_NONE = ""

ENTRIES = {
    "swapaxes": entry(
        "axis1, axis2 : int",
        _SELF,
        """
>>> bc.ones((2, 3, 4)).swapaxes(0, -1).shape
(4, 3, 2)
""",
        BAD_AXIS,
    ),
    "view": entry(
        """
dtype : dtype, optional
    What the memory is read as; the last axis becomes longer or shorter where the sizes differ.
type : type, optional
    Only `ndarray`.
""",
        _SELF,
        """
>>> hex(bc.asarray([1.0], "f4").view("u4").item())
'0x3f800000'
""",
        """
TypeError
    Another class is asked for.
ValueError
    The sizes differ, and the last axis does not lie in one piece or is no multiple.
""",
    ),
    "tobytes": entry(
        _ORDER,
        "bytes, of length nbytes",
        """
>>> bc.asarray([1, 2], "i2").tobytes()
b'\\x01\\x00\\x02\\x00'
""",
    ),
    "fill": entry(
        "value : scalar",
        "None",
        """
>>> x = bc.zeros(2)
>>> x.fill(7)
>>> x.tolist()
[7.0, 7.0]
""",
        _READ_ONLY,
    ),
    "choose": entry(
        """
*choices : array_like
    The arrays, which broadcast against this one.
out : ndarray, optional
    Where the result goes.
mode : {"raise", "wrap", "clip"}, optional
    What a number beyond the last array does.
""",
        "ndarray",
        """
>>> bc.asarray([0, 1, 0]).choose([10, 20, 30], [1, 2, 3]).tolist()
[10, 2, 30]
""",
        """
ValueError
    A number names no array, or the shapes do not broadcast.
""",
    ),
    "getfield": entry(
        _PART,
        _SELF,
        """
>>> bc.asarray([1 + 2j]).getfield(float, 8).tolist()
[2.0]
""",
        """
ValueError
    The part reaches beyond the element.
""",
    ),
    "setfield": entry(
        """
val : array_like
    Broadcasts to the shape.
"""
        + _PART,
        "None",
        """
>>> x = bc.zeros(2, complex)
>>> x.setfield([1, 2], float, 8)
>>> x.tolist()
[1j, 2j]
""",
        """
ValueError
    The part reaches beyond the element, or the array is read-only.
""",
    ),
    "setflags": entry(
        """
write, align, uic : bool, optional
    New values of the flags writeable, aligned and writebackifcopy.
""",
        "None",
        """
>>> x = bc.zeros(2)
>>> x.setflags(write=False)
>>> x.flags.writeable
False
""",
        """
ValueError
    The flag cannot have that value, as "writeable" of a view of memory that is not.
""",
    ),
    "tofile": entry(
        """
fid : file, str or path
sep : str, optional
    What stands between the elements; without it their bytes are written.
format : str, optional
    How an element is written as text.
""",
        "None",
        """
>>> import pathlib, tempfile
>>> path = pathlib.Path(tempfile.mkdtemp(), "numbers")
>>> bc.arange(3).tofile(path, sep=" ")
>>> path.read_text()
'0 1 2'
""",
    ),
    "dump": entry(
        "file : file, str or path",
        "None",
        """
>>> import io, pickle
>>> file = io.BytesIO()
>>> bc.arange(3).dump(file)
>>> pickle.loads(file.getvalue()).tolist()
[0, 1, 2]
""",
    ),
    "dumps": entry(
        _NONE,
        "bytes",
        """
>>> import pickle
>>> pickle.loads(bc.arange(3).dumps()).tolist()
[0, 1, 2]
""",
    ),
    "nonzero": entry(
        _NONE,
        "tuple of ndarray of int64\n    For each axis the positions along it, in C order.",
        """
>>> bc.asarray([0, 1, 2]).nonzero()[0].tolist()
[1, 2]
""",
        """
ValueError
    The array has no axis.
""",
    ),
    "compress": entry(
        "condition : array_like of bool, shape (n,)" + ONE_AXIS + OUT,
        "ndarray",
        """
>>> bc.asarray([[1, 2], [3, 4]]).compress([False, True], axis=1).tolist()
[[2], [4]]
""",
        """
ValueError
    The condition has not one axis.
"""
        + _BEYOND,
    ),
    "repeat": entry(
        """
repeats : int or array_like of int
    How often, for all elements of the axis or for each of them.
"""
        + ONE_AXIS,
        "ndarray",
        """
>>> bc.asarray([1, 2]).repeat(2).tolist()
[1, 1, 2, 2]
""",
        """
ValueError
    A count is negative, or there are not as many counts as elements.
""",
    ),
    "put": entry(
        """
indices : array_like of int
    Positions; negative ones count from the end.
values : array_like
    Repeated to as many as there are positions.
mode : {"raise", "wrap", "clip"}, optional
    What a position beyond the end does.
""",
        "None",
        """
>>> x = bc.zeros(3, int)
>>> x.put([0, -1], [4, 5])
>>> x.tolist()
[4, 0, 5]
""",
        _READ_ONLY + _BEYOND,
    ),
    "diagonal": entry(
        _DIAGONAL,
        "ndarray\n    A view, which cannot be written to, with the diagonals along its last axis.",
        """
>>> bc.asarray([[1, 2], [3, 4]]).diagonal().tolist()
[1, 4]
""",
        """
ValueError
    The array has fewer than two axes, or both axes are the same.
""",
    ),
    "trace": entry(
        _DIAGONAL + FOLD_DTYPE + OUT,
        "ndarray, or a scalar",
        """
>>> bc.asarray([[1, 2], [3, 4]]).trace().item()
5
""",
        """
ValueError
    The array has fewer than two axes, or both axes are the same.
""",
    ),
    "clip": entry(
        """
min, max : array_like, optional
    The limits, which broadcast against the array; None is no limit.
"""
        + OUT
        + """
**kwargs
    What ufuncs take: `where`, `casting`, `order`, `dtype`.
""",
        "ndarray",
        """
>>> bc.arange(6).clip(1, 4).tolist()
[1, 1, 2, 3, 4, 4]
""",
    ),
    "round_": entry(
        """
decimals : int, optional
    How many; negative ones round to tens, hundreds and so on.
"""
        + OUT,
        "ndarray",
        """
>>> bc.asarray([0.5, 1.5]).round().tolist()
[0.0, 2.0]
""",
    ),
    "conj": entry(
        OUT,
        "ndarray\n    The array itself where it is real.",
        """
>>> bc.asarray([1 + 2j]).conj().tolist()
[(1-2j)]
""",
        """
TypeError
    The elements are dates or durations.
""",
    ),
    "cumsum": entry(
        ONE_AXIS + FOLD_DTYPE + OUT,
        "ndarray, shape self.shape, or (size,) without `axis`",
        """
>>> bc.asarray([1, 2, 3]).cumsum().tolist()
[1, 3, 6]
""",
        BAD_AXIS,
    ),
    "cumprod": entry(
        ONE_AXIS + FOLD_DTYPE + OUT,
        "ndarray, shape self.shape, or (size,) without `axis`",
        """
>>> bc.asarray([1, 2, 3]).cumprod().tolist()
[1, 2, 6]
""",
        BAD_AXIS,
    ),
    "ptp": entry(
        AXIS + OUT + KEEPDIMS,
        "ndarray, or a scalar",
        """
>>> bc.asarray([3, 9, 4]).ptp().item()
6
""",
        """
ValueError
    The array is empty.
""",
    ),
    "dot": entry(
        """
b : array_like
    Its last axis but one, or its only one, is as long as this array's last.
"""
        + OUT,
        "ndarray, or a scalar\n    As of `bascule.dot`.",
        """
>>> bc.asarray([1, 2]).dot([3, 4]).item()
11
""",
        """
ValueError
    The lengths differ.
""",
    ),
    "sort": entry(
        """
axis : int, optional
    Along which; the last when absent.
"""
        + _KIND,
        "None",
        """
>>> x = bc.asarray([3, 1, 2])
>>> x.sort()
>>> x.tolist()
[1, 2, 3]
""",
        _READ_ONLY + BAD_AXIS,
        "NaN and NaT come last. Source of the method: `bascule.sort`.",
    ),
    "argsort": entry(
        """
axis : int or None, optional
    Along which; the last when absent, None for the flattened array.
"""
        + _KIND,
        "ndarray of int64, shape self.shape",
        """
>>> bc.asarray([3, 1, 2]).argsort().tolist()
[1, 2, 0]
""",
        BAD_AXIS,
    ),
    "searchsorted": entry(
        """
v : array_like
    The values.
side : {"left", "right"}, optional
    Whether equal elements come behind the position or before it.
sorter : array_like of int, optional
    Positions that sort the array, if it is not sorted.
""",
        "ndarray of int64, shape v.shape, or a scalar",
        """
>>> bc.asarray([10, 20, 30]).searchsorted([5, 20, 35]).tolist()
[0, 1, 3]
""",
        """
ValueError
    The array has not one axis, or `side` is neither.
""",
    ),
    "argpartition": entry(
        _PARTITION,
        "ndarray of int64, shape self.shape",
        """
>>> x = bc.asarray([3, 1, 2])
>>> x[x.argpartition(0)[0]].item()
1
""",
        """
ValueError
    A position lies beyond the end.
""",
    ),
    "partition": entry(
        _PARTITION,
        "None",
        """
>>> x = bc.asarray([3, 1, 2])
>>> x.partition(1)
>>> x[1].item()
2
""",
        """
ValueError
    A position lies beyond the end, or the array is read-only.
""",
    ),
    "get": entry(
        _NONE,
        "numpy.ndarray",
        """
>>> type(bc.zeros(3).get())
<class 'numpy.ndarray'>
""",
    ),
    "to_device": entry(
        """
device : str
    "cpu", "cuda", "cuda:1", "reference".
stream : None
    Only None.
""",
        "ndarray",
        """
>>> x = bc.zeros(3)
>>> x.to_device("cpu") is x
True
""",
        """
ValueError
    There is no such device, or a stream is given.
""",
    ),
}
