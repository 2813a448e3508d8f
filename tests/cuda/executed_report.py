"""Instructions and memory traffic of common calls, as a profiler would count them: the PTX of NVIDIA's compilers, run by the interpreter.

    python tests/cuda/executed_report.py [--write FILE] [--only NAME]

Each call runs once on the fake driver, after its kernels were compiled. The table has a row for each call: instructions
of threads for each element of the operands, by class, and the 32-byte sectors that its kernels' accesses touch, compared
with the bytes that have to move at least: each operand read once and the result written once. No GPU takes part.
"""

from __future__ import annotations

import argparse
import collections
import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python/support"))
import emulated_cuda

# The call: why more than 1.15 times the least bytes move; empty where they do not.
SORTED = "radix sort by 8 bits a pass, each of which reads and writes all keys, after a pass that counts"
CALLS = {
    "x + y": "", "x * y + z * w - x / 2": "", "f * g + f": "", "u + u": "", "x > y": "", "bc.where(m, x, y)": "", "bc.exp(x)": "",
    "bc.sin(x) ** 2 + bc.cos(x) ** 2": "",
    "x.astype('f4')": "", "bc.sqrt(x * x + y * y)": "", "A + row": "", "A + column": "", "bc.ascontiguousarray(A.T)": "",
    "A[:, :6].sum()": "whole sectors are read, of which a part is used", "x[::2] + 1": "every other element of each sector is used",
    "x.sum()": "", "f.sum()": "", "(x * y).sum()": "", "A.sum(axis=0)": "", "A.sum(axis=1)": "", "x.std()": "",
    "x.max()": "", "x.argmax()": "", "x.cumsum()": "",
    "x[m]": "", "x[k]": "",
    "bc.sort(x)": SORTED, "bc.sort(i)": SORTED, "bc.argsort(x)": SORTED, "bc.unique(i)": SORTED,
    "bc.searchsorted(sorted_x, x)": "",
    "bc.bincount(k)": "keys are sorted first", "frame.groupby('k').v.sum()": "keys are sorted first, then rows are taken in their order",
    "frame.merge(other, on='k')": "keys of both sides are sorted first", "frame.sort_values('v')": "keys are sorted first, then rows are taken in their order",
}  # fmt: skip

PROGRAM = """
import ctypes, json, os, sys
import numpy as np
import bascule as bc
import bascule.pandas as pd
fake = ctypes.CDLL(os.environ["BASCULE_CUDA_DRIVER"])
rng = np.random.default_rng(1)
n = 1 << 16
host = {
    "x": rng.random(n), "y": rng.random(n), "z": rng.random(n), "w": rng.random(n), "f": rng.random(n).astype("f4"),
    "g": rng.random(n).astype("f4"), "u": rng.integers(0, 99, n).astype("u1"), "m": rng.random(n) < 0.5,
    "i": rng.integers(0, 5000, n).astype("i4"), "k": rng.integers(0, 1000, n), "A": rng.random((512, 128)),
    "row": rng.random(128), "column": rng.random((512, 1)), "sorted_x": np.sort(rng.random(n)),
}
arrays = {name: bc.asarray(value) for name, value in host.items()}
frame = pd.DataFrame({"k": host["k"], "v": host["x"]})
other = pd.DataFrame({"k": np.arange(1000), "u": rng.random(1000)})
sizes = {name: a.nbytes for name, a in arrays.items()} | {"frame": 16 * n, "other": 16 * 1000}
used = {"A[:, :6].sum()": 512 * 6 * 8, "x[::2] + 1": n * 4, "x[k]": n * 16}
def size_of(r):
    if isinstance(r, bc.ndarray):
        return r.nbytes
    return sum(r.to_pandas().memory_usage(index=False, deep=True)) if hasattr(r, "columns") else r.to_pandas().nbytes
for call in json.loads(sys.stdin.read()):
    code = compile(call, call, "eval")
    names = [name for name in code.co_names if name in sizes]
    scope = {**arrays, "bc": bc, "frame": frame, "other": other}
    for _ in range(2):
        fake.bascule_fake_write_ptx_counts(b"/dev/null")
        r = eval(code, scope)
        if isinstance(r, bc.ndarray):
            bc.evaluate(r)
        bc.synchronize()
    file = os.environ["COUNTS"]
    open(file, "w").close()
    fake.bascule_fake_write_ptx_counts(file.encode())
    kernels = [json.loads(line) for line in open(file)]
    least = used.get(call, sum(sizes[name] for name in names)) + size_of(r)
    print(json.dumps({"call": call, "elements": max(len(host.get(name, host["x"]).ravel()) for name in names), "least": least, "kernels": kernels}))
"""
CLASSES = ("integer", "float32", "float64", "conversion", "logic", "memory", "shared", "warp", "control")


