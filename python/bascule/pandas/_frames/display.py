"""The representation of frames and series: the rows that are shown are formatted by pandas itself."""

from __future__ import annotations

import re
from typing import Any

from .. import _plain_text
from .._theirs import is_loaded, pandas


def _shown(x: Any) -> tuple[Any, int | None]:
    """A pandas object with the representation of x, and the number of rows it stands for where it is shortened.

    pandas shows the first and last rows of a long object: those are the rows of x, with copies of the first one between them.
    """
    n, most = len(x), pandas.get_option("display.max_rows")
    if not most or n <= max(most, 1):
        return x.to_pandas(), None
    least = pandas.get_option("display.min_rows")
    edge = (min(least, most) if least else most) // 2 + 1
    filler = max(most + 1 - 2 * edge, 1)
    if n <= 2 * edge + filler:
        return x.to_pandas(), None
    positions = [*range(edge), *[0] * filler, *range(n - edge, n)]
    return x._take_rows(positions).to_pandas(), n


def frame_text(frame: Any) -> str:
    own = None if is_loaded() else _plain_text.frame_text(frame)  # before, pandas' options have their defaults
    if own is not None:
        return own
    shown, n = _shown(frame)
    text = repr(shown)
    return text if n is None else re.sub(r"\[\d+ rows x", f"[{n} rows x", text)


def frame_html(frame: Any) -> str | None:
    shown, n = _shown(frame)
    text = shown._repr_html_()
    return text if n is None or text is None else re.sub(r"<p>\d+ rows ×", f"<p>{n} rows ×", text)


def series_text(series: Any) -> str:
    own = None if is_loaded() else _plain_text.series_text(series)
    if own is not None:
        return own
    shown, n = _shown(series)
    text = repr(shown)
    if n is None:
        return text
    freq = getattr(series._index, "_freq", None)
    freq = "" if freq is None else f"Freq: {freq.freqstr}, "
    return re.sub(r"\n((?:Name: .*, )?)Length: \d+, dtype", rf"\n{freq}\1Length: {n}, dtype", text)
