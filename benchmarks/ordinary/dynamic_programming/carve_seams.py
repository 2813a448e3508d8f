"""Make a picture narrower by removing seams of least energy, one after the other.

Idea: seam carving, a classic assignment on dynamic programming
"""

import sys

import numpy as np

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
height, width, seams = (60, 80, 8) if SIZE == "small" else (260, 360, 80)


def energy(image):
    dy, dx = np.gradient(image)
    return np.abs(dy) + np.abs(dx)


def find_seam(e):
    cost = e.copy()
    for i in range(1, len(cost)):
        above = cost[i - 1]
        left = np.concatenate([[np.inf], above[:-1]])
        right = np.concatenate([above[1:], [np.inf]])
        cost[i] += np.minimum(np.minimum(left, above), right)
    seam = np.zeros(len(cost), dtype=int)
    seam[-1] = np.argmin(cost[-1])
    for i in range(len(cost) - 2, -1, -1):
        j = seam[i + 1]
        low = max(j - 1, 0)
        seam[i] = low + np.argmin(cost[i, low : j + 2])
    return seam, cost[-1].min()


def remove(image, seam):
    mask = np.ones(image.shape, dtype=bool)
    mask[np.arange(len(image)), seam] = False
    return image[mask].reshape(len(image), -1)


rng = np.random.default_rng(77)
y, x = np.mgrid[:height, :width]
image = 100 + 30 * np.sin(x / 9.0) + rng.integers(0, 12, (height, width))
image[(y - height / 2) ** 2 + (x - width / 3) ** 2 < (height / 5) ** 2] = 230
before = (image > 200).sum()
costs = []
for k in range(seams):
    seam, cost = find_seam(energy(image))
    costs.append(cost)
    image = remove(image, seam)
    if k % (seams // 4) == 0:
        print(f"seam {k:2d}: cost {cost:.2f}, from {seam[0]} to {seam[-1]}, shape {image.shape}")
print("bright points before", before, "after", (image > 200).sum())
print("costs:", np.round(costs[:6], 2).tolist(), "mean", round(np.mean(costs), 3))
print("mean", round(image.mean(), 4), "row 10:", np.round(image[10, :6], 2).tolist())
print("histogram", np.histogram(image, bins=8, range=(60, 240))[0])
