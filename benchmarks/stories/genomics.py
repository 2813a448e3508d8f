"""Principal components of genotypes: uint8 from Zarr, packed to 2 bits in memory, by a randomised SVD.

The frequencies of variants differ between three populations; the first two components must separate these. The
genotypes (0, 1, 2) are on disk as bytes. They are read once, and four are packed into each byte; every pass of the SVD
unpacks the chunks it needs.
"""

from __future__ import annotations

from typing import Any

import dask.array as da
import numpy as np
from story import Story

POPULATIONS = 3


def write(path: Any, variants: int, people: int, chunk: int) -> np.ndarray:
    """Write genotypes in Zarr format; returns the population of each person."""
    import zarr

    rng = np.random.default_rng(0)
    population = np.arange(people) % POPULATIONS
    store = zarr.create_array(str(path), shape=(variants, people), chunks=(chunk, people), dtype="u1")
    for k in range(0, variants, chunk):
        n = min(chunk, variants - k)
        common = rng.uniform(0.1, 0.9, (n, 1))
        frequency = np.clip(common + rng.normal(0, 0.15, (n, POPULATIONS)), 0.02, 0.98)[:, population]
        store[k : k + n] = (rng.random((n, people)) < frequency).astype("u1") + (rng.random((n, people)) < frequency)
    return population


def compress(block: Any) -> Any:
    """Pack four genotypes into each byte."""
    return block[:, ::4] | block[:, 1::4] << 2 | block[:, 2::4] << 4 | block[:, 3::4] << 6


def decompress(block: Any) -> Any:
    """Unpack genotypes to numbers."""
    parts = [(block >> shift) & 3 for shift in (0, 2, 4, 6)]
    return np.stack(parts, axis=-1).reshape(len(block), -1).astype("f4")


def components(path: Any, rank: int) -> tuple[np.ndarray, np.ndarray]:
    """Singular values and, for each person, the first components."""
    x = da.from_zarr(str(path))
    packed = x.map_blocks(compress, chunks=(x.chunks[0], (x.shape[1] // 4,)), dtype="u1").persist()
    numbers = packed.map_blocks(decompress, chunks=x.chunks, dtype="f4")
    mean = numbers.mean(axis=1, keepdims=True)
    scaled = (numbers - mean) / da.maximum(numbers.std(axis=1, keepdims=True), 1e-3)
    _, s, v = da.linalg.svd_compressed(scaled, k=rank, compute=True, seed=0, n_power_iter=1)
    s, v = s.compute(), v.compute()
    return np.asarray(s), np.asarray(v)


def main(arguments: list[str] | None = None) -> None:
    """Run the example."""
    story = Story("genomics", __doc__, arguments=arguments)
    people = 4 * story.side(1000, 15)
    variants = story.side(1_000_000, 400)
    path = story.folder / "genotypes.zarr"
    population = write(path, variants, people, max(variants // 64, 50))
    (s, v), peer = story.run(lambda: components(path, 10))
    story.check(s.shape == (10,) and v.shape == (10, people), "shapes")
    story.check((np.diff(s) <= 1e-3 * s[0]).all(), "singular values fall")
    place = v[:2].T
    centres = np.stack([place[population == k].mean(axis=0) for k in range(POPULATIONS)])
    nearest = ((place[:, None] - centres) ** 2).sum(axis=2).argmin(axis=1)
    right = float((nearest == population).mean())
    story.check(right > 0.95, f"components tell populations apart: {right:.3f}")
    if peer is not None:
        story.check(np.allclose(s[:2], peer[0][:2], rtol=0.02), "the peer's leading singular values")

    def draw(axes: Any) -> None:
        axes.scatter(*place.T, c=population, s=8)
        axes.set(title=f"{people} people, {variants} variants", xlabel="first component", ylabel="second component")

    story.plot(draw)
    story.end(people=people, variants=variants, right=round(right, 4))


if __name__ == "__main__":
    main()
