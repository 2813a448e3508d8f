"""Draws the graphs of the pages as pictures: a subset of mermaid's syntax, without a browser."""

from __future__ import annotations

import re
from html import escape

from docutils import nodes
from docutils.parsers.rst import Directive

NODE = r'(\w+)(?:\["([^"]*)"\])?'
EDGE = re.compile(rf"^\s*{NODE}\s*-->\s*{NODE}\s*$")
CHARACTER, LINE, GAP, RISE, MOST = 6.6, 15, 18, 34, 26


def parsed(text: str) -> tuple[dict[str, str], list[tuple[str, str]]]:
    """Labels by name and the edges of `graph TD` with lines `a["label"] --> b`."""
    labels: dict[str, str] = {}
    edges = []
    for line in text.splitlines():
        found = EDGE.match(line)
        if found is None:
            if line.strip() and not line.strip().startswith("graph "):
                raise ValueError(f"no edge of a graph: {line!r}")
            continue
        a, a_label, b, b_label = found.groups()
        for name, label in ((a, a_label), (b, b_label)):
            labels.setdefault(name, name)
            if label:
                labels[name] = label
        edges.append((a, b))
    return labels, edges


def layers(names: list[str], edges: list[tuple[str, str]]) -> list[list[str]]:
    """Names by the length of the longest path to them."""
    depth = dict.fromkeys(names, 0)
    for _ in names:
        for a, b in edges:
            depth[b] = max(depth[b], depth[a] + 1)
    if max(depth.values()) >= len(names):
        raise ValueError("the graph has a circle")
    return [[n for n in names if depth[n] == k] for k in range(max(depth.values()) + 1)]


def wrapped(label: str) -> list[str]:
    lines = [""]
    for word in label.split():
        if lines[-1] and len(lines[-1]) + len(word) + 1 > MOST:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def picture(text: str) -> str:
    """The graph as SVG, in the page's colours."""
    labels, edges = parsed(text)
    rows = layers(list(labels), edges)
    lines = {name: wrapped(label) for name, label in labels.items()}
    widths = {name: max(map(len, ls)) * CHARACTER + 20 for name, ls in lines.items()}
    total = max(sum(widths[n] + GAP for n in row) - GAP for row in rows)
    boxes: dict[str, tuple[float, float, float, float]] = {}
    y = 4.0
    for row in rows:
        height = max(len(lines[n]) for n in row) * LINE + 12
        x = 4 + (total - sum(widths[n] + GAP for n in row) + GAP) / 2
        for name in row:
            boxes[name] = (x, y, widths[name], height)
            x += widths[name] + GAP
        y += height + RISE
    drawn = []
    for a, b in edges:
        ax, ay, aw, ah = boxes[a]
        bx, by, bw, _ = boxes[b]
        x1, y1, x2, y2 = ax + aw / 2, ay + ah, bx + bw / 2, by - 2
        bend = min(RISE, (y2 - y1) / 2)
        drawn.append(
            f'<path d="M{x1:.0f},{y1:.0f} C{x1:.0f},{y1 + bend:.0f} {x2:.0f},{y2 - bend:.0f} {x2:.0f},{y2:.0f}" '
            'fill="none" stroke="currentColor" opacity="0.5" marker-end="url(#arrow)"/>'
        )
    for name, (x, y0, w, h) in boxes.items():
        drawn.append(
            f'<rect x="{x:.0f}" y="{y0:.0f}" width="{w:.0f}" height="{h:.0f}" rx="4" '
            'style="fill:var(--pst-color-surface,#f4f4f4)" stroke="currentColor" stroke-opacity="0.4"/>'
        )
        top = y0 + (h - len(lines[name]) * LINE) / 2 + 11
        for k, line in enumerate(lines[name]):
            drawn.append(
                f'<text x="{x + w / 2:.0f}" y="{top + k * LINE:.0f}" text-anchor="middle" fill="currentColor">'
                f"{escape(line)}</text>"
            )
    arrow = (
        '<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0,0 L8,4 L0,8 z" fill="currentColor"/></marker></defs>'
    )
    said = escape("; ".join(f"{labels[a]} → {labels[b]}" for a, b in edges))
    return (
        f'<svg role="img" aria-label="{said}" viewBox="0 0 {total + 8:.0f} {y - RISE + 8:.0f}" '
        f'style="max-width:{total + 8:.0f}px;width:100%" font-family="sans-serif" font-size="12">'
        f"{arrow}{''.join(drawn)}</svg>"
    )


class Graph(Directive):
    has_content = True

    def run(self) -> list[nodes.Node]:
        return [nodes.raw("", picture("\n".join(self.content)), format="html")]


def setup(app):
    app.add_directive("mermaid", Graph)
    return {"parallel_read_safe": True}
