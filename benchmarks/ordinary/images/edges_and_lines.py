"""Edges of a drawing by Sobel's kernels, thinned by direction, and its straight lines by a Hough transform.
Idea: the tutorial on edge detection."""

import sys

import numpy as np

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
side = 64 if SIZE == "small" else 1_000

rng = np.random.default_rng(1968)
image = np.full((side, side), 30.0)
image[side // 4 : side // 2, side // 4 : 3 * side // 4] = 200
for k in range(side):
    image[k, max(0, k - 2) : k + 2] = 120
image += rng.normal(0, 4, image.shape)


def convolve(picture, kernel):
    kernel = np.asarray(kernel, dtype=float)
    h, w = kernel.shape
    out = np.zeros((picture.shape[0] - h + 1, picture.shape[1] - w + 1))
    for i in range(h):
        for j in range(w):
            out += kernel[i, j] * picture[i : i + out.shape[0], j : j + out.shape[1]]
    return out


gx = convolve(image, [[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]])
gy = convolve(image, [[-1, -2, -1], [0, 0, 0], [1, 2, 1]])
strength = np.hypot(gx, gy)
angle = np.rad2deg(np.arctan2(gy, gx)) % 180
print(strength.shape, round(float(strength.mean()), 3), round(float(strength.max()), 2))
sector = (((angle + 22.5) % 180) // 45).astype(int)
print("directions:", np.bincount(sector[strength > 150], minlength=4))

thin = np.zeros_like(strength, dtype=bool)
steps = [(0, 1), (1, 1), (1, 0), (1, -1)]
inner = strength[1:-1, 1:-1]
for k, (a, b) in enumerate(steps):
    forward = strength[1 + a : strength.shape[0] - 1 + a, 1 + b : strength.shape[1] - 1 + b]
    back = strength[1 - a : strength.shape[0] - 1 - a, 1 - b : strength.shape[1] - 1 - b]
    thin[1:-1, 1:-1] |= (sector[1:-1, 1:-1] == k) & (inner >= forward) & (inner >= back) & (inner > 150)
print("edge points:", int(thin.sum()), "of", int((strength > 150).sum()))

ys, xs = np.nonzero(thin)
thetas = np.deg2rad(np.arange(0, 180, 2))
diagonal = int(np.ceil(np.hypot(*thin.shape)))
votes = np.zeros((2 * diagonal + 1, len(thetas)), dtype=int)
for px, py in zip(xs, ys):
    rho = np.round(px * np.cos(thetas) + py * np.sin(thetas)).astype(int) + diagonal
    votes[rho, np.arange(len(thetas))] += 1
order = np.argsort(-votes, axis=None, kind="stable")
found = []
for index in order:
    r, t = np.unravel_index(index, votes.shape)
    if all(abs(r - a) > 8 or abs(t - b) > 8 for a, b, _ in found):
        found.append((r, t, votes[r, t]))
    if len(found) == 4:
        break
for r, t, v in found:
    print(f"line at {2 * t:3d} degrees, distance {r - diagonal:4d}, {v} votes")
