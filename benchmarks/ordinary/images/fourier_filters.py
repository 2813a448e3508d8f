"""Stripes are taken out of a picture by its spectrum; low and high pass, and the shift between two pictures.
Idea: the tutorial on filtering in the frequency domain."""

import sys

import numpy as np

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
side = 64 if SIZE == "small" else 512

rng = np.random.default_rng(1807)
y, x = np.mgrid[0:side, 0:side]
scene = np.zeros((side, side))
for _ in range(20):
    cy, cx = rng.uniform(0, side, 2)
    scene += rng.uniform(20, 60) * np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / (2 * (side / 16) ** 2))
stripes = 15 * np.sin(2 * np.pi * 12 * x / side)
image = scene + stripes + rng.normal(0, 1, scene.shape)

spectrum = np.fft.fftshift(np.fft.fft2(image))
power = np.log1p(np.abs(spectrum))
centre = side // 2
print("power:", round(float(power.mean()), 4), round(float(power.max()), 4))
row = np.abs(spectrum[centre, centre + 6 :])
k = int(row.argmax()) + 6
print("stripes found at", k)

notch = np.ones((side, side))
for sign in (-1, 1):
    notch[centre - 1 : centre + 2, centre + sign * k - 1 : centre + sign * k + 2] = 0
cleaned = np.fft.ifft2(np.fft.ifftshift(spectrum * notch)).real
print(
    "error before",
    round(float(np.abs(image - scene).mean()), 4),
    "after",
    round(float(np.abs(cleaned - scene).mean()), 4),
)

radius = np.hypot(y - centre, x - centre)
for cut in (4, 8, 16):
    low = np.fft.ifft2(np.fft.ifftshift(spectrum * (radius <= cut))).real
    high = image - low
    print(
        f"cut {cut:2d}: low std {low.std():.4f}, high std {high.std():.4f}, share {(np.abs(spectrum[radius <= cut]) ** 2).sum() / (np.abs(spectrum) ** 2).sum():.5f}"
    )

rings = radius.astype(int)
profile = np.bincount(rings.ravel(), np.abs(spectrum).ravel()) / np.bincount(rings.ravel())
print("profile:", np.round(profile[[1, 4, 8, 16]] / profile[0], 5))

dy, dx = 5, side - 9
moved = np.roll(image, (dy, dx), axis=(0, 1)) + rng.normal(0, 1, image.shape)
cross = np.fft.fft2(moved) * np.conj(np.fft.fft2(image))
peak = np.fft.ifft2(cross / np.abs(cross)).real
print("shift:", [int(v) for v in np.unravel_index(peak.argmax(), peak.shape)], "expected", [dy, dx])
kernel = np.zeros_like(image)
kernel[:3, :3] = 1 / 9
fast = np.fft.irfft2(np.fft.rfft2(image) * np.fft.rfft2(kernel), image.shape)
slow = sum(np.roll(image, (a, b), axis=(0, 1)) for a in range(3) for b in range(3)) / 9
print("convolution theorem:", np.allclose(fast, slow))
