"""Typical statements of programs, with the types that a checker must infer; they are checked and not run. A line with
an ignored error is a mistake that the checker must find: an unnecessary ignore is an error, too."""

import math
from datetime import timedelta
from typing import Any, assert_type

import bascule as bc
import bascule as np
import bascule.typing as npt
import numpy
from bascule import linalg
from bascule.exceptions import AxisError
from bascule.testing import assert_allclose

Row = bc.ndarray[tuple[int], numpy.dtype[numpy.float64]]


# ---- creation and types

x = bc.zeros((3, 4))
assert_type(x, bc.ndarray)
assert_type(bc.array([[1, 2], [3, 4]], dtype=bc.float32, ndmin=3), bc.ndarray)
bc.array([bc.ones(2), bc.ones(2)])
bc.arange(10)
bc.arange(0, 1, 0.1, dtype="f4", device="cpu")
assert_type(bc.linspace(0, 1), bc.ndarray)
grid, step = bc.linspace(0, 1, 5, retstep=True)
bc.full((2, 2), bc.nan), bc.eye(3, k=1), bc.ones_like(x, dtype=int)
for axis in bc.meshgrid(bc.arange(3), bc.arange(4), indexing="ij"):
    assert_type(axis, bc.ndarray)
assert_type(bc.asarray(numpy.ones(3), copy=False), bc.ndarray)
assert_type(x.astype(bc.float32).dtype, numpy.dtype[numpy.float32])
assert_type(x.astype("f4").dtype, numpy.dtype[Any])
assert_type(x.shape, tuple[Any, ...])
bc.result_type(x, bc.int8), bc.finfo(x.dtype).eps, bc.pi, bc.newaxis

bc.zeros("three")  # type: ignore[arg-type]
bc.zeros((3, 4), shape=3)  # type: ignore[misc]
bc.arange(3, typ=float)  # type: ignore[call-overload]
bc.asarray(x, order="B")  # type: ignore[arg-type]
bc.no_such_function(x)  # type: ignore[attr-defined]


# ---- arithmetic

