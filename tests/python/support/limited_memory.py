"""Programs with `config.memory_limit`, in processes of their own, and how much memory they take."""

import os
import subprocess
import sys

HEAD = """
import os, sys
import bascule as bc, bascule.pandas as pd, numpy as np, pandas, pyarrow.parquet

few = pd.DataFrame({"k": [1, 2], "t": ["a", "b"], "x": [1.0, 2.0]})  # modules are loaded before memory is measured
few.groupby(["k", "t"]).agg(a=("x", "mean"), b=("x", "median"))
few.merge(few, on="k").sort_values("t_x").drop_duplicates()

def megabytes(name):
    with open("/proc/self/status") as f:
        return next(int(line.split()[1]) for line in f if line.startswith(name)) / 1024

def peak(work):
    "How many bytes of memory a call takes at most, beyond those before it, and its result."
    before = megabytes("VmRSS")
    with open("/proc/self/clear_refs", "w") as f:
        f.write("5")  # the highest use is counted again from here
    made = work()
    return (megabytes("VmHWM") - before) * 2**20, made
"""


def started(program, **environment):
    """A process that runs a program, whose output is read."""
    code = HEAD + program
    variables = {**os.environ, "BASCULE_FALLBACK": "error", **{k: str(v) for k, v in environment.items()}}
    return subprocess.Popen(
        [sys.executable, "-c", code], env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def run(program, **environment):
    """The last line that a program prints."""
    process = started(program, **environment)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    return out.strip().splitlines()[-1]
