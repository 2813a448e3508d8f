"""Steps of the demo in Polars and in DuckDB, if these are installed and the step exists for them.

Each function gets the results that its earlier steps kept, and returns those to keep and figures of its results. The
figures are compared with those of pandas' results; a time counts if they agree.
"""

from __future__ import annotations

import importlib
import importlib.util
import math
import time
from collections.abc import Callable
from typing import Any

Data = dict[str, Any]
_NULLS = ("dep_delay", "arr_delay", "air_time", "tailnum")


class Differs(Exception):
    """The figures of a library differ from pandas'."""


# ---- Polars


def _pl_read_csv(pl: Any, d: Data) -> tuple[Data, Data]:
    f = pl.read_csv(d["folder"] + "/flights.csv", try_parse_dates=True, null_values=["", "NA"])
    airlines = pl.read_csv(d["folder"] + "/airlines.csv")
    airports = pl.read_csv(d["folder"] + "/airports.csv")
    return {"flights": f, "airlines": airlines}, {"rows": f.height, "airports": airports.height}


def _pl_read_parquet(pl: Any, d: Data) -> tuple[Data, Data]:
    f, weather, planes = (pl.read_parquet(f"{d['folder']}/{name}.parquet") for name in ("flights", "weather", "planes"))
    return {"weather": weather, "planes": planes}, {"rows": f.height, "hours": weather.height}


def _pl_clean(pl: Any, d: Data) -> tuple[Data, Data]:
    c = pl.col
    f = d["flights"].lazy().drop_nulls(list(_NULLS)).filter((c("air_time") > 20) & c("arr_delay").is_between(-90, 1500))
    f = f.with_columns(
        speed=c("distance") / (c("air_time") / 60),
        gained=c("dep_delay") - c("arr_delay"),
        late=c("arr_delay") > 15,
        arr_time=c("arr_time").cast(pl.Int64),
        weekday=c("time_hour").dt.weekday() - 1,
    ).collect()
    return {"flown": f}, {"rows": f.height, "speed": f["speed"].sum()}


def _pl_delays(pl: Any, d: Data) -> tuple[Data, Data]:
    f, c = d["flown"], pl.col
    both = [
        getattr(c(k), how)().alias(f"{k} {how}") for k in ("dep_delay", "arr_delay") for how in ("mean", "std", "max")
    ]
    spread = f.group_by("carrier", "hour").agg(both).sort("carrier", "hour")
    mixed = (
        f.group_by("carrier", "hour")
        .agg(c("arr_delay").median(), c("flight").count(), c("late").mean())
        .sort("carrier", "hour")
    )
    named = f.group_by("carrier", "hour").agg(
        pl.len().alias("n"), c("arr_delay").max().alias("worst"), c("gained").mean()
    )
    named = named.sort("worst", "carrier", descending=[True, False])
    named.top_k(10, by="worst")
    by_hour = f.group_by("hour").agg(c("arr_delay").mean()).sort("hour")
    return {}, {"groups": spread.height, "median": mixed["arr_delay"].sum(), "hours": by_hour["arr_delay"].sum()}


def _pl_join_weather(pl: Any, d: Data) -> tuple[Data, Data]:
    w = d["weather"].select("origin", "time_hour", "temp", "wind_speed", "visib", "precip")
    time_type = d["flown"].schema["time_hour"]
    m = d["flown"].join(w.with_columns(pl.col("time_hour").cast(time_type)), on=["origin", "time_hour"], how="left")
    return {}, {"rows": m.height, "found": m.height - m["temp"].null_count()}


def _pl_join_planes(pl: Any, d: Data) -> tuple[Data, Data]:
    c = pl.col
    p = d["planes"].select("tailnum", c("year").alias("built"), "manufacturer", "seats")
    m = d["flown"].join(p, on="tailnum").join(d["airlines"], on="carrier").with_columns(age=c("year") - c("built"))
    fleet = m.group_by("name", "manufacturer").agg(pl.len().alias("n"), c("seats").mean(), c("arr_delay").mean())
    fleet = fleet.sort("n", descending=True)
    m.group_by("age").agg(c("arr_delay").mean()).sort("age")
    return {}, {"fleets": fleet.height, "n": int(fleet["n"].sum())}


# ---- DuckDB: a database in memory; `d` has its connection


def _db_read_csv(db: Any, d: Data) -> tuple[Data, Data]:
    con = db.connect()
    for name in ("flights", "airlines", "airports"):
        con.execute(f"create table {name} as select * from read_csv('{d['folder']}/{name}.csv', nullstr=['', 'NA'])")
    rows = con.execute("select count(*) from flights").fetchone()[0]
    return {"con": con}, {"rows": rows, "airports": con.execute("select count(*) from airports").fetchone()[0]}


def _db_read_parquet(db: Any, d: Data) -> tuple[Data, Data]:
    for name, table in (("flights", "stored"), ("weather", "weather"), ("planes", "planes")):
        d["con"].execute(f"create table {table} as select * from '{d['folder']}/{name}.parquet'")
    rows, hours = (d["con"].execute(f"select count(*) from {t}").fetchone()[0] for t in ("stored", "weather"))
    return {}, {"rows": rows, "hours": hours}


