"""Floating-point errors of cumulative operations, reduceat and float16 operators, and errors before computing."""

import itertools
import operator
import warnings

import bascule as bc
import numpy as np
import pytest
from reported_outcomes import same

pytestmark = pytest.mark.usefixtures("native")


@pytest.fixture(autouse=True)
def _reported_at_the_call():
    """Warnings are issued at the call if they are recorded, as outside of these tests."""
    with bc.config.set(fp_warnings="auto"):
        yield


LARGE, SMALL = np.array([6e4, 6e4, -1.0], "f2"), np.array([1e-2, 1e-2, 0.3, 0.5], "f2")


@pytest.mark.parametrize("state", [{}, {"all": "warn"}, {"all": "ignore"}, {"over": "raise"}, {"under": "raise"}])
@pytest.mark.parametrize("name", ["add", "multiply", "maximum", "fmin", "subtract", "cumsum", "cumprod"])
def test_running_reductions_of_float16(name, state):
    for values in (LARGE, SMALL, np.array([np.inf, -np.inf, 1], "f2"), np.array([np.nan, np.inf, -np.inf, 2], "f2")):
        for x in (
            values,
            np.tile(values, 1700),
            np.tile(values[:, None], (1, 80)),
            np.tile(values, (3000, 1))[:, ::-1],
        ):
            for axis in range(x.ndim):
                if name.startswith("cum"):
                    same(lambda xp, x=x, axis=axis: getattr(xp, name)(xp.asarray(x), axis), **state)
                else:
                    same(lambda xp, x=x, axis=axis: getattr(xp, name).accumulate(xp.asarray(x), axis), **state)


COMPLEX = np.array([1 + 2j, 3, 4j])


@pytest.mark.parametrize(
    "program",
    [
        lambda xp, z, t: xp.add.accumulate(z, dtype=t),
        lambda xp, z, t: xp.multiply.reduce(z, dtype=t),
        lambda xp, z, t: xp.add.reduceat(z, [0, 2], dtype=t),
        lambda xp, z, t: xp.add.accumulate(z, out=xp.zeros(3, t)),
        lambda xp, z, t: xp.add.reduce(z, out=xp.zeros((), t)),
        lambda xp, z, t: xp.maximum.reduceat(z, [0], out=xp.zeros(1, t)),
        lambda xp, z, t: xp.add.accumulate(z, dtype="c16", out=xp.zeros(3, t)),
        lambda xp, z, t: xp.add.accumulate(z, dtype=t, out=xp.zeros(3, t)),
        lambda xp, z, t: xp.add.accumulate(z, dtype=t, out=xp.zeros(4, t)),
        lambda xp, z, t: xp.add.reduceat(z, [9], dtype=t),
        lambda xp, z, t: xp.cumsum(z, dtype=t),
        lambda xp, z, t: z.cumprod(dtype=t),
        lambda xp, z, t: z.sum(dtype=t),
        lambda xp, z, t: xp.prod(z, dtype=t),
        lambda xp, z, t: z.sum(out=xp.zeros((), t)),
        lambda xp, z, t: xp.max(z, out=xp.zeros((), t)),
        lambda xp, z, t: xp.any(z, out=xp.zeros((), t)),
    ],
)
@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "c16", "c8"])
def test_imaginary_parts_that_go(program, dtype):
    same(lambda xp: program(xp, xp.asarray(COMPLEX), dtype))


@pytest.mark.parametrize("dtype", ["f4", "f2", "i4", "u1"])
@pytest.mark.parametrize("values", [[1e300, -4.0, 3.0], [np.inf, 1e30, -4.0], [1.0, 2.0, 3.0]])
def test_casts_before_reductions(values, dtype):
    x = np.array(values)
    same(lambda xp: xp.add.accumulate(xp.asarray(x), dtype=dtype))
    same(lambda xp: xp.cumprod(xp.asarray(np.tile(x, 2000)), dtype=dtype))
    same(lambda xp: xp.multiply.reduceat(xp.asarray(x), [0, 1], dtype=dtype))
    if dtype in ("f4", "f2"):
        same(lambda xp: xp.sum(xp.asarray(x), dtype=dtype))
        same(lambda xp: xp.asarray(x).prod(dtype=dtype))


@pytest.mark.parametrize(
    "form", [np.array, lambda v: np.array(v)[()], lambda v: v, lambda v: [v], lambda v: np.array([v])]
)
def test_lines_of_nan_alone(form):
    for name in ("nanmin", "nanmax"):
        given = form(np.nan)
        same(lambda xp: getattr(xp, name)(xp.asarray(given)[()] if isinstance(given, np.float64) else given))


@pytest.mark.parametrize("name", ["gcd", "hypot", "equal"])
def test_loops_that_are_missing_report_nothing_else(name):
    for z in (COMPLEX, COMPLEX[:0]):
        with warnings.catch_warnings(), pytest.raises(TypeError):
            warnings.simplefilter("error")
            getattr(bc, name).accumulate(bc.asarray(z), out=bc.zeros(z.shape))


