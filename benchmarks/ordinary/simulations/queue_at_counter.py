"""A bank with several counters: arrivals and service by chance, waiting times by a heap, compared for each number of counters."""

import heapq
import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
customers = 800 if SIZE == "small" else 45_000

rng = np.random.default_rng(1909)
arrive = np.cumsum(rng.exponential(1.0, customers))
service = rng.gamma(2, 1.35, customers)


def run(counters):
    free = [(0.0, k) for k in range(counters)]
    heapq.heapify(free)
    rows = []
    for number in range(customers):
        when, k = heapq.heappop(free)
        start = max(when, arrive[number])
        end = start + service[number]
        heapq.heappush(free, (end, k))
        rows.append((number, k, arrive[number], start, end))
    return pd.DataFrame(rows, columns=["customer", "counter", "arrive", "start", "end"])


summary = []
for counters in (3, 4, 6):
    df = run(counters)
    df["wait"] = df["start"] - df["arrive"]
    summary.append(
        {
            "counters": counters,
            "mean": df["wait"].mean(),
            "p95": df["wait"].quantile(0.95),
            "waited": (df["wait"] > 0).mean(),
            "busy": (df["end"] - df["start"]).sum() / (counters * df["end"].max()),
        }
    )
    if counters == 3:
        print(df.iloc[[0, 1, 2, 100, 200]].round(2))
        print(df.groupby("counter")["wait"].agg(["count", "mean"]).round(3))
print(pd.DataFrame(summary).round(4).to_string(index=False))

events = pd.concat([pd.Series(1, index=df["arrive"]), pd.Series(-1, index=df["end"])]).sort_index()
inside = events.cumsum()
print("most inside:", inside.max(), "at the end:", inside.iloc[-1])
hours = (df["arrive"] // 60).astype(int)
print(df.groupby(hours)["wait"].agg(["count", "max"]).head(5).round(3))
gaps = np.diff(arrive)
print("gaps: mean", round(float(gaps.mean()), 4), "coefficient of variation", round(float(gaps.std() / gaps.mean()), 4))
