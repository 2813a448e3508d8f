"""The command `bascule`: what is here, and a demonstration on real data."""

from __future__ import annotations

import argparse
from pathlib import Path

from . import __version__


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="bascule", description="One array library for CPU and GPU, with NumPy's interface.")
    parser.add_argument("--version", action="version", version=f"bascule {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")
    commands.add_parser("info", help="devices, threads, memory, packages found and missing")
    return parser


def main(argv: list[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    _parser().parse_args(argv)
    from .installation import text

    print(text())
    return 0