assert_type(x * 2 + x / 3 - numpy.float64(4) * x, bc.ndarray)
assert_type(1 - x, bc.ndarray)
numpy.ones(3) + x  # NumPy's own stubs decide for the left operand
assert_type(x @ x.T, Any)
assert_type((x > 1) & ~(x == 2) | (x != 3), bc.ndarray)
assert_type(-(abs(x) ** 2) // 3 % 5, bc.ndarray)
assert_type(divmod(x, 2), tuple[bc.ndarray, bc.ndarray])
x += 1
x[1:, ::2] *= 3
assert_type(bc.sin(x), bc.ndarray)
assert_type(bc.sin(0.5), Any)
assert_type(bc.add(1, numpy.float64(2)), Any)
assert_type(bc.add(x, 1, out=x, where=x > 0, dtype=float), bc.ndarray)
assert_type(bc.add.reduce(x, axis=(0, 1), keepdims=True), Any)
assert_type(bc.multiply.outer(x, x), bc.ndarray)
bc.add.at(x, [0, 1], 1)
whole, part = bc.divmod(x, 3)
mantissa, exponent = bc.frexp(x)
assert_type(bc.matmul(x, x.T, axes=[(0, 1), (0, 1), (0, 1)]), bc.ndarray)
bc.sin()  # type: ignore[call-overload]
bc.sin(x, casting="perhaps")  # type: ignore[call-overload]
bc.add(x)  # type: ignore[call-overload]


# ---- views, elements, numbers

assert_type(x[0], Any)  # a row, or an element
assert_type(x[1:], bc.ndarray[Any, numpy.dtype[Any]])
assert_type(x[x > 1], bc.ndarray[Any, numpy.dtype[Any]])
assert_type(x[1:, 0], bc.ndarray[Any, numpy.dtype[Any]])
timedelta(seconds=x[0, 1]), timedelta(seconds=x.sum()), math.sqrt(bc.sin(0.5)), [1, 2][x.argmax()]
x[x > 1] = 0
x[..., None], x[[0, 2]], x[bc.arange(2), 1], x.reshape(2, -1), x.reshape((2, 6), order="F"), x.T.ravel()
assert_type(x.transpose(1, 0).swapaxes(0, 1).squeeze(axis=0), bc.ndarray[Any, numpy.dtype[Any]])
for row in x:
    assert_type(row, Any)
assert_type(float(x.sum()), float)
assert_type(int(x.argmax()), int)
if x.any() and bool(x.all()):
    assert_type(x.item(0, 1), Any)
assert_type(round(float(x.mean()), 2), float)
assert_type(x - x.mean(), bc.ndarray)
assert_type((x - x.mean()) / x.std(), bc.ndarray)
x.mean().imag, x.mean().get()  # of complex numbers, and on a device
average: float = bc.mean(x)
assert_type(x.get(), numpy.ndarray[tuple[Any, ...], numpy.dtype[Any]])
assert_type(numpy.asarray(x), numpy.ndarray[tuple[Any, ...], numpy.dtype[Any]])
x.reshape(2, order="Z")  # type: ignore[arg-type]
x.sum(axes=0)  # type: ignore[call-overload]
x.nosuch  # type: ignore[attr-defined]


# ---- reductions, order, sets

assert_type(x.sum(axis=0, dtype=bc.float64, keepdims=True), bc.ndarray)
assert_type(x.sum(), Any)  # a scalar with the type of the elements
assert_type(bc.mean(x, axis=(0, 1), where=x > 0), bc.ndarray)
assert_type(bc.any(x > 1), numpy.bool)
assert_type(bc.argmax(x), numpy.intp)
bc.std(x, ddof=1), bc.var(x, correction=1), bc.max(x, initial=0), bc.nansum(x), bc.median(x, axis=1)
bc.quantile(x, [0.1, 0.9], method="hazen"), bc.cumsum(x, axis=0), bc.count_nonzero(x)
bc.quantile(x, 0.5, method="best")  # type: ignore[call-overload]
x.sort(axis=0, kind="stable")
assert_type(bc.argsort(x, stable=True), bc.ndarray)
assert_type(bc.unique(x), bc.ndarray)
values, counts = bc.unique(x, return_counts=True)
values, first, inverse, counts = bc.unique(x, return_index=True, return_inverse=True, return_counts=True)
assert_type(bc.unique_counts(x).counts, bc.ndarray)
assert_type(bc.where(x > 0), tuple[bc.ndarray, ...])
assert_type(bc.where(x > 0, x, 0), bc.ndarray)
assert_type(bc.average(x, weights=x, returned=True), tuple[bc.ndarray, bc.ndarray])
hist, edges = bc.histogram(x, bins="auto", range=(0, 1), density=True)
assert_type(hist, bc.ndarray)
assert_type(bc.atleast_2d(x), bc.ndarray)
one, two = bc.atleast_2d(x, x)
bc.where(x > 0, x)  # type: ignore[call-overload]


# ---- shapes and sequences

assert_type(bc.concatenate([x, x], axis=0), bc.ndarray)
assert_type(bc.split(x, 3)[0], bc.ndarray)
bc.stack((x, [1, 2]), axis=-1), bc.vstack([x]), bc.pad(x, ((1, 1), (0, 0)), mode="edge"), bc.roll(x, 1, axis=0)
bc.r_[1:3, 0], bc.mgrid[:3, :2], bc.s_[::2], bc.ix_([0, 1], [1])
bc.concatenate(x, axes=0)  # type: ignore[call-arg]
bc.pad(x, 1, mode="zero")  # type: ignore[arg-type]


# ---- elements by position, writes, differences

assert_type(bc.take(x, [0, 2], axis=1, mode="clip"), Any)
assert_type(bc.take_along_axis(x, bc.argsort(x), axis=-1), bc.ndarray)
assert_type(bc.nonzero(x), tuple[bc.ndarray, ...])
assert_type(bc.searchsorted(bc.arange(5), x, side="right"), Any)
assert_type(bc.bincount([0, 1, 1], minlength=4), bc.ndarray)
assert_type(bc.clip(x, 0, None), bc.ndarray)
assert_type(bc.shares_memory(x, x[1:]), bool)
assert_type(bc.shape(x), tuple[int, ...])
assert_type(bc.array_equal(x, x, equal_nan=True), bool)
assert_type(bc.nan_to_num(x, nan=0.0), bc.ndarray)
assert_type(bc.nanmax(x, axis=0, keepdims=True), bc.ndarray)
assert_type(bc.cumulative_sum(x, axis=0, include_initial=True), bc.ndarray)
assert_type(bc.diff(x, n=2, prepend=0), bc.ndarray)
assert_type(bc.interp(x, [0, 1], [2, 3], left=-1.5), Any)
assert_type(bc.broadcast_arrays(x, 1), tuple[bc.ndarray, ...])
assert_type(bc.digitize(x, [0, 1, 2]), Any)
assert_type(bc.isin(x, [1, 2], invert=True), bc.ndarray)
assert_type(bc.median(x, axis=1, keepdims=True), bc.ndarray)
assert_type(bc.ravel(x, order="K"), bc.ndarray)
assert_type(bc.triu(x, k=1), bc.ndarray)
bc.copyto(x, 1, where=x > 0)
bc.put(x, [0], [1], mode="wrap")
bc.fill_diagonal(x, 0)
bc.take(x)  # type: ignore[call-arg]
bc.put(x, [0], [1], mode="maybe")  # type: ignore[arg-type]
bc.copyto(x, 1, casting="loose")  # type: ignore[arg-type]


# ---- linear algebra, transforms, special functions

assert_type(linalg.svd(x).S, bc.ndarray)
u, s, vh = bc.linalg.svd(x, full_matrices=False)
assert_type(u, bc.ndarray)
assert_type(bc.dot(x, x), Any)
assert_type(bc.tensordot(x, x, axes=([0], [0])), bc.ndarray)
assert_type(bc.kron(x, x), bc.ndarray)
assert_type(bc.fft.fft(x), bc.ndarray)
assert_type(bc.fft.fftfreq(8, d=0.5), bc.ndarray)
assert_type(bc.linalg.svd(x, compute_uv=False), bc.ndarray)
assert_type(bc.linalg.eigh(x).eigenvalues, bc.ndarray)
q, r = bc.linalg.qr(x)
bc.linalg.norm(x, ord="fro", axis=(0, 1)), bc.linalg.solve(x, x), bc.einsum("ij,kj->ik", x, x, optimize=True)
bc.fft.rfft(x, n=8, axis=0, norm="ortho"), bc.fft.fftshift(x)
bc.fft.fft(x, norm="loud")  # type: ignore[arg-type]
assert_type(bc.special.ndtri(x), bc.ndarray)
assert_type(bc.special.logsumexp(x, axis=0, return_sign=True), tuple[bc.ndarray, bc.ndarray])
try:
    bc.linalg.inv(x)
except bc.linalg.LinAlgError:
    pass
bc.linalg.qr(x, mode="half")  # type: ignore[call-overload]


# ---- random numbers

rng = bc.random.default_rng(0)
assert_type(rng, bc.random.Generator)
assert_type(rng.normal(10, 1, size=(3, 4)), bc.ndarray)
assert_type(rng.integers(0, 10, size=5, dtype=bc.int32, endpoint=True), bc.ndarray)
number: float = rng.random()
assert_type(rng.spawn(2)[0], bc.random.Generator)
assert_type(rng.normal(), Any)
assert_type(bc.random.rand(3), Any)
assert_type(bc.random.uniform(-1, 1, size=4), bc.ndarray)
assert_type(bc.random.RandomState(1).randint(0, 5, size=3), bc.ndarray)
rng.shuffle(x)
bc.random.Generator(bc.random.PCG64(1)).choice(5, size=2, replace=False)
bc.random.RandomState(1).rand(2, 3), bc.random.seed(1), bc.random.normal(size=3)
rng.normal(10, 1, shape=3)  # type: ignore[call-overload]


# ---- files, printing, errors

bc.save("x.npy", x)
bc.savez_compressed("x.npz", x=x, y=x)
bc.load("x.npz")["x"]
bc.savetxt("x.txt", x, fmt="%.3f", delimiter=",")
assert_type(bc.loadtxt("x.txt", usecols=(0, 1), delimiter=","), bc.ndarray)
with bc.errstate(divide="ignore"), bc.printoptions(precision=2):
    print(x, repr(x), f"{x.sum():.3f}", bc.array2string(x, floatmode="fixed"))


# ---- bascule's own

with bc.device("cuda"), bc.config.set(fusion="off"):
    pass
bc.config.fallback = "error"
assert_type(bc.explain(x), str)
assert_type(bc.coverage()["pad"].state, str)
assert_type(bc.fallbacks(reset=True), list[dict[str, Any]])
assert_type(x.to_device("cuda:0").device, str)
bc.synchronize()
bc.evaluate(x), bc.get_num_threads(), bc.fastmath()


@bc.vectorize
def larger(a: Any, b: Any) -> Any:
    return bc.where(a > b, a, b)


@bc.vectorize(["float64(float64, float64)"], device="cpu")
def smaller(a: Any, b: Any) -> Any:
    return bc.where(a < b, a, b)


larger(x, 2), smaller(np.ones(3), 2)


@bc.stencil
def mean_of_neighbours(a: Any) -> Any:
    return (a[-1] + a[1]) / 2


def standardised(values: np.ndarray, eps: float = 1e-9) -> np.ndarray:
    """A NumPy program with another import."""
    centred = values - values.mean(axis=0, keepdims=True)
    return centred / np.sqrt((centred**2).mean(axis=0) + eps)


def type_of(rows: Row) -> numpy.dtype[numpy.float64]:
    return rows.dtype


def middle_of_axis(
    values: npt.NDArray[numpy.float64], other: npt.ArrayLike, dtype: npt.DTypeLike | None = None
) -> None:
    try:
        assert_allclose(values.mean(axis=3), bc.asarray(other, dtype))
    except AxisError as error:
        print(error.axis)


standardised([1.0, 2.0])  # type: ignore[arg-type]
