"""Reductions into an output of another type: the type of the output takes part in choosing the loop, as in NumPy."""

import itertools
import warnings

import bascule as bc
import numpy as np
import pytest
from reported_outcomes import outcome

pytestmark = pytest.mark.usefixtures("native")

TYPES = ["?", "i1", "u2", "i4", "i8", "u8", "f2", "f4", "f8", "c8", "c16"]
FLOATS = ["f2", "f4", "f8", "c8", "c16"]


@pytest.fixture(autouse=True)
def _reported_at_the_call():
    with bc.config.set(fp_warnings="auto"):
        yield


def edge(dtype, n):
    """Elements whose sums and products overflow the type, but fit into a wider one."""
    t = np.dtype(dtype)
    if t.kind == "b":
        return np.ones(n, t)
    if t.kind in "iu":
        return np.full(n, np.iinfo(t).max // 2 + 1, t)
    return np.full(n, {2: 6e4, 4: 3e38, 8: 1.5e308}[np.finfo(t).dtype.itemsize], t)


def plain(dtype, n):
    x = np.linspace(0.25, 3, n)
    return (x * (1 + 0.5j)).astype(dtype) if np.dtype(dtype).kind == "c" else x.astype(dtype)


def found(program, xp):
    """The result, and the warnings except those of casts: NumPy reports an output's cast once, twice or never."""
    result, reported = outcome(program, xp)
    if isinstance(result, tuple):
        return result[0].replace("UFuncTypeError", "TypeError"), result[1], None
    ((dtype, shape, data),) = result
    casts = ("in cast", "in reduce", "in accumulate", "in reduceat")
    return dtype, shape, (np.frombuffer(data, dtype), [t for t in reported if not t[1].endswith(casts)])


def same(program, rtol=0.0):
    ours, theirs = found(program, bc), found(program, np)
    assert ours[:2] == theirs[:2]
    if theirs[2]:
        assert ours[2][1] == theirs[2][1]
        np.testing.assert_allclose(ours[2][0], theirs[2][0], rtol=rtol, atol=0)


def result_of(xp, f, x, shape, dtype, **options):
    out = xp.zeros(shape, dtype)
    f(xp, xp.asarray(x), out=out, **options)
    return out


CALLS = {
    "sum": lambda xp, x, **k: xp.sum(x, **k),
    "prod": lambda xp, x, **k: x.prod(**k),
    "max": lambda xp, x, **k: xp.max(x, **k),
    "min": lambda xp, x, **k: x.min(**k),
    "mean": lambda xp, x, **k: xp.mean(x, **k),
    "any": lambda xp, x, **k: xp.any(x, **k),
    "ptp": lambda xp, x, **k: xp.ptp(x, **k),
    "add.reduce": lambda xp, x, axis=None, **k: xp.add.reduce(x, axis, **k),
    "multiply.reduce": lambda xp, x, axis=None, **k: xp.multiply.reduce(x, axis, **k),
    "logical_and.reduce": lambda xp, x, axis=None, **k: xp.logical_and.reduce(x, axis, **k),
    "subtract.reduce": lambda xp, x, axis=0, **k: xp.subtract.reduce(x, axis, **k),
    "hypot.reduce": lambda xp, x, axis=0, **k: xp.hypot.reduce(x, axis, **k),
}
NAN_CALLS = ("nansum", "nanprod", "nanmax", "nanmin", "nanmean", "nanvar", "nanstd")
ALONG = {
    "add.accumulate": lambda xp, x, **k: xp.add.accumulate(x, **k),
    "multiply.accumulate": lambda xp, x, **k: xp.multiply.accumulate(x, **k),
    "cumsum": lambda xp, x, **k: xp.cumsum(x, **k),
    "cumprod": lambda xp, x, **k: x.cumprod(**k),
    "nancumsum": lambda xp, x, **k: xp.nancumsum(x, **k),
    "cumulative_sum": lambda xp, x, **k: xp.cumulative_sum(x, **k),
    "cumulative_prod": lambda xp, x, **k: xp.cumulative_prod(x, **k),
}


def holds(dtype, x):
    """Whether an output can hold the elements: NumPy's loops without an identity start with one in the output."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return bool((x.astype(dtype) == x).all())


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", CALLS)
def test_of_everything(name, dtype):
    axis = {"axis": 0} if "." in name else {}
    for x, to in itertools.product((edge(dtype, 3), plain(dtype, 5)), TYPES):
        if holds(to, x) or name not in ("min", "subtract.reduce"):
            rtol = 1e-15 if name == "hypot.reduce" else 0
            same(lambda xp, x=x, to=to: result_of(xp, CALLS[name], x, (), to, **axis), rtol)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", ALONG)
def test_of_longer_and_longer_parts(name, dtype):
    for x, to in itertools.product((edge(dtype, 3), plain(dtype, 5)), TYPES):
        same(lambda xp, x=x, to=to: result_of(xp, ALONG[name], x, x.shape, to))


@pytest.mark.parametrize("dtype", TYPES)
def test_of_parts(dtype):
    for x, to, op in itertools.product(
        (edge(dtype, 4), plain(dtype, 5)), TYPES, ("add", "multiply", "maximum", "logical_or")
    ):
        f = lambda xp, x, out, op=op: getattr(xp, op).reduceat(x, [0, 3, 1], out=out)
        same(lambda xp, x=x, to=to, f=f: result_of(xp, f, x, 3, to))


@pytest.mark.parametrize("n", [3, 5000])
@pytest.mark.parametrize(
    ("dtype", "to"), [("f4", "f8"), ("i8", "c16"), ("i8", "f4"), ("f8", "i1"), ("f2", "f4"), ("u1", "i2")]
)
@pytest.mark.parametrize("name", ["sum", "prod", "max", "mean", "ptp"])
def test_along_axes(name, dtype, to, n):
    x = np.tile(edge(dtype, n), (2, 1))
    for axis, keepdims, shape in ((0, False, (n,)), (1, False, (2,)), (1, True, (2, 1)), ((0, 1), False, ())):
        same(lambda xp, a=axis, k=keepdims, s=shape: result_of(xp, CALLS[name], x, s, to, axis=a, keepdims=k))
    if name != "ptp":
        mask = np.arange(n) % 3 < 2
        initial = {} if name == "mean" else {"initial": 1}
        where = lambda xp: xp.asarray(mask)
        same(lambda xp: result_of(xp, CALLS[name], x, (2,), to, axis=1, where=where(xp), **initial))


@pytest.mark.parametrize("to", TYPES)
@pytest.mark.parametrize("dtype", TYPES)
def test_types_that_are_named_win(dtype, to):
    for x in (edge(dtype, 3), plain(dtype, 5)):
        for name in ("sum", "prod", "mean"):
            same(lambda xp, x=x, name=name: result_of(xp, CALLS[name], x, (), to, dtype="f4"))
        same(lambda xp, x=x: result_of(xp, ALONG["cumsum"], x, x.shape, to, dtype="f4"))


@pytest.mark.parametrize("to", TYPES)
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("name", NAN_CALLS)
def test_of_what_is_no_nan(name, dtype, to):
    for x in (edge(dtype, 4), plain(dtype, 6)):
        x = x.copy()
        x[1] = np.nan
        rtol = 1e-6 if dtype == "c8" else 1e-15
        same(lambda xp, x=x: result_of(xp, lambda xp, x, out: getattr(xp, name)(x, out=out), x, (), to), rtol)


def close(program, rtol):
    """Compare up to rounding: a one-pass variance with a two-pass one."""
    with np.errstate(all="ignore"):
        ours, theirs = (
            r if isinstance(r, str) else np.asarray(r) for r in map(lambda xp: refused(program, xp), (bc, np))
        )
    if isinstance(theirs, str):
        assert ours == theirs
    else:
        assert ours.dtype == theirs.dtype
        np.testing.assert_allclose(ours, theirs, rtol=rtol)


def refused(program, xp):
    try:
        return program(xp)
    except TypeError as error:
        return "TypeError" if isinstance(error, TypeError) else repr(error)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("to", TYPES)
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", ["var", "std"])
def test_moments(name, dtype, to):
    x = plain(dtype, 7)
    rtol = 2e-3 if "f2" in (dtype, to) else 1e-6 if {"f4", "c8"} & {dtype, to} else 1e-14
    close(lambda xp: result_of(xp, lambda xp, x, out: getattr(xp, name)(x, ddof=1, out=out), x, (), to), rtol)
    close(lambda xp: result_of(xp, lambda xp, x, out: getattr(x, name)(out=out, axis=0), x, (), to), rtol)
    for t in (None, "f4", "f8"):
        f = lambda xp, x, out, t=t: getattr(xp, name)(x, axis=1, keepdims=True, dtype=t, out=out)
        close(
            lambda xp, f=f: result_of(xp, f, np.stack((x, x[::-1])), (2, 1), to), max(rtol, 1e-6) if t == "f4" else rtol
        )
    for t in ("i4", "u1", "?"):
        close(lambda xp, t=t: getattr(xp, name)(xp.asarray(x), dtype=t), rtol)
        close(lambda xp, t=t: getattr(xp, name)(xp.asarray(np.stack((x, x))), axis=1, dtype=t, keepdims=True), rtol)


def test_squares_that_leave_the_input_but_not_the_output():
    x = np.array([-1e19, 1e19] * 3, "f4")
    out = bc.zeros((), "f8")
    bc.var(bc.asarray(x), out=out)
    want = np.zeros(())
    np.var(x, out=want)
    assert out == want and np.isfinite(want)


@pytest.mark.parametrize("dtype", ["i4", "i8", "u1", "?"])
def test_means_counted_in_integers(dtype):
    for x in (np.array([1.0, 2, 4]), np.array([[1, 2], [4, 9]]), np.array([True, True, False])):
        for axis in (None, 0):
            same(lambda xp, x=x, axis=axis: xp.mean(xp.asarray(x), axis, dtype))
            same(lambda xp, x=x, axis=axis: xp.asarray(x).mean(axis, dtype, keepdims=True))
    same(lambda xp: xp.nanmean(xp.asarray([1.0, np.nan]), dtype=dtype))
    same(lambda xp: xp.nanmean(xp.asarray([1, 2, 4]), dtype=dtype))
    same(lambda xp: xp.nanvar(xp.asarray([1, 2, 4]), dtype=dtype))
    same(lambda xp: xp.trace(xp.asarray(np.full((3, 3), 3e38, "f4")), out=xp.zeros(())))
