"""Test cases that the op table itself brings: every op with a ufunc, on every type it has a loop for, with an oracle."""

import math

import bascule as bc
import numpy as np
import pytest


def oracle(row):
    """What computes the same: NumPy, else the C library in float64 (SciPy's erfc is hundreds of units off), else the reference device."""
    name, in_numpy = row["name"], not row["space"]
    if in_numpy and hasattr(np, name):
        return getattr(np, name)
    if in_numpy and hasattr(math, name):
        results = {np.dtype(a): b for a, b in row["types"]}
        exact = np.vectorize(getattr(math, name), otypes="d")
        return lambda *arrays: exact(*arrays).astype(results[arrays[0].dtype])

    def on_reference(*arrays):
        with bc.device("reference"):
            return row["ufunc"](*(bc.asarray(a) for a in arrays)).get()

    return on_reference


def cases(table):
    """One case for each op with a ufunc and each type of its loops."""
    for row in table:
        for t in dict.fromkeys(a for a, _ in row["types"]) if row["has_ufunc"] else ():
            yield pytest.param(row, t, id=f"{row['name']}-{t}")