def _db_clean(db: Any, d: Data) -> tuple[Data, Data]:
    there = " and ".join(f"{k} is not null" for k in _NULLS)
    d["con"].execute(
        "create table flown as select * replace (arr_time::bigint as arr_time), distance / (air_time / 60) as speed, "
        "dep_delay - arr_delay as gained, arr_delay > 15 as late, isodow(time_hour) - 1 as weekday "
        f"from flights where {there} and air_time > 20 and arr_delay between -90 and 1500"
    )
    rows, speed = d["con"].execute("select count(*), sum(speed) from flown").fetchone()
    return {}, {"rows": rows, "speed": speed}


def _db_delays(db: Any, d: Data) -> tuple[Data, Data]:
    con = d["con"]
    both = ", ".join(f"{how}({k})" for k in ("dep_delay", "arr_delay") for how in ("avg", "stddev_samp", "max"))
    spread = con.execute(f"select carrier, hour, {both} from flown group by all order by all").fetchnumpy()
    mixed = con.execute("select carrier, hour, median(arr_delay) as m, count(flight), avg(late::int) from flown group by all order by carrier, hour").fetchnumpy()  # fmt: skip
    con.execute("create or replace temp table named as select carrier, hour, count(*) as n, max(arr_delay) as worst, avg(gained) from flown group by all order by worst desc, carrier")  # fmt: skip
    con.execute("select * from named order by worst desc limit 10").fetchall()
    hours = con.execute("select hour, avg(arr_delay) as a from flown group by hour order by hour").fetchnumpy()
    return {}, {"groups": len(spread["hour"]), "median": float(mixed["m"].sum()), "hours": float(hours["a"].sum())}


def _db_join_weather(db: Any, d: Data) -> tuple[Data, Data]:
    d["con"].execute(
        "create or replace table weathered as select f.*, w.temp, w.wind_speed, w.visib, w.precip "
        "from flown f left join weather w on f.origin = w.origin and f.time_hour = w.time_hour"
    )
    rows, found = d["con"].execute("select count(*), count(temp) from weathered").fetchone()
    return {}, {"rows": rows, "found": found}


def _db_join_planes(db: Any, d: Data) -> tuple[Data, Data]:
    con = d["con"]
    con.execute(
        "create or replace table joined as select f.*, p.year as built, p.manufacturer, p.seats, a.name, f.year - p.year as age "
        "from flown f join planes p using (tailnum) join airlines a using (carrier)"
    )
    fleet = con.execute("select name, manufacturer, count(*) as n, avg(seats), avg(arr_delay) from joined group by all order by n desc").fetchnumpy()  # fmt: skip
    con.execute("select age, avg(arr_delay) from joined group by age order by age").fetchnumpy()
    return {}, {"fleets": len(fleet["n"]), "n": int(fleet["n"].sum())}


# ---- the same figures of pandas' results

FIGURES: dict[str, Callable[[Data], Data]] = {
    "read_csv": lambda r: {"rows": len(r["flights"]), "airports": len(r["airports"])},
    "read_parquet": lambda r: {"rows": len(r["stored"]), "hours": len(r["weather"])},
    "clean": lambda r: {"rows": len(r["flown"]), "speed": float(r["flown"]["speed"].sum())},
    "delays": lambda r: {
        "groups": len(r["spread"]),
        "median": float(r["mixed"]["arr_delay"].sum()),
        "hours": float(r["by_hour"].sum()),
    },
    "join_weather": lambda r: {"rows": len(r["weathered"]), "found": int(r["weathered"]["temp"].notna().sum())},
    "join_planes": lambda r: {"fleets": len(r["fleet"]), "n": int(r["fleet"]["n"].sum())},
}
LIBRARIES: dict[str, tuple[str, dict[str, Callable[[Any, Data], tuple[Data, Data]]]]] = {
    "Polars": ("polars", {"read_csv": _pl_read_csv, "read_parquet": _pl_read_parquet, "clean": _pl_clean, "delays": _pl_delays,
                          "join_weather": _pl_join_weather, "join_planes": _pl_join_planes}),
    "DuckDB": ("duckdb", {"read_csv": _db_read_csv, "read_parquet": _db_read_parquet, "clean": _db_clean, "delays": _db_delays,
                          "join_weather": _db_join_weather, "join_planes": _db_join_planes}),
}  # fmt: skip


class Peer:
    """One of the libraries, with the results that its steps have kept."""

    def __init__(self, name: str, module: str, steps: dict[str, Callable[[Any, Data], tuple[Data, Data]]], folder: str):
        self.name, self._steps = name, steps
        self._library = importlib.import_module(module)
        self._data: Data = {"folder": folder}

    def seconds(self, step: str, expected: Data | None) -> float | None:
        """The time of a step; None if the library has no such step, or a step that it depends on did not run.

        Raises
        ------
        Differs
            Its figures are not those of pandas' results, if these are given.
        """
        run = self._steps.get(step)
        if run is None:
            return None
        start = time.perf_counter()
        try:
            kept, figures = run(self._library, self._data)
        except KeyError:
            return None  # an earlier step did not run
        taken = time.perf_counter() - start
        self._data.update(kept)
        if expected is not None:
            wanted = FIGURES[step](expected)
            for name, value in wanted.items():
                if not math.isclose(figures[name], value, rel_tol=1e-9):
                    raise Differs(f"{self.name}: {name} is {figures[name]:,} instead of {value:,}")
        return taken


def installed(folder: str) -> list[Peer]:
    """The libraries that can be imported."""
    return [
        Peer(name, module, steps, folder)
        for name, (module, steps) in LIBRARIES.items()
        if importlib.util.find_spec(module) is not None
    ]
