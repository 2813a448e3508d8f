"""Shared by the examples: one argument for the size, the folder of the data, the check, the time and the plot.

    python benchmarks/stories/genomics.py                 # on this machine, at its full size
    python benchmarks/stories/genomics.py --scale 0.01    # a hundredth of the data
    python benchmarks/stories/genomics.py --peer          # the same on Dask's threads with NumPy or pandas, too

Each computes with `scheduler="bascule"` within a memory limit, checks its result against known properties of the data,
writes a plot, and prints one line of JSON. Full sizes are for a machine with 16 GB; a scale of 10 is ten times the
data.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import dask


class Story:
    """A run of one example.

    Parameters
    ----------
    name : str
        Name of the plot and in the output.
    memory_limit : str
        Memory limit for results, at scale 1.
    """

    def __init__(self, name: str, doc: str | None, memory_limit: str = "2 GB", arguments: list[str] | None = None):
        parser = argparse.ArgumentParser(description=doc)
        parser.add_argument("--scale", type=float, default=1.0, help="of the data")
        parser.add_argument(
            "--folder", type=Path, help="where data and the plot go; by default a temporary folder, and here"
        )
        parser.add_argument("--memory-limit", default=memory_limit, help="bytes of results that are kept in memory")
        parser.add_argument("--peer", action="store_true", help="time Dask's threads with NumPy or pandas, too")
        given = parser.parse_args(arguments)
        if given.scale <= 0:
            parser.error("the scale is positive")
        self.name, self.scale, self.peer = name, given.scale, given.peer
        self._temporary = None if given.folder else tempfile.TemporaryDirectory(prefix="bascule-story-")
        self.folder = Path(given.folder or self._temporary.name)  # type: ignore[union-attr]
        self.folder.mkdir(parents=True, exist_ok=True)
        self.plot_file = (given.folder or Path.cwd()) / f"{name}.png"
        self.memory_limit = given.memory_limit
        self.seconds: dict[str, float] = {}

    def n(self, full: int, least: int = 1) -> int:
        """A size at this scale."""
        return max(int(full * self.scale), least)

    def side(self, full: int, least: int = 1) -> int:
        """The length of one of two axes at this scale."""
        return max(int(full * self.scale**0.5), least)

    def settings(self, ours: bool = True) -> Any:
        """Dask's settings for bascule or for the peer."""
        name = "bascule" if ours else None
        return dask.config.set({
            "array.backend": name or "numpy", "dataframe.backend": name or "pandas", "scheduler": name or "threads",
            "bascule.memory-limit": self.memory_limit, "bascule.follow-config": ours, "bascule.spill-directory": str(self.folder),
        })  # fmt: skip

    def run(self, program: Callable[[], Any]) -> tuple[Any, Any]:
        """Run a program with bascule and, if requested, with the peer; returns both results."""
        results: list[Any] = [None, None]
        for k, ours in enumerate((True, False) if self.peer else (True,)):
            with self.settings(ours):
                began = time.perf_counter()
                results[k] = program()
                self.seconds["bascule" if ours else "peer"] = time.perf_counter() - began
        return results[0], results[1]

    def check(self, holds: Any, what: str) -> None:
        """Exit if a result is not as expected."""
        if not bool(holds):
            sys.exit(f"{self.name}: wrong result: {what}")

    def plot(self, draw: Callable[[Any], None]) -> None:
        """Write a plot, which `draw` puts on axes."""
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot

        figure, axes = pyplot.subplots(figsize=(7, 4.5), layout="constrained")
        draw(axes)
        figure.savefig(self.plot_file, dpi=120)
        pyplot.close(figure)

    def end(self, **told: Any) -> None:
        """Print the results and delete temporary files."""
        seconds = {k: round(v, 3) for k, v in self.seconds.items()}
        print(
            json.dumps(
                {"story": self.name, "scale": self.scale, "seconds": seconds, "plot": str(self.plot_file), **told}
            )
        )
        if self._temporary is not None:
            self._temporary.cleanup()
