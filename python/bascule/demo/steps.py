"""The program of the demo: one text, run with `xp = numpy` and with `xp = bascule`.

Each step takes the namespace and the arrays so far, and returns new arrays by name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Arrays = dict[str, Any]
_COLUMNS = ("dep_delay", "arr_delay", "air_time", "distance", "month", "day", "hour", "minute")


def select(xp: Any, d: Arrays) -> Arrays:
    flown = ~(xp.isnan(d["dep_delay"]) | xp.isnan(d["arr_delay"]) | xp.isnan(d["air_time"]))
    return {name: d[name][flown] for name in _COLUMNS}


def speed(xp: Any, d: Arrays) -> Arrays:
    mph = d["distance"] / (d["air_time"] / 60)
    gained = d["dep_delay"] - d["arr_delay"]
    return {"speed": xp.stack([mph.mean(), mph.std(), mph.max(), gained.mean()]), "made_up_time": (gained > 0).sum()}


def months(xp: Any, d: Arrays) -> Arrays:
    count, mean, deviation, late = [], [], [], []
    for month in range(1, 13):
        here = d["month"] == month
        n = here.sum()
        average = xp.where(here, d["dep_delay"], 0.0).sum() / n
        square = xp.where(here, (d["dep_delay"] - average) ** 2, 0.0).sum() / n
        count.append(n)
        mean.append(average)
        deviation.append(xp.sqrt(square))
        late.append((here & (d["dep_delay"] > 15)).sum() / n)
    return {"count": xp.stack(count), "mean": xp.stack(mean), "std": xp.stack(deviation), "late": xp.stack(late)}


def score(xp: Any, d: Arrays) -> Arrays:
    clock = 2 * xp.pi * (d["hour"] + d["minute"] / 60) / 24
    season = 2 * xp.pi * (d["month"] - 1 + d["day"] / 31) / 12
    logit = (
        0.03 * d["dep_delay"]
        + 0.4 * xp.sin(clock)
        - 0.5 * xp.cos(clock)
        + 0.2 * xp.cos(season)
        - xp.log1p(d["distance"]) / 7
    )
    late = d["arr_delay"] > 15
    wrong = xp.where(late, -logit, logit)
    loss = xp.maximum(wrong, 0.0) + xp.log1p(xp.exp(-abs(wrong)))
    return {"loss": loss.mean(), "hits": ((logit > 0.4) == late).sum()}


def moving_average(xp: Any, d: Arrays) -> Arrays:
    width = min(10_000, d["arr_delay"].size // 2)
    total = xp.cumsum(d["arr_delay"])
    average = (total[width:] - total[:-width]) / width
    return {"worst": average.max(), "best": average.min()}


def standardise(xp: Any, d: Arrays) -> Arrays:
    x = xp.stack([d[name] * 1.0 for name in _COLUMNS])
    return {"z": (x - x.mean(axis=1, keepdims=True)) / x.std(axis=1, keepdims=True)}


def correlation(xp: Any, d: Arrays) -> Arrays:
    return {"correlation": d["z"] @ d["z"].T / d["z"].shape[1]}


def decompose(xp: Any, d: Arrays) -> Arrays:
    _, s, vt = xp.linalg.svd(d["z"].T, full_matrices=False)
    return {"explained": s**2 / (s**2).sum(), "directions": abs(vt)}


def quantiles(xp: Any, d: Arrays) -> Arrays:
    return {"quantiles": xp.percentile(d["arr_delay"], [1, 25, 50, 75, 99])}


def distances(xp: Any, d: Arrays) -> Arrays:
    latitude, longitude = xp.deg2rad(d["latitude"]), xp.deg2rad(d["longitude"])
    north = xp.sin((latitude[:, None] - latitude) / 2) ** 2
    east = xp.sin((longitude[:, None] - longitude) / 2) ** 2
    km = 2 * 6371.0 * xp.arcsin(xp.sqrt(north + xp.cos(latitude)[:, None] * xp.cos(latitude) * east))
    return {"km": km, "nearest": xp.where(km > 1, km, xp.inf).argmin(axis=1)}


@dataclass(frozen=True)
class Step:
    """A step, its title, the arrays that later steps want, and a sentence about what it found."""

    run: Callable[[Any, Arrays], Arrays]
    title: str
    finding: Callable[[dict[str, np.ndarray]], str]
    keeps: tuple[str, ...] = ()
    drops: tuple[str, ...] = ()


_MONTHS = "January February March April May June July August September October November December".split()

STEPS = [
    Step(select, "flights without gaps", lambda r: f"{r['month'].size:,} flights have all values", _COLUMNS),
    Step(speed, "speed, time made up", lambda r: f"{r['speed'][0]:.0f} mph on average; the crews made up {r['speed'][3]:.1f} minutes"),
    Step(months, "delays by month", lambda r: f"worst is {_MONTHS[int(r['mean'].argmax())]}: {r['mean'].max():.1f} minutes, "
         f"{100 * r['late'][int(r['mean'].argmax())]:.0f} % late"),
    Step(score, "chance of a late arrival", lambda r: f"a guess from departure and season has a loss of {float(r['loss']):.3f}"),
    Step(moving_average, "moving average", lambda r: f"mean delay of successive flights: {float(r['best']):.1f} to {float(r['worst']):.1f} minutes"),
    Step(quantiles, "quantiles of the delay", lambda r: f"half of the flights arrive {-r['quantiles'][2]:.0f} minutes early or better"),
    Step(standardise, "standardise 8 features", lambda r: f"{r['z'].shape[1]:,} flights with {r['z'].shape[0]} features of mean 0 and deviation 1", ("z",)),
    Step(correlation, "correlation matrix", lambda r: f"late departure and late arrival: r = {r['correlation'][0, 1]:.3f}"),
    Step(decompose, "singular values (SVD)", lambda r: f"two directions explain {100 * r['explained'][:2].sum():.0f} % of the variance", drops=("z",)),
    Step(distances, "distances of all airports", lambda r: f"half of all pairs of airports lie nearer than {np.median(r['km']):,.0f} km"),
]  # fmt: skip
