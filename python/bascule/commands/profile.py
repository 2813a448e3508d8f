"""`bascule profile script.py`: the time of each line of a program, and its calls that ran in NumPy or pandas."""

from __future__ import annotations

import argparse
import contextlib
import itertools
import linecache
import os
import shlex
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from types import CodeType, FrameType, ModuleType
from typing import Any

from .. import _core
from ..config import config
from ..fallback import fallbacks
from ..interop.accelerated import accelerate, begin_program
from ..profiling import SHORTEST_LINE, Profile
from ..text_table import table
from .output import count, refuse, show

_IMPORTER, _IMPORTING = (
    "<frozen importlib._bootstrap>",
    "_find_and_load",
)  # where Python imports a module that is not loaded


class LineTimes:
    """Collects seconds, runs and fallbacks of the lines of one file.

    A line's time lasts until the next line of the file starts, so it includes calls into other files; calls into the
    same file count for the lines there. Time to load modules that a line is the first to need counts for the line
    only if it is an import, and else for all of them together.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.seconds: Counter[int] = Counter()
        self.runs: Counter[int] = Counter()
        self.fallbacks: dict[int, Counter[str]] = {}
        self.passes: Counter[int] = Counter()  # passes that the engine ran, also for operations of earlier lines
        self.bytes: dict[int, int] = {}  # largest size of arrays in the host's memory after the line
        self.moved: Counter[int] = Counter()  # bytes of operands and results of the devices' calls during the line
        self.imports = 0.0  # seconds that lines without an import spent on importing modules
        self.recording = Profile()
        self._passes = self._moved = 0
        self._line, self._since = 0, 0
        self._importing = 0  # nanoseconds of imports during the current line
        self._import_began, self._depth = 0, 0
        self._seen: Counter[str] = Counter()

    def _until_now(self) -> None:
        importing, self._importing = self._importing, 0
        if self._line:
            now = time.perf_counter_ns()
            code = linecache.getline(self.path, self._line).strip()
            importing = 0 if code.startswith(("import ", "from ")) else importing
            self.imports += importing / 1e9
            self.seconds[self._line] += (now - self._since - importing) / 1e9
            if now - self._since >= SHORTEST_LINE:
                self.recording.add_line(f"line {self._line}: {code}", self._since, now)
            moved, before = _core.recorded()[1], self._moved
            self.moved[self._line] += moved - before
            self._moved = moved
            passes, before = _core.statistics()["plans"], self._passes
            self.passes[self._line] += passes - before
            self._passes = passes
            self.bytes[self._line] = max(self.bytes.get(self._line, 0), _core.memory("cpu")["in_use"])
            fell = self._counted()
            if fell != self._seen:
                self.fallbacks.setdefault(self._line, Counter()).update(fell - self._seen)
                self._seen = fell

    @staticmethod
    def _counted() -> Counter[str]:
        return Counter({f"{f['name']}: {f['reason']}": f["calls"] for f in fallbacks()})

    def _local(self, frame: FrameType, event: str, argument: Any) -> Any:
        if event not in ("line", "return"):  # an error on its way
            return self._local
        if event == "line":
            self._until_now()
            self._line = frame.f_lineno
            self.runs[self._line] += 1
        elif event == "return":
            self._until_now()
            caller = frame.f_back
            while (
                caller is not None and caller.f_code.co_filename != self.path
            ):  # a library that calls functions of the file
                caller = caller.f_back
            self._line = 0 if caller is None else caller.f_lineno
        self._since = time.perf_counter_ns()
        return self._local

    def _called(self, frame: FrameType, event: str, argument: Any) -> Any:
        code = frame.f_code
        if code.co_filename == self.path:
            return self._local
        if code.co_name == _IMPORTING and code.co_filename == _IMPORTER:
            self._depth += 1
            if self._depth == 1:
                self._import_began = time.perf_counter_ns()
            return self._import
        return None

    def _import(self, frame: FrameType, event: str, argument: Any) -> Any:
        if event == "return":
            self._depth -= 1
            if self._depth == 0:
                self._importing += time.perf_counter_ns() - self._import_began
        return self._import

    def run(self, code: CodeType, names: dict[str, Any]) -> None:
        """Execute a program while its lines are timed."""
        self._seen, self._passes, self._moved = self._counted(), _core.statistics()["plans"], _core.recorded()[1]
        before = sys.gettrace()
        with self.recording:
            sys.settrace(self._called)
            try:
                exec(code, names)
            finally:
                sys.settrace(before)
                self._until_now()

    def rows(self) -> list[dict[str, Any]]:
        """The lines in order."""
        return [
            {
                "line": line, "seconds": self.seconds[line], "runs": self.runs[line],
                "passes": self.passes[line], "bytes": self.bytes.get(line, 0), "moved": self.moved[line],
                "fallbacks": dict(self.fallbacks.get(line, {})), "code": linecache.getline(self.path, line).strip(),
            }
            for line in sorted(self.runs)
        ]  # fmt: skip


def add(commands: Any) -> argparse.ArgumentParser:
    parser = commands.add_parser(
        "profile",
        help="the time and the fallbacks of each line of a program",
        description="Run a program and report for each of its lines how long it took, how often it ran, and how many passes the engine "
        "made, how many MB their operands and results had (moved), how much memory arrays held behind it (MB), and what of it ran in "
        "NumPy or pandas, and why. Work that waits counts for the line that reads its result; modules that a line loads count for it if it is "
        "an import, and else for a row of their own. With --json what the program prints goes to standard error. "
        "The exit code is that of the program.",
    )
    parser.add_argument("--accelerate", action="store_true", help="replace the program's numpy and pandas by bascule")
    parser.add_argument(
        "--top", type=count, default=15, metavar="N", help="number of lines shown, slowest first (default: 15)"
    )
    parser.add_argument(
        "--trace", metavar="FILE", help="a trace for chrome://tracing and ui.perfetto.dev: lines, threads, streams"
    )
    parser.add_argument("script", help="a Python file")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="arguments of the program")
    return parser


def _sum(rows: list[dict[str, Any]], name: str) -> list[Any]:
    """A row of the table for several lines."""
    seconds, moved = sum(r["seconds"] for r in rows), sum(r["moved"] for r in rows)
    fell = sum(n for r in rows for n in r["fallbacks"].values())
    return ["", f"{seconds * 1e3:.2f}", "", sum(r["passes"] for r in rows), f"{moved / 1e6:.1f}", "", fell, name]


def _text(rows: list[dict[str, Any]], top: int, imports: float) -> str:
    worst = sorted(rows, key=lambda r: -r["seconds"])
    others, worst = worst[top:], worst[:top]
    cells = [
        [
            r["line"],
            f"{r['seconds'] * 1e3:.2f}",
            r["runs"],
            r["passes"],
            f"{r['moved'] / 1e6:.1f}",
            f"{r['bytes'] / 1e6:.1f}",
            sum(r["fallbacks"].values()),
            r["code"][:90],
        ]
        for r in worst
    ]
    if others:
        cells.append(_sum(others, f"{len(others)} other lines"))
    if imports:
        cells.append(["", f"{imports * 1e3:.2f}", "", "", "", "", "", "modules that lines without an import loaded"])
    total = _sum(rows, "all lines")
    total[1] = f"{(sum(r['seconds'] for r in rows) + imports) * 1e3:.2f}"
    cells.append(total)
    why = [f"  line {r['line']}: {reason} ({n})" for r in rows for reason, n in r["fallbacks"].items()]
    return "\n".join(
        [
            table(["line", "ms", "runs", "passes", "moved", "MB", "fallbacks", "code"], cells),
            *(["", "fallbacks", *why] if why else []),
        ]
    )


_cells = itertools.count(1)


def magic(shell: Any, line: str, cell: str) -> None:
    """``%%bascule_profile [--top N] [--trace FILE]``: show the table of `bascule profile` below a cell."""
    parser = argparse.ArgumentParser(prog="%%bascule_profile", add_help=False, exit_on_error=False)
    parser.add_argument("--top", type=count, default=15)
    parser.add_argument("--trace")
    chosen = parser.parse_args(shlex.split(line))
    path, text = f"<bascule_profile {next(_cells)}>", shell.transform_cell(cell)
    linecache.cache[path] = len(text), None, text.splitlines(True), path  # tracebacks need the code
    watch = LineTimes(path)
    watch.run(compile(text, path, "exec"), shell.user_ns)
    if chosen.trace:
        watch.recording.save(chosen.trace)
    print(_text(watch.rows(), chosen.top, watch.imports))


@contextlib.contextmanager
def _output_apart() -> Iterator[None]:
    """Send what a program and its children print to standard error, so that standard output has the JSON alone."""
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        with contextlib.redirect_stdout(sys.stderr):
            yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)


def run(chosen: argparse.Namespace) -> int:
    path = os.path.abspath(chosen.script)
    if chosen.trace and not os.access(os.path.dirname(os.path.abspath(chosen.trace)), os.W_OK):
        return refuse(f"[profile] cannot write {chosen.trace}: no folder that can be written")
    try:
        with open(path, "rb") as file:
            code = compile(file.read(), path, "exec")
    except OSError as error:
        return refuse(f"[profile] cannot read {chosen.script}: {error.strerror}")
    random = config.random
    if chosen.accelerate:
        begin_program()
    program = ModuleType("__main__")
    program.__dict__.update(__file__=path, __builtins__=__builtins__)
    command, sys.modules["__main__"] = sys.modules["__main__"], program
    watch, status = LineTimes(path), 0
    arguments, paths = sys.argv[:], sys.path[:]
    sys.argv[:] = [chosen.script, *chosen.arguments]
    sys.path.insert(0, os.path.dirname(path))
    try:
        with _output_apart() if chosen.json else contextlib.nullcontext():
            watch.run(code, program.__dict__)
    except SystemExit as error:
        status = error.code if isinstance(error.code, int) else int(error.code is not None)
        if status and not isinstance(error.code, int):
            print(error.code, file=sys.stderr)
    except Exception:  # the table of the lines that ran is shown nevertheless
        status = 1
        traceback.print_exc()
    finally:
        sys.modules["__main__"] = command
        sys.argv[:], sys.path[:] = arguments, paths
        if chosen.accelerate:
            accelerate.undo()
            config.random = random
    rows = watch.rows()
    if chosen.trace:
        watch.recording.save(chosen.trace)
    seconds = sum(r["seconds"] for r in rows) + watch.imports
    data = {"script": chosen.script, "exit": status, "seconds": seconds, "imports": watch.imports, "lines": rows}
    show(chosen.json, data, _text(rows, chosen.top, watch.imports))
    return status
