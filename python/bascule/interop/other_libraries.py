"""Libraries that sort arrays by class and have no entry point for others: told of ours when they are imported."""

from __future__ import annotations

import contextlib
import functools
import sys
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import _core
from .._array import conversion
from . import after_import


def _einops(module: Any) -> None:
    class BasculeBackend(module.NumpyBackend):
        framework_name = "bascule"

        def __init__(self) -> None:
            import bascule

            self.np = bascule

        def from_numpy(self, x: np.ndarray) -> _core.ndarray:
            return self.np.asarray(x)

        def to_numpy(self, x: _core.ndarray) -> np.ndarray:
            return np.asarray(x)

    module.BasculeBackend = BasculeBackend  # einops looks through the subclasses that are alive


def _xarray(module: Any) -> None:
    """xarray has no pointwise indexing for arrays of the Array API, as the standard has none: ours can."""
    adapter = module.ArrayApiIndexingAdapter
    read, write = adapter._vindex_get, adapter._vindex_set

    def _vindex_get(self: Any, indexer: Any) -> Any:
        if type(self.array) is _core.ndarray:
            return module.NumpyVIndexAdapter(self.array)[indexer.tuple]
        return read(self, indexer)

    def _vindex_set(self: Any, indexer: Any, value: Any) -> None:
        if type(self.array) is _core.ndarray:
            module.NumpyVIndexAdapter(self.array)[indexer.tuple] = value
        else:
            write(self, indexer, value)

    adapter._vindex_get, adapter._vindex_set = _vindex_get, _vindex_set


def _numba(_: Any) -> None:
    """Stencils ask for the type of their arguments before numba has looked for extensions."""
    from . import numba_types  # noqa: F401


def _as_numpy(x: Any) -> Any:
    """An array of ours, or those in a list or tuple, as NumPy's over the same memory; all else as it is."""
    if type(x) is list or type(x) is tuple:
        return type(x)(map(_as_numpy, x)) if any(type(v) is _core.ndarray for v in x) else x
    return conversion.seen_by_numpy(x)


def _taking_arrays(position: int, name: str) -> Callable[[Any], None]:
    """What lets a function or method of a module take our arrays as its argument at a position where it takes NumPy's."""

    def tell(module: Any) -> None:
        *path, last = name.split(".")
        owner = functools.reduce(lambda o, n: getattr(o, n, None), path, module)
        theirs = getattr(owner, last, None)
        if theirs is None:
            return  # of another version, which refuses arrays in its own words

        @functools.wraps(theirs)
        def taking(*args: Any, **keywords: Any) -> Any:
            if len(args) > position:
                args = (*args[:position], _as_numpy(args[position]), *args[position + 1 :])
            return theirs(*args, **keywords)

        setattr(owner, last, taking)
        if owner is module:  # modules that were loaded before us may have its name
            package = module.__name__.partition(".")[0]
            for other in [m for n, m in sys.modules.items() if n.startswith(package + ".")]:
                if vars(other).get(last) is theirs:
                    setattr(other, last, taking)

    return tell


def _over_numpy(
    theirs: Callable[..., Any], seen: Callable[[Any], Any] = conversion.seen_by_numpy
) -> Callable[..., Any]:
    """Their function with our arrays, whatever the argument, as NumPy's over the same memory."""

    @functools.wraps(theirs)
    def taking(*args: Any, **keywords: Any) -> Any:
        return theirs(*map(seen, args), **{k: seen(v) for k, v in keywords.items()})

    return taking


def _take_over_numpy(module: Any, name: str, seen: Callable[[Any], Any] = conversion.seen_by_numpy) -> None:
    """Replace a function of a module by such."""
    taking = _over_numpy(getattr(module, name), seen)
    taking.__module__, taking.__qualname__ = module.__name__, name  # where pickle finds it
    setattr(module, name, taking)


def _on_the_cpu(x: Any) -> Any:
    """An array of ours on the CPU as NumPy's over the same memory; all else, on a GPU too, as it is."""
    return x if type(x) is _core.ndarray and x.device.startswith("cuda") else conversion.seen_by_numpy(x)


def _torch(module: Any) -> None:
    """`asarray` takes other libraries' arrays by their buffer, as one flat axis."""
    _take_over_numpy(module, "from_numpy")
    _take_over_numpy(module, "asarray", _on_the_cpu)


def _pyarrow(module: Any) -> None:
    """Masks, and what is not said to `__arrow_array__`; other than by that, arrays are taken item by item."""
    _take_over_numpy(module, "array")


