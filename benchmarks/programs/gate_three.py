"""Benchmark of a complete program: `bascule demo` on real flights, against pandas, NumPy and Dask."""

from __future__ import annotations

from harness import Program, Target

# In a separate process, which prints a JSON object: seconds of all steps for each library, and the speedups.
DEMO = """
import json, math, pathlib, sys, tempfile
from bascule import demo
with tempfile.TemporaryDirectory() as folder:
    outcomes = demo.run(pathlib.Path(folder), {n}, "cpu")[0]
wrong = [f"{o.step.title}: {o.differs or o.failed or o.refused}" for o in outcomes if o.differs or o.failed or o.refused]
assert not wrong, wrong
gains = [o.gain for o in outcomes]
print(json.dumps({
    "best": {"NumPy": sum(o.peer_seconds for o in outcomes), "bascule": sum(o.bascule_seconds for o in outcomes)},
    "mean": math.exp(sum(map(math.log, gains)) / len(gains)), "least": min(gains), "most": max(gains),
    "fallbacks": sum(len(o.fallbacks) for o in outcomes),
}))
"""

ROWS = [
    Program("`bascule demo`: all steps of reading, joining, grouping, arrays and Dask", "s", DEMO, 3_000_000, 20_000,
            (Target("mean", at_least=3, text="geometric mean of the steps ≥ 3×", reported=True),
             Target("least", at_least=0.9, text="least ≥ 0.9×", reported=True))),
]  # fmt: skip
