"""One array and dataframe library for CPU and GPU, with NumPy's and pandas' interface.

>>> import bascule as bc
>>> float((bc.arange(3) + 1).sum())
6.0
"""

from __future__ import annotations

import importlib as _importlib
import sys as _sys
import typing as _typing

import numpy as _numpy

from . import dtypes, linalg
from ._array import (
    datetimes,  # noqa: F401  (registers arithmetic of dates with the core)
    methods,
    pickling,
    scalars,
    signatures,  # noqa: F401  (registers calls with signature= with the core)
    subclasses,
    ufuncs,
)
from ._array.errstate import errstate, geterr, geterrcall, seterr, seterrcall
from ._core import __version__, ndarray, ufunc
from .config import config, device, evaluate, explain, fastmath, get_num_threads, set_num_threads, synchronize, trim
from .dtypes import *  # noqa: F403
from .dtypes import __array_api_version__, __array_namespace_info__
from .fallback import FallbackWarning, fallbacks
from .interop import dlpack, other_libraries, protocols
from .interop.dlpack import from_dlpack
from .interop.numpys_modules import attribute as _attribute
from .interop.numpys_modules import handed_on as _handed_on
from .lazy_names import LAZY as _LAZY
from .lib import arithmetic, comparison, creation, manipulation, reductions, selection, sorting
from .lib.arithmetic import divmod, modf
from .linalg.contractions import cross, dot, inner, kron, outer, tensordot, vdot
from .linalg.products import matmul, matvec, vecdot, vecmat

methods.install()
scalars.install()
protocols.install()
dlpack.install()
pickling.install()

_MODULES = (
    "array_api", "fallback", "fft", "lib", "linalg", "pandas", "plot", "random", "dask", "sched", "special", "testing",
    "exceptions", "learn", "polynomial", "typing", "core", "cuda",
)  # fmt: skip
# CuPy has these names in its top namespace; here they are those of `cuda`.
_CUPY = (
    "ElementwiseKernel", "RawKernel", "RawModule", "ReductionKernel", "asnumpy", "fuse", "get_array_module",
    "get_default_memory_pool", "get_default_pinned_memory_pool",
)  # fmt: skip


__all__ = [
    "FallbackWarning", "__array_api_version__", "__array_namespace_info__", "__version__", "config", "cross", "device", "divmod", "dot", "errstate", "evaluate", "explain",
    "fallbacks", "fastmath", "from_dlpack", "get_num_threads", "geterr", "geterrcall", "inner", "kron", "linalg", "matmul", "matvec", "modf", "ndarray",
    "outer", "set_num_threads", "seterr", "seterrcall", "synchronize", "tensordot", "trim", "ufunc", "vdot", "vecdot", "vecmat", *dtypes.__all__, *ufuncs.by_name,
]  # fmt: skip
for _module in (creation, manipulation, selection, sorting, reductions, arithmetic, comparison):
    globals().update({name: getattr(_module, name) for name in _module.__all__})
    __all__ += _module.__all__
from ._array.ufuncs import *  # noqa: E402, F403  (they replace functions of the same names above)

globals().update(asanyarray=subclasses.asanyarray, concat=manipulation.concatenate, permute_dims=manipulation.transpose,
                 amax=reductions.max, amin=reductions.min, around=arithmetic.round,
                 broadcast_shapes=manipulation.broadcast_shapes)  # fmt: skip
__all__ += ["asanyarray", "concat", "permute_dims", "amax", "amin", "around", "broadcast_shapes"]  # noqa: F405
__all__ += _LAZY
__all__ = list(dict.fromkeys(__all__))
del _module
for _name in ("divmod", "modf", "matmul", "matvec", "vecdot", "vecmat"):
    globals()[_name] = ufuncs.ufunc_methods.composite(globals()[_name], _name)
del _name


def _overridable(name: str) -> _typing.Any:
    return protocols.overridable(_sys.modules[__name__], name, getattr(_numpy, name, None))


for _name in __all__:
    if _name in globals():
        _overridable(_name)
for _name in linalg.__all__:
    if _name in vars(linalg):
        protocols.overridable(linalg, _name, getattr(_numpy.linalg, _name))
del _name


def __getattr__(name: str) -> _typing.Any:
    if name in _MODULES:
        try:
            return _importlib.import_module("." + name, __name__)
        except ModuleNotFoundError as error:
            if error.name != f"{__name__}.{name}":
                raise
    if name in _CUPY:
        globals()[name] = found = getattr(_importlib.import_module(".cuda", __name__), name)
        return found
    if name in ("load_ipython_extension", "unload_ipython_extension"):
        return getattr(_importlib.import_module(".notebook", __name__), name)
    if name == "emath":
        return _importlib.import_module(".lib.scimath", __name__)
    if name in _LAZY:
        found = getattr(_importlib.import_module("." + _LAZY[name], __name__), name)
        if name in ("frexp", "ldexp"):
            found = ufuncs.ufunc_methods.composite(found, name)
        globals()[name] = found
        return _overridable(name)
    found = _attribute(name)
    if isinstance(getattr(found, "__wrapped__", None), _numpy.ufunc):
        return ufuncs.ufunc_methods.composite(found, name)
    if found is None or isinstance(found, (type, float)):  # NumPy's types and constants
        globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*__all__, *_MODULES, *_CUPY, "emath", *_handed_on()})


other_libraries.register()  # libraries that are already loaded look names up here
if "dask" in _sys.modules:
    _importlib.import_module(".dask", __name__)  # it must know the array before the first one is made
