"""What a step of the demo is, and the whole program: frames, Dask, arrays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Data = dict[str, Any]
SECOND_RUN = 10_000  # rows, to say from where it pays; of fewer than ten times as many there is no such run


@dataclass(frozen=True)
class Step:
    """One function that both libraries run, and what is said about its results.

    Attributes
    ----------
    run : function
        Its parameters are among ``pd``, ``np`` (the library), ``dd``, ``da`` (Dask, whose backend is the library's) and
        ``d`` (the folder of the files and the results kept so far); it returns new results by name.
    title : str
    finding : function
        A sentence about the results, given as pandas' and NumPy's.
    keeps, drops : tuple of str
        Results that later steps want, and kept ones that no later step wants.
    plot : function, optional
        A picture (SVG) of the results.
    """

    run: Callable[..., Data]
    title: str
    finding: Callable[[Data], str]
    keeps: tuple[str, ...] = ()
    drops: tuple[str, ...] = ()
    plot: Callable[[Data], str] | None = None
