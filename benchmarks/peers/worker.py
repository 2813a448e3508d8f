"""One library in a separate process: it reads requests from the driver as lines of JSON, and replies to each with one
line.

The inputs of a row come from files that NumPy's worker wrote, so all libraries compute with the same numbers; NumPy's
result is next to them, and every other result is compared with it before any of its times counts.
"""

from __future__ import annotations

import hashlib
import sys
import time
import timeit
from pathlib import Path
from typing import Any

import libraries
import numpy as np
from checks import WrongResult, check
from rows import INPUTS, ROWS, Row

sys.path.append(str(Path(__file__).resolve().parents[1]))
from answers import serve

NUDGE = 2.0**-20


class Worker:
    def __init__(self, name: str, folder: Path):
        self.name = name
        self.library = libraries.load(name)
        self.folder = folder
        self.held: tuple[str, int] | None = None
        self.inputs: list = []
        self.originals: list[np.ndarray] = []

    # ---- inputs

    def make(self, row: str, size: str) -> dict[str, Any]:
        """Write a row's inputs for all workers."""
        entry = ROWS[row]
        arrays = INPUTS[entry.inputs](np.random.Generator(np.random.SFC64(42)), entry.size(size))
        for old in self.folder.glob("input-*.npy"):
            old.unlink()
        for k, x in enumerate(arrays):
            np.save(self.folder / f"input-{k}.npy", x)
        return {"bytes": sum(x.nbytes for x in arrays)}

    def hold(self, row: Row, n: int) -> None:
        """Load the inputs, unless the previous row had the same ones."""
        if self.held == (row.inputs, n):
            return
        self.release()
        self.originals = [np.load(path, mmap_mode="r") for path in sorted(self.folder.glob("input-*.npy"))]
        # Values without dimensions are arguments, not arrays.
        self.inputs = [self.library.take(np.array(x)) if x.ndim else x[()] for x in self.originals]
        self.held = (row.inputs, n)

    def release(self) -> dict[str, Any]:
        self.inputs, self.originals, self.held = [], [], None
        return {}

    def nudge(self, factor: float) -> None:
        """Change the first element of each input, so that no two timed calls are equal; a factor of one restores it."""
        for k, x in enumerate(self.originals):
            if x.ndim:
                at = (0,) * x.ndim
                value = x[at] * factor if x.dtype.kind in "fc" else x[at]
                self.inputs[k] = self.library.write(self.inputs[k], at, value.item())

    # ---- calls

    def call(self) -> tuple[float, Any]:
        form, inputs, wait = self.form, self.inputs, self.library.wait
        if self.row.calls == 1:
            start = time.perf_counter()
            result = form(*inputs)
            wait(result)
            return time.perf_counter() - start, result
        start = time.perf_counter()
        for _ in range(self.row.calls):
            result = form(*inputs)
        wait(result)
        return (time.perf_counter() - start) / self.row.calls, result

    def begin(self, row: str, size: str) -> dict[str, Any]:
        """Call and compare; the first timing is that of a second call if the first one warms up."""
        self.row = ROWS[row]
        self.form = self.library.form(self.row)
        if self.form is None:
            return {"skip": True}
        self.hold(self.row, self.row.size(size))
        first, result = self.call()
        arrays = [self.library.give(x) for x in libraries.each(result)]
        if self.name == "numpy":
            for old in self.folder.glob("result-*.npy"):
                old.unlink()
            for k, x in enumerate(arrays):
                np.save(self.folder / f"result-{k}.npy", x)
        else:
            wanted = [np.load(path, mmap_mode="r") for path in sorted(self.folder.glob("result-*.npy"))]
            check(self.row, arrays, wanted, self.originals)
        del result, arrays
        return {"first": self.time(0)["seconds"][0] if self.library.warms else first}

    def time(self, budget: float) -> dict[str, Any]:
        """Seconds of several calls, at least one, until a budget of seconds is spent."""
        times: list[float] = []
        start = time.perf_counter()
        while not times or time.perf_counter() - start < budget:
            self.nudge(1 - NUDGE * (len(times) % 7 + 1))
            taken, result = self.call()
            del result
            times.append(taken)
        if not self.row.writes:
            self.nudge(1)
        return {"seconds": times}

    def end(self, keep: bool) -> dict[str, Any]:
        """End the row; its inputs are kept only if requested and unchanged."""
        if not keep or self.row.writes:
            self.release()
        return {}

    def digest(self) -> dict[str, Any]:
        """A digest of the row's result, bit for bit."""
        _, result = self.call()
        total = hashlib.sha256()
        for x in libraries.each(result):
            total.update(np.ascontiguousarray(self.library.give(x)).tobytes())
        return {"digest": total.hexdigest()}

    def statement(self, text: str, n: int, calls: int) -> dict[str, Any]:
        """Best seconds of one statement on small arrays x and y."""
        rng = np.random.default_rng(n)
        names = {name: self.library.take(rng.random(n)) for name in "xy"}
        return {"best": min(timeit.Timer(text, globals=names).repeat(5, calls)) / calls}

    def about(self) -> dict[str, Any]:
        return {"version": self.library.version, "numpy": np.__version__}


if __name__ == "__main__":
    serve(lambda: Worker(sys.argv[1], Path(sys.argv[2])), wrong=WrongResult)