@pytest.mark.parametrize("dtype", ["f8", "i4", "f2"])
@pytest.mark.parametrize("shape", [(2,), (3, 3), (1, 2), (3,), (3, 1), (2, 1), ()])
def test_outputs_of_other_shapes(shape, dtype):
    x = np.full((3, 2), 6e4, "f2" if dtype == "f2" else "i4")
    programs = {
        "accumulate": lambda xp, out: xp.multiply.accumulate(xp.asarray(x), 0, out=out),
        "reduce": lambda xp, out: xp.multiply.reduce(xp.asarray(x), 1, out=out),
        "reduce, kept": lambda xp, out: xp.subtract.reduce(xp.asarray(x), 0, out=out, keepdims=True),
        "reduceat": lambda xp, out: xp.multiply.reduceat(xp.asarray(x), [0, 1], 1, out=out),
    }
    for name, program in programs.items():
        theirs, ours = np.full(shape, 7, dtype), bc.full(shape, 7, dtype)
        with warnings.catch_warnings():
            warnings.simplefilter("error" if dtype != "f2" else "ignore")
            try:
                program(np, theirs)
            except ValueError as refused:
                with pytest.raises(ValueError) as reported:
                    program(bc, ours)
                assert str(reported.value) == str(refused), name
            else:
                program(bc, ours)
        np.testing.assert_array_equal(ours.get(), theirs, err_msg=name)


def test_nothing_is_computed_for_a_wrong_output():
    x, out = bc.full(3, 6e4, "f2"), bc.zeros(4, "f2")
    for f in (bc.add.accumulate, lambda x, out: bc.add.reduceat(x, [0, 1, 2], out=out[:2])):
        with warnings.catch_warnings(), pytest.raises(ValueError):
            warnings.simplefilter("error")
            f(x, out=out)
    assert not out.any()


VALUES = [0.0, -0.0, 1.0, -3.0, np.inf, -np.inf, np.nan, 1e-12]


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8"])
@pytest.mark.parametrize("op", [operator.floordiv, operator.mod, divmod, "divmod", "floor_divide", "remainder"])
def test_division_of_scalars(op, dtype):
    for x, y in itertools.product(VALUES, VALUES):
        a, b = np.array([x], dtype), np.array([y], dtype)
        if dtype == "f2" and np.isnan(x) and np.isnan(y):
            continue  # which of two NaN results is not defined
        f = (lambda xp, *v: getattr(xp, op)(*v)) if isinstance(op, str) else lambda xp, *v: op(*v)
        same(lambda xp, f=f, a=a, b=b: f(xp, xp.asarray(a)[0], xp.asarray(b)[0]))
        same(lambda xp, f=f, a=a, y=y: f(xp, xp.asarray(a)[0], y))
        same(lambda xp, f=f, x=x, b=b: f(xp, x, xp.asarray(b)[0]))


@pytest.mark.parametrize("dtype", ["i1", "i8", "u8"])
@pytest.mark.parametrize("values", [[2, 3, -1], [-2, 3, 1], [-1], [2, 0, 3], []])
def test_powers_of_integers_in_a_row(values, dtype):
    x = np.array(values).astype(dtype)
    for many in (1, 1000):
        a = np.tile(x, many)
        same(lambda xp, a=a: xp.power.accumulate(xp.asarray(a)))
        if a.size:
            same(lambda xp, a=a: xp.power.reduce(xp.asarray(a)))
            same(lambda xp, a=a: xp.power.reduceat(xp.asarray(a), [0, len(a) - 1]))
        same(lambda xp, a=a: xp.power.accumulate(xp.asarray(np.tile(a, (2, 1))), axis=0))


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "c8", "c16", "i2", "?"])
def test_sinc_at_zero(dtype):
    x = np.array([0, 1, 0]).astype(dtype)
    for a in (x, np.tile(x, 2000), x[0]):
        ours, theirs = np.asarray(bc.sinc(bc.asarray(a))), np.sinc(a)
        assert ours.dtype == theirs.dtype
        np.testing.assert_allclose(ours, theirs, rtol=4 * np.finfo(theirs.dtype).eps, atol=1e-3)
        np.testing.assert_array_equal(ours == 1, np.asarray(theirs) == 1)


def unsigned(r):
    """r with NaN of one sign: that of a product of infinite parts depends on the kernels, NumPy's and ours."""
    r = np.array(r)
    r[np.isnan(r)] = np.nan
    return r


@pytest.mark.parametrize("name", ["nanvar", "nanstd"])
@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "c8", "c16"])
def test_moments_without_nan(name, dtype):
    for values in ([np.inf, 1, np.nan, 2], [np.inf, 1, 2], [np.nan, 1, 2], [-np.inf, np.inf, np.nan]):
        for x in (np.array(values, dtype), np.tile(np.array(values, dtype), (3, 1))):
            same(lambda xp, x=x: unsigned(getattr(xp, name)(xp.asarray(x))))
            same(lambda xp, x=x: unsigned(getattr(xp, name)(xp.asarray(x), axis=-1, keepdims=True)))
            mask = np.isfinite(x)
            if np.isnan(x).any() and mask.any():
                same(lambda xp, x=x, m=mask: unsigned(getattr(xp, name)(xp.asarray(x), axis=-1, where=xp.asarray(m))))
