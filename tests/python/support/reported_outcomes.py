"""The result or error of a call, to the bit, and its warnings, against NumPy's."""

import warnings

import bascule as bc
import numpy as np


def bits(v):
    """The bytes. On a device other than the CPU a NaN is only a NaN: its sign and its other bits are the processor's."""
    v = np.asarray(v)
    if bc.config.device == "cpu" or v.dtype.kind not in "fc":
        return v.tobytes()
    parts = v.flatten().view(v.real.dtype)
    parts[np.isnan(parts)] = np.nan
    return parts.tobytes()


def outcome(program, xp, **state):
    """Type, shape and bits of the result, or the error; and the warnings."""
    with warnings.catch_warnings(record=True) as reported, xp.errstate(**state):
        warnings.simplefilter("always")
        try:
            r = program(xp)
            found = [(v.dtype, v.shape, bits(v)) for v in map(np.asarray, r if isinstance(r, tuple) else (r,))]
        except Exception as error:
            found = type(error).__name__.lstrip("_"), str(error)
    return found, sorted({(w.category, str(w.message)) for w in reported}, key=str)


def same(program, **state):
    assert outcome(program, bc, **state) == outcome(program, np, **state)
