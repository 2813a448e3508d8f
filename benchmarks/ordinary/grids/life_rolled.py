"""Game of life on a torus: neighbours are counted with np.roll.

Idea: the game of life as the usual NumPy exercise
"""

import sys

import numpy as np

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n, steps = (64, 120) if SIZE == "small" else (160, 600)


def step(grid):
    neighbours = np.zeros_like(grid)
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            if dy == 0 and dx == 0:
                continue
            neighbours += np.roll(np.roll(grid, dy, axis=0), dx, axis=1)
    born = (grid == 0) & (neighbours == 3)
    stays = (grid == 1) & ((neighbours == 2) | (neighbours == 3))
    return np.where(born | stays, 1, 0)


rng = np.random.default_rng(1)
grid = (rng.random((n, n)) < 0.3).astype(int)
print("start", grid.sum())
history = []
for k in range(steps):
    grid = step(grid)
    history.append(grid.sum())
    if k % (steps // 6) == 0:
        print(f"step {k:4d}: {grid.sum()} alive, {(grid.sum(axis=1) == 0).sum()} empty rows")
history = np.array(history)
print("most alive", history.max(), "at step", history.argmax())
print("changes of the last ten steps", np.diff(history)[-10:])
for row in grid[:12, :40]:
    print("".join("#" if cell else "." for cell in row))
