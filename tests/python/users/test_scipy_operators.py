"""SciPy's iterative solvers make linear operators of bascule arrays like NumPy's."""

import subprocess
import sys

import bascule as bc
import numpy as np
import pytest
import scipy.sparse.linalg as iterative
from sklearn.datasets import load_iris
from users import same

pytestmark = pytest.mark.usefixtures("accelerated")

FLOWERS = load_iris().data
COVARIANCES = np.cov(FLOWERS.T)
LENGTHS = FLOWERS[:4, 0]

SOLVERS = {
    "cg": lambda a, b: iterative.cg(a, b)[0],
    "gmres": lambda a, b: iterative.gmres(a, b)[0],
    "bicgstab": lambda a, b: iterative.bicgstab(a, b)[0],
    "lsqr": lambda a, b: iterative.lsqr(a, b)[0],
    "lsmr": lambda a, b: iterative.lsmr(a, b)[0],
    "svds": lambda a, b: iterative.svds(a, 2, v0=b)[1],
    "eigsh": lambda a, b: iterative.eigsh(a, 2, v0=b)[0],
    "aslinearoperator": lambda a, b: iterative.aslinearoperator(a).matvec(b),
    "onenormest": lambda a, b: iterative.onenormest(a),
}


@pytest.mark.parametrize("name", SOLVERS)
def test_iterative_solvers(name):
    same(SOLVERS[name], COVARIANCES, LENGTHS, rtol=1e-9, stays=False)


def test_fits_whose_jacobian_is_an_array():
    from scipy.optimize import least_squares

    def fit(x, y):
        def apart(p):
            return p[0] * x + p[1] - y

        return least_squares(apart, [1.0, 0.0], lambda p: slopes(x), tr_solver="lsmr").x

    def slopes(x):
        return (bc if type(x) is bc.ndarray else np).stack([x, x * 0 + 1], axis=1)

    same(fit, FLOWERS[:, 0], FLOWERS[:, 2], rtol=1e-9, stays=False)


@pytest.mark.parametrize("method", ["L-BFGS-B", "SLSQP", "TNC", "BFGS", "CG"])
def test_minimisers_whose_gradient_is_an_array(method):
    from scipy.optimize import minimize

    def fit(a, b):
        def distance(p):
            r = a @ p - b
            return float((r * r).sum()), 2 * (a.T @ r)

        return minimize(distance, np.zeros(4), jac=True, method=method).x

    same(fit, FLOWERS, FLOWERS[:, 0] * 2, rtol=1e-2, stays=False)


def test_solvers_loaded_before_this_library():
    program = """
import numpy as np
from scipy.sparse.linalg import cg, aslinearoperator
import bascule as bc
bc.accelerate(imports=False)
a = np.array([[4.0, 1], [1, 3]])
print(np.array_equal(cg(bc.asarray(a), bc.ones(2))[0], cg(a, np.ones(2))[0]))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"
