"""Pictures of the demo's report: SVG text, no script, nothing from elsewhere."""

from __future__ import annotations

import html
from collections.abc import Sequence

FIRST, SECOND, INK = "#0b7285", "#9aa7b3", "#1b2733"


def _svg(width: float, height: float, label: str, parts: list[str]) -> str:
    size = f'viewBox="0 0 {width:.0f} {height:.0f}" width="100%"'
    body = "".join(parts)
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{html.escape(label)}">{body}</svg>'


def _text(x: float, y: float, text: str, anchor: str = "start", fill: str = INK) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{fill}">{html.escape(text)}</text>'


def _rect(x: float, y: float, width: float, height: float, fill: str) -> str:
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{fill}"/>'


def pairs(titles: Sequence[str], series: Sequence[tuple[str, Sequence[float | None], str]], label: str) -> str:
    """Lying bars: for each title one bar a series, with its number of milliseconds, on one scale."""
    longest = max((v for _, values, _ in series for v in values if v is not None), default=1.0)
    width, left, row = 900, 250, 14 * len(series) + 14
    parts = []
    for k, title in enumerate(titles):
        y = k * row + 6
        parts.append(_text(left - 10, y + row / 2, title, "end"))
        for i, (name, values, colour) in enumerate(series):
            value = values[k]
            if value is None:
                continue
            length = max(1.0, (width - left - 190) * value / longest)
            parts.append(_rect(left, y + 15 * i, length, 12, colour))
            parts.append(_text(left + length + 6, y + 15 * i + 11, f"{name} {value * 1e3:,.1f} ms"))
    return _svg(width, row * len(titles), label, parts)


def columns(names: Sequence[str], values: Sequence[float], unit: str, label: str) -> str:
    """Standing bars of numbers of either sign, each with its name below."""
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


def grid(names: Sequence[str], matrix: Sequence[Sequence[float]], label: str) -> str:
    """Squares coloured by numbers between -1 and 1."""
    left, side, top = 110, 66, 24
    parts = []
    for i, name in enumerate(names):
        parts.append(_text(left - 8, top + i * side + side / 2 + 4, name, "end"))
        parts.append(_text(left + i * side + side / 2, top - 8, name, "middle"))
        for j, value in enumerate(matrix[i]):
            tone = round(255 - 150 * min(1.0, abs(value)))
            fill = f"rgb({tone},{tone + (255 - tone) // 3},255)" if value < 0 else f"rgb(255,{tone},{tone - 30})"
            parts.append(_rect(left + j * side, top + i * side, side - 2, side - 2, fill))
            parts.append(_text(left + j * side + side / 2, top + i * side + side / 2 + 4, f"{value:.2f}", "middle"))
    return _svg(left + side * len(names), top + side * len(names), label, parts)
