"""Programs that compare arrays on the emulated CUDA device with NumPy's."""

from __future__ import annotations

import emulated_cuda

# Streams that run at once, and streams that run as late as possible in memory whose bounds are checked.
MODES = {"eager": {}, "late": {"BASCULE_FAKE_CUDA_LAZY": "1", "BASCULE_CUDA_POOL": "exact"}}
COMMON = """
import warnings
rng = np.random.default_rng(7)
TYPES = [*"?bBhHiIqQefd", "M8[s]", "m8[ns]"]
SHAPES = [(0,), (1,), (2,), (9,), (300,), (4, 7), (7, 1), (3, 0, 2), (2, 33, 3)]

def values(dtype, shape, few=False):
    "Numbers of a type with its extremes, NaN, NaT, infinities and both zeros among them; `few`: many equal ones."
    dtype = np.dtype(dtype)
    n = int(np.prod(shape))
    if dtype.kind == "b":
        return rng.integers(0, 2, shape).astype(dtype)
    if dtype.kind == "c":
        part = "f" if dtype.char == "F" else "d"
        return (values(part, shape, few) + 1j * values(part, shape, few)).astype(dtype)
    if dtype.kind == "f":
        a = rng.integers(-3, 4, n).astype(dtype) if few else rng.normal(0, 9, n).astype(dtype)
        special = [np.nan, -0.0, 0.0, np.inf, -np.inf, -np.nan]
    else:
        integer = np.dtype("i8") if dtype.kind in "mM" else dtype
        info = np.iinfo(integer)
        a = rng.integers(0, 5, n).astype(integer) if few else rng.integers(info.min, info.max, n, integer, endpoint=True)
        special = [info.min, info.max, 0, info.max - 1, info.min + 1]
        a, special = a.view(dtype), np.array(special, integer).view(dtype)
    for k, s in enumerate(special):
        a[rng.random(n) < 0.03] = s
    return a.reshape(shape)

def same(ours, theirs, case):
    got = ours.get() if hasattr(ours, "get") else ours
    np.testing.assert_array_equal(np.asarray(got), theirs, err_msg=str(case))
    assert np.asarray(got).dtype == theirs.dtype, case

def on_device(a):
    return bc.asarray(a).to_device("cuda")

def axes(a):
    return [*range(a.ndim), None]

bc.config.set(fallback="error")
"""


def check(program: str, mode: str = "eager", **more: str) -> str:
    return emulated_cuda.run(COMMON + program, **MODES[mode], **more)
