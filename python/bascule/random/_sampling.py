"""The base class of the generator's mixins: draws in the shape of `size` and the parameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import _core
from .._array.ufuncs import by_name
from ._counter_bits import CounterBits
from ._parameters import Parameter, is_scalar, parameter, result_shape

Draw = Callable[..., Any]

_log = by_name["log"]


def to_exponential(uniform: Any) -> Any:
    """Exponential numbers with scale 1 from uniform numbers in [0, 1)."""
    return -_log(1.0 - uniform)  # the difference is exact


class Sampler:
    """A stream of bits, and values computed from it. Internally a draw takes a shape and a device; a scalar is an array
    without axes on the CPU until it is returned.
    """

    _bits: CounterBits

    def _parameter(self, x: Any) -> Parameter:
        return parameter(x, self._bits.device)

    def _made(self, size: Any, parameters: tuple[Parameter, ...], make: Draw) -> Any:
        """make(shape, device) in the shape of size and parameters, or as a Python number."""
        shape = result_shape(size, *parameters)
        with np.errstate(all="ignore"):  # NumPy's distributions do not report overflow and division
            if shape is None:
                return _core.item(make((1,), "cpu"), 0)
            if shape == ():  # operators on arrays without axes return scalars
                return _core.reshape(make((1,), self._device_of(parameters)), ())
            return make(shape, self._device_of(parameters))

    def _sampled_alone(self, op: str, size: Any, parameters: tuple[Parameter, ...]) -> Any:
        """A draw that needs no further computation."""
        if size is None and is_scalar(parameters):
            return self._bits.number(op, None, parameters)
        return self._made(size, parameters, lambda s, d: self._sampled(op, s, d, *parameters))

    def _device_of(self, parameters: tuple[Parameter, ...]) -> str | None:
        """Device of a draw: the generator's, else that of the parameters; None is the default device."""
        if self._bits.device is None:
            for p in parameters:
                if type(p) is _core.ndarray:
                    return p.device
        return self._bits.device

    def _uniform(self, shape: tuple[int, ...], device: str | None) -> Any:
        return self._bits.sample("random_uniform", shape, np.float64, device)

    def _open_uniform(self, shape: tuple[int, ...], device: str | None) -> Any:
        """Uniform numbers in (0, 1): the midpoints of 2**52 intervals."""
        bits = self._bits.sample("random_bits", shape, np.uint64, device)
        return _core.astype(bits >> np.uint64(12), np.float64) * 2.0**-52 + 2.0**-53

    def _normal(self, shape: tuple[int, ...], device: str | None) -> Any:
        return self._bits.sample("random_normal", shape, np.float64, device)

    def _sampled(self, op: str, shape: tuple[int, ...], device: str | None, *parameters: Parameter) -> Any:
        return self._bits.sample_from(op, shape, parameters, device)
