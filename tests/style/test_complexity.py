"""A Python function takes at most 15 decisions (McCabe's number, as ruff counts it)."""

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MOST = 15
FOLDERS = ("python", "tests", "benchmarks", "docs", "notebooks")


def complex_functions(root: Path, folders: tuple[str, ...] = FOLDERS) -> dict[str, int]:
    limit = f"lint.mccabe.max-complexity={MOST}"
    command = [sys.executable, "-m", "ruff", "check", "--no-cache", "--isolated", "--select", "C901", "--config", limit]
    done = subprocess.run(
        [*command, "--output-format", "json", *folders], cwd=root, capture_output=True, text=True, timeout=120
    )
    assert done.returncode in (0, 1), done.stderr
    found = {}
    for entry in json.loads(done.stdout):
        name, number = re.search(r"`(\w+)` is too complex \((\d+) ", entry["message"]).groups()
        found[f"{Path(entry['filename']).relative_to(root).as_posix()}: {name}"] = int(number)
    return found


def test_functions_take_few_decisions():
    assert complex_functions(ROOT) == {}


def test_the_rule_sees_a_breach(tmp_path):
    branches = "".join(f"    if x == {k}:\n        return {k}\n" for k in range(MOST))
    (tmp_path / "python").mkdir()
    (tmp_path / "python/x.py").write_text(f"def f(x):\n{branches}")
    assert complex_functions(tmp_path, ("python",)) == {"python/x.py: f": MOST + 1}
