"""Helpers of the tests of the lazy array: pairs of equal arrays, internal state, programs in separate processes."""

import gc
import os
import subprocess
import sys
import textwrap

import bascule as bc
import numpy as np
from bascule import _core

N = 100_000
BIG = 2_000_000  # elements; 16 MB of float64


def numbers(n=N, seed=0):
    return np.random.default_rng(seed).standard_normal(n)


def pair(n=N, seed=0):
    x = numbers(n, seed)
    return bc.array(x), x


def pending(a):
    return not isinstance(a, np.generic) and _core.is_pending(a)  # scalars are computed already


def value(a):
    return np.array(_core.to_numpy(a))


def same(ours, theirs):
    np.testing.assert_array_equal(value(ours), theirs, strict=True)


def in_use():
    gc.collect()
    return _core.memory("cpu")["in_use"]


def plans():
    return _core.statistics()["plans"]


def run(code, **environment):
    """Run a program in a separate process; returns its output."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout, done.stderr


PEAK = """
    import resource
    import numpy as np
    import bascule as bc
    from bascule import _core
    def peak():
        with open("/proc/self/status") as f:
            return next(int(line.split()[1]) for line in f if line.startswith("VmHWM")) / 1024
    (bc.ones(10_000) + 1).sum().item()
    baseline = peak()
"""
