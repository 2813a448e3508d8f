"""Distributions that are functions of uniform, normal or exponential numbers; lazy as those are."""

import math

import numpy as np

from . import _core
from .random_parameters import not_negative, parameter, positive, result_shape
from .ufuncs import by_name

_exp, _expm1, _log, _log1p, _sqrt, _tan = (by_name[n] for n in ("exp", "expm1", "log", "log1p", "sqrt", "tan"))


def to_exponential(uniform):
    """Exponential numbers with scale 1 from uniform ones over [0, 1)."""
    return -_log1p(-uniform)


class Transformed:
    """The part of the generator that transforms its own draws."""

    def _transform(self, source, size, parameters, transform):
        """transform(x), where x are draws of `source` in the shape that size and parameters give."""
        shape = result_shape(size, *parameters)
        value = transform(source(() if shape is None else shape, "cpu" if shape is None else None))
        return _core.item(value, 0) if shape is None else value

    def _uniform(self, shape, device):
        return self._bits.draw("random_uniform", shape, np.float64, device)

    def _open_uniform(self, shape, device):
        """Draws over (0, 1): the middles of 2**52 intervals."""
        bits = self._bits.draw("random_bits", shape, np.uint64, device)
        return _core.astype(bits >> np.uint64(12), np.float64) * 2.0**-52 + 2.0**-53

    def _normal(self, shape, device):
        return self._bits.draw("random_normal", shape, np.float64, device)

    def lognormal(self, mean=0.0, sigma=1.0, size=None):
        """Draw from log-normal distributions: the exponential of normal ones."""
        mean, sigma = parameter(mean), not_negative(parameter(sigma), "sigma")
        return self._transform(self._normal, size, (mean, sigma), lambda z: _exp(mean + sigma * z))

    def laplace(self, loc=0.0, scale=1.0, size=None):
        """Draw from Laplace distributions."""
        loc, scale = parameter(loc), not_negative(parameter(scale), "scale")

        def difference(shape, device):
            return to_exponential(self._uniform(shape, device)) - to_exponential(self._uniform(shape, device))

        return self._transform(difference, size, (loc, scale), lambda x: loc + scale * x)

    def logistic(self, loc=0.0, scale=1.0, size=None):
        """Draw from logistic distributions."""
        loc, scale = parameter(loc), not_negative(parameter(scale), "scale")
        return self._transform(self._open_uniform, size, (loc, scale), lambda u: loc + scale * (_log(u) - _log1p(-u)))

    def gumbel(self, loc=0.0, scale=1.0, size=None):
        """Draw from Gumbel distributions."""
        loc, scale = parameter(loc), not_negative(parameter(scale), "scale")
        return self._transform(self._open_uniform, size, (loc, scale), lambda u: loc - scale * _log(-_log(u)))

    def rayleigh(self, scale=1.0, size=None):
        """Draw from Rayleigh distributions."""
        scale = not_negative(parameter(scale), "scale")
        return self._transform(self._uniform, size, (scale,), lambda u: scale * _sqrt(2.0 * to_exponential(u)))

    def pareto(self, a, size=None):
        """Draw from Pareto II (Lomax) distributions."""
        a = positive(parameter(a), "a")
        return self._transform(self._uniform, size, (a,), lambda u: _expm1(to_exponential(u) / a))

    def power(self, a, size=None):
        """Draw from power distributions over [0, 1] with density a * x**(a - 1)."""
        a = positive(parameter(a), "a")
        return self._transform(self._open_uniform, size, (a,), lambda u: u ** (1.0 / a))

    def standard_cauchy(self, size=None):
        """Draw from the Cauchy distribution."""
        return self._transform(self._open_uniform, size, (), lambda u: _tan(math.pi * (u - 0.5)))
