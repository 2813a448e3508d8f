"""Corners of calls that NumPy's own test modules look at: values, types, layouts, errors and warnings as NumPy's."""

import warnings

import bascule as bc
import numpy as np
import pytest

_A, _B = np.arange(27.0).reshape(3, 3, 3), np.arange(10.0, 19.0).reshape(3, 1, 3)
_ROW, _NAT = np.arange(3.0).reshape(1, 3), np.array(["nat"], "m8[s]")


def _outcome(case, xp):
    with warnings.catch_warnings(record=True) as seen, np.errstate(all="warn"):
        warnings.simplefilter("always")
        try:
            r = case(xp)
        except Exception as error:
            return error
    texts = {str(w.message) for w in seen}
    assert xp is np or {w.filename for w in seen} <= {__file__}
    if isinstance(r, bool):
        return r, texts
    return np.asarray(r), texts


def check(case, bits=True):
    """Compare what a function of a namespace gives, or raises, in bascule and in NumPy."""
    theirs, ours = _outcome(case, np), _outcome(case, bc)
    if isinstance(theirs, Exception) or isinstance(ours, Exception):
        assert isinstance(ours, Exception), (ours, theirs)
        assert isinstance(theirs, Exception), (ours, theirs)
        assert isinstance(theirs, type(ours)) or isinstance(ours, type(theirs))
        assert str(theirs) == str(ours)
        return
    assert theirs[1] == ours[1]
    assert type(theirs[0]) is type(ours[0])
    if isinstance(ours[0], np.ndarray):
        assert theirs[0].dtype == ours[0].dtype
        np.testing.assert_array_equal(ours[0], theirs[0])
        if bits and theirs[0].dtype.kind == "f":
            np.testing.assert_array_equal(np.signbit(ours[0]), np.signbit(theirs[0]))
        return
    assert theirs[0] == ours[0]


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize(
    "axes",
    [
        [-1, -1, -1], [-1, -1, (-1,)], [-1, (-2, -1), ()], [0, 1], -1, [-1], [-1.0, -1.0], [(-1.0,), -1], [None, 1],
        [-1, -1, ()], [0, 0], [0, 2], (0, 0), [-1, -1, 1], [0, 0, 0, 0],
    ],
)  # fmt: skip
def test_axes_of_vecdot(axes, keepdims):
    check(lambda xp: xp.vecdot(xp.array(_A), xp.array(_B), axes=axes, keepdims=keepdims))


@pytest.mark.parametrize(
    "case",
    [
        lambda xp, a: xp.matmul(a, a, axes=[(0, 1), (0, 1), -1]),
        lambda xp, a: xp.matmul(a, a, axes=[(0, 1), (0, 1), (0,)]),
        lambda xp, a: xp.matmul(a, a, axes=[(0, 1), 0, (0, 1)]),
        lambda xp, a: xp.matmul(a, a, axes=[(0, 0), (0, 1), (0, 1)]),
        lambda xp, a: xp.matmul(a, a, axes=[(0, 1), (0, 1)]),
        lambda xp, a: xp.matmul(a, a, keepdims=True),
        lambda xp, a: xp.matvec(a, a, keepdims=True),
        lambda xp, a: xp.vecmat(a, a, keepdims=True),
        lambda xp, a: xp.matvec(a, a, axes=[(0, 1), 0, 0]),
        lambda xp, a: xp.vecdot(a, a, axis=[0]),
        lambda xp, a: xp.vecdot(a, a, axis=0, keepdims=True),
    ],
)
def test_axes_of_matrices(case):
    check(lambda xp: case(xp, xp.array(_A)))


@pytest.mark.parametrize(
    "case",
    [
        lambda xp, a: xp.vecdot(a, a, out=xp.zeros((5, 4, 3))),
        lambda xp, a: xp.matmul(a, a.T, out=xp.zeros((4, 1, 1))),
        lambda xp, a: xp.matmul(a[0], a[0], out=xp.zeros((4, 1))),
        lambda xp, a: xp.matmul(xp.array(_A), xp.array(_A[0]), out=xp.zeros((2, 3, 3, 3))),
        lambda xp, a: xp.matmul(a, a.T, out=xp.zeros((1, 1), int)),
    ],
)
def test_products_are_repeated_along_further_axes_of_out(case):
    check(lambda xp: case(xp, xp.array(_ROW)))


@pytest.mark.parametrize("shape", [True, np.True_, (True, 2), [np.bool(True), 2]])
@pytest.mark.parametrize("name", ["ones", "zeros", "empty"])
def test_no_shape_is_made_of_bools(name, shape):
    check(lambda xp: getattr(xp, name)(shape))


@pytest.mark.parametrize(
    "case",
    [
        lambda xp: xp.isclose(xp.array(1 - 2**-52, "f4"), 2, atol=0, rtol=(1 - 2**-52) / 2),
        lambda xp: xp.isclose(xp.array(1, "f4"), 1 - 2**-52, atol=0, rtol=0),
        lambda xp: xp.isclose(xp.array(1, "f4"), xp.array(1 - 2**-52), atol=0, rtol=0),
        lambda xp: xp.isclose(1, 1, atol=np.inf),
        lambda xp: xp.isclose(xp.array([1, 2]), [1, 2], rtol=np.nan),
        lambda xp: xp.allclose(xp.array([1.0, np.inf]), [1, np.inf], rtol=np.nan),
        lambda xp: xp.isclose(xp.array([np.inf, 1, np.nan]), xp.array([np.inf, 1, np.nan]), equal_nan=True),
        lambda xp: xp.isclose(1, 1, atol=xp.array([1, np.inf])),
        lambda xp: xp.isclose(xp.array([1, 2], "m8[s]"), xp.array([1, 3], "m8[s]"), atol=np.timedelta64(1, "s")),
        lambda xp: xp.array_equal(xp.array(_NAT), xp.array(_NAT)),
        lambda xp: xp.array_equal(xp.array(_NAT), xp.array(_NAT), equal_nan=True),
        lambda xp: xp.clip(xp.arange(3), -(2**300), None),
        lambda xp: xp.clip(xp.arange(3), None, 2**300),
        lambda xp: xp.clip(xp.arange(3), -(2**300), 1),
        lambda xp: xp.clip(xp.arange(3), 1, 2**300),
        lambda xp: xp.clip(xp.arange(3), 2**300, None),
        lambda xp: xp.clip(xp.arange(3, dtype="u1"), -1, 300),
        lambda xp: xp.clip(xp.arange(3, dtype="u1"), 300, None),
        lambda xp: xp.astype([1], float),
        lambda xp: xp.astype(xp.arange(3), "f4"),
        lambda xp: xp.concatenate([xp.array(1, "f4"), 1.0], axis=None),
        lambda xp: xp.concatenate([xp.array([1], "f4"), [1.0]], axis=None),
        lambda xp: xp.concatenate([xp.array([1], "i1"), 300], axis=None),
        lambda xp: xp.r_[xp.arange(5, dtype="i1"), 255],
        lambda xp: xp.r_[xp.arange(5, dtype="f4"), 2.5],
        lambda xp: xp.choose(1, [xp.array(1, "f4"), 1.0]),
    ],
)
def test_one_call(case):
    check(case)


def test_array_equal_of_text_asks_numpy():
    with bc.config.set(fallback="silent"):
        assert bc.array_equal(np.array(["a"]), np.array(["a"]))
        assert not bc.array_equal(np.array(["a"]), np.array(["b"]))
