"""SVD of a tall and skinny matrix of random numbers, block by block.

The singular values of an n × m matrix of independent normal numbers are between √n - √m and √n + √m.
"""

from __future__ import annotations

from typing import Any

import dask
import dask.array as da
import numpy as np
from story import Story


def decomposed(n: int, m: int, chunk: int) -> tuple[np.ndarray, float, float]:
    """Singular values, the deviation of u from orthogonality, and the largest error of u s v."""
    x = da.random.default_rng(1).normal(size=(n, m), chunks=(chunk, m))
    u, s, v = da.linalg.svd(x)
    off = abs(u.T @ u - da.eye(m, chunks=m)).max()
    error = abs(u * s @ v - x).max()
    s, off, error = dask.compute(s, off, error)
    return np.asarray(s), float(off), float(error)


def main(arguments: list[str] | None = None) -> None:
    """Run the example."""
    story = Story("tall_skinny_svd", __doc__, arguments=arguments)
    n, m = story.n(10_000_000, 2000), 20
    chunk = max(n // 100, 500)
    (s, off, error), peer = story.run(lambda: decomposed(n, m, chunk))
    low, high = n**0.5 - m**0.5 - 4, n**0.5 + m**0.5 + 4
    story.check(((low < s) & (s < high)).all(), "singular values of a random matrix")
    story.check(off < 1e-8 and error < 1e-7, f"u s v is the matrix: {off:.2e}, {error:.2e}")
    if peer is not None:
        story.check(
            np.allclose(((s - n**0.5) ** 2).mean(), ((peer[0] - n**0.5) ** 2).mean(), rtol=3), "the peer's spread"
        )

    def draw(axes: Any) -> None:
        axes.plot(s, "o")
        axes.axhspan(low, high, alpha=0.15)
        axes.set(title=f"singular values of {n} × {m} normal numbers", xlabel="number", ylabel="singular value")

    story.plot(draw)
    story.end(rows=n, columns=m, error=error)


if __name__ == "__main__":
    main()
