"""Plots of the demo's report: SVG text without scripts or external files."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence

FIRST, SECOND, INK, SLOWER = "#0b7285", "#9aa7b3", "#1b2733", "#b3261e"


def _svg(width: float, height: float, label: str, parts: list[str]) -> str:
    size = f'viewBox="0 0 {width:.0f} {height:.0f}" width="100%"'
    body = "".join(parts)
    title = html.escape(label)
    drawn = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{title}">{body}</svg>'
    return f"<figure><figcaption>{title}</figcaption>{drawn}</figure>"


def _text(x: float, y: float, text: str, anchor: str = "start", fill: str = INK) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{fill}">{html.escape(text)}</text>'


def _rect(x: float, y: float, width: float, height: float, fill: str) -> str:
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{fill}"/>'


def columns(names: Sequence[str], values: Sequence[float], unit: str, label: str) -> str:
    """A bar chart of numbers of either sign, each with its name below."""
    width, height, top, bottom = 900, 260, 20, 40
    high, low = max(0.0, *values), min(0.0, *values)
    scale = (height - top - bottom) / ((high - low) or 1.0)
    zero = top + high * scale
    step = width / max(1, len(names))
    parts = [f'<line x1="0" x2="{width}" y1="{zero:.1f}" y2="{zero:.1f}" stroke="{SECOND}"/>']
    for k, (name, value) in enumerate(zip(names, values)):
        x, middle = k * step, (k + 0.5) * step
        parts.append(_rect(x + step * 0.1, zero - max(value, 0) * scale, step * 0.8, max(abs(value) * scale, 1), FIRST))
        at = zero - value * scale - 5 if value >= 0 else zero - value * scale + 14
        parts.append(_text(middle, at, f"{value:.0f}", "middle"))
        parts.append(_text(middle, height - 12, name, "middle"))
    parts.append(_text(width, 12, unit, "end", SECOND))
    return _svg(width, height, label, parts)


def diverging(value: float) -> str:
    """The colour of a number between -1 and 1: blue, white at zero, red."""
    share = min(1.0, abs(value))
    strong = (59, 110, 200) if value < 0 else (200, 62, 45)
    return "rgb({},{},{})".format(*(round(255 - (255 - c) * 0.8 * share) for c in strong))


def gains(titles: Sequence[str], values: Sequence[float], label: str) -> str:
    """Horizontal bars of speedups on a scale of powers of two; slower results are to the left of 1×."""
    width, left, row, top = 640, 250, 24, 26
    logs = [math.log2(v) for v in values]
    low, high = min(0.0, *logs) - 0.2, max(1.0, *logs) + 0.2
    scale = (width - left - 60) / (high - low)
    one = left - low * scale
    bottom = top + row * len(titles)
    parts = [f'<line x1="{one:.1f}" x2="{one:.1f}" y1="{top - 6}" y2="{bottom}" stroke="{SECOND}"/>']
    parts.append(_text(one, 14, "as fast", "middle", SECOND))
    for k, (title, value, log) in enumerate(zip(titles, values, logs)):
        y, length = top + k * row, abs(log) * scale
        short = title if len(title) <= 36 else title[:35] + "…"
        parts.append(_text(left - 10, y + 13, short, "end"))
        parts.append(_rect(one if log >= 0 else one - length, y, max(length, 1), 17, FIRST if log >= 0 else SLOWER))
        parts.append(_text(max(one, one + log * scale) + 6, y + 13, f"{value:.1f}×"))
    return _svg(width, bottom + 6, label, parts)


def grid(names: Sequence[str], matrix: Sequence[Sequence[float]], label: str) -> str:
    """A grid of squares coloured by numbers between -1 and 1."""
    left, side, top = 110, 66, 24
    parts = []
    for i, name in enumerate(names):
        parts.append(_text(left - 8, top + i * side + side / 2 + 4, name, "end"))
        parts.append(_text(left + i * side + side / 2, top - 8, name, "middle"))
        for j, value in enumerate(matrix[i]):
            parts.append(_rect(left + j * side, top + i * side, side - 2, side - 2, diverging(value)))
            text = f"{value:.2f}".replace("-0.00", "0.00")
            parts.append(_text(left + j * side + side / 2, top + i * side + side / 2 + 4, text, "middle"))
    return _svg(left + side * len(names), top + side * len(names), label, parts)
