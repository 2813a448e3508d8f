"""Support for bascule's arrays in libraries that accept arrays by their class.

Some libraries let others register their classes, which happens here when they are imported. Functions of the other
libraries are replaced, only by `bascule.accelerate()`; every replacement is recorded, listed and can be undone.
"""

from __future__ import annotations

import functools
import sys
import types
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import _core, fallback
from .._array import conversion
from ..supported_versions import REPLACED, SUPPORTED, named, numbers
from . import after_import, forked
from .stand_in import MEANT

_MISSING = object()


class Changes:
    """Replacements made in other libraries, which can be listed and undone."""

    def __init__(self) -> None:
        self._made: list[tuple[str, Callable[[], None]]] = []

    def attribute(self, owner: Any, name: str, new: Any) -> None:
        """Replace an attribute of a module or class."""
        old = vars(owner).get(name, _MISSING)
        setattr(owner, name, new)

        def undo() -> None:
            if vars(owner).get(name) is new:  # otherwise another library has replaced it since
                delattr(owner, name) if old is _MISSING else setattr(owner, name, old)

        self._made.append((f"{_name_of(owner)}.{name}", undo))

    def entry(self, table: Any, key: Any, new: Any, label: str) -> None:
        """Set an entry of a library's table."""
        if key in table:
            return
        table[key] = new
        self._made.append((label, lambda: table.pop(key, None)))

    def made(self, label: str, undo: Callable[[], None]) -> None:
        """Record a change of another kind."""
        self._made.append((label, undo))

    def undo(self) -> None:
        while self._made:
            self._made.pop()[1]()

    def names(self) -> list[str]:
        return [name for name, _ in self._made]


def _name_of(owner: Any) -> str:
    return owner.__name__ if isinstance(owner, types.ModuleType) else f"{owner.__module__}.{owner.__qualname__}"


# ---- libraries that let others register classes


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

    module.BasculeBackend = BasculeBackend  # einops finds its live subclasses


def _numba(_: Any) -> None:
    """Register at once, as stencils determine the type of their arguments before numba looks for extensions."""
    from . import numba_types  # noqa: F401


def _autograd_boxes(module: Any) -> None:
    module.ArrayBox.register(_core.ndarray)


def _autograd_spaces(module: Any) -> None:
    spaces = module.VSpace
    spaces.register(_core.ndarray, lambda x: spaces.mappings[np.ndarray](conversion.host_view(x)))


def _sklearn_outputs(module: Any) -> None:
    """Let transformers return bascule's frames if these are asked for (`set_output`), and pandas' with the row labels
    of a frame of ours that they got as input."""

    def in_pandas(x: Any) -> Any:
        return x.to_pandas() if hasattr(x, "__bascule_to_pandas__") else x

    class WithTheirRows(module.PandasAdapter):
        def create_container(self, X_output: Any, X_original: Any, columns: Any, inplace: bool = True) -> Any:
            import pandas

            if hasattr(X_original, "__bascule_to_pandas__") and hasattr(X_original, "_index"):
                X_original = pandas.DataFrame(index=X_original._index.to_pandas())
            return super().create_container(in_pandas(X_output), X_original, columns, inplace)

        def hstack(self, Xs: Any) -> Any:
            return super().hstack([in_pandas(x) for x in Xs])

    class Own(WithTheirRows):
        container_lib = "bascule"

        def create_container(self, X_output: Any, X_original: Any, columns: Any, inplace: bool = True) -> Any:
            from bascule.pandas import from_pandas

            return from_pandas(super().create_container(X_output, X_original, columns, inplace))

        def is_supported_container(self, X: Any) -> bool:
            from bascule.pandas import DataFrame

            return isinstance(X, DataFrame)

        def hstack(self, Xs: Any) -> Any:
            from bascule.pandas import from_pandas

            return from_pandas(super().hstack(Xs))

    for adapter in (WithTheirRows(), Own()):
        module.ADAPTERS_MANAGER.register(adapter)


def register() -> None:
    """Register with the libraries, at once or when they are imported."""
    after_import.fill(
        {
            "autograd.numpy.numpy_boxes": _autograd_boxes,
            "autograd.numpy.numpy_vspaces": _autograd_spaces,
            "einops._backends": _einops,
            "numba": _numba,
            "sklearn.utils._set_output": _sklearn_outputs,
        }
    )


