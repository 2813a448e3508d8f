"""Random numbers: counter-based by default, NumPy's own streams on request.

``default_rng(seed)`` draws from Philox4x32-10. Element ``i`` of the stream depends on the seed and on ``i`` alone, so results
are equal on every device and for any number of threads, and a large draw is a leaf of the lazy graph: it is computed inside
the pass that uses it. The numbers differ from NumPy's. ``Generator(PCG64(seed))``, ``Generator(MT19937(seed))``, ``SFC64``,
``RandomState(seed)``, the module's functions (``random.rand``, …) and, after ``config.random = "numpy"``, ``default_rng`` too,
draw from the installed NumPy and give its streams bit for bit.
"""

import math
import operator

import numpy as np

from . import _core, fallback
from .config import config
from .counter_bits import CounterBits
from .random_parameters import check_out, host, not_negative, parameter, result_shape, shape_of
from .random_transforms import Transformed, to_exponential
from .ufuncs import rows

__all__ = ["CounterBits", "Generator", "RandomState", "default_rng"]

_isfinite, _multiply_high, _where = (rows[name]["ufunc"] for name in ("isfinite", "multiply_high", "where"))
_WIDE = 2**32  # from here on a bounded integer takes 128 random bits, so that its bias stays below 2**-32
_WORD = 2**64
_PACKED = 2**24  # up to here equal leading bits are too few to show in a permutation
_SPARSE = 50  # samples of less than one part in so many are drawn one by one


