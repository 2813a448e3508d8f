"""Helpers of the sorting tests: data with special values, layouts, comparison of results and errors."""

import warnings

import bascule as bc
import numpy as np

TYPES = ["?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16", "M8[s]", "m8[ns]"]
REAL = [t for t in TYPES if t[0] not in "cMm"]
LAYOUTS = {
    "contiguous": lambda a: a,
    "fortran": np.asfortranarray,
    "strided": lambda a: np.repeat(a, 2, axis=-1)[..., ::2],
    "reversed": lambda a: a[::-1, ..., ::-1].copy()[::-1, ..., ::-1] if a.ndim > 1 else a[::-1].copy()[::-1],
    "broadcast": lambda a: np.broadcast_to(a[:1], a.shape),
}


def data(dtype, shape, seed=0, few=False):
    """Values with ties, and with every special value of the type."""
    rng, t = np.random.default_rng(seed), np.dtype(dtype)
    n = int(np.prod(shape))
    if t.kind == "b":
        return rng.random(shape) < 0.5
    if t.kind in "iu":
        info = np.iinfo(t)
        x = rng.integers(0, 9, n).astype(t) if few else rng.integers(info.min, info.max, n, dtype=t, endpoint=True)
        if n > 3 and not few:
            x[rng.integers(0, n, 4)] = [info.min, info.max, info.min, info.max]
        return x.reshape(shape)
    if t.kind in "Mm":
        x = rng.integers(-9, 9, n).astype("i8")
        x[rng.random(n) < 0.2] = np.iinfo("i8").min
        return x.view(t).reshape(shape)
    special = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0])

    def real():
        x = rng.integers(-4, 4, n) / 2 if few else rng.normal(size=n)
        nulls = rng.random(n) < 0.3
        x[nulls] = rng.choice(special, nulls.sum())
        return x

    if t.kind == "c":
        x = np.empty(n, t)
        x.real, x.imag = real(), real()
        return x.reshape(shape)
    return real().astype(t).reshape(shape)


def values(x):
    return x.get() if type(x) is bc.ndarray else np.asarray(x)


def same(ours, theirs):
    """Equal values (NaN too), dtypes and shapes, in every part of a tuple."""
    if isinstance(theirs, tuple):
        assert isinstance(ours, tuple) and len(ours) == len(theirs)
        assert getattr(ours, "_fields", None) == getattr(theirs, "_fields", None)
        for a, b in zip(ours, theirs):
            same(a, b)
        return
    if type(ours) is bc.ndarray and ours.device.startswith("cuda") and ours.ndim == 0:
        ours = ours.get()[()]  # a number on the device is an array, which is not computed yet
    assert type(ours) is (bc.ndarray if isinstance(theirs, np.ndarray) else type(theirs))
    with np.errstate(invalid="ignore"):  # NumPy 2.3 compares its own NaN, possibly signalling, with infinity
        np.testing.assert_array_equal(np.asarray(ours), np.asarray(theirs), strict=True)
    assert bc.isscalar(ours) == np.isscalar(theirs)


def outcome(call):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return None, call()
    except Exception as error:
        return type(error), str(error)


def same_outcome(ours, theirs):
    """Equal results, or errors of the same class and text."""
    (our_error, a), (their_error, b) = outcome(ours), outcome(theirs)
    assert our_error == their_error, f"{our_error}: {a} instead of {their_error}: {b}"
    if their_error is None:
        same(a, b)
    else:
        assert a == b
