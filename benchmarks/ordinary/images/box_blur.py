"""A picture of discs is blurred by a box, once with loops over the pixels and once with shifted arrays."""

import sys

import numpy as np

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
side = 48 if SIZE == "small" else 800

rng = np.random.default_rng(3)
y, x = np.mgrid[0:side, 0:side]
image = np.zeros((side, side))
for _ in range(12):
    cx, cy, radius = rng.uniform(0, side), rng.uniform(0, side), rng.uniform(3, side / 5)
    image[(x - cx) ** 2 + (y - cy) ** 2 < radius**2] += rng.uniform(40, 120)
image = np.clip(image + rng.normal(0, 10, image.shape), 0, 255).astype(np.uint8)
print(image.shape, image.dtype, image.min(), image.max(), round(float(image.mean()), 3))

small = image[:48, :48].astype(int)
looped = np.zeros_like(small)
for i in range(small.shape[0]):
    for j in range(small.shape[1]):
        total, count = 0, 0
        for a in range(max(i - 1, 0), min(i + 2, small.shape[0])):
            for b in range(max(j - 1, 0), min(j + 2, small.shape[1])):
                total += small[a, b]
                count += 1
        looped[i, j] = total // count


def blur(picture, times=1):
    result = picture.astype(float)
    for _ in range(times):
        padded = np.pad(result, 1, mode="edge")
        total = np.zeros_like(result)
        for a in range(3):
            for b in range(3):
                total += padded[a : a + result.shape[0], b : b + result.shape[1]]
        result = total / 9
    return result


blurred = blur(image)
print("inside the same:", bool((looped[1:-1, 1:-1] == (blurred[1:47, 1:47] + 1e-9).astype(int)).all()))
for times in (1, 3, 10):
    b = blur(image, times)
    edges = np.abs(np.diff(b, axis=0)).mean() + np.abs(np.diff(b, axis=1)).mean()
    print(f"{times:2d} times: std {b.std():.3f}, edges {edges:.4f}, centre {b[side // 2, side // 2]:.3f}")
sharp = np.clip(image + 1.5 * (image - blurred), 0, 255).astype(np.uint8)
print("sharpened:", sharp.min(), sharp.max(), round(float(sharp.mean()), 2))
levels = " .:-=+*#%@"
for row in blur(image, 3)[:: side // 12, :: side // 24]:
    print("".join(levels[min(int(v) // 26, 9)] for v in row))
