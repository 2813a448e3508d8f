from numpy.lib import NumpyVersion, array_utils, format, introspect, mixins

from . import scimath, stride_tricks

__all__ = ["NumpyVersion", "array_utils", "format", "introspect", "mixins", "scimath", "stride_tricks"]
