"""scipy.linalg does not change arrays, though its LAPACK wrappers may write to memory shared by `__array__`."""

import bascule as bc
import numpy as np
import pytest

linalg = pytest.importorskip("scipy.linalg", reason="scipy is not installed")

MATRIX = np.array([[4.0, 1.0, 2.0], [1.0, 5.0, 3.0], [2.0, 3.0, 6.0]])
SIDE = np.array([1.0, 2.0, 3.0])
CALLS = {
    "solve": lambda a, b: linalg.solve(a, b),
    "solve, symmetric": lambda a, b: linalg.solve(a, b, assume_a="pos"),
    "lu_factor": lambda a, b: linalg.lu_factor(a)[0],
    "lu_solve": lambda a, b: linalg.lu_solve(linalg.lu_factor(a), b),
    "cho_factor": lambda a, b: np.triu(linalg.cho_factor(a)[0]),
    "cho_solve": lambda a, b: linalg.cho_solve(linalg.cho_factor(a), b),
    "inv": lambda a, b: linalg.inv(a),
    "lstsq": lambda a, b: linalg.lstsq(a, b)[0],
    "eigh": lambda a, b: linalg.eigh(a, eigvals_only=True),
    "qr": lambda a, b: abs(linalg.qr(a)[1]),
    "svd": lambda a, b: linalg.svdvals(a),
    "solve_triangular": lambda a, b: linalg.solve_triangular(a, b),
    "solveh_banded": lambda a, b: linalg.solveh_banded(a[:2], b),
}


@pytest.mark.parametrize("layout", ["C", "F"])
@pytest.mark.parametrize("name", CALLS)
def test_arguments_stay_as_they_are(name, layout):
    a, b = bc.array(MATRIX, order=layout), bc.array(SIDE)
    got = CALLS[name](a, b)
    np.testing.assert_array_equal(np.asarray(a), MATRIX)
    np.testing.assert_array_equal(np.asarray(b), SIDE)
    np.testing.assert_allclose(np.asarray(got), CALLS[name](np.array(MATRIX, order=layout), SIDE.copy()), rtol=1e-12)
