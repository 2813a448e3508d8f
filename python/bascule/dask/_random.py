"""Random chunks: seeds and generators that remember their device."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import random
from ..config import config
from ..random._counter_bits import CounterBits
from ._homes import home


class Seed(np.random.SeedSequence):
    """A seed sequence with the device of its random numbers. Dask sends one to each chunk."""

    def __init__(self, entropy: Any = None, *, device: str | None = None, **kwargs: Any):
        super().__init__(entropy, **kwargs)
        self.device = device

    def spawn(self, n_children: int) -> list[Seed]:
        """Create independent child sequences for the same device."""
        children = super().spawn(n_children)
        for child in children:
            child.device = self.device
        return children


class PCG64(np.random.PCG64):
    """NumPy's generator with a name in this package, by which Dask finds ``bascule.random``."""

    @property
    def device(self) -> str | None:
        """Device of the random numbers."""
        return getattr(self.seed_seq, "device", None)


def bit_generator(seed: Any = None) -> CounterBits | PCG64:
    """The bit generator of ``da.random.default_rng(seed)``; whose numbers it gives is ``config.random``'s affair."""
    if isinstance(seed, (CounterBits, np.random.BitGenerator)):
        return seed
    kind = PCG64 if config.random == "numpy" else CounterBits
    if isinstance(seed, Seed):
        return kind(seed)
    if isinstance(seed, np.random.SeedSequence):
        state = {k: v for k, v in seed.state.items() if k != "entropy"}
        return kind(Seed(seed.entropy, device=home(config.device), **state))
    return kind(Seed(seed, device=home(config.device)))


class LegacyStreams:
    """``bascule.random.RandomState`` for one device; Dask calls it once a chunk with the chunk's state."""

    def __init__(self, device: str):
        self.device = device

    def __call__(self, seed: Any = None) -> random.RandomState:
        return random.RandomState(seed)._on(self.device)
