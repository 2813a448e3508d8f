"""One unusual argument among many is reported, whatever its position, and usual ones report nothing."""

import warnings

import bascule as bc
import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("native")

FUNCTIONS = ["exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan"]
UNUSUAL = [
    np.inf,
    -np.inf,
    np.nan,
    0.0,
    -1.0,
    89.0,
    709.9,
    1025.0,
    -90.0,
    -709.0,
    -746.0,
    -1100.0,
    1e-310,
    1e-40,
    1e300,
]


def reported(xp, name, x, error_state):
    with warnings.catch_warnings(record=True) as seen, xp.errstate(**error_state):
        warnings.simplefilter("always")
        result = np.asarray(getattr(xp, name)(x))
    return sorted(str(w.message) for w in seen), result


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("error_state", [{}, {"over": "ignore", "invalid": "ignore"}])
def test_fp_errors_of_one_element(name, dtype, error_state):
    usual = np.random.default_rng(5).uniform(0.5, 20, 9000).astype(dtype)
    for at, unusual in zip((0, 127, 128, 1023, 1024, 5000, 8999) * 3, UNUSUAL, strict=False):
        x = usual.copy()
        with np.errstate(over="ignore", under="ignore"):
            x[at] = unusual
        wanted, numbers = reported(np, name, x, error_state)
        got, result = reported(bc, name, bc.array(x), error_state)
        assert [w.replace(name, "") for w in got] == [w.replace(name, "") for w in wanted], (unusual, at)
        np.testing.assert_allclose(result, numbers, rtol=4 * np.finfo(dtype).eps, atol=np.finfo(dtype).smallest_normal)


@pytest.mark.parametrize("name", ["exp", "exp2"])
@pytest.mark.parametrize("unusual", [-1070.5, -2000.0])
def test_a_result_too_small(name, unusual):
    x = np.ones(9000)
    x[4321] = unusual
    wanted, got = (reported(xp, name, xp.asarray(x), {"under": "warn"})[0] for xp in (np, bc))
    assert got == wanted == [f"underflow encountered in {name}"]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_usual_elements_report_nothing(name):
    x = np.random.default_rng(6).uniform(0.5, 80, 9000)
    assert reported(bc, name, bc.array(x), {"all": "warn"})[0] == []


def test_a_product_after_a_function_reports_its_own():
    x = np.full(9000, 700.0)
    for xp in (np, bc):
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            e = xp.exp(xp.asarray(x))
            np.asarray(e * e)
        assert [str(w.message) for w in seen] == ["overflow encountered in multiply"]


def test_fp_errors_of_other_computations_are_not_reported():
    huge = 1e308
    for n in (3, 1000):
        x, y = bc.full(n, 2.0), bc.full(n, 1e308)
        out = bc.empty(n)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for f in (
                lambda: x * 3,
                lambda: x / x,
                lambda: bc.add(x, x, out=out),
                lambda: x.__imul__(2),
                lambda: x[::2] * 2,
            ):
                assert huge * 10 == float("inf")  # the processor's flag of this overflow stays set
                f()
        for _ in range(2):
            with pytest.warns(RuntimeWarning, match="overflow encountered in multiply") as reported:
                r = y * 10
            assert len(reported) == 1 and bool(bc.isinf(r).all())
        with pytest.warns(RuntimeWarning, match="overflow encountered in multiply") as reported:
            y *= 10
        assert len(reported) == 1 and bool(bc.isinf(y).all())