def counted(calls: list[str]) -> list[dict]:
    """Of each call its least bytes, and the counts of its kernels."""
    with tempfile.TemporaryDirectory() as folder:
        environment = emulated_cuda.environment(
            BASCULE_DEVICE="cuda",
            BASCULE_CACHE_DIR="",
            BASCULE_CUDA_POOL="exact",
            COUNTS=f"{folder}/counts",
            BASCULE_FAKE_CUDA_PTX_DISTINCT="1",
            **emulated_cuda.ptx_environment(),
        )
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM], input=json.dumps(calls), capture_output=True, text=True, env=environment
        )
    assert done.returncode == 0, done.stderr[-3000:]
    return [json.loads(line) for line in done.stdout.splitlines()]


def moved(row: dict) -> float:
    """Bytes of the sectors that a call's kernels touch, each once in a kernel, in units of the least."""
    return sum(k["distinct_sectors"] for k in row["kernels"]) * 32 / row["least"]


def cells(row: dict) -> list[object]:
    total: collections.Counter[str] = collections.Counter()
    for kernel in row["kernels"]:
        total.update({key: value for key, value in kernel.items() if key != "kernel"})
    by_class = " ".join(
        f"{name} {total[name] / row['elements']:.1f}" for name in CLASSES if total[name] >= row["elements"] / 20
    )
    share = lambda part, whole: f"{part / whole:.2f}" if whole else "–"
    return [
        f"`{row['call']}`", total["launches"], by_class, f"{moved(row):.2f}", share(total["sectors"], total["least_sectors"]),
        share(total["bank_cycles"], total["least_bank_cycles"]), f"{100 * total['divergent_branches'] / max(total['branches'], 1):.0f} %",
        max(k["longest_warp"] for k in row["kernels"]), CALLS[row["call"]] if moved(row) > MOST else "",
    ]  # fmt: skip


MOST = 1.15


def table(rows: list[dict]) -> str:
    lines = [
        "# What common calls execute",
        "",
        "Written by `make cuda-report` on a machine without a GPU: NVIDIA's compilers made the PTX, the interpreter of",
        "`tests/cuda/ptx` ran it and counted. Nothing here is a time. Instructions are those of threads for each element, of PTX, not",
        "of machine code; classes with less than one in 20 elements are left out. *Moved*: the 32-byte sectors that each kernel touches, each",
        "once, over the bytes that have to move at least (operands read once, the result written once). *Sectors*: those that each access of a warp",
        "touches over those that its bytes fill: more than 1 where caches have to help. *Banks*: cycles of shared memory over the least. *Divergent*: of the branches, those at which a",
        f"warp splits. *Longest*: instructions of the longest warp. Rows that move more than {MOST} times the least have the reason.",
        "",
        "| call | launches | instructions an element | moved | sectors | banks | divergent | longest | why more bytes move |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        lines.append("| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells(row)) + " |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", metavar="FILE", help="where the table goes; printed without it")
    parser.add_argument("--only", metavar="NAME", help="calls that contain this")
    options = parser.parse_args()
    if emulated_cuda.nvrtc() is None or emulated_cuda.thrust() is None:
        sys.exit("missing: NVRTC, or the algorithms' PTX, for which nvcc is needed")
    text = table(counted([call for call in CALLS if not options.only or options.only in call]))
    if options.write:
        Path(options.write).write_text(text)
    else:
        print(text)


if __name__ == "__main__":
    main()
