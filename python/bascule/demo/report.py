"""The demo's results as a table for the terminal and as one page of HTML without scripts."""

from __future__ import annotations

import html
import inspect
import math
import statistics
from pathlib import Path
from typing import Any

import numpy as np
import pandas

from .. import __version__
from . import plots
from .steps import SECOND_RUN

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1b2733 }
.headline { font-size: 1.3rem; font-weight: 600 } .wide { overflow-x: auto } figure { margin: 1.5rem 0 } figcaption { font-weight: 600; margin-bottom: .5rem }
 summary { cursor: pointer; padding: .2rem 0 }
table { border-collapse: collapse; width: 100% } th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid #d8dee4 }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums } .bad { color: #b3261e; font-weight: 600 }
pre { background: #f5f7f9; padding: .8rem; overflow-x: auto; font-size: 13px } small { color: #5b6875 } svg text { font: 13px system-ui, sans-serif }
"""


HEAD = ["step", "pandas, NumPy", "bascule", "speed-up", "memory: theirs", "bascule's", "equal?", "fallbacks"]
_NUMBERS = (1, 2, 3, 4, 5)  # columns of the table that are aligned to the right


def _head(outcomes: list[Any]) -> list[str]:
    return [*HEAD, *_others(outcomes)]


def _others(outcomes: list[Any]) -> list[str]:
    """Other libraries that ran some step."""
    return sorted({name for o in outcomes for name in o.others})


def _megabytes(n: int | None) -> str:
    return "" if n is None else f"{n / 1e6:,.0f} MB"


def _milliseconds(seconds: float | None) -> str:
    return "" if seconds is None else f"{seconds * 1e3:,.1f} ms"


def _times(gain: float | None) -> str:
    return "" if gain is None else f"{gain:.1f}×"


def _verdict(o: Any) -> str:
    if o.failed:
        return "FAILED"
    if o.refused:
        return "did not run"
    return "DIFFERS" if o.differs else "equal"


def _cells(o: Any, others: list[str]) -> list[str]:
    seconds = [_milliseconds(o.peer_seconds), _milliseconds(o.bascule_seconds)]
    memory = [_megabytes(o.peer_bytes), _megabytes(o.bascule_bytes)]
    alongside = [_milliseconds(o.others.get(name)) for name in others]
    return [o.step.title, *seconds, _times(o.gain), *memory, _verdict(o), ", ".join(o.fallbacks) or "none", *alongside]


def _totals(outcomes: list[Any]) -> list[list[str]]:
    ran = [o for o in outcomes if o.gain is not None]
    theirs, ours = sum(o.peer_seconds for o in ran), sum(o.bascule_seconds for o in ran)
    mean = math.exp(statistics.fmean(math.log(o.gain) for o in ran)) if ran else None
    bad = [word for word in ("FAILED", "DIFFERS", "did not run") if any(_verdict(o) == word for o in outcomes)]
    fell = sum(bool(o.fallbacks) for o in outcomes)
    blank = [""] * len(_others(outcomes))
    return [
        ["all steps", _milliseconds(theirs), _milliseconds(ours), _times(theirs / ours if ours else None), "", "",
         bad[0] if bad else "equal", f"in {fell} step{'s' * (fell > 1)}" if fell else "none", *blank],
        ["geometric mean", "", "", _times(mean), "", "", "", "", *blank],
    ]  # fmt: skip


def pays_from(few: float, many: float, few_rows: int, many_rows: int) -> float | None:
    """Number of rows from which a step is as fast as with pandas, on the straight line through two speedups, both axes
    logarithmic; None if the two sizes do not determine it."""
    if few >= 1:
        return None
    if many < 1:
        return math.inf
    share = -math.log(few) / (math.log(many) - math.log(few))
    return few_rows * (many_rows / few_rows) ** share


def small_sizes(outcomes: list[Any], few: list[Any] | None, rows: int, few_rows: int) -> list[str]:
    """The text on the run with few rows: a sentence on all steps, and one for each step that does not pay there."""
    gains = {o.step.title: o.gain for o in outcomes if o.gain is not None}
    ran = [(o.step.title, o.gain) for o in few or () if o.gain is not None and o.step.title in gains]
    if not ran:
        return []
    whole = math.exp(statistics.fmean(math.log(g) for _, g in ran))
    said = [
        f"On {few_rows:,} rows: {whole:.1f}× (geometric mean), {sum(g < 1 for _, g in ran)} of {len(ran)} steps slower."
    ]
    for title, gain in sorted(ran, key=lambda r: r[1]):
        at = pays_from(gain, gains[title], few_rows, rows)
        if at is not None:
            said.append(f"{title}: {gain:.1f}× there, " + ("slower at both sizes" if at == math.inf else f"pays from about {_rounded(at):,} rows"))  # fmt: skip
    return said


def _rounded(n: float) -> int:
    """Round to one significant digit."""
    unit = 10 ** math.floor(math.log10(n))
    return round(n / unit) * unit


def _notes(outcomes: list[Any]) -> list[str]:
    found = [f"{o.step.title}: {text}" for o in outcomes if (text := o.failed or o.refused or o.differs)]
    return found + [f"{o.step.title}: {text}" for o in outcomes for text in o.remarks]


def _about(files: Any, where: str) -> list[str]:
    return [
        f"bascule {__version__} on {where}; pandas {pandas.__version__}, NumPy {np.__version__}.",
        f"Data: {files.source}; {files.rows:,} flights by repetition, {files.bytes / 1e6:,.0f} MB in {files.folder}.",
        "Equal: same labels, dtypes, shapes and order, integers and texts exactly, floats to a relative 1e-12 (of arrays: of the largest value).",
        "Times: the better of the runs, each of which reads the files anew. Fallbacks: calls that ran in pandas or NumPy.",
        "Memory: by how much the process grew at most while the step ran, the first time.",
    ]


def text(outcomes: list[Any], files: Any, where: str, few: list[Any] | None = None) -> str:
    """The table that the demo prints."""
    head, others = _head(outcomes), _others(outcomes)
    body, totals = [_cells(o, others) for o in outcomes], _totals(outcomes)
    widths = [max(len(line[k]) for line in (head, *body, *totals)) for k in range(len(head))]

    def row(line: list[str]) -> str:
        return "  ".join(
            c.rjust(w) if k in _NUMBERS or k >= len(HEAD) else c.ljust(w) for k, (c, w) in enumerate(zip(line, widths))
        ).rstrip()

    rule = "-" * (sum(widths) + 2 * len(widths) - 2)
    table = [row(head), rule, *map(row, body), rule, *map(row, totals)]
    found = [f"  {o.finding}" for o in outcomes if o.finding]
    small = small_sizes(outcomes, few, files.rows, SECOND_RUN)
    return "\n".join(
        [
            *table,
            *_notes(outcomes),
            *(["", *small] if small else []),
            "",
            "What the data say",
            *found,
            "",
            *_about(files, where),
        ]
    )


def _row(cells: list[str], tag: str = "td") -> str:
    marked = []
    for k, cell in enumerate(cells):
        kind = (
            ' class="n"' if k in _NUMBERS or k >= len(HEAD) else ' class="bad"' if cell in ("DIFFERS", "FAILED") else ""
        )
        marked.append(f"<{tag}{kind}>{html.escape(cell)}</{tag}>")
    return "<tr>" + "".join(marked) + "</tr>"


def headline(outcomes: list[Any]) -> str:
    """A summary in one sentence."""
    ran = [o for o in outcomes if o.gain is not None]
    if not ran:
        return "No step ran with both."
    whole = sum(o.peer_seconds for o in ran) / (sum(o.bascule_seconds for o in ran) or 1.0)
    equal, fell = sum(_verdict(o) == "equal" for o in outcomes), sum(bool(o.fallbacks) for o in outcomes)
    slower = [o for o in ran if o.gain < 1]
    said = f"{whole:.1f}× as fast as pandas and NumPy with the same code; {equal} of {len(outcomes)} steps equal, "
    said += f"{fell} with fallbacks" if fell else "no fallbacks"
    return said + (
        f"; {len(slower)} slower: {'; '.join(o.step.title for o in slower)}." if slower else "; no step slower."
    )


def _program(o: Any) -> str:
    code = html.escape(inspect.getsource(o.step.run).rstrip())
    return f"<details><summary>{html.escape(o.step.title)}</summary><pre>{code}</pre></details>"


def write_html(out: Path, outcomes: list[Any], files: Any, where: str, few: list[Any] | None = None) -> Path:
    """Write the page into the folder and return its path."""
    totals = [_row(line, "th") for line in _totals(outcomes)]
    others = _others(outcomes)
    table = "\n".join([_row(_head(outcomes), "th"), *(_row(_cells(o, others)) for o in outcomes), *totals])
    small = "".join(f"<li>{html.escape(s)}</li>" for s in small_sizes(outcomes, few, files.rows, SECOND_RUN))
    small = f"<h2>From where it pays</h2><ul>{small}</ul>" if small else ""
    notes = "".join(f'<p class="bad">{html.escape(n)}</p>' for n in _notes(outcomes))
    found = "".join(f"<li>{html.escape(o.finding)}</li>" for o in outcomes if o.finding)
    ran = sorted((o for o in outcomes if o.gain is not None), key=lambda o: -o.gain)
    bars = (
        plots.gains([o.step.title for o in ran], [o.gain for o in ran], "How many times faster each step is")
        if ran
        else ""
    )
    drawn = "".join(o.plot for o in outcomes if o.plot)
    about = "<br>".join(map(html.escape, _about(files, where)))
    code = "\n".join(map(_program, outcomes))
    page = f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>bascule demo</title><style>{STYLE}</style></head><body>
<h1>bascule demo</h1>
<p>One program, run once with <code>pd = pandas</code> and <code>np = numpy</code>, once with <code>pd = bascule.pandas</code>
and <code>np = bascule</code>; Dask with its backends set to either.</p>
<p class="headline">{html.escape(headline(outcomes))}</p>
{notes}
{bars}
<h2>Times</h2>
<div class="wide"><table>{table}</table></div>
{small}
<h2>What the data say</h2>
<ul>{found}</ul>
{drawn}
<h2>The program</h2>
{code}
<p><small>{about}</small></p>
</body></html>
"""
    out.mkdir(parents=True, exist_ok=True)
    path = (out / "report.html").resolve()
    path.write_text(page, encoding="utf-8")
    return path
