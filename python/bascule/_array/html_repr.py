"""An array as a table for notebooks: its elements as NumPy prints them, shortened where NumPy shortens."""

from __future__ import annotations

import html
import sys
from typing import Any

import numpy as np

from .. import _core
from . import conversion

_COLUMNS = 10  # columns of the table for an array with one axis, which is cut into rows
_GAP = "…"
_SEPARATOR = "\n"  # no number has it in its text


def _shown(extent: int, edge: int | None) -> list[int | None]:
    """Positions along an axis that are shown; None stands for those left out."""
    if edge is None or extent <= 2 * edge:
        return list(range(extent))
    return [*range(edge), None, *range(extent - edge, extent)]


def _strings(elements: np.ndarray) -> list[str]:
    """Each element in the format that NumPy chooses for all of them."""
    whole = np.array2string(elements.ravel(), sys.maxsize, separator=_SEPARATOR, threshold=sys.maxsize)
    return [html.escape(t.strip()) for t in whole.strip("[]").split(_SEPARATOR)] if elements.size else []


def _corner(x: Any, shown: list[list[int | None]]) -> np.ndarray:
    """The elements at the positions that are shown; no others are copied from the array's device."""
    for axis, positions in enumerate(shown):
        if None in positions:
            x = x.take(np.array([p for p in positions if p is not None], np.intp), axis=axis)
    return conversion.to_numpy(x)


def _filled(strings: list[str], columns: list[int | None]) -> list[list[str]]:
    """Rows of strings, with a gap where a column stands for several."""
    width, gap = sum(c is not None for c in columns), columns.index(None) if None in columns else None
    rows = [strings[i : i + width] for i in range(0, len(strings), width)] if width else []
    return rows if gap is None else [[*row[:gap], _GAP, *row[gap:]] for row in rows]


def _table(columns: list[Any], rows: list[tuple[Any, list[str]]]) -> str:
    head = "".join(f"<th>{_GAP if c is None else c}</th>" for c in columns)
    body = "\n".join(
        f"    <tr><th>{_GAP if name is None else name}</th>{''.join(f'<td>{t}</td>' for t in strings)}</tr>"
        for name, strings in rows
    )
    return (
        f'<table border="1" class="dataframe">\n  <thead>\n    <tr><th></th>{head}</tr>\n  </thead>\n'
        f"  <tbody>\n{body}\n  </tbody>\n</table>"
    )


def _line(x: Any, edge: int | None) -> str:
    positions = _shown(len(x), edge)
    strings = _strings(_corner(x, [positions]))
    if None in positions:
        return _table(positions, [(0, next(iter(_filled(strings, positions)), [_GAP]))])
    return _table(
        list(range(min(len(x), _COLUMNS))),
        [(i, strings[i : i + _COLUMNS]) for i in range(0, len(strings), _COLUMNS)],
    )


def _grid(x: Any, edge: int | None) -> str:
    names, columns = (_shown(n, edge) for n in x.shape)
    rows = iter(_filled(_strings(_corner(x, [names, columns])), columns))
    return _table(columns, [(n, [_GAP] * len(columns) if n is None else next(rows, [])) for n in names])


def array_html(self: Any) -> str | None:
    """A table of an array with one or two axes, below a line with its shape, type, device, bytes, and whether it was
    still lazy; NumPy's text of an array with more axes.

    `set_printoptions` decides which elements are left out and how a number is written. Scalars have no table.

    Returns
    -------
    str or None

    Examples
    --------
    >>> import bascule as bc
    >>> bc.ones((2, 3))._repr_html_().splitlines()[1]
    '<p>shape (2, 3), float64, cpu, 48 bytes</p>'
    """
    if self.ndim == 0:
        return None
    options = np.get_printoptions()
    edge = options["edgeitems"] if self.size > options["threshold"] else None
    waited = ", waited and was computed to be shown" if _core.is_pending(self) else ""
    head = f"<p>shape {self.shape}, {self.dtype}, {html.escape(self.device)}, {self.nbytes:,} bytes{waited}</p>"
    if self.ndim > 2:
        return f"<div>\n{head}\n<pre>{html.escape(str(self))}</pre>\n</div>"
    return f"<div>\n{head}\n{(_line if self.ndim == 1 else _grid)(self, edge)}\n</div>"