class Generator(Transformed):
    """Draws from many distributions, with the interface of ``numpy.random.Generator``.

    ``Generator(bit_generator)`` takes a ``CounterBits``, or one of NumPy's bit generators, whose exact streams it then gives.
    """

    def __new__(cls, bit_generator):
        if not isinstance(bit_generator, CounterBits):
            bit_generator.capsule  # noqa: B018 -- NumPy's bit generators have one; others raise as in NumPy
            return object.__new__(_NumpyGenerator)
        return object.__new__(cls)

    def __init__(self, bit_generator):
        self._bits = bit_generator

    @property
    def bit_generator(self):
        """The source of the random bits."""
        return self._bits

    def __repr__(self):
        return f"{self} at 0x{id(self):X}"

    def __str__(self):
        return f"Generator({type(self.bit_generator).__name__})"

    def __reduce__(self):
        return Generator, (self.bit_generator,)

    def spawn(self, n_children):
        """Create independent child generators."""
        return [Generator(b) for b in self.bit_generator.spawn(n_children)]

    # ---- uniform and normal

    def _standard(self, name, op, size, dtype, out, finish=None):
        dtype = np.dtype(dtype)
        if dtype not in (np.float64, np.float32):
            raise TypeError(f"Unsupported dtype {dtype!r} for {name}")
        scalar = size is None and out is None
        if out is not None:
            check_out(out, size, dtype)
        shape = shape_of(size) if out is None else out.shape
        value = self._bits.draw(op, shape, dtype, "cpu" if scalar else None if out is None else out.device)
        if finish:
            value = finish(value)
        if scalar:
            return _core.item(value, 0)
        if out is None:
            return value
        _core.assign(out, value)
        return out

    def random(self, size=None, dtype=np.float64, out=None):
        """Draw from the uniform distribution over [0, 1)."""
        return self._standard("random", "random_uniform", size, dtype, out)

    def standard_normal(self, size=None, dtype=np.float64, out=None):
        """Draw from the standard normal distribution."""
        return self._standard("standard_normal", "random_normal", size, dtype, out)

    def standard_exponential(self, size=None, dtype=np.float64, method="zig", out=None):
        """Draw from the exponential distribution with scale 1, by inversion whatever `method` ("zig" or "inv") says."""
        if method not in ("zig", "inv"):
            raise ValueError(f"[standard_exponential] method is 'zig' or 'inv', not {method!r}")
        return self._standard("standard_exponential", "random_uniform", size, dtype, out, to_exponential)

    def _affine(self, draw, size, shift, scale):
        shape = result_shape(size, shift, scale)
        value = draw(shape)
        if not isinstance(scale, float) or scale != 1:
            value = scale * value
        return value if isinstance(shift, float) and shift == 0 else shift + value

    def normal(self, loc=0.0, scale=1.0, size=None):
        """Draw from normal distributions."""
        loc, scale = parameter(loc), not_negative(parameter(scale), "scale")
        return self._affine(self.standard_normal, size, loc, scale)

    def uniform(self, low=0.0, high=1.0, size=None):
        """Draw from uniform distributions over [low, high)."""
        low, high = parameter(low), parameter(high)
        width = high - low
        if isinstance(width, float):
            if not math.isfinite(width):
                raise OverflowError("high - low range exceeds valid bounds")
        elif not _isfinite(width).all():
            raise OverflowError("Range exceeds valid bounds")
        return self._affine(self.random, size, low, not_negative(width, "high - low"))

    def exponential(self, scale=1.0, size=None):
        """Draw from exponential distributions."""
        return self._affine(self.standard_exponential, size, 0.0, not_negative(parameter(scale), "scale"))

    # ---- integers

    def integers(self, low, high=None, size=None, dtype=np.int64, endpoint=False):
        """Draw integers from [low, high), or [low, high] where `endpoint` is true.

        The result is the high part of a product of random bits and the width of the range: every value of the range occurs,
        with a relative error of its probability below 2**-32.
        """
        if high is None:
            low, high = 0, low
        wanted, dtype = dtype, np.dtype(dtype)
        if not dtype.isnative:
            raise ValueError(
                "Providing a dtype with a non-native byteorder is not supported. If you require "
                "platform-independent byteorder, call byteswap when required."
            )
        if dtype.kind not in "iub":
            raise TypeError(f"Unsupported dtype {dtype!r} for integers")
        if size is not None and math.prod(shape_of(size)) == 0:
            return _core.empty(shape_of(size), dtype, self._bits.device)
        if np.ndim(low) == 0 and np.ndim(high) == 0:
            low, high = int(low), int(high)
            width = _check_bounds(low, high, dtype, endpoint)
            if size is None:
                value = low + self._bounded_word(width)
                return wanted(value) if wanted in (bool, int) else dtype.type(value)
            return _shifted(self._bounded(width, width, shape_of(size)), low % _WORD, dtype)
        return self._integers_between(_whole(low), _whole(high), size, dtype, endpoint)

    def _integers_between(self, low, high, size, dtype, endpoint):
        width = _check_bounds(low, high, dtype, endpoint)
        shape = np.broadcast_shapes(low.shape, high.shape, *([] if size is None else [shape_of(size)]))
        if size is not None and shape != shape_of(size):
            raise ValueError(
                f"Output size {shape_of(size)} is not compatible with broadcast dimensions of inputs {shape}."
            )
        value = self._bounded(
            _core.from_numpy(width, self._bits.device), int(width.max(initial=0)) if width.all() else _WORD, shape
        )
        return _shifted(value, _core.from_numpy(low.astype(np.uint64), self._bits.device), dtype)

    def _bounded_word(self, width):
        word = self._bits.word()
        if width == _WORD:
            return word
        if width < _WIDE:
            return word * width >> 64
        return ((word << 64) + self._bits.word()) * width >> 128

    def _bounded(self, width, widest, shape):
        """Integers below `width`, a number or an array of uint64 in which 0 stands for 2**64."""
        bits = self._bits.draw("random_bits", shape, np.uint64)
        if isinstance(width, int) and width == _WORD:
            return bits
        high = _multiply_high(bits, width if not isinstance(width, int) else np.uint64(width))
        if widest < _WIDE:
            return high
        width = np.uint64(width) if isinstance(width, int) else width
        rest = _multiply_high(self._bits.draw("random_bits", shape, np.uint64), width)
        low = bits * width
        value = high + _core.astype(low + rest < low, np.uint64)
        return value if isinstance(width, np.uint64) or widest < _WORD else _where(width == 0, bits, value)

    def bytes(self, length):
        """Draw random bytes."""
        (length,) = shape_of(int(length))
        return _core.to_numpy(self._bits.draw("random_bits", ((length + 7) // 8,), np.uint64, "cpu")).tobytes()[:length]

    # ---- orders and samples

    def _order(self, count):
        """A random order of `count` things: the order that sorts random bits, which NumPy finds."""
        bits = _core.to_numpy(self._bits.draw("random_bits", (count,), np.uint64, "cpu"))
        if count > _PACKED:
            return np.argsort(bits, kind="stable")
        # Numbers sort several times faster than their positions do: each takes its position along in its lowest bits.
        low = np.uint64((1 << max(count - 1, 0).bit_length()) - 1)
        bits &= ~low
        bits |= np.arange(count, dtype=np.uint64)
        bits.sort()
        bits &= low
        return bits.view(np.int64)

    def permutation(self, x, axis=0):
        """Return a shuffled copy, or a random order of ``range(x)``."""
        if isinstance(x, (int, np.integer)):
            return _core.from_numpy(self._order(max(int(x), 0)), self._bits.device)
        x = x if isinstance(x, _core.ndarray) else _core.from_numpy(np.asarray(x), self._bits.device)
        axis = _axis(axis, x.ndim)
        return _core.take(x, _core.from_numpy(self._order(x.shape[axis]), x.device), axis)

    def shuffle(self, x, axis=0):
        """Reorder `x`, an array or a mutable sequence, in place."""
        if isinstance(x, _core.ndarray):
            _core.assign(x, self.permutation(x, axis))
        elif isinstance(x, np.ndarray):
            axis = _axis(axis, x.ndim)
            x[...] = x.take(self._order(x.shape[axis]), axis)
        elif axis != 0:
            raise NotImplementedError("Axis argument is only supported on ndarray objects")
        else:
            x[:] = [x[i] for i in self._order(len(x))]

    def choice(self, a, size=None, replace=True, p=None, axis=0, shuffle=True):
        """Draw a random sample from an array, or from ``range(a)``.

        Without replacement the sample always comes in random order, whatever `shuffle` says.
        """
        population, count = _population(a, axis)
        shape = shape_of(size)
        wanted = math.prod(shape)
        if count < 1 and wanted:
            what = "a cannot be empty" if population is not None else "a must be a positive integer"
            raise ValueError(f"{what} unless no samples are taken")
        p = None if p is None else _probabilities(p, count)
        if replace:
            index = self._with_replacement(count, p, shape)
        else:
            index = _core.from_numpy(self._without_replacement(count, p, wanted).reshape(shape), self._bits.device)
        if population is None:
            return index if size is not None else int(_core.item(index, 0))
        if size is None and population.ndim == 1:
            return population[int(_core.item(index, 0))]
        return _core.take(population, index, axis)

    def _with_replacement(self, count, p, shape):
        if p is None:
            return self.integers(0, count, shape)
        steps = np.cumsum(p)
        steps /= steps[-1]
        uniform = _core.to_numpy(self._bits.draw("random_uniform", shape, np.float64, "cpu"))
        return _core.from_numpy(np.asarray(np.searchsorted(steps, uniform, side="right"), np.int64), self._bits.device)

    def _without_replacement(self, count, p, wanted):
        if wanted > count:
            raise ValueError("Cannot take a larger sample than population when replace is False")
        if p is None:
            return self._distinct(count, wanted) if wanted * _SPARSE < count else self._order(count)[:wanted]
        if np.count_nonzero(p) < wanted:
            raise ValueError("Fewer non-zero entries in p than size")
        # Things that wait exponential times with these rates are met in the order of drawing without replacement.
        waits = _core.to_numpy(to_exponential(self._bits.draw("random_uniform", (count,), np.float64, "cpu")))
        with np.errstate(divide="ignore", invalid="ignore"):
            waits = np.where(p > 0, waits / p, np.inf)
        return np.argsort(waits, kind="stable")[:wanted]

    def _distinct(self, count, wanted):
        """The first `wanted` different integers below `count` of a sequence of draws."""
        found = np.empty(0, np.int64)
        while found.size < wanted:
            more = _core.to_numpy(self._bounded(count, count, (wanted - found.size + wanted // 32 + 2,)))
            values, first = np.unique(np.concatenate([found, more.view(np.int64)]), return_index=True)
            found = values[np.argsort(first)]
        return found[:wanted]


def _shifted(value, low, dtype):
    """value + low as `dtype`, where both are modulo 2**64."""
    if not isinstance(low, int):
        value = value + low
    elif low:
        value = value + np.uint64(low)
    return _core.astype(value, dtype, False)


def _whole(x):
    x = host(x)
    return x if x.dtype.kind in "iu" else x.astype(np.int64)


def _check_bounds(low, high, dtype, endpoint):
    """The number of integers from low to high; for arrays modulo 2**64."""
    least, most = (0, 1) if dtype.kind == "b" else (int(np.iinfo(dtype).min), int(np.iinfo(dtype).max))
    if np.any(low < least):
        raise ValueError(f"low is out of bounds for {dtype.name}")
    if np.any(high > most + (not endpoint)):
        raise ValueError(f"high is out of bounds for {dtype.name}")
    if np.any(low > high if endpoint else low >= high):
        if np.any(low):
            raise ValueError("low > high" if endpoint else "low >= high")
        raise ValueError("high < 0" if endpoint else "high <= 0")
    if isinstance(low, int):
        return high - low + bool(endpoint)
    return high.astype(np.uint64) - low.astype(np.uint64) + np.uint64(bool(endpoint))


def _axis(axis, ndim):
    if not -ndim <= axis < ndim:
        raise np.exceptions.AxisError(axis, ndim)
    return axis % ndim


def _population(a, axis):
    """The array to choose from, or None for range(a), and how many things it has."""
    if not isinstance(a, _core.ndarray):
        if np.ndim(a) == 0:
            try:
                return None, operator.index(a.item() if isinstance(a, np.ndarray) else a)
            except TypeError:
                raise ValueError(f"a must be a sequence or an integer, not {type(a)}") from None
        a = _core.from_numpy(np.asarray(a))
    elif a.ndim == 0:
        return None, operator.index(a)
    return a, a.shape[axis]


def _probabilities(p, count):
    p = host(p).astype(np.float64)
    if p.ndim != 1:
        raise ValueError("p must be 1-dimensional")
    if p.size != count:
        raise ValueError("a and p must have same size")
    if np.isnan(p).any():
        raise ValueError("Probabilities contain NaN")
    if (p < 0).any():
        raise ValueError("Probabilities are not non-negative")
    if abs(math.fsum(p) - 1) > math.sqrt(np.finfo(np.float64).eps):
        raise ValueError("Probabilities do not sum to 1. See Notes section of docstring for more information.")
    return p


# ---- NumPy's streams


def _to_numpy_argument(x):
    return np.asarray(x) if isinstance(x, _core.ndarray) else x


def _brought_over(function, args, kwargs, device=None):
    """function(...) of NumPy, on NumPy's arguments, its arrays brought to a device."""
    out = kwargs.get("out")
    result = function(*map(_to_numpy_argument, args), **{k: _to_numpy_argument(v) for k, v in kwargs.items()})
    if out is not None:
        return out
    return (
        _core.from_numpy(result, device) if isinstance(result, np.ndarray) and result.dtype.kind in "biufc" else result
    )


def _numpy_method(name):
    def method(self, *args, **kwargs):
        device = getattr(self.bit_generator, "device", None)
        return _brought_over(getattr(self._numpy, name), args, kwargs, device)

    method.__name__, method.__qualname__ = name, f"Generator.{name}"
    method.__doc__ = f"Draw as ``numpy.random.Generator.{name}``, from NumPy's own stream."
    return method


class _NumpyGenerator(Generator):
    """NumPy's generator, its arrays brought over."""

    def __init__(self, bit_generator):
        self._numpy = np.random.Generator(bit_generator)

    @property
    def bit_generator(self):
        return self._numpy.bit_generator


def _derived_method(name):
    def method(self, *args, **kwargs):
        device = self._bits.device or config.device
        if device.startswith("cuda"):
            raise NotImplementedError(f"[Generator.{name}] exists only in NumPy, and new arrays lie on {device}")
        fallback.count(f"random.Generator.{name}", "drawn by NumPy from a stream of the seed and the position")
        key = self._bits._key | self._bits.take(2) << 64
        return _brought_over(getattr(np.random.Generator(np.random.Philox(key=key)), name), args, kwargs, device)

    method.__name__, method.__qualname__ = name, f"Generator.{name}"
    method.__doc__ = f"Draw as ``numpy.random.Generator.{name}``, by NumPy from a stream of the seed and the position."
    return method


_derived = """
    beta binomial chisquare dirichlet f gamma geometric hypergeometric logseries multinomial multivariate_hypergeometric
    multivariate_normal negative_binomial noncentral_chisquare noncentral_f permuted poisson standard_gamma standard_t
    triangular vonmises wald weibull zipf
""".split()
_native = """
    random standard_normal standard_exponential normal uniform exponential integers bytes permutation shuffle choice
    gumbel laplace logistic lognormal pareto power rayleigh standard_cauchy
""".split()
for _name in _derived:
    setattr(Generator, _name, _derived_method(_name))
for _name in _derived + _native:
    setattr(_NumpyGenerator, _name, _numpy_method(_name))
del _name


class RandomState:
    """``numpy.random.RandomState(seed)``: NumPy's legacy streams bit for bit, as bascule arrays."""

    _device = None  # the default one

    def __init__(self, seed=None):
        self._numpy = np.random.RandomState(seed)

    def _on(self, device):
        """This object, from now on drawing for a device."""
        self._device = device
        return self

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(f"'RandomState' object has no attribute {name!r}")
        method = getattr(self._numpy, name)
        return lambda *args, **kwargs: _brought_over(method, args, kwargs, self._device)

    def __reduce__(self):
        return _restore_state, (self._numpy.get_state(legacy=False), self._device)


def _restore_state(state, device):
    result = RandomState()._on(device)
    result._numpy.set_state(state)
    return result


def default_rng(seed=None):
    """Construct a Generator from a seed, a SeedSequence, a bit generator or a generator."""
    if isinstance(seed, Generator):
        return seed
    if isinstance(seed, (CounterBits, np.random.BitGenerator)):
        return Generator(seed)
    if isinstance(seed, np.random.Generator):
        return Generator(seed.bit_generator)
    if isinstance(seed, (RandomState, np.random.RandomState)):
        return Generator(getattr(seed, "_numpy", seed)._bit_generator)
    return Generator(np.random.default_rng(seed).bit_generator if config.random == "numpy" else CounterBits(seed))


_CLASSES = ("SeedSequence", "BitGenerator", "PCG64", "PCG64DXSM", "MT19937", "SFC64", "Philox")


def __getattr__(name):
    """NumPy's bit generators, and its functions of one global stream: seed, rand, randint, …"""
    if name in _CLASSES:
        return getattr(np.random, name)
    if name.startswith("_") or name not in np.random.__all__:
        raise AttributeError(f"module 'bascule.random' has no attribute {name!r}")
    function = getattr(np.random, name)

    def drawn(*args, **kwargs):
        return _brought_over(function, args, kwargs)

    drawn.__name__ = drawn.__qualname__ = name
    drawn.__doc__ = f"Draw as ``numpy.random.{name}``, from NumPy's global stream."
    return drawn
