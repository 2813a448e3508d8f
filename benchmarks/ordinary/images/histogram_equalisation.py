"""The grey levels of a dull picture are spread by its histogram; thresholds by Otsu and by the mean.
Idea: the tutorial on histogram equalisation."""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
side = 96 if SIZE == "small" else 1_000

rng = np.random.default_rng(256)
y, x = np.indices((side, side))
dull = 90 + 20 * np.sin(x / 9) * np.cos(y / 13) + 15 * (x > side / 2) + rng.normal(0, 3, (side, side))
image = dull.round().clip(0, 255).astype(np.uint8)
hist, _ = np.histogram(image.flatten(), 256, range=(0, 256))
print("levels:", int((hist > 0).sum()), "from", image.min(), "to", image.max())

cdf = hist.cumsum()
masked = np.ma.masked_equal(cdf, 0)
masked = (masked - masked.min()) * 255 / (masked.max() - masked.min())
table = np.ma.filled(masked, 0).astype("uint8")
equalised = table[image]
print("after:", equalised.min(), equalised.max(), round(float(equalised.mean()), 3), round(float(equalised.std()), 3))


def otsu(counts):
    total, best, level = counts.sum(), -1.0, 0
    weighted = (np.arange(256) * counts).sum()
    below = below_sum = 0
    for t in range(256):
        below += counts[t]
        if below == 0:
            continue
        above = total - below
        if above == 0:
            break
        below_sum += t * counts[t]
        gap = below_sum / below - (weighted - below_sum) / above
        between = below * above * gap * gap
        if between > best:
            best, level = between, t
    return level


level = otsu(hist)
print("Otsu:", level, "share above:", round(float((image > level).mean()), 4))
print("mean:", round(float(image.mean()), 3), "share above:", round(float((image > image.mean()).mean()), 4))

stats = pd.DataFrame({"before": image.ravel(), "after": equalised.ravel()}).describe().round(2)
print(stats)
bins = pd.Series(equalised.ravel()).groupby(pd.cut(equalised.ravel(), [-1, 63, 127, 191, 255]), observed=True).count()
print(bins.to_string())
gamma = (255 * (image / 255.0) ** 0.5).astype(np.uint8)
print("gamma:", gamma.min(), gamma.max(), int(gamma.sum()))
stretched = np.interp(image, np.percentile(image, [2, 98]), [0, 255]).round().astype(np.uint8)
print("stretched:", np.percentile(stretched, [5, 25, 50, 75, 95]))
equal = np.array_equal(table[image.ravel()].reshape(image.shape), equalised)
print("the same when flat:", equal)
