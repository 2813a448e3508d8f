"""Test cases generated from the op table: every op with a ufunc, in every type of its loops, with a reference."""

import math

import bascule as bc
import numpy as np
import pytest


def oracle(row):
    """The reference: NumPy, else the C library in float64 (SciPy's erfc is hundreds of units off), else a device."""
    name, in_numpy = row["name"], not row["space"]
    if in_numpy and hasattr(np, name):
        return getattr(np, name)
    if in_numpy and hasattr(math, name):
        results = {np.dtype(a): b for a, b in row["types"]}
        exact = np.vectorize(getattr(math, name), otypes="d")
        return lambda *arrays: exact(*arrays).astype(results[arrays[0].dtype])

    def on_reference(*arrays):
        with bc.device("reference"):
            return np.asarray(row["ufunc"](*(bc.asarray(a) for a in arrays)))

    return on_reference


def cases(table):
    """One case for each op with a ufunc and each type of its loops."""
    for row in table:
        for t in dict.fromkeys(a for a, _ in row["types"]) if row["has_ufunc"] else ():
            yield pytest.param(row, t, id=f"{row['name']}-{t}")


def values(row, dtype, seed):
    """Random elements of a type within the range of the op's stated accuracy, including special ones."""
    t, rng = np.dtype(dtype), np.random.default_rng(seed)
    if t.kind == "b":
        return rng.integers(0, 2, 200).astype(bool)
    if t.kind in "iu":
        info = np.iinfo(t)
        low, high = (
            (0, 6)
            if row["name"] in ("left_shift", "right_shift", "power")
            else (max(info.min, -100), min(info.max, 100))
        )
        return rng.integers(low, high, 200, endpoint=True).astype(t)
    if t.kind in "mM":
        return np.where(rng.random(200) < 0.1, np.iinfo("i8").min, rng.integers(-1000, 1000, 200)).view(
            t.str[1:2] + "8[s]"
        )
    low, high = row["low"], row["high"]
    if t == np.float16:
        low, high = max(low, -100), min(high, 100)
    if t.kind == "c":
        return (rng.uniform(-3, 3, 200) + 1j * rng.uniform(-3, 3, 200)).astype(t)
    a = rng.uniform(max(low, -1e3), min(high, 1e3), 200).astype(t)
    a[:4] = [np.clip(0.0, low, high), np.clip(1.0, low, high), np.nan, np.inf]
    return a
