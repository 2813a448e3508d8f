"""Warnings name the caller's line, at any depth in the package."""

import warnings

import bascule as bc
import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("native")

_NAN = np.full((2, 2), np.nan)


@pytest.mark.parametrize(
    "call",
    [
        lambda xp, a: xp.mean(a[:0]),
        lambda xp, a: xp.average(a[:0]),
        lambda xp, a: xp.var(a, ddof=9),
        lambda xp, a: xp.std(a[:0]),
        lambda xp, a: xp.nanmean(a, axis=0),
        lambda xp, a: xp.nanstd(a),
        lambda xp, a: xp.nanmax(a),
        lambda xp, a: xp.nanmedian(a, axis=1),
        lambda xp, a: xp.nanquantile(a, 0.5),
        lambda xp, a: xp.cov(a[:, :1]),
        lambda xp, a: xp.concatenate((a + 1j, a), dtype="f8", casting="unsafe"),
        lambda xp, a: xp.sum(a + 1j, dtype="f8"),
        lambda xp, a: xp.trace(a + 1j, dtype="f8"),
        lambda xp, a: xp.polyfit(xp.ones(4), xp.ones(4), 2),
        lambda xp, a: xp.cross(xp.ones(2), xp.ones(2)),
        lambda xp, a: xp.linalg.qr(xp.ones((2, 2)), "full"),
        lambda xp, a: xp.fft.fftn(a, s=(2, 2), axes=None),
        lambda xp, a: xp.row_stack((a, a)),
        lambda xp, a: xp.histogram(a > 0, 2),
        lambda xp, a: xp.random.default_rng(0).multivariate_normal([0, 0], [[0, 1], [1, 0]]),
        lambda xp, a: xp.random.default_rng(0).shuffle({0: 1, 1: 2}),
        lambda xp, a: xp.random.RandomState(0).shuffle({0: 1, 1: 2}),
        lambda xp, a: (a + 1j).astype("f4"),
        lambda xp, a: a.flat[True],
        lambda xp, a: a.flat[[0.0]],
        lambda xp, a: setattr(a.copy(), "strides", (16, 8)),
    ],
)
def test_text_and_line_of_warnings(call):
    strings = []
    for xp, a in ((np, _NAN), (bc, bc.array(_NAN))):
        with warnings.catch_warnings(record=True) as seen, np.errstate(all="ignore"):
            warnings.simplefilter("always")
            try:
                call(xp, a)
                raised = set()
            except Exception as error:  # removed from a newer NumPy
                raised = {(type(error), str(error).replace("numpy", "bascule"))}
        strings.append({(w.category, str(w.message)) for w in seen} | raised)
    assert strings[0] == strings[1] and strings[0]
    assert {w.filename for w in seen} == {__file__} or raised


@pytest.mark.parametrize("generator", [bc.random.default_rng, bc.random.RandomState])
def test_memory_is_shuffled_without_a_warning(generator):
    x = bytearray(range(20))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        generator(0).shuffle(memoryview(x))
    assert sorted(x) == list(range(20)) and x != bytearray(range(20))


@pytest.mark.parametrize("name", ["mean", "var", "std", "nanmean", "nanvar"])
@pytest.mark.parametrize("dtype", ["f4", "f8", "i8", "c16"])
@pytest.mark.parametrize(("shape", "axis"), [((0,), None), ((0, 3), 0), ((0, 3), 1), ((2, 0), (0, 1)), ((2, 0), 0)])
def test_moments_of_nothing_say_what_numpys_do(name, dtype, shape, axis):
    said = []
    for xp in (np, bc):
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            r = getattr(xp, name)(xp.zeros(shape, dtype), axis=axis)
        said.append((sorted((w.category, str(w.message)) for w in seen), np.shape(r), np.isnan(np.asarray(r)).all()))
    assert str(said[0]) == str(said[1])
    assert {w.filename for w in seen} <= {__file__}


@pytest.mark.parametrize("name", ["var", "std"])
@pytest.mark.parametrize("elements", [[1.0], [1.0, 2.0], [[1.0, 2.0], [3.0, 2.0]], [np.nan], [1 + 1j]])
def test_moments_without_freedom_say_what_numpys_do(name, elements):
    said = []
    for xp in (np, bc):
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            r = getattr(xp, name)(xp.asarray(elements), ddof=2, axis=0)
        said.append((sorted((w.category, str(w.message)) for w in seen), np.asarray(r).tolist()))
    assert str(said[0]) == str(said[1])


@pytest.mark.parametrize("name", ["mean", "var", "std"])
def test_moments_of_nothing_go_by_errstate(name):
    for xp in (np, bc):
        with warnings.catch_warnings(record=True), np.errstate(invalid="raise"):
            warnings.simplefilter("always")
            with pytest.raises(FloatingPointError, match="invalid value encountered in .*divide"):
                getattr(xp, name)(xp.zeros(0))