# ---- libraries whose functions are replaced


@functools.lru_cache(1024)
def _has_labels(kind: type) -> bool:
    """Whether it is a class of our indexes, or one of the containers in which they are given."""
    return kind in (dict, list, tuple) or hasattr(kind, "nlevels") and hasattr(kind, "__bascule_to_pandas__")


def _labels_of_pandas(x: Any) -> Any:
    """Convert an index of ours, or those in a dict, list or tuple, to pandas'; other objects are returned unchanged."""
    kind = type(x)
    if not _has_labels(kind):
        return x
    if kind not in (dict, list, tuple):
        return x.to_pandas()
    held = set(map(type, x)).union(map(type, x.values()) if kind is dict else ())  # by type: xarray calls with many
    return fallback.with_items(x, _labels_of_pandas) if any(map(_has_labels, held)) else x


def _taking_labels(*names: str) -> Callable[[Any, Changes], None]:
    """A replacement for functions or methods that keep and change the indexes they get: they take ours as pandas'."""

    def replace(module: Any, changes: Changes) -> None:
        for name in names:
            *path, last = name.split(".")
            owner = functools.reduce(getattr, path, module)
            found = vars(owner)[last]
            theirs = getattr(found, "__func__", found)
            taking = _over_numpy(theirs, _labels_of_pandas)
            changes.attribute(owner, last, taking if theirs is found else type(found)(taking))

    return replace


def _as_numpy(x: Any) -> Any:
    """Convert an array of ours, or those in a list or tuple, to NumPy's over the same memory; return others unchanged."""
    if type(x) is list or type(x) is tuple:
        return type(x)(map(_as_numpy, x)) if _core.ndarray in set(map(type, x)) else x
    return conversion.seen_by_numpy(x)


def _taking_arrays(position: int, name: str) -> Callable[[Any, Changes], None]:
    """A replacement for a function or method of a module: our arrays are passed as NumPy's at this position."""

    def replace(module: Any, changes: Changes) -> None:
        *path, last = name.split(".")
        owner = functools.reduce(lambda o, n: getattr(o, n, None), path, module)
        theirs = getattr(owner, last, None)
        if theirs is None:
            return  # of another version, which refuses arrays with its own error

        @functools.wraps(theirs)
        def taking(*args: Any, **keywords: Any) -> Any:
            if len(args) > position:
                args = (*args[:position], _as_numpy(args[position]), *args[position + 1 :])
            return theirs(*args, **keywords)

        changes.attribute(owner, last, taking)
        if owner is module:
            _replace_in_modules(module, last, theirs, taking, changes)

    return replace


def _taking_values(*names: str) -> Callable[[Any, Changes], None]:
    """The same of whatever argument, for several functions and methods; in lists and dicts, too."""

    def seen(x: Any) -> Any:
        if type(x) is dict and _core.ndarray in set(map(type, x.values())):
            return {k: _as_numpy(v) for k, v in x.items()}
        return _as_numpy(x)

    def replace(module: Any, changes: Changes) -> None:
        for name in names:
            *path, last = name.split(".")
            owner = functools.reduce(getattr, path, module)
            theirs = getattr(owner, last)
            changes.attribute(owner, last, new := _over_numpy(theirs, seen))
            if owner is module:
                _replace_in_modules(module, last, theirs, new, changes)

    return replace


def _replace_in_modules(module: Any, name: str, theirs: Any, new: Any, changes: Changes) -> None:
    """Replace a function also in modules of its library that were loaded before and imported its name."""
    package = module.__name__.partition(".")[0]
    for other in [m for n, m in sys.modules.items() if n.startswith(package + ".")]:
        if vars(other).get(name) is theirs:
            changes.attribute(other, name, new)


def _over_numpy(
    theirs: Callable[..., Any], seen: Callable[[Any], Any] = conversion.seen_by_numpy
) -> Callable[..., Any]:
    """A library's function that gets all our arrays as NumPy's over the same memory."""

    @functools.wraps(theirs)
    def taking(*args: Any, **keywords: Any) -> Any:
        return theirs(*map(seen, args), **{k: seen(v) for k, v in keywords.items()})

    return taking


def _take_over_numpy(
    module: Any, name: str, changes: Changes, seen: Callable[[Any], Any] = conversion.seen_by_numpy
) -> None:
    """Replace a function of a module by such a function."""
    taking = _over_numpy(getattr(module, name), seen)
    taking.__module__, taking.__qualname__ = module.__name__, name  # pickle finds it by these names
    changes.attribute(module, name, taking)


