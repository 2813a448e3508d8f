"""What commands print: a text for people, or JSON for programs."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any


def show(as_json: bool, data: Any, text: str) -> None:
    """Print one of the two."""
    print(json.dumps(data, indent=1, ensure_ascii=False) if as_json else text)


def refuse(text: str) -> int:
    """Say why a command line is wrong; the exit code for it."""
    print(text, file=sys.stderr)
    return 2


def count(text: str) -> int:
    """The type of an option that counts something."""
    try:
        n = int(text)
    except ValueError:
        n = 0
    if n < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number of at least 1, got {text!r}")
    return n
