"""An outbreak in a network of contacts, day by day, and who should be vaccinated.

Idea: the SIR model on a graph
"""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n, runs = (200, 2) if SIZE == "small" else (900, 10)


def contacts(n, rng):
    A = np.zeros((n, n), dtype=np.int8)
    ends = [0, 1]
    A[0, 1] = A[1, 0] = 1
    for new in range(2, n):
        for other in {ends[k] for k in rng.integers(0, len(ends), 3)}:
            A[new, other] = A[other, new] = 1
            ends += [new, other]
    return A


def outbreak(A, immune, rng):
    state = np.full(len(A), "S")
    state[immune] = "R"
    healthy = np.flatnonzero(state == "S")
    state[rng.choice(healthy, 3, replace=False)] = "I"
    history = []
    for day in range(60):
        infected = state == "I"
        if not infected.any():
            break
        risk = 1 - 0.85 ** A[:, infected].sum(axis=1)
        falls_ill = (state == "S") & (rng.random(len(A)) < risk)
        heals = infected & (rng.random(len(A)) < 0.25)
        state[falls_ill] = "I"
        state[heals] = "R"
        history.append({"day": day, "S": (state == "S").sum(), "I": (state == "I").sum(), "R": (state == "R").sum()})
    return pd.DataFrame(history).set_index("day")


rng = np.random.default_rng(2020)
A = contacts(n, rng)
degree = A.sum(axis=1)
print("contacts:", int(degree.sum()) // 2, "most", degree.max(), "median", np.median(degree))
plans = {
    "nobody": np.array([], dtype=int),
    "random": rng.choice(n, n // 10, replace=False),
    "hubs": np.argsort(-degree, kind="stable")[: n // 10],
}
rows = []
for name, immune in plans.items():
    for run in range(runs):
        h = outbreak(A, immune, np.random.default_rng(run))
        ill = h["R"].iloc[-1] + h["I"].iloc[-1] - len(immune)
        rows.append(
            {"plan": name, "run": run, "ill": ill, "peak": h["I"].max(), "peak day": h["I"].idxmax(), "days": len(h)}
        )
        if run == 0:
            print(name)
            print(h.iloc[::8].head(4))
df = pd.DataFrame(rows)
print(df.groupby("plan", sort=False)[["ill", "peak", "peak day", "days"]].mean().round(3))
print(df.pivot(index="run", columns="plan", values="ill"))
