"""`bascule coverage`: the functions of NumPy and pandas that are native."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import Any

from .output import show


def add(commands: Any) -> argparse.ArgumentParser:
    parser = commands.add_parser(
        "coverage",
        help="which of NumPy's functions or pandas' members are native",
        description="Print the state of NumPy's functions, or with --frames of pandas' members. The exit code is 1 if a name is unknown.",
    )
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="such as pad, or DataFrame.merge with --frames; by default all"
    )
    parser.add_argument("--frames", action="store_true", help="members of pandas instead of functions of NumPy")
    return parser


def run(chosen: argparse.Namespace) -> int:
    data: dict[str, Any]
    if chosen.frames:
        import bascule.pandas as pd

        try:
            states: Any = pd.coverage()
        except ModuleNotFoundError as error:
            raise SystemExit(f"[coverage] {error}") from None
        try:
            found = {name: states.entry(name) for name in chosen.names}
        except KeyError as error:
            raise SystemExit(error.args[0]) from None
        lines = {name: repr(entry) for name, entry in found.items()}
        data = {name: asdict(entry) for name, entry in found.items()} or dict(states)
    else:
        from ..coverage_table import coverage

        states = coverage()
        lines = {name: repr(states[name]) for name in states}
        data = {n: {"state": e.state, "parameters": e.parameters, "reason": e.reason} for n, e in states.items()}
        unknown = [n for n in chosen.names if n not in data]
        if unknown:
            raise SystemExit(f"[coverage] no function of NumPy is called {', '.join(unknown)}")
    if chosen.names:
        data = {n: data[n] for n in chosen.names}
        show(chosen.json, data, "\n".join(lines[n] for n in chosen.names))
    else:
        show(chosen.json, data, repr(states))
    return 0
