"""Colours from red, green and blue to hue, saturation and value, masks by hue, and the main colours by counting."""

import colorsys
import sys
from collections import Counter

import numpy as np

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
side = 60 if SIZE == "small" else 500

rng = np.random.default_rng(24)
palette = {"red": (220, 40, 30), "green": (40, 180, 60), "blue": (30, 60, 210), "yellow": (230, 210, 40)}
image = np.zeros((side, side, 3), dtype=np.uint8)
step = side // 6
for i in range(0, side, step):
    for j in range(0, side, step):
        colour = list(palette.values())[rng.integers(0, 4)]
        image[i : i + step, j : j + step] = colour
noisy = np.clip(image.astype(int) + rng.integers(-15, 16, image.shape), 0, 255).astype(np.uint8)
grey = noisy @ np.array([0.299, 0.587, 0.114])
print(noisy.shape, noisy.mean(axis=(0, 1)).round(3), round(float(grey.mean()), 3))


def to_hsv(rgb):
    rgb = rgb / 255.0
    r, g, b = rgb[..., 0], rgb[..., 1], rgb[..., 2]
    high, low = rgb.max(axis=-1), rgb.min(axis=-1)
    span = high - low
    safe = np.where(span == 0, 1, span)
    hue = np.zeros(high.shape)
    mask = high == r
    hue[mask] = ((g - b) / safe)[mask] % 6
    mask = (high == g) & (high != r)
    hue[mask] = ((b - r) / safe)[mask] + 2
    mask = (high == b) & (high != r) & (high != g)
    hue[mask] = ((r - g) / safe)[mask] + 4
    saturation = np.where(high == 0, 0, span / np.where(high == 0, 1, high))
    return np.stack([hue / 6, saturation, high], axis=-1)


hsv = to_hsv(noisy)
worst = 0.0
for i, j in zip(rng.integers(0, side, 300), rng.integers(0, side, 300)):
    expected = colorsys.rgb_to_hsv(*(noisy[i, j] / 255.0))
    worst = max(worst, float(np.abs(hsv[i, j] - expected).max()))
print("as colorsys:", worst < 1e-9)

for name, colour in palette.items():
    h = colorsys.rgb_to_hsv(*(c / 255 for c in colour))[0]
    distance = np.abs(hsv[..., 0] - h)
    mask = np.minimum(distance, 1 - distance) < 0.06
    print(f"{name:7s} hue {h:.3f} share {mask.mean():.4f} value {hsv[..., 2][mask].mean():.4f}")

coarse = (noisy // 64).reshape(-1, 3)
counts = Counter(map(tuple, coarse.tolist()))
for colour, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:5]:
    print(colour, count)
unique, inverse = np.unique(coarse, axis=0, return_inverse=True)
print("coarse colours:", len(unique), "commonest again:", unique[np.bincount(inverse.ravel()).argmax()])
sepia = np.array([[0.393, 0.769, 0.189], [0.349, 0.686, 0.168], [0.272, 0.534, 0.131]])
brown = np.clip(noisy @ sepia.T, 0, 255).astype(np.uint8)
print("sepia:", brown[0, 0], brown[-1, -1], brown.reshape(-1, 3).max(axis=0))
