"""The tables of the rows, by section: the same for the same number of rows."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet
from pyarrow import feather

Tables = dict[str, pa.Table]
NAMES = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon".split()
)


def words(rng: np.random.Generator, n: int, form: str, many: int) -> pa.Array:
    choices = pa.array([form % k for k in range(1, many + 1)], pa.large_string())
    return choices.take(pa.array(rng.integers(0, many, n)))


def xy(n: int) -> Tables:
    """Floats, and integers of which 63 % of n are distinct; a table with a tenth of them, each once."""
    rng = np.random.default_rng(0)
    x, y = rng.random(n), rng.integers(0, n, n)
    few = np.unique(y)[: n // 10]
    return {
        "t": pa.table({"x": x, "y": y}),
        "few": pa.table({"y": rng.permutation(few), "w": np.arange(len(few))}),
    }


def groupby(n: int) -> Tables:
    """db-benchmark's table for group-by, with a hundred groups of the small kind."""
    rng, k = np.random.default_rng(108), 100
    many = max(1, n // k)
    return {"t": pa.table({
        "id1": words(rng, n, "id%03d", k), "id2": words(rng, n, "id%03d", k), "id3": words(rng, n, "id%010d", many),
        "id4": rng.integers(1, k + 1, n), "id5": rng.integers(1, k + 1, n), "id6": rng.integers(1, many + 1, n),
        "v1": rng.integers(1, 6, n), "v2": rng.integers(1, 16, n), "v3": np.round(rng.random(n) * 100, 6),
    })}  # fmt: skip


def join(n: int) -> Tables:
    """db-benchmark's tables for joins: a small, a medium and a large one; nine in ten keys are in both."""
    rng = np.random.default_rng(109)
    sizes = [max(10, n // 1_000_000), max(100, n // 1000), n]

    def keys(many: int, half: int) -> np.ndarray:
        """`many` keys, nine in ten of which both tables share."""
        return (
            np.random.default_rng(many).permutation(many * 11 // 10)[half * (many // 10) : half * (many // 10) + many]
            + 1
        )

    def text(numbers: np.ndarray) -> pa.Array:
        return pc.binary_join_element_wise("id", pa.array(numbers).cast(pa.string()), "").cast(pa.large_string())

    left = {f"id{k + 1}": rng.choice(keys(size, 0), n) if size < n else keys(size, 0) for k, size in enumerate(sizes)}
    left |= {f"id{k + 4}": text(left[f"id{k + 1}"]) for k in range(3)}
    made = {"t": pa.table({**left, "v1": np.round(rng.random(n) * 100, 6)})}
    for k, (name, size) in enumerate(zip(("small", "medium", "big"), sizes)):
        own = keys(size, 1)
        columns = {f"id{j + 1}": rng.choice(keys(sizes[j], 1), size) for j in range(k)}
        columns[f"id{k + 1}"] = own
        columns[f"id{k + 4}"] = text(own)
        made[name] = pa.table({**columns, "v2": np.round(rng.random(size) * 100, 6)})
    return made


def sort(n: int) -> Tables:
    rng = np.random.default_rng(1)
    return {"t": pa.table({
        "x": rng.random(n), "y": rng.integers(0, n, n), "k": rng.integers(0, 100, n), "s": words(rng, n, "id%03d", 100),
    })}  # fmt: skip


def csv(n: int) -> Tables:
    """Taxi rides: 19 columns, 2 of them timestamps, 4 of them coordinates with 14 digits; a third of n rows."""
    rng, n = np.random.default_rng(2), n // 3
    begin = np.datetime64("2015-01-01T00:00:00") + rng.integers(0, 31 * 86400, n).astype("timedelta64[s]")
    end = begin + rng.integers(60, 3600, n).astype("timedelta64[s]")

    def amount(low: float, high: float, digits: int) -> np.ndarray:
        return np.round(low + (high - low) * rng.random(n), digits)

    fare, tip = amount(3, 60, 1), amount(0, 12, 2)
    return {"t": pa.table({
        "VendorID": rng.integers(1, 3, n), "pickup": begin, "dropoff": end, "passengers": rng.integers(1, 7, n),
        "distance": amount(0, 30, 2), "pickup_longitude": amount(-74.05, -73.75, 14),
        "pickup_latitude": amount(40.6, 40.9, 14), "rate": rng.integers(1, 6, n), "flag": words(rng, n, "N%d", 2),
        "dropoff_longitude": amount(-74.05, -73.75, 14), "dropoff_latitude": amount(40.6, 40.9, 14),
        "payment": rng.integers(1, 5, n), "fare": fare, "extra": amount(0, 1, 1), "tax": np.full(n, 0.5), "tip": tip,
        "tolls": amount(0, 6, 2), "surcharge": np.full(n, 0.3), "total": np.round(fare + tip + 0.8, 2),
    })}  # fmt: skip


def text(n: int) -> Tables:
    """n / 2 strings, drawn from 200,000 distinct ones and from a hundred."""
    rng, n = np.random.default_rng(3), n // 2
    many = min(200_000, n)
    base = [" ".join(NAMES[i] for i in row) + f" {j}" for j, row in enumerate(rng.integers(0, len(NAMES), (many, 4)))]
    return {"t": pa.table({
        "s": pa.array(base, pa.large_string()).take(pa.array(rng.integers(0, many, n))), "c": words(rng, n, "id%03d", 100),
    })}  # fmt: skip


def windows(n: int) -> Tables:
    rng = np.random.default_rng(4)
    return {"t": pa.table({"i": np.arange(n), "x": rng.random(n), "k": rng.integers(0, 1000, n)})}


def elements(n: int) -> Tables:
    rng = np.random.default_rng(5)
    x, z, y = rng.random(n), rng.random(n), rng.integers(0, n, n)
    gaps = pa.array(x, mask=rng.random(n) < 0.1)
    return {"t": pa.table({"x": x, "z": z, "y": y, "gaps": gaps}), "order": pa.table({"row": rng.permutation(n)})}


def tpch(n: int) -> Tables:
    """TPC-H's tables, with about n rows of lineitem."""
    sys.path.append(str(Path(__file__).resolve().parents[2] / "tpch"))
    import generate

    return generate.tables(n / 6_000_000)


def naive(n: int) -> Tables:
    """TPC-H's tables, for the forms that merge them whole and filter last."""
    return tpch(n)


SECTIONS: dict[str, Callable[[int], Tables]] = {
    f.__name__: f for f in (xy, groupby, join, sort, csv, text, windows, elements, tpch, naive)
}


def write(section: str, n: int, folder: Path) -> None:
    """A section's tables as Arrow files; the CSV section's also as a CSV file."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, table in SECTIONS[section](n).items():
        feather.write_feather(table.combine_chunks(), folder / f"{name}.arrow", compression="uncompressed")
        if section == "csv":
            from pyarrow import csv as arrow_csv

            times = {c: pc.strftime(table[c], "%Y-%m-%d %H:%M:%S") for c in ("pickup", "dropoff")}
            shown = pa.table({c: times.get(c, table[c]) for c in table.column_names})
            arrow_csv.write_csv(shown, folder / "t.csv", arrow_csv.WriteOptions(quoting_style="none"))
            pa.parquet.write_table(table, folder / "t.parquet")
