"""The rows as users of PyTorch write them, if its names or defaults are not NumPy's."""

from __future__ import annotations

from typing import Any

import torch
from rows import PERCENTS

GENERATOR = torch.Generator()
GENERATOR.manual_seed(1)
FRACTIONS = torch.tensor([p / 100 for p in PERCENTS], dtype=torch.float64)


def std_rows(x: Any) -> Any:
    return x.std(1, correction=0, keepdim=True)


FORMS = {
    "slice_copy": lambda x: x[::3].clone(),
    "transpose_copy": lambda x: x.T.contiguous(),
    "std": lambda x: x.std(correction=0),
    "var_axis0": lambda x: x.var(0, correction=0),
    "max_axis0": lambda x: x.amax(0),
    "cumsum": lambda x: torch.cumsum(x, 0),
    "sort": lambda x: torch.sort(x).values,
    "median": lambda x: torch.quantile(x, 0.5),  # torch.median returns the lower of the two middle elements
    "percentile": lambda x: torch.quantile(x, FRACTIONS),
    "histogram100": lambda x: torch.histc(x, 100, 0.0, 1.0),
    "rng_normal": lambda n: torch.randn(int(n), generator=GENERATOR, dtype=torch.float64),
    "rng_uniform": lambda n: torch.rand(int(n), generator=GENERATOR, dtype=torch.float64),
    "rng_integers_u8": lambda n: torch.randint(0, 3, (int(n),), generator=GENERATOR, dtype=torch.uint8),
    "normalise_cols": lambda x: (x - x.mean(0)) / x.std(0, correction=0),
    "normalise_rows": lambda x: (x - x.mean(1, keepdim=True)) / std_rows(x),
    "softmax_rows": lambda x: torch.softmax(x, 1),
    "pairdist": lambda points: torch.cdist(points, points, compute_mode="donot_use_mm_for_euclid_dist"),
}
