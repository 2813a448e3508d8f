"""Of decompositions, norms and systems of equations."""

from __future__ import annotations

from .parts import entry

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
_LAPACK = "Source of the method: LAPACK's {}. float32 is computed in float64 unless `fastmath` is on."

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
        "ndarray, shape (...), or a scalar",
        """
>>> bc.linalg.det([[1.0, 2.0], [3.0, 4.0]]).round(9).item()
-2.0
""",
        _NOT_SQUARE,
        _LAPACK.format("getrf, and the product of the diagonal"),
    ),
    "slogdet": entry(
        _MATRIX,
        "SlogdetResult (sign, logabsdet)\n    Arrays of shape (...), or scalars.",
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
        "ndarray, or a scalar",
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
        "ndarray, shape (...), or a scalar",
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
