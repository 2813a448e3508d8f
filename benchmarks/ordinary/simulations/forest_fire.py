"""Trees grow and burn on a grid: neighbours catch fire, lightning strikes; the share of trees over time.
Idea: the forest fire model tutorial."""

import sys

import numpy as np

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
side, steps = (40, 120) if SIZE == "small" else (200, 1_200)
EMPTY, TREE, FIRE = 0, 1, 2

rng = np.random.default_rng(451)
forest = np.where(rng.random((side, side)) < 0.5, TREE, EMPTY)
trees, fires, burned = [], [], 0

for step in range(steps):
    burning = forest == FIRE
    near = np.zeros_like(burning)
    near[1:, :] |= burning[:-1, :]
    near[:-1, :] |= burning[1:, :]
    near[:, 1:] |= burning[:, :-1]
    near[:, :-1] |= burning[:, 1:]
    chance = rng.random((side, side))
    new = forest.copy()
    new[burning] = EMPTY
    new[(forest == TREE) & near] = FIRE
    new[(forest == TREE) & ~near & (chance < 0.0002)] = FIRE
    new[(forest == EMPTY) & (chance < 0.02)] = TREE
    burned += int(burning.sum())
    forest = new
    trees.append((forest == TREE).mean())
    fires.append(int((forest == FIRE).sum()))
    if step in (0, steps // 2, steps - 1):
        counts = dict(zip(*(a.tolist() for a in np.unique(forest, return_counts=True))))
        print(step, counts)

trees = np.array(trees)
print("share of trees:", trees.mean().round(4), trees.min().round(4), trees.max().round(4))
print("burned:", burned, "largest fire:", max(fires), "at step", int(np.argmax(fires)))
quiet = sum(1 for f in fires if f == 0)
print("steps without fire:", quiet)
for row in forest[:8, :40]:
    print("".join(".T*"[int(cell)] for cell in row))

label = np.zeros_like(forest)
sizes = []
for i in range(0, min(side, 40)):
    for j in range(0, min(side, 40)):
        if forest[i, j] == TREE and label[i, j] == 0:
            stack, size = [(i, j)], 0
            label[i, j] = len(sizes) + 1
            while stack:
                a, b = stack.pop()
                size += 1
                for c, d in ((a + 1, b), (a - 1, b), (a, b + 1), (a, b - 1)):
                    if 0 <= c < min(side, 40) and 0 <= d < min(side, 40) and forest[c, d] == TREE and label[c, d] == 0:
                        label[c, d] = len(sizes) + 1
                        stack.append((c, d))
            sizes.append(size)
print("groups:", len(sizes), "largest:", sorted(sizes, reverse=True)[:5])
