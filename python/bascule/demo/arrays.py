"""The array steps of the program: the same code runs with `np = numpy` and with `np = bascule`."""

from __future__ import annotations

from typing import Any

import numpy

from . import plots
from .steps import Data, Step

_COLUMNS = ("dep_delay", "arr_delay", "air_time", "distance", "month", "day", "hour", "minute")


def select(np: Any, d: Data) -> Data:
    flown = ~(np.isnan(d["dep_delay"]) | np.isnan(d["arr_delay"]) | np.isnan(d["air_time"]))
    return {name: d[name][flown] for name in _COLUMNS}


def speed(np: Any, d: Data) -> Data:
    mph = d["distance"] / (d["air_time"] / 60)
    gained = d["dep_delay"] - d["arr_delay"]
    return {"speed": np.stack([mph.mean(), mph.std(), mph.max(), gained.mean()]), "made_up_time": (gained > 0).sum()}


def months(np: Any, d: Data) -> Data:
    count, mean, deviation, late = [], [], [], []
    for month in range(1, 13):
        here = d["month"] == month
        n = here.sum()
        average = np.where(here, d["dep_delay"], 0.0).sum() / n
        square = np.where(here, (d["dep_delay"] - average) ** 2, 0.0).sum() / n
        count.append(n)
        mean.append(average)
        deviation.append(np.sqrt(square))
        late.append((here & (d["dep_delay"] > 15)).sum() / n)
    return {"count": np.stack(count), "mean": np.stack(mean), "std": np.stack(deviation), "late": np.stack(late)}


def score(np: Any, d: Data) -> Data:
    clock = 2 * np.pi * (d["hour"] + d["minute"] / 60) / 24
    season = 2 * np.pi * (d["month"] - 1 + d["day"] / 31) / 12
    logit = (
        0.03 * d["dep_delay"]
        + 0.4 * np.sin(clock)
        - 0.5 * np.cos(clock)
        + 0.2 * np.cos(season)
        - np.log1p(d["distance"]) / 7
    )
    late = d["arr_delay"] > 15
    wrong = np.where(late, -logit, logit)
    loss = np.maximum(wrong, 0.0) + np.log1p(np.exp(-abs(wrong)))
    return {"loss": loss.mean(), "hits": ((logit > 0.4) == late).sum()}


def moving_average(np: Any, d: Data) -> Data:
    width = min(10_000, d["arr_delay"].size // 2)
    total = np.cumsum(d["arr_delay"])
    average = (total[width:] - total[:-width]) / width
    return {"worst": average.max(), "best": average.min()}


def standardise(np: Any, d: Data) -> Data:
    x = np.stack([d[name] * 1.0 for name in _COLUMNS])
    return {"z": (x - x.mean(axis=1, keepdims=True)) / x.std(axis=1, keepdims=True)}


def correlation(np: Any, d: Data) -> Data:
    return {"correlation": d["z"] @ d["z"].T / d["z"].shape[1]}


def decompose(np: Any, d: Data) -> Data:
    _, s, vt = np.linalg.svd(d["z"].T, full_matrices=False)
    return {"explained": s**2 / (s**2).sum(), "directions": abs(vt)}


def quantiles(np: Any, d: Data) -> Data:
    return {"quantiles": np.percentile(d["arr_delay"], [1, 25, 50, 75, 99])}


def distances(np: Any, d: Data) -> Data:
    latitude, longitude = np.deg2rad(d["latitude"]), np.deg2rad(d["longitude"])
    north = np.sin((latitude[:, None] - latitude) / 2) ** 2
    east = np.sin((longitude[:, None] - longitude) / 2) ** 2
    km = 2 * 6371.0 * np.arcsin(np.sqrt(north + np.cos(latitude)[:, None] * np.cos(latitude) * east))
    return {"km": km, "nearest": np.where(km > 1, km, np.inf).argmin(axis=1)}


_MONTHS = "January February March April May June July August September October November December".split()

STEPS = [
    Step(select, "flights without gaps", lambda r: f"{r['month'].size:,} flights have all values", _COLUMNS),
    Step(speed, "speed, time made up", lambda r: f"{r['speed'][0]:z.0f} mph on average; the crews made up {r['speed'][3]:z.1f} minutes"),
    Step(months, "delays by month", lambda r: f"worst is {_MONTHS[int(r['mean'].argmax())]}: {r['mean'].max():z.1f} minutes, "
         f"{100 * r['late'][int(r['mean'].argmax())]:z.0f} % late"),
    Step(score, "chance of a late arrival", lambda r: f"a guess from departure and season has a loss of {float(r['loss']):z.3f}"),
    Step(moving_average, "moving average", lambda r: f"mean delay of successive flights: {float(r['best']):z.1f} to {float(r['worst']):z.1f} minutes"),
    Step(quantiles, "quantiles of the delay", lambda r: f"half of the flights arrive {-r['quantiles'][2]:z.0f} minutes early or better"),
    Step(standardise, "standardise 8 features", lambda r: f"{r['z'].shape[1]:,} flights with {r['z'].shape[0]} features of mean 0 and deviation 1", ("z",)),
    Step(correlation, "correlation matrix", lambda r: f"late departure and late arrival: r = {r['correlation'][0, 1]:z.3f}",
         plot=lambda r: plots.grid(_COLUMNS, r["correlation"].tolist(), "Correlation of the features")),
    Step(decompose, "singular values (SVD)", lambda r: f"two directions explain {100 * r['explained'][:2].sum():z.0f} % of the variance"),
    Step(distances, "distances of all airports", lambda r: f"half of all pairs of airports lie nearer than {numpy.median(r['km']):,.0f} km"),
]  # fmt: skip
