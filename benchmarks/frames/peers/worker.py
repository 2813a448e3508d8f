"""One library in a separate process: it reads requests as lines of JSON, and replies to each with one line.

pandas' results are in files next to the tables; every other result is compared with them before any of its times
counts.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import pickle
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import checks
import pandas
import pyarrow as pa
from pyarrow import feather

sys.path.append(str(Path(__file__).resolve().parents[2]))
from answers import serve


def pandas_frame(table: pa.Table) -> pandas.DataFrame:
    """A table as pandas' frame; dates become timestamps, since pandas has no type for them."""
    frame = table.to_pandas()
    for field in table.schema:
        if field.type == pa.date32():
            frame[field.name] = frame[field.name].astype("datetime64[s]")
    return frame


class Pandas:
    forms = "forms_pandas"

    def __init__(self) -> None:
        self.module: Any = pandas
        self.version = pandas.__version__

    def take(self, held: SimpleNamespace, name: str, table: pa.Table) -> None:
        setattr(held, name, pandas_frame(table))

    def call(self, form: Any, held: SimpleNamespace) -> Any:
        return form(self.module, held)

    def give(self, result: Any) -> Any:
        return result

    def fallbacks(self) -> list[str]:
        return []


class Bascule(Pandas):
    def __init__(self) -> None:
        import bascule
        import bascule.pandas

        self.bascule, self.module, self.version = bascule, bascule.pandas, bascule.__version__

    def take(self, held: SimpleNamespace, name: str, table: pa.Table) -> None:
        setattr(held, name, self.module.from_pandas(pandas_frame(table)))

    def call(self, form: Any, held: SimpleNamespace) -> Any:
        return self.bascule.evaluate(form(self.module, held))

    def give(self, result: Any) -> Any:
        return result.to_pandas() if hasattr(result, "to_pandas") else result

    def fallbacks(self) -> list[str]:
        return [f"{f['name']}: {f['reason']}" for f in self.bascule.fallbacks(reset=True)]


class FireDucks(Pandas):
    """The forms of pandas, by a library that has pandas' interface and an older pandas of its own."""

    def __init__(self) -> None:
        import fireducks
        import fireducks.pandas

        self.module, self.version = fireducks.pandas, fireducks.__version__

    def take(self, held: SimpleNamespace, name: str, table: pa.Table) -> None:
        setattr(held, name, self.module.from_pandas(pandas_frame(table)))

    def call(self, form: Any, held: SimpleNamespace) -> Any:
        result = form(self.module, held)
        return result._evaluate() if hasattr(result, "_evaluate") else result

    def give(self, result: Any) -> Any:
        return result.to_pandas() if hasattr(result, "to_pandas") else result


class Polars(Pandas):
    forms = "forms_polars"

    def __init__(self) -> None:
        import polars

        self.polars, self.version = polars, polars.__version__

    def take(self, held: SimpleNamespace, name: str, table: pa.Table) -> None:
        setattr(held, name, self.polars.from_arrow(table).rechunk())

    def call(self, form: Any, held: SimpleNamespace) -> Any:
        return form(held)


class DuckDB(Pandas):
    forms = "forms_duckdb"

    def __init__(self) -> None:
        import duckdb

        self.duckdb, self.version, self.con = duckdb, duckdb.__version__, None

    def take(self, held: SimpleNamespace, name: str, table: pa.Table) -> None:
        if not hasattr(held, "con"):
            held.con = self.duckdb.connect()
            held.con.execute(f"set threads = {os.cpu_count()}")
        held.con.register("given", table)
        held.con.execute(f'create or replace table "{name}" as select * from given')
        held.con.unregister("given")

    def call(self, form: Any, held: SimpleNamespace) -> Any:
        return form(held)


class PyArrow(Pandas):
    forms = "forms_pyarrow"

    def __init__(self) -> None:
        self.version = pa.__version__

    def take(self, held: SimpleNamespace, name: str, table: pa.Table) -> None:
        setattr(held, name, table.combine_chunks())

    def call(self, form: Any, held: SimpleNamespace) -> Any:
        return form(held)


LIBRARIES = {
    "pandas": Pandas, "bascule": Bascule, "polars": Polars, "duckdb": DuckDB, "pyarrow": PyArrow, "fireducks": FireDucks,
}  # fmt: skip


def memory(which: str) -> int:
    """Bytes that the process has in memory (VmRSS), or had at most (VmHWM); 0 where the system does not say."""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return 0
    return next((1024 * int(line.split()[1]) for line in lines if line.startswith(which)), 0)


def forget_peak() -> None:
    """Start the peak of memory again, where the system can."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


class Worker:
    def __init__(self, name: str, folder: Path):
        self.name, self.folder = name, folder
        self.library = LIBRARIES[name]()
        self.forms = importlib.import_module(self.library.forms).FORMS
        self.held: SimpleNamespace | None = None

    def hold(self, section: str) -> dict[str, Any]:
        """Load a section's tables."""
        self.held = None
        gc.collect()
        held = SimpleNamespace()
        for path in sorted((self.folder / section).glob("*.arrow")):
            self.library.take(held, path.stem, feather.read_table(path, memory_map=self.name != "pyarrow"))
        held.folder, held.out = self.folder / section, self.folder / f"out-{self.name}"
        held.out.mkdir(exist_ok=True)
        self.held, self.section = held, section
        return {"has": list(self.forms[section])}

    def call(self) -> tuple[float, Any]:
        start = time.perf_counter()
        result = self.library.call(self.form, self.held)
        return time.perf_counter() - start, result

    def begin(self, row: str) -> dict[str, Any]:
        """Call once and compare the result."""
        self.form = self.forms[self.section].get(row)
        if self.form is None:
            return {"skip": True}
        self.library.fallbacks()
        gc.collect()
        forget_peak()
        before = memory("VmRSS")
        first, result = self.call()
        peak = memory("VmHWM") - before
        fallbacks = self.library.fallbacks()
        given, expected = self.library.give(result), self.folder / "expected.pickle"
        if self.name == "pandas":
            expected.write_bytes(pickle.dumps(given, protocol=5))
        else:
            checks.check(given, pickle.loads(expected.read_bytes()), exactly=self.name == "bascule")
        return {"first": first, "fallbacks": fallbacks, "peak": peak}

    def about(self) -> dict[str, Any]:
        return {"version": self.library.version}

    def release(self) -> None:
        """Do nothing: only the tables are kept between requests."""

    def time(self, budget: float) -> dict[str, Any]:
        """Seconds of several calls, at least one, until a budget of seconds is spent."""
        times: list[float] = []
        start = time.perf_counter()
        while not times or time.perf_counter() - start < budget:
            gc.collect()
            taken, result = self.call()
            del result
            times.append(taken)
        return {"seconds": times}


if __name__ == "__main__":
    serve(lambda: Worker(sys.argv[1], Path(sys.argv[2])), wrong=AssertionError)
