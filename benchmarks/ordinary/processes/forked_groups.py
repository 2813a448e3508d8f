"""Statistics of the parts of one frame in forked workers, put together again with concat.

Idea: the question how to run groupby().apply() on several cores
"""

import multiprocessing
import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 2_000 if SIZE == "small" else 250_000


def make():
    rng = np.random.default_rng(7)
    return pd.DataFrame(
        {
            "city": rng.choice(["Ulm", "Bonn", "Kiel", "Jena", "Trier"], n),
            "rent": rng.gamma(9, 80, n),
            "rooms": rng.integers(1, 6, n),
        }
    )


def summarise(item):
    city, part = item
    part = part.assign(per_room=part["rent"] / part["rooms"])
    rows = part.groupby("rooms")["per_room"].agg(["count", "mean", "median"]).reset_index()
    rows.insert(0, "city", city)
    return rows


def main():
    df = make()
    groups = list(df.groupby("city"))
    context = multiprocessing.get_context("fork")
    with context.Pool(2) as pool:
        parts = pool.map(summarise, groups)
    result = pd.concat(parts, ignore_index=True)
    print(result.head(8).round(3))
    print(result.pivot(index="rooms", columns="city", values="mean").round(2))
    alone = pd.concat([summarise(g) for g in groups], ignore_index=True)
    print("same as in one process:", result.equals(alone))
    print("rows:", int(result["count"].sum()), "dearest:", result.loc[result["mean"].idxmax(), "city"])


if __name__ == "__main__":
    main()
