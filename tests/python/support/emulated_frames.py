"""Programs that compare frames on the emulated CUDA device with pandas'."""

from __future__ import annotations

import emulated_cuda
from emulated_arrays import MODES

COMMON = """
import sys
sys.path.insert(0, "{support}")
import itertools
import pandas, bascule.pandas as pd
from frames import both

rng = np.random.default_rng(11)
bc.config.set(fallback="error")

def numbers(dtype, n, holes=0.1):
    "Values of a NumPy or a masked type, some of them missing where the type has a way to say so."
    dtype = pandas.api.types.pandas_dtype(dtype)
    plain = dtype if isinstance(dtype, np.dtype) else dtype.numpy_dtype
    gone = rng.random(n) < holes
    if plain.kind == "f":
        a = rng.normal(0, 9, n).astype(plain)
    elif plain.kind == "b":
        a = rng.integers(0, 2, n).astype(bool)
    elif plain.kind in "mM":
        a = rng.integers(-(10**15), 10**15, n).view(plain)
    else:
        info = np.iinfo(plain)
        a = rng.integers(max(info.min, -50), min(info.max, 50), n).astype(plain)
    if not isinstance(dtype, np.dtype):
        return pandas.Series(dtype.construct_array_type()(a, gone))
    if plain.kind == "f":
        a[gone] = np.nan
    if plain.kind in "mM":
        a[gone] = np.array("NaT", plain)
    return pandas.Series(a)

def texts(n, few=True, holes=0.1):
    words = np.array(["", "a", "bb", "ab", "a longer text than the others", "éa", "ccc", "ccd", "bb "], object)
    a = words[rng.integers(0, len(words), n)] if few else np.array([f"{v:x}" for v in rng.integers(0, 10**9, n)], object)
    a[rng.random(n) < holes] = None
    return pandas.Series(a, dtype="str")
""".replace("{support}", str(emulated_cuda.PROJECT / "tests/python/support"))


def check(program: str, mode: str = "eager", **more: str) -> str:
    sample = f"SAMPLE = {1 if mode == 'eager' else 4}  # late streams: a part of the cases\n"
    return emulated_cuda.run(sample + COMMON + program, BASCULE_DEVICE="cuda", **MODES[mode], **more)
