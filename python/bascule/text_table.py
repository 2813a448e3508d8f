"""Tables of plain text, for commands and reports."""

from __future__ import annotations

from typing import Any


def table(head: list[str], rows: list[list[Any]]) -> str:
    """A table with aligned columns, numbers to the right."""
    cells = [[str(c) for c in row] for row in (head, *rows)]
    widths = [max(len(row[k]) for row in cells) for k in range(len(head))]
    right = [all(isinstance(row[k], (int, float)) or row[k][:1].isdigit() for row in rows) for k in range(len(head))]
    lines = [
        "  ".join(c.rjust(w) if r else c.ljust(w) for c, w, r in zip(row, widths, right)).rstrip() for row in cells
    ]
    return "\n".join([lines[0], "-" * (sum(widths) + 2 * len(widths) - 2), *lines[1:]])
