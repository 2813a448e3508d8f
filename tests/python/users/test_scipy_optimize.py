"""SciPy's minimisers of functions over bascule's arrays, outside the accelerated mode: their compiled code takes NumPy's class alone."""

import bascule as bc
import numpy as np
import pytest

optimize = pytest.importorskip("scipy.optimize", reason="scipy is not installed")

A, B = [[3.0, 1.0], [1.0, 2.0]], [1.0, -1.0]
STARTS = {"NumPy's": np.zeros(2), "ours": bc.zeros(2), "a list": [0.0, 0.0]}
METHODS = ["L-BFGS-B", "BFGS", "CG", "TNC", "SLSQP", "Newton-CG", "trust-constr"]


def of(m):
    a, b = m.array(A), m.array(B)
    return lambda x: 0.5 * m.dot(x, a @ x) - m.dot(b, x), lambda x: a @ x - b, lambda x: a


@pytest.mark.filterwarnings("ignore:delta_grad == 0.0")
@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("method", METHODS)
def test_gradients_of_ours(method, start):
    found = []
    for m in (bc, np):
        f, g, h = of(m)
        options = {"hess": h} if method == "trust-constr" else {}
        x0 = STARTS[start] if m is bc else np.zeros(2)
        found.append(optimize.minimize(f, x0, jac=g, method=method, **options))
    ours, theirs = found
    assert type(ours.x) is np.ndarray and ours.nit == theirs.nit
    np.testing.assert_allclose(ours.x, theirs.x, rtol=1e-12)


def test_other_forms():
    f, g, _ = of(bc)
    want = [0.6, -0.8]
    assert optimize.minimize(lambda x: (f(x), g(x)), bc.zeros(2), jac=True, method="L-BFGS-B").x == pytest.approx(want)
    assert optimize.fmin_l_bfgs_b(f, bc.zeros(2), fprime=g)[0] == pytest.approx(want)
    bounds = optimize.Bounds(bc.zeros(2), bc.ones(2))
    assert optimize.minimize(f, bc.zeros(2), jac=g, method="L-BFGS-B", bounds=bounds).x == pytest.approx([1 / 3, 0])
    assert optimize.root(g, bc.zeros(2)).x == pytest.approx(want)
    assert optimize.least_squares(g, bc.zeros(2)).x == pytest.approx(want)
    held = {"type": "eq", "fun": lambda x: x[0] + x[1], "jac": lambda x: bc.ones(2)}
    assert optimize.minimize(f, bc.zeros(2), jac=g, method="SLSQP", constraints=[held]).x == pytest.approx(
        [2 / 3, -2 / 3]
    )


def test_programs_are_given_ours():
    assert type(np.atleast_1d(bc.ones(2))) is type(np.atleast_2d(bc.ones(2))) is bc.ndarray
