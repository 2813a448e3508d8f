"""The rows as users of numba write them: loops over prange, reductions that may reorder, compiled and cached."""

from __future__ import annotations

import math
from typing import Any

import numba
import numpy as np
from numba import njit, prange

REORDER = {"reassoc", "contract", "arcp", "nsz", "afn"}
parallel = njit(parallel=True, cache=True, fastmath=REORDER)
exact_parallel = njit(parallel=True, cache=True)
serial = njit(cache=True)
PARTS = 64  # blocks of a loop that stores something per block


@parallel
def on_unit_circle(x):
    flat, misses = x.ravel(), 0
    for i in prange(flat.size):
        if np.sin(flat[i]) ** 2 + np.cos(flat[i]) ** 2 != 1:
            misses += 1
    return misses == 0


@parallel
def elementwise(x):
    return np.sin(x) ** 2 + np.cos(x) ** 2


@parallel
def total(x):
    flat, s = x.ravel(), 0.0
    for i in prange(flat.size):
        s += flat[i]
    return s


@parallel
def std(x):
    flat, s, q = x.ravel(), 0.0, 0.0
    for i in prange(flat.size):
        s += flat[i]
    mean = s / flat.size
    for i in prange(flat.size):
        q += (flat[i] - mean) ** 2
    return math.sqrt(q / flat.size)


