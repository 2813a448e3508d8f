"""A cart followed by noisy positions: a Kalman filter with small matrices, step by step, and what the noise levels do.
Idea: the Kalman filter tutorial."""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 300 if SIZE == "small" else 4_000
dt = 0.1

rng = np.random.default_rng(1960)
t = np.arange(n) * dt
position = np.cumsum(np.cos(t / 5) * 2 * dt + rng.normal(0, 0.02, n))
measured = position + rng.normal(0, 0.5, n)
measured[rng.random(n) < 0.05] = np.nan

F = np.array([[1, dt], [0, 1]])
H = np.array([[1.0, 0.0]])


def follow(q, r):
    Q = q * np.array([[dt**4 / 4, dt**3 / 2], [dt**3 / 2, dt**2]])
    R = np.array([[r]])
    x, P = np.zeros((2, 1)), np.eye(2) * 10
    out = np.zeros((n, 4))
    for k, z in enumerate(measured):
        x = F @ x
        P = F @ P @ F.T + Q
        innovation = np.nan
        if not np.isnan(z):
            y = z - H @ x
            S = H @ P @ H.T + R
            K = P @ H.T @ np.linalg.inv(S)
            x = x + K @ y
            P = (np.eye(2) - K @ H) @ P
            innovation = y[0, 0] / np.sqrt(S[0, 0])
        out[k] = x[0, 0], x[1, 0], P[0, 0], innovation
    return out


rows = []
for q in (0.01, 0.5, 20):
    for r in (0.25, 2.0):
        result = follow(q, r)
        error = result[20:, 0] - position[20:]
        rows.append(
            {
                "q": q,
                "r": r,
                "rmse": np.sqrt((error**2).mean()),
                "spread": np.nanstd(result[:, 3]),
                "last": result[-1, 0],
            }
        )
table = pd.DataFrame(rows)
print(table.round(4).to_string(index=False))
print(
    "raw:", round(float(np.sqrt(np.nanmean((measured - position) ** 2))), 4), "missing:", int(np.isnan(measured).sum())
)

best = table.loc[table["rmse"].idxmin()]
result = follow(best["q"], best["r"])
track = pd.DataFrame(result, columns=["position", "speed", "variance", "innovation"], index=t)
track["true"] = position
print(track.iloc[:: n // 5].round(3))
inside = ((track["position"] - track["true"]).abs() < 2 * np.sqrt(track["variance"])).mean()
print("inside two sigma:", round(float(inside), 3))
print("speed:", track["speed"].iloc[50:].agg(["min", "max"]).round(3).tolist())
smooth = pd.Series(measured).interpolate().rolling(9, center=True, min_periods=1).mean()
print("a moving mean instead:", round(float(np.sqrt(((smooth - position) ** 2).mean())), 4))
print("white:", round(float(track["innovation"].autocorr(1)), 3))
