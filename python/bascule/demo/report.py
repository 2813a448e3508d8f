"""The demo's results as a table for the terminal and as one page of HTML without any script."""

from __future__ import annotations

import html
import inspect
from pathlib import Path
from typing import Any

import numpy as np

from .. import __version__

NEXT = "This is the array part. Tables (frames with pandas' interface) join with the next release."
STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1b2733 }
table { border-collapse: collapse; width: 100% } th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid #d8dee4 }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums } .bad { color: #b3261e; font-weight: 600 }
pre { background: #f5f7f9; padding: .8rem; overflow-x: auto; font-size: 13px } small { color: #5b6875 } svg text { font: 13px system-ui, sans-serif }
"""


def _verdict(o: Any) -> str:
    if o.refused:
        return "did not run"
    return "DIFFERS" if o.differs else "equal"


def _cells(o: Any) -> list[str]:
    ours = "" if o.bascule_seconds is None else f"{o.bascule_seconds * 1e3:,.1f} ms"
    gain = "" if o.bascule_seconds is None else f"{o.numpy_seconds / o.bascule_seconds:.1f}×"
    return [o.step.title, f"{o.numpy_seconds * 1e3:,.1f} ms", ours, gain, _verdict(o), ", ".join(o.fallbacks)]


def _total(outcomes: list[Any]) -> list[str]:
    ran = [o for o in outcomes if o.bascule_seconds is not None]
    theirs, ours = sum(o.numpy_seconds for o in ran), sum(o.bascule_seconds for o in ran)
    gain = f"{theirs / ours:.1f}×" if ours else ""
    verdict = "DIFFERS" if any(o.differs for o in outcomes) else "equal"
    return ["all steps", f"{theirs * 1e3:,.1f} ms", f"{ours * 1e3:,.1f} ms", gain, verdict, ""]


HEAD = ["step", "NumPy", "bascule", "speed-up", "equal?", "fallbacks (ran in NumPy)"]


def _notes(outcomes: list[Any]) -> list[str]:
    notes = [f"{o.step.title}: {o.differs}" for o in outcomes if o.differs]
    return notes + [f"{o.step.title}: {o.refused}" for o in outcomes if o.refused]


def _about(source: str, rows: int, where: str) -> list[str]:
    return [
        f"bascule {__version__} on {where}; NumPy {np.__version__}.",
        f"Data: {source}; {rows:,} rows by repetition.",
        "Equal: same dtypes and shapes, integers exactly, floats to 1e-12 of the array's largest value.",
        NEXT,
    ]


def text(outcomes: list[Any], source: str, rows: int, where: str) -> str:
    """The table that the demo prints."""
    lines = [HEAD, *map(_cells, outcomes), _total(outcomes)]
    widths = [max(len(line[k]) for line in lines) for k in range(len(HEAD))]

    def row(line: list[str]) -> str:
        return "  ".join(
            c.rjust(w) if 1 <= k <= 3 else c.ljust(w) for k, (c, w) in enumerate(zip(line, widths))
        ).rstrip()

    rule = "-" * len(row(["-" * w for w in widths]))
    body = [row(HEAD), rule, *map(row, lines[1:-1]), rule, row(lines[-1])]
    found = [f"  {o.finding}" for o in outcomes]
    return "\n".join([*body, *_notes(outcomes), "", "What the data say", *found, "", *_about(source, rows, where)])


def _bars(outcomes: list[Any]) -> str:
    """One pair of bars a step, on a common scale of time."""
    longest = max(max(o.numpy_seconds, o.bascule_seconds or 0) for o in outcomes)
    height, width, left, parts = 44, 900, 220, []
    for k, o in enumerate(outcomes):
        y = k * height + 6
        parts.append(f'<text x="{left - 10}" y="{y + 19}" text-anchor="end">{html.escape(o.step.title)}</text>')
        for row, (name, value, colour) in enumerate(
            (("NumPy", o.numpy_seconds, "#9aa7b3"), ("bascule", o.bascule_seconds, "#0b7285"))
        ):
            if value is None:
                continue
            length = max(1.0, (width - left - 170) * value / longest)
            top = y + row * 16
            parts.append(f'<rect x="{left}" y="{top}" width="{length:.1f}" height="13" fill="{colour}"/>')
            parts.append(f'<text x="{left + length + 6:.1f}" y="{top + 11}">{name} {value * 1e3:,.1f} ms</text>')
    size = f'viewBox="0 0 {width} {height * len(outcomes)}" width="100%"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="time a step">{"".join(parts)}</svg>'


def _row(cells: list[str], tag: str = "td") -> str:
    marked = []
    for k, cell in enumerate(cells):
        kind = ' class="n"' if 1 <= k <= 3 else ' class="bad"' if cell == "DIFFERS" else ""
        marked.append(f"<{tag}{kind}>{html.escape(cell)}</{tag}>")
    return "<tr>" + "".join(marked) + "</tr>"


def write_html(out: Path, outcomes: list[Any], source: str, rows: int, where: str) -> Path:
    """Write the page into the folder and return its path."""
    table = "\n".join([_row(HEAD, "th"), *(_row(_cells(o)) for o in outcomes), _row(_total(outcomes), "th")])
    notes = "".join(f'<p class="bad">{html.escape(n)}</p>' for n in _notes(outcomes))
    found = "".join(f"<li>{html.escape(o.finding)}</li>" for o in outcomes)
    about = "<br>".join(map(html.escape, _about(source, rows, where)))
    code = html.escape("\n\n".join(inspect.getsource(o.step.run).rstrip() for o in outcomes))
    page = f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>bascule demo</title><style>{STYLE}</style></head><body>
<h1>bascule demo</h1>
<p>One program, run once with NumPy and once with bascule: <code>xp = numpy</code>, <code>xp = bascule</code>.</p>
<h2>Time</h2>
{_bars(outcomes)}
<table>{table}</table>
{notes}
<h2>What the data say</h2>
<ul>{found}</ul>
<h2>The program</h2>
<pre>{code}</pre>
<p><small>{about}</small></p>
</body></html>
"""
    out.mkdir(parents=True, exist_ok=True)
    path = (out / "report.html").resolve()
    path.write_text(page, encoding="utf-8")
    return path
