"""Colours of a picture reduced to eight by Lloyd's method."""

import numpy as np

rng = np.random.default_rng(6)
middle = rng.uniform(0, 255, (8, 3))
pixels = middle[rng.integers(0, 8, 400_000)] + rng.normal(0, 12, (400_000, 3))
centres = pixels[:: len(pixels) // 8][:8].copy()
for step in range(12):
    distance = ((pixels[:, None, :] - centres[None, :, :]) ** 2).sum(axis=2)
    nearest = distance.argmin(axis=1)
    moved = np.array([pixels[nearest == k].mean(axis=0) if (nearest == k).any() else centres[k] for k in range(8)])
    shift = np.abs(moved - centres).max()
    centres = moved
order = np.lexsort(centres.T)
print("last shift:", round(float(shift), 4))
print(np.round(centres[order], 3))
print("sizes:", np.bincount(nearest, minlength=8)[order].tolist())
print("spread:", round(float(np.sqrt(distance.min(axis=1).mean())), 5))
