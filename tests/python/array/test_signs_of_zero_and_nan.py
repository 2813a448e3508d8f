"""Signs that depend on the order of operations: of NaN from divisions, of zeros from complex products."""

import itertools

import bascule as bc
import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("native")

INF, NAN = np.inf, np.nan
MINUS_NAN = np.copysign(NAN, -1.0)
SIDES = [0.0, -0.0, 1.0, -1.0, -2.0, 2.5, 6e4, -6e4, 6e-8, -6e-8, INF, -INF, NAN, MINUS_NAN]
DIVISIONS = ["fmod", "remainder", "floor_divide", "divmod"]


@pytest.fixture(autouse=True)
def _quiet():
    with np.errstate(all="ignore"):
        yield


def signs(results):
    """Values with NaN replaced, the mask of NaN, and all signs."""
    results = results if isinstance(results, tuple) else (results,)
    arrays = [np.asarray(r) for r in results]
    parts = [np.ascontiguousarray(a).reshape(-1).view(a.real.dtype) for a in arrays]
    return [(np.nan_to_num(p, nan=7.0).tolist(), np.isnan(p).tolist(), np.signbit(p).tolist()) for p in parts]


def pairs(dtype):
    # Which of two NaN with different signs an addition returns depends on NumPy's compiler, by the order of its
    # operands.
    every = itertools.product(np.array(SIDES).astype(dtype), repeat=2)
    return [(x, y) for x, y in every if not (np.isnan(x) and np.isnan(y) and np.signbit(x) != np.signbit(y))]


# NumPy's loops of these functions are the C library's fmod and scalar code in every build.
@pytest.mark.parametrize("dtype", ["f2", "f4", "f8"])
@pytest.mark.parametrize("name", DIVISIONS)
def test_nan_of_a_division_has_the_sign_of_numpys(name, dtype):
    x, y = (np.array(side) for side in zip(*pairs(dtype), strict=True))
    expected = getattr(np, name)(x, y)
    assert signs(getattr(bc, name)(bc.array(x), bc.array(y))) == signs(expected)
    many = 5000 // x.size + 1
    large = getattr(bc, name)(bc.array(np.tile(x, many)), bc.array(np.tile(y, many)))
    assert signs(large) == signs(getattr(np, name)(np.tile(x, many), np.tile(y, many)))


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8"])
@pytest.mark.parametrize("name", DIVISIONS)
def test_nan_of_a_division_by_one_number_and_of_one_number(name, dtype):
    for side in np.array(SIDES).astype(dtype):
        others = np.array([v for v in SIDES if not (np.isnan(v) and np.isnan(side))]).astype(dtype)
        f, g = getattr(np, name), getattr(bc, name)
        assert signs(g(bc.array(others), side)) == signs(f(others, side))
        assert signs(g(side, bc.array(others))) == signs(f(side, others))


def test_operators_have_the_signs_of_functions():
    x, y = (np.array(side) for side in zip(*pairs("f8"), strict=True))
    a, b = bc.array(x), bc.array(y)
    assert signs((a % b, a // b, *divmod(a, b))) == signs((x % y, x // y, *divmod(x, y)))


# ---- products of complex numbers

PRODUCTS = {
    "prod": lambda xp, x: xp.prod(x),
    "reduce": lambda xp, x: xp.multiply.reduce(x),
    "accumulate": lambda xp, x: xp.multiply.accumulate(x),
    "cumprod": lambda xp, x: xp.cumprod(x),
    "reduceat": lambda xp, x: xp.multiply.reduceat(x, [0, x.size // 2]),
    "rows": lambda xp, x: xp.prod(xp.stack([x, x[::-1]]), axis=1),
    "columns": lambda xp, x: xp.prod(xp.stack([x, x[::-1]], axis=1), axis=0),
    "every other": lambda xp, x: xp.prod(x[::2]),
    "initial": lambda xp, x: xp.prod(x, initial=1),
    "where": lambda xp, x: xp.prod(x, where=x.real <= INF),
    "of an expression": lambda xp, x: xp.prod(x * 1.0),
}


@pytest.mark.parametrize("how", PRODUCTS)
@pytest.mark.parametrize("dtype", ["c8", "c16"])
def test_zeros_of_short_complex_products_have_the_signs_of_numpys(how, dtype):
    numbers = [complex(a, b) for a in (0.0, -0.0, 1.0, -1.0) for b in (0.0, -0.0, 1.0, -1.0)]
    step = 7 if dtype == "c16" else 29
    cases = [(z,) for z in numbers] + list(itertools.product(numbers, repeat=2))
    for case in cases + list(itertools.product(numbers, repeat=3))[::step]:
        x = np.array(case, dtype)
        assert signs(PRODUCTS[how](bc, bc.array(x))) == signs(PRODUCTS[how](np, x)), case


@pytest.mark.parametrize("how", PRODUCTS)
@pytest.mark.parametrize("n", [4, 7, 16, 64, 65, 300, 1023, 1024])
def test_zeros_of_longer_complex_products_have_the_signs_of_numpys(how, n):
    rng = np.random.default_rng(n)
    for parts in ([0.0, -0.0, 1.0, -1.0], [1.0, -1.0, -0.0], [0.0, -0.0, INF, 1.0]):
        x = np.empty(n, "c16")
        x.real, x.imag = rng.choice(parts, n), rng.choice(parts[:2], n)
        assert signs(PRODUCTS[how](bc, bc.array(x))) == signs(PRODUCTS[how](np, x))


def test_a_long_complex_product_is_close_to_numpys():
    x = np.exp(1j * np.random.default_rng(3).uniform(-3, 3, 50_000))
    np.testing.assert_allclose(np.asarray(bc.prod(bc.array(x))), np.prod(x), rtol=1e-11)
    np.testing.assert_allclose(np.asarray(bc.prod(bc.array(x[::3]))), np.prod(x[::3]), rtol=1e-11)


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8"])
@pytest.mark.parametrize("n", [1, 4, 33, 1000, 70_000])
def test_steps_at_nan_are_the_plain_nan(dtype, n):
    x = np.resize(np.array([NAN, MINUS_NAN, 0.0, -0.0, 1.0, -INF], dtype), n)
    y = x[::-1].copy()
    assert signs(bc.heaviside(bc.asarray(x), bc.asarray(y))) == signs(np.heaviside(x, y))
    assert signs(bc.heaviside(bc.asarray(x), MINUS_NAN)) == signs(np.heaviside(x, MINUS_NAN))
    assert signs(bc.heaviside(MINUS_NAN, bc.asarray(x))) == signs(np.heaviside(MINUS_NAN, x))
