"""Of the functions that join arrays and split them."""

from .parts import ARRAY, BAD_AXIS, OUT, entry

_CAST = """
dtype : dtype, optional
    Type of the result; that which all parts promote to when absent.
casting : {"no", "equiv", "safe", "same_kind", "unsafe"}, optional
    Which conversions of the parts are allowed.
"""
_PARTS = """
tup : sequence of array_like
    The parts.
"""
_UNEQUAL = """
ValueError
    There is no part, or they differ in an extent along which they are not joined.
TypeError
    `casting` does not allow a conversion.
"""
_CUTS = """
ary : array_like
indices_or_sections : int or sequence of int
    How many parts, or the positions at which a new part begins.
"""
_VIEWS = "list of ndarray\n    Views: they share the array's memory."
_UNEVEN = """
ValueError
    The array has too few axes, or its length is no multiple of the number of parts.
"""

ENTRIES = {
    "concatenate": entry(
        """
arrays : sequence of array_like
    The parts, equal in shape but for the axis.
axis : int or None, optional
    Along which they are joined; None joins them flattened.
"""
        + OUT
        + _CAST,
        "ndarray",
        """
>>> bc.concatenate(([1, 2], [3])).tolist()
[1, 2, 3]
""",
        _UNEQUAL + BAD_AXIS,
    ),
    "stack": entry(
        """
arrays : sequence of array_like
    The parts, all of one shape.
axis : int, optional
    Where the new axis lies in the result.
"""
        + OUT
        + _CAST,
        "ndarray\n    With one axis more than the parts.",
        """
>>> bc.stack(([1, 2], [3, 4]), axis=1).tolist()
[[1, 3], [2, 4]]
""",
        _UNEQUAL.replace("an extent along which they are not joined", "shape") + BAD_AXIS,
    ),
    "vstack": entry(
        _PARTS + _CAST,
        "ndarray, of two axes or more\n    A flat part is a row.",
        """
>>> bc.vstack(([1, 2], [3, 4])).tolist()
[[1, 2], [3, 4]]
""",
        _UNEQUAL,
    ),
    "row_stack": entry(
        _PARTS + _CAST,
        "ndarray, of two axes or more",
        """
>>> import warnings
>>> with warnings.catch_warnings(action="ignore"):
...     bc.row_stack(([1, 2], [3, 4])).tolist()
[[1, 2], [3, 4]]
""",
        _UNEQUAL,
        "It warns, as NumPy's does, that it will go.",
    ),
    "hstack": entry(
        _PARTS + _CAST,
        "ndarray\n    Parts of two axes or more are joined along the second one.",
        """
>>> bc.hstack(([1, 2], [3, 4])).tolist()
[1, 2, 3, 4]
""",
        _UNEQUAL,
    ),
    "dstack": entry(
        _PARTS,
        "ndarray, of three axes or more\n    Parts are widened as by `atleast_3d`.",
        """
>>> bc.dstack(([1, 2], [3, 4])).tolist()
[[[1, 3], [2, 4]]]
""",
        _UNEQUAL,
    ),
    "column_stack": entry(
        _PARTS,
        "ndarray, of two axes\n    Parts of two axes keep their columns.",
        """
>>> bc.column_stack(([1, 2], [3, 4])).tolist()
[[1, 3], [2, 4]]
""",
        _UNEQUAL,
    ),
    "append": entry(
        """
arr : array_like, any shape
values : array_like
    What comes behind it, equal in shape but for the axis.
axis : int, optional
    Along which it is joined; both are flattened when absent.
""",
        "ndarray\n    A new array.",
        """
>>> bc.append([1, 2], 3).tolist()
[1, 2, 3]
""",
        _UNEQUAL.split("TypeError")[0].replace("There is no part, or they", "They"),
    ),
    "array_split": entry(
        _CUTS
        + """
axis : int, optional
    Along which it is split.
""",
        "list of ndarray\n    Views; the first of them are longer by one where the length is no multiple.",
        """
>>> [part.tolist() for part in bc.array_split(bc.arange(5), 2)]
[[0, 1, 2], [3, 4]]
""",
        """
ValueError
    The number of parts is not positive.
""",
    ),
    "split": entry(
        _CUTS
        + """
axis : int, optional
    Along which it is split.
""",
        _VIEWS,
        """
>>> [part.tolist() for part in bc.split(bc.arange(5), [1, 3])]
[[0], [1, 2], [3, 4]]
""",
        _UNEVEN.replace("The array has too few axes, or its", "The array's"),
    ),
    "vsplit": entry(
        _CUTS.replace("array_like", "array_like, shape (n, m, ...)"),
        _VIEWS,
        """
>>> [part.shape for part in bc.vsplit(bc.ones((4, 3)), 2)]
[(2, 3), (2, 3)]
""",
        _UNEVEN,
    ),
    "hsplit": entry(
        _CUTS.replace("array_like", "array_like, shape (n,) or (n, m, ...)"),
        _VIEWS,
        """
>>> [part.shape for part in bc.hsplit(bc.ones((4, 3)), 3)]
[(4, 1), (4, 1), (4, 1)]
""",
        _UNEVEN,
    ),
    "dsplit": entry(
        _CUTS.replace("array_like", "array_like, shape (n, m, k, ...)"),
        _VIEWS,
        """
>>> [part.shape for part in bc.dsplit(bc.ones((2, 2, 4)), 2)]
[(2, 2, 2), (2, 2, 2)]
""",
        _UNEVEN,
    ),
    "unstack": entry(
        ARRAY.replace("a :", "x :").replace("any shape", "one axis or more")
        + """
axis : int, optional
    The axis that is left out of the parts.
""",
        "tuple of ndarray, of length x.shape[axis]\n    Views: they share the array's memory.",
        """
>>> [part.tolist() for part in bc.unstack([[1, 2], [3, 4]], axis=1)]
[[1, 3], [2, 4]]
""",
        """
ValueError
    The array has no axis.
"""
        + BAD_AXIS,
    ),
}
