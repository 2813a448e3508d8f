"""The speedup by the just-in-time compiler: expressions with it on and off, in two alternating processes.

python benchmarks/jit_worth.py [--rounds N] [--size N ...] [--only PATTERN]
"""

import argparse
import math
import os
import re
import subprocess
import sys
import time

# a to e float64, f to h float32, i and j int64, k int32, u and v uint8, p and q float16
EXPRESSIONS = (
    "a + b",
    "a * b + c",
    "a * b + c * d - e / 2",
    "((a * b + 1.5) * a - 2) * a + 0.25",
    "(a - b) ** 2",
    "f * g + h",
    "(f - g) * 0.5 + h * 2 - f * g",
    "i * 3 + j",
    "(k ^ 21) + (k >> 3)",
    "u + v",
    "p * q + p",
    "a / b",
    "1 / (1 + a * a)",
    "bc.sqrt(a * a + b * b)",
    "bc.where(a > b, a, b * 2)",
    "bc.clip(a * 2 - b, 0, 1)",
    "bc.maximum(a, 0) + bc.minimum(b, 0)",
    "(a > 0.5) & (b < 0.5)",
    "bc.isfinite(a + b)",
    "f.astype('f8') * a",
    "(a * 255).astype('u1')",
    "(a[::2] + b[::2]) * c[::2]",
    "a[1:] - a[:-1]",
    "(a[:-2] + a[1:-1] + a[2:]) / 3",
    "a[::-1] * b + c",
    "(a * b).sum()",
    "((a - b) ** 2).mean()",
    "(a * b + c > d).sum()",
    "bc.exp(-a * a) * b + c",
    "bc.sin(a) * 2 + b",
    "(u + v) & 15",
    "bc.where(u > v, u, v) + 1",
    "(u << 1) | (v >> 1)",
    "bc.maximum(u, v) - bc.minimum(u, v)",
    "(u > 20) & (v < 80)",
    "u.astype('i4') * k + 1",
    "u.astype('f4') * f",
    "(k + 1).astype('i8') * i",
    "(k * 2).astype('u1')",
    "(f > g) | bc.isnan(f)",
    "(a < b) ^ (b < c)",
    "~(a < b)",
    "(i << 3) ^ (j >> 2)",
    "bc.copysign(a, b) + c",
    "bc.fmax(a, b) * c",
    "a / b + c / d",
    "1 / a + 1 / b",
    "f / g - h",
    "bc.floor(a * 10) - a",
    "abs(a - b) < 0.1",
    "-a * b - c",
    "p * 2 + q * q",
    "bc.where(a > 0.5, 1.0, 0.0) * b",
    "a[::4] + b[::4] * 2",
    "f[::2] * g[::2] + 1",
    "a[::-1] + b[::-1]",
    "bc.sqrt(abs(a - b)) + c",
    "bc.signbit(a - b)",
    "(i > 50) * a",
    "bc.exp(a * b + c)",
)

WORKER = """
import sys, time
import numpy as np
import bascule as bc
rng = np.random.default_rng(1)
size, names = 0, {}
def arrays(n):
    types = dict(a="f8", b="f8", c="f8", d="f8", e="f8", f="f4", g="f4", h="f4", i="i8", j="i8", k="i4", u="u1", v="u1", p="f2", q="f2")
    return {x: bc.asarray((rng.random(n) * 100 if t[0] in "iu" else rng.random(n)).astype(t)) for x, t in types.items()}
def finished(x):
    return x.block_until_ready() if hasattr(x, "block_until_ready") else bc.evaluate(x)
for line in sys.stdin:
    n, repeats, text = line.rstrip("\\n").split("\\t")
    if int(n) != size:
        size, names = int(n), arrays(int(n))
    run = eval("lambda a, b, c, d, e, f, g, h, i, j, k, u, v, p, q: " + text, {"bc": bc})
    best = 1e9
    for _ in range(int(repeats)):
        start = time.perf_counter()
        finished(run(**names))
        best = min(best, time.perf_counter() - start)
    print(best, flush=True)
"""


class Worker:
    def __init__(self, jit: str):
        environment = os.environ | {"BASCULE_JIT": jit, "BASCULE_NUM_THREADS": "1"}
        self.process = subprocess.Popen(
            [sys.executable, "-B", "-c", WORKER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )

    def time(self, text: str, size: int, repeats: int) -> float:
        self.process.stdin.write(f"{size}\t{repeats}\t{text}\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=15)
    options.add_argument("--size", type=int, nargs="*", default=[10_000, 1_000_000])
    options.add_argument("--only", default="")
    given = options.parse_args()
    on, off = Worker("auto"), Worker("off")
    print(f"| expression | {' | '.join(f'{n:,}' for n in given.size)} |")
    print("|---|" + "---:|" * len(given.size))
    all_ratios: dict[int, list[float]] = {n: [] for n in given.size}
    started = time.perf_counter()
    for text in EXPRESSIONS:
        if not re.search(given.only, text):
            continue
        row = []
        for n in given.size:
            best = {on: math.inf, off: math.inf}
            for _ in range(given.rounds):
                for worker in (on, off):
                    best[worker] = min(best[worker], worker.time(text, n, 30 if n < 100_000 else 5))
            row.append(best[off] / best[on])
            all_ratios[n].append(row[-1])
        print(f"| `{text.replace('|', chr(92) + '|')}` | {' | '.join(f'{r:.2f}' for r in row)} |", flush=True)
    means = [math.exp(sum(map(math.log, r)) / len(r)) for r in all_ratios.values()]
    print(f"| geometric mean | {' | '.join(f'{m:.2f}' for m in means)} |")
    print(f"{time.perf_counter() - started:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
