"""Of linear algebra."""

from __future__ import annotations

from .parts import OUT, entry

_MATRIX = """
a : array_like, shape (..., n, n)
"""
_NOT_SQUARE = """
numpy.linalg.LinAlgError
    The last two axes differ in length.
"""
_SINGULAR = """
numpy.linalg.LinAlgError
    The last two axes differ in length, or a matrix is singular.
"""
_NO_EIGENVALUES = """
numpy.linalg.LinAlgError
    The last two axes differ in length, an element is NaN or infinite, or the iteration does not converge.
"""
_TRIANGLE = """
a : array_like, shape (..., n, n)
    Hermitian: only one triangle is read.
UPLO : {"L", "U"}, optional
    Which one: the lower or the upper.
"""
_UPLO = """
ValueError
    `UPLO` is neither.
"""
_STACK_OPTIONS = """
axes, axis, keepdims, casting, order, dtype, subok, signature : optional
    As for every ufunc of NumPy's with core dimensions.
"""
_LENGTHS = """
ValueError
    The lengths differ, or the other axes do not broadcast.
"""
_LAPACK = "Source of the method: LAPACK's {}. float32 is computed in float64 unless `fastmath` is on."

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
        "ndarray, shape (...), or a 0-d scalar",
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
        "ndarray, shape a.shape[:-1] + b.shape[:-1], or a 0-d scalar\n    The product, where one of them has no axis.",
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
FACTORS = {
    "inv": entry(
        _MATRIX,
        "ndarray, shape (..., n, n), floating",
        """
>>> bc.linalg.inv([[2.0, 0.0], [0.0, 4.0]]).tolist()
[[0.5, 0.0], [0.0, 0.25]]
""",
        _SINGULAR,
        _LAPACK.format("gesv, with the identity on the right"),
    ),
    "det": entry(
        _MATRIX,
        "ndarray, shape (...), or a 0-d scalar",
        """
>>> bc.linalg.det([[1.0, 2.0], [3.0, 4.0]]).round(9).item()
-2.0
""",
        _NOT_SQUARE,
        _LAPACK.format("getrf, and the product of the diagonal"),
    ),
    "slogdet": entry(
        _MATRIX,
        "SlogdetResult (sign, logabsdet)\n    Arrays of shape (...), or 0-d scalars.",
        """
>>> sign, log = bc.linalg.slogdet([[0.0, 1.0], [1.0, 0.0]])
>>> sign.item(), log.item()
(-1.0, 0.0)
""",
        _NOT_SQUARE,
        _LAPACK.format("getrf, and the sum of the diagonal's logarithms"),
    ),
    "eig": entry(
        _MATRIX,
        "EigResult (eigenvalues, eigenvectors)\n    Shapes (..., n) and (..., n, n); eigenvectors are columns of length one.",
        """
>>> values, vectors = bc.linalg.eig([[2.0, 0.0], [0.0, 3.0]])
>>> values.tolist()
[2.0, 3.0]
""",
        _NO_EIGENVALUES,
        _LAPACK.format("geev"),
    ),
    "eigvals": entry(
        _MATRIX,
        "ndarray, shape (..., n)",
        """
>>> bc.linalg.eigvals([[0.0, -1.0], [1.0, 0.0]]).tolist()
[1j, -1j]
""",
        _NO_EIGENVALUES,
        _LAPACK.format("geev"),
    ),
    "eigh": entry(
        _TRIANGLE,
        "EighResult (eigenvalues, eigenvectors)\n    Shapes (..., n) and (..., n, n); eigenvalues are real.",
        """
>>> values, vectors = bc.linalg.eigh([[2.0, 1.0], [1.0, 2.0]])
>>> values.round(9).tolist()
[1.0, 3.0]
""",
        _UPLO + _NOT_SQUARE.replace("length.", "length, or the iteration does not converge."),
        _LAPACK.format("syevd and heevd"),
    ),
    "eigvalsh": entry(
        _TRIANGLE,
        "ndarray, shape (..., n), real",
        """
>>> bc.linalg.eigvalsh([[2.0, 1.0], [1.0, 2.0]]).round(9).tolist()
[1.0, 3.0]
""",
        _UPLO + _NOT_SQUARE.replace("length.", "length, or the iteration does not converge."),
        _LAPACK.format("syevd and heevd"),
    ),
    "svdvals": entry(
        """
x : array_like, shape (..., m, n)
""",
        "ndarray, shape (..., min(m, n)), real",
        """
>>> bc.linalg.svdvals([[3.0, 0.0], [0.0, 4.0]]).round(9).tolist()
[4.0, 3.0]
""",
        """
numpy.linalg.LinAlgError
    The iteration does not converge.
""",
        "As of `svd`.",
    ),
}
NORMS = {
    "vector_norm": entry(
        """
x : array_like
axis : int or tuple of int, optional
    Along which; the flattened array when absent.
keepdims : bool, optional
    Keep the axes, with length one.
ord : float, optional
    ``sum(abs(x)**ord)**(1/ord)``; of inf the largest magnitude, of -inf the smallest, of 0 the number that are not zero.
""",
        "ndarray, or a 0-d scalar",
        """
>>> bc.linalg.vector_norm([[3.0, 4.0], [6.0, 8.0]], axis=1).tolist()
[5.0, 10.0]
""",
    ),
    "matrix_norm": entry(
        """
x : array_like, shape (..., m, n)
keepdims : bool, optional
    Keep the axes, with length one.
ord : {"fro", "nuc", 1, -1, 2, -2, inf, -inf}, optional
    The root of the sum of the squares, the sum of the singular values, and the largest or smallest sum of a column (1),
    singular value (2) or sum of a row (inf).
""",
        "ndarray, shape (...), or a 0-d scalar",
        """
>>> bc.linalg.matrix_norm([[3.0, 0.0], [0.0, 4.0]]).item()
5.0
""",
        """
ValueError
    There is no such norm, or fewer than two axes.
""",
    ),
}
SYSTEMS = {
    "matrix_power": entry(
        _MATRIX + "n : int",
        "ndarray, shape (..., n, n)",
        """
>>> bc.linalg.matrix_power([[1, 1], [0, 1]], 3).tolist()
[[1, 3], [0, 1]]
""",
        _SINGULAR.replace("singular.", "singular and the power negative.")
        + """
TypeError
    The power is no integer.
""",
    ),
    "tensorinv": entry(
        """
a : array_like
    The product of the extents before `ind` is that of the others.
ind : int, optional
    Where the axes are parted.
""",
        "ndarray, shape a.shape[ind:] + a.shape[:ind]",
        """
>>> a = bc.eye(6).reshape(2, 3, 6)
>>> bc.linalg.tensorinv(a, 2).shape
(6, 2, 3)
""",
        """
ValueError
    `ind` is below one.
numpy.linalg.LinAlgError
    As a matrix, `a` is not square, or singular.
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
        "ndarray, or a 0-d scalar",
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
        "ndarray, shape (...), or a 0-d scalar",
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
