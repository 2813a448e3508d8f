"""A picture is turned, scaled and mirrored: nearest pixel, bilinear interpolation, block means, and how much is lost.
Idea: a question on resizing an image with NumPy only."""

import sys

import numpy as np

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
side = 60 if SIZE == "small" else 480

rng = np.random.default_rng(90)
y, x = np.mgrid[0:side, 0:side]
image = 100 + 80 * np.sin(x * y / (side * 6.0)) + 20 * ((x // 10 + y // 10) % 2)


def resize_nearest(picture, height, width):
    rows = (np.arange(height) * picture.shape[0] / height).astype(int)
    cols = (np.arange(width) * picture.shape[1] / width).astype(int)
    return picture[rows[:, None], cols]


def sample_bilinear(picture, ys, xs):
    ys = np.clip(ys, 0, picture.shape[0] - 1.001)
    xs = np.clip(xs, 0, picture.shape[1] - 1.001)
    y0, x0 = np.floor(ys).astype(int), np.floor(xs).astype(int)
    dy, dx = ys - y0, xs - x0
    top = picture[y0, x0] * (1 - dx) + picture[y0, x0 + 1] * dx
    bottom = picture[y0 + 1, x0] * (1 - dx) + picture[y0 + 1, x0 + 1] * dx
    return top * (1 - dy) + bottom * dy


def rotate(picture, degrees):
    a = np.deg2rad(degrees)
    c = (np.array(picture.shape) - 1) / 2
    ys, xs = np.indices(picture.shape)
    ys, xs = ys - c[0], xs - c[1]
    return sample_bilinear(picture, np.cos(a) * ys - np.sin(a) * xs + c[0], np.sin(a) * ys + np.cos(a) * xs + c[1])


half = image.reshape(side // 2, 2, side // 2, 2).mean(axis=(1, 3))
print("halved:", half.shape, round(float(half.mean()), 4), round(float(half.std()), 4))
for factor in (0.5, 1.5, 2):
    n = int(side * factor)
    big = resize_nearest(image, n, n)
    back = resize_nearest(big, side, side)
    print(f"nearest x{factor}: mean {big.mean():.3f}, lost {np.abs(back - image).mean():.4f}")
    ys, xs = np.meshgrid(np.linspace(0, side - 1, n), np.linspace(0, side - 1, n), indexing="ij")
    smooth = sample_bilinear(image, ys, xs)
    print(f"bilinear x{factor}: mean {smooth.mean():.3f}, centre {smooth[n // 2, n // 3]:.3f}")

turned = rotate(image, 30)
again = rotate(turned, -30)
inner = slice(side // 4, 3 * side // 4)
print(
    "turned:",
    round(float(turned.mean()), 3),
    "lost inside:",
    round(float(np.abs(again - image)[inner, inner].mean()), 4),
)
print("quarter turns:", np.array_equal(np.rot90(np.rot90(image)), image[::-1, ::-1]))
mirrored = np.fliplr(image)
print("mirrored twice:", np.array_equal(np.fliplr(mirrored), image), round(float(np.abs(mirrored - image).mean()), 4))
tiles = [image[i : i + 10, j : j + 10].mean() for i in range(0, side, 10) for j in range(0, side, 10)]
print("tiles:", len(tiles), np.round(tiles[:5], 3), round(max(tiles), 3))
crop = image[side // 5 : -side // 5, side // 4 : -side // 4]
framed = np.pad(crop, ((2, 2), (3, 3)), constant_values=255)
print(crop.shape, framed.shape, round(float(framed.mean()), 3))
