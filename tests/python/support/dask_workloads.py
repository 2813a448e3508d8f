"""Programs over dask.array, each written once and run with NumPy chunks and with bascule chunks.

A program takes a `Maker`, which creates collections with either kind of chunks, and returns a collection or a value.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import bascule as bc
import dask
import dask.array as da
import numpy as np

GRID = np.arange(48.0).reshape(8, 6)
NULLS = np.where(GRID % 7 == 0, np.nan, GRID)
TALL = np.random.default_rng(7).random((100, 5))
SQUARE = np.random.default_rng(8).random((8, 8)) + 8 * np.eye(8)


@dataclass
class Maker:
    """Creates collections with the chunks of one backend."""

    backend: str

    def wrap(self, data: Any) -> Any:
        """Data as an array of the backend."""
        return bc.asarray(data) if self.backend == "bascule" else np.asarray(data)

    def of(self, data: Any, chunks: Any) -> Any:
        """A collection over data."""
        return da.from_array(self.wrap(data), chunks=chunks)

    def x(self, chunks: Any = (4, 3)) -> Any:
        """8 × 6 numbers."""
        return self.of(GRID.copy(), chunks)

    def nulls(self, chunks: Any = (4, 3)) -> Any:
        """8 × 6 numbers, some of them NaN."""
        return self.of(NULLS.copy(), chunks)

    def whole(self, chunks: Any = 12) -> Any:
        """48 integers."""
        return self.of(np.arange(48) * 5 % 37, chunks)

    def tall(self, chunks: Any = (20, 5)) -> Any:
        """100 × 5 numbers."""
        return self.of(TALL.copy(), chunks)

    def square(self, chunks: Any = 4) -> Any:
        """8 × 8 numbers with a heavy diagonal."""
        return self.of(SQUARE.copy(), chunks)

    def symmetric(self, chunks: Any = 4) -> Any:
        """8 × 8 numbers, symmetric and positive definite."""
        return self.of(SQUARE + SQUARE.T, chunks)

    @contextlib.contextmanager
    def settings(self) -> Any:
        """The configuration for the programs of this backend; random numbers are NumPy's."""
        with dask.config.set({"array.backend": self.backend}), bc.config.set(random="numpy"):
            yield


Program = Callable[[Maker], Any]
PROGRAMS: dict[str, Program] = {}


def program(name: str) -> Callable[[Program], Program]:
    def add(f: Program) -> Program:
        PROGRAMS[name] = f
        return f

    return add


def rng(seed: int = 1) -> Any:
    return da.random.default_rng(seed)


