"""Rows of a picture are sorted between dark borders, checkerboards drawn, letters put in, and the result packed by run lengths."""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
height, width = (40, 60) if SIZE == "small" else (1_000, 1_200)

rng = np.random.default_rng(2010)
y, x = np.mgrid[0:height, 0:width]
image = ((np.sin(x / 7.0) + np.cos(y / 5.0)) * 50 + 120 + rng.integers(-30, 30, (height, width))).astype(np.uint8)
board = (((x // 8) + (y // 8)) % 2).astype(bool)
image[board & (y > height // 2)] //= 2
glyph = np.array([[int(c) for c in row] for row in ("01110", "10001", "11111", "10001", "10001")])
letter = np.kron(glyph, np.ones((3, 3), dtype=int)).astype(bool)
for top, left in ((2, 3), (5, 30), (20, 40)):
    part = image[top : top + letter.shape[0], left : left + letter.shape[1]]
    part[letter] = 0
print(image.shape, image.dtype, image.min(), image.max(), int(image.sum()))

ordered = image.copy()
moved = 0
for row in ordered:
    borders = np.flatnonzero(row < 40)
    edges = [-1, *borders.tolist(), len(row)]
    for a, b in zip(edges, edges[1:]):
        if b - a > 3:
            before = row[a + 1 : b].copy()
            row[a + 1 : b] = np.sort(before)
            moved += int((row[a + 1 : b] != before).sum())
print("moved:", moved, "same levels:", np.array_equal(np.bincount(image.ravel()), np.bincount(ordered.ravel())))
print(
    "rough before",
    round(float(np.abs(np.diff(image.astype(int), axis=1)).mean()), 3),
    "after",
    round(float(np.abs(np.diff(ordered.astype(int), axis=1)).mean()), 3),
)

levels = (ordered // 32).astype(int)
packed = []
for row in levels[: height // 4]:
    start = 0
    for k in range(1, len(row) + 1):
        if k == len(row) or row[k] != row[start]:
            packed.append((int(row[start]), k - start))
            start = k
runs = pd.DataFrame(packed, columns=["level", "length"])
print("runs:", len(runs), "pixels:", runs["length"].sum(), "mean:", round(runs["length"].mean(), 4))
print(runs.groupby("level")["length"].agg(["count", "sum", "max"]))
back = np.concatenate([np.full(length, level) for level, length in packed])
print("unpacked:", np.array_equal(back, levels[: height // 4].ravel()))
change = np.flatnonzero(np.diff(levels[0]) != 0) + 1
print("first row by arrays:", len(change) + 1, "runs,", change[:6])
columns = pd.Series(ordered.mean(axis=0)).rolling(5, center=True).mean().dropna()
print("columns:", round(columns.min(), 3), round(columns.max(), 3), int(columns.idxmax()))
dark = pd.DataFrame(ordered < 40).sum(axis=1)
print("rows without dark pixels:", int((dark == 0).sum()), "darkest row:", int(dark.idxmax()), int(dark.max()))
for row in levels[:6, :60]:
    print("".join(" .:-=+*#"[v] for v in row))
