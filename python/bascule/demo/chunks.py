"""The program's part with Dask: the same text, its backend swapped by configuration."""

from __future__ import annotations

from typing import Any

from .steps import Data, Step


def dask_array(da: Any, d: Data) -> Data:
    x = da.from_array(d["z"].T, chunks=(200_000, -1))
    weights = da.linspace(0.5, 1.5, x.shape[1], chunks=-1)
    score = (x * weights).sum(axis=1)
    product = x.T @ x / x.shape[0]
    moments = da.stack([score.mean(), score.std(), da.exp(-abs(score)).mean(), (score > 2).mean()])
    return {"product": product.compute(), "moments": moments.compute(), "largest": abs(x).max(axis=0).compute()}


TABLES: list[Step] = []
ARRAYS = [
    Step(dask_array, "Dask: arrays in chunks", lambda r: f"mean {r['moments'][0]:.3f}, deviation {r['moments'][1]:.3f} of a score of 8 features", drops=("z",)),
]  # fmt: skip