PROGRAMS |= {
    # ---- creation
    "ones": lambda m: da.ones((6, 4), chunks=3),
    "ones of float32": lambda m: da.ones((6, 4), chunks=3, dtype="f4"),
    "ones of rank 0": lambda m: da.ones((), chunks=()),
    "zeros": lambda m: da.zeros((6, 4), chunks=3),
    "empty": lambda m: da.isnan(da.empty((6, 4), chunks=3)) | True,
    "full": lambda m: da.full((6, 4), 7.5, chunks=3),
    "full of int": lambda m: da.full((6, 4), 7, chunks=3),
    "arange": lambda m: da.arange(10, chunks=3),
    "arange with a step": lambda m: da.arange(1, 10, 0.5, chunks=3),
    "diag of a range": lambda m: da.diag(da.arange(6, chunks=3)),
    "tri": lambda m: da.tri(6, chunks=3),
    "tril": lambda m: da.tril(m.square()),
    "indices": lambda m: da.indices((4, 4), chunks=2),
    "fromfunction": lambda m: da.fromfunction(lambda i, j: i + j, shape=(4, 4), chunks=2, dtype="f8"),
    "ones_like": lambda m: da.ones_like(m.x()),
    "zeros_like": lambda m: da.zeros_like(m.x(), dtype="i4"),
    "full_like": lambda m: da.full_like(m.x(), 2.0),
    "meshgrid": lambda m: da.meshgrid(da.arange(4, chunks=2), da.arange(3, chunks=2))[1],
    "asarray like": lambda m: da.asarray(np.arange(5.0), like=m.wrap(np.empty(0))),
    "asarray of an array": lambda m: da.asarray(m.wrap(np.arange(5.0))),
    "from_delayed": lambda m: da.from_delayed(dask.delayed(m.wrap)(GRID), (8, 6), meta=m.wrap(np.empty((0, 0)))),
    # ---- random
    "random": lambda m: rng().random((6, 4), chunks=3),
    "random of float32": lambda m: rng().random((6, 4), chunks=3, dtype="f4"),
    "normal": lambda m: rng().normal(3, 2, (6, 4), chunks=3),
    "standard_normal": lambda m: rng().standard_normal((6, 4), chunks=3),
    "uniform": lambda m: rng().uniform(-1, 1, (6, 4), chunks=3),
    "exponential": lambda m: rng().exponential(2, (6, 4), chunks=3),
    "poisson": lambda m: rng().poisson(4, (6, 4), chunks=3),
    "integers": lambda m: rng().integers(0, 9, (6, 4), chunks=3),
    "integers of int32": lambda m: rng().integers(9, size=(6, 4), chunks=3, dtype="i4", endpoint=True),
    "choice of a range": lambda m: rng().choice(9, 6, chunks=3),
    "permutation": lambda m: rng().permutation(m.x()),
    "random with an array seed": lambda m: da.random.default_rng(np.arange(4)).random(6, chunks=3),
    "normal about numpy": lambda m: rng().normal(GRID, 1, size=(8, 6), chunks=(4, 3)),
    "normal about a collection": lambda m: rng().normal(m.x(), 1, size=(8, 6), chunks=(4, 3)),
    "legacy normal": lambda m: da.random.RandomState(1).normal(0, 1, (6, 4), chunks=3),
    "legacy randint": lambda m: da.random.RandomState(1).randint(0, 9, (6, 4), chunks=3),
    "legacy random_sample": lambda m: da.random.RandomState(1).random_sample((6, 4), chunks=3),
    "legacy choice": lambda m: da.random.RandomState(1).choice(9, 6, chunks=3),
    "legacy array seed": lambda m: da.random.RandomState(np.arange(4)).normal(size=6, chunks=3),
    # ---- element by element
    "every other element of a sum": lambda m: ((m.x() + 1)[::2, ::2]).sum(),
    "exp of x and its transpose": lambda m: da.exp((m.square() + m.square().T) / 9),
    "where with a scalar": lambda m: da.where(m.x() > 5, m.x(), 0.0),
    "where with a collection": lambda m: da.where(m.x() > 5, m.x(), -m.x()),
    "isclose, clip and round": lambda m: da.isclose(da.clip(m.x(), 1, 9), da.around(m.x(), 1)),
    "divmod": lambda m: da.divmod(m.x(), 5)[1],
    "isnan": lambda m: da.isnan(m.nulls()),
    "nan_to_num": lambda m: da.nan_to_num(m.nulls()),
    "astype": lambda m: m.x().astype("i4"),
    "logical": lambda m: (m.x() > 3) & ~(m.x() > 30) | (m.x() == 40),
    "angle": lambda m: da.angle(m.x() + 1j),
    "real and imag": lambda m: (m.x() * 1j).imag - (m.x() + 1j).real,
    # ---- reductions
    **{
        f"{name} of {what}": lambda m, name=name, axis=axis: getattr(da, name)(m.x(), axis=axis)
        for name in ("sum", "prod", "mean", "std", "var", "min", "max", "argmax", "argmin", "any", "all")
        for what, axis in (("everything", None), ("columns", 0))
    },
    **{
        f"{name} of {what}": lambda m, name=name, axis=axis: getattr(da, name)(m.nulls(), axis=axis)
        for name in ("nansum", "nanprod", "nanmean", "nanstd", "nanvar", "nanmin", "nanmax", "nanargmax", "nanargmin")
        for what, axis in (("everything", None), ("rows", 1))
    },
    "sum of both axes, kept": lambda m: m.x().sum(axis=(0, 1), keepdims=True),
    "sum of float32": lambda m: m.x().astype("f4").sum(axis=1),
    "sum in pairs": lambda m: m.tall().sum(axis=0, split_every=2),
    "moment": lambda m: da.moment(m.x(), 3, axis=0) if hasattr(da, "moment") else m.x().moment(3, axis=0),
    "cumsum": lambda m: da.cumsum(m.x(), axis=0),
    "cumsum, tree": lambda m: da.cumsum(m.x(), axis=1, method="blelloch"),
    "cumprod": lambda m: da.cumprod(m.x() / 20, axis=0),
    "nancumsum": lambda m: da.nancumsum(m.nulls(), axis=0),
    "ptp": lambda m: da.ptp(m.x(), axis=0),
    "median": lambda m: da.median(m.x(), axis=0),
    "nanmedian": lambda m: da.nanmedian(m.nulls(), axis=0),
    "quantile": lambda m: da.quantile(m.x(), 0.5, axis=0),
    "average": lambda m: da.average(m.x(), axis=0, weights=m.x()[:, 0]),
    "topk": lambda m: da.topk(m.whole(), 3),
    "argtopk": lambda m: da.argtopk(m.x().ravel(), 3),
    "percentile": lambda m: da.percentile(m.x().ravel(), [25, 50, 75]),
    "histogram": lambda m: da.histogram(m.x(), bins=5, range=(0, 48))[0],
    "histogram with weights": lambda m: da.histogram(m.whole(), bins=[0, 10, 20, 40], weights=m.whole() * 2)[0],
    "histogram2d": lambda m: da.histogram2d(m.tall()[:, 0], m.tall()[:, 1], 3, range=((0, 1), (0, 1)))[0],
    "histogramdd": lambda m: da.histogramdd(m.tall((20, 5))[:, :2], bins=(3, 3), range=((0, 1), (0, 1)))[0],
    "bincount": lambda m: da.bincount(m.whole(), minlength=40),
    "digitize": lambda m: da.digitize(m.x(), bins=np.array([0, 10, 20])),
    "searchsorted": lambda m: da.searchsorted(m.of(np.arange(10.0), 3), m.of(np.arange(4) + 0.5, 2)),
    "unique": lambda m: da.unique(m.whole() % 5),
    "unique with counts": lambda m: da.unique(m.whole() % 5, return_counts=True)[1],
    "unique with places": lambda m: da.unique(m.x() % 5, return_index=True)[1],
    "unique, and back": lambda m: (lambda v, i: i)(*da.unique(m.x() % 5, return_inverse=True)),
    "unique with everything": lambda m: da.unique(
        m.whole() % 5, return_index=True, return_inverse=True, return_counts=True
    ),
    "coarsen": lambda m: da.coarsen(np.mean, m.x(), {0: 2, 1: 3}),
    "fft, to numpy": lambda m: da.fft.fft(m.x((4, 6)), axis=1).to_backend("numpy"),
    "integers without axes": lambda m: rng().integers(5, high=6, size=()),
    "union1d": lambda m: da.union1d(m.whole() % 5, m.whole() % 7),
    "isin": lambda m: da.isin(m.x(), [1.0, 2.0]),
    "count_nonzero": lambda m: da.count_nonzero(m.x() > 5, axis=0),
    # ---- with the scalars that reductions return
    "x minus its mean": lambda m: m.x() - m.x().mean(),
    "a mean minus x": lambda m: m.x().mean() - m.x(),
    "x between nought and one": lambda m: (m.x() - m.x().min()) / (m.x().max() - m.x().min()),
    "mean of the squares about the mean": lambda m: ((m.x() - m.x().mean()) ** 2).mean(),
    "std of columns beside that of all": lambda m: m.x().std(axis=0) * m.x().std(),
    "where beside scalars": lambda m: da.where(m.x() > m.x().mean(), m.x().max(), m.x().min()),
    "select with a scalar": lambda m: da.select([m.x() > m.x().mean()], [m.x()], m.x().mean()),
    "clip between scalars": lambda m: da.clip(m.x(), m.x().mean(), m.x().max()),
    "scalars in a row behind a column": lambda m: da.concatenate([m.x()[:, 0], da.stack([m.x().sum(), m.x().mean()])]),
    "scalar behind a row": lambda m: da.append(m.x()[0], m.x().sum()),
    "broadcast scalar and x": lambda m: da.broadcast_to(m.x().mean(), (8, 6)) + m.x(),
    "norm of all times x": lambda m: da.linalg.norm(m.x()) * m.x(),
    "map_blocks beside a scalar": lambda m: da.map_blocks(lambda b, mean: b - mean, m.x(), m.x().mean(), dtype="f8"),
    "one more than the position": lambda m: da.argmax(m.x(), axis=0) + 1,
    "choice and a scalar": lambda m: rng().choice(9, 6, chunks=3) - rng().choice(9, 6, chunks=3).sum(),
    "ones of rank 0 with an axis": lambda m: da.ones((), chunks=())[None] + 1,
    "map_blocks of rank 0 by a class": lambda m: da.ones((), chunks=()).map_blocks(
        lambda b: b[None], new_axis=0, meta=type(m.wrap(GRID)), dtype="f8"
    ),
    "scalar of a scalar": lambda m: da.sqrt(m.x().mean()).round(1).astype("f4"),
    "x[1][2]": lambda m: m.x()[1][2],
    "reduction by hand": lambda m: da.reduction(
        m.x(),
        lambda b, axis, keepdims: b.sum(axis=axis, keepdims=keepdims),
        lambda b, axis, keepdims: b.max(axis=axis, keepdims=keepdims),
        dtype="f8",
    ),
    # ---- selection
    "x[list]": lambda m: m.x()[[5, 1, 3]],
    "x[:, list]": lambda m: m.x()[:, [5, 1, 3]],
    "x[host mask]": lambda m: m.x()[np.array([True, False] * 4)],
    "x[mask of a collection]": lambda m: m.x()[m.x()[:, 0] > 12],
    "x[mask of full rank]": lambda m: m.x()[m.x() > 12],
    "x[integers of a collection]": lambda m: m.x()[m.of(np.array([1, 3]), 1)],
    "x[array]": lambda m: m.x()[m.wrap(np.array([5, 1, 3]))],
    "x[..., None, ::-1]": lambda m: m.x()[..., None, ::-1],
    "x[2, -1]": lambda m: m.x()[2, -1],
    "vindex": lambda m: m.x().vindex[[1, 5], [2, 3]],
    "blocks": lambda m: m.x().blocks[0, 1],
    "take": lambda m: da.take(m.x(), np.array([5, 1, 3]), axis=0),
    "compress": lambda m: da.compress(np.array([True, False] * 4), m.x(), axis=0),
    "nonzero": lambda m: da.nonzero(m.x() > 5)[0],
    "argwhere": lambda m: da.argwhere(m.x() > 40),
    "flatnonzero": lambda m: da.flatnonzero(m.x() > 5),
    "choose": lambda m: da.choose((m.x() > 5).astype("i8"), [m.x(), -m.x()]),
    "select": lambda m: da.select([m.x() > 20, m.x() > 10], [m.x(), -m.x()], 0.0),
    "compute_chunk_sizes": lambda m: m.x()[m.x()[:, 0] > 12].compute_chunk_sizes(),
    # ---- layout
    "stack": lambda m: da.stack([m.x(), m.x()]),
    "concatenate": lambda m: da.concatenate([m.x(), m.x()], axis=1),
    "block": lambda m: da.block([[m.x(), m.x()], [m.x(), m.x()]]),
    "vstack": lambda m: da.vstack([m.x(), m.x()]),
    "rechunk to one": lambda m: m.x().rechunk((8, 6)),
    "rechunk to many": lambda m: m.x((8, 6)).rechunk((3, 2)),
    "reshape": lambda m: m.x((4, 6)).reshape((2, 4, 6)),
    "ravel": lambda m: m.x().ravel(),
    "moveaxis": lambda m: da.moveaxis(m.x().T, 0, 1),
    "squeeze": lambda m: m.x()[:, :1].squeeze(),
    "roll, flip and pad to the edge": lambda m: da.pad(da.flip(da.roll(m.x(), 1, 0), 0), 1, mode="edge"),
    "pad with a constant": lambda m: da.pad(m.x(), 1, mode="constant", constant_values=2),
    "pad by reflection": lambda m: da.pad(m.x(), 1, mode="reflect"),
    "pad with the mean": lambda m: da.pad(m.x(), 1, mode="mean"),
    "repeat and tile": lambda m: da.repeat(da.tile(m.x(), (1, 2)), 2, axis=0),
    "broadcast_to": lambda m: da.broadcast_to(m.x(), (2, 8, 6)),
    "expand_dims": lambda m: da.expand_dims(m.x(), 1),
    "rot90": lambda m: da.rot90(m.x()),
    "insert": lambda m: da.insert(m.x(), 1, 5.0, axis=0),
    "append": lambda m: da.append(m.x(), m.x(), axis=0),
    "delete": lambda m: da.delete(m.x(), 1, axis=0),
    # ---- maps
    "map_blocks": lambda m: m.x().map_blocks(lambda b: b * 2),
    "map_blocks that drops an axis": lambda m: m.x((4, 6)).map_blocks(lambda b: b.sum(axis=1), drop_axis=1, dtype="f8"),
    "map_overlap, reflected": lambda m: m.x().map_overlap(lambda b: b + 1, depth=1, boundary="reflect"),
    "map_overlap, no boundary": lambda m: m.x().map_overlap(
        lambda b: b + b.shape[0], depth=1, boundary="none", meta=m.wrap(np.empty((0, 0)))
    ),
    "map_overlap, constant": lambda m: m.x().map_overlap(lambda b: b + 1, depth=1, boundary=0),
    "sliding_window_view": lambda m: da.lib.stride_tricks.sliding_window_view(m.x(), 3, axis=0),
    "blockwise": lambda m: da.blockwise(lambda a: a.sum(axis=1), "i", m.x(), "ij", dtype="f8", concatenate=True),
    "apply_along_axis": lambda m: da.apply_along_axis(lambda v: v.sum(), 0, m.x(), dtype="f8", shape=()),
    "apply_over_axes": lambda m: da.apply_over_axes(da.sum, m.x(), [0]),
    "apply_gufunc": lambda m: da.apply_gufunc(lambda a: a.mean(axis=-1), "(i)->()", m.x((4, 6)), output_dtypes="f8"),
    "apply_gufunc, guessed": lambda m: da.apply_gufunc(lambda a: a.mean(axis=-1), "(i)->()", m.x((4, 6))),
    "frompyfunc": lambda m: da.ufunc.frompyfunc(lambda v: v + 1, 1, 1)(m.whole()).astype("i8"),
    "piecewise": lambda m: da.piecewise(m.x(), [m.x() < 9, m.x() >= 9], [lambda v: -v, lambda v: v]),
    # ---- products
    "tensordot": lambda m: da.tensordot(m.x(), m.x(), axes=((0,), (0,))),
    "dot": lambda m: da.dot(m.x(), m.x().T),
    "matmul": lambda m: m.x() @ m.x().T,
    "einsum": lambda m: da.einsum("ij,kj->ik", m.x(), m.x()),
    "outer": lambda m: da.outer(m.x()[0], m.x()[1]),
    "vdot": lambda m: da.vdot(m.x()[0], m.x()[1]),
    "gradient": lambda m: da.gradient(m.x()[:, 0].rechunk(4)),
    "diff": lambda m: da.diff(m.x(), axis=0),
    "ediff1d": lambda m: da.ediff1d(m.whole()),
    "cov": lambda m: da.cov(m.x((8, 6))),
    "corrcoef": lambda m: da.corrcoef(m.tall().T),
    "trace of a product": lambda m: da.diagonal(m.square() @ m.square()).sum(),
    # ---- transforms
    "fft": lambda m: da.fft.fft(m.x((4, 6)), axis=1),
    "ifft": lambda m: da.fft.ifft(m.x((4, 6)) + 1j, axis=1),
    "rfft2": lambda m: da.fft.rfft2(m.x((8, 6))),
    "fftfreq": lambda m: da.fft.fftfreq(8, chunks=4),
    "fftshift": lambda m: da.fft.fftshift(m.x()),
    # ---- linear algebra
    "norm": lambda m: da.linalg.norm(m.x()),
    "norm of rows": lambda m: da.linalg.norm(m.x(), axis=1, ord=1),
    "qr of tall blocks": lambda m: abs(da.linalg.qr(m.tall())[1]),
    "q times r": lambda m: da.matmul(*da.linalg.qr(m.tall())),
    "qr of wide blocks": lambda m: abs(da.linalg.qr(m.of(TALL[:3].copy(), (3, (3, 2))))[1]),
    "tsqr": lambda m: abs(da.linalg.tsqr(m.tall())[0]),
    "svd of tall blocks": lambda m: da.linalg.svd(m.tall())[1],
    "vectors of svd": lambda m: abs(da.linalg.svd(m.tall())[0]),
    "svd_compressed": lambda m: da.linalg.svd_compressed(m.of(TALL[:20], 5), k=2, seed=1, n_power_iter=4)[1],
    "svd_compressed, computed": lambda m: da.linalg.svd_compressed(
        m.of(TALL[:20], 5), k=2, compute=True, seed=1, n_power_iter=4
    )[1],
    "svd_compressed by QR": lambda m: da.linalg.svd_compressed(
        m.of(TALL[:20], 5), k=2, iterator="QR", n_power_iter=4, seed=1
    )[1],
    "lu": lambda m: da.linalg.lu(m.square())[1],
    "solve": lambda m: da.linalg.solve(m.square(), m.of(np.ones(8), 4)),
    "solve, positive definite": lambda m: da.linalg.solve(m.symmetric(), m.of(np.ones(8), 4), assume_a="pos"),
    "solve_triangular": lambda m: da.linalg.solve_triangular(da.tril(m.square()), m.of(np.ones(8), 4), lower=True),
    "inv": lambda m: da.linalg.inv(m.square()),
    "cholesky of one chunk": lambda m: da.linalg.cholesky(m.symmetric(8), lower=True),
    "cholesky": lambda m: da.linalg.cholesky(m.symmetric(), lower=True),
    "lstsq": lambda m: da.linalg.lstsq(m.tall(), m.of(np.ones(100), 20))[0],
    "masked_greater": lambda m: da.ma.masked_greater(m.x(), 5),
    # ---- NumPy's functions on collections, and mixtures
    "np.sum": lambda m: np.sum(m.x(), axis=0),
    "np.concatenate": lambda m: np.concatenate([m.x(), m.x()]),
    "np.linalg.svd": lambda m: np.linalg.svd(m.tall())[1],
    "np.add with an array": lambda m: np.add(m.x(), m.wrap(GRID)),
    "array + collection": lambda m: m.wrap(GRID) + m.x(),
    "collection < array": lambda m: m.x() < m.wrap(GRID[::-1].copy()),
    "array @ collection": lambda m: m.wrap(GRID.T.copy()) @ m.x(),
    "np.where with an array": lambda m: np.where(m.x() > 3, m.wrap(GRID), m.x()),
    # ---- running
    "persist": lambda m: m.x().persist(),
    "threads": lambda m: (m.x() + 1).sum(axis=0).persist(scheduler="threads"),
    "several at once": lambda m: dask.compute(m.x().sum(), m.x().mean())[0],
    "store into an array": lambda m: da.store(m.x(), target := m.wrap(np.zeros((8, 6)))) or target,
    "store into numpy": lambda m: da.store(m.x(), target := np.zeros((8, 6))) or target,
    "to_delayed": lambda m: m.x().to_delayed()[0, 0].compute(),
    "float of a sum": lambda m: float(m.x().sum()),
    "truth of a comparison": lambda m: bool((m.x() >= 0).all()),
    "len and iteration": lambda m: [len(m.x()), *(float(row.sum()) for row in m.x())],
    "assert_eq": lambda m: da.utils.assert_eq(m.x(), m.x()),
    "to numpy": lambda m: m.x().to_backend("numpy"),
    "numpy there": lambda m: da.from_array(GRID, chunks=3).to_backend(m.backend),
    "numpy there by configuration": lambda m: da.from_array(GRID, chunks=3).to_backend(),
    "allclose": lambda m: da.allclose(m.x(), m.x() + 1e-12),
}


@program("assignment of a scalar to a slice")
def _(m: Maker) -> Any:
    x = m.x()
    x[:2] = 0.0
    return x


@program("assignment of a mean")
def _(m: Maker) -> Any:
    x = m.x()
    x[0, 0] = m.x().mean()
    return x


@program("assignment of a scalar under a mask")
def _(m: Maker) -> Any:
    x = m.x()
    x[x > 9] = 0.0
    return x


@program("assignment of an array to a row")
def _(m: Maker) -> Any:
    x = m.x()
    x[1] = m.wrap(np.arange(6.0))
    return x


@program("assignment of numpy to a row")
def _(m: Maker) -> Any:
    x = m.x()
    x[1] = np.arange(6.0)
    return x


@program("assignment of a collection to a list of rows")
def _(m: Maker) -> Any:
    x = m.x()
    x[[1, 3]] = m.x()[:2]
    return x
