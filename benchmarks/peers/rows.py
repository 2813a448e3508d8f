"""What is measured against the peers: three lists of rows, frozen. The report carries this file's SHA-256, so that a row
that was changed, dropped or moved to a milder list shows.

A row's call is the program that a NumPy user writes; where the user of another library writes it another way, that
library's module `forms_*.py` has its form. `n` is the number of elements, or of rows and columns of a square.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Arrays = list[np.ndarray]


@dataclass(frozen=True)
class Row:
    name: str
    inputs: str  # a key of INPUTS
    call: Callable[..., Any]  # (namespace, *arrays)
    small: int | None
    large: int | None
    tiny: int  # to see whether the row runs
    moved: Callable[[int], tuple[float, float]] | None = (
        None  # bytes that must be read and written, if memory is the bound
    )
    check: str = "close"  # a key of checks.CHECKS
    rtol: float = 1e-9
    calls: int = 1  # so many calls make one timing
    traced: bool = True  # a compiler of traces (jax.jit) can take it: no shape depends on values
    writes: bool = False  # the call changes its inputs

    def size(self, name: str) -> int | None:
        return {"small": self.small, "large": self.large, "tiny": self.tiny}[name]


# ---- inputs


def vectors(count: int, dtype: str = "f8", low: float = 0.05, high: float = 0.95) -> Callable[..., Arrays]:
    return lambda rng, n: [(low + (high - low) * rng.random(n)).astype(dtype, copy=False) for _ in range(count)]


def square(dtype: str = "f8") -> Callable[..., Arrays]:
    return lambda rng, n: [rng.standard_normal((n, n), dtype)]


def plane(rng: np.random.Generator, n: int) -> Arrays:
    y, x = np.mgrid[-1.5 : 1.5 : n * 1j, -2 : 1 : n * 1j]
    return [np.ascontiguousarray(x), np.ascontiguousarray(y)]


def pair_of_complex(rng: np.random.Generator, n: int) -> Arrays:
    return [rng.random(n) + 1j * rng.random(n) for _ in range(2)]


INPUTS: dict[str, Callable[[np.random.Generator, int], Arrays]] = {
    "square": square(),
    "square_f32": square("f4"),
    "square_uniform": lambda rng, n: [rng.random((n, n))],
    "square_pair_f64": lambda rng, n: [rng.standard_normal((n, n)) for _ in range(2)],
    "square_pair_f32": lambda rng, n: [rng.standard_normal((n, n), "f4") for _ in range(2)],
    "oblong_pair_f64": lambda rng, n: [rng.standard_normal((2 * n, 4 * n)), rng.standard_normal((4 * n, n))],
    "oblong_pair_f32": lambda rng, n: [
        rng.standard_normal((2 * n, 4 * n), "f4"),
        rng.standard_normal((4 * n, n), "f4"),
    ],
    "thousand_columns": lambda rng, n: [rng.standard_normal((n, min(n, 1000)))],
    "lines": lambda rng, n: [rng.standard_normal((n // 1000, 1000))],
    "count": lambda rng, n: [np.array(n)],
    "bases": lambda rng, n: [rng.integers(0, 3, (n, n), dtype="u1")],
    "packed": lambda rng, n: [rng.integers(0, 255, (n, n // 4), dtype="u1")],
    "one": vectors(1),
    "one_f32": vectors(1, "f4"),
    "signed": vectors(1, low=-1, high=1),
    "unit": vectors(1, low=0, high=1),
    "two": vectors(2),
    "two_f16": vectors(2, "f2"),
    "three": vectors(3),
    "options": vectors(3, low=0.5, high=1.5),
    "five": vectors(5),
    "five_f32": vectors(5, "f4"),
    "repeats": lambda rng, n: [rng.integers(0, n // 10, n)],
    "two_i32": lambda rng, n: [rng.integers(0, 1000, n, dtype="i4") for _ in range(2)],
    "two_complex": pair_of_complex,
    "table_and_needles": lambda rng, n: [np.sort(rng.random(n // 10)), rng.random(n)],
    "values_and_positions": lambda rng, n: [rng.random(n), rng.integers(0, n, n)],
    "values_and_order": lambda rng, n: [rng.random(n), rng.permutation(n), rng.random(n)],
    "points": lambda rng, n: [rng.random((n, 3))],
    "plane": plane,
    "bodies": lambda rng, n: [rng.random((n, 3)), rng.random((n, 3)), rng.random(n)],
}


# ---- computations of several lines


def on_unit_circle(xp: Any, x: Any) -> Any:
    return (xp.sin(x) ** 2 + xp.cos(x) ** 2 == 1).all()


def mean_of_nine(xp: Any, x: Any) -> Any:
    upper = x[:-2, :-2] + x[:-2, 1:-1] + x[:-2, 2:]
    middle = x[1:-1, :-2] + x[1:-1, 1:-1] + x[1:-1, 2:]
    lower = x[2:, :-2] + x[2:, 1:-1] + x[2:, 2:]
    return (upper + middle + lower) / 9


def framed_mean_of_nine(xp: Any, x: Any) -> Any:
    """The same with the input's shape and a border of zeros, as stencil decorators give it."""
    result = xp.zeros(x.shape, dtype=x.dtype)
    result[1:-1, 1:-1] = mean_of_nine(xp, x)
    return result


