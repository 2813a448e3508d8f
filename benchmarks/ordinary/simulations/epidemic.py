"""An epidemic by difference equations and as chances of single persons, with a peak, and a table over the parameters.
Idea: the SIR model tutorial."""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
people, rates = (1_000, 4) if SIZE == "small" else (40_000, 150)


def sir(beta, gamma, days, dt=0.1):
    s, i, r = 0.999, 0.001, 0.0
    rows = []
    for step in range(int(days / dt)):
        if step % 10 == 0:
            rows.append((step * dt, s, i, r))
        new = beta * s * i * dt
        healed = gamma * i * dt
        s, i, r = s - new, i + new - healed, r + healed
    return pd.DataFrame(rows, columns=["day", "s", "i", "r"])


curve = sir(0.4, 0.1, 120)
print(curve.iloc[::20].round(4).to_string(index=False))
peak = curve.loc[curve["i"].idxmax()]
print(f"peak on day {peak['day']:.0f} with {peak['i']:.3f}")

rows = []
for beta in np.linspace(0.15, 0.6, rates):
    c = sir(beta, 0.1, 160)
    rows.append({"r0": beta / 0.1, "peak": c["i"].max(), "day": c["day"][c["i"].idxmax()], "total": c["r"].iloc[-1]})
table = pd.DataFrame(rows)
print(table.iloc[:: max(1, rates // 4)].round(3))

rng = np.random.default_rng(1927)
state = np.zeros(people, dtype=int)
state[:5] = 1
left = np.zeros(people, dtype=int)
left[:5] = 10
history = []
for day in range(100):
    sick = state == 1
    chance = 1 - (1 - 0.3 / people) ** sick.sum()
    infected = (state == 0) & (rng.random(people) < chance)
    left[sick] -= 1
    state[sick & (left <= 0)] = 2
    state[infected] = 1
    left[infected] = rng.integers(5, 15, infected.sum())
    history.append(np.bincount(state, minlength=3))
history = pd.DataFrame(history, columns=["healthy", "sick", "immune"])
print(history.iloc[::20])
print("peak of the simulation:", history["sick"].max(), "on day", history["sick"].idxmax())
doubling = history["sick"][history["sick"] >= 2 * history["sick"].iloc[0]].index[0]
print("doubled after", doubling, "days; never ill:", history["healthy"].iloc[-1])