@parallel
def slice_copy(x):
    result = np.empty(((x.shape[0] + 2) // 3, x.shape[1]), x.dtype)
    for i in prange(result.shape[0]):
        for j in range(x.shape[1]):
            result[i, j] = x[3 * i, j]
    return result


@parallel
def slice_add(x):
    n, m = x.shape[0] // 3, x.shape[1] // 3
    result = np.empty((n, m), x.dtype)
    for i in prange(n):
        for j in range(m):
            result[i, j] = x[3 * i, 3 * j] + x[3 * i + 1, 3 * j + 1]
    return result


@parallel
def mean_of_nine(x):
    result = np.empty((x.shape[0] - 2, x.shape[1] - 2), x.dtype)
    for i in prange(result.shape[0]):
        for j in range(result.shape[1]):
            upper = x[i, j] + x[i, j + 1] + x[i, j + 2]
            middle = x[i + 1, j] + x[i + 1, j + 1] + x[i + 1, j + 2]
            lower = x[i + 2, j] + x[i + 2, j + 1] + x[i + 2, j + 2]
            result[i, j] = (upper + middle + lower) / 9
    return result


@numba.stencil
def nine(a):
    upper = a[-1, -1] + a[-1, 0] + a[-1, 1]
    middle = a[0, -1] + a[0, 0] + a[0, 1]
    lower = a[1, -1] + a[1, 0] + a[1, 1]
    return (upper + middle + lower) / 9


@parallel
def stencil_kernel(x):
    return nine(x)


@parallel
def add_slice_sum(x):
    s = 0.0
    for i in prange((x.shape[0] + 1) // 2):
        for j in range((x.shape[1] + 1) // 2):
            s += x[2 * i, 2 * j] + 1
    return s


@parallel
def transpose_copy(x):
    side = 32
    result = np.empty((x.shape[1], x.shape[0]), x.dtype)
    for block in prange((x.shape[0] + side - 1) // side):
        low, high = block * side, min(x.shape[0], (block + 1) * side)
        for left in range(0, x.shape[1], side):
            for j in range(left, min(x.shape[1], left + side)):
                for i in range(low, high):
                    result[j, i] = x[i, j]
    return result


@exact_parallel
def normals(n):
    result, part = np.empty(n, np.float64), (n + PARTS - 1) // PARTS
    for p in prange(PARTS):
        for i in range(p * part, min(n, (p + 1) * part)):
            result[i] = np.random.standard_normal()
    return result


@exact_parallel
def uniforms(n):
    result, part = np.empty(n, np.float64), (n + PARTS - 1) // PARTS
    for p in prange(PARTS):
        for i in range(p * part, min(n, (p + 1) * part)):
            result[i] = np.random.random()
    return result


@exact_parallel
def integers(n):
    result, part = np.empty(n, np.uint8), (n + PARTS - 1) // PARTS
    for p in prange(PARTS):
        for i in range(p * part, min(n, (p + 1) * part)):
            result[i] = np.random.randint(0, 3)
    return result


@parallel
def compress(x):
    result = np.empty((x.shape[0], x.shape[1] // 4), np.uint8)
    for i in prange(x.shape[0]):
        for j in range(result.shape[1]):
            low = x[i, 4 * j] + (x[i, 4 * j + 1] << 2)
            result[i, j] = low + (x[i, 4 * j + 2] << 4) + (x[i, 4 * j + 3] << 6)
    return result


@parallel
def decompress(x):
    result = np.empty((x.shape[0], x.shape[1] * 4), np.uint8)
    for i in prange(x.shape[0]):
        for j in range(x.shape[1]):
            v = x[i, j]
            result[i, 4 * j] = v & 3
            result[i, 4 * j + 1] = (v >> 2) & 3
            result[i, 4 * j + 2] = (v >> 4) & 3
            result[i, 4 * j + 3] = v >> 6
    return result


@serial
def add_one(x):
    return x + 1


@serial
def small_sum(x):
    return x.sum()


@serial
def small_chain(a, b, c):
    return a * b + c * a - b / 2


@parallel
def chain(a, b, c, d, e):
    return a * b + c * d - e / 2


@parallel
def add(a, b):
    return a + b


@parallel
def sqdiff_sum(a, b):
    s = 0.0
    for i in prange(a.size):
        s += (a[i] - b[i]) ** 2
    return s


@parallel
def power(a, b):
    return a**b


@parallel
def where(a, b):
    result = np.empty_like(a)
    for i in prange(a.size):
        result[i] = a[i] if a[i] > b[i] else b[i] * 2
    return result


@parallel
def exp(x):
    return np.exp(x)


@parallel
def log(x):
    return np.log(x)


@parallel
def tanh(x):
    return np.tanh(x)


@parallel
def erf(x):
    result = np.empty_like(x)
    for i in prange(x.size):
        result[i] = math.erf(x[i])
    return result


@parallel
def clip(x):
    return np.minimum(np.maximum(x, 0.2), 0.8)


@parallel
def argmax(x):
    return x.argmax()


@serial
def cumsum(x):
    return np.cumsum(x)


@serial
def sort(x):
    return np.sort(x)


@serial
def argsort(x):
    return np.argsort(x)


@serial
def mask_select(x):
    return x[x > 0]


@parallel
def mask_sum(x):
    s = 0.0
    for i in prange(x.size):
        s += x[i] if x[i] > 0 else 0.0
    return s


@exact_parallel
def histogram(x):
    part = (x.size + PARTS - 1) // PARTS
    counts = np.zeros((PARTS, 128), np.int64)
    for p in prange(PARTS):
        for i in range(p * part, min(x.size, (p + 1) * part)):
            counts[p, min(int(x[i] * 100), 99)] += 1
    return counts.sum(0)[:100]


@parallel
def searchsorted(table, values):
    result = np.empty(values.size, np.int64)
    for i in prange(values.size):
        low, count = 0, table.size
        while count > 0:
            half = count >> 1
            if table[low + half] < values[i]:
                low += half + 1
                count -= half + 1
            else:
                count = half
        result[i] = low
    return result


@parallel
def take(x, places):
    result = np.empty(places.size, x.dtype)
    for i in prange(places.size):
        result[i] = x[places[i]]
    return result


@parallel
def put(x, places, values):
    for i in prange(places.size):
        x[places[i]] = values[i]
    return x


@parallel
def normalise_cols(x):
    n, m = x.shape
    mean, spread = np.zeros(m), np.zeros(m)
    for i in range(n):
        for j in range(m):
            mean[j] += x[i, j]
    mean /= n
    for i in range(n):
        for j in range(m):
            spread[j] += (x[i, j] - mean[j]) ** 2
    spread = 1 / np.sqrt(spread / n)
    result = np.empty_like(x)
    for i in prange(n):
        for j in range(m):
            result[i, j] = (x[i, j] - mean[j]) * spread[j]
    return result


@parallel
def normalise_rows(x):
    result = np.empty_like(x)
    for i in prange(x.shape[0]):
        mean, spread = x[i].mean(), x[i].std()
        for j in range(x.shape[1]):
            result[i, j] = (x[i, j] - mean) / spread
    return result


@parallel
def softmax(x):
    result = np.empty_like(x)
    for i in prange(x.shape[0]):
        top, s = x[i].max(), 0.0
        for j in range(x.shape[1]):
            result[i, j] = math.exp(x[i, j] - top)
            s += result[i, j]
        for j in range(x.shape[1]):
            result[i, j] /= s
    return result


@parallel
def sum_axis0(x):
    return x.sum(0)


@parallel
def sum_axis1(x):
    result = np.empty(x.shape[0])
    for i in prange(x.shape[0]):
        s = 0.0
        for j in range(x.shape[1]):
            s += x[i, j]
        result[i] = s
    return result


@parallel
def distances(points):
    n = points.shape[0]
    result = np.empty((n, n))
    for i in prange(n):
        for j in range(n):
            x, y, z = points[i, 0] - points[j, 0], points[i, 1] - points[j, 1], points[i, 2] - points[j, 2]
            result[i, j] = math.sqrt(x * x + y * y + z * z)
    return result


@parallel
def complex_mul(a, b):
    return a * b


@parallel
def int32_chain(a, b):
    return (a * b + a) & np.int32(255)


@parallel
def black_scholes(spot, strike, years):
    calls, puts = np.empty_like(spot), np.empty_like(spot)
    rate, volatility, root = 0.02, 0.3, 0.7071067811865476
    for i in prange(spot.size):
        width = volatility * math.sqrt(years[i])
        d1 = (math.log(spot[i] / strike[i]) + (rate + 0.5 * volatility * volatility) * years[i]) / width
        below1, below2 = 0.5 + 0.5 * math.erf(d1 * root), 0.5 + 0.5 * math.erf((d1 - width) * root)
        discounted = strike[i] * math.exp(-rate * years[i])
        calls[i] = spot[i] * below1 - discounted * below2
        puts[i] = calls[i] - spot[i] + discounted
    return calls, puts


@serial
def escape_time(re, im, c_re, c_im):
    for k in range(50):
        rr, ii = re * re, im * im
        if rr + ii > 4:
            return k
        im = 2 * re * im + c_im
        re = rr - ii + c_re
    return 50


@parallel
def mandelbrot(x, y):
    times = np.empty(x.shape, np.int64)
    for i in prange(x.shape[0]):
        for j in range(x.shape[1]):
            times[i, j] = escape_time(0.0, 0.0, x[i, j], y[i, j])
    return times


@parallel
def julia(x, y):
    times = np.empty(x.shape, np.int64)
    for i in prange(x.shape[0]):
        for j in range(x.shape[1]):
            times[i, j] = escape_time(x[i, j], y[i, j], -0.8, 0.156)
    return times


@parallel
def attract(places, speeds, masses):
    n = places.shape[0]
    new_positions, new_speeds = np.empty_like(places), np.empty_like(speeds)
    for i in prange(n):
        ax, ay, az = 0.0, 0.0, 0.0
        for j in range(n):
            x, y, z = places[j, 0] - places[i, 0], places[j, 1] - places[i, 1], places[j, 2] - places[i, 2]
            squared = x * x + y * y + z * z + 1e-3
            weight = masses[j] / (squared * math.sqrt(squared))
            ax += weight * x
            ay += weight * y
            az += weight * z
        for k, a in enumerate((ax, ay, az)):
            new_speeds[i, k] = speeds[i, k] + 0.01 * a
            new_positions[i, k] = places[i, k] + 0.01 * new_speeds[i, k]
    return new_positions, new_speeds


FORMS: dict[str, Any] = {
    "elementwise": elementwise, "sum": total, "std": std, "slice_copy": slice_copy, "slice_add": slice_add,
    "stencil": mean_of_nine, "stencil_kernel": stencil_kernel, "add_slice_sum": add_slice_sum,
    "transpose_copy": transpose_copy, "rng_normal": lambda n: normals(int(n)), "rng_uniform": lambda n: uniforms(int(n)),
    "rng_integers_u8": lambda n: integers(int(n)), "compress_2bit": compress, "decompress_2bit": decompress,
    "chain5": chain, "chain5_f32": chain, "add": add, "sqdiff_sum": sqdiff_sum, "pow": power, "where": where, "exp": exp,
    "exp_f32": exp, "log": log, "log_f32": log, "tanh": tanh, "erf": erf, "clip": clip, "argmax": argmax,
    "cumsum": cumsum, "sort": sort, "argsort": argsort, "mask_select": mask_select, "mask_sum": mask_sum,
    "histogram100": histogram, "searchsorted": searchsorted, "take": take, "put": put, "normalise_cols": normalise_cols,
    "normalise_rows": normalise_rows, "softmax_rows": softmax, "sum_axis0": sum_axis0, "sum_axis1": sum_axis1,
    "pairdist": distances, "complex_mul": complex_mul, "int32_chain": int32_chain, "blackscholes": black_scholes,
    "mandelbrot": mandelbrot, "julia": julia, "nbody": attract,
}  # fmt: skip
FORMS |= {name: on_unit_circle for name in ("trig_all_f64", "trig_all_f32", "trig_all_f64_5000")}
for _n in (10, 1000):
    FORMS |= {f"ovh_add_{_n}": add_one, f"ovh_sum_{_n}": small_sum, f"ovh_chain5_{_n}": small_chain}
