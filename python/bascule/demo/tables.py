"""The frame steps of the program: the same code runs with `pd = pandas` and with `pd = bascule.pandas`."""

from __future__ import annotations

from typing import Any

from . import plots
from .steps import Data, Step


def read_csv(pd: Any, d: Data) -> Data:
    flights = pd.read_csv(d["folder"] + "/flights.csv", parse_dates=["time_hour"])
    airlines = pd.read_csv(d["folder"] + "/airlines.csv")
    airports = pd.read_csv(d["folder"] + "/airports.csv")
    return {"flights": flights, "airlines": airlines, "airports": airports}


def read_parquet(pd: Any, d: Data) -> Data:
    flights = pd.read_parquet(d["folder"] + "/flights.parquet")
    weather = pd.read_parquet(d["folder"] + "/weather.parquet")
    planes = pd.read_parquet(d["folder"] + "/planes.parquet")
    return {"stored": flights, "weather": weather, "planes": planes}


def clean(pd: Any, d: Data) -> Data:
    f = d["flights"].dropna(subset=["dep_delay", "arr_delay", "air_time", "tailnum"])
    f = f[(f["air_time"] > 20) & f["arr_delay"].between(-90, 1500)]
    f = f.assign(
        speed=f["distance"] / (f["air_time"] / 60),
        gained=f["dep_delay"] - f["arr_delay"],
        late=f["arr_delay"] > 15,
        arr_time=f["arr_time"].astype("int64"),
    )
    f["weekday"] = f["time_hour"].dt.day_of_week
    return {"flown": f}


def fill(pd: Any, d: Data) -> Data:
    f = d["flights"]
    missing = f.isna().sum()
    delay = f["dep_delay"].fillna(0.0).clip(lower=-30, upper=600)
    usual = f["arr_delay"].fillna(f["arr_delay"].mean())
    cost = (delay * 75 + usual * 25).where(f["air_time"].notna(), 5000.0)
    return {"missing": missing, "cost": cost}


def dates(pd: Any, d: Data) -> Data:
    f = d["flights"]
    day = pd.to_datetime(f[["year", "month", "day"]])
    hours = (f["time_hour"] - day).dt.total_seconds() / 3600
    by_day = f["time_hour"].dt.floor("D").value_counts()
    return {
        "day": day,
        "hours": hours.describe(),
        "by_day": by_day,
        "months": f["time_hour"].dt.month_name().value_counts(),
    }


def strings(pd: Any, d: Data) -> Data:
    f = d["flown"]
    tail = f["tailnum"].str.strip().str.upper()
    parts = pd.DataFrame({"american": tail.str.startswith("N"), "last": tail.str[-2:], "length": tail.str.len()})
    route = f["origin"] + "-" + f["dest"]
    return {"parts": parts, "last": parts["last"].value_counts(), "routes": route.value_counts()}


def delays(pd: Any, d: Data) -> Data:
    by = d["flown"].groupby(["carrier", "hour"])
    spread = by[["dep_delay", "arr_delay"]].agg(["mean", "std", "max"])
    mixed = by.agg({"arr_delay": "median", "flight": "count", "late": "mean"})
    named = by.agg(n=("flight", "size"), worst=("arr_delay", "max"), gained=("gained", "mean")).reset_index()
    named = named.sort_values(["worst", "carrier"], ascending=[False, True])
    by_hour = d["flown"].groupby("hour")["arr_delay"].mean()
    return {"spread": spread, "mixed": mixed, "worst": named.nlargest(10, "worst"), "named": named, "by_hour": by_hour}


def orders(pd: Any, d: Data) -> Data:
    f = d["flown"]
    latest = f.sort_values(["arr_delay", "carrier"], ascending=[False, True])
    top = f.nlargest(20, "arr_delay")[["carrier", "flight", "arr_delay"]]
    share = f["carrier"].value_counts(normalize=True)
    return {"latest": latest, "top": top, "share": share, "places": f["dest"].nunique()}


def within_carrier(pd: Any, d: Data) -> Data:
    f = d["flown"]
    by = f.groupby("carrier")["arr_delay"]
    score = (f["arr_delay"] - by.transform("mean")) / by.transform("std")
    return {"score": score, "total": by.cumsum(), "unusual": score.abs().gt(3).groupby(f["carrier"]).mean()}


def join_weather(pd: Any, d: Data) -> Data:
    w = d["weather"][["origin", "time_hour", "temp", "wind_speed", "visib", "precip"]]
    return {"weathered": d["flown"].merge(w, on=["origin", "time_hour"], how="left")}


