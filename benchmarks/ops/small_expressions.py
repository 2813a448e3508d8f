"""Thousands of small expressions against NumPy: the overhead of a call where elements cost almost nothing.

Each template is filled in with dtypes and with sizes of 8, 100 and 1,000 elements. Both libraries evaluate the
expression alternately in one process, the result is compared first, and the best repetition counts.

    python benchmarks/ops/small_expressions.py --out new.json
    python benchmarks/ops/small_expressions.py --against old.json --only take

It prints the geometric mean of NumPy's time over bascule's (above 1: bascule is faster), the mean of each family, and
the slowest expressions; with `--against`, those that became slower than in an earlier run.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import bascule as bc
import numpy as np

SIZES = (8, 100, 1000)
REAL = ("f8", "f4", "i8")
FLOATS = ("f8", "f4")
ONE = ("f8",)
WHOLE = ("i8", "i4", "u1")

# family: (dtypes, templates). Names: a, b vectors; m, k matrices of n elements in all; p a cube; s a matrix of 2 columns;
# c condition; i indices; j sorted indices; z complex; t sorted values; n number of elements; np the library.
FAMILIES: dict[str, tuple[tuple[str, ...], str]] = {
    "arithmetic": (
        ("f8", "f4", "i8", "i4"),
        """a + b; a - b; a * b; a + 1; 2 * a; a * a + b; -a; abs(a); a - a.max(); np.add(a, b); np.multiply(a, 3);
        np.subtract(a, b, out=o); a * 2 + b * 3; (a + b) * (a - b); np.maximum(a, b); np.minimum(a, 3); np.square(a);
        a // 2; a % 3; np.clip(a, 2, 5); a.clip(2, 5); np.negative(a); np.sign(a); np.positive(a); np.fmax(a, b)""",
    ),
    "division": (
        FLOATS,
        """a / b; 1 / b; a / 2; np.divide(a, b); np.reciprocal(b); np.sqrt(a); np.hypot(a, b); a**2; a**0.5; a**b;
        np.floor(a); np.rint(a); np.trunc(a); np.ceil(a); np.floor_divide(a, b); np.remainder(a, b); np.fmod(a, b);
        np.copysign(a, b); np.modf(a)[0]; np.divmod(a, b)[1]""",
    ),
    "elementary": (
        FLOATS,
        """np.exp(a); np.log(b); np.sin(a); np.cos(a); np.tanh(a); np.arctan2(a, b); np.log1p(a); np.expm1(a); np.exp2(a);
        np.log10(b); np.cbrt(a); np.arctan(a); np.sinh(a); np.degrees(a); np.radians(a); np.logaddexp(a, b);
        1 / (1 + np.exp(-a)); np.exp(-(a**2) / 2); np.sin(a) ** 2 + np.cos(a) ** 2""",
    ),
    "comparison": (
        REAL,
        """a > b; a == b; a != b; a <= 3; (a > 2) & (a < 5); ~(a > b); (a > b).sum(); (a > b).any(); (a >= 0).all();
        np.equal(a, b); np.less(a, 3); np.logical_and(a > 1, b > 1); np.isclose(a, b); np.array_equal(a, b);
        np.isfinite(a); np.isnan(a); np.count_nonzero(a > 3); np.logical_not(a); (a > 2) | (b > 2); np.allclose(a, a)""",
    ),
    "integers": (
        WHOLE,
        """a & b; a | b; a ^ b; a << 1; a >> 1; ~a; np.bitwise_and(a, 3); np.gcd(a, b); np.invert(a); a & 1;
        (a % 2 == 0).sum(); np.left_shift(a, 1); np.bitwise_count(a); a // 3; np.packbits(c); np.power(a, 2)""",
    ),
    "reduction": (
        REAL,
        """a.sum(); a.mean(); a.min(); a.max(); a.prod(); a.std(); a.var(); np.sum(a); np.mean(a); np.max(a); np.min(a);
        np.std(a); m.sum(axis=0); m.sum(axis=1); m.mean(axis=0); m.mean(axis=1); m.max(axis=0); m.max(axis=1); a.argmax();
        a.argmin(); np.argmax(m, axis=0); m.argmax(axis=1); np.ptp(a); np.median(a); np.any(a); np.all(a); np.prod(a);
        np.sum(m, axis=1, keepdims=True); m - m.mean(axis=0); p.sum(axis=(0, 2)); np.average(a); np.average(a, weights=b);
        np.cumsum(a); a.cumsum(); np.cumprod(b); np.diff(a); np.nansum(a); np.nanmax(a); np.nanmean(a); np.add.reduce(a);
        np.percentile(a, 30); np.quantile(a, 0.5); np.count_nonzero(a); (a * b).sum(); np.maximum.reduce(a);
        np.logical_or.reduce(a > 3); np.minimum.accumulate(a)""",
    ),
    "slicing": (
        ("f8", "i4"),
        """a[2]; a[-1]; a[1:]; a[:-1]; a[::2]; a[::-1]; m[0]; m[:, 0]; m[1, 1]; m[0:2, 1:]; m[..., 0]; a[None]; a[:, None];
        a[1:] - a[:-1]; m.T; p[0]; p[0, 1]; p[:, 0, :]; m[:1]; a[1:].sum(); float(a[1]); m[0, 0] + 1; a[2:5]; m[:, ::2];
        a[::2].copy(); (a + 1)[::2].sum()""",
    ),
    "shape": (
        ("f8", "i4"),
        """a.reshape(2, -1); a.reshape((n // 2, 2)); m.ravel(); m.flatten(); np.reshape(a, (4, -1)); np.transpose(m);
        p.transpose(2, 0, 1); np.expand_dims(a, 0); np.squeeze(a[None]); np.swapaxes(p, 0, 1); np.moveaxis(p, 0, 2);
        np.broadcast_to(a, (2, n)); np.atleast_2d(a); np.ravel(m); m.T.copy(); np.ascontiguousarray(m.T); a.shape; m.size;
        np.shape(m); np.ndim(m); np.rollaxis(p, 2); np.flip(a); np.fliplr(m); np.flipud(m); np.rot90(m); a.copy();
        np.copy(a); m.T.ravel(); a.view(); np.swapaxes(m, 0, 1).copy()""",
    ),
    "cast": (
        REAL,
        """a.astype("f8"); a.astype("f4"); a.astype("i8"); a.astype("i4"); a.astype(bool); np.asarray(a); np.array(a);
        np.asarray(a, dtype="f8"); a.astype(complex); a.astype("f8", copy=False); np.float64(a[1]); int(a[1]);
        a.astype("i8").sum(); np.array(a, copy=True); a.astype("u1"); a.tolist(); a.item(2); list(a)""",
    ),
    "creation": (
        ONE,
        """np.zeros(n); np.ones(n); np.empty(n).shape; np.full(n, 2.0); np.arange(n); np.arange(0.0, n); np.arange(1, n, 2);
        np.linspace(0, 1, n); np.zeros((2, n)); np.ones((n, 2)); np.zeros_like(a); np.ones_like(a); np.full_like(a, 3.0);
        np.eye(4); np.identity(5); np.array([1.0, 2.0, 3.0]); np.array([1, 2, 3]); np.array([[1, 2], [3, 4]]);
        np.zeros(n, dtype="i4"); np.tri(4); np.diag(a[:6]); np.zeros(n, bool); np.empty_like(a).shape; np.array(3.0);
        np.array([True, False]); np.logspace(0, 1, 20); np.meshgrid(a[:5], a[:6])[0]; np.ones((2, 3), "f4")""",
    ),
    "selection": (
        ("f8", "i4"),
        """np.take(a, i); a[i]; a.take(i); m[i2]; a[c]; np.where(c, a, b); np.where(a > b, a, b); np.where(c, a, 0);
        np.take(m, i2, axis=0); np.take(m, [0, 1], axis=1); a[[1, 2, 3]]; np.nonzero(a); np.where(c)[0]; np.flatnonzero(a);
        np.compress(c, a); np.extract(c, a); np.choose(w, [a, b]); np.select([c], [a], 0); a[a > 3]; a[c].sum();
        np.take_along_axis(a, i, 0); m[i2, 1]; m[:, i3]; np.take(a, 3); np.argwhere(c); a.nonzero()[0]; m[m > 2];
        np.unravel_index(5, (3, 4)); np.take(a, [1, 2]); np.diagonal(m); np.trace(m); np.tril(m); np.triu(m); np.diag(m)""",
    ),
    "writing": (
        ("f8", "i4"),
        """set_item(o, 2, 1); set_item(o, slice(1, 3), 5); set_item(o, slice(None), b); set_item(o, c, 0);
        set_item(o, i, 1); set_item(o, i, b[: n // 2]); fill(o, 3); np.copyto(o, b); np.put(o, [1, 2], 7); np.putmask(o, c, 2);
        add_into(o, b); add_into(o, 1); mul_into(o, 1); set_item(o, slice(None, None, 2), 4); np.add.at(o, i, 1);
        np.place(o, c, [1]); set_item(q, (slice(None), 0), 1); set_item(q, 0, 2); add_into(q, 1)""",
    ),
    "joining": (
        ("f8", "i4"),
        """np.concatenate([a, b]); np.concatenate((m, k)); np.concatenate([m, k], axis=1); np.stack([a, b]);
        np.stack([a, b], axis=1); np.vstack([a, b]); np.hstack([a, b]); np.column_stack([a, b]); np.append(a, 3);
        np.append(a, b); np.tile(a, 2); np.repeat(a, 2); np.split(a, 2)[0]; np.array_split(a, 3)[1]; np.roll(a, 1);
        np.roll(m, 1, axis=0); np.insert(a, 2, 9); np.delete(a, 2); np.pad(a, 1); np.pad(a, (1, 2), mode="edge");
        np.vsplit(m, 2)[0]; np.dstack([a, b]); np.block([a, b]); np.r_[a, b]; np.c_[a, b]; np.resize(a, n + 2);
        np.ediff1d(a); np.trim_zeros(a)""",
    ),
    "order": (
        REAL,
        """np.sort(a); np.argsort(a); np.unique(a); np.searchsorted(t, a); np.searchsorted(t, 3); np.sort(m, axis=0);
        np.partition(a, 3); np.argpartition(a, 3); np.unique(a, return_counts=True)[1]; np.lexsort((a, b)); np.isin(a, b);
        np.intersect1d(a, b); np.union1d(a, b); np.setdiff1d(a, b); np.digitize(a, t[:4]); np.bincount(i);
        np.histogram(a, 5)[0]; np.sort(a)[::-1]; np.argsort(m, axis=1); sorted_into(a)""",
    ),
    "products": (
        FLOATS,
        """a @ b; np.dot(a, b); a.dot(b); m @ k.T; m.T @ k; np.matmul(m, k.T); np.inner(a, b); np.outer(a[:20], b[:20]);
        np.vdot(a, b); np.einsum("i,i->", a, b); np.einsum("ij,ij->i", m, k); np.einsum("ij->j", m);
        np.tensordot(m, k, axes=([0], [0])); np.linalg.norm(a); np.linalg.norm(m, axis=1); np.kron(a[:5], b[:5]);
        np.cross(x3, y3); np.trace(q4); np.linalg.det(q4); np.linalg.inv(q4); np.linalg.solve(q4, a[:4]);
        np.multiply.outer(a[:9], b[:9]); m @ m[0]; np.linalg.norm(a - b); np.convolve(a, b[:3]); np.correlate(a, b[:3])""",
    ),
    "calculus": (
        ONE,
        """np.gradient(a); np.trapezoid(a); np.interp(a, t, t); np.interp(2.5, t, a); np.polyval([1.0, 2.0, 3.0], a);
        np.cov(a, b); np.corrcoef(a, b); np.diff(a, 2); np.diff(m, axis=0); np.nan_to_num(a); np.unwrap(a); np.around(a, 1);
        np.round(a, 2); a.round(1); np.angle(z); np.real(z); np.imag(z); np.conj(z); z * z; abs(z); z.real; z.imag + 1;
        np.heaviside(a, 0.5); np.sinc(a); np.nanstd(a); np.apply_along_axis(np.sum, 0, m[:4, :3]); np.floor(a).astype("i8");
        np.vander(a[:5], 3); np.nanmedian(a); np.convolve(a[:8], [1.0, 2.0])""",
    ),
    "times": (
        ONE,
        """d + 1; d + s1; d - d[0]; d[1:] - d[:-1]; d > d[2]; d == d; d.astype("M8[D]"); d.astype("i8"); d.min(); np.sort(d);
        np.diff(d); np.isnat(d); (d - d[0]) / s1; d.max() - d.min(); np.unique(d); d[2] + 1; d[3]; np.arange(d[0], d[3]);
        (d - d[0]).sum(); np.searchsorted(d, d[2]); d.copy(); np.datetime_as_string(d[:3])""",
    ),
    "random": (
        ONE,
        """g.random(); g.random(n); g.normal(0, 1, n); g.normal(); g.integers(0, 10, n); g.integers(10); g.uniform(0, 1, n);
        g.standard_normal(n); g.choice(a, 3); g.permutation(n); g.exponential(1.0, n); g.poisson(3.0, n);
        g.binomial(10, 0.5, n); np.random.rand(n); np.random.randn(n); np.random.random(); np.random.randint(0, 10, n);
        np.random.uniform(0, 1, n); np.random.normal(0, 1, n); np.random.choice(n, 3); np.random.permutation(n);
        np.random.rand(); np.random.default_rng(3).random(3)""",
    ),
    "scalar loops": (
        REAL,
        """float(a[3]); a[3] * 2 + 1; a[3] + a[4]; a[3] > 2; max(a[3], a[4]); m[0, 1]; set_item(m, (0, 1), 3); [v for v in a];
        sum(a); a[3].item(); int(a[2]); [v + 1 for v in a[:5]]; abs(a[3]); round(a[3], 1); a[3] == 0; np.sqrt(a[3]);
        np.exp(0.5); max(a); len(a); 3 in a; np.float64(3.0) + a[3]; str(a[3]); bool(a[3]); a[n - 1] ** 2; f"{a[3]:.2f}";
        for_in(m); np.abs(-3); np.max([1, 2, 3]); np.mean([1.0, 2.0, 4.0]); np.sum([1, 2, 3]); min(a[2], 3)""",
    ),
}


