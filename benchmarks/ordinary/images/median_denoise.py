"""Salt and pepper are taken out of a picture by medians of windows; errors for each size of window and share of noise."""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
side = 40 if SIZE == "small" else 320

rng = np.random.default_rng(50)
y, x = np.mgrid[0:side, 0:side]
clean = (127 + 60 * np.sin(x / 7) + 40 * np.cos(y / 11)).astype(np.uint8)
clean[side // 3 : side // 2, side // 3 : side // 2] = 240


def add_noise(picture, share):
    noisy = picture.copy()
    draw = rng.random(picture.shape)
    noisy[draw < share / 2] = 0
    noisy[draw > 1 - share / 2] = 255
    return noisy


def median_filter(picture, k):
    padded = np.pad(picture, k // 2, mode="reflect")
    windows = np.lib.stride_tricks.sliding_window_view(padded, (k, k))
    return np.median(windows, axis=(2, 3)).astype(np.uint8)


def median_loop(picture, k):
    half = k // 2
    padded = np.pad(picture, half, mode="reflect")
    out = np.empty_like(picture)
    for i in range(picture.shape[0]):
        for j in range(picture.shape[1]):
            window = sorted(padded[i : i + k, j : j + k].ravel().tolist())
            out[i, j] = window[len(window) // 2]
    return out


def psnr(a, b):
    mse = ((a.astype(float) - b.astype(float)) ** 2).mean()
    return 10 * np.log10(255**2 / mse)


rows = []
for share in (0.02, 0.1, 0.3):
    noisy = add_noise(clean, share)
    for k in (3, 5):
        restored = median_filter(noisy, k)
        rows.append({"share": share, "window": k, "noisy": psnr(clean, noisy), "restored": psnr(clean, restored)})
table = pd.DataFrame(rows)
print(table.round(3).to_string(index=False))
print("loops agree:", np.array_equal(median_loop(noisy, 3), median_filter(noisy, 3)))

best = table.loc[table.groupby("share")["restored"].idxmax(), ["share", "window"]]
print(best.to_string(index=False))
mean = np.lib.stride_tricks.sliding_window_view(np.pad(noisy, 1, mode="reflect"), (3, 3)).mean(axis=(2, 3))
print("a mean instead:", round(float(psnr(clean, mean)), 3))
wrong = np.argwhere(np.abs(median_filter(noisy, 5).astype(int) - clean) > 60)
print("still wrong:", len(wrong), wrong[:4].tolist())
for row in median_filter(noisy, 5)[:: side // 10, :: side // 20]:
    print(" ".join(f"{v // 26}" for v in row))
