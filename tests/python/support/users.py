"""Code of another library, run twice on the same data: with NumPy's arrays and with bascule's."""

import bascule as bc
import numpy as np


def leaves(result):
    """The arrays and numbers in a result."""
    if isinstance(result, dict):
        result = list(result.values())
    if isinstance(result, (tuple, list)):
        return [leaf for part in result for leaf in leaves(part)]
    return [result]


def ours(x):
    """x with bascule arrays in place of NumPy's."""
    if isinstance(x, np.ndarray):
        return bc.asarray(x)
    return type(x)(map(ours, x)) if isinstance(x, (tuple, list)) else x


def check(got, want, rtol, stays=True):
    """Parts are equal within `rtol` of the greatest value; with `stays`, NumPy's arrays are bascule's in our run."""
    got, want = leaves(got), leaves(want)
    assert len(got) == len(want) > 0
    for g, w in zip(got, want):
        if isinstance(w, np.ndarray) and stays:
            assert type(g) is bc.ndarray
        g, w = np.asarray(g), np.asarray(w)
        assert (g.shape, g.dtype) == (w.shape, w.dtype)
        if w.dtype.kind in "fc":
            sizes = np.abs(w)[np.isfinite(w)]
            np.testing.assert_allclose(g, w, rtol=0, atol=rtol * max(sizes, default=0))
        else:
            np.testing.assert_array_equal(g, w)


def same(call, *data, rtol, stays=True):
    """Check that the call has the same result with bascule arrays as with NumPy's."""
    check(call(*map(ours, data)), call(*data), rtol, stays)