def _on_the_cpu(x: Any) -> Any:
    """Convert an array of ours on the CPU to NumPy's over the same memory; return others, also on a GPU, unchanged."""
    return x if type(x) is _core.ndarray and x.device.startswith("cuda") else conversion.seen_by_numpy(x)


def _torch(module: Any, changes: Changes) -> None:
    """Replace `asarray`, which reads other libraries' arrays as a buffer with one flat axis."""
    _take_over_numpy(module, "from_numpy", changes)
    _take_over_numpy(module, "asarray", changes, _on_the_cpu)


def _pyarrow(module: Any, changes: Changes) -> None:
    """Replace `array`, which otherwise loses masks and reads arrays item by item."""
    _take_over_numpy(module, "array", changes)


def _collate(module: Any, changes: Changes) -> None:
    """Let torch's loaders collate our arrays."""
    kinds = module.default_collate_fn_map
    if np.ndarray in kinds:
        changes.entry(kinds, _core.ndarray, kinds[np.ndarray], "torch.utils.data's table of collated types")


def _jax_values(module: Any, changes: Changes) -> None:
    """Let JAX trace and compile functions for our arrays."""
    kinds, dtypes = module.core.pytype_aval_mappings, module.dtypes
    of_numpy = kinds[np.ndarray]
    changes.entry(kinds, _core.ndarray, lambda x: of_numpy(conversion.host_view(x)), "JAX's table of abstract values")

    def refuse(x: Any) -> Any:
        raise TypeError(f"Value {x!r} with type {type(x)} is not a valid JAX type")

    def register(value_of: Callable[[Any], Any]) -> None:
        dtypes.register_canonicalize_value_handler(_core.ndarray, value_of)

    register(lambda x: dtypes.canonicalize_value(conversion.host_view(x)))
    changes.made("JAX's table of canonical values", lambda: register(refuse))  # entries of that table cannot be removed


def _jax_arguments(module: Any, changes: Changes) -> None:
    """Let JAX transfer our arrays to its devices."""
    of_numpy = module.shard_arg_handlers[np.ndarray]
    changes.entry(
        module.shard_arg_handlers,
        _core.ndarray,
        lambda xs, *how: of_numpy([conversion.host_view(x) for x in xs], *how),
        "JAX's table of arguments",
    )


def _taking_over_numpy(name: str) -> Callable[[Any, Changes], None]:
    """A replacement for a compiled function of a module, which gets all our arrays as NumPy's."""

    def replace(module: Any, changes: Changes) -> None:
        theirs = getattr(module, name)
        changes.attribute(module, name, new := _over_numpy(theirs))
        _replace_in_modules(module, name, theirs, new, changes)

    return replace


def _c_functions(module: Any, changes: Changes) -> None:
    """Let ctypes pass our arrays to C functions as pointers of a declared kind (`ndpointer`)."""
    kind = module._ndptr
    changes.attribute(kind, "from_param", classmethod(_over_numpy(kind.from_param.__func__)))


def _h5py(module: Any, changes: Changes) -> None:
    """Let h5py read and write without an intermediate copy."""
    kind = module.Dataset
    for name in ("read_direct", "write_direct"):
        changes.attribute(kind, name, _over_numpy(getattr(kind, name)))


def _h5py_keys(module: Any, changes: Changes) -> None:
    """Let masks be keys; other keys already work as sequences."""
    changes.attribute(module, "select", _over_numpy(module.select, _as_numpy))


def _opencv(module: Any, changes: Changes) -> None:
    """Replace OpenCV's functions; the methods of its classes cannot be replaced."""
    parts = [m for m in vars(module).values() if isinstance(m, types.ModuleType) and m.__name__.startswith("cv2.")]
    for part in (module, *parts):
        for name, theirs in list(vars(part).items()):
            if isinstance(theirs, types.BuiltinFunctionType):
                changes.attribute(part, name, _over_numpy(theirs, _as_numpy))


