"""Weather and machines as chains of states: powers of a matrix, the lasting shares, hitting times, and simulated paths."""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
days = 3_000 if SIZE == "small" else 100_000

states = ["sun", "cloud", "rain"]
p = pd.DataFrame([[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.2, 0.4, 0.4]], index=states, columns=states)
print(p)
for k in (2, 5, 20):
    print(k, np.linalg.matrix_power(p.to_numpy(), k)[0].round(5))

values, vectors = np.linalg.eig(p.T.to_numpy())
k = int(np.argmin(np.abs(values - 1)))
lasting = np.real(vectors[:, k])
lasting = lasting / lasting.sum()
print("lasting:", dict(zip(states, lasting.round(4).tolist())))
a = np.vstack([p.T.to_numpy() - np.eye(3), np.ones(3)])
print("by equations:", np.linalg.lstsq(a, np.array([0, 0, 0, 1.0]), rcond=None)[0].round(4))

rng = np.random.default_rng(1906)
state, path = "sun", []
draws = rng.random(days)
cumulated = {s: np.cumsum(p.loc[s].to_numpy()) for s in states}
for u in draws:
    path.append(state)
    state = states[int(np.searchsorted(cumulated[state], u))]
s = pd.Series(path)
print(s.value_counts(normalize=True).round(3).sort_index())
estimated = pd.crosstab(s, s.shift(-1), normalize="index").loc[states, states]
print(estimated.round(3))
print("largest error:", round(float((estimated.to_numpy() - p.to_numpy()).__abs__().max()), 3))

runs = (s != s.shift()).cumsum()
lengths = s.groupby(runs).agg(["first", "size"])
print(lengths.groupby("first")["size"].agg(["count", "mean", "max"]).round(3))

q = p.loc[["sun", "cloud"], ["sun", "cloud"]].to_numpy()
fundamental = np.linalg.inv(np.eye(2) - q)
print("days until rain:", fundamental.sum(axis=1).round(4))
waits = []
since = None
for day, weather in enumerate(path):
    if weather == "rain":
        if since is not None:
            waits.append(day - since)
        since = None
    elif since is None and weather == "sun" and (day == 0 or path[day - 1] == "rain"):
        since = day
print("simulated:", round(float(np.mean(waits)), 2), "from", len(waits))
reward = np.array([10, 4, -2])
print("mean reward:", round(float(lasting @ reward), 4), round(float(s.map(dict(zip(states, reward))).mean()), 2))
