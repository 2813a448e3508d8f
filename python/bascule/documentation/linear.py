"""Of products in linear algebra, and of the namespace's own functions."""

from __future__ import annotations

from .parts import OUT, entry

_STACK_OPTIONS = """
axes, axis, keepdims, casting, order, dtype, subok, signature : optional
    As for every ufunc of NumPy's with core dimensions.
"""
_LENGTHS = """
ValueError
    The lengths differ, or the other axes do not broadcast.
"""

PRODUCTS = {
    "matvec": entry(
        """
x1 : array_like, shape (..., m, n)
x2 : array_like, shape (..., n)
"""
        + OUT
        + _STACK_OPTIONS,
        "ndarray, shape (..., m)",
        """
>>> bc.matvec([[1, 2], [3, 4]], [1, 1]).tolist()
[3, 7]
""",
        _LENGTHS,
    ),
    "vecmat": entry(
        """
x1 : array_like, shape (..., n)
x2 : array_like, shape (..., n, m)
"""
        + OUT
        + _STACK_OPTIONS,
        "ndarray, shape (..., m)",
        """
>>> bc.vecmat([1, 1], [[1, 2], [3, 4]]).tolist()
[4, 6]
""",
        _LENGTHS,
    ),
    "vecdot": entry(
        """
x1, x2 : array_like, shape (..., n)
"""
        + OUT
        + _STACK_OPTIONS,
        "ndarray, shape (...), or a scalar",
        """
>>> bc.vecdot([[1, 2], [3, 4]], [1, 1]).tolist()
[3, 7]
""",
        _LENGTHS,
    ),
    "vdot": entry(
        "a, b : array_like, of as many elements",
        "ndarray of no axes",
        """
>>> bc.vdot([1j, 2], [1j, 3]).item()
(7+0j)
""",
        """
ValueError
    The sizes differ.
""",
    ),
    "inner": entry(
        """
a : array_like, shape (..., n)
b : array_like, shape (..., n)
""",
        "ndarray, shape a.shape[:-1] + b.shape[:-1], or a scalar\n    The product, where one of them has no axis.",
        """
>>> bc.inner([[1, 2], [3, 4]], [1, 1]).tolist()
[3, 7]
""",
        """
ValueError
    The last axes differ in length.
""",
    ),
    "outer": entry(
        "a, b : array_like, any shapes" + OUT,
        "ndarray, shape (a.size, b.size)",
        """
>>> bc.outer([1, 2], [3, 4]).tolist()
[[3, 4], [6, 8]]
""",
    ),
    "kron": entry(
        "a, b : array_like, any shapes",
        "ndarray\n    Each extent is the product of those of both; the shorter shape is led by ones.",
        """
>>> bc.kron([1, 10], [1, 2, 3]).tolist()
[1, 2, 3, 10, 20, 30]
""",
    ),
}
NAMESPACE = {
    "outer": entry(
        """
x1 : array_like, shape (m,)
x2 : array_like, shape (n,)
""",
        "ndarray, shape (m, n)",
        """
>>> bc.linalg.outer([1, 2], [3, 4]).tolist()
[[3, 4], [6, 8]]
""",
        """
ValueError
    One of them has not one axis.
""",
    ),
    "tensordot": entry(
        """
x1, x2 : array_like
axes : int or pair of sequences of int, optional
    How many of the last axes of the one and the first of the other, or which of each.
""",
        "ndarray\n    The other axes of the one, then those of the other.",
        """
>>> bc.linalg.tensordot(bc.ones((2, 3)), bc.ones((3, 4)), axes=1).shape
(2, 4)
""",
        """
ValueError
    The axes differ in number or length.
""",
    ),
    "vecdot": entry(
        """
x1, x2 : array_like
axis : int, optional
    Along which the vectors lie.
""",
        "ndarray, or a scalar",
        """
>>> bc.linalg.vecdot([[1, 2], [3, 4]], [[1, 1], [1, 1]], axis=0).tolist()
[4, 6]
""",
        _LENGTHS,
    ),
    "cross": entry(
        """
x1, x2 : array_like
axis : int, optional
    Along which the vectors lie, in both and in the result.
""",
        "ndarray",
        """
>>> bc.linalg.cross([1, 0, 0], [0, 1, 0]).tolist()
[0, 0, 1]
""",
        """
ValueError
    The vectors have not three elements.
""",
    ),
    "matrix_transpose": entry(
        """
x : array_like, shape (..., m, n)
""",
        "ndarray, shape (..., n, m)\n    A view: it shares the array's memory.",
        """
>>> bc.linalg.matrix_transpose(bc.ones((5, 2, 3))).shape
(5, 3, 2)
""",
        """
ValueError
    The array has fewer than two axes.
""",
    ),
    "diagonal": entry(
        """
x : array_like, shape (..., m, n)
offset : int, optional
    The diagonal: 0 the main one, positive above it, negative below.
""",
        "ndarray\n    The diagonals lie along its last axis; it cannot be written to.",
        """
>>> bc.linalg.diagonal([[1, 2], [3, 4]]).tolist()
[1, 4]
""",
        """
ValueError
    The array has fewer than two axes.
""",
    ),
    "trace": entry(
        """
x : array_like, shape (..., m, n)
offset : int, optional
    The diagonal: 0 the main one, positive above it, negative below.
dtype : dtype, optional
    As for `sum`.
""",
        "ndarray, shape (...), or a scalar",
        """
>>> bc.linalg.trace([[1, 2], [3, 4]]).item()
5
""",
        """
ValueError
    The array has fewer than two axes.
""",
    ),
}