def _validating(name: str) -> Callable[[Any, Changes], None]:
    """A replacement for a schema of pandera's, which knows frames and series by their class names: it gets ours as
    pandas' objects."""

    def replace(module: Any, changes: Changes) -> None:
        kind = getattr(module, name)
        theirs = kind.validate

        @functools.wraps(theirs)
        def validate(self: Any, check_obj: Any, *args: Any, **keywords: Any) -> Any:
            if not hasattr(check_obj, "__bascule_to_pandas__"):
                return theirs(self, check_obj, *args, **keywords)
            from bascule.pandas import from_pandas

            made = from_pandas(theirs(self, check_obj.to_pandas(), *args, **keywords))
            if keywords.get("inplace") and hasattr(check_obj, "_become"):
                check_obj._become(made)
                return check_obj
            return made

        changes.attribute(kind, "validate", validate)

    return replace


def _xarray_keys(module: Any, changes: Changes) -> None:
    """Let arrays without axes be keys of xarray's variables, as NumPy's are: they select one label, and drop its axis."""
    kind = module.Variable
    theirs = kind._broadcast_indexes

    def plain(k: Any) -> Any:
        data = k.data if isinstance(k, kind) else k
        return _on_the_cpu(data) if type(data) is _core.ndarray and not data.ndim else k

    @functools.wraps(theirs)
    def broadcast(self: Any, key: Any) -> Any:
        return theirs(self, tuple(map(plain, key)) if type(key) is tuple else plain(key))

    changes.attribute(kind, "_broadcast_indexes", broadcast)


def _xarray_indexers(module: Any, changes: Changes) -> None:
    """Let the keys that xarray hands on to pandas' indexes and to arrays be NumPy's arrays."""

    def seen(x: Any) -> Any:
        return tuple(map(_on_the_cpu, x)) if type(x) is tuple else x

    for kind in (module.OuterIndexer, module.VectorizedIndexer):
        changes.attribute(kind, "__init__", _over_numpy(kind.__init__, seen))


def _both(*replacements: Callable[[Any, Changes], None]) -> Callable[[Any, Changes], None]:
    """Several replacements in a module."""

    def replace(module: Any, changes: Changes) -> None:
        for each in replacements:
            each(module, changes)

    return replace


def _joblib(module: Any, changes: Changes) -> None:
    """Let joblib's hashes of our arrays and frames, their methods and our functions be those of NumPy's and pandas', so
    that a program finds again what it has kept, with this library and without."""
    theirs = module.NumpyHasher.save

    def seen(x: Any, known: dict) -> Any:
        if hasattr(type(x), "__bascule_to_pandas__") and not x._device().startswith("cuda"):
            if id(x) not in known:  # what is met twice is to be met twice by the hasher, too
                known[id(x)] = x, x.to_pandas()
            return known[id(x)][1]
        if isinstance(x, (types.MethodType, types.BuiltinMethodType)):
            owner = seen(x.__self__, known)
            return x if owner is x.__self__ else getattr(owner, x.__name__)
        if isinstance(x, (type, types.FunctionType)) and x.__module__.partition(".")[0] == "bascule":
            return _named_there(x)
        return _on_the_cpu(x)

    @functools.wraps(theirs)
    def save(self: Any, obj: Any) -> None:
        theirs(self, seen(obj, self.__dict__.setdefault("_of_bascules", {})))

    changes.attribute(module.NumpyHasher, "save", save)


def _named_there(x: Any) -> Any:
    """NumPy's or pandas' class or function that one of ours stands for; itself if it stands for none."""
    name = x.__name__
    for theirs, ours in MEANT.items():
        if getattr(sys.modules.get(ours), name, None) == x:
            return getattr(sys.modules.get(theirs), name, x)
    return x


