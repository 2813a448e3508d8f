"""The bit generator of ``default_rng``: a key and a position."""

import math
import threading

import numpy as np

from . import _core
from .random_parameters import shape_of


class CounterBits:
    """The bit generator of ``default_rng``: a 64-bit key made from the seed as NumPy's SeedSequence does, and a position.

    A seed with an attribute `device` chooses where draws lie; else they lie on the default device of their time.
    Every draw of n numbers takes n positions, rounded up to an even count; no position is used twice.
    """

    def __init__(self, seed=None):
        sequence = seed if hasattr(seed, "generate_state") else np.random.SeedSequence(seed)
        self.seed_seq = self._seed_seq = sequence  # the second is NumPy's older name, by which Dask asks
        self.device = getattr(sequence, "device", None)
        self.lock = threading.Lock()
        self._key = int(sequence.generate_state(1, np.uint64)[0])
        self._position = 0

    @property
    def state(self):
        """Key and position, as a dictionary."""
        return {"bit_generator": type(self).__name__, "state": {"key": self._key, "position": self._position}}

    @state.setter
    def state(self, value):
        if not isinstance(value, dict):
            raise TypeError("state must be a dict")
        if value.get("bit_generator") != type(self).__name__:
            raise ValueError(f"state must be for a {type(self).__name__} PRNG")
        self._key, self._position = int(value["state"]["key"]), int(value["state"]["position"])

    def take(self, count):
        """Reserves `count` positions and returns the first."""
        with self.lock:
            first = self._position
            self._position = first + count + (count & 1)
        return first

    def draw(self, op, shape, dtype, device=None):
        """Fills an array by the counter operation `op`, lazily."""
        return _core.counter_fill(op, shape, dtype, self._key, self.take(math.prod(shape)), device or self.device)

    def word(self):
        """Draws one integer of 64 bits."""
        return _core.item(self.draw("random_bits", (), np.uint64, "cpu"), 0)

    def random_raw(self, size=None):
        """Return raw 64-bit integers."""
        return self.word() if size is None else self.draw("random_bits", shape_of(size), np.uint64)

    def spawn(self, n_children):
        """Create independent child bit generators."""
        if not hasattr(self.seed_seq, "spawn"):
            raise TypeError("The underlying SeedSequence does not implement spawning.")
        return [type(self)(s) for s in self.seed_seq.spawn(n_children)]

    def __reduce__(self):
        return _restore_bits, (self.seed_seq, self.state)


def _restore_bits(seed_seq, state):
    bits = CounterBits(seed_seq)
    bits.state = state
    return bits
