"""Runs hostile_calls.py, again from the next call after each crash, and reports the failures.

python hostile_runs.py KIND SEED COUNT [FIRST]    prints it
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = Path(__file__).with_name("hostile_calls.py")


def _ended(code):
    if code == -signal.SIGALRM:
        return "hangs"
    return f"dies of {signal.Signals(-code).name}" if code < 0 else f"ends with {code}"


def run(kind, seed, count, first=0):
    """The failures of the calls first, first + 1, ...: strings that begin with the number of the call."""
    wrong, end = [], first + count
    with tempfile.TemporaryDirectory() as folder:
        journal = Path(folder) / "journal"
        while first < end:
            journal.unlink(missing_ok=True)
            done = subprocess.run(
                [sys.executable, "-X", "faulthandler", str(PROGRAM), kind, str(seed), str(first), str(end - first),
                 str(journal)],
                cwd=folder, capture_output=True, text=True, errors="replace",
                env={**os.environ, "PYTHONPATH": os.pathsep.join([str(PROGRAM.parent), *filter(None, [os.environ.get("PYTHONPATH")])]),
                     "MALLOC_PERTURB_": "165"},
            )  # fmt: skip
            said = journal.read_bytes().split(b"\0")[0] if journal.exists() else b""
            if said == b"done":
                break
            if not said:
                wrong.append(
                    f"{kind} {seed} {first}: {_ended(done.returncode)} before the first call\n{done.stderr[-3000:]}"
                )
                break
            index, phase, text = json.loads(said)
            if phase == "bascule":
                wrong.append(f"{kind} {seed} {index}: {_ended(done.returncode)}: {text}\n{done.stderr[-1500:]}")
            first = index + 1
        found = journal.with_name("journal.found")
        for line in found.read_text().splitlines() if found.exists() else []:
            index, why, text = json.loads(line)
            wrong.append(f"{kind} {seed} {index}: {text}: {why}")
    return wrong


if __name__ == "__main__":
    for text in run(sys.argv[1], *map(int, sys.argv[2:])):
        print(text)
