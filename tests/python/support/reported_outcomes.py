"""The result or error of a call, to the bit, and its warnings, against NumPy's."""

import warnings

import bascule as bc
import numpy as np


def outcome(program, xp, **state):
    """Type, shape and bits of the result, or the error; and the warnings."""
    with warnings.catch_warnings(record=True) as reported, xp.errstate(**state):
        warnings.simplefilter("always")
        try:
            r = program(xp)
            found = [(v.dtype, v.shape, v.tobytes()) for v in map(np.asarray, r if isinstance(r, tuple) else (r,))]
        except Exception as error:
            found = type(error).__name__.lstrip("_"), str(error)
    return found, sorted({(w.category, str(w.message)) for w in reported}, key=str)


def same(program, **state):
    assert outcome(program, bc, **state) == outcome(program, np, **state)
