"""The bit generator of ``default_rng``: a key and a position."""

import math

import numpy as np

from .. import _core
from ._parameters import host, shape_of

_NONE = (0, 0, ())
_AHEAD, _KINDS = 256, 8  # elements drawn ahead for single numbers; kinds of single numbers that are cached


class CounterBits(np.random.BitGenerator):
    """The bit generator of ``default_rng``: a 64-bit key from the seed, by NumPy's SeedSequence, and a position in the
    stream.

    An attribute `device` of a seed sets the device of the draws; otherwise it is the default device at the time. Every
    draw of n numbers uses n positions, rounded up to an even count; no position is used twice.

    Parameters
    ----------
    seed : None, int, array_like of int or SeedSequence, optional
        None takes a seed from the operating system.

    Notes
    -----
    The method is Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers, as easy as 1, 2, 3; 2011).

    Examples
    --------
    >>> import bascule as bc
    >>> bits = bc.random.CounterBits(5)
    >>> bc.random.Generator(bits).random(4).shape, bits.state["state"]["position"]
    ((4,), 4)
    """

    def __init__(self, seed=None):
        seed = np.asarray(host(seed))[()] if type(seed) is _core.ndarray else seed
        super().__init__(seed)
        self.device = getattr(self.seed_seq, "device", None)
        self._key = int(self.seed_seq.generate_state(1, np.uint64)[0])
        self._position = 0
        self._ahead = {}
        self._connected = None

    def _for_compiled_code(self):
        """NumPy's bit generator under this one, connected to its stream."""
        if self._connected is None:
            from ._bit_generator_interface import connect

            self._connected = connect(super().capsule, self)
        return super()

    @property
    def capsule(self):
        """The C interface of NumPy's bit generators, through which their users and compiled code draw the next words."""
        return self._for_compiled_code().capsule

    @property
    def ctypes(self):
        """The functions of that interface."""
        return self._for_compiled_code().ctypes

    @property
    def cffi(self):
        """The functions of that interface, for cffi."""
        return self._for_compiled_code().cffi

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
        self._ahead = {}

    def take(self, count):
        """Reserve `count` positions and return the first."""
        with self.lock:
            first = self._position
            self._position = first + count + (count & 1)
        return first

    def few(self, op, count, shift=0.0, scale=1.0):
        """shift + scale * float64 draws, computed at once; None if they are too many, and nothing is drawn then."""
        if self.device is not None:
            return None
        with self.lock:
            first = self._position
            if (r := _core.few_random(op, count, self._key, first, shift, scale)) is not None:
                self._position = first + count + (count & 1)
        return r

    def order(self, count):
        """Indices in the order that sorts random bits; None if they are too many."""
        if self.device is not None:
            return None
        with self.lock:
            first = self._position
            if (r := _core.few_in_order(count, self._key, first)) is not None:
                self._position = first + count + (count & 1)
        return r

    def sample(self, op, shape, dtype, device=None):
        """Fill an array by the counter operation `op`, lazily."""
        return _core.counter_fill(op, shape, dtype, self._key, self.take(math.prod(shape)), device or self.device)

    def sample_from(self, op, shape, parameters, device=None):
        """Fill an array by the draw `op` from numbers and arrays that broadcast to `shape`, lazily."""
        first = self.take(math.prod(shape))
        return _core.sample(op, shape, self._key, first, device or self.device, *parameters)

    def number(self, op, dtype=np.float64, parameters=()):
        """The next value of a counter operation, or of a draw from numbers, as a Python number; always drawn on the
        CPU.

        After two calls in a row more are likely: from then on values are drawn some hundred positions ahead.
        """
        with self.lock:
            first = self._position
            self._position = first + 2
        # Hashing a type takes longer than the rest.
        wanted = (op, parameters) if dtype is np.float64 else (op, dtype, parameters)
        begin, end, values = self._ahead.get(wanted, _NONE)
        if begin <= first < end:
            return values[first - begin]
        count = _AHEAD if 0 < first - max(begin, end - 1) <= _AHEAD else 1
        if parameters:
            sampled = _core.sample(op, (count,), self._key, first, "cpu", *parameters)
        else:
            sampled = _core.counter_fill(op, (count,), dtype, self._key, first, "cpu")
        values = _core.to_numpy(sampled).tolist()
        if len(self._ahead) >= _KINDS:
            self._ahead = {}
        self._ahead[wanted] = first, first + count, values
        return values[0]

    def word(self):
        """Sample one integer of 64 bits."""
        return self.number("random_bits", np.uint64)

    def random_raw(self, size=None, output=True):
        """Return raw 64-bit integers, or only skip them if `output` is false."""
        if not output:
            self.take(math.prod(shape_of(size)))
            return None
        return self.word() if size is None else self.sample("random_bits", shape_of(size), np.uint64)

    def advance(self, delta):
        """Move on by as many positions, and return the bit generator itself."""
        with self.lock:
            self._position = (self._position + delta) % 2**64
        return self

    def jumped(self, jumps=1):
        """A bit generator as if 2**60 numbers had been drawn for every jump; after 16 jumps the stream repeats."""
        twin = type(self)(self.seed_seq)
        twin.state = self.state
        return twin.advance(jumps << 60)

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