# Expressions compared instead if equal elements may come in any order.
CHECKED = {
    "np.argsort(a)": "a[np.argsort(a)]",
    "np.argsort(m, axis=1)": "np.take_along_axis(m, np.argsort(m, axis=1), 1)",
    "np.partition(a, 3)": "np.partition(a, 3)[3]",
    "np.argpartition(a, 3)": "a[np.argpartition(a, 3)[3]]",
}


def operands(xp: Any, n: int, dtype: str) -> dict[str, Any]:
    """The names that templates use, as arrays of one library."""
    rng = np.random.default_rng(n)
    high = 7 if np.dtype(dtype).kind in "iu" else 6.5
    a = (rng.random(n) * high + 0.25).astype(dtype)
    b = (rng.random(n) * high + 1).astype(dtype)
    rows = 2 if n < 16 else 4
    position = rng.integers(0, n, n // 2)
    values: dict[str, Any] = {
        "a": a, "b": b, "o": a.copy(), "t": np.sort(a), "c": b > 3, "w": (b > 3).astype("i8"),
        "m": a.reshape(rows, -1), "k": b.reshape(rows, -1), "q": a.reshape(rows, -1).copy(), "p": a.reshape(2, 2, -1),
        "i": position, "i2": position % rows, "i3": position % (n // rows), "z": a + 1j * b,
        "x3": a[:3], "y3": b[:3], "d": np.datetime64("2024-01-01T00:00", "s") + np.arange(n) * 3600, "q4": (rng.random((4, 4)) + 4 * np.eye(4)).astype(dtype),
    }  # fmt: skip
    if xp is not np:
        values = {name: xp.array(v) for name, v in values.items()}
    return values | {"n": n, "np": xp, "g": xp.random.default_rng(1), "s1": np.timedelta64(1, "h"), **HELPERS}


def set_item(x: Any, key: Any, value: Any) -> Any:
    x[key] = value
    return x


def add_into(x: Any, y: Any) -> Any:
    x += y
    return x


def mul_into(x: Any, y: Any) -> Any:
    x *= y
    return x


def fill(x: Any, y: Any) -> Any:
    x.fill(y)
    return x


def sorted_into(x: Any) -> Any:
    y = x.copy()
    y.sort()
    return y


def for_in(x: Any) -> Any:
    total = 0.0
    for one in x:
        total += one[0]
    return total


HELPERS = {f.__name__: f for f in (for_in, set_item, add_into, mul_into, fill, sorted_into)}


def expressions() -> Iterator[tuple[str, str, int, str]]:
    """(family, expression, size, dtype) of every case."""
    for family, (dtypes, text) in FAMILIES.items():
        for template in (" ".join(t.split()) for t in text.split(";")):
            for dtype, n in itertools.product(dtypes, SIZES):
                yield family, template, n, dtype


def host(x: Any) -> Any:
    if isinstance(x, (tuple, list)):
        return [host(v) for v in x]
    return np.asarray(x)


def agree(ours: Any, theirs: Any) -> bool:
    ours, theirs = host(ours), host(theirs)
    if isinstance(theirs, list):
        return isinstance(ours, list) and len(ours) == len(theirs) and all(map(agree, ours, theirs))
    if isinstance(ours, list) or ours.shape != theirs.shape or ours.dtype != theirs.dtype:
        return False
    if theirs.dtype.kind in "mMU":
        return bool((ours == theirs).all())
    single = theirs.dtype in (np.float32, np.complex64)
    return bool(
        np.allclose(ours, theirs, rtol=1e-4 if single else 1e-9, atol=1e-5 if single else 1e-12, equal_nan=True)
    )


def seconds(run: Callable[[int], float], budget: float) -> tuple[int, float]:
    """The number of runs for which a repetition takes `budget`, and the time of one run."""
    count, spent = 1, run(1)
    while spent < budget and count < 1_000_000:
        count = max(count + 1, int(count * min(10.0, 1.2 * budget / max(spent, 1e-9))))
        spent = run(count)
    return count, spent / count


def loop(expression: str, names: dict[str, Any]) -> Callable[[int], float]:
    """A function that evaluates the expression so many times and returns the time of the CPU."""
    code = f"def run(count):\n start = clock()\n for _ in range(count): {expression}\n return clock() - start"
    scope = names | {"clock": time.process_time}
    exec(code, scope)  # the templates above
    return scope["run"]


def measure(expression: str, n: int, dtype: str, budget: float, turns: int) -> tuple[float, float]:
    """The best times of one evaluation in seconds: (bascule, NumPy).

    Raises
    ------
    AssertionError
        The results differ.
    """
    names = operands(bc, n, dtype), operands(np, n, dtype)
    checked = f"np.shape({expression})" if expression.startswith("np.random") else CHECKED.get(expression, expression)
    ours, theirs = (eval(checked, dict(of)) for of in names)
    if ours is None:  # a call that writes to its argument
        ours, theirs = ([of["o"], of["q"]] for of in names)
    assert agree(ours, theirs), f"{expression} of {n} {dtype}: {ours!r} is not NumPy's {theirs!r}"
    runs = [loop(expression, of) for of in names]
    counted = [seconds(run, budget) for run in runs]
    best = [time_of_one for _, time_of_one in counted]
    for _ in range(turns):
        for which, run in enumerate(runs):
            count = counted[which][0]
            best[which] = min(best[which], run(count) / count)
    return best[0], best[1]


def mean(ratios: list[float]) -> float:
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else math.nan


def report(results: dict[str, dict[str, Any]], worst: int) -> None:
    ratio = {key: r["numpy"] / r["bascule"] for key, r in results.items()}
    print(f"\n{len(ratio)} expressions, geometric mean {mean(list(ratio.values())):.2f}x NumPy's speed; "
          f"below 0.95: {sum(v < 0.95 for v in ratio.values())}, below 0.5: {sum(v < 0.5 for v in ratio.values())}")  # fmt: skip
    for family in FAMILIES:
        of_family = [v for key, v in ratio.items() if results[key]["family"] == family]
        if of_family:
            print(f"  {family:12} {mean(of_family):5.2f}x  of {len(of_family)}, slowest {min(of_family):.2f}")
    for key in sorted(ratio, key=ratio.__getitem__)[:worst]:
        print(f"  {ratio[key]:5.2f}  {results[key]['bascule'] * 1e6:8.2f} us  {key}")


def compare(new: dict[str, dict[str, Any]], old: dict[str, dict[str, Any]], worst: int) -> bool:
    """Print the expressions that became slower than NumPy; returns whether one fell below half of NumPy's speed."""
    change, fell = {}, []
    for key in new.keys() & old.keys():
        now, before = (r[key]["numpy"] / r[key]["bascule"] for r in (new, old))
        change[key] = (now / before, before, now)
        if now < 0.5 <= before:
            fell.append(key)
    print(f"\nagainst the earlier run: geometric mean {mean([c for c, _, _ in change.values()]):.2f} of its speed; "
          f"{len(fell)} fell below 0.5x")  # fmt: skip
    for key in sorted(change, key=lambda k: change[k][0])[:worst]:
        print("  {:5.2f}  {:5.2f} -> {:5.2f}".format(*change[key]), key, "FELL" if key in fell else "")
    return bool(fell)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, help="write the times here")
    parser.add_argument("--against", type=Path, help="an earlier file of times")
    parser.add_argument("--only", default="", help="expressions or families that hold this text")
    parser.add_argument("--budget", type=float, default=0.4, help="milliseconds a repetition")
    parser.add_argument("--turns", type=int, default=6)
    parser.add_argument("--worst", type=int, default=25)
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    bc.config.random = "numpy"  # the same random numbers from both
    results: dict[str, dict[str, Any]] = {}
    wrong = []
    for family, expression, n, dtype in expressions():
        key = f"{expression}  [{n} {dtype}]"
        if n not in options.sizes or options.only not in ("", family) and options.only not in expression:
            continue
        try:
            ours, theirs = measure(expression, n, dtype, options.budget / 1e3, options.turns)
            results[key] = {"family": family, "bascule": ours, "numpy": theirs}
        except Exception as e:
            wrong.append(f"{key}: {type(e).__name__}: {str(e)[:160]}")
    report(results, options.worst)
    for line in wrong:
        print("not measured:", line)
    if options.out:
        options.out.write_text(json.dumps(results, indent=0) + "\n")
    fell = bool(options.against) and compare(results, json.loads(options.against.read_text()), options.worst)
    return int(bool(wrong) or fell)


if __name__ == "__main__":
    sys.exit(main())
