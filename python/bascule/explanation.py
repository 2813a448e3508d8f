"""The result of `explain`: text to print, and a tree of the pending operations in notebooks."""

from __future__ import annotations

import html
import re

OPERATION = re.compile(r"^  (%\d+) = (\S+?)\((.*?)\)  (\S.*)$")


class Explanation(str):
    """A string whose representation is its text, and a tree in notebooks.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.explain(bc.evaluate(bc.ones(3)))
    in memory: float64(3,) on cpu
    <BLANKLINE>
    """

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return "\n".join(_block(lines) for lines in _blocks(self.splitlines()))


def _blocks(lines: list[str]) -> list[list[str]]:
    """The headline and the operations of each array."""
    blocks: list[list[str]] = []
    for line in filter(str.strip, lines):
        if line.startswith("  ") and blocks:
            blocks[-1].append(line)
        else:
            blocks.append([line])
    return blocks


def _operands(text: str) -> list[str]:
    """Split at the commas that are outside brackets."""
    parts, depth = [""], 0
    for c in text:
        depth += (c in "([") - (c in ")]")
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return [p.strip() for p in parts if p.strip()]


def _block(lines: list[str]) -> str:
    head, operations, others = f"<p>{html.escape(lines[0])}</p>", {}, []
    for line in lines[1:]:
        found = OPERATION.match(line)
        if found is None:
            others.append(line.strip())
        else:
            name, op, operands, kind = found.groups()
            operations[name] = op, _operands(operands), kind
    read = {o for _, operands, _ in operations.values() for o in operands}
    drawn: set[str] = set()

    def tree(name: str) -> str:
        if name not in operations:
            return f"<li>{html.escape(name)}</li>"
        op, operands, kind = operations[name]
        label = f"<b>{html.escape(op)}</b> <small>{html.escape(kind)}</small>"
        if name in drawn:
            return f"<li>{label} <small>(drawn above)</small></li>"
        drawn.add(name)
        inside = "".join(map(tree, operands))
        return f"<li><details open><summary>{label}</summary><ul>{inside}</ul></details></li>"

    roots = [name for name in operations if name not in read]
    rest = "".join(f"<li>{html.escape(o)}</li>" for o in others)
    body = "".join(map(tree, roots)) + rest
    return f"<div>{head}{f'<ul>{body}</ul>' if body else ''}</div>"
