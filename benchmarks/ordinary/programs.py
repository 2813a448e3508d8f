"""The programs of benchmarks/ordinary: which there are, in which half each is, and how one is run."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
SIZES = ("small", "middle")
# Of the unseen half, but their results were wrong and had to be looked at: they count as seen from then on.
MOVED = frozenset({"grid_values"})
LIMIT = 300  # seconds after which a program counts as hanging


@dataclass(frozen=True)
class Program:
    kind: str
    name: str

    @property
    def path(self) -> Path:
        return HERE / self.kind / f"{self.name}.py"

    @property
    def seen(self) -> bool:
        """Whether it may be looked at while bascule is made faster: fixed by the name."""
        return zlib.crc32(self.name.encode()) % 2 == 0 or self.name in MOVED

    def expected(self, size: str) -> Path:
        return self.path.with_suffix(f".{size}.txt")

    def __str__(self) -> str:
        return f"{self.kind}/{self.name}"


@dataclass
class Run:
    """The output, the costs and the notes of one process."""

    printed: str
    error: str  # the last line of the error where it failed
    wall: float
    cpu: float
    noted: dict[str, Any] = field(default_factory=dict)


def programs() -> list[Program]:
    return [Program(p.parent.name, p.stem) for p in sorted(HERE.glob("*/*.py")) if p.parent.name != "clock"]


def is_call_of_a_method(statement: ast.stmt) -> bool:
    call = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)


def end_of_imports(source: str) -> int:
    """The line of the last import at the top of a program, between which stand at most calls such as matplotlib.use("Agg")."""
    last = 0
    for k, statement in enumerate(ast.parse(source).body):
        if isinstance(statement, ast.Import | ast.ImportFrom):
            last = statement.end_lineno or 0
        elif k == 0 and isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            last = statement.end_lineno or 0
        elif not is_call_of_a_method(statement):
            break
    return last


def with_clock(source: str) -> str:
    """The program with the clock's import at the end of its imports, on the same line, so that lines keep their numbers."""
    lines = source.split("\n")
    k = end_of_imports(source)
    if not k:
        return "import ordinary_clock; " + source
    statement, mark, comment = lines[k - 1].partition("  #")
    lines[k - 1] = f"{statement.rstrip()}; import ordinary_clock{mark}{comment}"
    return "\n".join(lines)


def environment(report: Path, compiled: str) -> dict[str, str]:
    """Modules are loaded from the folder `compiled`, where the first run writes them, as an installation has them; without
    one from where Python keeps them."""
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    path = os.pathsep.join(filter(None, [str(HERE / "clock"), kept.get("PYTHONPATH", "")]))
    set_here = {
        "PYTHONPATH": path,
        "PYTHONPYCACHEPREFIX": compiled,
        "ORDINARY_REPORT": str(report),
        "MPLBACKEND": "Agg",
    }
    return {**kept, **set_here}


def last_line(said: str, code: int) -> str:
    lines = [line for line in said.strip().splitlines() if line.strip()]
    return lines[-1] if lines else f"exit code {code}"


def run(program: Program, size: str, options: list[str], compiled: str) -> Run:
    """Run the program in a process of its own: `python program.py size`, with options before the program."""
    with tempfile.TemporaryDirectory() as folder:
        script, report, said = (Path(folder) / name for name in (f"{program.name}.py", "report.json", "said.txt"))
        script.write_text(with_clock(program.path.read_text()))
        command = [sys.executable, *options, str(script), size]
        with open(said, "w+") as errors, open(Path(folder) / "printed.txt", "w+") as printed:
            start = time.perf_counter()
            process = subprocess.Popen(
                command, stdout=printed, stderr=errors, env=environment(report, compiled), cwd=folder
            )
            code, cpu, late = waited(process)
            wall = time.perf_counter() - start
            printed.seek(0)
            errors.seek(0)
            error = f"did not end in {LIMIT} s" if late else last_line(errors.read(), code) if code else ""
            noted = json.loads(report.read_text()) if report.exists() else {}
            return Run(printed.read(), error, wall, cpu, noted)


def waited(process: subprocess.Popen) -> tuple[int, float, bool]:
    """The exit code, the seconds of CPU of the process and all that it waited for, and whether it had to be stopped."""
    late = threading.Event()
    stop = threading.Timer(LIMIT, lambda: (late.set(), process.kill()))
    stop.daemon = True
    stop.start()
    _, status, used = os.wait4(process.pid, 0)
    stop.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, used.ru_utime + used.ru_stime, late.is_set()


def difference(expected: str, printed: str) -> str:
    """Where a program's output parts from the expected text; empty where it does not."""
    wanted, found = expected.splitlines(), printed.splitlines()
    for k, (a, b) in enumerate(zip(wanted, found)):
        if a != b:
            return f"line {k + 1}: {b!r}, expected {a!r}"
    if len(wanted) != len(found):
        return f"{len(found)} lines, expected {len(wanted)}"
    return ""


def needs(error: str) -> str:
    """The library that is not installed, where that is the error."""
    found = re.match(r"ModuleNotFoundError: No module named '(\w+)", error)
    return found[1] if found and found[1] not in ("bascule", "ordinary_clock") else ""