def drawn(method: str, *arguments: Any, **options: Any) -> Callable[..., Any]:
    return lambda xp, n: getattr(xp.random.default_rng(1), method)(*arguments, int(n), **options)


def compress(xp: Any, x: Any) -> Any:
    return x[..., 0::4] + (x[..., 1::4] << 2) + (x[..., 2::4] << 4) + (x[..., 3::4] << 6)


def decompress(xp: Any, x: Any) -> Any:
    y = xp.zeros((x.shape[0], x.shape[1] * 4), dtype=x.dtype)
    y[..., 0::4] = x & 3
    y[..., 1::4] = (x & 12) >> 2
    y[..., 2::4] = (x & 48) >> 4
    y[..., 3::4] = (x & 192) >> 6
    return y


def put(xp: Any, x: Any, places: Any, values: Any) -> Any:
    x[places] = values
    return x


def softmax(xp: Any, x: Any) -> Any:
    e = xp.exp(x - x.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def distances(xp: Any, points: Any) -> Any:
    return xp.sqrt(((points[:, None, :] - points[None, :, :]) ** 2).sum(-1))


def black_scholes(xp: Any, spot: Any, strike: Any, years: Any) -> Any:
    """Prices of European calls and puts."""
    rate, volatility = 0.02, 0.3
    width = volatility * xp.sqrt(years)
    d1 = (xp.log(spot / strike) + (rate + 0.5 * volatility * volatility) * years) / width
    below1 = 0.5 + 0.5 * xp.erf(d1 * 0.7071067811865476)
    below2 = 0.5 + 0.5 * xp.erf((d1 - width) * 0.7071067811865476)
    discounted = strike * xp.exp(-rate * years)
    call = spot * below1 - discounted * below2
    return call, call - spot + discounted


def escape_times(xp: Any, re: Any, im: Any, c_re: Any, c_im: Any) -> Any:
    times = xp.zeros(re.shape, dtype=xp.int64)
    for _ in range(50):
        rr, ii = re * re, im * im
        inside = rr + ii <= 4
        times = times + inside
        im = xp.where(inside, 2 * re * im + c_im, im)
        re = xp.where(inside, rr - ii + c_re, re)
    return times


def attract(xp: Any, places: Any, speeds: Any, masses: Any) -> Any:
    """One step of n bodies under softened gravity."""
    apart = places[None, :, :] - places[:, None, :]
    squared = (apart * apart).sum(-1) + 1e-3
    pull = (apart * (masses[None, :] / (squared * xp.sqrt(squared)))[:, :, None]).sum(1)
    speeds = speeds + 0.01 * pull
    return places + 0.01 * speeds, speeds


# ---- the lists

PERCENTS = [5.0, 50.0, 95.0]
S, L, T = 1_000_000, 10_000_000, 3000  # elements of vectors
S2, L2, T2 = 1000, 10_000, 61  # rows and columns; one more than a multiple of three

ENGINE = (
    Row("trig_all_f64", "square", on_unit_circle, S2, L2, T2, check="exact"),
    Row("elementwise", "square", lambda xp, x: xp.sin(x) ** 2 + xp.cos(x) ** 2, S2, L2, T2),
    Row("slice_copy", "square", lambda xp, x: x[::3].copy(), S2, L2, T2, lambda n: (8 * n * n / 3, 8 * n * n / 3), "exact"),
    Row("slice_add", "square", lambda xp, x: x[:-1:3, :-1:3] + x[1::3, 1::3], S2, L2, T2,
        lambda n: (16 * n * n / 3, 8 * n * n / 9)),
    Row("stencil", "square", mean_of_nine, S2, L2, T2, lambda n: (8 * n * n, 8 * n * n)),
    Row("stencil_kernel", "square", framed_mean_of_nine, S2, L2, T2, lambda n: (8 * n * n, 8 * n * n)),
    Row("add_slice_sum", "square", lambda xp, x: (x + 1)[::2, ::2].sum(), S2, L2, T2, lambda n: (4 * n * n, 0)),
    Row("trig_all_f64_5000", "square", on_unit_circle, None, 5000, T2, check="exact"),
    Row("transpose_copy", "square", lambda xp, x: x.T.copy(), 1000, 5000, T2, lambda n: (8 * n * n, 8 * n * n), "exact"),
    Row("trig_all_f32", "square_f32", on_unit_circle, S2, L2, T2, check="exact"),
    Row("sum", "square_uniform", lambda xp, x: x.sum(), S2, L2, T2, lambda n: (8 * n * n, 0)),
    Row("std", "square_uniform", lambda xp, x: x.std(), S2, L2, T2, lambda n: (8 * n * n, 0)),
    Row("rng_normal", "count", drawn("standard_normal"), S, 5 * L, T, check="moments", traced=False),
    Row("rng_uniform", "count", drawn("random"), S, 5 * L, T, check="moments", traced=False),
    Row("rng_integers_u8", "count", drawn("integers", 0, 3, dtype="uint8"), S, 10 * L, T, check="moments", traced=False),
    Row("compress_2bit", "bases", compress, 2800, 10_000, 60, lambda n: (n * n, n * n / 4), "exact"),
    Row("decompress_2bit", "packed", decompress, 2800, 10_000, 60, lambda n: (n * n / 4, n * n), "exact"),
    Row("ovh_add_10", "one", lambda xp, x: x + 1, 10, None, 10, calls=2000),
    Row("ovh_sum_10", "one", lambda xp, x: x.sum(), 10, None, 10, calls=2000),
    Row("ovh_slice_10", "one", lambda xp, x: x[1:], 10, None, 10, calls=2000, traced=False),
    Row("ovh_chain5_10", "three", lambda xp, a, b, c: a * b + c * a - b / 2, 10, None, 10, calls=1000),
    Row("ovh_add_1000", "one", lambda xp, x: x + 1, 1000, None, 1000, calls=2000),
    Row("ovh_sum_1000", "one", lambda xp, x: x.sum(), 1000, None, 1000, calls=2000),
    Row("ovh_slice_1000", "one", lambda xp, x: x[1:], 1000, None, 1000, calls=2000, traced=False),
    Row("ovh_chain5_1000", "three", lambda xp, a, b, c: a * b + c * a - b / 2, 1000, None, 1000, calls=1000),
    Row("chain5", "five", lambda xp, a, b, c, d, e: a * b + c * d - e / 2, S, L, T, lambda n: (40 * n, 8 * n)),
    Row("chain5_f32", "five_f32", lambda xp, a, b, c, d, e: a * b + c * d - e / 2, S, L, T, lambda n: (20 * n, 4 * n),
        rtol=1e-5),
    Row("add", "two", lambda xp, a, b: a + b, S, L, T, lambda n: (16 * n, 8 * n)),
    Row("sqdiff_sum", "two", lambda xp, a, b: ((a - b) ** 2).sum(), S, L, T, lambda n: (16 * n, 0)),
    Row("pow", "two", lambda xp, x, y: x**y, S, L, T),
    Row("where", "two", lambda xp, a, b: xp.where(a > b, a, b * 2), S, L, T, lambda n: (16 * n, 8 * n)),
    Row("concat", "two", lambda xp, a, b: xp.concatenate([a, b]), S, L, T, lambda n: (16 * n, 16 * n), "exact"),
    Row("exp", "one", lambda xp, x: xp.exp(x), S, L, T),
    Row("log", "one", lambda xp, x: xp.log(x), S, L, T),
    Row("tanh", "one", lambda xp, x: xp.tanh(x), S, L, T),
    Row("erf", "one", lambda xp, x: xp.erf(x), S, L, T),
    Row("clip", "one", lambda xp, x: xp.clip(x, 0.2, 0.8), S, L, T, lambda n: (8 * n, 8 * n)),
    Row("argmax", "one", lambda xp, x: x.argmax(), S, L, T, lambda n: (8 * n, 0), "exact"),
    Row("cumsum", "one", lambda xp, x: xp.cumsum(x), S, L, T, lambda n: (8 * n, 8 * n)),
    Row("sort", "one", lambda xp, x: xp.sort(x), S, L, T, check="exact"),
    Row("argsort", "one", lambda xp, x: xp.argsort(x), S, L, T, check="order"),
    Row("percentile", "one", lambda xp, x: xp.percentile(x, PERCENTS), S, L, T),
    Row("median", "one", lambda xp, x: xp.median(x), S, L, T),
    Row("exp_f32", "one_f32", lambda xp, x: xp.exp(x), S, L, T, rtol=1e-5),
    Row("log_f32", "one_f32", lambda xp, x: xp.log(x), S, L, T, rtol=1e-5),
    Row("mask_select", "signed", lambda xp, x: x[x > 0], S, L, T, lambda n: (8 * n, 4 * n), "exact", traced=False),
    Row("mask_sum", "signed", lambda xp, x: x[x > 0].sum(), S, L, T, lambda n: (8 * n, 0), traced=False),
    Row("histogram100", "unit", lambda xp, x: xp.histogram(x, bins=100, range=(0.0, 1.0))[0], S, L, T,
        lambda n: (8 * n, 0), rtol=1e-3),
    Row("unique_int", "repeats", lambda xp, x: xp.unique(x), S, L, T, check="exact", traced=False),
    Row("searchsorted", "table_and_needles", lambda xp, a, v: xp.searchsorted(a, v), S, L, T, check="exact"),
    Row("take", "values_and_positions", lambda xp, x, i: x[i], S, L, T, check="exact"),
    Row("put", "values_and_order", put, S, L, T, check="exact", writes=True),
    Row("normalise_cols", "lines", lambda xp, x: (x - x.mean(0)) / x.std(0), S, L, 9000),
    Row("normalise_rows", "lines", lambda xp, x: (x - x.mean(1, keepdims=True)) / x.std(1, keepdims=True), S, L, 9000),
    Row("softmax_rows", "lines", softmax, S, L, 9000),
    Row("sum_axis0", "lines", lambda xp, x: x.sum(0), S, L, 9000, lambda n: (8 * n, 0)),
    Row("sum_axis1", "lines", lambda xp, x: x.sum(1), S, L, 9000, lambda n: (8 * n, 0)),
    Row("max_axis0", "lines", lambda xp, x: x.max(0), S, L, 9000, lambda n: (8 * n, 0), "exact"),
    Row("var_axis0", "lines", lambda xp, x: x.var(0), S, L, 9000),
    Row("pairdist", "points", distances, 1000, 4000, 40),
    Row("complex_mul", "two_complex", lambda xp, a, b: a * b, S, L, T, lambda n: (32 * n, 16 * n)),
    Row("float16", "two_f16", lambda xp, a, b: a * b + a, S, L, T, lambda n: (4 * n, 2 * n), rtol=1e-2),
    Row("int32_chain", "two_i32", lambda xp, a, b: (a * b + a) & 255, S, L, T, lambda n: (8 * n, 4 * n), "exact"),
    Row("blackscholes", "options", black_scholes, S, L, T, rtol=1e-8),
)  # fmt: skip


def product(kind: str, name: str, n: int, large: bool = False) -> Row:
    sizes = (None, n) if large else (n, None)
    rtol = 1e-9 if kind.endswith("f64") else 1e-3
    return Row(name, kind, lambda xp, a, b: a @ b, *sizes, 16, rtol=rtol)


LIBRARY = (
    Row("fft_rows", "square", lambda xp, x: xp.fft.fft(x), 1000, 10_000, 64),
    Row("fft2", "square", lambda xp, x: xp.fft.fft2(x), 1000, 4000, 64),
    Row("matmul", "square", lambda xp, x: x @ x, 1000, 6000, 64),
    Row("svd", "thousand_columns", lambda xp, x: xp.linalg.svd(x, full_matrices=False), 1000, 10_000, 40, check="svd"),
    *(product(f"oblong_pair_{kind}", f"gemm_1024x2048x512_{kind}", 512) for kind in ("f32", "f64")),
    *(product(f"square_pair_{kind}", f"gemm_{n}_{kind}", n, n == 4096)
      for kind in ("f32", "f64") for n in (64, 256, 512, 1024, 2048, 4096)),
)  # fmt: skip

ITERATED = (
    Row("mandelbrot", "plane", lambda xp, x, y: escape_times(xp, x * 0, y * 0, x, y), 500, 2000, 40, rtol=1e-3),
    Row("julia", "plane", lambda xp, x, y: escape_times(xp, x, y, -0.8, 0.156), 500, 2000, 40, rtol=1e-3),
    Row("nbody", "bodies", attract, 500, 3000, 40),
)

LISTS = {"engine": ENGINE, "library": LIBRARY, "iterated": ITERATED}
ROWS = {row.name: row for rows in LISTS.values() for row in rows}

# Rows held against the limit of memory, at the large size.
MEMORY_BOUND = (
    "add", "chain5", "chain5_f32", "where", "clip", "sum", "std", "sqdiff_sum", "mask_sum", "slice_copy", "slice_add",
    "int32_chain", "complex_mul", "stencil",
)  # fmt: skip

# Rows whose arithmetic is the bound, so that a second thread can help; at the small size.
COMPUTE_BOUND = ("elementwise", "pow", "erf", "tanh", "blackscholes", "pairdist", "rng_normal", "mandelbrot")

# Statements on x and y, float64, of so many elements: what a call costs on small arrays.
SMALL_ARRAYS = {
    "add": "x + y",
    "sum": "x.sum()",
    "slice": "x[1:3]",
    "reshape": "x.reshape(2, -1)",
    "comparison": "x > y",
    "astype": "x.astype('f4')",
}
SMALL_SIZES = (8, 100, 1000)
