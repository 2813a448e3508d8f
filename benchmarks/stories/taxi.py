"""Taxi rides in CSV files: sums and group-bys, with the files read by ranges of bytes.

The files are made so that every result is known: fares are whole cents, and the hour and the number of passengers
follow from the number of the ride.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import dask
import dask.dataframe as dd
import numpy as np
from story import Story

FILES = 4


def rides(first: int, n: int) -> dict[str, np.ndarray]:
    """Columns of a range of rides."""
    at = np.arange(first, first + n)
    return {
        "ride": at, "hour": at * 7 % 24, "passengers": at * 5 % 6 + 1,
        "distance": (at * 37 % 2000) / 100, "fare": (at * 101 % 9000 + 250) / 100,
        "payment": np.array(["card", "cash", "no charge", "dispute"])[at * 3 % 4],
    }  # fmt: skip


def write(folder: Path, n: int) -> None:
    """Write the files, with n rides in total."""
    import pandas

    for k in range(FILES):
        first, last = n * k // FILES, n * (k + 1) // FILES
        for start in range(first, last, 1_000_000):
            part = pandas.DataFrame(rides(start, min(1_000_000, last - start)))
            part.to_csv(
                folder / f"rides-{k}.csv", mode="w" if start == first else "a", header=start == first, index=False
            )


def answers(folder: Path, blocksize: int) -> tuple[Any, ...]:
    """The number of rides, the sum of fares, the mean fare by hour, and the count and distance by payment."""
    d = dd.read_csv(str(folder / "rides-*.csv"), blocksize=blocksize)
    found = dask.compute(
        d.ride.count(), d.fare.sum(), d.groupby("hour").fare.mean(), d.groupby("payment").agg({"ride": "count", "distance": "sum"})
    )  # fmt: skip
    count, fares, by_hour, by_payment = (x.to_pandas() if hasattr(x, "to_pandas") else x for x in found)
    return int(count), float(fares), by_hour.sort_index(), by_payment.sort_index()


def main(arguments: list[str] | None = None) -> None:
    """Run the example."""
    import pandas

    story = Story("taxi", __doc__, arguments=arguments)
    n = story.n(20_000_000, 4000)
    write(story.folder, n)
    size = sum(f.stat().st_size for f in story.folder.glob("rides-*.csv"))
    (count, fares, by_hour, by_payment), peer = story.run(lambda: answers(story.folder, max(size // 40, 20_000)))
    parts = [pandas.DataFrame(rides(k, min(1_000_000, n - k))) for k in range(0, n, 1_000_000)]
    hours = sum(
        (p.groupby("hour").fare.agg(["sum", "count"]) for p in parts[1:]),
        parts[0].groupby("hour").fare.agg(["sum", "count"]),
    )
    payments = sum((p.groupby("payment").agg({"ride": "count", "distance": "sum"}) for p in parts[1:]),
                   parts[0].groupby("payment").agg({"ride": "count", "distance": "sum"}))  # fmt: skip
    story.check(count == n and np.isclose(fares, hours["sum"].sum(), rtol=1e-10), "rides and fares")
    story.check(np.allclose(by_hour.to_numpy(), (hours["sum"] / hours["count"]).to_numpy()), "mean fares by hour")
    story.check(
        list(by_payment.index) == list(payments.index) and np.allclose(by_payment.to_numpy(), payments.to_numpy()),
        "by payment",
    )
    if peer is not None:
        story.check(peer[0] == n and np.allclose(peer[2].to_numpy(), by_hour.to_numpy()), "the peer's")

    def draw(axes: Any) -> None:
        axes.bar(by_hour.index, by_hour.to_numpy())
        axes.set(title=f"{n} rides", xlabel="hour", ylabel="mean fare")

    story.plot(draw)
    story.end(rides=n, csv_gb=round(size / 1e9, 4))


if __name__ == "__main__":
    main()
