"""Scripts of ordinary users of pandas on real data, run by pandas and, unchanged, by `python -m bascule.pandas`:
`python benchmarks/programs/users/run.py [SCRIPT ...]`.

Both print the same, or the script is reported as different and the exit code is 1. Of bascule's seconds it says which part
ran in pandas, and what.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
SCRIPTS = sorted(p.stem for p in HERE.glob("*.py") if p.stem != "run")

# What `python -m bascule.pandas` does, with a clock beside the calls that run in pandas.
TIMED = """
import json, sys, time, warnings
import bascule, bascule.pandas, sklearn.datasets, vega_datasets
from bascule.interop.accelerated import run
from bascule.pandas._fallback import counted

spent = 0.0
leave = counted.in_pandas.__exit__

def timed_leave(self, *error):
    global spent
    leave(self, *error)
    if not counted.NOW.depth:
        spent += time.perf_counter() - self.start

counted.in_pandas.__exit__ = timed_leave
bascule.pandas.DataFrame
warnings.simplefilter("ignore", bascule.FallbackWarning)
report, script = sys.argv[1:]
start = time.perf_counter()
run([script])
whole = time.perf_counter() - start
with open(report, "w") as file:
    json.dump({"seconds": whole, "in_pandas": spent, "fallbacks": bascule.fallbacks()}, file)
"""
PANDAS = """
import runpy, sys, time
import pandas, sklearn.datasets, vega_datasets
start = time.perf_counter()
runpy.run_path(sys.argv[2], run_name="__main__")
with open(sys.argv[1], "w") as file:
    file.write('{"seconds": %r}' % (time.perf_counter() - start))
"""


def run(program: str, script: str) -> dict[str, Any]:
    """What a script prints under a program, and what the program notes."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        done = subprocess.run(
            [sys.executable, "-c", program, str(report), str(HERE / f"{script}.py")],
            capture_output=True,
            text=True,
            check=False,
        )
        found = json.loads(report.read_text()) if report.exists() else {}
    return {"printed": done.stdout, "failed": done.stderr if done.returncode else "", **found}


def both(script: str) -> tuple[dict[str, Any], dict[str, Any]]:
    return run(PANDAS, script), run(TIMED, script)


def difference(theirs: dict[str, Any], ours: dict[str, Any]) -> str:
    """Where two outputs part, or what failed."""
    for name, one in (("pandas", theirs), ("bascule", ours)):
        if one["failed"]:
            return f"{name}: {one['failed'].strip().splitlines()[-1]}"
    lines = zip(theirs["printed"].splitlines(), ours["printed"].splitlines())
    for k, (a, b) in enumerate(lines):
        if a != b:
            return f"line {k + 1}: {b!r}, pandas prints {a!r}"
    return "" if theirs["printed"] == ours["printed"] else "one prints more than the other"


def main(scripts: list[str]) -> int:
    wrong, whole, spent = 0, 0.0, 0.0
    print("| script | pandas, s | bascule, s | of it in pandas | fallbacks |\n|---|---|---|---|---|")
    start = time.perf_counter()
    for script in scripts or SCRIPTS:
        theirs, ours = both(script)
        differs = difference(theirs, ours)
        if differs:
            wrong += 1
            print(f"| {script} | **differs**: {differs} | | | |", flush=True)
            continue
        whole, spent = whole + ours["seconds"], spent + ours["in_pandas"]
        share = f"{100 * ours['in_pandas'] / ours['seconds']:.0f} %"
        named = "; ".join(f"{f['name']}: {f['reason']}" for f in ours["fallbacks"])
        print(f"| {script} | {theirs['seconds']:.2f} | {ours['seconds']:.2f} | {share} | {named} |", flush=True)
    if whole:
        print(
            f"\nOf {whole:.1f} s {100 * spent / whole:.0f} % in pandas; {time.perf_counter() - start:.0f} s with starting."
        )
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
