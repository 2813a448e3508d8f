"""Foxes and hares by Euler and by Runge-Kutta: cycles, their length, and how the two methods drift apart.
Idea: the Lotka-Volterra tutorial."""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
steps = 1_500 if SIZE == "small" else 15_000


def change(state, a=1.1, b=0.4, c=0.4, d=0.1):
    hares, foxes = state
    return np.array([a * hares - b * hares * foxes, -c * foxes + d * hares * foxes])


def euler(state, h):
    return state + h * change(state)


def runge_kutta(state, h):
    k1 = change(state)
    k2 = change(state + h / 2 * k1)
    k3 = change(state + h / 2 * k2)
    k4 = change(state + h * k3)
    return state + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def conserved(states, a=1.1, b=0.4, c=0.4, d=0.1):
    return d * states[:, 0] - c * np.log(states[:, 0]) + b * states[:, 1] - a * np.log(states[:, 1])


h = 0.01
tables = {}
for method in (euler, runge_kutta):
    states = np.zeros((steps, 2))
    states[0] = [10.0, 5.0]
    for k in range(1, steps):
        states[k] = method(states[k - 1], h)
    v = conserved(states)
    print(f"{method.__name__:12s} end {states[-1].round(3)} conserved changes by {abs(v[-1] - v[0]):.6f}")
    tables[method.__name__] = pd.DataFrame(states, columns=["hares", "foxes"], index=np.arange(steps) * h)

best = tables["runge_kutta"]
print(best.iloc[:: steps // 6].round(4))
hares = best["hares"].to_numpy()
peaks = [k for k in range(1, steps - 1) if hares[k - 1] < hares[k] > hares[k + 1]]
print("peaks at", [round(k * h, 2) for k in peaks[:6]])
if len(peaks) > 1:
    print("period", round(float(np.diff(peaks).mean() * h), 3))
print(best.agg(["min", "max", "mean"]).round(3))
apart = (tables["euler"] - best).abs().max(axis=1)
print("apart by more than 0.1 from", round(float(apart[apart > 0.1].index[0]), 2))
phase = best.apply(lambda row: "growing" if row["foxes"] < 2.75 else "shrinking", axis=1)
print(phase.value_counts().sort_index())
