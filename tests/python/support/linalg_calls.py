"""Helpers of the linear algebra tests: matrices in every layout, and comparison of calls with NumPy's."""

import warnings

import bascule as bc
import numpy as np

TYPES = ["?", "i1", "u1", "i4", "i8", "u8", "f4", "f8", "c8", "c16"]
LAYOUTS = {
    "contiguous": lambda a: a,
    "transposed": lambda a: a.swapaxes(-1, -2).copy().swapaxes(-1, -2),
    "strided rows": lambda a: np.repeat(a, 2, axis=-2)[..., ::2, :],
    "strided columns": lambda a: np.repeat(a, 2, axis=-1)[..., ::2],
    "reversed": lambda a: a[..., ::-1, ::-1].copy()[..., ::-1, ::-1],
    "broadcast": lambda a: np.broadcast_to(a[(0,) * (a.ndim - 2)], a.shape),
}


def matrix(dtype, shape, seed=0):
    """Well-conditioned values: small integers, normal floats."""
    rng, t = np.random.default_rng(seed), np.dtype(dtype)
    if t.kind == "b":
        return rng.random(shape) < 0.6
    if t.kind in "iu":
        return rng.integers(0 if t.kind == "u" else -5, 9, shape).astype(t)
    x = rng.normal(size=shape)
    return (x + 1j * rng.normal(size=shape)).astype(t) if t.kind == "c" else x.astype(t)


def definite(dtype, shape, seed=0):
    """Hermitian and positive definite."""
    x = matrix("c16" if np.dtype(dtype).kind == "c" else "f8", shape, seed)
    y = x @ x.conj().swapaxes(-1, -2) + shape[-1] * np.eye(shape[-1])
    return np.round(y).astype(dtype) if np.dtype(dtype).kind in "iu" else y.astype(dtype)


def ours(x):
    """The argument with bascule's arrays of the same layout in place of NumPy's."""
    if isinstance(x, np.ndarray):
        if x.size and 0 in x.strides:
            return bc.broadcast_to(bc.asarray(np.ascontiguousarray(x[(0,) * (x.ndim - 2)])), x.shape)
        return bc.asarray(x, copy=False if bc.config.device == "cpu" else None)
    return type(x)(map(ours, x)) if isinstance(x, (list, tuple)) else x


def values(x):
    return x.get() if type(x) is bc.ndarray else np.asarray(x)


def close(found, expected, scale=None, ulp=64):
    """Shapes and types equal, values to some units in the last place of the largest."""
    if isinstance(expected, tuple):
        assert isinstance(found, tuple) and len(found) == len(expected)
        assert getattr(found, "_fields", None) == getattr(expected, "_fields", None)
        for a, b in zip(found, expected):
            close(a, b, scale, ulp)
        return
    expected, got = np.asarray(expected), values(found)
    assert got.shape == expected.shape
    if type(found) is bc.ndarray:
        assert got.dtype == expected.dtype
    if expected.dtype.kind not in "fc":
        np.testing.assert_array_equal(got, expected)
        return
    eps = np.finfo(expected.dtype).eps
    finite = np.abs(expected[np.isfinite(expected)])
    size = max(finite.max(initial=0.0), 1e-30) if scale is None else scale
    np.testing.assert_allclose(got, expected, rtol=ulp * eps, atol=ulp * eps * size)


def outcome(call):
    """The result, or the class and text of the error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return call(), None
        except Exception as error:
            return None, error


def without_phases(r):
    """Singular vectors on the CPU; other libraries choose other phases, so that only magnitudes can be compared."""
    return r if bc.config.device == "cpu" else (abs(r[0]), r[1], abs(r[2]))


def agree(name, *args, ulp=64, scale=None, module="linalg", **kwargs):
    """Compare a function of NumPy's and ours: equal results, or errors of the same class and text."""
    theirs_module, ours_module = (np.linalg, bc.linalg) if module == "linalg" else (np, bc)
    expected, error = outcome(lambda: getattr(theirs_module, name)(*args, **kwargs))
    found, mine = outcome(
        lambda: getattr(ours_module, name)(*map(ours, args), **{k: ours(v) for k, v in kwargs.items()})
    )
    if error is None:
        assert mine is None, repr(mine)
        if name == "svd" and isinstance(found, tuple):
            found, expected = without_phases(found), without_phases(expected)
        close(found, expected, scale, ulp)
        return
    assert mine is not None, f"no error, but NumPy says {error!r}"
    assert isinstance(mine, type(error)) or issubclass(type(error), type(mine)), (mine, error)
    assert str(mine) == str(error)
