"""Value iteration on a world of squares with walls, a goal and a pit.

Idea: the grid world of introductions to reinforcement learning
"""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n, sweeps = (6, 40) if SIZE == "small" else (14, 180)

rng = np.random.default_rng(3)
walls = rng.random((n, n)) < 0.15
walls[0, 0] = walls[-1, -1] = walls[n // 2, n // 2] = False
goal, pit = (n - 1, n - 1), (n // 2, n // 2)
actions = {"right": (0, 1), "down": (1, 0), "left": (0, -1), "up": (-1, 0)}
names = list(actions)


def target(i, j, name):
    y, x = i + actions[name][0], j + actions[name][1]
    if y < 0 or x < 0 or y >= n or x >= n or walls[y, x]:
        return i, j
    return y, x


def value_of(values, i, j, name):
    k = names.index(name)
    result = 0.8 * values[target(i, j, name)]
    result += 0.1 * values[target(i, j, names[(k + 1) % 4])]
    result += 0.1 * values[target(i, j, names[(k - 1) % 4])]
    return -0.04 + 0.95 * result


values = np.zeros((n, n))
changes = []
for _ in range(sweeps):
    new = values.copy()
    for i in range(n):
        for j in range(n):
            if (i, j) == goal:
                new[i, j] = 1
            elif (i, j) == pit:
                new[i, j] = -1
            elif not walls[i, j]:
                new[i, j] = max(value_of(values, i, j, a) for a in names)
    changes.append(np.abs(new - values).max())
    values = new

print(pd.DataFrame(values[:10, :10]).round(3).to_string())
policy = np.full((n, n), "#")
for i, j in np.argwhere(~walls):
    best = max(names, key=lambda a: round(value_of(values, i, j, a), 9))
    policy[i, j] = best[0]
policy[goal], policy[pit] = "G", "P"
print("\n".join(" ".join(row) for row in policy))
print("largest change:", [f"{c:.4f}" for c in changes[:: sweeps // 5]])