def _collate(module: Any) -> None:
    """What torch's loaders make of the items of a batch."""
    kinds = module.default_collate_fn_map
    if np.ndarray in kinds:
        kinds[_core.ndarray] = kinds[np.ndarray]


def _jax_values(module: Any) -> None:
    """What JAX traces and compiles functions for, and what it hands on."""
    kinds, dtypes = module.core.pytype_aval_mappings, module.dtypes
    of_numpy = kinds[np.ndarray]
    kinds[_core.ndarray] = lambda x: of_numpy(conversion.host_view(x))
    dtypes.register_canonicalize_value_handler(
        _core.ndarray, lambda x: dtypes.canonicalize_value(conversion.host_view(x))
    )


def _jax_arguments(module: Any) -> None:
    """What JAX puts on its devices."""
    of_numpy = module.shard_arg_handlers[np.ndarray]
    module.shard_arg_handlers[_core.ndarray] = lambda xs, *how: of_numpy([conversion.host_view(x) for x in xs], *how)


def _autograd_boxes(module: Any) -> None:
    module.ArrayBox.register(_core.ndarray)


def _autograd_spaces(module: Any) -> None:
    spaces = module.VSpace
    spaces.register(_core.ndarray, lambda x: spaces.mappings[np.ndarray](conversion.host_view(x)))


def _c_functions(module: Any) -> None:
    """Arguments that ctypes hands to functions in C as pointers of a declared kind (`ndpointer`)."""
    kind = module._ndptr
    kind.from_param = classmethod(_over_numpy(kind.from_param.__func__))


def _h5py(module: Any) -> None:
    """Reading and writing without a copy in between."""
    kind = module.Dataset
    kind.read_direct, kind.write_direct = _over_numpy(kind.read_direct), _over_numpy(kind.write_direct)


def _h5py_keys(module: Any) -> None:
    """Masks; other keys are taken as sequences."""
    module.select = _over_numpy(module.select, _as_numpy)


def _opencv(module: Any) -> None:
    """OpenCV's functions; the methods of its classes cannot be told."""
    parts = [m for m in vars(module).values() if isinstance(m, types.ModuleType) and m.__name__.startswith("cv2.")]
    for part in (module, *parts):
        for name, theirs in list(vars(part).items()):
            if isinstance(theirs, types.BuiltinFunctionType):
                setattr(part, name, _over_numpy(theirs, _as_numpy))


def _where_known(tell: Callable[[Any], None]) -> Callable[[Any], None]:
    """A module of another version, which has not the names, refuses arrays in its own words."""

    def tell_if_known(module: Any) -> None:
        with contextlib.suppress(AttributeError, KeyError):
            tell(module)

    return tell_if_known


# pandas asks `isinstance(x, numpy.ndarray)` where keys, masks, groups and operands of two axes come in.
_PANDAS = {
    "pandas.core.common": _taking_arrays(0, "apply_if_callable"),
    "pandas.core.algorithms": _taking_arrays(0, "_ensure_arraylike"),
    "pandas.core.frame": _taking_arrays(1, "DataFrame._align_for_op"),
    "pandas.core.groupby.grouper": _taking_arrays(1, "get_grouper"),
    "pandas.core.groupby.groupby": _taking_arrays(1, "get_grouper"),
}
# SciPy's iterative solvers make a linear operator of `isinstance(x, numpy.ndarray)`.
_SCIPY = {"scipy.sparse.linalg._interface": _taking_arrays(0, "aslinearoperator")}


# networkx takes what is no array of NumPy's as edges.
_NETWORKX = {"networkx.convert": _taking_arrays(0, "to_networkx_graph")}

_BY_CLASS = {
    "autograd.numpy.numpy_boxes": _autograd_boxes,
    "autograd.numpy.numpy_vspaces": _autograd_spaces,
    "cv2": _opencv,
    "h5py._hl.dataset": _h5py,
    "h5py._hl.selections": _h5py_keys,
    "jax._src.abstract_arrays": _jax_values,
    "jax._src.interpreters.pxla": _jax_arguments,
    "numpy.ctypeslib": _c_functions,
    "pyarrow": _pyarrow,
    "torch": _torch,
    "torch.utils.data._utils.collate": _collate,
}


def install() -> None:
    """Tell them, now or when they are imported."""
    by_class = {name: _where_known(tell) for name, tell in _BY_CLASS.items()}
    after_import.fill(
        {
            "einops._backends": _einops,
            "xarray.core.indexing": _xarray,
            "numba": _numba,
            **_PANDAS,
            **_SCIPY,
            **_NETWORKX,
            **by_class,
        }
    )
