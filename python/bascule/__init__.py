"""One array and dataframe library for CPU and GPU, with NumPy's and pandas' interface.

>>> import bascule as bc
>>> float((bc.arange(3) + 1).sum())
6.0
"""

from __future__ import annotations

import gc as _gc

_collects = _gc.isenabled()
_gc.disable()  # what an import makes stays, and looking through it takes a tenth of the time

import importlib as _importlib  # noqa: E402
import sys as _sys  # noqa: E402
import typing as _typing  # noqa: E402

import numpy as _numpy  # noqa: E402

from . import _array, lib  # noqa: E402, F401
from .interop.lazy_modules import put_off as _put_off  # noqa: E402

_put_off(
    __name__,
    *("_array.datetimes", "_array.printing", "progress", "linalg", "linalg.contractions", "linalg.library"),
    *(
        "linalg.products",
        "lib.arithmetic",
        "lib.comparison",
        "lib.creation",
        "lib.manipulation",
        "lib.manipulation.shapes",
    ),
    *("lib.reductions", "lib.selection", "lib.sets", "lib.sorting", "lib.sorting_common"),
)

from . import _core, dtypes, linalg  # noqa: E402
from ._array import datetimes, methods, pickling, scalars, subclasses, ufuncs  # noqa: E402
from ._array import signatures as _signatures  # noqa: E402, F401  (registers calls with signature= with the core)
from ._array.errstate import errstate, geterr, geterrcall, seterr, seterrcall  # noqa: E402
from ._core import __version__, ndarray, ufunc  # noqa: E402
from .config import (  # noqa: E402
    config,
    device,
    evaluate,
    explain,
    fastmath,
    get_num_threads,
    set_num_threads,
    synchronize,
    trim,
)
from .dtypes import *  # noqa: E402, F403
from .dtypes import __array_api_version__, __array_namespace_info__  # noqa: E402
from .fallback import FallbackWarning, fallbacks  # noqa: E402
from .interop import dlpack, other_libraries, protocols  # noqa: E402
from .interop.dlpack import from_dlpack  # noqa: E402
from .interop.numpys_modules import attribute as _attribute  # noqa: E402
from .interop.numpys_modules import handed_on as _handed_on  # noqa: E402
from .lazy_names import LAZY as _NAMES  # noqa: E402
from .linalg import library as _blas  # noqa: E402

methods.install()
scalars.install()
protocols.install()
dlpack.install()
pickling.install()
_blas.find()
_core.set_time_rules(lambda *operation: datetimes.operate(*operation))

_MODULES = (
    "array_api", "fallback", "fft", "lib", "linalg", "pandas", "plot", "random", "dask", "sched", "special", "testing",
    "exceptions", "learn", "polynomial", "typing", "core", "cuda",
)  # fmt: skip
# CuPy has these names in its top namespace; here they are those of `cuda`.
_CUPY = (
    "ElementwiseKernel", "RawKernel", "RawModule", "ReductionKernel", "asnumpy", "fuse", "get_array_module",
    "get_default_memory_pool", "get_default_pinned_memory_pool",
)  # fmt: skip


_LAZY = {**_NAMES, "divmod": "lib.arithmetic", "modf": "lib.arithmetic"}
_COMPOSITES = ("divmod", "frexp", "ldexp", "matmul", "matvec", "modf", "vecdot", "vecmat")

__all__ = [
    "FallbackWarning", "__array_api_version__", "__array_namespace_info__", "__version__", "config", "device", "errstate", "evaluate",
    "explain", "fallbacks", "fastmath", "from_dlpack", "get_num_threads", "geterr", "geterrcall", "linalg", "ndarray", "set_num_threads", "seterr", "seterrcall",
    "synchronize", "trim", "ufunc", *dtypes.__all__, *ufuncs.by_name, *_LAZY,
]  # fmt: skip
__all__ = list(dict.fromkeys([*__all__, "asanyarray", "broadcast_shapes"]))
from ._array.ufuncs import *  # noqa: E402, F403

globals().update(asanyarray=subclasses.asanyarray, broadcast_shapes=_numpy.broadcast_shapes)


def _overridable(name: str) -> _typing.Any:
    return protocols.overridable(_sys.modules[__name__], name, getattr(_numpy, name, None))


for _name in __all__:
    if _name in globals():
        _overridable(_name)
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
        if name in _COMPOSITES:
            found = ufuncs.ufunc_methods.composite(found, name)
        own = getattr(found, "__name__", name)
        if own != name and _LAZY.get(own) == _LAZY[name]:  # another name of one function, such as `around`
            globals()[name] = found = getattr(_sys.modules[__name__], own)
            return found
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
if _collects:
    if _sys.argv[:1] == ["-m"]:  # `python -m bascule`, before its program: what is there by now stays
        _gc.freeze()
    _gc.enable()
