"""The class of a step of the demo."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Data = dict[str, Any]
SECOND_RUN = 10_000  # rows; only for runs of at least ten times as many


@dataclass(frozen=True)
class Step:
    """One function that both libraries run, and the description of its results.

    Attributes
    ----------
    run : function
        Its parameters are among ``pd``, ``np`` (the library), ``dd``, ``da`` (Dask, whose backend is the library's) and
        ``d`` (the folder of the files and the results kept so far); it returns new results by name.
    title : str
    finding : function
        Returns a sentence about the results, which it gets as pandas' and NumPy's.
    keeps, drops : tuple of str
        Results that later steps use, and kept ones that no later step uses.
    plot : function, optional
        A plot (SVG) of the results.
    """

    run: Callable[..., Data]
    title: str
    finding: Callable[[Data], str]
    keeps: tuple[str, ...] = ()
    drops: tuple[str, ...] = ()
    plot: Callable[[Data], str] | None = None
