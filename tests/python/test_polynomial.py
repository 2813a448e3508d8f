"""numpy.polynomial under bascule's name."""

import bascule as bc
import numpy as np


def test_classes_and_functions_work_on_arrays():
    x = bc.linspace(0, 3, 7)
    fitted = bc.polynomial.Polynomial.fit(x, 2 * x**2 - x, 2)
    np.testing.assert_allclose(fitted.convert().coef, [0, -1, 2], atol=1e-12)
    np.testing.assert_allclose(np.asarray(fitted(x)), np.asarray(2 * x**2 - x), atol=1e-12)
    with bc.config.set(fallback="silent"):
        before = sum(f["calls"] for f in bc.fallbacks())
        c = bc.polynomial.polynomial.polyfit(x, x, 1)
        assert type(c) is bc.ndarray
        assert sum(f["calls"] for f in bc.fallbacks()) == before + 1
        values = bc.polynomial.chebyshev.chebval(x, [1.0, 2.0, 3.0])
    np.testing.assert_array_equal(np.asarray(values), np.polynomial.chebyshev.chebval(np.asarray(x), [1.0, 2.0, 3.0]))


def test_it_can_be_imported():
    from bascule.polynomial import Chebyshev
    from bascule.polynomial.legendre import leggauss

    assert Chebyshev is np.polynomial.Chebyshev
    with bc.config.set(fallback="silent"):
        assert type(leggauss(3)[0]) is bc.ndarray
