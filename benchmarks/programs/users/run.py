"""Scripts of ordinary users of NumPy and pandas, run with these and, unchanged, by `python -m bascule script.py`:
`python benchmarks/programs/users/run.py [SCRIPT ...]`.

Both must print the same; otherwise the script is reported as different and the exit code is 1. For bascule the share of
time in pandas and its functions are reported. The table of docs/scripts.md is that of benchmarks/ordinary.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
FILES = {
    p.stem: p for folder in (HERE, HERE.parent / "unchanged") for p in sorted(folder.glob("*.py")) if p.stem != "run"
}
SCRIPTS = [name for name, path in FILES.items() if path.parent == HERE]

# Does the same as `python -m bascule.pandas`, and times the calls that run in pandas.
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


def run(program: str, script: str, compiled: str) -> dict[str, Any]:
    """The output of a script under a program, and the program's notes. Compiled modules are loaded from `compiled`,
    where the first run writes them, as in an installation; a read-only checkout would compile them each time."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        done = subprocess.run(
            [sys.executable, "-c", program, str(report), str(FILES[script])],
            capture_output=True,
            text=True,
            check=False,
            env={**environment, "PYTHONPYCACHEPREFIX": compiled},
        )
        found = json.loads(report.read_text()) if report.exists() else {}
    return {"printed": done.stdout, "failed": done.stderr if done.returncode else "", **found}


def both(script: str, compiled: str, runs: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """The fastest of several runs of each, alternately, after one that is not counted."""
    pairs = [(run(PANDAS, script, compiled), run(TIMED, script, compiled)) for _ in range(runs + 1)]
    wrong = next((pair for pair in pairs if difference(*pair)), None)
    if wrong is not None:
        return wrong
    theirs, ours = (min(side[1:], key=lambda one: one["seconds"]) for side in zip(*pairs))
    return theirs, ours


def difference(theirs: dict[str, Any], ours: dict[str, Any]) -> str:
    """The position where two outputs differ, or the error."""
    for name, one in (("pandas", theirs), ("bascule", ours)):
        if one["failed"]:
            return f"{name}: {one['failed'].strip().splitlines()[-1]}"
    lines = zip(theirs["printed"].splitlines(), ours["printed"].splitlines())
    for k, (a, b) in enumerate(lines):
        if a != b:
            return f"line {k + 1}: {b!r}, pandas prints {a!r}"
    return "" if theirs["printed"] == ours["printed"] else "one prints more than the other"


def conditions(runs: int) -> str:
    """The conditions of the measurements."""
    import bascule
    import numpy
    import pandas

    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        cpu = next(text.partition(":")[2].strip() for text in lines if text.startswith("model name"))
    except (OSError, StopIteration):
        cpu = platform.machine()
    return (
        f"Measured {datetime.date.today()} on {cpu}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the start; bascule "
        f"{bascule.__version__} with {bascule.get_num_threads()} threads, NumPy {numpy.__version__}, pandas {pandas.__version__}, "
        f"Python {platform.python_version()}. The fastest of {runs} runs each, in processes of their own; the imports of both are not counted."
    )


def rows(scripts: list[str], runs: int) -> tuple[list[str], int]:
    """Lines of the table, and the number of scripts that differ."""
    wrong, whole, spent, table = 0, 0.0, 0.0, []
    compiled = tempfile.TemporaryDirectory()
    for script in scripts:
        theirs, ours = both(script, compiled.name, runs)
        differs = difference(theirs, ours)
        if differs:
            wrong += 1
            table.append(f"| {script} | **differs**: {differs} | | | | |")
        else:
            whole, spent = whole + ours["seconds"], spent + ours["in_pandas"]
            share = f"{100 * ours['in_pandas'] / ours['seconds']:.0f} %"
            named = "; ".join(f"{f['name']}: {f['reason']}" for f in ours["fallbacks"])
            gain = theirs["seconds"] / ours["seconds"]
            table.append(
                f"| {script} | {theirs['seconds']:.2f} | {ours['seconds']:.2f} | {gain:.1f}× | {share} | {named} |"
            )
        print(table[-1], flush=True)
    compiled.cleanup()
    if whole:
        table.append(f"\nOf bascule's {whole:.1f} s {100 * spent / whole:.0f} % were spent in pandas.")
        print(table[-1])
    return table, wrong


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("scripts", nargs="*", metavar="SCRIPT", help=", ".join(FILES))
    parser.add_argument(
        "--runs", type=int, default=3, help="runs of each script, of which the fastest counts (default: 3)"
    )
    chosen = parser.parse_args(arguments)
    unknown = [s for s in chosen.scripts if s not in FILES]
    if unknown:
        parser.error(f"no script {', '.join(unknown)}")
    print(conditions(chosen.runs), end="\n\n")
    head = [
        "| script | NumPy and pandas, s | bascule, s | faster | of it in pandas | fallbacks |",
        "|---|---|---|---|---|---|",
    ]
    print("\n".join(head))
    _, wrong = rows(chosen.scripts or list(FILES), chosen.runs)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