# pandas tests `isinstance(x, numpy.ndarray)` for keys, masks, groups and operands of two axes, and SciPy's sparse arrays for
# dense operands; its iterative solvers make a linear operator of arrays, and networkx reads all other objects as edges.
_REPLACED: dict[str, Callable[[Any, Changes], None]] = {
    "cv2": _opencv,
    "h5py._hl.dataset": _h5py,
    "h5py._hl.selections": _h5py_keys,
    "jax._src.abstract_arrays": _jax_values,
    "jax._src.interpreters.pxla": _jax_arguments,
    "joblib.hashing": _joblib,
    "multiprocessing.reduction": forked.send_own,
    "networkx.convert": _taking_arrays(0, "to_networkx_graph"),
    "numpy.ctypeslib": _c_functions,
    "pandas.core.algorithms": _taking_arrays(0, "_ensure_arraylike"),
    "pandas.core.common": _taking_arrays(0, "apply_if_callable"),
    "pandas.core.frame": _taking_arrays(1, "DataFrame._align_for_op"),
    "pandas.core.groupby.groupby": _taking_arrays(1, "get_grouper"),
    "pandas.core.groupby.grouper": _taking_arrays(1, "get_grouper"),
    "pandas.core.indexers.utils": _taking_arrays(1, "check_array_indexer"),
    "pandera.api.pandas.array": _validating("SeriesSchema"),
    "pandera.api.pandas.container": _validating("DataFrameSchema"),
    "polars._utils.parse.expr": _taking_values("parse_into_expression", "parse_into_list_of_expressions"),
    "polars.dataframe.frame": _taking_values(
        "DataFrame.__init__", "DataFrame.__getitem__", "DataFrame.__setitem__", "DataFrame.filter"
    ),
    "polars.functions.lit": _taking_values("lit"),
    "polars.series.series": _taking_values(
        "Series.__init__",
        "Series.__getitem__",
        "Series.__setitem__",
        "Series._arithmetic",
        "Series._comp",
        "Series.pow",
        "Series.search_sorted",
        "Series.filter",
    ),
    "pyarrow": _pyarrow,
    "scipy.optimize._lbfgsb": _taking_over_numpy("setulb"),  # gradients
    "scipy.optimize._slsqplib": _taking_over_numpy("slsqp"),
    "scipy.sparse._sputils": _taking_values("isdense", "issequence", "ismatrix"),
    "scipy.sparse.linalg._interface": _taking_arrays(0, "aslinearoperator"),
    "torch": _torch,
    "torch.utils.data._utils.collate": _collate,
    "xarray.core.common": _taking_labels("DataWithCoords.assign_coords"),
    "xarray.core.coordinates": _taking_labels("Coordinates.__init__", "Coordinates.from_pandas_multiindex"),
    "xarray.core.dataarray": _taking_labels("DataArray.__init__"),
    "xarray.core.dataset": _both(
        _taking_labels("Dataset.__init__", "Dataset.update"), _taking_values("Dataset._validate_interp_indexers")
    ),
    "xarray.core.indexing": _xarray_indexers,
    "xarray.core.variable": _both(_taking_labels("Variable.__init__", "IndexVariable.__init__"), _xarray_keys),
}
# Packages whose name differs from the import name of the library.
_PACKAGES = {"cv2": ("opencv-python-headless", "opencv-python", "opencv-contrib-python")}


def _version(library: str, packages: tuple[str, ...]) -> tuple[int, ...]:
    """The version in the loaded module, or that of the installed package, which takes milliseconds to look up."""
    text = getattr(sys.modules.get(library), "__version__", None)
    if isinstance(text, str):
        return numbers(text)
    import importlib.metadata  # imported here because it takes milliseconds

    for name in packages:
        try:
            text = importlib.metadata.version(name)
            break
        except importlib.metadata.PackageNotFoundError:
            continue
    return numbers(text or "")


@functools.cache
def _is_tested(library: str) -> bool:
    """Whether the installed version was tested; other versions are left alone, with one warning."""
    if library in sys.stdlib_module_names:
        return True
    version = _version(library, _PACKAGES.get(library, (library,)))
    tested = {**SUPPORTED, **REPLACED}["opencv" if library == "cv2" else library]
    if tested.has(version):
        return True
    warnings.warn(
        f"[accelerate] {library} {named(version) or 'of unknown version'} is left as it is: versions from "
        f"{named(tested.oldest)} to {named(tested.newest)} are tested",
        RuntimeWarning,
        stacklevel=2,
    )
    return False


def replace(changes: Changes) -> Callable[[], None]:
    """Replace functions of libraries that do not let others register, at once or when they are imported.

    Returns
    -------
    function
        Cancels the replacements that are still pending.
    """

    def when_tested(name: str, change: Callable[[Any, Changes], None]) -> Callable[[Any], None]:
        def fill(module: Any) -> None:
            if not _is_tested(name.partition(".")[0]):
                return
            try:
                change(module, changes)
            except (AttributeError, KeyError) as e:  # a build that lacks these names
                warnings.warn(f"[accelerate] {name} is left as it is: {e}", RuntimeWarning, stacklevel=2)

        return fill

    return after_import.fill({name: when_tested(name, change) for name, change in _REPLACED.items()})