def in_weather(pd: Any, d: Data) -> Data:
    m = d["weathered"]
    seen = m.groupby("visib")["dep_delay"].agg(["count", "mean"])
    rain = m.assign(rain=m["precip"] > 0).groupby(["origin", "rain"])["dep_delay"].mean()
    related = m[["dep_delay", "temp", "wind_speed", "visib", "precip"]].corr()
    return {"seen": seen, "rain": rain, "related": related}


def join_planes(pd: Any, d: Data) -> Data:
    p = d["planes"][["tailnum", "year", "manufacturer", "seats"]].rename(columns={"year": "built"})
    m = d["flown"].merge(p, on="tailnum").merge(d["airlines"], on="carrier")
    m["age"] = m["year"] - m["built"]
    by = m.groupby(["name", "manufacturer"])
    fleet = by.agg(n=("flight", "size"), seats=("seats", "mean"), delay=("arr_delay", "mean"))
    return {
        "fleet": fleet.sort_values("n", ascending=False, kind="stable"),
        "ages": m.groupby("age")["arr_delay"].mean(),
    }


def join_airports(pd: Any, d: Data) -> Data:
    to = d["airports"][["faa", "name", "lat", "lon", "alt"]]
    m = d["flown"].merge(to, left_on="dest", right_on="faa")
    positions = m.groupby("name").agg(n=("flight", "size"), delay=("arr_delay", "mean"), alt=("alt", "first"))
    return {"places": positions.nlargest(10, "n"), "west": m[m["lon"] < -100].groupby("origin")["speed"].mean()}


def crosstab(pd: Any, d: Data) -> Data:
    f = d["flown"]
    table = f.pivot_table(values="arr_delay", index="hour", columns="carrier", aggfunc="mean")
    wide = f.groupby(["weekday", "hour"])["dep_delay"].mean().unstack()
    return {"table": table, "wide": wide}


def _first(r: Any) -> Any:
    return r.index[0]


STEPS = [
    Step(read_csv, "read CSV", lambda r: f"{len(r['flights']):,} flights in {r['flights'].shape[1]} columns", ("flights", "airlines", "airports")),
    Step(read_parquet, "read Parquet", lambda r: f"{len(r['weather']):,} hours of weather, {len(r['planes']):,} planes", ("weather", "planes")),
    Step(fill, "count and fill gaps", lambda r: f"{int(r['missing']['arr_delay']):,} flights have no delay at arrival"),
    Step(dates, "dates", lambda r: f"the busiest day is {_first(r['by_day']):%d %B}, the busiest month {_first(r['months'])}"),
    Step(clean, "clean and derive", lambda r: f"{len(r['flown']):,} flights have all values and are plausible", ("flown",)),
    Step(strings, "texts", lambda r: f"most tail numbers end in {_first(r['last'])}, most flights go {_first(r['routes'])}"),
    Step(delays, "delay by hour and carrier", lambda r: f"mean delay at arrival by hour of departure: {r['by_hour'].min():z.0f} to {r['by_hour'].max():z.0f} minutes",
         plot=lambda r: plots.columns([f"{h} h" for h in r["by_hour"].index], r["by_hour"].tolist(), "minutes", "Mean delay at arrival by scheduled hour")),
    Step(orders, "sort and count", lambda r: f"carrier {_first(r['share'])} has {100 * r['share'].iloc[0]:z.0f} % of the flights, to {r['places']} places",
         plot=lambda r: plots.columns(list(r["share"].index), [100 * x for x in r["share"]], "%", "Share of the flights by carrier")),
    Step(within_carrier, "within each carrier", lambda r: f"{100 * r['unusual'].max():z.1f} % of the flights of {r['unusual'].idxmax()} are unusually late"),
    Step(crosstab, "cross tables", lambda r: f"the worst hour and carrier: {r['table'].max().max():z.0f} minutes"),
    Step(join_weather, "join with weather", lambda r: f"{r['weathered']['temp'].notna().mean() * 100:z.1f} % of the flights find their weather", ("weathered",)),
    Step(in_weather, "delay by weather", lambda r: f"departures are {r['seen']['mean'].iloc[0]:z.0f} minutes late in fog, {r['seen']['mean'].iloc[-1]:z.0f} in clear air",
         drops=("weathered",), plot=lambda r: plots.columns([f"{v:g} mi" for v in r["seen"].index], r["seen"]["mean"].tolist(), "minutes", "Mean delay at departure by visibility")),
    Step(join_planes, "join with planes, airlines", lambda r: f"the largest fleet: {' / '.join(_first(r['fleet']))}"),
    Step(join_airports, "join with airports", lambda r: f"most flights go to {_first(r['places'])}", drops=("flown", "weather", "planes", "airlines")),
]  # fmt: skip
