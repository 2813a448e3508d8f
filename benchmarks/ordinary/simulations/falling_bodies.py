"""Throws with air resistance for many angles and speeds: range, height, time, the best angle; and a bouncing ball."""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
angles = 10 if SIZE == "small" else 90
G, DT = 9.81, 0.005


def throw(speed, angle, drag):
    x = y = top = t = 0.0
    vx, vy = speed * np.cos(np.radians(angle)), speed * np.sin(np.radians(angle))
    while True:
        v = np.sqrt(vx * vx + vy * vy)
        vx -= drag * v * vx * DT
        vy -= (G + drag * v * vy) * DT
        x_new, y_new = x + vx * DT, y + vy * DT
        t += DT
        if y_new < 0:
            return x + (x_new - x) * y / (y - y_new), top, t
        x, y = x_new, y_new
        top = max(top, y)


rows = []
for drag in (0.0, 0.01):
    for speed in (10.0, 20.0):
        for angle in np.linspace(15, 75, angles):
            distance, height, seconds = throw(speed, angle, drag)
            rows.append(
                {"drag": drag, "speed": speed, "angle": angle, "range": distance, "height": height, "time": seconds}
            )
df = pd.DataFrame(rows)
print(df.iloc[:: len(df) // 8].round(3).to_string())
best = df.loc[df.groupby(["drag", "speed"])["range"].idxmax()]
print(best.set_index(["drag", "speed"]).round(3))
pivot = df.pivot_table(index="angle", columns=["drag", "speed"], values="range")
print(pivot.describe().loc[["min", "max"]].round(3))
free = df[df["drag"] == 0]
formula = free["speed"] ** 2 * np.sin(2 * np.radians(free["angle"])) / G
print("largest error of the free throw:", round(float((free["range"] - formula).abs().max()), 3))

height, bounces = 2.0, []
y, v, t = height, 0.0, 0.0
while len(bounces) < 12:
    v -= G * DT / 5
    y += v * DT / 5
    t += DT / 5
    if y < 0:
        y, v = 0.0, -v * 0.8
        bounces.append(t)
gaps = np.diff(bounces)
print("bounces:", np.round(bounces[:5], 2), "ratio of the gaps:", round(float((gaps[1:5] / gaps[:4]).mean()), 2))
