"""Output of the commands: text to read, or JSON for programs."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any


def show(as_json: bool, data: Any, text: str) -> None:
    """Print the data as JSON, or the text."""
    print(json.dumps(data, indent=1, ensure_ascii=False) if as_json else text)


def refuse(text: str) -> int:
    """Print why a command line is wrong, and return its exit code."""
    print(text, file=sys.stderr)
    return 2


def count(text: str) -> int:
    """The type of an option that is a count."""
    try:
        n = int(text)
    except ValueError:
        n = 0
    if n < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number of at least 1, got {text!r}")
    return n
